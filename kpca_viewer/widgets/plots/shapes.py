"""The shapes of points."""

import math
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF, QTransform

SHAPE_COUNT = 8
"""Circle, square, triangle, diamond, plus, cross, star, hexagon."""


def shape_path(shape: int, radius: float) -> QPainterPath:
    """Return the outline of a shape around the origin.

    The shapes differ in reach so that they look equally large.
    """
    return QTransform.fromScale(radius, radius).map(_unit_path(shape % SHAPE_COUNT))


@lru_cache(maxsize=SHAPE_COUNT)
def _unit_path(shape: int) -> QPainterPath:
    path = QPainterPath()
    if shape == 0:
        path.addEllipse(QRectF(-1, -1, 2, 2))
    elif shape == 1:
        path.addRect(QRectF(-0.85, -0.85, 1.7, 1.7))
    elif shape == 2:
        path.addPolygon(_regular(3, 1.15))
    elif shape == 3:
        path.addPolygon(_regular(4, 1.1))
    elif shape in (4, 5):
        path.addRect(QRectF(-1.1, -0.36, 2.2, 0.72))
        path.addRect(QRectF(-0.36, -1.1, 0.72, 2.2))
        # Where the bars meet, there is no hole.
        path.setFillRule(Qt.FillRule.WindingFill)
        path = path.simplified()
        if shape == 5:
            path = QTransform().rotate(45).map(path)
    elif shape == 6:
        path.addPolygon(_regular(10, 1.2, 0.5))
    else:
        path.addPolygon(_regular(6, 1.05))
    path.closeSubpath()
    return path


def _regular(corners: int, reach: float, inner: float = 1.0) -> QPolygonF:
    """Return a regular polygon; every second corner may lie further inside."""
    angles = -math.pi / 2 + 2 * math.pi * np.arange(corners) / corners
    radii = np.where(np.arange(corners) % 2, reach * inner, reach)
    pairs = zip(radii * np.cos(angles), radii * np.sin(angles), strict=True)
    return QPolygonF([QPointF(x, y) for x, y in pairs])
