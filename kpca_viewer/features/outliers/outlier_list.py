"""The rows to look at first: a list with numbers and the columns behind them."""

from string import Template
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from kpca_viewer.features.outliers.compute import OddList, OddRow
from kpca_viewer.features.outliers.text import cause_sentence, cause_text, oddness_text
from kpca_viewer.support.numerals import fixed, ungrouped
from kpca_viewer.widgets.controls.behaviour import LetterGuard, plain_tip
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

Index = QModelIndex | QPersistentModelIndex

_LINE = 24
_SHEET = Template("""
QHeaderView::section { padding: 2px 8px; }
QTableView::item { padding: 0 6px; }
QTableView::item:hover { background: transparent; }
QTableView::item:selected { background: transparent; color: $text; }
QTableView {
    outline: none; border: none;
    selection-background-color: transparent; selection-color: $text;
}
QAbstractScrollArea::corner { background: transparent; border: none; }
""")
_WIDEST = 150
"""Pixels of the names of rows, which can be cut."""
_LONGEST = 24
"""Characters of a column's name among the causes: numbers behind it are never cut."""
_SIDEWAYS = {Qt.Key.Key_Left: -60, Qt.Key.Key_Right: 60}
"""Pixels that a key shifts the list by."""
_NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WORDS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class OddListModel(QAbstractTableModel):
    """The list as a table: row, times its limit, columns, and the numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._listed: OddList | None = None
        self._names: dict[int, str] = {}

    def set_list(self, listed: OddList | None, names: dict[int, str]) -> None:
        """Show another list, of rows with these names."""
        self.beginResetModel()
        self._listed, self._names = listed, names
        self.endResetModel()

    @property
    def rows(self) -> tuple[OddRow, ...]:
        return () if self._listed is None else self._listed.rows

    @property
    def titles(self) -> list[str]:
        known = [] if self._listed is None else self._listed.of.known()
        return ["row", "×", "columns", *(n.symbol for n, _ in known)]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.titles)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not self.hasIndex(index.row(), index.column()):
            return None
        assert self._listed is not None
        each, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(each, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _WORDS if column in (0, 2) else _NUMBERS
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [self._names[each.row], oddness_text(self._listed.of, each.row)]
            lines += map(cause_sentence, each.causes)
            return plain_tip("\n".join(lines))
        return None

    def _text(self, each: OddRow, column: int) -> str:
        assert self._listed is not None
        if column == 0:
            return self._names[each.row]
        if column == 1:
            return fixed(each.oddness, 2 if each.oddness < 100 else 0)
        if column == 2:
            return ", ".join(cause_text(c, _LONGEST) for c in each.causes) or "–"
        values = self._listed.of.known()[column - 3][1]
        return ungrouped(float(values[each.row]), 3)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        known = range(len(self.titles))
        if orientation != Qt.Orientation.Horizontal or section not in known:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _WORDS if section in (0, 2) else _NUMBERS
        if role == Qt.ItemDataRole.ToolTipRole:
            tips = (
                "Name of the row, or its number",
                "T² or SPE divided by its limit, whichever is more",
                "Columns that make it odd: how far from the median, in standard "
                "deviations, and how much less odd the row is with the median instead",
            )
            return tips[section] if section < len(tips) else None
        return None


class _Cells(QStyledItemDelegate):
    """Paints hovered and selected rows on a soft background."""

    def __init__(self, parent: "OddListTable") -> None:
        super().__init__(parent)
        self._table = parent

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        color = self._table.ground(index.row())
        if color is not None:
            painter.fillRect(option.rect, color)
        super().paint(painter, option, index)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Cut long names in their middle: often they differ at their ends."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


class OddListTable(QTableView):
    """Shows the list; setters never emit.

    A click selects a row everywhere, Shift and Ctrl select more; Ctrl+C copies.
    """

    row_hovered = Signal(object)
    """A row of the data or a new one, or None."""
    rows_chosen = Signal(object)
    """Rows (m,) that the person has marked."""
    copy_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("odd_list")
        self.setAccessibleName("Rows to look at first")
        self._by_hand = False
        self._listing = OddListModel()
        self.setModel(self._listing)
        self.setItemDelegate(_Cells(self))
        LetterGuard(self)
        self._theme = LIGHT
        self._hovered: int | None = None
        self._selected: Mask | None = None
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        lines = self.verticalHeader()
        lines.hide()
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        lines.setDefaultSectionSize(_LINE)
        self.horizontalHeader().setHighlightSections(False)
        self.set_theme(LIGHT)
        self.entered.connect(self._on_entered)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    @property
    def listed(self) -> tuple[OddRow, ...]:
        return self._listing.rows

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setStyleSheet(_SHEET.substitute(text=theme.text))
        self.verticalHeader().setDefaultSectionSize(round(_LINE * type_scale()))
        self.viewport().update()

    def show_list(self, listed: OddList | None, names: dict[int, str]) -> None:
        """Show another list, of rows with these names; None for none."""
        self._listing.set_list(listed, names)
        self._fit()

    def set_hovered(self, row: int | None) -> None:
        """Light up a row."""
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    def set_selected(self, mask: Mask | None) -> None:
        """Mark the rows that are selected everywhere."""
        self._selected = mask
        chosen = set() if mask is None else set(np.flatnonzero(mask).tolist())
        if set(self._marked()) != chosen:
            # Others than those that the person has marked here.
            self.clearSelection()
        self.viewport().update()

    def ground(self, line: int) -> QColor | None:
        """Return the colour behind a line; None for that of the card."""
        row = self.listed[line].row
        chosen = self._selected
        color = QColor(self._theme.accent)
        if chosen is not None and row < len(chosen) and chosen[row]:
            color.setAlphaF(0.3)
        elif row == self._hovered:
            color.setAlphaF(0.18)
        else:
            return None
        return color

    def _fit(self) -> None:
        self.resizeColumnsToContents()
        header, most = self.horizontalHeader(), round(_WIDEST * type_scale())
        if header.sectionSize(0) > most:
            header.resizeSection(0, most)

    def _row_at(self, index: QModelIndex) -> int | None:
        return self.listed[index.row()].row if index.isValid() else None

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        self.row_hovered.emit(self._row_at(index))

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        # An invalid one comes from new contents, not from a person.
        if index.isValid():
            self.row_hovered.emit(self._row_at(index))

    def selectionChanged(
        self, selected: QItemSelection, deselected: QItemSelection
    ) -> None:
        """Report what the person marks."""
        super().selectionChanged(selected, deselected)
        if self._by_hand:
            self._tell_chosen()

    def _marked(self) -> list[int]:
        lines = {index.row() for index in self.selectionModel().selectedRows()}
        return [self.listed[line].row for line in sorted(lines)]

    def _tell_chosen(self) -> None:
        self.rows_chosen.emit(np.array(self._marked(), dtype=np.int64))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_hand = event.button() == Qt.MouseButton.LeftButton
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._by_hand = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, select or shift the list; arrows alone only look around."""
        key, shift = event.key(), Qt.KeyboardModifier.ShiftModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._tell_chosen()
            return
        if key in _SIDEWAYS:
            across = self.horizontalScrollBar()
            across.setValue(across.value() + _SIDEWAYS[Qt.Key(key)])
            return
        self._by_hand = bool(event.modifiers() & shift)
        super().keyPressEvent(event)
        self._by_hand = False

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a line into sight; sideways the list stays where it is."""
        across = self.horizontalScrollBar()
        before = across.value()
        super().scrollTo(index, hint)
        across.setValue(before)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell when the mouse has left."""
        if event.type() == QEvent.Type.Leave:
            self.row_hovered.emit(None)
        return super().viewportEvent(event)
