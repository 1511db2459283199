"""The names of a few rows, written beside their points."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from kpca_viewer.ui.plots.frame import Floats
from kpca_viewer.ui.plots.selection import Mask
from kpca_viewer.ui.plots.text import elided, plot_font
from kpca_viewer.ui.theme import Theme

MOST_NAMES = 12
"""More rows than this are named by hovering only."""

_WIDEST = 120.0
_AWAY = 3.0
# Right, left, above and below a point, then the corners: as shares of a box.
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


def name_boxes(
    pixels: Floats, sizes: Sequence[tuple[float, float]], diameter: float, area: QRectF
) -> list[QRectF]:
    """Find places beside points that cover neither points nor each other.

    Parameters
    ----------
    pixels : array of shape (n, 2)
        Of all points; what is not finite is not there.
    sizes : sequence of (float, float)
        Width and height of a name for each of the first points.
    diameter : float
        Of a point.
    area : QRectF
        Where names should stay.

    Returns
    -------
    list of QRectF
        A null one for a point that is not there, or with no free place around it:
        two names on top of each other would tell neither.
    """
    radius = diameter / 2
    finite = np.isfinite(pixels)
    there: Mask = finite[:, 0] & finite[:, 1]
    points = [
        QRectF(x - radius, y - radius, diameter, diameter) for x, y in pixels[there]
    ]
    taken: list[QRectF] = []
    for (x, y), (width, height), shown in zip(pixels, sizes, there, strict=False):
        if not shown or not width:
            taken.append(QRectF())
            continue
        across, down = radius + _AWAY + width / 2, radius + height / 2
        boxes = [
            QRectF(
                x + dx * across - width / 2, y + dy * down - height / 2, width, height
            )
            for dx, dy in _SIDES
        ]
        free = (
            box
            for box in boxes
            if area.contains(box)
            and not any(box.intersects(other) for other in (*points, *taken))
        )
        taken.append(next(free, QRectF()))
    return taken


def draw_row_names(
    painter: QPainter,
    pixels: Floats,
    names: Sequence[str],
    diameter: float,
    theme: Theme,
    area: QRectF,
) -> None:
    """Write names beside the first of the points (n, 2)."""
    font = plot_font()
    metrics = QFontMetricsF(font)
    texts = [elided(name, font, _WIDEST) for name in names]
    sizes = [
        (metrics.horizontalAdvance(text), metrics.height() if text else 0.0)
        for text in texts
    ]
    # A halo in the colour of the card keeps letters readable over lines.
    halo = QPen(QColor(theme.card), 3.0)
    halo.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setFont(font)
    boxes = name_boxes(pixels, sizes, diameter, area)
    for box, text in zip(boxes, texts, strict=False):
        if box.isNull():
            continue
        foot = QPointF(box.left(), box.top() + metrics.ascent())
        outline = QPainterPath()
        outline.addText(foot, font, text)
        painter.strokePath(outline, halo)
        painter.setPen(QColor(theme.text))
        painter.drawText(foot, text)
