"""The curve of a measure along a sweep: band, baselines, playhead and best marks.

Drawn by a painter and not as a `Chart`: films and sheets are drawn by the same code,
on a worker, where scenes of Qt must not be used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from kpca_viewer.engine.sweep.measures import Measure
from kpca_viewer.engine.sweep.point import BAND, SweepPoint
from kpca_viewer.engine.text.scores import baselines
from kpca_viewer.features.sweep.text import undefined_text
from kpca_viewer.widgets.plots.axes import hairline
from kpca_viewer.widgets.plots.frame import fitted_range
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width, type_scale
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

        Curve and playhead, which are ``avoided``, stay in sight.
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
    return sum(box.contains(point) for box, _ in boxes for point in points)


RIGHT = 12.0
"""Room for half a mark behind the curve."""


def left_room() -> float:
    return 13 + 45 * type_scale()


@dataclass(frozen=True, eq=False)
class Curve:
    """What there is to draw."""

    measure: Measure
    values: Array
    """Shape (c,). NaN where there is no point yet, or none at all."""
    current: float | None = None
    hovered: int | None = None
    best: int | None = None
    """Positions along the curve."""
    also: tuple[int, ...] = ()
    """Positions that are best by another measure."""
    joined: bool = True
    """Whether the positions have an order; kernels stand beside each other in none."""
    context: CurveContext = field(default_factory=CurveContext)
    """Its error band, and what it is held against."""
    awaited: bool = False
    """Whether none of its points has come yet."""


def x_of(position: float, count: int, rect: QRectF) -> float:
    """Return where a position is: in the middle of its share of the width."""
    left = left_room()
    width = rect.width() - left - RIGHT
    return rect.left() + left + (position + 0.5) * width / max(count, 1)


def position_at(x: float, count: int, rect: QRectF) -> int | None:
    """Return the position under a pixel, or None beside the curve."""
    left = left_room()
    width = rect.width() - left - RIGHT
    if width <= 0 or not count:
        return None
    share = (x - rect.left() - left) / width
    return int(np.clip(int(share * count), 0, count - 1)) if 0 <= share <= 1 else None


def draw_curve(painter: QPainter, rect: QRectF, curve: Curve, theme: Theme) -> None:
    """Draw a curve into a rectangle of any device."""
    values, count = curve.values, len(curve.values)
    low, high = fitted_range(curve.context.extent(values), 0.03)
    half_line = 11 * type_scale()
    inner = rect.adjusted(0, half_line, 0, -half_line)

    def place(position: int, value: float) -> QPointF:
        share = (value - low) / (high - low)
        return QPointF(
            x_of(position, count, rect), inner.bottom() - share * inner.height()
        )

    def at(position: int) -> QPointF:
        return place(position, float(values[position]))

    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_scale(painter, rect, place, curve, theme)
    known = np.flatnonzero(np.isfinite(values))
    room, context = rect.adjusted(left_room(), 0, -RIGHT, 0), curve.context
    if len(known):
        if curve.joined:
            context.draw_band(painter, values, place, theme)
        context.draw_lines(painter, place, room, theme)
    # Through what is there, so that a curve that fills up is a curve from the start.
    painter.setPen(QPen(QColor(theme.accent), 1.6))
    if curve.joined:
        painter.drawPolyline(QPolygonF([at(int(i)) for i in known]))
    else:
        for i in known:
            foot = QPointF(x_of(int(i), count, rect), inner.bottom())
            painter.drawLine(foot, at(int(i)))
    if count <= 80 and len(known):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        for i in known:
            painter.drawEllipse(at(int(i)), *(2 * [2.0 if curve.joined else 3.5]))
    for position in curve.also:
        _draw_tick(painter, x_of(position, count, rect), rect.bottom(), theme)
    _draw_playhead(painter, rect, curve, theme)
    if len(known):
        seen = _along([at(int(i)) for i in known])
        if curve.current is not None:
            x = x_of(curve.current, count, rect)
            seen += [QPointF(x, rect.top() + y) for y in range(int(rect.height()))]
        context.draw_labels(painter, curve.measure, place, room, seen, theme)
    if curve.best is not None and np.isfinite(values[curve.best]):
        _draw_best(painter, at(curve.best), theme)
    for marked in (curve.hovered, _whole(curve.current)):
        if marked is not None and np.isfinite(values[marked]):
            painter.setPen(QPen(QColor(theme.card), 1.5))
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(at(marked), 4.0, 4.0)
    painter.restore()


def _along(points: list[QPointF]) -> list[QPointF]:
    x, y = np.array([(point.x(), point.y()) for point in points]).T
    steps = np.linspace(x[0], x[-1], 200)
    return [QPointF(*pair) for pair in zip(steps, np.interp(steps, x, y), strict=True)]


def _whole(position: float | None) -> int | None:
    return None if position is None or position != int(position) else int(position)


def _draw_scale(
    painter: QPainter, rect: QRectF, place: Place, curve: Curve, theme: Theme
) -> None:
    """Draw the largest and the smallest value with a line each."""
    finite = curve.values[np.isfinite(curve.values)]
    left, right = rect.left() + left_room(), rect.right() - RIGHT
    painter.setFont(plot_font(pixels=11))
    if not finite.size:
        if curve.awaited:
            return
        painter.setPen(QColor(theme.muted))
        text = undefined_text(curve.measure)
        draw_text(painter, rect.center(), text, inside=rect)
        return
    ends = sorted({float(finite.min()), float(finite.max())})
    height = QFontMetricsF(painter.font()).height()
    heights = [place(0, value).y() for value in ends]
    # Two numbers of lines that are close move apart rather than into each other.
    apart = max(0.0, height - (heights[0] - heights[-1])) / 2 if len(ends) > 1 else 0.0
    for value, y, shift in zip(ends, heights, (apart, -apart), strict=False):
        painter.setPen(hairline(theme.border))
        painter.drawLine(QLineF(left, y, right, y))
        painter.setPen(QColor(theme.muted))
        at = QPointF(left - 6, y + shift)
        draw_text(painter, at, curve.measure.text(value), 1.0, inside=rect)


def _draw_playhead(painter: QPainter, rect: QRectF, curve: Curve, theme: Theme) -> None:
    if curve.hovered is not None:
        x = x_of(curve.hovered, len(curve.values), rect)
        painter.setPen(hairline(theme.muted))
        painter.drawLine(QLineF(x, rect.top() + 2, x, rect.bottom()))
    if curve.current is not None:
        x = x_of(curve.current, len(curve.values), rect)
        painter.setPen(QPen(QColor(theme.text), 1.4))
        painter.drawLine(QLineF(x, rect.top() + 6, x, rect.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.text))
        top = rect.top() + 1
        painter.drawPolygon(
            QPolygonF([QPointF(x - 5, top), QPointF(x + 5, top), QPointF(x, top + 7)])
        )


def _draw_best(painter: QPainter, at: QPointF, theme: Theme) -> None:
    """Draw a ring: the value to look at first."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.card), 4.0))
    painter.drawEllipse(at, 6.0, 6.0)
    painter.setPen(QPen(QColor(theme.warning), 2.0))
    painter.drawEllipse(at, 6.0, 6.0)


def _draw_tick(painter: QPainter, x: float, bottom: float, theme: Theme) -> None:
    path = QPainterPath(QPointF(x, bottom - 6))
    path.lineTo(x - 3.5, bottom)
    path.lineTo(x + 3.5, bottom)
    path.closeSubpath()
    painter.fillPath(path, QColor(theme.warning))
