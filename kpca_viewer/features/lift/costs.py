"""Sizes of feature spaces, what both ways cost, and coordinates of the RBF map."""

from dataclasses import dataclass
from math import comb, exp, factorial, sqrt

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.features.lift import own_map_text as text
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import counted, readable

LONG = 10**15
"""From which a count is written by its power alone."""

RATE = 1e10
"""Operations a second of one core, about."""

_UNITS = (
    (31_557_600, "years"),
    (86_400, "days"),
    (3_600, "hours"),
    (60, "minutes"),
    (1, "s"),
    (1e-3, "ms"),
)
_BYTES = ((1e18, "EB"), (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"))


@dataclass(frozen=True)
class Sizes:
    """Columns, degree, coordinates and rows."""

    d: int
    p: int
    m: int
    n: int

    @property
    def coordinates(self) -> int:
        return comb(self.d + self.p, self.p)

    @property
    def by_map(self) -> tuple[int, int]:
        """Entries and operations of the M × M way."""
        return self.m**2, self.n * self.m**2 + self.m**3

    @property
    def by_kernel(self) -> tuple[int, int]:
        """Entries and operations of the n × n way."""
        return self.n**2, self.n**2 * self.d + self.n**3

    def sentences(self) -> tuple[str, str]:
        """Return how many coordinates there are, and what both ways cost."""
        count = self.coordinates
        short = text.SHORT.format(short=readable(count, 3)) if count >= 10**6 else ""
        size = text.COORDINATES.format(
            d=counted(self.d), p=self.p, count=amount(count), short=short
        )
        lines = [
            template.format(
                entries=amount(entries),
                memory=in_bytes(8 * entries),
                operations=readable(operations, 3),
                time=in_time(operations / RATE),
            )
            for template, (entries, operations) in (
                (text.BY_MAP, self.by_map),
                (text.BY_KERNEL, self.by_kernel),
            )
        ]
        first, second = self.by_map[0], self.by_kernel[0]
        more = text.SAME
        if first != second:
            way = "The kernel" if second < first else "The map"
            ratio = readable(max(first, second) / min(first, second), 3)
            more = text.FEWER.format(way=way, ratio=ratio)
        return size, "\n".join([*lines, f"{more} {text.RATE}"])


def amount(count: int) -> str:
    return counted(count) if count < LONG else readable(count, 3)


def in_bytes(size: float) -> str:
    unit, name = next((each for each in _BYTES if size >= each[0]), (1e3, "kB"))
    return f"{readable(size / unit, 3)} {name}"


def in_time(seconds: float) -> str:
    unit, name = next((each for each in _UNITS if seconds >= each[0]), (1e-6, "µs"))
    return f"{readable(seconds / unit, 2)} {name}"


DEGREES = (1, 2, 5, 10, 20)
"""Up to which sums of the Taylor series of the RBF kernel are written."""


def taylor_coordinates(gamma: float, x: Array) -> list[float]:
    """Return the first three coordinates of the map of exp(−γ‖x − y‖²) for x (d,)."""
    outer, step = exp(-gamma * float(x @ x)), sqrt(2 * gamma)
    if len(x) == 1:
        powers = [1.0, step * x[0], step**2 / sqrt(2) * x[0] ** 2]
    else:
        powers = [1.0, step * x[0], step * x[1]]
    return [outer * float(power) for power in powers]


def taylor_value(gamma: float, a: Array, b: Array, degree: int) -> float:
    """Return φ(a)·φ(b) with all coordinates up to a degree."""
    inner = 2 * gamma * float(a @ b)
    series = sum(inner**m / factorial(m) for m in range(degree + 1))
    return exp(-gamma * float(a @ a + b @ b)) * series


def taylor_words(kernel: Kernel, a: Array, b: Array, variables: list[str]) -> str:
    """Write the first coordinates with numbers, and how far their sums are from k."""
    gamma, value = kernel.values["gamma"], exp(-kernel.values["gamma"] * _gap(a, b))
    first = [
        ", ".join(readable(number) for number in taylor_coordinates(gamma, x))
        for x in (a, b)
    ]
    names = variables[:2] if len(a) > 1 else ["x", ""]
    formula = text.TAYLOR if len(a) > 1 else text.TAYLOR_ONE
    lines = [
        formula.format(x=names[0], y=names[1]),
        text.TAYLOR_POINTS.format(a=first[0], b=first[1]),
    ]
    try:
        sums = [(m, taylor_value(gamma, a, b, m)) for m in DEGREES]
    except OverflowError:
        return "\n".join(lines)
    lines += [
        text.TAYLOR_SUM.format(
            count=counted(comb(len(a) + m, m)),
            value=readable(found),
            off=readable(abs(found - value), 2),
        )
        for m, found in sums
    ]
    return "\n".join(lines)


def _gap(a: Array, b: Array) -> float:
    return float(np.square(a - b).sum())
