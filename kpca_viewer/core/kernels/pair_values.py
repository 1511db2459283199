"""What a kernel is a function of, and how the pairs of some points lie along it.

A kernel of distances is drawn against the distance, one of rows of length 1 against the
angle, every other one against the dot product. Nothing here knows a family by its name.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Base, Points, pairwise
from kpca_viewer.core.kernels.family import KernelFamily
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.support.errors import KernelError

MOST_ROWS = 1000
"""Rows whose pairs are looked at; half a million of them say enough."""

BINS = 48

LEAST_SPAN = 1e-290
"""Of an axis: parts of less would not differ."""


@dataclass(frozen=True)
class PairAxis:
    """The axis that a kernel is drawn against."""

    symbol: str
    """For example ``"r"``."""
    title: str
    """For example ``"distance"``."""
    of_base: Callable[[Array], Array]
    """Values of the pairwise base → places along the axis."""
    to_base: Callable[[Array], Array]
    """The other way round."""
    unit: str = ""
    """Behind a number."""
    ends: tuple[float, float] | None = None
    """Where the axis begins and ends whatever the data are."""
    starts_at_zero: bool = True

    def of_pair(
        self, kernel: Kernel, points: Points, row: int, other: int
    ) -> tuple[float, float]:
        """Return where two of the points lie along the axis, and their kernel value."""
        pair = kernel.prepare_training(points.take([row, other]))
        base = pairwise(kernel.family.base, pair.take([0]), pair.take([1]))
        at = float(self.of_base(base.astype(np.float64))[0, 0])
        return at, float(kernel.of_base(base)[0, 0])


def _same(values: Array) -> Array:
    return values.copy()


def _degrees(cosines: Array) -> Array:
    angles: Array = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
    return angles


def _cosines(angles: Array) -> Array:
    cosines: Array = np.cos(np.radians(angles))
    return cosines


_DISTANCE = PairAxis("r", "distance", _same, _same)
_BY_BASE: dict[Base, PairAxis] = {
    "squared_distances": PairAxis("r", "distance", np.sqrt, np.square),
    "distances": _DISTANCE,
    "l1_distances": PairAxis("‖x − y‖₁", "L1 distance", _same, _same),
    "dot_products": PairAxis("xᵀy", "dot product", _same, _same, starts_at_zero=False),
}
_FEATURES = PairAxis("φ(x)ᵀφ(y)", "dot product", _same, _same, starts_at_zero=False)
_ANGLE = PairAxis("angle", "angle", _degrees, _cosines, "°", (0.0, 180.0))


def axis_of(family: KernelFamily) -> PairAxis | None:
    """Return what a kernel is drawn against; None where it takes several numbers."""
    if isinstance(family.base, tuple):
        return None
    if family.normalise and family.base == "dot_products":
        return _ANGLE
    return _BY_BASE[family.base]


@dataclass(frozen=True, eq=False)
class PairValues:
    """How the pairs of points lie along the axis of a kernel."""

    axis: PairAxis
    low: float
    high: float
    """Ends of the axis."""
    counts: Array
    """Shape (BINS,). Pairs in equal parts of the axis."""
    median: float | None
    """Of all pairs; None where there are none."""
    rows: int
    """Points that were looked at."""
    sampled: bool
    """Whether there are more."""

    @property
    def pairs(self) -> int:
        return self.rows * (self.rows - 1) // 2

    @classmethod
    def of(cls, kernel: Kernel, points: Points) -> "PairValues | None":
        """Look at the pairs; None where the kernel is no function of one number."""
        axis, n = axis_of(kernel.family), len(points)
        if axis is None:
            return None
        rows = np.unique(np.linspace(0, n - 1, min(n, MOST_ROWS)).astype(int))
        values: Array = np.empty(0)
        if n > 1:
            seen = kernel.prepare_training(points.take(rows))
            if seen.d != points.d:
                # Columns were added to the rows: these are not products of the data.
                axis = _FEATURES
            base = pairwise(kernel.family.base, seen, seen)
            upper = base[np.triu_indices(len(rows), 1)]
            values = axis.of_base(upper.astype(np.float64))
        low, high = _ends(axis, values)
        counts = np.histogram(values, BINS, (low, high))[0]
        counts.flags.writeable = False
        median = float(np.median(values)) if values.size else None
        return cls(axis, low, high, counts, median, len(rows), len(rows) < n)


def _ends(axis: PairAxis, values: Array) -> tuple[float, float]:
    if axis.ends is not None:
        return axis.ends
    if not values.size:
        return 0.0, 1.0
    low = 0.0 if axis.starts_at_zero else float(values.min())
    high = float(values.max())
    if high - low > max(1e-12 * max(abs(low), abs(high)), LEAST_SPAN):
        return low, high
    half = abs(high) if abs(high) > LEAST_SPAN else 1.0
    return (0.0, half) if axis.starts_at_zero else (low - half, high + half)


def curve(kernel: Kernel, axis: PairAxis, at: Array) -> Array:
    """Return the kernel at places (m,) along its axis; NaN where it has no value."""
    with np.errstate(over="ignore", invalid="ignore"):
        base = axis.to_base(np.asarray(at, dtype=np.float64))
        try:
            return kernel.of_base(base.copy())
        except KernelError:
            # A fractional power of what is negative.
            return np.array([_at(kernel, value) for value in base])


def _at(kernel: Kernel, base: float) -> float:
    try:
        return float(kernel.of_base(np.array([base]))[0])
    except KernelError:
        return np.nan
