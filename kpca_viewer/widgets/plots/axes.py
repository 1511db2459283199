"""The axes of a flat plot: a light grid, small numbers, names that always fit."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem

from kpca_viewer.support.numerals import tick_labels
from kpca_viewer.widgets.plots.frame import Floats, Frame, Range, nice_ticks
from kpca_viewer.widgets.plots.text import (
    draw_text,
    fitted_name,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import LIGHT, Theme

Side = Literal["left", "right", "bottom"]
Tick = tuple[float, str]
"""A pixel along an axis, and what is written there."""
Color = str | Callable[[Theme], QColor]
"""A field of `Theme`, or a function of one."""

TICK, GAP = 4.0, 4.0
"""Pixels of the line of a tick outside of the frame, and around texts."""

NO_PEN = QPen(Qt.PenStyle.NoPen)

# One number per so many pixels.
_SPACING_X, _SPACING_Y = 88.0, 52.0


def hairline(color: str | QColor, painter: QPainter | None = None) -> QPen:
    """Return a thin pen for grids and boxes.

    Not a cosmetic one, whose width is that of one pixel: it could not be seen in print.
    For a painter it is as wide as whole pixels: at 125 % some lines of a grid would
    cover one pixel, others two.
    """
    width = 1.0
    if painter is not None:
        device = painter.deviceTransform()
        scale = math.hypot(device.m11(), device.m12())
        width = max(1, math.floor(scale)) / scale if scale > 0 else 1.0
    return QPen(QColor(color), width)


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


def numbered(values: Floats, pixel: Callable[[float], float]) -> list[Tick]:
    """Return ticks at values (t,), written with as many digits as tell them apart.

    Parameters
    ----------
    pixel : callable
        Of a value: `Frame.x_pixel` or `Frame.y_pixel`.
    """
    places = [pixel(value) for value in values.tolist()]
    return list(zip(places, tick_labels(values), strict=True))


class FramedItem(QGraphicsItem):
    """What is drawn in or around a frame of the scene, in the colours of a theme."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._frame: Frame | None = None

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_frame(self, frame: Frame) -> None:
        """Follow the frame."""
        if frame != self._frame:
            self.prepareGeometryChange()
            self._frame = frame


class _Metrics:
    """What an axis needs of a painter to know its places before it is painted."""

    def setFont(self, font: QFont) -> None:
        self._metrics = QFontMetricsF(font)

    def boundingRect(self, rect: QRectF, flags: object, text: str) -> QRectF:
        metrics = self._metrics
        return QRectF(0, 0, metrics.horizontalAdvance(text), metrics.height())


class Axis(pg.AxisItem):
    """An axis with plain text: numbers beside their ticks, a name that fits.

    pyqtgraph's own would take a name for HTML, record itself with the metrics of the
    screen and need a view to measure its length.
    """

    def __init__(self, side: Side, gap: int) -> None:
        super().__init__(side, pen=NO_PEN)
        self._name = ""
        self._style = (QFont(), (QColor(), QColor()))
        self._specs: Any = ((NO_PEN, QPointF(), QPointF()), (), ())
        self.setTickPen(NO_PEN)  # the grid draws them
        # It would set the hidden label anew whenever the range changes.
        self.enableAutoSIPrefix(False)
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
        self._specs = self.generateDrawSpecs(_Metrics()) or self._specs

    def deviceTransform_(self) -> QTransform:
        return self.sceneTransform()

    def paint(self, painter: QPainter, *args: object) -> None:
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


class AxesItem(FramedItem):
    """Grid, numbers and names around a frame of the scene.

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
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemHasNoContents)
        self._names: tuple[str, ...] = ("", "")
        self._grid = ThinLines()
        self._grid.setParentItem(self)
        self._axes = {side: Axis(side, gap) for side in sides}
        for axis in self._axes.values():
            axis.setParentItem(self)
        self._placed: tuple[object, ...] = ()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._place_again()

    def set_names(self, names: Sequence[str]) -> None:
        """Name the horizontal and the vertical axis."""
        self._names = tuple(names)
        self._place_again()

    def set_frame(self, frame: Frame) -> None:
        """Follow the frame, with round numbers along both axes."""
        super().set_frame(frame)
        self._place_again()

    def _place_again(self) -> None:
        if self._frame is not None:
            room = margins(self._names, self._frame.y_range, self._frame.height)
            size = QSizeF(
                self._frame.left + self._frame.width + room.right(),
                self._frame.top + self._frame.height + room.bottom(),
            )
            self.place(self._frame, size, round_ticks(self._frame), names=self._names)

    def margins(self, y_range: Range, height: float) -> QMarginsF:
        """Return the room that numbers and names need around a plot."""
        return margins(self._names, y_range, height)

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
        font, theme = font or plot_font(), self._theme
        ticks = {side: list(ticks.get(side, ())) for side in self._axes}
        wanted = (frame, size, ticks, tuple(names), font, tuple(grid), lines, theme)
        if wanted == self._placed:
            return
        self._placed = wanted
        rect = QRectF(frame.left, frame.top, frame.width, frame.height)
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

    def boundingRect(self) -> QRectF:
        return self.childrenBoundingRect()

    def paint(self, painter: QPainter, *args: object) -> None:
        """Leave it to the children."""


def margins(names: Sequence[str], y_range: Range, height: float) -> QMarginsF:
    """Return the room that numbers and names need around a plot.

    Parameters
    ----------
    y_range : tuple of float
        Shown by the vertical axis; decides the width of its numbers.
    height : float
        Of the plot with its margins, in pixels.
    """
    font = plot_font()
    line = QFontMetricsF(font).height()
    numbers = tick_labels(row_ticks(y_range, height - 3 * line))
    widest = max(text_width(text, font) for text in (*numbers, "−0.0"))
    # Steps of eight pixels: the plot must not tremble while a range changes.
    width = 8 * math.ceil(widest / 8)
    below, beside = (line + GAP if name else 0.0 for name in names)
    return QMarginsF(
        math.ceil(GAP + beside + width + GAP + TICK),
        12,
        18,
        math.ceil(TICK + GAP + line + below + GAP),
    )


def round_ticks(frame: Frame) -> dict[Side, list[Tick]]:
    """Return round numbers along the horizontal and the vertical axis."""
    columns = _ticks(frame.x_range, frame.width, _SPACING_X)
    rows = row_ticks(frame.y_range, frame.height)
    return {
        "bottom": numbered(columns, frame.x_pixel),
        "left": numbered(rows, frame.y_pixel),
    }


def _ticks(interval: Range, pixels: float, spacing: float) -> Floats:
    return nice_ticks(*interval, max(2, int(pixels / (spacing * type_scale()))))


def row_ticks(interval: Range, pixels: float) -> Floats:
    """Return the numbers of a vertical axis, of which no two touch."""
    ticks = _ticks(interval, pixels, _SPACING_Y)
    if len(ticks) < 2:
        return ticks
    line = QFontMetricsF(plot_font()).height()
    step = float(ticks[1] - ticks[0])
    gap = step * pixels / (interval[1] - interval[0])
    # A low plot has room for few lines: every second number, or third, and so on.
    every = max(1, math.ceil(line / max(gap, 1e-9)))
    return ticks[np.rint(ticks / step) % every == 0]


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
