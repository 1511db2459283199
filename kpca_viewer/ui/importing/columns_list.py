"""ColumnsList: the columns of a file with their roles, and a field to find them."""

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.data.importing import Role
from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.ui.controls import FindField, type_factor
from kpca_viewer.ui.importing.models import ColumnsModel
from kpca_viewer.ui.importing.role_delegate import (
    CellDelegate,
    NameDelegate,
    RoleDelegate,
)

ROLE_KEYS: dict[str, Role] = {"F": "feature", "L": "label", "N": "name", "M": "ignore"}

SEARCHED_FROM = 15
"""Columns from which there is a field to find them."""

_BESIDE_ROLE = 40
"""Pixels of a cell beside the name of its role: margins and arrow."""


class ColumnsList(QWidget):
    """One line a column; a click or a letter gives it a role."""

    def __init__(self, model: ColumnsModel) -> None:
        super().__init__()
        self._model = model
        self.view = QTableView()
        self._set_up_view()
        self._find = FindField("columns_filter", "Find columns")
        self._find.textChanged.connect(self._on_text_changed)
        self._find.left.connect(self.view.setFocus)
        self._count = QLabel()
        self._count.setObjectName("columns_found")
        self._count.setProperty("role", "caption")
        line = QWidget()
        line.setVisible(model.total >= SEARCHED_FROM)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._find, 1)
        row.addWidget(self._count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(line)
        layout.addWidget(self.view, 1)
        self._on_text_changed("")

    def _set_up_view(self) -> None:
        view = self.view
        view.setObjectName("import_columns")
        view.setAccessibleName("Columns and their roles")
        view.setToolTip("Click a role, or press F, L, N or M on the chosen columns.")
        view.setModel(self._model)
        view.setItemDelegate(CellDelegate(view))
        view.setItemDelegateForColumn(0, NameDelegate(view))
        view.setItemDelegateForColumn(1, RoleDelegate(view))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        view.clicked.connect(self._on_clicked)
        view.setWordWrap(False)
        view.setMinimumWidth(300)
        view.setShowGrid(False)
        view.verticalHeader().hide()
        header = view.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        view.ensurePolished()
        metrics, factor = view.fontMetrics(), type_factor(self)
        # A role is what is decided here: its name is never shortened.
        longest = max(
            metrics.horizontalAdvance(title) for title in ROLE_TITLES.values()
        )
        widths = (round(200 * factor), longest + _BESIDE_ROLE, round(174 * factor))
        for section, width in enumerate(widths):
            header.resizeSection(section, width)
        for key, role in ROLE_KEYS.items():
            # As shortcuts: the table would take letters for a search.
            shortcut = QShortcut(QKeySequence(key), view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setProperty("columns_role", role)
            shortcut.activated.connect(self._on_role_key)

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self._model.set_filter(text)
        shown, total = self._model.rowCount(), self._model.total
        self._count.setText(f"{shown:,} of {total:,}")
        self._count.setVisible(bool(text.strip()))

    @Slot(object)
    def _on_clicked(self, index: QModelIndex) -> None:
        """Open the roles with one click; with Ctrl or Shift columns are chosen."""
        keys = QApplication.keyboardModifiers()
        if index.column() == 1 and keys == Qt.KeyboardModifier.NoModifier:
            self.view.edit(index)

    def _on_role_key(self) -> None:
        role = self.sender().property("columns_role")
        chosen = self.view.selectionModel().selectedRows()
        self._model.set_role([index.row() for index in chosen], role)
