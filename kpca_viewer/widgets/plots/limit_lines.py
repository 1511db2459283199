"""Lines across a flat plot that few points lie beyond, and a key that names them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from kpca_viewer.widgets.plots.axes import FramedItem
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width

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
