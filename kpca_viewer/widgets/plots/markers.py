"""Points that are not rows of the data: new points dropped into a view."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QApplication

from kpca_viewer.widgets.plots.sprites import Palette, point_brush, shape_path
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

RADIUS = 7.0
"""Of a marker's ring, in pixels."""

REACH = RADIUS + 4
"""Of its cross."""


SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Where a label may stand: right, left, below, above, and at the corners."""


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


def draw_markers(
    painter: QPainter,
    placed: Sequence[tuple[QPointF, Marker]],
    theme: Theme,
    area: QRectF,
) -> None:
    """Draw rings with crosses and labels that stay inside the area.

    None of them covers another: rings are drawn over all halos, and a label stands
    beside its ring where it is free.
    """
    shapes = [_crossed_ring(at) for at, _ in placed]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Halos in the colour of the card keep rings readable inside a crowd.
    painter.setPen(_round_pen(theme.card, 4.5))
    for shape in shapes:
        painter.drawPath(shape)
    for shape, (_, marker) in zip(shapes, placed, strict=True):
        painter.setPen(_round_pen(_color(marker, theme), 1.8))
        painter.drawPath(shape)
    painter.setFont(plot_font())
    for box, (_, marker) in zip(label_boxes(placed, area), placed, strict=True):
        if not box.isNull():
            painter.setPen(QColor(_color(marker, theme)))
            left = QPointF(box.left(), box.center().y())
            draw_text(painter, left, marker.label, 0.0, 0.5, ground=theme.card)


def _color(marker: Marker, theme: Theme) -> str:
    return theme.warning if marker.warn else theme.text


def _crossed_ring(at: QPointF) -> QPainterPath:
    shape = QPainterPath()
    shape.addEllipse(at, RADIUS, RADIUS)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        shape.moveTo(at.x() + 3 * dx, at.y() + 3 * dy)
        shape.lineTo(at.x() + REACH * dx, at.y() + REACH * dy)
    return shape


def label_boxes(placed: Sequence[tuple[QPointF, Marker]], area: QRectF) -> list[QRectF]:
    """Return where the labels of markers stand; a null one for no label.

    The first place beside the ring and inside the area that no other ring and no label
    before takes; where there is none, to the right or left.
    """
    font = plot_font()
    height, away = QFontMetricsF(font).height(), REACH + 4
    corner, side = QPointF(REACH, REACH), QSizeF(2 * REACH, 2 * REACH)
    taken = [QRectF(at - corner, side) for at, _ in placed]
    boxes: list[QRectF] = []
    for index, (at, marker) in enumerate(placed):
        if not marker.label:
            boxes.append(QRectF())
            continue
        width = text_width(marker.label, font)
        middle = QPointF(at.x() - width / 2, at.y() - height / 2)
        beside = away + width / 2
        up = away + height / 2
        tried = [
            QRectF(middle + QPointF(dx * beside, dy * up), QSizeF(width, height))
            for dx, dy in SIDES
        ]
        others = [*taken[:index], *taken[index + 1 :], *boxes]
        right, left = tried[:2]
        left.moveLeft(max(left.left(), area.left()))
        usual = right if right.right() <= area.right() else left
        free = (
            box
            for box in tried
            if area.contains(box) and not any(box.intersects(o) for o in others)
        )
        boxes.append(next(free, usual))
    return boxes


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
    painter.translate(at)
    body = shape_path(palette.shapes[column], max(radius, 4.5))
    painter.setBrush(point_brush(palette, column, 1.0))
    painter.setPen(QPen(QColor(theme.card), 5.0))
    painter.drawPath(body)
    painter.setPen(QPen(QColor(theme.text), 1.6))
    painter.drawPath(body)
