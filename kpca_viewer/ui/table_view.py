"""The numbers behind the points: all rows, or those that are selected."""

from collections.abc import Mapping
from string import Template

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.session.notes import LONGEST_NAME
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.ui.controls import ElidedLabel
from kpca_viewer.ui.table_model import NAME, TableModel
from kpca_viewer.ui.theme import LIGHT, Theme

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
_NARROWEST, _WIDEST, _BESIDE = 24, 220, 32
_WIDTH_SAMPLES = 50


class _Cells(QStyledItemDelegate):
    """Paints cells, with the hovered row on a soft background."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.line: int | None = None
        self.color = QColor()
        self.hint = QColor()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        if index.row() == self.line:
            painter.fillRect(option.rect, self.color)
            if index.column() == NAME and not index.data():
                # Where a name can be typed, shown where the person looks.
                painter.setPen(self.hint)
                inner = option.rect.adjusted(8, 0, -4, 0)
                painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, "name…")
        super().paint(painter, option, index)

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        editor = super().createEditor(parent, option, index)
        if isinstance(editor, QLineEdit):
            editor.setObjectName("row_name_field")
            editor.setAccessibleName("Name of the row")
            editor.setToolTip("Enter keeps the name, Escape leaves it as it was")
            editor.setMaxLength(LONGEST_NAME)
            editor.setFrame(False)
        return editor


class _Table(QTableView):
    """A table that copies as text and knows when the mouse has left."""

    left = Signal()

    def copy(self) -> None:
        """Put the marked cells onto the clipboard, with tabs between them."""
        model = self.model()
        ranges = self.selectionModel().selection().toList()
        if not isinstance(model, TableModel) or not ranges:
            return
        rows = np.unique(
            np.concatenate([np.arange(r.top(), r.bottom() + 1) for r in ranges])
        )
        columns = sorted({c for r in ranges for c in range(r.left(), r.right() + 1)})
        cells = model.copied(rows.astype(np.intp), columns)
        if len(ranges) > 1:
            marked = np.zeros((len(rows), len(columns)), dtype=bool)
            for r in ranges:
                top, bottom = np.searchsorted(rows, (r.top(), r.bottom()))
                left, right = columns.index(r.left()), columns.index(r.right())
                marked[top : bottom + 1, left : right + 1] = True
            for i, j in np.argwhere(~marked):
                cells[i][j] = ""
        QGuiApplication.clipboard().setText("\n".join("\t".join(c) for c in cells))

    def names_row(self, event: QKeyEvent) -> bool:
        """Whether a key is the first letter of a name for the current row."""
        plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        text = event.text()
        return (
            self.currentIndex().column() == NAME
            and self.state() != QAbstractItemView.State.EditingState
            and not event.modifiers() & ~plain
            and text.isprintable()
            and bool(text.strip())
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # On a name, letters and digits are a name and no shortcut of the window.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self.names_row(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def closeEditor(
        self, editor: QWidget, hint: QStyledItemDelegate.EndEditHint
    ) -> None:
        """Go on with the row below after Enter, as spreadsheets do."""
        line = self.currentIndex()
        super().closeEditor(editor, hint)
        if hint == QStyledItemDelegate.EndEditHint.SubmitModelCache:
            below = line.siblingAtRow(line.row() + 1)
            if below.isValid():
                self.setCurrentIndex(below)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.left.emit()
        return super().viewportEvent(event)


class TableView(QWidget):
    """A table of the selected rows with all their values; of all rows without any.

    A click on a header sorts, a third one restores the order of the data. Setters
    never emit.
    """

    hovered = Signal(object)
    """Row of the data under mouse or keyboard, or None."""
    row_activated = Signal(object)
    """Row of the data that was double-clicked, or chosen with Enter."""
    name_wished = Signal(object, object)
    """Row of the data, and the name that the person wants for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("table_view")
        self.setAccessibleName("Table of the rows")
        self._theme = LIGHT
        self._hovered: int | None = None
        self._told: int | None = None
        self._titles: list[str] = []
        self.model = TableModel(self)
        self.table = _Table()
        self.table.setObjectName("table_cells")
        self.table.setAccessibleName("Rows")
        self.table.setModel(self.model)
        self._cells = _Cells(self.table)
        self.table.setItemDelegate(self._cells)
        self._caption = ElidedLabel()
        self._caption.setObjectName("table_caption")
        self._caption.setProperty("role", "caption")
        self._caption.setContentsMargins(8, 4, 8, 4)
        self._empty = QLabel("No rows yet")
        self._empty.setObjectName("table_empty")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._caption)
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
        table.entered.connect(self._on_table_entered)
        table.left.connect(self._on_table_left)
        table.activated.connect(self._on_table_activated)
        self.model.modelReset.connect(self._on_model_reset)
        self.model.name_wished.connect(self.name_wished)
        table.selectionModel().currentChanged.connect(self._on_current_changed)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.model.set_theme(theme)
        soft = QColor(theme.accent)
        soft.setAlphaF(0.18)
        self._cells.color = soft
        self._cells.hint = QColor(theme.muted)
        self.table.setStyleSheet(
            _SHEET.substitute(accent=theme.accent, border=theme.border)
        )

    def show_result(self, result: AnalysisResult) -> None:
        """Show the rows of a result."""
        top = self.table.verticalScrollBar().value()
        across = self.table.horizontalScrollBar().value()
        self.model.set_result(result)
        titles = [column.title for column in self.model.columns]
        if titles != self._titles:
            self._titles = titles
            self._fit_columns()
        else:
            # New scores of the same rows: whoever was reading goes on reading there.
            self.table.verticalScrollBar().setValue(top)
            self.table.horizontalScrollBar().setValue(across)
        header = self.table.horizontalHeader()
        blocked = header.blockSignals(True)
        header.setSortIndicator(*self.model.sorted_by)
        header.blockSignals(blocked)
        self._stack.setCurrentIndex(1)

    def set_selected(self, mask: ArrayLike | None) -> None:
        """Show the rows of a mask (n,); None, or a mask of nothing, shows all."""
        chosen = None if mask is None else np.asarray(mask, dtype=bool)
        if chosen is not None and chosen.shape != (self.model.total,):
            # Of data that are gone.
            chosen = None
        self.model.set_chosen(chosen)

    def set_names(self, names: Mapping[int, str]) -> None:
        """Show the names that a person gave to rows of the data."""
        self.model.set_names(names)
        if self.model.columns:
            self._fit_column(NAME)

    def set_hovered(self, row: int | None) -> None:
        """Light up a row of the data, if it is in the table."""
        self._hovered = row
        self._show_hovered()

    def caption(self) -> str:
        """Return what is said above the table."""
        return self._caption.text()

    def _show_hovered(self) -> None:
        line = self.model.place_of(self._hovered)
        if line != self._cells.line:
            self._cells.line = line
            self.table.viewport().update()

    def _fit_columns(self) -> None:
        """Choose widths from the titles and the first rows."""
        for column in range(len(self.model.columns)):
            self._fit_column(column)

    def _fit_column(self, column: int) -> None:
        metrics, what = self.table.fontMetrics(), self.model.columns[column]
        texts = [
            self.model.index(line, column).data() or ""
            for line in range(min(_WIDTH_SAMPLES, self.model.rowCount()))
        ]
        if what.kind == "number":
            texts.append("−0.00000")
        elif what.kind == "label":
            texts += self.model.label_names[:_WIDTH_SAMPLES]
        elif what.kind == "name":
            texts += self.model.given_names[:_WIDTH_SAMPLES]
        swatch = 24 if what.kind == "label" else 0
        cells = max(metrics.horizontalAdvance(text) for text in texts) + swatch
        title = metrics.horizontalAdvance(what.title)
        width = min(max(cells, title, _NARROWEST) + _BESIDE, _WIDEST)
        self.table.horizontalHeader().resizeSection(column, width)

    def _tell(self, row: int | None) -> None:
        if row != self._told:
            self._told = row
            self.hovered.emit(row)

    def _row_of(self, index: QModelIndex) -> int | None:
        return int(self.model.rows[index.row()]) if index.isValid() else None

    @Slot(QModelIndex)
    def _on_table_entered(self, index: QModelIndex) -> None:
        self._tell(self._row_of(index))

    @Slot()
    def _on_table_left(self) -> None:
        self._tell(None)

    @Slot(QModelIndex)
    def _on_table_activated(self, index: QModelIndex) -> None:
        self.row_activated.emit(self._row_of(index))

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        # An invalid one comes from new contents, not from a person.
        if index.isValid():
            self._tell(self._row_of(index))

    @Slot()
    def _on_model_reset(self) -> None:
        self._told = None
        self._show_hovered()
        chosen, total = self.model.chosen_count, self.model.total
        if chosen is None:
            text = f"All {total:,} rows" if total != 1 else "The only row"
        else:
            text = f"{chosen:,} selected of {total:,} rows"
        self._caption.set_text(text)
