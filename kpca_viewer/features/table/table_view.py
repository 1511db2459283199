"""The numbers behind the points: all rows, or those that are selected."""

from collections.abc import Callable, Mapping
from string import Template

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.table.cells import THUMBNAIL, CellTable, RowCells
from kpca_viewer.features.table.columns import ColumnWidths
from kpca_viewer.features.table.model import NAME, Rows, TableModel
from kpca_viewer.widgets.controls import ElidedLabel, FindField
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.theme import LIGHT, Theme

# Qt draws the arrow of a sorted column over the end of its title, unless there is room;
# the cells keep the same distance, so that titles and numbers end at one line.
_SHEET = Template("""
QHeaderView::section { padding: 4px 18px 4px 8px; }
QTableView::item { padding: 0 15px 0 5px; }
QTableView::item:focus { border: 1px solid $accent; padding: 0 14px 0 4px; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QTableView {
    outline: none; border: none; border-top: 1px solid $border; border-radius: 0;
}
""")
_LINE = 26
_AT_ONCE = 20_000
_PAUSE = 150
"""Rows that are searched with every letter; more wait for so many milliseconds."""


class TableView(QWidget):
    """A table of the selected rows with all their values; of all rows without any.

    A click on a header sorts, a third one restores the order of the data. Rows that
    are clicked or dragged over are selected everywhere. Setters never emit.
    """

    hovered = Signal(object)
    """Row of the data under mouse or keyboard, or None."""
    row_activated = Signal(object)
    """Row of the data that was double-clicked, or chosen with Enter."""
    name_requested = Signal(object, object)
    """Row of the data, and the name that the person wants for it."""
    value_requested = Signal(object, object, object)
    """Row of the data, number of a feature (None for the class), and what was typed."""
    edit_refused = Signal()
    """A key was typed into a cell of data that cannot be edited."""
    rows_chosen = Signal(object)
    """Mask of shape (n,) of the rows that the person has marked here."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("table_view")
        self.setAccessibleName("Table of the rows")
        self._hovered: int | None = None
        self._told: int | None = None
        self._awaited: AnalysisResult | None = None
        self._own: Mask | None = None
        self._titles: list[str] = []
        self._fitted = 0
        self.model = TableModel(self)
        self.table = CellTable()
        self.table.setObjectName("table_cells")
        self.table.setAccessibleName("Rows")
        self.table.setModel(self.model)
        self._widths = ColumnWidths(self.table, self.model)
        self._cells = RowCells(self.table)
        self.table.setItemDelegate(self._cells)
        self._caption = ElidedLabel()
        self._caption.setObjectName("table_caption")
        self._caption.setProperty("role", "caption")
        self._caption.setContentsMargins(8, 4, 8, 4)
        self._empty = QLabel("No rows yet")
        self._empty.setObjectName("table_empty")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._find = FindField("table_filter", "Find rows or columns")
        self._find.setToolTip(
            "Show the rows in which a word holds this, and the columns whose name does."
        )
        self._find.textChanged.connect(self._on_text_changed)
        self._find.left.connect(self.table.setFocus)
        self._waits = QTimer(self, singleShot=True, interval=_PAUSE)
        self._waits.timeout.connect(self._look)
        filled = QWidget()
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 8, 4)
        line.addWidget(self._caption, 1)
        line.addWidget(self._find)
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(self.table)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(filled)
        self._set_up_table()
        self.set_theme(LIGHT)

    def _set_up_table(self) -> None:
        table = self.table
        table.setMouseTracking(True)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setFrameShape(QTableView.Shape.NoFrame)
        lines = table.verticalHeader()
        lines.hide()
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        lines.setDefaultSectionSize(_LINE)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.entered.connect(lambda index: self._tell(self._row_of(index)))
        table.type_changed.connect(self._widths.follow_type)
        table.left.connect(lambda: self._tell(None))
        table.lines_marked.connect(self._on_lines_marked)
        table.activated.connect(
            lambda index: self.row_activated.emit(self._row_of(index))
        )
        self.model.modelReset.connect(self._on_model_reset)
        self.model.name_requested.connect(self.name_requested)
        self.model.value_requested.connect(self.value_requested)
        table.edit_refused.connect(self.edit_refused)
        table.editor_closed.connect(self._on_editor_closed)
        table.selectionModel().currentChanged.connect(self._on_current_changed)

    def set_theme(self, theme: Theme) -> None:
        self.model.set_theme(theme)
        soft = QColor(theme.accent)
        soft.setAlphaF(0.18)
        self._cells.color = soft
        chosen = QColor(theme.accent)
        chosen.setAlphaF(0.3)
        self._cells.chosen_color = chosen
        self._cells.hint = QColor(theme.muted)
        self.table.setStyleSheet(
            _SHEET.substitute(accent=theme.accent, border=theme.border)
        )

    def show_result(self, result: AnalysisResult) -> None:
        """Show the rows of a result; typing is not interrupted."""
        if self.table.state() == QAbstractItemView.State.EditingState:
            self._awaited = result
            return
        current = self.table.currentIndex()
        at = current.row(), current.column()
        top = self.table.verticalScrollBar().value()
        across = self.table.horizontalScrollBar().value()
        self.model.set_result(result)
        titles = [column.title for column in self.model.columns]
        if titles != self._titles:
            self._titles = titles
            self._widths.fit()
        else:
            if self.model.total + self.model.new_count != self._fitted:
                self._widths.fit_column(0)
            more = len(result.row_values())
            self._widths.widen_scores(result.scores.shape[1] + more)
            # New scores of the same rows: the place that was read stays.
            self.table.verticalScrollBar().setValue(top)
            self.table.horizontalScrollBar().setValue(across)
            self._return_to(*at)
        self._fitted = self.model.total + self.model.new_count
        self._show_order()
        self._stack.setCurrentIndex(1)

    def _show_order(self) -> None:
        header = self.table.horizontalHeader()
        with QSignalBlocker(header):
            header.setSortIndicator(*self.model.sorted_by)

    def set_thumbnails(self, thumbnail: Callable[[int], QPixmap] | None) -> None:
        """Show every row as a picture beside its number; None shows numbers alone."""
        had, self._cells.thumbnail = self._cells.thumbnail is not None, thumbnail
        if had != (thumbnail is not None):
            pictured = thumbnail is not None
            self.table.verticalHeader().setDefaultSectionSize(
                THUMBNAIL + 6 if pictured else _LINE
            )
            self._widths.beside_rows = THUMBNAIL + 8 if pictured else 0
            if self.model.columns:
                self._widths.fit_column(0)
        self.table.viewport().update()

    def _return_to(self, line: int, column: int) -> None:
        """Bring the keys back to a cell, which new contents have lost."""
        index = self.model.index(line, column)
        if index.isValid() and self.table.hasFocus():
            self._told = self._row_of(index)
            self.table.setCurrentIndex(index)

    @Slot()
    def _on_editor_closed(self) -> None:
        awaited, self._awaited = self._awaited, None
        if awaited is not None:
            QTimer.singleShot(0, self, lambda: self.show_result(awaited))

    def show_nothing(self) -> None:
        self._stack.setCurrentIndex(0)

    def set_selected(self, mask: ArrayLike | None) -> None:
        """Show the rows of a mask (n,), and those marked here; all if it is empty."""
        chosen = None if mask is None else np.asarray(mask, dtype=bool)
        if chosen is not None and chosen.shape != (self.model.total,):
            # Of data that are gone.
            chosen = None
        own = self._own
        if chosen is None or own is None or not np.array_equal(chosen, own):
            self._own = None
            self.table.clearSelection()
            self.model.set_chosen(chosen)
        self._cells.chosen = self._own
        self._show_caption()
        self.table.viewport().update()

    def set_hidden(self, mask: Mask | None) -> None:
        self.model.set_hidden(mask)
        self._show_caption()
        self.table.viewport().update()

    def set_names(self, names: Mapping[int, str]) -> None:
        self.model.set_names(names)
        if self.model.columns:
            self._widths.fit_column(NAME)

    def set_hovered(self, row: int | None) -> None:
        """Light up a row of the data, if it is in the table."""
        self._hovered = row
        self._show_hovered()

    def caption(self) -> str:
        return self._caption.text()

    def _show_hovered(self) -> None:
        line = self.model.place_of(self._hovered)
        if line != self._cells.line:
            self._cells.line = line
            self.table.viewport().update()

    def _tell(self, row: int | None) -> None:
        if row != self._told:
            self._told = row
            self.hovered.emit(row)

    def _row_of(self, index: QModelIndex) -> int | None:
        return int(self.model.rows[index.row()]) if index.isValid() else None

    @Slot()
    def _on_text_changed(self) -> None:
        if self.model.total > _AT_ONCE:
            self._waits.start()
        else:
            self._look()

    @Slot()
    def _look(self) -> None:
        """Show what was found; all rows and columns where nothing is looked for."""
        columns = self.model.columns
        self.model.set_filter(self._find.text())
        if self.model.columns is not columns:
            self._widths.fit()
        self._show_order()

    @Slot(object)
    def _on_lines_marked(self, lines: Rows) -> None:
        rows = self.model.rows[lines]
        mask = np.zeros(self.model.total, dtype=bool)
        # A selection is one of rows of the data.
        mask[rows[rows < len(mask)]] = True
        self._own = mask
        self.rows_chosen.emit(mask)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        # An invalid one comes from new contents, not from a person.
        if index.isValid():
            self._tell(self._row_of(index))

    @Slot()
    def _on_model_reset(self) -> None:
        self._told = None
        self._show_hovered()
        self._show_caption()

    def _found_text(self) -> str:
        counts = self.model.found_counts
        if counts is None:
            return ""
        rows, columns, every = counts
        if not rows:
            return "Nothing is called so"
        text = f"{rows:,} of {self.model.total:,} rows"
        return text + (f", {columns:,} of {every:,} columns" if columns else "")

    def _show_caption(self) -> None:
        chosen, total = self.model.chosen_count, self.model.total
        if self._own is not None:
            text = f"{int(self._own.sum()):,} of {total:,} rows selected"
        elif chosen is None:
            text = f"All {total:,} rows" if total != 1 else "The only row"
            if self.model.new_count:
                text += f", and {self.model.new_count:,} new"
        else:
            text = f"{chosen:,} selected of {total:,} rows"
        if self.model.typed_into:
            text += "; double-click a value to type"
        text = self._found_text() or text
        hidden = self.model.hidden_count
        if hidden:
            text += f", {hidden:,} of them hidden"
        self._caption.set_text(text)
