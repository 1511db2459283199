"""ImportSheet: one page between a file and its picture."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.core.parameters import Parameter
from kpca_viewer.data.importing import ImportSettings, Role
from kpca_viewer.data.preparation import SCALING_TITLES, Scaling
from kpca_viewer.data.table import Table
from kpca_viewer.ui.controls import ElidedLabel, NumberRow, Segmented, Switch
from kpca_viewer.ui.importing.models import ColumnsModel, PreviewModel
from kpca_viewer.ui.importing.role_delegate import RoleDelegate
from kpca_viewer.ui.sidebar.settings_card import fill_combo, labelled, named_combo

ROLE_KEYS: dict[str, Role] = {
    "F": "feature",
    "L": "label",
    "N": "name",
    "I": "ignore",
}


class ImportSheet(QDialog):
    """Preview, roles of the columns, missing values, scaling, sampling.

    Enter accepts what was guessed.

    Parameters
    ----------
    table : Table
    settings : ImportSettings
        The guess, or what was chosen before.
    scaling : {"none", "standardise", "minmax", "unit"}
    may_be_matrix : str
        A sentence about the square matrix that the file may be; empty if it is none.

    Attributes
    ----------
    import_wished : Signal(object, object, object)
        The table, `ImportSettings` and scaling that the person accepted.
    """

    import_wished = Signal(object, object, object)

    def __init__(
        self,
        table: Table,
        settings: ImportSettings,
        scaling: Scaling,
        may_be_matrix: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("import_sheet")
        self.setWindowTitle("Open data")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._table = table
        self._settings = settings
        self._matrix_words = may_be_matrix
        self._columns = ColumnsModel(table, dict(settings.roles), self)
        self._columns.roles_changed.connect(self._refresh)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        layout.addWidget(self._make_heading())
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addWidget(self._make_columns(), 3)
        middle.addWidget(self._make_options(scaling), 2)
        layout.addLayout(middle, 3)
        layout.addWidget(_caption("First rows"))
        layout.addWidget(self._make_preview(), 2)
        self._summary = QLabel()
        self._summary.setObjectName("import_summary")
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self._summary.setWordWrap(True)
        layout.addWidget(self._summary)
        layout.addWidget(self._make_buttons())
        self.resize(980, 680)
        self._refresh()

    def settings(self) -> ImportSettings:
        """Return what is chosen now."""
        matrix: Any = self._matrix.value() if self._matrix_words else "points"
        missing: Any = self._missing.value()
        sample = int(self._sample.value())
        return replace(
            self._settings,
            roles=self._columns.roles(),
            missing=missing,
            one_hot=self._one_hot.isChecked(),
            treat_text_as_missing=self._text_missing.isChecked(),
            sample=sample if sample < self._table.n else None,
            matrix=matrix,
        )

    def _make_heading(self) -> QWidget:
        table = self._table
        words = f"{table.name}  ·  {table.n:,} rows × {len(table.columns):,} columns"
        if table.format:
            words += f"  ·  {table.format}"
        heading = ElidedLabel(words)
        heading.setProperty("role", "heading")
        heading.setObjectName("import_heading")
        if table.notes:
            heading.setToolTip("\n".join(table.notes))
        return heading

    def _make_columns(self) -> QWidget:
        view = QTableView()
        view.setObjectName("import_columns")
        view.setAccessibleName("Columns and their roles")
        view.setToolTip("Click a role, or press F, L, N or I on the chosen columns.")
        view.setModel(self._columns)
        view.setItemDelegateForColumn(1, RoleDelegate(view))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setEditTriggers(
            QAbstractItemView.EditTrigger.SelectedClicked
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        view.setWordWrap(False)
        view.setShowGrid(False)
        view.verticalHeader().hide()
        header = view.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for section, width in enumerate((150, 90, 170)):
            header.resizeSection(section, width)
        for key, role in ROLE_KEYS.items():
            # As shortcuts: the table would take letters for a search.
            shortcut = QShortcut(QKeySequence(key), view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setProperty("columns_role", role)
            shortcut.activated.connect(self._on_role_key)
        self._columns_view = view
        return view

    def _make_options(self, scaling: Scaling) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._matrix_note = _caption(self._matrix_words)
        self._matrix = Segmented(
            [("points", "Points"), ("kernel", "Kernel"), ("distances", "Distances")],
            "What the square table is",
        )
        self._matrix.setObjectName("matrix_kind")
        self._matrix.set_value(self._settings.matrix)
        self._matrix.value_changed.connect(self._refresh)
        for widget in (self._matrix_note, self._matrix):
            widget.setVisible(bool(self._matrix_words))
            column.addWidget(widget)
        self._missing = Segmented(
            [
                ("drop", "Drop rows", "Leave out rows with a missing value"),
                ("median", "Fill by median", "Fill in the middle of the column"),
            ],
            "Missing values",
        )
        self._missing.setObjectName("missing_values")
        self._missing.set_value(self._settings.missing)
        self._missing.value_changed.connect(self._refresh)
        column.addWidget(labelled("Missing values", self._missing)[1])
        self._text_missing = self._switch(
            "text_missing_switch",
            "Treat text among numbers as missing",
            self._settings.treat_text_as_missing,
        )
        self._one_hot = self._switch(
            "one_hot_switch", "Text features become 0/1 columns", self._settings.one_hot
        )
        column.addWidget(self._text_missing)
        column.addWidget(self._one_hot)
        self._scaling = named_combo(
            "import_scaling_combo", "Scaling", "So that no large column decides alone."
        )
        titles: list[tuple[str, object]] = [(t, k) for k, t in SCALING_TITLES.items()]
        fill_combo(self._scaling, titles, scaling)
        column.addWidget(labelled("Scaling", self._scaling)[1])
        rows = max(self._table.n, 3)
        self._sample = NumberRow(
            Parameter("import_rows", "", "Rows", 2, rows, rows, "integer")
        )
        self._sample.set_value(min(self._settings.sample or rows, rows))
        self._sample.value_edited.connect(self._refresh)
        column.addWidget(self._sample)
        for note in self._table.notes[:4]:
            column.addWidget(_caption(note))
        column.addStretch(1)
        return box

    def _make_preview(self) -> QWidget:
        view = QTableView()
        view.setObjectName("import_preview")
        view.setAccessibleName("First rows")
        view.setModel(PreviewModel(self._table, view))
        view.setWordWrap(False)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setMinimumHeight(110)
        view.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        view.horizontalHeader().setMaximumSectionSize(220)
        view.resizeColumnsToContents()
        return view

    def _make_buttons(self) -> QWidget:
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open
            | QDialogButtonBox.StandardButton.Cancel
        )
        self._open = buttons.button(QDialogButtonBox.StandardButton.Open)
        self._open.setObjectName("import_accept")
        self._open.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    def _switch(self, name: str, text: str, on: bool) -> Switch:
        switch = Switch(text)
        switch.setObjectName(name)
        switch.setAccessibleName(text)
        switch.setToolTip(text)
        switch.setChecked(on)
        switch.toggled.connect(self._refresh)
        return switch

    def _refresh(self, *_ignored: object) -> None:
        """Say in one line what will be analysed."""
        settings = self.settings()
        roles = dict(settings.roles)
        features = [name for name, role in roles.items() if role == "feature"]
        label = next((name for name, role in roles.items() if role == "label"), None)
        rows = settings.sample or self._table.n
        points = settings.matrix == "points"
        words = [f"{rows:,} rows", f"{len(features):,} features"]
        if not points:
            words = [f"a {settings.matrix.removesuffix('s')} matrix of {rows:,} rows"]
        if label is not None:
            count = self._table.column(label).distinct
            words.append(f"coloured by “{label}” ({count:,} classes)")
        text = ", ".join(words) + "."
        if points and not features:
            text = "No column is a feature; give at least one that role."
        self._summary.setText(text)
        self._open.setEnabled(not points or bool(features))
        for widget in (self._scaling, self._missing, self._one_hot, self._text_missing):
            widget.setEnabled(points)

    def _on_role_key(self) -> None:
        role = self.sender().property("columns_role")
        chosen = self._columns_view.selectionModel().selectedRows()
        self._columns.set_role([index.row() for index in chosen], role)

    def accept(self) -> None:
        """Hand over what was chosen."""
        self.import_wished.emit(
            self._table, self.settings(), self._scaling.currentData()
        )
        super().accept()


def _caption(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", "caption")
    label.setWordWrap(True)
    return label
