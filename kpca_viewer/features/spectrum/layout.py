"""Where everything stands in a spectrum: axes, bars, cut, words."""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from PySide6.QtCore import QLineF, QRect, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF

from kpca_viewer.features.spectrum.compute import Scale, SpectrumBars
from kpca_viewer.features.spectrum.text import (
    LEFT_NAME,
    NEGATIVE,
    RIGHT_NAMES,
    cut_texts,
)
from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.plots.axes import GAP, TICK, Side, Tick
from kpca_viewer.widgets.plots.frame import Floats, Frame, Numbers
from kpca_viewer.widgets.plots.text import (
    elided,
    is_printing,
    plot_font,
    text_width,
    type_scale,
)

_WIDEST_BAR = 56.0
_AWAY = 8.0  # pixels between the grip and words
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
        named = is_printing() or (size.width() >= wide and size.height() >= high)
        name = line + GAP if named else 0.0
        top = line + 12
        height = max(size.height() - top - TICK - GAP - line - name - GAP, 16.0)
        ticks = scale.ticks(max(2, int(height / (44 * large))))
        widest = max(text_width(text, font) for _, text in (*ticks, (0, "10 %")))
        # Steps of eight pixels: the plot must not tremble while a range changes.
        left = GAP + name + 8 * math.ceil(widest / 8) + GAP + TICK
        right = 12.0
        if cumulative:
            right = TICK + GAP + text_width("100 %", font) + GAP + name
        width = max(size.width() - left - right, 16.0)
        frame = Frame(left, top, width, height, (0.5, slots + 0.5), scale.range)
        return cls(bars, scale, frame, ticks, cumulative, named, size)

    def x(self, slot: Numbers) -> Numbers:
        """Return the middle of a place along the axis."""
        return self.frame.left + (slot - 0.5) * self.slot_width

    def y(self, height: Numbers) -> Numbers:
        """Return the pixel of a height on the left axis."""
        return self.frame.y_pixel(height)

    def cumulative_y(self, share: Numbers) -> Numbers:
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
        lefts = np.rint(self.x(self.bars.slots.astype(float)) - width / 2)
        pixels = np.rint(self.y(heights))
        ends = np.where(heights < 0, np.maximum(pixels, zero + 1), zero)
        ends = np.where(heights > 0, np.minimum(pixels, zero - 1), ends)
        return [
            QRect(int(left), min(int(end), zero), width, abs(int(end) - zero))
            for left, end in zip(lefts.tolist(), ends.tolist(), strict=True)
        ]

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
        font = plot_font(bold=not is_printing())
        text, short = cut_texts(cut)
        most = 0.5 if is_printing() else 0.3
        if text_width(text, font) > most * self.frame.width:
            text = short
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
        at = self.x(slots.astype(float)), self.cumulative_y(shares[known])
        return np.column_stack(at)

    def ticks_of_axes(self) -> dict[Side, list[Tick]]:
        """Return the pixels and texts of numbers along every axis."""
        ticks: dict[Side, list[Tick]] = {
            "left": [(round(self.y(height)), text) for height, text in self.ticks],
            "bottom": [(self.x(slot), text) for slot, text in slot_ticks(self)],
        }
        if self.cumulative:
            ticks["right"] = [
                (round(self.cumulative_y(share)), percent(share, 0))
                for share in _cumulative_ticks(self.frame.height)
            ]
        return ticks

    def whisker(self, bar: int, ends: Floats) -> list[QLineF]:
        """Return lines from end to end of a share; none if shorter than a pixel."""
        frame = self.frame
        low, high = self.scale.heights(ends)
        if not (math.isfinite(low) and math.isfinite(high)):
            return []
        bottom, top = self.y(float(low)), self.y(float(high))
        if bottom - top < 1.0:
            return []
        x = round(self.x(float(self.bars.slots[bar])))
        cap = min(4.0, 0.3 * self.slot_width)
        end = frame.top + frame.height
        caps = [
            QLineF(x - cap, y, x + cap, y)
            for y in (bottom, top)
            if frame.top <= y <= end
        ]
        return [QLineF(x, min(bottom, end), x, max(top, frame.top)), *caps]


def mark_box(layout: SpectrumLayout, cut: int) -> tuple[QRectF, str, str]:
    """Find a place for the words about 95 %.

    They stand in the row above the bars, beside the grip of the cut, where they cover
    neither bars nor lines.

    Returns
    -------
    box : QRectF
    text : str
        The words as they fit.
    right_name : str
        The name of the right axis as it fits beside them.
    """
    font, grip = plot_font(), layout.cut_grip(cut)[0]
    texts = layout.bars.mark_texts
    for name, words in product(RIGHT_NAMES, texts):
        low, high = layout.top_ends(name)
        before, behind = grip.left() - low - 2 * _AWAY, high - grip.right() - 2 * _AWAY
        width = text_width(words, font)
        if width <= behind or (width <= before and grip.right() <= high):
            break
    else:
        width = max(before, behind, 0.0)
        words = elided(texts[-1], font, width)
    left = grip.right() + _AWAY if width <= behind else grip.left() - _AWAY - width
    return QRectF(left, grip.top(), width, grip.height()), words, name


def negative_box(layout: SpectrumLayout) -> QRectF | None:
    """Return a place above the negative bars for their name; None without room."""
    bars, frame = layout.bars, layout.frame
    negative = bars.slots[bars.values < 0]
    if not negative.size:
        return None
    font = plot_font()
    width, height = text_width(NEGATIVE, font), QFontMetricsF(font).height()
    left = layout.x(float(negative[0])) - layout.slot_width / 2
    right = layout.x(float(negative[-1])) + layout.slot_width / 2
    bottom = layout.y(0.0) - 2
    if right - left < width or bottom - height < frame.top:
        return None
    return QRectF((left + right - width) / 2, bottom - height, width, height)


def slot_ticks(layout: SpectrumLayout) -> list[tuple[float, str]]:
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
    if bars.head == len(bars.slots):
        return ticks
    # The last bar of the tail, and dots where bars are missing before it: they matter
    # more than round numbers, which go where they would be touched.
    end, gap = float(bars.slots[-1]), bars.head + 1.0
    number = f"{int(bars.components[-1]) + 1:,}"
    if end - gap < 0.8 * room:
        ticks = [tick for tick in ticks if end - tick[0] >= 1.8 * room]
        return [*ticks, (end, f"… {number}")]
    ticks = [t for t in ticks if gap - t[0] >= 0.8 * room and end - t[0] >= 1.5 * room]
    return [*ticks, (gap, "…"), (end, number)]


def _cumulative_ticks(pixels: float) -> tuple[float, ...]:
    if pixels < 60:
        return (0.0, 1.0)
    return (0.0, 0.5, 1.0) if pixels < 150 else (0.0, 0.25, 0.5, 0.75, 1.0)
