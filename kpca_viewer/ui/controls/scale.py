"""The way from a slider's position to a value and back."""

import math

from kpca_viewer.core.kernels.parameters import Parameter
from kpca_viewer.ui.controls.numbers import rounded

STEPS = 1000
SINGLE_STEP = 0.02
PAGE_STEP = 0.1


class SliderScale:
    """Maps positions ``0 … last`` to the values of a parameter.

    Values come out round (three significant digits on a logarithmic scale, a thousandth
    of the range on a linear one): a slider is for finding a place, the field beside it
    for naming an exact number.

    Attributes
    ----------
    last : int
        The highest position; the lowest is 0.
    """

    def __init__(self, parameter: Parameter) -> None:
        self.low, self.high = float(parameter.low), float(parameter.high)
        self.integer = parameter.scale == "integer"
        # Over such a span of whole numbers a linear slider would leave the lower
        # hundreds to its first few pixels.
        wide = self.integer and self.low > 0 and self.high / self.low >= 100
        self.logarithmic = parameter.scale == "log" or wide
        span = self.high - self.low
        small = self.integer and not wide and span <= STEPS
        self.last = int(span) if small else STEPS
        self._digits = max(0, 3 - math.floor(math.log10(span))) if span > 0 else 0

    @property
    def single_step(self) -> int:
        """Positions that an arrow key moves."""
        return max(1, round(SINGLE_STEP * self.last))

    @property
    def page_step(self) -> int:
        """Positions that Page Up and Page Down move."""
        return max(1, round(PAGE_STEP * self.last))

    def position(self, value: float) -> int:
        """Return the nearest position; the ends for values outside the range."""
        if self.last == 0:
            return 0
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(share * self.last)

    def value(self, position: int) -> float:
        """Return the round value at a position."""
        # The ends exactly, whatever rounding would make of them.
        if position <= 0:
            return self.low
        if position >= self.last:
            return self.high
        share = position / self.last
        if self.logarithmic:
            return self._tidy(self.low * (self.high / self.low) ** share)
        return self._tidy(self.low + (self.high - self.low) * share)

    def stepped(self, value: float, steps: int) -> float:
        """Return the value so many arrow keys away, also outside the range."""
        if self.logarithmic and value > 0:
            there = value * (self.high / self.low) ** (SINGLE_STEP * steps)
        else:
            there = value + steps * max(
                SINGLE_STEP * (self.high - self.low), 1.0 if self.integer else 0.0
            )
        there = self._tidy(there)
        if self.integer and there == value:
            return value + math.copysign(1, steps)
        return there

    def _tidy(self, value: float) -> float:
        if self.logarithmic:
            value = rounded(value, 3)
            return float(round(value)) if self.integer else value
        return float(round(value)) if self.integer else round(value, self._digits)
