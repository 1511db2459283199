"""LabelLayer: labels of rows as one picture over the points."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.cloud.layer import LayerRequest
from kpca_viewer.ui.plots.cloud.row_labels import Placed, RowLabels, place_labels
from kpca_viewer.ui.plots.frame import Floats
from kpca_viewer.ui.plots.text import plot_font

Seen = tuple[NDArray[np.intp], Floats]
"""Rows (m,) and their places in the scene (m, 2)."""


_HALO = [(dx, dy) for dx in (-1.5, 0, 1.5) for dy in (-1.5, 0, 1.5) if dx or dy]
"""Where letters in the colour of the card stand around those that are read."""


def draw_labels(
    painter: QPainter, placed: Placed, theme: Theme, *, vector: bool = True
) -> None:
    """Write labels with a halo in the colour of the card, readable over lines.

    In a vector file the halo is an outline; on a screen it is letters around letters,
    which are there three times as fast.
    """
    font = plot_font()
    ascent = QFontMetricsF(font).ascent()
    halo = QPen(QColor(theme.card), 3.0)
    halo.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setFont(font)
    for box, text in placed:
        foot = QPointF(box.left(), box.top() + ascent)
        if vector:
            outline = QPainterPath()
            outline.addText(foot, font, text)
            painter.strokePath(outline, halo)
        else:
            painter.setPen(halo)
            for dx, dy in _HALO:
                painter.drawText(foot + QPointF(dx, dy), text)
        painter.setPen(QColor(theme.text))
        painter.drawText(foot, text)


class LabelLayer:
    """Labels, written again only when points, view or type change.

    Attributes
    ----------
    placed : list of (QRectF, str)
        What was written last, and where.
    """

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._picture = QPixmap()
        self.placed: Placed = []

    def draw(
        self,
        painter: QPainter,
        labels: RowLabels,
        request: LayerRequest,
        seen: Seen | None,
        theme: Theme,
    ) -> None:
        """Paint the labels of the points that a picture shows; None shows none yet."""
        if not labels or seen is None:
            self._key, self.placed = (), []
            return
        area = QRectF(*request.area)
        key = (request.key, labels, theme.name, plot_font().key())
        if key != self._key:
            self._key = key
            self.placed = place_labels(labels, *seen, request.state.size, area)
            self._picture = QPixmap(request.width, request.height)
            self._picture.setDevicePixelRatio(request.scale)
            self._picture.fill(Qt.GlobalColor.transparent)
            inner = QPainter(self._picture)
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner.translate(-area.topLeft())
            draw_labels(inner, self.placed, theme, vector=False)
            inner.end()
        painter.drawPixmap(area.topLeft(), self._picture)
