"""Points that are not rows of the data: new points dropped into a view."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QApplication

from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.shapes import shape_path
from kpca_viewer.ui.plots.sprites import Palette, point_brush
from kpca_viewer.ui.plots.text import draw_text, plot_font, text_width

RADIUS = 7.0
"""Of a marker's ring, in pixels."""


@dataclass(frozen=True)
class Marker:
    """A new point."""

    position: tuple[float, ...]
    """In data coordinates, as many as the view has axes."""
    label: str = ""
    """Plain text beside it."""
    warn: bool = False
    """Whether the place deserves doubt, such as one far from all data."""
    about: str = ""
    """What is said of it under the mouse; plain text, several lines."""


def draw_marker(
    painter: QPainter, at: QPointF, marker: Marker, theme: Theme, area: QRectF
) -> None:
    """Draw a ring with a cross and a label that stays inside the area."""
    color = QColor(theme.warning if marker.warn else theme.text)
    shape = QPainterPath()
    shape.addEllipse(at, RADIUS, RADIUS)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        shape.moveTo(at.x() + 3 * dx, at.y() + 3 * dy)
        shape.lineTo(at.x() + (RADIUS + 4) * dx, at.y() + (RADIUS + 4) * dy)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # A halo in the colour of the card keeps the ring readable inside a crowd.
    painter.setPen(_round_pen(theme.card, 4.5))
    painter.drawPath(shape)
    pen = _round_pen(color.name(), 1.8)
    painter.setPen(pen)
    painter.drawPath(shape)
    if not marker.label:
        return
    font = plot_font()
    width = text_width(marker.label, font)
    reach = RADIUS + 8
    left = at.x() + reach
    if left + width > area.right():
        left = max(at.x() - reach - width, area.left())
    painter.setFont(font)
    painter.setPen(color)
    draw_text(painter, QPointF(left, at.y()), marker.label, 0.0, 0.5, ground=theme.card)


def nearest_marker(
    pixels: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", x: float, y: float
) -> int | None:
    """Return which of the markers at pixels (m, 2) holds a pixel, or None."""
    if not len(pixels):
        return None
    distances = np.hypot(pixels[:, 0] - x, pixels[:, 1] - y)
    nearest = int(np.argmin(distances))
    reach = max(RADIUS + 3, QApplication.startDragDistance())
    return nearest if distances[nearest] <= reach else None


def _round_pen(color: str, width: float) -> QPen:
    return QPen(QColor(color), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


def draw_lit(
    painter: QPainter,
    at: QPointF,
    palette: Palette,
    column: int,
    radius: float,
    theme: Theme,
) -> None:
    """Draw a point of the data large, with a ring around it."""
    painter.translate(at)
    body = shape_path(palette.shapes[column], max(radius, 4.5))
    painter.setBrush(point_brush(palette, column, 1.0))
    painter.setPen(QPen(QColor(theme.card), 5.0))
    painter.drawPath(body)
    painter.setPen(QPen(QColor(theme.text), 1.6))
    painter.drawPath(body)
