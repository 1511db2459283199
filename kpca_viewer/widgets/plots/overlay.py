"""What lies over the points: lasso, hover label, caption, empty text, limits."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from kpca_viewer.widgets.plots.axes import FramedItem, color_of, hairline
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    is_printing,
    plot_font,
    text_width,
    type_scale,
)

_PAD = 8.0
_AWAY = 14.0  # pixels between a point and its label
_CLEAR = 48.0  # pixels around the pointer that a docked label leaves free
_WIDEST, _MOST_LINES = 280.0, 12
_PICTURE = 64.0  # side of the square that a picture beside the words lies in
_BETWEEN = " · "  # parts of a line


class OverlayItem(FramedItem):
    """Short-lived drawings in pixels of the scene.

    The caption is asked for after the points are drawn: only then it is known how. A
    label is ``docked`` in a corner away from the pointer, or stands beside its place.
    """

    def __init__(self, caption: Callable[[], str], *, docked: bool = False) -> None:
        super().__init__()
        self._docked = docked
        self._caption = caption
        self.places: Callable[[], Floats] | None = None
        self.outline = QPainterPath()
        self._label: tuple[QPointF, list[str]] | None = None
        self.picture: QImage | None = None
        self.empty_text = ""
        self._taken = QRectF()
        self._transient = True

    @property
    def label_lines(self) -> list[str]:
        return self._label[1] if self._label else []

    def set_outline(self, corners: Sequence[QPointF]) -> None:
        self.outline = QPainterPath()
        if corners:
            self.outline.addPolygon(QPolygonF(list(corners)))
            self.outline.closeSubpath()
        self.update()

    def set_label(self, at: QPointF | None, text: str = "") -> None:
        if self._label is None and (at is None or not text):
            return
        font, widest = plot_font(), _WIDEST * type_scale()
        if self._frame is not None:
            widest = min(widest, self._frame.width - 2 * _PAD)
        lines = [part for line in text.splitlines() for part in _broken(line, widest)]
        lines = [elided(line, font, widest) for line in lines[:_MOST_LINES]]
        self._label = (at, lines) if at is not None and lines else None
        self.picture = None
        self.update()

    def set_picture(self, picture: QImage | None) -> None:
        """Show a picture beside the words of the label, until these change."""
        self.picture = picture
        self.update()

    @property
    def _picture_side(self) -> float:
        return 0.0 if self.picture is None else _PICTURE * type_scale()

    def set_empty_text(self, text: str) -> None:
        self.empty_text = text
        self.update()

    def set_taken(self, box: QRectF) -> None:
        """Keep a docked label away from a box in which something else stands."""
        self._taken = box
        self.update()

    def set_transient(self, shown: bool) -> None:
        """Show or leave out what belongs to the mouse, as exports do."""
        self._transient = shown

    def label_box(self) -> QRectF:
        """Return the place of the label: right above the point, or where it fits."""
        if self._label is None or self._frame is None:
            return QRectF()
        at, lines = self._label
        frame, metrics = self._frame, QFontMetricsF(plot_font())
        width = max(metrics.horizontalAdvance(line) for line in lines)
        height = len(lines) * metrics.height() + 1.5 * _PAD
        if self.picture is not None:
            width += self._picture_side + _PAD
            height = max(height, self._picture_side + 2 * _PAD)
        size = QSizeF(width + 2 * _PAD, height)
        if self._docked:
            return _corner(at, size, frame, self._taken)
        left, top = at.x() + _AWAY, at.y() - _AWAY - size.height()
        right = frame.left + frame.width
        if left + size.width() > right:
            left = at.x() - _AWAY - size.width()
        if top < frame.top:
            top = at.y() + _AWAY
        left = max(min(left, right - size.width()), frame.left)
        top = max(min(top, frame.top + frame.height - size.height()), frame.top)
        return QRectF(QPointF(left, top), size)

    def _draw_label(self, painter: QPainter, lines: list[str]) -> None:
        box = self.label_box()
        painter.setPen(hairline(self._theme.border))
        painter.setBrush(color_of(self._theme, "card", 0.95))
        painter.drawRoundedRect(box, 6, 6)
        if self.picture is not None:
            corner = box.topLeft() + QPointF(_PAD, _PAD)
            side = self._picture_side
            where = fitted(self.picture, QRectF(corner, QSizeF(side, side)))
            painter.drawImage(where, self.picture)
            box.setLeft(box.left() + side + _PAD)
        painter.setFont(plot_font())
        height = QFontMetricsF(painter.font()).height()
        for index, line in enumerate(lines):
            # The first line names the row; the others are its values.
            painter.setPen(QColor(self._theme.muted if index else self._theme.text))
            top = box.top() + 0.75 * _PAD + index * height
            draw_text(painter, QPointF(box.left() + _PAD, top), line, 0.0, 0.0)

    def _draw_outline(self, painter: QPainter) -> None:
        painter.setPen(QPen(QColor(self._theme.accent), 1.4))
        painter.setBrush(color_of(self._theme, "accent", 0.12))
        painter.drawPath(self.outline)

    def boundingRect(self) -> QRectF:
        frame = self._frame
        if frame is None:
            return QRectF()
        # A lasso may leave the frame; the margin covers everything beside it.
        rect = QRectF(*frame.rect)
        return rect.adjusted(-400, -400, 400, 400)

    def paint(self, painter: QPainter, *args: object) -> None:
        frame = self._frame
        if frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._theme.muted))
        if self.empty_text:
            painter.setFont(plot_font())
            middle = QPointF(frame.left + frame.width / 2, frame.top + frame.height / 2)
            text = elided(self.empty_text, painter.font(), frame.width - 2 * _PAD)
            draw_text(painter, middle, text)
        caption = self._caption()
        if caption:
            painter.setFont(plot_font(pixels=11))
            if (at := self._caption_corner(painter, caption, frame)) is not None:
                x, y = frame.width - 6 if at[0] else 6, frame.height - 4 if at[1] else 4
                corner = QPointF(frame.left + x, frame.top + y)
                draw_text(painter, corner, caption, *at, ground=self._theme.card)
        if self._transient and not self.outline.isEmpty():
            self._draw_outline(painter)
        if self._transient and self._label is not None:
            self._draw_label(painter, self.label_lines)

    def _caption_corner(
        self, painter: QPainter, caption: str, frame: Frame
    ) -> tuple[float, float] | None:
        """Return 1 for right and bottom; on paper of a corner without points."""
        if self.places is None or not is_printing():
            return 1.0, 0.0
        reach = np.add(painter.fontMetrics().size(0, caption).toTuple(), 10)
        from_left = self.places() - (frame.left, frame.top)
        from_right = (frame.width, frame.height) - from_left
        for at in ((1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (0.0, 1.0)):
            if not (np.where(at, from_right, from_left) < reach).all(axis=1).any():
                return at
        return None


def corner_boxes(size: QSizeF, frame: Frame) -> list[QRectF]:
    """Return boxes of a size in the corners of a frame, the upper right one first."""
    free = QSizeF(frame.width, frame.height) - size
    across, down = (max(min(4.0, air / 2), 0.0) for air in free.toTuple())
    left, right = frame.left + across, frame.left + max(free.width(), 0.0) - across
    top, bottom = frame.top + down, frame.top + max(free.height(), 0.0) - down
    corners = ((right, top), (left, top), (right, bottom), (left, bottom))
    return [QRectF(QPointF(*corner), size) for corner in corners]


def _corner(at: QPointF, size: QSizeF, frame: Frame, taken: QRectF) -> QRectF:
    """Return the first box in a corner that leaves a place free, or the farthest.

    A box that is taken stays free where that can be.
    """
    boxes = corner_boxes(size, frame)

    def away(box: QRectF) -> float:
        across = max(box.left() - at.x(), at.x() - box.right(), 0.0)
        down = max(box.top() - at.y(), at.y() - box.bottom(), 0.0)
        return math.hypot(across, down)

    boxes = [box for box in boxes if not box.intersects(taken)] or boxes
    clear = (box for box in boxes if away(box) >= _CLEAR)
    return next(clear, max(boxes, key=away))


def _broken(line: str, widest: float) -> list[str]:
    """Return a line, or several where it is too wide, so that no number is cut."""
    font, lines = plot_font(), [""]
    for part in line.split(_BETWEEN):
        whole = f"{lines[-1]}{_BETWEEN}{part}" if lines[-1] else part
        if lines[-1] and text_width(whole, font) > widest:
            lines.append(part)
        else:
            lines[-1] = whole
    return lines


_DASHES = {"dashed": [5.0, 3.0], "dotted": [1.2, 3.0]}
_GAP, _SAMPLE = 4.0, 18.0


@dataclass(frozen=True)
class LimitLine:
    """One line, upright where it is a limit of x."""

    axis: Literal["x", "y"]
    value: float
    text: str
    """What it is, in two or three words."""
    short: str
    """The same where there is no room."""
    stroke: Literal["dashed", "dotted"] = "dashed"


class LimitLinesItem(FramedItem):
    """Draws lines over the points; those outside of the frame are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[LimitLine, ...] = ()

    def set_lines(self, lines: tuple[LimitLine, ...]) -> None:
        self.lines = lines
        self.update()

    def key_height(self) -> float:
        return QFontMetricsF(plot_font()).height() + _GAP if self.lines else 0.0

    def paint(self, painter: QPainter, *args: object) -> None:
        if self._frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = self.boundingRect()
        for line, at in self._seen():
            painter.setPen(self._pen(line))
            if line.axis == "x":
                painter.drawLine(QLineF(at, rect.top(), at, rect.bottom()))
            else:
                painter.drawLine(QLineF(rect.left(), at, rect.right(), at))
        self._paint_key(painter)

    def _pen(self, line: LimitLine) -> QPen:
        pen = QPen(QColor(self._theme.text), 1.2)
        pen.setDashPattern(_DASHES[line.stroke])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        return pen

    def _paint_key(self, painter: QPainter) -> None:
        """Say above the points what each stroke means, from the right."""
        painter.setFont(plot_font())
        rect = self.boundingRect()
        middle = rect.top() + self.key_height() / 2
        right = rect.right()
        strokes = {line.text: line for line in reversed(self.lines)}
        texts = list(strokes)
        taken = sum(text_width(t, painter.font()) + _SAMPLE + 4 * _GAP for t in texts)
        if taken > rect.width():
            texts = [line.short for line in strokes.values()]
        for text, line in zip(texts, strokes.values(), strict=True):
            left = right - text_width(text, painter.font()) - _SAMPLE - _GAP
            ground = color_of(self._theme, "card", 0.85)
            top = middle - self.key_height() / 2
            painter.fillRect(
                QRectF(left - 3, top, right - left + 6, self.key_height()), ground
            )
            painter.setPen(self._pen(line))
            painter.drawLine(QLineF(left, middle, left + _SAMPLE, middle))
            painter.setPen(QColor(self._theme.muted))
            draw_text(painter, QPointF(right, middle), text, 1.0, 0.5)
            right = left - 2 * _GAP - 4

    def _seen(self) -> list[tuple[LimitLine, float]]:
        frame, rect, seen = self._frame, self.boundingRect(), []
        assert frame is not None
        for line in self.lines:
            upright = line.axis == "x"
            place = (line.value, 0.0) if upright else (0.0, line.value)
            at = float(frame.to_pixels(np.array([place]))[0, 0 if upright else 1])
            low, high = (
                (rect.left(), rect.right()) if upright else (rect.top(), rect.bottom())
            )
            if low <= at <= high:
                seen.append((line, at))
        return seen
