"""The axes of a flat plot: a light grid, small numbers, names that always fit."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from kpca_viewer.support.numerals import tick_labels
from kpca_viewer.widgets.plots.frame import Floats, Frame, Range, nice_ticks
from kpca_viewer.widgets.plots.text import (
    draw_text,
    fitted_name,
    is_printing,
    plot_font,
    type_scale,
)
from kpca_viewer.widgets.theme import LIGHT, THEMES, Theme

Side = Literal["left", "right", "bottom"]
Tick = tuple[float, str]
"""A pixel along an axis, and what is written there."""
Ticks = Mapping[Side, Sequence[Tick]]
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
    if theme.strong and is_printing():
        # Files are not read from the last row of a class.
        theme = THEMES[theme.name]
    found = QColor(getattr(theme, color)) if isinstance(color, str) else color(theme)
    found.setAlphaF(strength)
    return found


def numbered(values: Floats, pixel: Callable[[float], float]) -> list[Tick]:
    """Return ticks at values (t,), written with as many digits as tell them apart."""
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
        if frame != self._frame:
            self.prepareGeometryChange()
            self._frame = frame

    def boundingRect(self) -> QRectF:
        return QRectF() if self._frame is None else QRectF(*self._frame.rect)


def draw_thin_lines(
    painter: QPainter, lines: Sequence[tuple[QColor, list[QLineF]]]
) -> None:
    """Draw level and upright lines, those of one colour with one call."""
    # Without smoothing a line covers whole pixels, on every screen.
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for color, each in lines:
        painter.setPen(hairline(color, painter))
        painter.drawLines(each)


class AxesItem(FramedItem):
    """Grid, numbers and names around a frame of the scene.

    pyqtgraph's `AxisItem` would take a name for HTML and draw with the metrics of the
    screen; given ticks, texts and room it does nothing that is not done here, and
    takes 0.3 ms longer whenever a range changes.
    """

    def __init__(self, *, gap: float = TICK + GAP) -> None:
        super().__init__()
        # What is exposed is told to `paint` only so.
        self.setFlag(self.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._gap = gap
        self._names: tuple[str, ...] = ("", "")
        self.has_names = True
        self._size = QSizeF()
        self._ticks: Ticks = {}
        self._round: tuple[object, Ticks] = None, {}
        self._grid: Sequence[Side] = ("left", "bottom")
        self._lines: Sequence[tuple[Color, list[QLineF]]] = ()
        self._numbers: Color = "muted"
        self._font: QFont | None = None

    def set_names(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self.update()

    def set_frame(self, frame: Frame) -> None:
        super().set_frame(frame)
        self._ticks = {}

    def margins(self, y_range: Range, height: float) -> QMarginsF:
        names = self._names if self.has_names else ("", "")
        return margins(names, y_range, height)

    def place(
        self,
        frame: Frame,
        size: QSizeF,
        ticks: Ticks,
        *,
        names: Sequence[str] = (),
        font: QFont | None = None,
        grid: Sequence[Side] = ("left", "bottom"),
        lines: Sequence[tuple[Color, list[QLineF]]] = (),
        numbers: Color = "muted",
    ) -> None:
        """Stand around a frame, on all of the size beside it.

        Ticks are pixels along each side and what is written there; names are those of
        the bottom, the left and the right; sides of the ``grid`` have lines across the
        frame, over which come more thin ``lines``; ``numbers`` is the colour at the
        right.
        """
        super().set_frame(frame)
        self._size, self._ticks, self._names = size, ticks, tuple(names)
        self._font, self._grid, self._lines = font, grid, lines
        self._numbers = numbers

    def boundingRect(self) -> QRectF:
        frame = self._frame
        if frame is None:
            return QRectF()
        beyond = QSizeF(frame.left + frame.width + 64, frame.top + frame.height + 64)
        return QRectF(QPointF(0, 0), beyond.expandedTo(self._size))

    def _round_ticks(self, frame: Frame, font: QFont) -> Ticks:
        """Return ticks at round numbers, found anew for another frame or type only."""
        of = frame, font, type_scale()
        if self._round[0] != of:
            self._round = of, round_ticks(frame)
        return self._round[1]

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        frame = self._frame
        if frame is None:
            return
        font = self._font or plot_font()
        ticks = self._ticks or self._round_ticks(frame, font)
        rect = QRectF(*frame.rect)
        across = [
            _across(side, rect, at) for side in self._grid for at, _ in ticks[side]
        ]
        lines = [("border", across), *self._lines]
        draw_thin_lines(
            painter, [(color_of(self._theme, color), each) for color, each in lines]
        )
        # While points glide, nothing around the frame has to be painted again.
        if rect.adjusted(-3, -3, 3, 3).contains(option.exposedRect):
            return
        painter.setFont(font)
        for side, each in ticks.items():
            color = self._numbers if side == "right" else "muted"
            painter.setPen(color_of(self._theme, color))
            for at, text in each:
                draw_text(painter, *self._place_of(side, rect, at, text))
        painter.setPen(QColor(self._theme.text))
        if not self.has_names:
            return
        sides: tuple[Side, ...] = ("bottom", "left", "right")
        for side, name in zip(sides, self._names, strict=False):
            self._draw_name(painter, rect, side, name)

    def _place_of(
        self, side: Side, rect: QRectF, at: float, text: str
    ) -> tuple[QPointF, str, float, float]:
        if side == "bottom":
            return QPointF(at, rect.bottom() + self._gap), text, 0.5, 0.0
        if side == "left":
            return QPointF(rect.left() - self._gap, at), text, 1.0, 0.5
        return QPointF(rect.right() + self._gap, at), text, 0.0, 0.5

    def _draw_name(
        self, painter: QPainter, rect: QRectF, side: Side, name: str
    ) -> None:
        font, flat = painter.font(), side == "bottom"
        text = fitted_name(name, font, rect.width() if flat else rect.height())
        # Dots alone name nothing.
        if text in ("", "…"):
            return
        painter.save()
        if flat:
            line = QFontMetricsF(font).height()
            below = rect.bottom() + self._gap + line + GAP
            if not self._size.isEmpty():
                below = min(below, self._size.height() - line)
            painter.translate(rect.center().x(), below)
        else:
            left = side == "left"
            x = GAP if left else self._size.width() - GAP
            painter.translate(x, rect.center().y())
            painter.rotate(-90 if left else 90)
        draw_text(painter, QPointF(0, 0), text, 0.5, 0.0)
        painter.restore()


def margins(names: Sequence[str], y_range: Range, height: float) -> QMarginsF:
    """Return the room for numbers and names around a plot of this whole height."""
    font = plot_font()
    metrics = QFontMetricsF(font)
    line = metrics.height()
    numbers = tick_labels(row_ticks(y_range, height - 3 * line))
    widest = max(map(metrics.horizontalAdvance, (*numbers, "−0.0")))
    # Steps of eight pixels: the plot must not tremble while a range changes.
    width = 8 * math.ceil(widest / 8)
    below, beside = (line + GAP if name else 0.0 for name in names)
    return QMarginsF(
        math.ceil(GAP + beside + width + GAP + TICK),
        12,
        18,
        math.ceil(TICK + GAP + line + below + GAP),
    )


def round_ticks(frame: Frame) -> Ticks:
    columns = _ticks(frame.x_range, frame.width, _SPACING_X)
    metrics = QFontMetricsF(plot_font())
    widest = max(map(metrics.horizontalAdvance, tick_labels(columns)), default=0)
    columns = _apart(columns, frame.x_range, frame.width, widest + GAP, pair=True)
    rows = row_ticks(frame.y_range, frame.height)
    return {
        "bottom": numbered(columns, frame.x_pixel),
        "left": numbered(rows, frame.y_pixel),
    }


def _ticks(interval: Range, pixels: float, spacing: float) -> Floats:
    return nice_ticks(*interval, max(2, int(pixels / (spacing * type_scale()))))


def row_ticks(interval: Range, pixels: float) -> Floats:
    """Return the numbers of a vertical axis, of which no two touch."""
    line = QFontMetricsF(plot_font()).height()
    return _apart(_ticks(interval, pixels, _SPACING_Y), interval, pixels, line)


def _apart(
    ticks: Floats, interval: Range, pixels: float, least: float, *, pair: bool = False
) -> Floats:
    """Return numbers that are so many pixels apart: every second, or third, and so on.

    A small plot has room for few. Zero is among them, unless it were alone and a
    ``pair`` has room.
    """
    if len(ticks) < 2:
        return ticks
    step = float(ticks[1] - ticks[0])
    gap = step * pixels / (interval[1] - interval[0])
    every = max(1, math.ceil(least / max(gap, 1e-9)))
    steps = np.rint(ticks / step) % every
    if pair and (steps == 0).sum() < 2 and (steps == every // 2).sum() > 1:
        return ticks[steps == every // 2]
    return ticks[steps == 0]


def _across(side: Side, rect: QRectF, at: float) -> QLineF:
    """Return the line of a tick, which begins outside of the frame."""
    if side == "bottom":
        return QLineF(at, rect.top(), at, rect.bottom() + TICK)
    if side == "left":
        return QLineF(rect.left() - TICK, at, rect.right(), at)
    return QLineF(rect.left(), at, rect.right() + TICK, at)
