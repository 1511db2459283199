"""What lies over the points: lasso, hover label, caption, empty text, limits."""

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

from kpca_viewer.widgets.plots.axes import FramedItem, hairline
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)

_PAD = 8.0
_AWAY = 14.0  # pixels between a point and its label
_WIDEST, _MOST_LINES = 280.0, 12
_PICTURE = 64.0  # side of the square that a picture beside the words lies in
_BETWEEN = " · "  # parts of a line


class OverlayItem(FramedItem):
    """Short-lived drawings in pixels of the scene.

    Parameters
    ----------
    caption : callable
        Returns the small text in the corner; called after the points are drawn, since
        only then it is known how.
    """

    def __init__(self, caption: Callable[[], str]) -> None:
        super().__init__()
        self._caption = caption
        self._outline = QPainterPath()
        self._label: tuple[QPointF, list[str]] | None = None
        self.picture: QImage | None = None
        self._empty_text = ""
        self._transient = True

    @property
    def outline(self) -> QPainterPath:
        return self._outline

    @property
    def label_lines(self) -> list[str]:
        """The lines of the hover label; empty when there is none."""
        return self._label[1] if self._label else []

    def set_outline(self, corners: Sequence[QPointF]) -> None:
        """Show the polygon of a running selection; no corners, no polygon."""
        self._outline = QPainterPath()
        if corners:
            self._outline.addPolygon(QPolygonF(list(corners)))
            self._outline.closeSubpath()
        self.update()

    def set_label(self, at: QPointF | None, text: str = "") -> None:
        """Show plain text beside a place; None hides it."""
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
        """Show a picture beside the words of the label, until it says something else.

        Parameters
        ----------
        picture : QImage or None
            Its pixels stay pixels, however few there are.
        """
        self.picture = picture
        self.update()

    @property
    def _picture_side(self) -> float:
        return 0.0 if self.picture is None else _PICTURE * type_scale()

    @property
    def empty_text(self) -> str:
        return self._empty_text

    def set_empty_text(self, text: str) -> None:
        """Say in the middle why there is nothing to see."""
        self._empty_text = text
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
        card = QColor(self._theme.card)
        card.setAlphaF(0.95)
        painter.setBrush(card)
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
        accent = QColor(self._theme.accent)
        painter.setPen(QPen(accent, 1.4, Qt.PenStyle.SolidLine))
        accent.setAlphaF(0.12)
        painter.setBrush(accent)
        painter.drawPath(self._outline)

    def boundingRect(self) -> QRectF:
        frame = self._frame
        if frame is None:
            return QRectF()
        # A lasso may leave the frame; the margin covers everything beside it.
        rect = QRectF(frame.left, frame.top, frame.width, frame.height)
        return rect.adjusted(-400, -400, 400, 400)

    def paint(self, painter: QPainter, *args: object) -> None:
        frame = self._frame
        if frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(plot_font())
        painter.setPen(QColor(self._theme.muted))
        if self._empty_text:
            middle = QPointF(frame.left + frame.width / 2, frame.top + frame.height / 2)
            text = elided(self._empty_text, painter.font(), frame.width - 2 * _PAD)
            draw_text(painter, middle, text)
        caption = self._caption()
        if caption:
            painter.setFont(plot_font(pixels=11))
            corner = QPointF(frame.left + frame.width - 6, frame.top + 4)
            draw_text(painter, corner, caption, 1.0, 0.0, ground=self._theme.card)
        if self._transient and not self._outline.isEmpty():
            self._draw_outline(painter)
        if self._transient and self._label is not None:
            self._draw_label(painter, self.label_lines)


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
        self._lines: tuple[LimitLine, ...] = ()

    @property
    def lines(self) -> tuple[LimitLine, ...]:
        """What is drawn, as far as the frame shows it."""
        return self._lines

    def set_lines(self, lines: tuple[LimitLine, ...]) -> None:
        self._lines = lines
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF() if self._frame is None else self._rect

    @property
    def _rect(self) -> QRectF:
        frame = self._frame
        assert frame is not None
        return QRectF(frame.left, frame.top, frame.width, frame.height)

    def key_height(self) -> float:
        """Return the room that the key takes, in pixels."""
        return QFontMetricsF(plot_font()).height() + _GAP if self._lines else 0.0

    def paint(self, painter: QPainter, *args: object) -> None:
        if self._frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = self._rect
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
        rect = self._rect
        middle = rect.top() + self.key_height() / 2
        right = rect.right()
        strokes = {line.text: line for line in reversed(self._lines)}
        texts = list(strokes)
        taken = sum(text_width(t, painter.font()) + _SAMPLE + 4 * _GAP for t in texts)
        if taken > rect.width():
            texts = [line.short for line in strokes.values()]
        for text, line in zip(texts, strokes.values(), strict=True):
            left = right - text_width(text, painter.font()) - _SAMPLE - _GAP
            ground = QColor(self._theme.card)
            ground.setAlphaF(0.85)
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
        """Return the lines inside of the frame with their pixels, along their axis."""
        frame, rect, seen = self._frame, self._rect, []
        assert frame is not None
        for line in self._lines:
            upright = line.axis == "x"
            place = (line.value, 0.0) if upright else (0.0, line.value)
            at = float(frame.to_pixels(np.array([place]))[0, 0 if upright else 1])
            low, high = (
                (rect.left(), rect.right()) if upright else (rect.top(), rect.bottom())
            )
            if low <= at <= high:
                seen.append((line, at))
        return seen
