"""OverlayPlot: two pictures of the same rows on top of each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen

from kpca_viewer.features.sweep.compare_text import overlay_text
from kpca_viewer.widgets.plots.cloud_drawing import (
    DrawnPoints,
    draw_shapes,
    draw_sprites,
)
from kpca_viewer.widgets.plots.frame import Frame, equal_ranges, fitted_ranges
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.pixels import is_vector
from kpca_viewer.widgets.plots.sprites import (
    FADED,
    NORMAL,
    STATES,
    Palette,
    SpriteAtlas,
)
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font
from kpca_viewer.widgets.thumbnails import Shades, dot_size

Array = NDArray[Any]

MOST = 5000
"""Rows that are drawn at most; more lines than that run into each other."""

HEADER = 26.0
"""Pixels for the line that says which picture is which."""


class OverlayPlot(PaintedPlot):
    """Every row in the second picture, with a line from its place in the first."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("compare_overlay")
        self.setAccessibleName("Both pictures on top of each other")
        self._before: Array = np.empty((0, 2))
        self._after: Array = np.empty((0, 2))
        self._shades = Shades()
        self._selected: Array | None = None
        self._text = ""

    def show_pictures(
        self,
        before: Array,
        after: Array,
        shades: Shades,
        names: Sequence[str] = ("the left", "the right"),
    ) -> None:
        """Show two pictures (n, 2 or 3) that were laid over each other."""
        self._before, self._after = before[:, :2], after[:, :2]
        self._shades = shades
        self._text = overlay_text(names, in_space=before.shape[1] > 2)
        self.update()

    def show_nothing(self, why: str) -> None:
        self._before = self._after = np.empty((0, 2))
        self._text = why
        self.update()

    def set_selected(self, mask: Array | None) -> None:
        self._selected = mask
        self.update()

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint everything into an area from the origin."""
        n = len(self._after)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not n:
            painter.setFont(plot_font())
            painter.setPen(QColor(self.theme.muted))
            area = QRectF(0, 0, size.width(), size.height())
            draw_text(painter, area.center(), self._text, inside=area)
            return
        rows = np.arange(0, n, max(1, n // MOST))
        both = np.concatenate([self._before, self._after])
        frame = _frame(both, size)
        start = frame.to_pixels(self._before[rows])
        stop = frame.to_pixels(self._after[rows])
        ways = QColor(self.theme.muted)
        ways.setAlphaF(0.22)
        painter.setPen(QPen(ways, 1.0))
        painter.drawLines(
            [
                QLineF(a, b, c, d)
                for (a, b), (c, d) in zip(start.tolist(), stop.tolist(), strict=True)
            ]
        )
        points = self._drawn(rows, stop, size)
        before = replace(
            points, pixels=start, states=np.full(len(rows), STATES.index(FADED))
        )
        if is_vector(painter):
            draw_shapes(painter, before)
            draw_shapes(painter, points)
        else:
            atlas = SpriteAtlas(points.palette, points.size, points.rim)
            draw_sprites(painter, before, atlas)
            draw_sprites(painter, points, atlas)
        font = plot_font()
        painter.setFont(font)
        painter.setPen(QColor(self.theme.muted))
        text = elided(self._text, font, size.width() - 24)
        draw_text(painter, QPointF(12, HEADER / 2), text, 0.0)

    def _drawn(self, rows: Array, pixels: Array, size: QSizeF) -> DrawnPoints:
        kind, codes = self._shades.kind, self._shades.codes
        if codes is None or len(codes) != len(self._after):
            kind, codes = "single", np.zeros(len(self._after), dtype=np.int64)
        count = int(codes.max(initial=0)) + 1 if kind == "class" else 1
        palette = Palette.of(kind, count, self.theme)
        states = np.full(len(rows), STATES.index(NORMAL))
        if self._selected is not None and len(self._selected) == len(self._after):
            faded, normal = STATES.index(FADED), STATES.index(NORMAL)
            states = np.where(self._selected[rows], normal, faded)
        diameter = dot_size(size.width(), size.height(), 6 * len(rows))
        return DrawnPoints(
            pixels=pixels,
            columns=palette.columns(codes[rows]),
            states=states,
            levels=None,
            palette=palette,
            size=diameter,
            rim=0.6 if diameter >= 4.5 else 0.0,
        )


def _frame(points: Array, size: QSizeF) -> Frame:
    """Return a frame in which one unit is equally long both ways.

    Distances are what an overlay is about; stretched axes would distort them.
    """
    width = max(size.width() - 20, 1.0)
    height = max(size.height() - HEADER - 10, 1.0)
    x, y = fitted_ranges(points, 0.02)
    return Frame(10, HEADER, width, height, *equal_ranges(x, y, width, height))
