"""The columns at a place beside those of the nearest row."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget
from PySide6.QtWidgets import QTableWidgetItem as Item

from kpca_viewer.features.preimage.text import ComparedColumn
from kpca_viewer.support.numerals import data_value, fixed
from kpca_viewer.widgets.controls.plain_tip import plain_tip
from kpca_viewer.widgets.controls.wheel import LetterGuard

HEADS = ("Column", "Here", "Row", "Apart")
TIPS = (
    "The columns that differ most come first.",
    "Value of the pre-image of the place.",
    "Value of the row that is nearest in the picture.",
    "Difference of the two in standard deviations of the column.",
)

USUAL = "−0.0000", "row 0000", "Apart "
"""What numbers and titles of the columns behind the first take at least."""

AROUND = 20
"""Pixels beside the text of a cell."""

LEAST_NAME = 10
"""Characters that are left to names, before another column goes."""


class ValuesTable(QTableWidget):
    """Some columns, where they differ most first. Nothing in it can be edited."""

    def __init__(self) -> None:
        super().__init__(0, len(HEADS))
        self.setObjectName("preimage_values")
        self.setAccessibleName("Values at the place beside those of the nearest row")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        # As far from the edge as the titles are.
        self.setStyleSheet("QTableView::item { padding: 0 6px; }")
        LetterGuard(self)
        self.verticalHeader().hide()
        for column, (head, tip) in enumerate(zip(HEADS, TIPS, strict=True)):
            item = Item(head)
            item.setToolTip(tip)
            item.setTextAlignment(_side(column))
            self.setHorizontalHeaderItem(column, item)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._pictured, self._row_name = False, HEADS[2]
        self._fit()

    def _fit(self) -> None:
        """Give numbers all the room they take; names, which can be cut, the rest.

        Where that leaves nothing to names, there are fewer columns.
        """
        metrics = self.fontMetrics()
        widths = {}
        for column, usual in enumerate(USUAL, start=1):
            # Numbers of a usual length do not move the others.
            texts = (usual, *(self._text(line, column) for line in self._lines))
            widths[column] = max(map(metrics.horizontalAdvance, texts)) + AROUND
            self.setColumnWidth(column, widths[column])
        left = self.viewport().width() - LEAST_NAME * metrics.averageCharWidth()
        for column, width in widths.items():
            left -= width
            wanted = column < 3 or not self._pictured
            self.setColumnHidden(column, column > 1 and (left < 0 or not wanted))
        head = self.horizontalHeaderItem(2)
        if head is not None:
            room = widths[2] - AROUND
            middle = Qt.TextElideMode.ElideMiddle
            head.setText(metrics.elidedText(self._row_name, middle, room))

    @property
    def _lines(self) -> range:
        return range(self.rowCount())

    def _text(self, line: int, column: int) -> str:
        item = self.item(line, column)
        return "" if item is None else item.text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_columns(
        self,
        columns: Sequence[ComparedColumn],
        row_name: str,
        *,
        pictured: bool = False,
    ) -> None:
        """Show values of columns, and of a row under its name.

        Parameters
        ----------
        pictured : bool
            Whether pictures stand beside it, which leave less room.
        """
        self._pictured, self._row_name = pictured, row_name
        head = self.horizontalHeaderItem(2)
        if head is not None:
            head.setToolTip(plain_tip(f"{row_name}: {TIPS[2]}"))
        if self.rowCount() != len(columns):
            self.setRowCount(len(columns))
            height = self.fontMetrics().height() + 6
            for line in range(len(columns)):
                self.setRowHeight(line, height)
        for line, column in enumerate(columns):
            texts = (
                column.name,
                data_value(column.here),
                data_value(column.there),
                fixed(column.apart, 1),
            )
            for place, text in enumerate(texts):
                item = self.item(line, place)
                if item is None:
                    item = Item()
                    item.setTextAlignment(_side(place))
                    self.setItem(line, place, item)
                if item.text() != text:
                    item.setText(text)
                    item.setToolTip(plain_tip(text))
        self._fit()


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
