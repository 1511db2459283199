"""Charts: lines with bands, bars, dots, axes, a grid.

A chart is a scene in pixels of its widget, with axes around a `Frame`. The frame maps
data to pixels: values may be of any size, pens are as wide on paper as they look on the
screen, and the mouse points at what it is over. Items are made once and get other data
whenever the chart is drawn, on the screen and on paper::

    chart = Chart()
    line, band = chart.line("accent", 1.8), chart.band("accent", 0.18)

    def draw(painter, size):
        rows = row_ticks(frame.y_range, frame.height)
        ticks = {"left": numbered(rows, frame.y_pixel)}
        chart.place(frame, size, ticks, names=("γ", "R²"))
        line.set_places(*frame.to_pixels(points).T)
        band.set_edges(frame.to_pixels(lower), frame.to_pixels(upper))
        chart.draw(painter)

Scenes of Qt belong to the thread of the window; so do charts.

There is no `PlotItem` of pyqtgraph: its layout would choose other places than the
frame, which hit tests and labels have to know before anything is painted. No `ViewBox`
either: its pens are hairlines in print, and its transform ends at scales of 1e-12.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsPathItem,
    QGraphicsPolygonItem,
    QGraphicsRectItem,
    QGraphicsScene,
)

from kpca_viewer.widgets.plots.axes import (
    GAP,
    NO_PEN,
    TICK,
    AxesItem,
    Color,
    Ticks,
    color_of,
    draw_thin_lines,
)
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

_OVER_Z = 1.0


def mixed(color: str, card: str, share: float) -> QColor:
    """Return a colour on a card at some strength, opaque."""
    top, below = QColor(color), QColor(card)
    channels = (QColor.red, QColor.green, QColor.blue)
    return QColor(*(round(share * c(top) + (1 - share) * c(below)) for c in channels))


class ThinLines(QGraphicsItem):
    """Level and upright lines as sharp as pixels."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self._lines: Sequence[tuple[QColor, list[QLineF]]] = ()

    def show_lines(
        self, rect: QRectF, lines: Sequence[tuple[QColor, list[QLineF]]]
    ) -> None:
        self.prepareGeometryChange()
        self._rect, self._lines = rect, lines

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, *args: object) -> None:
        draw_thin_lines(painter, self._lines)


class Band(QGraphicsPolygonItem):
    """The area between a lower and an upper line."""

    def set_edges(self, lower: Floats, upper: Floats) -> None:
        corners = np.concatenate((upper, lower[::-1])).tolist()
        self.setPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))

    def paint(self, painter: QPainter, *args: Any) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        super().paint(painter, *args)


class Line(QGraphicsPathItem):
    """A line through pixels, open where they are NaN."""

    def set_places(self, x: ArrayLike, y: ArrayLike) -> None:
        both = np.array((x, y), dtype=np.float64)
        self.setPath(pg.arrayToQPath(*both, connect="finite"))

    def paint(self, painter: QPainter, *args: Any) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        super().paint(painter, *args)


class Bars(QGraphicsItem):
    """Bars of one colour; those of several are several items."""

    def __init__(self) -> None:
        super().__init__()
        self._rects: Sequence[QRectF] = ()
        self._extent = QRectF()
        self.color = QColor()

    def set_rects(self, rects: Sequence[QRectF]) -> None:
        if not rects and not self._rects:
            return
        self.prepareGeometryChange()
        self._rects, self._extent = rects, QRectF()
        for rect in rects:
            self._extent |= rect

    def boundingRect(self) -> QRectF:
        return self._extent

    def paint(self, painter: QPainter, *args: object) -> None:
        painter.setPen(NO_PEN)
        painter.setBrush(self.color)
        painter.drawRects(self._rects)


class Dots(QGraphicsItem):
    """A few marks of a size in pixels; crowds are drawn by the point cloud.

    On paper they are circles, where pyqtgraph's scatter would draw bitmaps.
    """

    def __init__(self) -> None:
        super().__init__()
        self._places: Floats = np.empty((0, 2))
        self._radius = 2.0
        self.pen = NO_PEN
        self.brush = QColor()

    def set_places(self, places: Floats, radius: float) -> None:
        self.prepareGeometryChange()
        self._places, self._radius = places, radius

    def boundingRect(self) -> QRectF:
        if not len(self._places):
            return QRectF()
        far = self._radius + self.pen.widthF()
        low, high = self._places.min(axis=0) - far, self._places.max(axis=0) + far
        return QRectF(QPointF(*low), QPointF(*high))

    def paint(self, painter: QPainter, *args: object) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen)
        painter.setBrush(self.brush)
        for x, y in self._places.tolist():
            painter.drawEllipse(QPointF(x, y), self._radius, self._radius)


class Chart:
    """Axes around a frame, a gap before their numbers, items inside or over it."""

    def __init__(self, *, gap: float = TICK + GAP) -> None:
        self.theme = LIGHT
        self.scene = QGraphicsScene()
        # An index of places would be made anew for every paint.
        self.scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self._inside = QGraphicsRectItem()
        self._inside.setPen(NO_PEN)
        clips = QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape
        self._inside.setFlag(clips)
        self.axes = AxesItem(gap=gap)
        self.scene.addItem(self.axes)
        self.scene.addItem(self._inside)
        self._size = QSizeF()
        self._shown: tuple[object, ...] = ()
        self._styles: list[Callable[[Theme], None]] = [self.axes.set_theme]

    def set_theme(self, theme: Theme) -> None:
        """Take other colours, for axes and for the items that were made here."""
        self.theme = theme
        for style in self._styles:
            style(theme)

    def is_new(self, *shown: object) -> bool:
        """Return whether items need other data: for other values, colours or type.

        Asked before they are placed; most paints are about the mouse only.
        """
        now = (*shown, self.theme, type_scale())
        if now == self._shown:
            return False
        self._shown = now
        return True

    def place(
        self,
        frame: Frame,
        size: QSizeF,
        ticks: Ticks,
        **look: Any,
    ) -> None:
        """Put the axes around a frame, with what `AxesItem.place` takes."""
        self._size = size
        rect = QRectF(*frame.rect)
        # A line along an edge is as wide as inside.
        self._inside.setRect(rect.adjusted(-2, -2, 2, 2))
        self.axes.place(frame, size, ticks, **look)

    def draw(self, painter: QPainter) -> None:
        area = QRectF(QPointF(0, 0), self._size)
        self.scene.setSceneRect(area)
        self.scene.render(painter, area, area)

    def add(self, item: QGraphicsItem, *, over: bool = False) -> None:
        """Add an item over earlier ones: cut off at the frame, or ``over`` all."""
        if over:
            item.setZValue(_OVER_Z)
            self.scene.addItem(item)
        else:
            item.setParentItem(self._inside)

    def follow(self, style: Callable[[Theme], None]) -> None:
        """Call a function with the theme, now and whenever there is another."""
        self._styles.append(style)
        style(self.theme)

    def line(
        self,
        color: Color = "accent",
        width: float = 1.6,
        *,
        dashes: Sequence[float] = (),
        over: bool = False,
    ) -> Line:
        curve = Line()

        def style(theme: Theme) -> None:
            pen = QPen(color_of(theme, color), width)
            if dashes:
                pen.setDashPattern(list(dashes))
            curve.setPen(pen)

        self.follow(style)
        self.add(curve, over=over)
        return curve

    def band(self, color: Color = "accent", strength: float = 0.18) -> Band:
        band = Band()
        band.setPen(NO_PEN)
        self.follow(lambda theme: band.setBrush(color_of(theme, color, strength)))
        self.add(band)
        return band

    def bars(self, color: Color = "accent") -> Bars:
        bars = Bars()
        self.follow(lambda theme: setattr(bars, "color", color_of(theme, color)))
        self.add(bars)
        return bars

    def dots(self, color: Color = "accent", edge: Color = "", width: float = 0) -> Dots:
        """Return marks over everything, filled and edged where colours are named."""
        dots = Dots()

        def style(theme: Theme) -> None:
            dots.brush = color_of(theme, color) if color else QColor(0, 0, 0, 0)
            dots.pen = QPen(color_of(theme, edge), width) if edge else NO_PEN

        self.follow(style)
        self.add(dots, over=True)
        return dots

    def thin_lines(self) -> ThinLines:
        lines = ThinLines()
        self.add(lines)
        return lines
