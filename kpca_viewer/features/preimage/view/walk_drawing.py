"""How a walk is drawn: pictures side by side, or the ways of the columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from kpca_viewer.features.preimage.walk import Array, Walk
from kpca_viewer.support.numerals import fixed, readable
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

DASHES = [3.0, 2.0]
"""Around what only lies near the walk."""


@dataclass(frozen=True, eq=False)
class ShownWalk:
    """All that is drawn of a walk."""

    walk: Walk
    images: Sequence[QImage] = ()
    """Its places as pictures; none where rows are no pictures."""
    lines: Sequence[tuple[str, Array]] = ()
    """The columns that move most, in standard deviations around their means."""


def draw_walk(
    painter: QPainter,
    rect: QRectF,
    shown: ShownWalk,
    theme: Theme,
    value: float | None = None,
) -> None:
    """Draw a walk into a rectangle, on the screen or on paper; on any thread.

    Parameters
    ----------
    value : float, optional
        Where the walk is now, which is marked.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.setFont(plot_font())
    draw = _draw_pictures if shown.images else _draw_lines
    draw(painter, rect, shown, theme, value)


def _draw_pictures(
    painter: QPainter,
    rect: QRectF,
    shown: ShownWalk,
    theme: Theme,
    value: float | None,
) -> None:
    walk, images = shown.walk, shown.images
    line = painter.fontMetrics().height() + 4
    width = rect.width() / len(images)
    now = None if value is None else walk.nearest(value)
    for index, image in enumerate(images):
        left = rect.left() + index * width
        room = QRectF(left + 3, rect.top() + 3, width - 6, rect.height() - line - 6)
        where = fitted(image, room)
        place = walk.places[index]
        painter.drawImage(where, image)
        chosen = index == now
        near = theme.border if place.lies_here else theme.warning
        pen = QPen(QColor(theme.accent if chosen else near))
        pen.setWidthF(2.5 if chosen else 1.0 if place.lies_here else 2.0)
        if not place.lies_here:
            pen.setDashPattern(DASHES)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(where)
        painter.setPen(QColor(theme.text if chosen else theme.muted))
        text = readable(float(walk.values[index]), 2)
        if value is None and index == 0:
            # On paper nothing else says which component it is.
            text = f"PC {walk.component + 1} = {text}"
        below = QPointF(where.center().x(), where.bottom() + line / 2 + 1)
        draw_text(painter, below, text)


def _draw_lines(
    painter: QPainter,
    rect: QRectF,
    shown: ShownWalk,
    theme: Theme,
    value: float | None,
) -> None:
    walk, lines = shown.walk, shown.lines
    if not lines:
        return
    font, high = painter.font(), painter.fontMetrics().height()
    names = max(text_width(name, font) for name, _ in lines)
    names = min(names, 0.35 * rect.width())
    plot = rect.adjusted(40, 6, -names - 14, -high - 6)
    ways = np.array([way for _, way in lines])
    low, top = float(ways.min()), float(ways.max())
    if top - low < 1e-9:
        low, top = low - 1, top + 1
    x0, x1 = float(walk.values[0]), float(walk.values[-1])

    def at(x: float, y: float) -> QPointF:
        across = (x - x0) / ((x1 - x0) or 1.0)
        return QPointF(
            plot.left() + across * plot.width(),
            plot.bottom() - (y - low) / (top - low) * plot.height(),
        )

    painter.setPen(QColor(theme.border))
    painter.drawRect(plot)
    painter.setPen(QColor(theme.muted))
    for y, aside in ((low, 1.0), (top, 0.0)):
        corner = QPointF(plot.left() - 5, at(x0, y).y())
        draw_text(painter, corner, f"{fixed(y, 1)} σ", 1.0, aside)
    for x, side in ((x0, 0.0), (x1, 1.0)):
        corner = QPointF(at(x, low).x(), plot.bottom() + 3)
        draw_text(painter, corner, readable(x, 2), side, 0.0)
    middle = QPointF(plot.center().x(), plot.bottom() + 3)
    draw_text(painter, middle, f"PC {walk.component + 1}", 0.5, 0.0)
    if value is not None:
        painter.setPen(QPen(QColor(theme.accent), 1.4))
        now = min(max(value, x0), x1)
        painter.drawLine(at(now, low), at(now, top))
    lies_here = [
        one.lies_here and other.lies_here for one, other in pairwise(walk.places)
    ]
    ends = _apart([at(x1, way[-1]).y() for _, way in lines], high, plot)
    for index, (name, way) in enumerate(lines):
        color = QColor(theme.class_colors[index % len(theme.class_colors)])
        whole, dashed = QPen(color, 2.0), QPen(color, 2.0)
        dashed.setDashPattern(DASHES)
        points = [at(float(x), float(y)) for x, y in zip(walk.values, way, strict=True)]
        for here, (start, end) in zip(lies_here, pairwise(points), strict=True):
            painter.setPen(whole if here else dashed)
            painter.drawLine(start, end)
        painter.setPen(whole)
        painter.drawLine(at(x1, way[-1]), QPointF(plot.right() + 8, ends[index]))
        painter.setPen(QColor(theme.text))
        text = elided(name, font, names)
        draw_text(painter, QPointF(plot.right() + 12, ends[index]), text, 0.0, 0.5)


def _apart(heights: list[float], least: float, plot: QRectF) -> list[float]:
    """Move texts at heights apart, so that none of them covers another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    found = list(heights)
    edge = plot.top() - least
    for index in order:
        edge = found[index] = max(found[index], edge + least)
    edge = plot.bottom() + least / 2 + least
    for index in reversed(order):
        edge = found[index] = min(found[index], edge - least)
    return found
