"""The axes of a flat plot: a light grid, small numbers, names that always fit."""

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
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

_TICK = 4.0
_GAP = 4.0
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


class AxesItem(FramedItem):
    """Grid, ticks and names around a frame of the scene."""

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, str] = ("", "")

    def set_names(self, names: Sequence[str]) -> None:
        self._names = (names[0], names[1])
        self.update()

    def margins(self, y_range: Range, height: float) -> QMarginsF:
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
        below, beside = (line + _GAP if name else 0.0 for name in self._names)
        return QMarginsF(
            math.ceil(_GAP + beside + width + _GAP + _TICK),
            12,
            18,
            math.ceil(_TICK + _GAP + line + below + _GAP),
        )

    def _draw_grid(
        self, painter: QPainter, frame: Frame, xs: Floats, ys: Floats
    ) -> None:
        right, bottom = frame.left + frame.width, frame.top + frame.height
        # Without smoothing a line covers whole pixels, on every screen.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(hairline(self._theme.border, painter))
        painter.drawLines([QLineF(x, frame.top, x, bottom + _TICK) for x in xs])
        painter.drawLines([QLineF(frame.left - _TICK, y, right, y) for y in ys])

    def _draw_numbers(
        self,
        painter: QPainter,
        frame: Frame,
        columns: list[tuple[float, str]],
        lines: list[tuple[float, str]],
    ) -> None:
        painter.setPen(QColor(self._theme.muted))
        left, bottom = frame.left, frame.top + frame.height
        for x, text in columns:
            draw_text(painter, QPointF(x, bottom + _TICK + _GAP), text, 0.5, 0.0)
        for y, text in lines:
            draw_text(painter, QPointF(left - _TICK - _GAP, y), text, 1.0, 0.5)

    def _draw_names(self, painter: QPainter, frame: Frame) -> None:
        font = painter.font()
        painter.setPen(QColor(self._theme.text))
        line = QFontMetricsF(font).height()
        below = frame.top + frame.height + _TICK + _GAP + line + _GAP
        middle = QPointF(frame.left + frame.width / 2, below)
        name = fitted_name(self._names[0], font, frame.width)
        draw_text(painter, middle, name, 0.5, 0.0)
        painter.save()
        painter.translate(_GAP, frame.top + frame.height / 2)
        painter.rotate(-90)
        name = fitted_name(self._names[1], font, frame.height)
        # Dots alone name nothing.
        draw_text(painter, QPointF(0, 0), "" if name == "…" else name, 0.5, 0.0)
        painter.restore()

    def boundingRect(self) -> QRectF:
        frame = self._frame
        if frame is None:
            return QRectF()
        return QRectF(
            0, 0, frame.left + frame.width + 64, frame.top + frame.height + 64
        )

    def paint(self, painter: QPainter, *args: object) -> None:
        frame = self._frame
        if frame is None:
            return
        x_ticks = _ticks(frame.x_range, frame.width, _SPACING_X)
        y_ticks = row_ticks(frame.y_range, frame.height)
        (x0, _), (y0, _) = frame.x_range, frame.y_range
        xs = frame.to_pixels(np.column_stack([x_ticks, np.full_like(x_ticks, y0)]))[
            :, 0
        ]
        ys = frame.to_pixels(np.column_stack([np.full_like(y_ticks, x0), y_ticks]))[
            :, 1
        ]
        painter.setFont(plot_font())
        self._draw_grid(painter, frame, xs, ys)
        self._draw_numbers(
            painter,
            frame,
            list(zip(xs, tick_labels(x_ticks), strict=True)),
            list(zip(ys, tick_labels(y_ticks), strict=True)),
        )
        self._draw_names(painter, frame)


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
