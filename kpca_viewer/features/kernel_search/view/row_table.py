"""ChoiceTable: ranked kernels with a picture of each."""

from string import Template

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.kernel_search.view.row_cells import PAD, RowCells
from kpca_viewer.features.kernel_search.view.row_model import (
    KERNEL,
    PICTURE,
    STABLE,
    TIPS,
    ChoiceModel,
    Index,
)
from kpca_viewer.features.kernel_search.view.row_pictures import (
    RowPictures,
    picture_size,
)
from kpca_viewer.features.sweep.view.thumbnails import Shades
from kpca_viewer.widgets.theme import LIGHT, Theme

_SHEET = Template("""
QHeaderView::section { padding: 4px 8px; }
QTableView { outline: none; border: 1px solid $border; }
QTableView:focus { border: 1px solid $accent; }
""")
_LEAST = {KERNEL: "Matérn ν = 0.5, ℓ = 0.123", STABLE: "γ 0.0123 … 0.123"}
"""Columns do not jump about while values come."""

ADOPTS = Qt.Key.Key_Return, Qt.Key.Key_Enter
_MOVES = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)


class ChoiceTable(QTableView):
    """Shows the rows of a choice; setters emit nothing."""

    row_pointed = Signal(object)
    """The `Row` that a person has clicked or come to by keys."""
    row_adopted = Signal(object)
    """The `Row` that a person wants to have."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("choice_table")
        self.setAccessibleName("Kernels, the one to take first")
        self._listing = ChoiceModel()
        self._pictures = RowPictures()
        self._cells = RowCells(self, self._listing, self._pictures)
        self._by_hand = False
        self._wanted = 0
        self.setModel(self._listing)
        self.setItemDelegate(self._cells)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.set_theme(LIGHT)

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._listing.rows

    @property
    def listing(self) -> ChoiceModel:
        return self._listing

    def current_row(self) -> Row | None:
        place = self.currentIndex().row()
        return self.rows[place] if 0 <= place < len(self.rows) else None

    def picture(self, row: Row) -> SweepPoint | None:
        """Return the picture of a row, if it is there."""
        return self._pictures.of(row)

    def wanted_width(self) -> int:
        """Return the width in which nothing is cut."""
        bar = self.verticalScrollBar().sizeHint().width()
        return self._wanted + bar + 2 * self.frameWidth()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours and the size of the type."""
        self._pictures.set_theme(theme)
        self.setStyleSheet(_SHEET.substitute(border=theme.border, accent=theme.accent))
        self._cells.set_theme(theme)
        self._fit()
        self.viewport().update()

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows of the data."""
        self._pictures.set_shades(shades)
        self.viewport().update()

    def show_choice(self, choice: Choice | None, in_use: Row | None = None) -> None:
        """Show other rows.

        The keys stay at the kernel to which a person has brought them; until then they
        are at the first.
        """
        before = self.current_row() if self._by_hand else None
        self._listing.set_choice(choice, in_use)
        self._fit()
        lines = [row.line for row in self.rows]
        if lines:
            line = None if before is None else before.line
            place = lines.index(line) if line in lines else 0
            self.setCurrentIndex(self._listing.index(place, PICTURE))

    def show_picture(self, point: SweepPoint) -> None:
        """Show the picture of the row whose kernel it has."""
        for place in self._pictures.add(point, self.rows):
            self.update(self._listing.index(place, PICTURE))

    def forget(self) -> None:
        """Drop all pictures, and where the keys were: the data are others."""
        self._by_hand = False
        self._pictures.forget()
        self.viewport().update()

    def _fit(self) -> None:
        """Give every column the room of its widest text."""
        size, metrics = picture_size(), self.fontMetrics()
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(size.height() + 6)
        header = self.horizontalHeader()
        header.setMinimumSectionSize(20)
        header.resizeSection(PICTURE, size.width() + 2 * PAD)
        for column in TIPS:
            if column == PICTURE:
                continue
            cells = [self._listing.cell(i, column) for i in range(len(self.rows))]
            texts = [self._listing.titles[column], _LEAST.get(column, "")]
            texts += [text for cell in cells for text in (cell.text, cell.below)]
            width = max(metrics.horizontalAdvance(text) for text in texts)
            header.resizeSection(column, width + 2 * PAD + 4)
        self._wanted = header.length()
        spare = self.viewport().width() - header.length()
        if spare > 0:
            header.resizeSection(KERNEL, header.sectionSize(KERNEL) + spare)

    def _tell_pointed(self) -> None:
        row = self.current_row()
        if row is not None:
            self._by_hand = True
            self.row_pointed.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Point at a row."""
        super().mousePressEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self.indexAt(event.position().toPoint()).isValid():
            self._tell_pointed()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take a row."""
        super().mouseDoubleClickEvent(event)
        row = self.current_row()
        at = self.indexAt(event.position().toPoint())
        if at.isValid() and row is not None:
            self.row_adopted.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the rows, or take one."""
        row = self.current_row()
        if event.key() in ADOPTS and row is not None:
            self.row_adopted.emit(row)
            return
        before = self.currentIndex()
        super().keyPressEvent(event)
        moved = self.currentIndex().row() != before.row()
        if moved or event.key() in _MOVES or event.key() == Qt.Key.Key_Space:
            self._tell_pointed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the names of the kernels have the room that is left."""
        super().resizeEvent(event)
        self._fit()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Paint the whole row as the one that the keys are at."""
        super().currentChanged(current, previous)
        self.viewport().update()
