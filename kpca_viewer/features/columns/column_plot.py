"""A component against a column: all rows, and the mean of rows with about one value."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPolygonF

from kpca_viewer.widgets.plots.axes import margins, round_ticks
from kpca_viewer.widgets.plots.chart import Chart
from kpca_viewer.widgets.plots.coloring import Coloring
from kpca_viewer.widgets.plots.frame import REACH, Frame, fitted_range
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import Theme

Array = NDArray[Any]

MOST_DRAWN = 1500
"""Rows whose points are drawn; the curve is of all of them."""


@dataclass(frozen=True, eq=False)
class ColumnRows:
    """What is drawn.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Which rows the points are.
    places : ndarray of shape (m, 2)
        Value of the column and score of every one of them.
    curve : ndarray of shape (p, 2)
        The mean curve.
    names : tuple of str
        Of the column and of the component.
    colors : Coloring or None
        What the colours of these rows mean, as in all plots.
    """

    rows: Array
    places: Array
    curve: Array
    names: tuple[str, str]
    colors: Coloring | None = None


class ColumnPlot(PaintedPlot):
    """Points in the colours of all plots, and a line through their means."""

    row_hovered = Signal(object)
    """A row of the data, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("column_plot")
        self.setAccessibleName("Component against column")
        self.chart = Chart()
        self._shown: ColumnRows | None = None
        self._at: int | None = None

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.chart.set_theme(theme)

    @property
    def shown(self) -> ColumnRows | None:
        return self._shown

    def show_rows(self, shown: ColumnRows | None) -> None:
        """Draw rows, or nothing."""
        self._shown, self._at = shown, None
        self.update()

    def set_hovered(self, row: int | None) -> None:
        """Light up a row of the data where it is drawn. Emits nothing."""
        at = None
        if row is not None and self._shown is not None:
            found = np.flatnonzero(self._shown.rows == row)
            at = int(found[0]) if len(found) else None
        if at != self._at:
            self._at = at
            self.update()

    def frame(self, size: QSizeF | None = None) -> Frame:
        """Return where the axes stand."""
        size = size or QSizeF(self.size())
        assert self._shown is not None
        x, y = (fitted_range(column) for column in self._shown.places.T)
        around = margins(self._shown.names, y, size.height())
        width = max(size.width() - around.left() - around.right(), 16.0)
        height = max(size.height() - around.top() - around.bottom(), 16.0)
        return Frame(around.left(), around.top(), width, height, x, y)

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint axes, points and curve."""
        shown = self._shown
        if shown is None or not len(shown.rows):
            return
        frame = self.frame(size)
        self.chart.place(frame, size, round_ticks(frame), names=shown.names)
        self.chart.draw(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pixels = frame.to_pixels(shown.places)
        self._draw_points(painter, shown, pixels)
        line = QPolygonF([QPointF(*at) for at in frame.to_pixels(shown.curve)])
        # A halo in the colour of the card keeps it readable inside a crowd.
        for color, width in ((self.theme.card, 5.0), (self.theme.text, 2.0)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawPolyline(line)
        if live and self._at is not None:
            painter.setPen(QPen(QColor(self.theme.text), 1.6))
            painter.setBrush(QColor(self.theme.accent))
            painter.drawEllipse(QPointF(*pixels[self._at]), 6, 6)

    def _draw_points(self, painter: QPainter, shown: ColumnRows, pixels: Array) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        radius = (2.6 if len(pixels) > 300 else 3.4) * type_scale()
        colors, which = [QColor(self.theme.accent)], np.zeros(len(pixels), dtype=int)
        meant = shown.colors
        if meant is not None:
            palette = Palette.of(meant.kind, len(meant.names), self.theme)
            colors = [QColor(*color) for color in palette.colors.tolist()]
            which = np.asarray(palette.columns(meant.codes))
        for color in colors:
            color.setAlphaF(0.6)
        for at, code in zip(pixels.tolist(), which.tolist(), strict=True):
            painter.setBrush(colors[code])
            painter.drawEllipse(QPointF(*at), radius, radius)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        shown = self._shown
        if shown is None or not len(shown.rows):
            return
        at = event.position()
        pixels = self.frame().to_pixels(shown.places)
        away = np.hypot(*(pixels - (at.x(), at.y())).T)
        nearest = int(np.argmin(away))
        found = nearest if away[nearest] <= REACH else None
        if found != self._at:
            self._at = found
            self.update()
            self.row_hovered.emit(None if found is None else int(shown.rows[found]))

    def leaveEvent(self, event: QEvent) -> None:
        if self._at is not None:
            self._at = None
            self.row_hovered.emit(None)
        super().leaveEvent(event)
