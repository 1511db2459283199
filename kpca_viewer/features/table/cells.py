"""The cells of the table of rows: how they are painted, copied, named and marked."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from kpca_viewer.engine.notes import LONGEST_NAME
from kpca_viewer.features.table.model import NAME, TableModel
from kpca_viewer.widgets.controls.behaviour import LetterGuard
from kpca_viewer.widgets.plots.linking import Mask

THUMBNAIL = 28
"""Pixels of the picture of a row, in its longer direction."""

_TYPE_CHANGES = (QEvent.Type.FontChange, QEvent.Type.StyleChange)


class RowCells(QStyledItemDelegate):
    """Paints cells, with hovered and selected rows on a soft background."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.line: int | None = None
        self.color = QColor()
        self.chosen: Mask | None = None
        self.chosen_color = QColor()
        self.hint = QColor()
        self.thumbnail: Callable[[int], QPixmap] | None = None

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        model = index.model()
        if self.chosen is not None and isinstance(model, TableModel):
            row = int(model.rows[index.row()])
            if row < len(self.chosen) and self.chosen[row]:
                painter.fillRect(option.rect, self.chosen_color)
        if index.row() == self.line:
            painter.fillRect(option.rect, self.color)
            if index.column() == NAME and not index.data():
                # Where a name can be typed, shown where the person looks.
                painter.setPen(self.hint)
                inner = option.rect.adjusted(8, 0, -4, 0)
                painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, "name…")
        super().paint(painter, option, index)

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Give a number fewer digits where it has no room, never half an exponent."""
        super().initStyleOption(option, index)
        model = index.model()
        if not isinstance(model, TableModel):
            return
        if self.thumbnail is not None and index.column() == 0:
            option.icon = QIcon(self.thumbnail(int(model.rows[index.row()])))
            option.decorationSize = QSize(THUMBNAIL, THUMBNAIL)
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
        if model.columns[index.column()].kind == "number":
            room = option.rect.width() - TitleHeader.PADDING
            wide = option.fontMetrics.horizontalAdvance
            if room > 0 and wide(option.text) > room:
                texts = model.shorter_numbers(index)
                option.text = next((t for t in texts if wide(t) <= room), "…")

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        editor = super().createEditor(parent, option, index)
        if isinstance(editor, QLineEdit) and index.column() != NAME:
            editor.setObjectName("cell_field")
            editor.setAccessibleName("Value of the row")
            editor.setToolTip("Enter moves the point, Escape leaves it where it was")
            editor.setFrame(False)
        elif isinstance(editor, QLineEdit):
            editor.setObjectName("row_name_field")
            editor.setAccessibleName("Name of the row")
            editor.setToolTip("Enter keeps the name, Escape leaves it as it was")
            editor.setMaxLength(LONGEST_NAME)
            editor.setFrame(False)
        return editor


class TitleHeader(QHeaderView):
    """A header that shortens titles to what the style sheet leaves of a section."""

    PADDING = 28
    """Pixels left and right of a title, with the arrow of a sorted column."""

    type_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _TYPE_CHANGES:
            self.type_changed.emit()

    def shown_title(self, section: int) -> str:
        title = self.model().headerData(section, Qt.Orientation.Horizontal) or ""
        room = self.sectionSize(section) - self.PADDING
        return self.fontMetrics().elidedText(
            str(title), Qt.TextElideMode.ElideMiddle, room
        )

    def initStyleOptionForIndex(
        self, option: QStyleOptionHeader, logicalIndex: int
    ) -> None:
        """Qt shortens by the width of the section alone and then cuts letters."""
        super().initStyleOptionForIndex(option, logicalIndex)
        option.text = self.shown_title(logicalIndex)
        # Fusion points down for ascending, where everyone else points up.
        arrow = QStyleOptionHeader.SortIndicator
        swapped = {arrow.SortUp: arrow.SortDown, arrow.SortDown: arrow.SortUp}
        option.sortIndicator = swapped.get(option.sortIndicator, arrow.None_)


class CellTable(QTableView):
    """A table that copies as text and reports what the person marks."""

    left = Signal()
    type_changed = Signal()
    edit_refused = Signal()
    """A key was typed into a cell that cannot be edited."""
    editor_closed = Signal()
    lines_marked = Signal(object)
    """Lines (m,) in which the person has marked cells."""

    def __init__(self) -> None:
        super().__init__()
        self._by_hand = False
        LetterGuard(self)
        header = TitleHeader(self)
        header.type_changed.connect(self.type_changed)
        self.setHorizontalHeader(header)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _TYPE_CHANGES:
            self.type_changed.emit()

    def selectionChanged(
        self, selected: QItemSelection, deselected: QItemSelection
    ) -> None:
        """Report what the person marks; what code marks is known already."""
        super().selectionChanged(selected, deselected)
        if self._by_hand:
            self.lines_marked.emit(self._marked_lines())

    def _marked_lines(self) -> NDArray[np.intp]:
        ranges = self.selectionModel().selection().toList()
        lines = [np.arange(r.top(), r.bottom() + 1) for r in ranges]
        return np.unique(np.concatenate([np.empty(0, np.intp), *lines]))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Mark rows, but not where a click is for typing a name."""
        naming = self.indexAt(event.position().toPoint()).column() == NAME
        extending = event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        )
        left = event.button() == Qt.MouseButton.LeftButton
        self._by_hand = left and (not naming or bool(extending))
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._by_hand = False

    def copy(self) -> None:
        model = self.model()
        ranges = self.selectionModel().selection().toList()
        if not isinstance(model, TableModel) or not ranges:
            return
        rows = self._marked_lines()
        columns = sorted({c for r in ranges for c in range(r.left(), r.right() + 1)})
        cells = model.copied(rows, columns)
        if len(ranges) > 1:
            marked = np.zeros((len(rows), len(columns)), dtype=bool)
            for r in ranges:
                top, bottom = np.searchsorted(rows, (r.top(), r.bottom()))
                left, right = columns.index(r.left()), columns.index(r.right())
                marked[top : bottom + 1, left : right + 1] = True
            for i, j in np.argwhere(~marked):
                cells[i][j] = ""
        QGuiApplication.clipboard().setText("\n".join("\t".join(c) for c in cells))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Type into a cell, or hear why not."""
        super().mouseDoubleClickEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._refuse_at(self.indexAt(event.position().toPoint()))

    def _refuse_at(self, index: QModelIndex) -> None:
        model = self.model()
        if isinstance(model, TableModel) and model.is_fixed(index):
            self.edit_refused.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, mark, or leave the key to the table."""
        if event.key() == Qt.Key.Key_F2:
            self._refuse_at(self.currentIndex())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        # Arrows alone only look around; with Shift they mark, as Space does.
        shift = Qt.KeyboardModifier.ShiftModifier
        self._by_hand = bool(event.modifiers() & shift) or _is_space(event)
        if _is_space(event) and self.state() != QAbstractItemView.State.EditingState:
            self.lines_marked.emit(self._marked_lines())
        super().keyPressEvent(event)
        self._by_hand = False

    def closeEditor(
        self, editor: QWidget, hint: QStyledItemDelegate.EndEditHint
    ) -> None:
        """Go on with the row below after Enter, as spreadsheets do."""
        line = self.currentIndex()
        super().closeEditor(editor, hint)
        self.editor_closed.emit()
        if hint == QStyledItemDelegate.EndEditHint.SubmitModelCache:
            below = line.siblingAtRow(line.row() + 1)
            if below.isValid():
                self.setCurrentIndex(below)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.left.emit()
        return super().viewportEvent(event)


def _is_space(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Space
