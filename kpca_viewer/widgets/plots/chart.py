"""Charts of pyqtgraph's items: lines with bands, bars, dots, images, axes, a grid.

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
        line.setData(*frame.to_pixels(points).T)
        band.set_edges(frame.to_pixels(lower), frame.to_pixels(upper))
        chart.draw(painter)

Scenes of Qt belong to the thread of the window; so do charts.

There is no `PlotItem`: its layout would choose other places than the frame, which hit
tests and labels have to know before anything is painted; with the form behind its menu
it takes 5 ms to make, axes and scene 0.7. No `ViewBox` either: its pens are cosmetic,
hairlines in print, and its transform ends at scales of 1e-12.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsPolygonItem,
    QGraphicsRectItem,
    QGraphicsScene,
)

from kpca_viewer.support.numerals import tick_labels
from kpca_viewer.widgets.plots.axes import hairline
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.text import draw_text, fitted_name, plot_font
from kpca_viewer.widgets.theme import LIGHT, Theme

Side = Literal["left", "right", "bottom"]
Tick = tuple[float, str]
"""A pixel along an axis, and what is written there."""
Color = str | Callable[[Theme], QColor]
"""A field of `Theme`, or a function of one."""

TICK, GAP = 4.0, 4.0
"""Pixels of the line of a tick outside of the frame, and around texts."""

_GRID_Z, _AXIS_Z, _OVER_Z = -2.0, -1.0, 1.0
_NO_PEN = QPen(Qt.PenStyle.NoPen)


def numbered(values: Floats, pixel: Callable[[float], float]) -> list[Tick]:
    """Return ticks at values (t,), written with as many digits as tell them apart.

    Parameters
    ----------
    pixel : callable
        Of a value: `Frame.x_pixel` or `Frame.y_pixel`.
    """
    places = [pixel(value) for value in values.tolist()]
    return list(zip(places, tick_labels(values), strict=True))


def color_of(theme: Theme, color: Color, strength: float = 1.0) -> QColor:
    """Return a colour in a theme, translucent below a strength of one."""
    found = QColor(getattr(theme, color)) if isinstance(color, str) else color(theme)
    found.setAlphaF(strength)
    return found


def mixed(color: str, card: str, share: float) -> QColor:
    """Return a colour on a card at some strength, opaque."""
    top, below = QColor(color), QColor(card)

    def between(a: int, b: int) -> int:
        return round(share * a + (1 - share) * b)

    return QColor(
        between(top.red(), below.red()),
        between(top.green(), below.green()),
        between(top.blue(), below.blue()),
    )


class Axis(pg.AxisItem):
    """An axis with plain text: numbers beside their ticks, a name that fits.

    pyqtgraph's own would take a name for HTML, record itself with the metrics of the
    screen and need a view to measure its length.
    """

    def __init__(self, side: Side, gap: int) -> None:
        super().__init__(side, pen=_NO_PEN)
        self._name = ""
        self._style = (QFont(), (QColor(), QColor()))
        self._specs: Any = None
        self.setZValue(_AXIS_Z)
        self.setTickPen(_NO_PEN)  # the grid draws them
        self.setStyle(
            tickLength=0,
            tickTextOffset=gap,
            autoExpandTextSpace=False,
            hideOverlappingLabels=10_000,  # numbers at the ends reach beyond them
        )

    def place(
        self,
        rect: QRectF,
        ends: tuple[float, float],
        ticks: Iterable[Tick],
        name: str,
        font: QFont,
        colors: tuple[QColor, QColor],
    ) -> None:
        """Stand beside the frame, with numbers at pixels and a name.

        Parameters
        ----------
        ends : tuple of float
            Pixels of the frame along the axis, where values are low and where high.
        colors : tuple of QColor
            Of numbers and of the name.
        """
        self._specs = None
        if rect != self.geometry():
            if self.orientation == "bottom":
                self.setHeight(rect.height())
            else:
                self.setWidth(rect.width())
            self.setGeometry(rect)
        self.setRange(*ends)
        low, high = sorted(ends)
        # A number at an end must not fall off by rounding.
        inside = [
            (min(max(at, low + 1e-6), high - 1e-6), text)
            for at, text in ticks
            if low - 0.5 <= at <= high + 0.5
        ]
        self.setTicks([inside])
        if (font, colors) != self._style:
            self._style = (font, colors)
            self.setStyle(tickFont=font)
            self.setTextPen(QPen(colors[0]))
        self._name = name

    def deviceTransform_(self) -> QTransform:
        return self.sceneTransform()

    def paint(self, painter: QPainter, *args: object) -> None:
        if self._specs is None:
            self._specs = self.generateDrawSpecs(painter)
        painter.save()
        self.drawPicture(painter, *self._specs)
        painter.restore()
        if self._name:
            self._draw_name(painter)

    def _draw_name(self, painter: QPainter) -> None:
        room = self.size()
        font, colors = self._style
        painter.setFont(font)
        painter.setPen(colors[1])
        if self.orientation == "bottom":
            painter.translate(room.width() / 2, room.height() - GAP)
            length, down = room.width(), 1.0
        else:
            left = self.orientation == "left"
            painter.translate(GAP if left else room.width() - GAP, room.height() / 2)
            painter.rotate(-90 if left else 90)
            length, down = room.height(), 0.0
        text = fitted_name(self._name, painter.font(), length)
        # Dots alone name nothing.
        draw_text(painter, QPointF(0, 0), "" if text == "…" else text, 0.5, down)


class ThinLines(QGraphicsItem):
    """Level and upright lines as sharp as pixels, those of one colour with one call."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self._lines: list[tuple[QColor, list[QLineF]]] = []

    def show_lines(
        self, rect: QRectF, lines: Sequence[tuple[QColor, list[QLineF]]]
    ) -> None:
        """Draw lines of some colours, all inside a rectangle."""
        self.prepareGeometryChange()
        self._rect, self._lines = rect, list(lines)

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, *args: object) -> None:
        # Without smoothing a line covers whole pixels, on every screen.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for color, lines in self._lines:
            painter.setPen(hairline(color, painter))
            painter.drawLines(lines)


class Band(QGraphicsPolygonItem):
    """The area between a lower and an upper line."""

    def set_edges(self, lower: Floats, upper: Floats) -> None:
        """Take both lines (p, 2) in pixels, left to right."""
        corners = np.concatenate((upper, lower[::-1])).tolist()
        self.setPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))

    def paint(self, painter: QPainter, *args: Any) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        super().paint(painter, *args)


class Bars(pg.BarGraphItem):
    """Bars of one colour; those of several are several items."""

    def __init__(self) -> None:
        super().__init__(x=[], width=[], height=[], pen=_NO_PEN)

    def set_rects(self, rects: Sequence[QRectF]) -> None:
        """Take the places of bars in pixels."""
        edges = np.array([rect.getRect() for rect in rects]).reshape(-1, 4).T
        x0, y0, width, height = edges.astype(np.float64)
        self.setOpts(x0=x0, y0=y0, width=width, height=height)


class Dots(QGraphicsItem):
    """A few marks of a size in pixels; crowds are drawn by the point cloud.

    On paper they are circles, where pyqtgraph's scatter would draw bitmaps.
    """

    def __init__(self) -> None:
        super().__init__()
        self._places: Floats = np.empty((0, 2))
        self._radius = 2.0
        self.pen = _NO_PEN
        self.brush = QColor()

    def set_places(self, places: Floats, radius: float) -> None:
        """Take places (m, 2) in pixels."""
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
    """Axes around a frame, and items inside or over it.

    Parameters
    ----------
    sides : sequence of str
        Where there are axes.
    gap : int
        Pixels between the frame and numbers.
    """

    def __init__(
        self, sides: Sequence[Side] = ("left", "bottom"), *, gap: int = 8
    ) -> None:
        self.theme = LIGHT
        self.scene = QGraphicsScene()
        self._inside = QGraphicsRectItem()
        self._inside.setPen(_NO_PEN)
        clips = QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape
        self._inside.setFlag(clips)
        self._grid = ThinLines()
        self._grid.setZValue(_GRID_Z)
        self._axes = {side: Axis(side, gap) for side in sides}
        for item in (self._inside, self._grid):
            self.scene.addItem(item)
        for axis in self._axes.values():
            self.scene.addItem(axis)
        self._size = QSizeF()
        self._placed: tuple[object, ...] = ()
        self._styles: list[Callable[[Theme], None]] = []

    def set_theme(self, theme: Theme) -> None:
        """Take other colours, for axes and for the items that were made here."""
        self.theme = theme
        for style in self._styles:
            style(theme)

    def place(
        self,
        frame: Frame,
        size: QSizeF,
        ticks: Mapping[Side, Iterable[Tick]],
        *,
        names: Sequence[str] = (),
        font: QFont | None = None,
        grid: Sequence[Side] = ("left", "bottom"),
        lines: Sequence[tuple[Color, list[QLineF]]] = (),
        numbers: Color = "muted",
    ) -> None:
        """Put the axes around a frame.

        Parameters
        ----------
        frame : Frame
            The rectangle inside of which data are drawn, and their ranges.
        size : QSizeF
            Of all; axes take what is beside the frame.
        ticks : mapping of str to iterable of (float, str)
            Pixels along each axis, and what is written there.
        names : sequence of str
            Of the axes at the bottom, the left and the right.
        font : QFont or None
            Of numbers and names.
        grid : sequence of str
            Sides whose ticks have lines across the frame.
        lines : sequence of (Color, list of QLineF)
            More thin lines, over the grid.
        numbers : Color
            Of the axis at the right.
        """
        font, theme = font or plot_font(), self.theme
        ticks = {side: list(ticks.get(side, ())) for side in self._axes}
        wanted = (frame, size, ticks, tuple(names), font, tuple(grid), lines, theme)
        if wanted == self._placed:
            return
        self._placed, self._size = wanted, size
        rect = QRectF(frame.left, frame.top, frame.width, frame.height)
        # A line along an edge is as wide as inside.
        self._inside.setRect(rect.adjusted(-2, -2, 2, 2))
        named = dict(zip(("bottom", "left", "right"), names, strict=False))
        for side, axis in self._axes.items():
            room, ends = _beside(side, rect, size)
            color = color_of(theme, numbers if side == "right" else "muted")
            colors = color, QColor(theme.text)
            axis.place(room, ends, ticks[side], named.get(side, ""), font, colors)
        across = [_across(side, rect, at) for side in grid for at, _ in ticks[side]]
        self._grid.show_lines(
            QRectF(QPointF(0, 0), size),
            [
                (color_of(theme, color), each)
                for color, each in (("border", across), *lines)
            ],
        )

    def draw(self, painter: QPainter) -> None:
        """Paint everything from the origin of a device of any kind."""
        area = QRectF(QPointF(0, 0), self._size)
        self.scene.setSceneRect(area)
        self.scene.render(painter, area, area)

    def add(self, item: QGraphicsItem, *, over: bool = False) -> None:
        """Add an item: cut off at the frame, or over everything.

        Those that were added later lie over those before.
        """
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
    ) -> pg.PlotCurveItem:
        """Return a line; `setData` takes its pixels, it is open where they are NaN."""
        curve = pg.PlotCurveItem(antialias=True, connect="finite")
        # In one stroke: dashes would begin anew at every point.
        curve.setSegmentedLineMode("off")

        def style(theme: Theme) -> None:
            pen = QPen(color_of(theme, color), width)
            if dashes:
                pen.setDashPattern(list(dashes))
            curve.setPen(pen)

        self.follow(style)
        self.add(curve, over=over)
        return curve

    def band(self, color: Color = "accent", strength: float = 0.18) -> Band:
        """Return an area between two lines."""
        band = Band()
        band.setPen(_NO_PEN)
        self.follow(lambda theme: band.setBrush(color_of(theme, color, strength)))
        self.add(band)
        return band

    def bars(self, color: Color = "accent") -> Bars:
        """Return bars of one colour."""
        bars = Bars()
        self.follow(lambda theme: bars.setOpts(brush=color_of(theme, color)))
        self.add(bars)
        return bars

    def dots(self, color: Color = "accent", edge: Color = "", width: float = 0) -> Dots:
        """Return marks over everything, filled and edged where colours are named."""
        dots = Dots()

        def style(theme: Theme) -> None:
            dots.brush = color_of(theme, color) if color else QColor(0, 0, 0, 0)
            dots.pen = QPen(color_of(theme, edge), width) if edge else _NO_PEN

        self.follow(style)
        self.add(dots, over=True)
        return dots

    def thin_lines(self) -> ThinLines:
        """Return lines that are straight and sharp, as whiskers are."""
        lines = ThinLines()
        self.add(lines)
        return lines

    def image(self) -> pg.ImageItem:
        """Return a picture; `setImage` takes bytes (rows, columns, 3)."""
        image = pg.ImageItem(axisOrder="row-major")
        self.add(image)
        return image


def _beside(
    side: Side, rect: QRectF, size: QSizeF
) -> tuple[QRectF, tuple[float, float]]:
    """Return the room of an axis beside a rectangle, and the ends of its range."""
    if side == "bottom":
        room = size.height() - rect.bottom()
        below = QRectF(rect.left(), rect.bottom(), rect.width(), room)
        return below, (rect.left(), rect.right())
    ends = (rect.bottom(), rect.top())
    if side == "left":
        return QRectF(0, rect.top(), rect.left(), rect.height()), ends
    room = size.width() - rect.right()
    return QRectF(rect.right(), rect.top(), room, rect.height()), ends


def _across(side: Side, rect: QRectF, at: float) -> QLineF:
    """Return the line of a tick, which begins outside of the frame."""
    if side == "bottom":
        return QLineF(at, rect.top(), at, rect.bottom() + TICK)
    if side == "left":
        return QLineF(rect.left() - TICK, at, rect.right(), at)
    return QLineF(rect.left(), at, rect.right() + TICK, at)
