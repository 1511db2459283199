"""The curve of a measure along a sweep: band, baselines, playhead and best marks.

Drawn by a painter and not as a `Chart`: films and sheets are drawn by the same code,
on a worker, where scenes of Qt must not be used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from kpca_viewer.engine.sweep.measures import Measure
from kpca_viewer.engine.sweep.point import BAND, SweepPoint
from kpca_viewer.engine.text.scores import LARGEST_CLASS, baselines
from kpca_viewer.features.sweep.text import undefined_text
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.plots.axes import color_of, hairline
from kpca_viewer.widgets.plots.frame import fitted_range
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width, type_scale
from kpca_viewer.widgets.theme import Theme

Place = Callable[[int, float], QPointF]
"""``place(position, value) -> pixel``."""

PENS = {LARGEST_CLASS: Qt.PenStyle.DashLine, "linear PCA": Qt.PenStyle.DotLine}

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
    widths: Array = field(default_factory=lambda: np.empty(0))
    """Shape (c,). Half of the error band at every position, NaN where there is none."""
    lines: Mapping[str, Array] = field(default_factory=dict)
    """Shape (c,). What other ways score, by their names; NaN where that is not
    known."""
    current: float | None = None
    hovered: int | None = None
    best: int | None = None
    """Positions along the curve."""
    joined: bool = True
    """Whether the positions have an order; kernels stand beside each other in none."""
    awaited: bool = False
    """Whether none of its points has come yet."""

    @classmethod
    def of(
        cls, points: Sequence[SweepPoint | None], measure: Measure, **shown: Any
    ) -> "Curve":
        """Return the curve of points in a row, of which some may be missing."""
        values, widths = np.full((2, len(points)), np.nan)
        lines: dict[str, Array] = {}
        for position, point in enumerate(points):
            if point is None:
                continue
            value = point.measures.get(measure.key)
            values[position] = np.nan if value is None else value
            widths[position] = BAND * point.yardstick.errors.get(measure.key, np.nan)
            for name, other in baselines(point, measure):
                line = lines.setdefault(name, np.full(len(points), np.nan))
                line[position] = other
        return cls(measure, values, widths, lines, awaited=not any(points), **shown)

    def extent(self) -> Array:
        """Return all numbers that have to be seen together."""
        parts = [self.values, *self.lines.values()]
        if len(self.widths):
            parts += [self.values - self.widths, self.values + self.widths]
        return np.concatenate(parts)


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
    low, high = fitted_range(curve.extent(), 0.03)
    half_line = 7 * type_scale()
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
    known = _known(values)
    if known:
        _draw_context(painter, place, rect, curve, theme)
    painter.setPen(QPen(QColor(theme.accent), 1.6))
    if curve.joined:
        # Through what is there: while it fills up, it is a curve from the start.
        painter.drawPolyline(QPolygonF([at(i) for i in known]))
    else:
        for i in known:
            painter.drawLine(QPointF(at(i).x(), inner.bottom()), at(i))
    if count <= 80:
        for i in known:
            _draw_dot(painter, at(i), 2.0 if curve.joined else 3.5, theme.accent)
    _draw_playhead(painter, rect, curve, theme)
    if known:
        _draw_names(painter, place, rect, curve, theme)
    if curve.best is not None and np.isfinite(values[curve.best]):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, width in ((theme.card, 4.0), (theme.warning, 2.0)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawEllipse(at(curve.best), 6.0, 6.0)
    for marked in (curve.hovered, curve.current):
        if marked is not None and marked == int(marked) and int(marked) in known:
            _draw_dot(painter, at(int(marked)), 5.0, theme.card)
            _draw_dot(painter, at(int(marked)), 4.0, theme.accent)
    painter.restore()


def _known(values: Array) -> list[int]:
    return [int(position) for position in np.flatnonzero(np.isfinite(values))]


def _draw_dot(painter: QPainter, at: QPointF, radius: float, color: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawEllipse(at, radius, radius)


def _draw_scale(
    painter: QPainter, rect: QRectF, place: Place, curve: Curve, theme: Theme
) -> None:
    """Draw the largest and the smallest value with a line each."""
    finite = curve.values[np.isfinite(curve.values)]
    left, right = rect.left() + left_room(), rect.right() - RIGHT
    painter.setFont(plot_font(pixels=11))
    if not finite.size:
        if not curve.awaited:
            painter.setPen(QColor(theme.muted))
            draw_text(
                painter, rect.center(), undefined_text(curve.measure), inside=rect
            )
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


def _draw_context(
    painter: QPainter, place: Place, rect: QRectF, curve: Curve, theme: Theme
) -> None:
    """Draw the error band, and what other ways score across the whole plot."""
    if curve.joined and len(curve.widths):
        ends = _known(curve.values + curve.widths)
        upper = [place(i, float(curve.values[i] + curve.widths[i])) for i in ends]
        lower = [place(i, float(curve.values[i] - curve.widths[i])) for i in ends]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color_of(theme, "accent", 0.16))
        painter.drawPolygon(QPolygonF(upper + lower[::-1]))
    for name, values in curve.lines.items():
        painter.setPen(QPen(QColor(theme.muted), 1.2, PENS[name]))
        points = [place(i, float(values[i])) for i in _known(values)]
        if points:
            # To both edges of the plot: a line, not a second curve.
            points.insert(0, QPointF(rect.left() + left_room(), points[0].y()))
            points.append(QPointF(rect.right() - RIGHT, points[-1].y()))
            painter.drawPolyline(QPolygonF(points))


def _draw_names(
    painter: QPainter, place: Place, rect: QRectF, curve: Curve, theme: Theme
) -> None:
    """Write what the lines are where least of the curve is in the way."""
    font = plot_font(pixels=11)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    points = [place(i, float(curve.values[i])) for i in _known(curve.values)]

    def hidden(labels: list[tuple[QRectF, str]]) -> int:
        return sum(box.contains(point) for box, _ in labels for point in points)

    places = (
        _names_at(end, place, rect, curve, font, below=below)
        for below in (False, True)
        for end in (-1, 0)
    )
    for box, text in min(places, key=hidden):
        draw_text(painter, box.center(), text, ground=theme.card)


def _names_at(
    end: int, place: Place, rect: QRectF, curve: Curve, font: QFont, *, below: bool
) -> list[tuple[QRectF, str]]:
    """Return names at the left (0) or right (−1) end, above or below their lines.

    Where there is no room they stand on the other side; two that would meet become one
    at the upper line.
    """
    height, labels = QFontMetricsF(font).height(), []
    for name, line in curve.lines.items():
        known = _known(line)
        if known:
            value = float(line[known[end]])
            y = place(known[end], value).y()
            fits_below = below and y + height <= rect.bottom()
            top = y if fits_below or y - height < rect.top() else y - height
            labels.append((top, f"{name} {curve.measure.text(value)}"))
    labels.sort()
    if len(labels) == 2 and labels[1][0] - labels[0][0] < height:
        labels = [(labels[0][0], f"{labels[0][1]}, {labels[1][1]}")]
    boxes = []
    for top, text in labels:
        width = text_width(text, font) + 6
        left = rect.right() - RIGHT - width if end else rect.left() + left_room()
        boxes.append((QRectF(left, top, width, height), text))
    return boxes


def _draw_playhead(painter: QPainter, rect: QRectF, curve: Curve, theme: Theme) -> None:
    if curve.hovered is not None:
        x = x_of(curve.hovered, len(curve.values), rect)
        painter.setPen(hairline(theme.muted))
        painter.drawLine(QLineF(x, rect.top() + 2, x, rect.bottom()))
    if curve.current is not None:
        x, top = x_of(curve.current, len(curve.values), rect), rect.top() + 1
        painter.setPen(QPen(QColor(theme.text), 1.4))
        painter.drawLine(QLineF(x, rect.top() + 6, x, rect.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.text))
        painter.drawPolygon(
            QPolygonF([QPointF(x - 5, top), QPointF(x + 5, top), QPointF(x, top + 7)])
        )
