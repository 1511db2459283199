"""How the spectrum is painted: where everything stands, and in which colours."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from kpca_viewer.features.spectrum.bars import MARK, Scale, SpectrumBars
from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.plots.axes import hairline
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width, type_scale
from kpca_viewer.widgets.theme import Theme

GAP, TICK = 4.0, 4.0
"""Pixels around numbers and of the lines beside them."""

LEFT_NAME = "share"
"""What the left axis tells of every component."""

_WIDEST_BAR = 56.0
# The right axis ends a little above 100 %, so that the line does not touch the edge.
_CUMULATIVE_TOP = 1.06
# Below these sizes the names of the axes leave their room to the bars.
_NAMED_WIDTH, _NAMED_HEIGHT = 380.0, 210.0


@dataclass(frozen=True, eq=False)
class SpectrumLayout:
    """Where everything stands in an area of some size."""

    bars: SpectrumBars
    scale: Scale
    frame: Frame
    """Slots along x, heights along y."""
    ticks: list[tuple[float, str]]
    """Of the left axis."""
    cumulative: bool
    """Whether there is a right axis."""
    named: bool
    size: QSizeF

    @classmethod
    def of(
        cls,
        bars: SpectrumBars,
        scale: Scale,
        size: QSizeF,
        *,
        slots: int,
        cumulative: bool,
    ) -> "SpectrumLayout":
        """Lay the plot out.

        Parameters
        ----------
        slots : int
            Places along the axis, with or without a bar.
        cumulative : bool
            Whether there is a right axis.
        """
        font = plot_font()
        line = QFontMetricsF(font).height()
        large = type_scale()
        wide, high = _NAMED_WIDTH * large, _NAMED_HEIGHT * large
        named = size.width() >= wide and size.height() >= high
        name = line + GAP if named else 0.0
        top = line + 12
        height = max(size.height() - top - TICK - GAP - line - name - GAP, 16.0)
        ticks = scale.ticks(height)
        widest = max(text_width(text, font) for _, text in (*ticks, (0, "10 %")))
        # Steps of eight pixels: the plot must not tremble while a range changes.
        left = GAP + name + 8 * math.ceil(widest / 8) + GAP + TICK
        right = 12.0
        if cumulative:
            right = TICK + GAP + text_width("100 %", font) + GAP + name
        width = max(size.width() - left - right, 16.0)
        frame = Frame(left, top, width, height, (0.5, slots + 0.5), scale.range)
        return cls(bars, scale, frame, ticks, cumulative, named, size)

    def x(self, slot: float) -> float:
        """Return the middle of a place along the axis."""
        return self.frame.left + (slot - 0.5) * self.slot_width

    def y(self, height: float) -> float:
        """Return the pixel of a height on the left axis."""
        low, high = self.frame.y_range
        return self.frame.top + self.frame.height * (high - height) / (high - low)

    def cumulative_y(self, share: float) -> float:
        """Return the pixel of a share on the right axis; both have the same zero."""
        return self.y(share / _CUMULATIVE_TOP * self.frame.y_range[1])

    @property
    def slot_width(self) -> float:
        return self.frame.width / (self.frame.x_range[1] - 0.5)

    def slot_at(self, x: float) -> float:
        """Return the place along the axis at a pixel, not rounded."""
        return (x - self.frame.left) / self.slot_width + 0.5

    @property
    def bar_width(self) -> int:
        """Whole pixels; without gaps where these would be finer than a pixel."""
        if self.slot_width < 3:
            return math.ceil(self.slot_width)
        return round(min(0.72 * self.slot_width, _WIDEST_BAR))

    def bar_rects(self) -> list[QRect]:
        """Return every bar in whole pixels; at least one high if it is not zero."""
        width = self.bar_width
        zero = round(self.y(0.0))
        heights = self.scale.heights(self.bars.shares)
        rects = []
        for slot, height in zip(self.bars.slots, heights, strict=True):
            left = round(self.x(float(slot)) - width / 2)
            end = round(self.y(float(height)))
            if height > 0:
                end = min(end, zero - 1)
                rects.append(QRect(left, end, width, zero - end))
            else:
                end = max(end, zero + 1) if height < 0 else zero
                rects.append(QRect(left, zero, width, end - zero))
        return rects

    def column(self, bar: int) -> QRectF:
        """Return the full height of a bar's place."""
        middle = self.x(float(self.bars.slots[bar]))
        half = min(max(self.slot_width / 2, 3.0), self.bar_width / 2 + 8)
        return QRectF(middle - half, self.frame.top, 2 * half, self.frame.height)

    def cut_x(self, cut: int) -> float:
        """Return where the cut stands that keeps so many components."""
        return min(self.x(cut + 0.5), self.frame.left + self.frame.width)

    def cut_grip(self, cut: int) -> tuple[QRectF, str]:
        """Return the box above the cut and what it says."""
        font = plot_font(bold=True)
        text = f"{cut:,} component{'' if cut == 1 else 's'}"
        if text_width(text, font) > 0.3 * self.frame.width:
            text = f"{cut:,}"
        width = text_width(text, font) + 14
        height = QFontMetricsF(font).height() + 4
        left = self.cut_x(cut) - width / 2
        low, high = self.top_ends("cum.")
        left = max(min(left, high - width), low)
        return QRectF(left, self.frame.top - 4 - height, width, height), text

    def top_ends(self, right_name: str) -> tuple[float, float]:
        """Return where the row above the bars begins and ends, between axis names."""
        low, high, font = GAP, self.size.width() - GAP, plot_font()
        if not self.named:
            low += text_width(LEFT_NAME, font) + GAP
            high -= text_width(right_name, font) + GAP if self.cumulative else 0.0
        return low, high

    def cumulative_points(self) -> Floats:
        """Return the corners of the cumulative line in pixels, (p, 2)."""
        shares = self.bars.cumulative[: self.bars.head]
        known = np.isfinite(shares)
        slots = self.bars.slots[: self.bars.head][known]
        return np.array(
            [
                (self.x(float(slot)), self.cumulative_y(float(share)))
                for slot, share in zip(slots, shares[known], strict=True)
            ]
        ).reshape(-1, 2)


def draw_axes(painter: QPainter, layout: SpectrumLayout, theme: Theme) -> None:
    """Paint the grid and the numbers at both sides."""
    frame = layout.frame
    right = frame.left + frame.width
    painter.setFont(plot_font())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(hairline(theme.border, painter))
    for height, _ in layout.ticks:
        y = round(layout.y(height))
        painter.drawLine(QLineF(frame.left - TICK, y, right, y))
    painter.setPen(hairline(theme.outline, painter))
    zero = round(layout.y(0.0))
    painter.drawLine(QLineF(frame.left, zero, right, zero))
    painter.setPen(QColor(theme.muted))
    for height, text in layout.ticks:
        at = QPointF(frame.left - TICK - GAP, layout.y(height))
        draw_text(painter, at, text, 1.0, 0.5)
    if layout.cumulative:
        # In the colour of the line that is read there.
        painter.setPen(line_color(theme))
        for share in _cumulative_ticks(frame.height):
            at = QPointF(right + TICK + GAP, layout.cumulative_y(share))
            painter.drawLine(QLineF(right, round(at.y()), right + TICK, round(at.y())))
            draw_text(painter, at, percent(share, 0), 0.0, 0.5)


def draw_bars(painter: QPainter, layout: SpectrumLayout, theme: Theme) -> None:
    """Paint the bars and their error whiskers."""
    bars = layout.bars
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for bar, rect in enumerate(layout.bar_rects()):
        painter.fillRect(rect, bar_color(bars, bar, theme))
    # Only kept components have bounds.
    for bar in range(min(bars.kept, bars.head)):
        _draw_whisker(painter, layout, bar, bars.bounds[bar], QColor(theme.text))
        if bars.moves is not None:
            _draw_whisker(painter, layout, bar, bars.moves[bar], move_color(theme))


def bar_color(bars: SpectrumBars, bar: int, theme: Theme) -> QColor:
    """Return the colour of a bar: its role, and lighter if it was not kept."""
    kept = bars.components[bar] < bars.kept
    if bars.values[bar] < 0:
        return mixed(theme.warning, theme.card, 1.0 if kept else 0.75)
    if bars.on_axes[bar]:
        return QColor(theme.accent)
    return mixed(theme.muted, theme.card, 0.6 if kept else 0.28)


def draw_cumulative(painter: QPainter, layout: SpectrumLayout, theme: Theme) -> None:
    """Paint the cumulative line and where it reaches 95 %."""
    points = layout.cumulative_points()
    color = line_color(theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, 1.5))
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))
    if layout.slot_width >= 9:
        painter.setBrush(color)
        painter.setPen(QPen(QColor(theme.card), 1.0))
        for x, y in points:
            painter.drawEllipse(QPointF(x, y), 2.8, 2.8)
    mark = layout.bars.mark
    if mark is not None and mark < len(points):
        y = layout.cumulative_y(MARK)
        pen = QPen(mixed(theme.text, theme.card, 0.45), 1.0)
        pen.setDashPattern([2.0, 3.0])
        painter.setPen(pen)
        end = layout.frame.left + layout.frame.width
        painter.drawLine(QLineF(points[mark][0], y, end, y))
        painter.setPen(QPen(QColor(theme.card), 1.5))
        painter.setBrush(QColor(theme.text))
        painter.drawEllipse(QPointF(*points[mark]), 4.5, 4.5)


def draw_cut(
    painter: QPainter, layout: SpectrumLayout, theme: Theme, cut: int, *, active: bool
) -> None:
    """Paint the line behind the last component that is kept, and its grip."""
    frame, x = layout.frame, round(layout.cut_x(cut))
    grip, text = layout.cut_grip(cut)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    accent = QColor(theme.accent)
    pen = QPen(accent, 2.0 if active else 1.0)
    painter.setPen(pen)
    painter.drawLine(QLineF(x, grip.bottom(), x, frame.top + frame.height))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(accent, 1.0))
    painter.setBrush(accent if active else QColor(theme.card))
    painter.drawRoundedRect(grip, 6, 6)
    painter.setFont(plot_font(bold=True))
    painter.setPen(QColor(theme.on_accent if active else theme.accent))
    draw_text(painter, grip.center(), text)


def draw_focus(
    painter: QPainter, layout: SpectrumLayout, theme: Theme, bar: int, *, ring: bool
) -> None:
    """Show which bar is meant: a soft column, with a ring for the keyboard."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    soft = QColor(theme.accent)
    soft.setAlphaF(0.10)
    painter.setBrush(soft)
    painter.setPen(QPen(QColor(theme.accent), 1.5) if ring else Qt.PenStyle.NoPen)
    painter.drawRoundedRect(layout.column(bar), 3, 3)


def line_color(theme: Theme) -> QColor:
    """Return the colour of the cumulative line and of its axis."""
    return mixed(theme.text, theme.card, 0.8)


def mixed(color: str, card: str, share: float) -> QColor:
    """Return a colour on the card at some strength, opaque."""
    top, below = QColor(color), QColor(card)
    return QColor(
        *(
            round(share * a + (1 - share) * b)
            for a, b in (
                (top.red(), below.red()),
                (top.green(), below.green()),
                (top.blue(), below.blue()),
            )
        )
    )


def move_color(theme: Theme) -> QColor:
    """Return the colour of what rows drawn anew would have, beside that of bounds."""
    return mixed(theme.text, theme.card, 0.75)


def _draw_whisker(
    painter: QPainter, layout: SpectrumLayout, bar: int, ends: Floats, color: QColor
) -> None:
    frame = layout.frame
    low, high = layout.scale.heights(ends)
    if not (math.isfinite(low) and math.isfinite(high)):
        return
    bottom, top = layout.y(float(low)), layout.y(float(high))
    # Nobody sees less than a pixel.
    if bottom - top < 1.0:
        return
    x = round(layout.x(float(layout.bars.slots[bar])))
    cap = min(4.0, 0.3 * layout.slot_width)
    painter.setPen(QPen(color, 1.0))
    end = frame.top + frame.height
    inside = min(bottom, end), max(top, frame.top)
    painter.drawLine(QLineF(x, inside[0], x, inside[1]))
    for y in (bottom, top):
        if frame.top <= y <= end:
            painter.drawLine(QLineF(x - cap, y, x + cap, y))


def _cumulative_ticks(pixels: float) -> tuple[float, ...]:
    if pixels < 60:
        return (0.0, 1.0)
    return (0.0, 0.5, 1.0) if pixels < 150 else (0.0, 0.25, 0.5, 0.75, 1.0)
