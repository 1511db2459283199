"""Lines across a flat plot that few points lie beyond, with what they are."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from kpca_viewer.ui.plots.axes import FramedItem
from kpca_viewer.ui.plots.text import draw_text, plot_font

_DASHES = {"dashed": [5.0, 3.0], "dotted": [1.2, 3.0]}
_GAP = 4.0


@dataclass(frozen=True)
class LimitLine:
    """One line, upright where it is a limit of x."""

    axis: Literal["x", "y"]
    value: float
    text: str
    """What it is, in two or three words."""
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
        """Draw these lines."""
        self._lines = lines
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: D102
        return QRectF() if self._frame is None else self._rect

    @property
    def _rect(self) -> QRectF:
        frame = self._frame
        assert frame is not None
        return QRectF(frame.left, frame.top, frame.width, frame.height)

    def paint(self, painter: QPainter, *args: object) -> None:  # noqa: D102
        if self._frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(plot_font())
        for axis in ("x", "y"):
            self._paint_axis(painter, [s for s in self._seen() if s[0].axis == axis])

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
        return sorted(seen, key=lambda pair: pair[1])

    def _paint_axis(
        self, painter: QPainter, seen: list[tuple[LimitLine, float]]
    ) -> None:
        """Draw the lines of one axis; texts of near ones do not touch."""
        rect, height = self._rect, QFontMetricsF(painter.font()).height()
        for number, (line, at) in enumerate(seen):
            upright = line.axis == "x"
            pen = QPen(QColor(self._theme.text), 1.2)
            pen.setDashPattern(_DASHES[line.stroke])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            if upright:
                painter.drawLine(QLineF(at, rect.top(), at, rect.bottom()))
                place = QPointF(at + _GAP, rect.top() + number * height)
                across, down = 0.0, 0.0
            else:
                painter.drawLine(QLineF(rect.left(), at, rect.right(), at))
                # The upper of two lines has its text above, the lower one below.
                above = number == 0
                place = QPointF(rect.right() - _GAP, at + (-1 if above else 1))
                across, down = 1.0, 1.0 if above else 0.0
            painter.setPen(QColor(self._theme.text))
            draw_text(
                painter,
                place,
                line.text,
                across,
                down,
                inside=rect,
                ground=self._theme.card,
            )
