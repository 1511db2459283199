"""Numbers for other tools: coordinates, eigenvalues, kernel matrix, fitted model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.stage import add_row_values
from kpca_viewer.export.result_tables import (
    LARGEST_MATRIX,
    ExportTable,
    coordinates,
    eigenvalues,
    kernel_matrix,
)
from kpca_viewer.export.table_files import (
    FORMAT_TITLES,
    TableFormat,
    neutralised,
    save_table,
)
from kpca_viewer.support.errors import ExportError, KpcaError
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.composed_picture import ExportContent
from kpca_viewer.widgets.export_form import Choices, add_lines, segmented, switch

WHAT = (
    ("coordinates", "Coordinates", "The scores of every row"),
    ("eigenvalues", "Eigenvalues", "With bounds and shares"),
    ("matrix", "Kernel matrix", "How alike every pair of rows is"),
    ("model", "Fitted model", "A file that kpca_viewer.load reads"),
)
_SHOWN = (12, 12)
"""Rows and columns of the preview."""

MOST_SHOWN = 1_500
"""Rows of a kernel matrix that is computed just to be looked at."""

AT_ONCE = 5_000
"""Rows that are measured just to be looked at."""

MOST_COPIED = 500_000
"""Cells that a clipboard takes without a pause."""


class NumbersPage(QWidget):
    """Chooses a table and shows how it begins."""

    choice_changed = Signal()

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.setObjectName("export_numbers_page")
        self._content: ExportContent | None = None
        self._what = segmented("export_table", "What", WHAT)
        self._rows = segmented(
            "export_rows", "Rows", [("all", "All rows"), ("selected", "Selection")]
        )
        self._features = switch(
            "features",
            "With the features of the data",
            "The columns of the data beside the scores",
        )
        self._odd = switch(
            "odd_rows",
            "With cos², T² and SPE of every row",
            "How well the model represents a row, how far out it lies, and how far "
            "from the model",
        )
        self._centred = segmented(
            "export_centring",
            "Kernel matrix",
            [
                ("raw", "Raw", "Kernel values as they are"),
                ("centred", "Centred", "What the eigenvalues belong to"),
            ],
        )
        self._format = segmented(
            "export_table_format", "Format", list(FORMAT_TITLES.items())
        )
        self._note = QLabel()
        self._note.setObjectName("export_table_note")
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setProperty("role", "muted")
        self._note.setWordWrap(True)
        self._table = QTableWidget()
        self._table.setObjectName("export_table_preview")
        self._table.setAccessibleName("First rows of the table")
        self._table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self._table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._table.verticalHeader().hide()
        self._table.setCornerButtonEnabled(False)
        self._table.setStyleSheet(
            "QAbstractScrollArea::corner { background: transparent; border: none; }"
        )
        self._lay_out()
        choices.remember("table", self._what, "coordinates")
        choices.remember("table_format", self._format, "csv")
        choices.remember("features", self._features, False)
        choices.remember("odd_rows", self._odd, False)
        choices.remember("centring", self._centred, "raw")
        for choice in (self._what, self._rows, self._centred, self._format):
            choice.value_changed.connect(self.refresh)
        self._features.toggled.connect(self.refresh)
        self._odd.toggled.connect(self.refresh)

    def set_content(self, content: ExportContent) -> None:
        """Show another result or selection."""
        self._content = content
        text = f"Selection ({content.selected:,})"
        self._rows.button("selected").setText(text)
        self._rows.set_option_enabled("selected", content.selected > 0)
        if not content.selected:
            self._rows.set_value("all")
        self.refresh()

    def what(self) -> str:
        return self._what.value()

    def choose(self, what: str) -> None:
        self._what.button(what).setChecked(True)

    def choose_selected(self) -> None:
        """Choose the rows that are selected, if there are any."""
        if self._content is not None and self._content.selected:
            self._rows.button("selected").setChecked(True)

    def ending(self) -> str:
        return "npz" if self.what() == "model" else self._format.value()

    def file_words(self) -> str:
        return {"matrix": "kernel matrix"}.get(self.what(), self.what())

    def table(self) -> ExportTable:
        """Make the table that is chosen, or raise `ExportError`."""
        return self._frozen()()

    def work(self, path: Path) -> Callable[[], None]:
        """Return what writes the file; it can run on any thread."""
        content = self._content
        if self.what() == "model" and content is not None:
            result = content.result

            def write_model() -> None:
                from kpca_viewer.export.model import save_fitted

                save_fitted(result, path)

            return write_model
        # Chosen now: the person may go on clicking while the file is written.
        make, kind = self._frozen(), cast("TableFormat", self._format.value())

        def write_table() -> None:
            save_table(path, make(), kind)

        return write_table

    def as_text(self) -> str:
        """Return the table for the clipboard, with tabs, or raise `ExportError`."""
        if self.what() == "model":
            raise ExportError("A model is not text; save it as a file.")
        table = self.table()
        rows, columns = table.shape
        if rows * columns > MOST_COPIED:
            raise ExportError(
                f"{rows:,} × {columns:,} cells are too many for the clipboard; save "
                "them as a file."
            )
        lines = ["\t".join(_clean(name) for name, _ in table.columns)]
        cells = [_texts(values) for _, values in table.columns]
        lines += ["\t".join(row) for row in zip(*cells, strict=True)]
        return "\n".join(lines) + "\n"

    @Slot()
    def refresh(self) -> None:
        """Show how the table begins."""
        self._show_dependent()
        self._table.clear()
        self._table.setRowCount(0)
        self._table.setColumnCount(0)
        try:
            self._note.setText(self._show_table())
        except KpcaError as error:
            self._note.setText(str(error))
        self.choice_changed.emit()

    def _frozen(self) -> Callable[[], ExportTable]:
        """Return what makes the table that is chosen now, on any thread."""
        content, what = self._content, self.what()
        if content is None:
            raise ExportError("There is no result yet; wait until it is there.")
        result, selection = content.result, content.selection
        notes = content.document.notes
        names, points = dict(notes.row_names), notes.new_points
        only = self._rows.value() == "selected"
        features, centred = self._features.isChecked(), self._centred.value()
        odd = self._odd.isChecked()

        def make() -> ExportTable:
            if what == "eigenvalues":
                return eigenvalues(result)
            if what == "matrix":
                return kernel_matrix(
                    result, selection, centred=centred == "centred", only_selected=only
                )
            measured = add_row_values(result, content.stages) if odd else result
            return coordinates(
                with_points(measured, points),
                selection,
                names=names,
                features=features,
                only_selected=only,
                odd=odd,
            )

        return make

    def _show_table(self) -> str:
        content = self._content
        if content is None:
            return ""
        result = content.result
        if self.what() == "model":
            words = (
                "Kernel, training points and everything that was fitted, without "
                "pickle. In Python: "
            )
            if result.dataset.kind != "points":
                return f"{words}KernelPCA.load(…).transform(new points)."
            return (
                f"{words}kpca_viewer.load(…).transform(raw rows). Rows of a file are "
                "prepared and projected by: "
                "kpca-viewer embed new.csv --onto MODEL --out coordinates.csv"
            )
        if self.what() == "matrix":
            count = result.dataset.n
            if self._rows.value() == "selected":
                count = content.selected
            words = f"{count:,} × {count:,} numbers with the names of their rows."
            centred = self._centred.value() == "centred"
            needed = result.dataset.n if centred else count
            # A preview is not worth a second's work; a refusal is.
            if MOST_SHOWN < needed <= LARGEST_MATRIX:
                return words
            self._fill(self.table())
            return words
        missing = not result.row_values()
        if self._odd.isChecked() and missing and result.dataset.n > AT_ONCE:
            return (
                f"{result.dataset.n:,} rows; cos², T² and SPE are measured when the "
                "file is written."
            )
        table = self.table()
        self._fill(table)
        rows, columns = table.shape
        return f"{rows:,} rows × {columns:,} columns"

    def _fill(self, table: ExportTable) -> None:
        rows, columns = min(table.rows, _SHOWN[0]), min(table.shape[1], _SHOWN[1])
        self._table.setRowCount(rows)
        self._table.setColumnCount(columns)
        for j, (name, values) in enumerate(table.columns[:columns]):
            head = QTableWidgetItem(" ".join(name.split()))
            self._table.setHorizontalHeaderItem(j, head)
            for i in range(rows):
                item = QTableWidgetItem(_cell(values[i]))
                if not isinstance(values, tuple):
                    item.setTextAlignment(
                        Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    )
                self._table.setItem(i, j, item)
        self._table.resizeColumnsToContents()
        for j in range(columns):
            self._table.setColumnWidth(j, min(self._table.columnWidth(j), 160))

    def _show_dependent(self) -> None:
        what = self.what()
        self._lines["Rows"].setVisible(what in ("coordinates", "matrix"))
        self._lines["Matrix"].setVisible(what == "matrix")
        self._lines["With"].setVisible(what == "coordinates")
        self._lines["Odd"].setVisible(what == "coordinates")
        self._lines["Format"].setVisible(what != "model")
        self._table.setVisible(what != "model")
        points = self._content is None or self._content.result.dataset.kind == "points"
        self._features.setEnabled(points)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(8)
        rows = (
            ("What", self._what),
            ("Rows", self._rows),
            ("Matrix", self._centred),
            ("With", self._features),
            ("Odd", self._odd),
            ("Format", self._format),
        )
        # A switch says itself what it does.
        said = ("With", "Odd")
        shown = [("" if key in said else key, (widget,)) for key, widget in rows]
        self._lines = dict(
            zip((key for key, _ in rows), add_lines(layout, shown), strict=True)
        )
        layout.addWidget(self._note)
        layout.addWidget(self._table, 1)
        layout.addStretch(0)


def _cell(value: Any) -> str:
    """Return a cell as a person reads it; the file has all digits."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, int | np.integer):
        return str(value)
    return ungrouped(float(value), 6)


def _clean(text: str) -> str:
    return neutralised(" ".join(text.split()))


def _texts(values: Any) -> list[str]:
    if isinstance(values, tuple):
        return [_clean(text) for text in values]
    if values.dtype == bool:
        values = values.astype(np.int64)
    return [repr(value) for value in values.tolist()]
