"""What is around the curve of a measure: its error band, guessing and linear PCA."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from kpca_viewer.engine.sweep.measures import Measure
from kpca_viewer.engine.sweep.point import BAND, SweepPoint
from kpca_viewer.engine.text.scores import baselines
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

Array = NDArray[Any]
Place = Callable[[int, float], QPointF]
"""``place(position, value) -> pixel``."""

PENS = {"guessing": Qt.PenStyle.DashLine, "linear PCA": Qt.PenStyle.DotLine}


@dataclass(frozen=True, eq=False)
class CurveContext:
    """What a curve is to be judged by."""

    widths: Array = field(default_factory=lambda: np.empty(0))
    """Shape (c,). Half of the error band at every position, NaN where there is none."""
    lines: dict[str, Array] = field(default_factory=dict)
    """Shape (c,). What other ways score, by their names; NaN where that is not
    known."""

    @classmethod
    def of(
        cls, points: Sequence[SweepPoint | None], measure: Measure
    ) -> "CurveContext":
        """Return the context of points in a row, of which some may be missing."""
        widths = np.full(len(points), np.nan)
        lines: dict[str, Array] = {}
        for position, point in enumerate(points):
            if point is None:
                continue
            widths[position] = BAND * point.yardstick.errors.get(measure.key, np.nan)
            for name, value in baselines(point, measure):
                line = lines.setdefault(name, np.full(len(points), np.nan))
                line[position] = value
        return cls(widths, lines)

    def extent(self, values: Array) -> Array:
        """Return all numbers that have to be seen together with a curve."""
        parts = [values, *self.lines.values()]
        if len(self.widths):
            parts += [values - self.widths, values + self.widths]
        return np.concatenate(parts)

    def draw_band(
        self, painter: QPainter, values: Array, place: Place, theme: Theme
    ) -> None:
        """Draw the error band behind a curve."""
        if not len(self.widths):
            return
        known = _known(values + self.widths)
        ends = [(i, float(values[i]), float(self.widths[i])) for i in known]
        upper = [place(i, value + width) for i, value, width in ends]
        lower = [place(i, value - width) for i, value, width in reversed(ends)]
        color = QColor(theme.accent)
        color.setAlphaF(0.16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF(upper + lower))

    def draw_lines(
        self, painter: QPainter, place: Place, room: QRectF, theme: Theme
    ) -> None:
        """Draw what other ways score, across the whole plot."""
        for name, values in self.lines.items():
            painter.setPen(QPen(QColor(theme.muted), 1.2, PENS[name]))
            ends = [place(i, float(values[i])) for i in _known(values)]
            if ends:
                # To both edges of the plot: a line, not a second curve.
                ends.insert(0, QPointF(room.left(), ends[0].y()))
                ends.append(QPointF(room.right(), ends[-1].y()))
                painter.drawPolyline(QPolygonF(ends))

    def draw_labels(
        self,
        painter: QPainter,
        measure: Measure,
        place: Place,
        room: QRectF,
        avoided: Sequence[QPointF],
        theme: Theme,
    ) -> None:
        """Write names and numbers at that end of the lines where less is in the way.

        Parameters
        ----------
        avoided : sequence of QPointF
            What should stay in sight: the curve and the playhead.
        """
        font = plot_font(pixels=11)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        sides = [
            _boxes(self._labels(measure, place, side), font, room, side)
            for side in (1, 0)
        ]
        for box, text in min(sides, key=lambda boxes: _hidden(boxes, avoided)):
            draw_text(painter, box.center(), text, ground=theme.card)

    def _labels(
        self, measure: Measure, place: Place, side: int
    ) -> list[tuple[float, str]]:
        """Return the heights and texts of the labels at the left (0) or right (1)."""
        labels = []
        for name, values in self.lines.items():
            known = _known(values)
            if known:
                end = known[-1 if side else 0]
                value = float(values[end])
                labels.append((place(end, value).y(), f"{name} {measure.text(value)}"))
        return sorted(labels)


def _known(values: Array) -> list[int]:
    return [int(position) for position in np.flatnonzero(np.isfinite(values))]


def _boxes(
    labels: list[tuple[float, str]], font: QFont, room: QRectF, side: int
) -> list[tuple[QRectF, str]]:
    """Return where labels stand; two that would meet become one at the upper line."""
    boxes = [_box(y, text, font, room, side) for y, text in labels]
    if len(boxes) == 2 and boxes[0][0].intersects(boxes[1][0]):
        (above, first), (_, second) = labels
        return [_box(above, f"{first}, {second}", font, room, side)]
    return boxes


def _box(
    y: float, text: str, font: QFont, room: QRectF, side: int
) -> tuple[QRectF, str]:
    """Return where a label stands: above its line or, at the top, below."""
    width, height = text_width(text, font) + 6, QFontMetricsF(font).height()
    left = room.right() - width if side else room.left()
    top = y - height if y - height >= room.top() else y
    return QRectF(left, top, width, height), text


def _hidden(boxes: list[tuple[QRectF, str]], points: Sequence[QPointF]) -> int:
    """Return how many points labels would lie over."""
    return sum(box.contains(point) for box, _ in boxes for point in points)
