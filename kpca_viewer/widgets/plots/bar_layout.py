"""What one line of a list of bars says, and where its parts stand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF

from kpca_viewer.widgets.plots.text import is_printing, text_width

PAD = 8.0
NAME_SHARE = 0.36
"""Of the width, what names may have at most."""
LEAST_BAR = 72.0
"""Pixels of the bars, below which numbers give way to them."""
MOST_ROOM = 1.6
"""Heights of a line that it has at most, where there are few."""
MEASURED = 12
"""The longest names, by their letters, among which the widest is looked for."""


@dataclass(frozen=True)
class Bar:
    """One line.

    ``value``: length of the bar, to the left where it is negative; ``numbers``: written
    behind it; ``band``: how long a bar of noise is at most; ``span``: an interval
    around the value; ``strong``: whether it is more than chance, None where that is not
    known; ``about``: what is said where the pointer is, a few short lines.
    """

    name: str
    value: float
    numbers: tuple[str, ...] = ()
    band: float | None = None
    span: tuple[float, float] | None = None
    strong: bool | None = None
    about: str = ""


@dataclass(frozen=True)
class BarList:
    """All lines with what stands above them; a line is made when it is looked at.

    ``names`` of all lines; ``make``: returns the line at a place; ``limits``: values at
    the left and the right end of the bars; ``titles`` of the numbers; ``widest``: what
    these are at their widest; ``axis``: what the length of a bar is; of two words, each
    is what one end means.
    """

    names: tuple[str, ...] = ()
    make: Callable[[int], Bar] = lambda _place: Bar("", 0.0)
    limits: tuple[float, float] = (0.0, 1.0)
    titles: tuple[str, ...] = ()
    widest: tuple[str, ...] = ()
    axis: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def widest_names(self) -> tuple[str, ...]:
        return tuple(nlargest(MEASURED, set(self.names), key=len))


@dataclass(frozen=True)
class Layout:
    """Where names, bars and numbers stand, in pixels.

    ``line``, ``head``: height of a line, and of what stands above the first; ``name``,
    ``bar``: left end and width; ``ends``: right ends of the numbers that have room.
    """

    line: float
    head: float
    name: tuple[float, float]
    bar: tuple[float, float]
    ends: tuple[float, ...]

    @classmethod
    def of(cls, shown: BarList, font: QFont, size: QSizeF) -> "Layout":
        """Divide the width; numbers give way from the last one on."""
        # Paper does not scroll: its lines are closer.
        usual = QFontMetricsF(font).height() + 5
        least = usual - 4 if is_printing() else usual
        # A few lines share the height, up to a point.
        line = (size.height() - least - 4) / max(len(shown), 1)
        line = min(max(line, least), MOST_ROOM * usual)
        width, count = size.width() - 2 * PAD, len(shown.titles)
        names = _widest(shown.widest_names, font)
        # On paper nothing else says a name in full.
        name = min(names, (0.5 if is_printing() else NAME_SHARE) * width)
        numbers = [
            _widest(texts, font) + PAD
            for texts in zip(shown.titles, shown.widest, strict=True)
        ]
        least_bar = 0.25 * width if is_printing() else LEAST_BAR
        while count and width - name - PAD - sum(numbers[:count]) < least_bar:
            count -= 1
        left = PAD + name + PAD
        room = max(width - name - PAD - sum(numbers[:count]), 16.0)
        ends, at = [], left + room
        for each in numbers[:count]:
            at += each
            ends.append(at)
        return cls(line, least + 2, (PAD, name), (left, room), tuple(ends))

    def fitting(self, height: float) -> int:
        """Return how many whole lines there is room for, at least one."""
        return max(int((height - self.head) / self.line), 1)

    def box_of(self, place: int, width: float) -> QRectF:
        return QRectF(0, self.head + place * self.line, width, self.line)

    def x_of(self, value: float, limits: tuple[float, float]) -> float:
        low, high = limits
        share = (value - low) / (high - low) if high > low else 0.0
        return self.bar[0] + min(max(share, 0.0), 1.0) * self.bar[1]


def _widest(texts: Sequence[str], font: QFont) -> float:
    return max((text_width(text, font) for text in texts), default=0.0) + 1
