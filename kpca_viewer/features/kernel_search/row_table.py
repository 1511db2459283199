"""ChoiceTable: ranked kernels with a picture of each."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from string import Template

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row, Values
from kpca_viewer.engine.choice_note import kernel_of
from kpca_viewer.engine.claims.choice import is_recommended
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.kernel_search.row_model import (
    ALIGNED,
    KERNEL,
    PICTURE,
    STABLE,
    TIPS,
    ChoiceModel,
    Index,
)
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme, font_sizes
from kpca_viewer.widgets.thumbnails import PictureStore, Shades, draw_failure

SIDES = QSize(84, 58)
"""Of a picture, in pixels at the usual size of type."""

LARGEST = 1.4
"""Times as large beside large type: numbers need the room more."""


def picture_size() -> QSize:
    """Return the size of a picture beside the present type."""
    return SIDES * min(type_scale(), LARGEST)


class ChoicePictures:
    """Keeps a picture for every kernel with its values."""

    def __init__(self) -> None:
        self._theme = LIGHT
        self._store = PictureStore()
        self._known: dict[tuple[str, Values], SweepPoint] = {}
        self._latest: dict[Line, SweepPoint] = {}

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._store.set_theme(theme)

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows of the data."""
        self._store.set_shades(shades)

    def of(self, row: Row) -> SweepPoint | None:
        """Return the picture of a row, if it is there."""
        return self._known.get(kernel_of(row))

    def add(self, point: SweepPoint, rows: Iterable[Row]) -> list[int]:
        """Keep a picture; returns the places of those rows that it is one of."""
        kernel = point.settings.kernel.family, point.settings.kernel.values
        # Places of the store belong to kernels, whatever their order.
        known = self._known.get(kernel)
        index = len(self._known) if known is None else known.index
        self._known[kernel] = point = replace(point, index=index)
        places = []
        for place, row in enumerate(rows):
            if kernel_of(row) == kernel:
                self._latest[row.line] = point
                places.append(place)
        return places

    def forget(self) -> None:
        """Drop all pictures: the data are others."""
        self._known.clear()
        self._latest.clear()
        self._store.forget()

    def paint(self, painter: QPainter, room: QRectF, row: Row) -> None:
        """Paint the picture of a row into the middle of a cell."""
        # Until the picture of another value is there, that of the value before stays.
        point = self.of(row) or self._latest.get(row.line)
        size = picture_size()
        box = QRectF(0, 0, size.width(), size.height())
        box.moveCenter(room.center())
        painter.fillRect(box, QColor(self._theme.card))
        if point is None:
            return
        if point.error:
            draw_failure(painter, box, self._theme)
        else:
            self._store.draw(painter, box, point)


PAD = 8
"""Pixels on either side of a text."""


@dataclass(frozen=True)
class _Face:
    """A font with what every cell needs of it."""

    font: QFont
    metrics: QFontMetrics
    height: int

    @classmethod
    def of(cls, font: QFont) -> "_Face":
        metrics = QFontMetrics(font)
        return cls(font, metrics, metrics.height())

    def elided(self, text: str, width: int) -> str:
        return self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


def _faces(font: QFont) -> tuple[_Face, _Face, _Face]:
    """Return the usual, the bold and the small face of a table."""
    bold, small = QFont(font), QFont(font)
    bold.setBold(True)
    small.setPixelSize(font_sizes(type_scale()).small)
    return _Face.of(font), _Face.of(bold), _Face.of(small)


class ChoiceCells(QStyledItemDelegate):
    """Paints pictures, and two lines of text on a soft ground."""

    def __init__(
        self, table: QTableView, listing: ChoiceModel, pictures: ChoicePictures
    ) -> None:
        super().__init__(table)
        self._table = table
        self._listing = listing
        self._pictures = pictures
        self._theme = LIGHT
        self._faces = _faces(table.font())

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of the table."""
        self._theme = theme
        self._faces = _faces(self._table.font())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Paint one cell."""
        place, column = index.row(), index.column()
        # Over what the style sheet of the window paints for a selected row.
        painter.fillRect(option.rect, QColor(self._theme.card))
        if place == self._table.currentIndex().row():
            color = QColor(self._theme.accent)
            color.setAlphaF(0.24 if self._table.hasFocus() else 0.16)
            painter.fillRect(option.rect, color)
        if column == PICTURE:
            row = self._listing.rows[place]
            self._pictures.paint(painter, QRectF(option.rect), row)
        else:
            self._paint_text(painter, option.rect, place, column)
        painter.setPen(QColor(self._theme.border))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())

    def _paint_text(
        self, painter: QPainter, rect: QRect, place: int, column: int
    ) -> None:
        cell = self._listing.cell(place, column)
        choice = self._listing.choice
        leads = choice is not None and is_recommended(place, choice)
        usual, bold, small = self._faces
        first = bold if column == KERNEL and leads else usual
        lines = [(cell.text, first, self._theme.text)]
        if cell.below:
            lines.append((cell.below, small, self._theme.muted))
        room = rect.adjusted(PAD, 0, -PAD, 0)
        height = sum(face.height for _, face, _ in lines)
        top = room.top() + (room.height() - height) // 2
        for text, face, color in lines:
            painter.setFont(face.font)
            painter.setPen(QColor(color))
            part = QRect(room.left(), top, room.width(), face.height)
            shown = face.elided(text, part.width())
            painter.drawText(part, int(ALIGNED[column]), shown)
            top += face.height


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
        self._pictures = ChoicePictures()
        self._cells = ChoiceCells(self, self._listing, self._pictures)
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
