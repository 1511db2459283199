"""How the spectrum is painted: where everything stands, and in which colours."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from kpca_viewer.ui.plots.axes import hairline
from kpca_viewer.ui.plots.frame import Floats, Frame
from kpca_viewer.ui.plots.spectrum_bars import MARK, Scale, SpectrumBars
from kpca_viewer.ui.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.ui.theme import Theme

_GAP, _TICK = 4.0, 4.0
_WIDEST_BAR = 56.0
# The right axis ends a little above 100 %, so that the line does not touch the edge.
_CUMULATIVE_TOP = 1.06
# Below these sizes the names of the axes leave their room to the bars.
_NAMED_WIDTH, _NAMED_HEIGHT = 380.0, 210.0


@dataclass(frozen=True, eq=False)
class SpectrumLayout:
    """Where everything stands in an area of some size.

    Attributes
    ----------
    frame : Frame
        Slots along x, heights along y.
    ticks : list of (float, str)
        Of the left axis.
    cumulative : bool
        Whether there is a right axis.
    """

    bars: SpectrumBars
    scale: Scale
    frame: Frame
    ticks: list[tuple[float, str]]
    cumulative: bool
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
        bars : SpectrumBars
        scale : Scale
        size : QSizeF
        slots : int
            Places along the axis, with or without a bar.
        cumulative : bool
            Whether there is a right axis.
        """
        font = plot_font()
        line = QFontMetricsF(font).height()
        named = size.width() >= _NAMED_WIDTH and size.height() >= _NAMED_HEIGHT
        name = line + _GAP if named else 0.0
        top = line + 12
        height = max(size.height() - top - _TICK - _GAP - line - name - _GAP, 16.0)
        ticks = scale.ticks(height)
        widest = max(text_width(text, font) for _, text in (*ticks, (0, "10 %")))
        # Steps of eight pixels: the plot must not tremble while a range changes.
        left = _GAP + name + 8 * math.ceil(widest / 8) + _GAP + _TICK
        right = 12.0
        if cumulative:
            right = _TICK + _GAP + text_width("100 %", font) + _GAP + name
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
        """Pixels between neighbouring bars."""
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
        left = max(min(left, self.size.width() - 4 - width), 4.0)
        return QRectF(left, self.frame.top - 4 - height, width, height), text

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
    """Paint the grid, the numbers and the names."""
    frame = layout.frame
    right, bottom = frame.left + frame.width, frame.top + frame.height
    painter.setFont(plot_font())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(hairline(theme.border, painter))
    for height, _ in layout.ticks:
        y = round(layout.y(height))
        painter.drawLine(QLineF(frame.left - _TICK, y, right, y))
    painter.setPen(hairline(theme.outline, painter))
    zero = round(layout.y(0.0))
    painter.drawLine(QLineF(frame.left, zero, right, zero))
    painter.setPen(QColor(theme.muted))
    for height, text in layout.ticks:
        at = QPointF(frame.left - _TICK - _GAP, layout.y(height))
        draw_text(painter, at, text, 1.0, 0.5)
    if layout.cumulative:
        for share in _cumulative_ticks(frame.height):
            at = QPointF(right + _TICK + _GAP, layout.cumulative_y(share))
            draw_text(painter, at, f"{100 * share:.0f} %", 0.0, 0.5)
    for slot, text in _slot_ticks(layout):
        draw_text(
            painter, QPointF(layout.x(slot), bottom + _TICK + _GAP), text, 0.5, 0.0
        )
    if layout.named:
        _draw_names(painter, layout, theme)


def draw_bars(painter: QPainter, layout: SpectrumLayout, theme: Theme) -> None:
    """Paint the bars and their error whiskers."""
    bars = layout.bars
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for bar, rect in enumerate(layout.bar_rects()):
        painter.fillRect(rect, bar_color(bars, bar, theme))
    # Only kept components have bounds.
    for bar in range(min(bars.kept, bars.head)):
        _draw_whisker(painter, layout, bar, theme)


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
    color = mixed(theme.text, theme.card, 0.8)
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


def mark_box(layout: SpectrumLayout) -> tuple[QRectF, str]:
    """Return where the words about 95 % stand, and the words as they fit."""
    frame, font = layout.frame, plot_font()
    text = layout.bars.mark_text
    if text_width(text, font) > 0.8 * frame.width:
        text = elided(text.split(":")[0], font, frame.width - 8)
    width, height = text_width(text, font) + 8, QFontMetricsF(font).height() + 2
    right, bottom = frame.left + frame.width, frame.top + frame.height
    points = layout.cumulative_points()
    if not layout.cumulative or not len(points):
        return QRectF(right - width, frame.top + 4, width, height), text
    mark = layout.bars.mark
    reached = mark is not None and mark < len(points)
    x, y = points[mark if reached and mark is not None else -1]
    left = max(min(x + 8, right - width), frame.left)
    if reached:
        # Below the line, where the bars have become small. The line rises: its
        # lowest place above the words is at their left.
        along = float(np.interp(left, points[:, 0], points[:, 1]))
        top = max(along, layout.cumulative_y(MARK)) + 5
    else:
        top = y - height - 5
        if top < frame.top:
            top = y + 5
    return QRectF(left, max(min(top, bottom - height), frame.top), width, height), text


def draw_mark(painter: QPainter, layout: SpectrumLayout, theme: Theme) -> None:
    """Say with how many components 95 % are reached."""
    box, text = mark_box(layout)
    card = QColor(theme.card)
    card.setAlphaF(0.82)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(card)
    painter.drawRoundedRect(box, 3, 3)
    painter.setFont(plot_font())
    painter.setPen(QColor(theme.text))
    draw_text(painter, box.center(), text)


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


def _draw_whisker(
    painter: QPainter, layout: SpectrumLayout, bar: int, theme: Theme
) -> None:
    frame = layout.frame
    low, high = layout.scale.heights(layout.bars.bounds[bar])
    if not (math.isfinite(low) and math.isfinite(high)):
        return
    bottom, top = layout.y(float(low)), layout.y(float(high))
    # Nobody sees less than a pixel.
    if bottom - top < 1.0:
        return
    x = round(layout.x(float(layout.bars.slots[bar])))
    cap = min(4.0, 0.3 * layout.slot_width)
    painter.setPen(QPen(QColor(theme.text), 1.0))
    end = frame.top + frame.height
    inside = min(bottom, end), max(top, frame.top)
    painter.drawLine(QLineF(x, inside[0], x, inside[1]))
    for y in (bottom, top):
        if frame.top <= y <= end:
            painter.drawLine(QLineF(x - cap, y, x + cap, y))


def _draw_names(painter: QPainter, layout: SpectrumLayout, theme: Theme) -> None:
    frame, font = layout.frame, painter.font()
    painter.setPen(QColor(theme.text))
    line = QFontMetricsF(font).height()
    below = frame.top + frame.height + _TICK + _GAP + line + _GAP
    name = elided(layout.bars.axis_name, font, frame.width)
    draw_text(painter, QPointF(frame.left + frame.width / 2, below), name, 0.5, 0.0)
    sides = [(_GAP, -90, "explained")]
    if layout.cumulative:
        sides.append((layout.size.width() - _GAP, 90, "cumulative"))
    for x, angle, text in sides:
        painter.save()
        painter.translate(x, frame.top + frame.height / 2)
        painter.rotate(angle)
        draw_text(painter, QPointF(0, 0), elided(text, font, frame.height), 0.5, 0.0)
        painter.restore()


def _cumulative_ticks(pixels: float) -> tuple[float, ...]:
    if pixels < 60:
        return (0.0, 1.0)
    return (0.0, 0.5, 1.0) if pixels < 150 else (0.0, 0.25, 0.5, 0.75, 1.0)


def _slot_ticks(layout: SpectrumLayout) -> list[tuple[float, str]]:
    """Return numbers under the bars: 1 and round ones, as many as fit."""
    bars, font = layout.bars, plot_font()
    last = layout.frame.x_range[1] - 0.5
    head = int(last) if bars.head == len(bars.slots) else bars.head
    room = (text_width(f"{bars.total:,}", font) + 10) / layout.slot_width
    steps = (s * 10**p for p in range(7) for s in (1, 2, 5))
    # The first step is one shorter: from 1 to 10, or to 5.
    step = next(s for s in steps if s - 1 >= room or (s == 1 and room <= 1))
    numbers = [1, *range(max(step, 2), head + 1, step)]
    ticks = [(float(number), f"{number:,}") for number in numbers]
    if bars.head < len(bars.slots):
        # The last bar of the tail, unless its number would touch another.
        end = float(bars.slots[-1])
        ticks = [tick for tick in ticks if end - tick[0] >= 1.5 * room]
        ticks += [(end, f"{int(bars.components[-1]) + 1:,}")]
        gap = bars.head + 1.0
        if all(abs(gap - slot) >= 0.8 * room for slot, _ in ticks):
            ticks.append((gap, "…"))
    return ticks
