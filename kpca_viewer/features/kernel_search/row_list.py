"""RowList: ranked kernels, each with its picture and its numbers."""

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row, Values
from kpca_viewer.engine.choice_note import kernel_of
from kpca_viewer.engine.claims.choice import is_recommended, reason
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.kernel_search.text import row_lines
from kpca_viewer.widgets.controls.behaviour import LetterGuard, plain_tip
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme, font_sizes
from kpca_viewer.widgets.thumbnails import PictureStore, Shades, draw_failure

SIDES = QSize(56, 46)
"""Of a picture, in pixels at the usual size of type."""

LARGEST = 1.4
"""Times as large beside large type: numbers need the room more."""

PAD = 6
MOVES = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)


class RowPictures:
    """Keeps a picture for every kernel with its values."""

    def __init__(self) -> None:
        self.store = PictureStore()
        self._known: dict[tuple[str, Values], SweepPoint] = {}
        self._latest: dict[Line, SweepPoint] = {}

    def of(self, row: Row) -> SweepPoint | None:
        return self._known.get(kernel_of(row))

    def shown(self, row: Row) -> SweepPoint | None:
        """Return the picture of a row; until it is there, that of its value before."""
        return self.of(row) or self._latest.get(row.line)

    def add(self, point: SweepPoint, rows: Iterable[Row]) -> None:
        """Keep the picture of those rows whose kernel it has."""
        kernel = point.settings.kernel.family, point.settings.kernel.values
        # Places of the store belong to kernels, whatever their order.
        known = self._known.get(kernel)
        index = len(self._known) if known is None else known.index
        self._known[kernel] = point = replace(point, index=index)
        for row in rows:
            if kernel_of(row) == kernel:
                self._latest[row.line] = point

    def forget(self) -> None:
        """Drop all pictures: the data are others."""
        self._known.clear()
        self._latest.clear()
        self.store.forget()


class RowPainter(QStyledItemDelegate):
    """Paints a picture, and beside it lines with a text at either end."""

    def __init__(self, rows: "RowList", pictures: RowPictures) -> None:
        super().__init__(rows)
        self._rows = rows
        self._pictures = pictures
        self.theme = LIGHT

    @property
    def _picture_size(self) -> QSize:
        return SIDES * min(type_scale(), LARGEST)

    def _small(self) -> QFont:
        font = QFont(self._rows.font())
        font.setPixelSize(font_sizes(type_scale()).small)
        return font

    def _parts(self, place: int) -> list[tuple[str, str, QFont]]:
        """Return the lines of a row with their type.

        A score is never cut: a remark that has no room beside it is a line of its own.
        """
        rows = self._rows
        kernel, (score, remark), numbers = rows.lines(place)
        usual, strong, small = QFont(rows.font()), QFont(rows.font()), self._small()
        strong.setBold(rows.is_recommended(place))
        parts = [(*kernel, strong), (score, remark, usual), (*numbers, small)]
        metrics = QFontMetrics(usual)
        room = rows.viewport().width() - self._picture_size.width() - 5 * PAD
        if remark and metrics.horizontalAdvance(score + remark) > room:
            parts[1:2] = [(score, "", usual), (remark, "", small)]
        return parts

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        fonts = [font for *_, font in self._parts(index.row())]
        lines = sum(QFontMetrics(font).height() for font in fonts)
        height = max(self._picture_size.height(), lines) + PAD
        return QSize(option.rect.width(), height)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme, place = self.theme, index.row()
        # Over what the style sheet of the window paints for a selected row.
        painter.fillRect(option.rect, QColor(theme.card))
        if place == self._rows.currentRow():
            color = QColor(theme.accent)
            color.setAlphaF(0.24 if self._rows.hasFocus() else 0.16)
            painter.fillRect(option.rect, color)
        row, size = self._rows.rows[place], self._picture_size
        box = QRectF(option.rect.left() + PAD, 0, size.width(), size.height())
        box.moveTop(option.rect.center().y() - size.height() / 2)
        painter.fillRect(box, QColor(theme.card))
        point = self._pictures.shown(row)
        if point is not None and point.error:
            draw_failure(painter, box, theme)
        elif point is not None:
            self._pictures.store.draw(painter, box, point)
        room = QRectF(option.rect).adjusted(0, 2, -2 * PAD, -3)
        room.setLeft(box.right() + PAD)
        self._paint_lines(painter, room, place)
        painter.setPen(QColor(theme.border))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())

    def _paint_lines(self, painter: QPainter, rect: QRectF, place: int) -> None:
        parts = self._parts(place)
        left, right, middle = (
            Qt.AlignmentFlag.AlignLeft,
            Qt.AlignmentFlag.AlignRight,
            Qt.AlignmentFlag.AlignVCenter,
        )
        height = rect.height() / len(parts)
        for number, (text, other, font) in enumerate(parts):
            painter.setFont(font)
            painter.setPen(QColor(self.theme.muted if number > 1 else self.theme.text))
            top = rect.top() + number * height
            part = QRectF(rect.left(), top, rect.width(), height)
            metrics = QFontMetrics(font)
            if number == 0:
                cut = Qt.TextElideMode.ElideMiddle
                text = metrics.elidedText(text, cut, int(part.width()))
            painter.drawText(part, int(left | middle), text)
            part.setLeft(part.left() + metrics.horizontalAdvance(text) + PAD)
            if metrics.horizontalAdvance(other) <= part.width():
                painter.drawText(part, int(right | middle), other)


class RowList(QListWidget):
    """Shows the rows of a choice; setters emit nothing."""

    row_pointed = Signal(object)
    """The `Row` that was clicked or reached by keys."""
    row_adopted = Signal(object)
    """The `Row` to take."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("choice_table")
        LetterGuard(self)
        self.setAccessibleName("Kernels, the one to take first")
        self._choice: Choice | None = None
        self._in_use: Row | None = None
        self._by_hand = False
        self._pictures = RowPictures()
        self._painter = RowPainter(self, self._pictures)
        self.setItemDelegate(self._painter)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def rows(self) -> tuple[Row, ...]:
        return () if self._choice is None else self._choice.rows

    def lines(self, place: int) -> list[tuple[str, str]]:
        """Return what stands at the left and at the right of each line of a row."""
        assert self._choice is not None
        return row_lines(place, self._choice, self.rows[place] is self._in_use)

    def is_recommended(self, place: int) -> bool:
        return self._choice is not None and is_recommended(place, self._choice)

    def current_row(self) -> Row | None:
        place = self.currentRow()
        return self.rows[place] if 0 <= place < len(self.rows) else None

    def picture(self, row: Row) -> SweepPoint | None:
        return self._pictures.of(row)

    def set_theme(self, theme: Theme) -> None:
        self._painter.theme = theme
        self._pictures.store.set_theme(theme)
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def set_shades(self, shades: Shades) -> None:
        self._pictures.store.set_shades(shades)
        self.viewport().update()

    def show_choice(self, choice: Choice | None, in_use: Row | None = None) -> None:
        """Show other rows, of which one may be what is set now.

        The keys stay at the kernel to which a person has brought them; until then they
        are at the first.
        """
        before = self.current_row() if self._by_hand else None
        self._choice, self._in_use = choice, in_use
        while self.count() > len(self.rows):
            self.takeItem(self.count() - 1)
        self.addItems([""] * (len(self.rows) - self.count()))
        for place, row in enumerate(self.rows):
            assert choice is not None
            texts = [" ".join(filter(None, line)) for line in self.lines(place)]
            item = self.item(place)
            item.setText("\n".join(texts))
            item.setToolTip(plain_tip(reason(row, choice)))
        self.scheduleDelayedItemsLayout()
        lines = [row.line for row in self.rows]
        if lines:
            line = None if before is None else before.line
            self.setCurrentRow(lines.index(line) if line in lines else 0)

    def show_picture(self, point: SweepPoint) -> None:
        self._pictures.add(point, self.rows)
        self.viewport().update()

    def forget(self) -> None:
        """Drop all pictures, and where the keys were: the data are others."""
        self._by_hand = False
        self._pictures.forget()
        self.viewport().update()

    def _tell(self, signal: str) -> None:
        row = self.current_row()
        if row is not None:
            self._by_hand = True
            (self.row_adopted if signal == "adopted" else self.row_pointed).emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self.indexAt(event.position().toPoint()).isValid():
            self._tell("pointed")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if self.indexAt(event.position().toPoint()).isValid():
            self._tell("adopted")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._tell("adopted")
            return
        super().keyPressEvent(event)
        if event.key() in MOVES:
            self._tell("pointed")
