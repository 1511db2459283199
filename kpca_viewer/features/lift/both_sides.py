"""One kernel value of two points, computed by way of φ and by its formula."""

from dataclasses import dataclass
from decimal import Decimal
from math import floor, inf, log10

import numpy as np

from kpca_viewer.core.kernels.family import Operations, by_map
from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import Pair
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import raised

STEPS = 100
"""Parts of the data's extent to which places are rounded at the beginning: few digits
are read more easily than many."""


def first_pair(dataset: Dataset) -> Pair:
    """Return two places to begin with: rows of two classes, nearly."""
    first, second = first_rows(dataset)
    decimals = _decimals(float(dataset.extents.max()) if dataset.n else 0.0)
    # NumPy's rounding multiplies first, which overflows for the smallest numbers.
    places = dataset.points[[first, second]].tolist()
    (x, y), (z, w) = ([round(value, decimals) for value in place] for place in places)
    return (x, y), (z, w)


def first_rows(dataset: Dataset, selection: Array | None = None) -> tuple[int, int]:
    """Return the two rows of a mask (n,), else of different classes, else the ends."""
    if selection is not None and np.count_nonzero(selection) == 2:
        first, second = np.flatnonzero(selection)
        return int(first), int(second)
    labels = dataset.labels
    if labels is not None:
        others = np.flatnonzero(labels != labels[0])
        if others.size:
            return 0, int(others[0])
    return 0, dataset.n - 1


def _decimals(extent: float) -> int:
    if not 0 < extent < inf:
        return 2
    return max(0, floor(log10(STEPS) - log10(extent)) + 1)


DIGITS = 17
"""Significant ones that a double has at most."""

FIXED = (-5, 16)
"""Powers of ten between which a number is written without one."""


@dataclass(frozen=True, eq=False)
class BothSides:
    """``φ(a)·φ(b)`` and ``k(a, b)``, with what each of them took."""

    kernel: Kernel
    a: Array
    b: Array
    """Shape (d,). As the kernel sees them."""
    value: float
    """``k(a, b)``."""
    features: FeatureMap | None
    """None where φ has too many coordinates to be written, or infinitely many."""
    images: Array
    """Shape (2, M). φ(a) and φ(b)."""

    @classmethod
    def of(cls, kernel: Kernel, a: Array, b: Array) -> "BothSides":
        """Compute both sides for two points (d,)."""
        both = np.array([a, b], dtype=np.float64)
        for name, point in zip("ab", both, strict=True):
            if kernel.family.normalise and not point.any():
                raise KernelError(
                    f"The {kernel.family.title.lower()} kernel is not defined for "
                    f"{name}, which is all zeros; move it."
                )
        points = kernel.points(both)
        value = float(kernel.block(points.take([0]), points.take([1]))[0, 0])
        features = kernel.feature_map(both.shape[1])
        images = np.empty((2, 0)) if features is None else features(both)
        return cls(kernel, both[0], both[1], value, features, images)

    @property
    def product(self) -> float | None:
        """``φ(a)·φ(b)``, one term after the other; None without a map."""
        if self.features is None:
            return None
        return float(sum(x * y for x, y in zip(*self.images.tolist(), strict=True)))

    @property
    def by_map(self) -> Operations | None:
        """What the way over φ takes; None without a map."""
        return None if self.features is None else by_map(self.features)

    @property
    def by_kernel(self) -> Operations | None:
        """What the formula takes; None where that is not counted."""
        return self.kernel.operations(len(self.a))

    @property
    def dimension(self) -> float:
        return self.kernel.feature_dimension(len(self.a))

    @property
    def is_rounding(self) -> bool:
        """Whether rounding explains the difference: one ε of all terms a step."""
        product, by_formula, by_features = self.product, self.by_kernel, self.by_map
        if product is None or by_formula is None or by_features is None:
            return False
        terms = self.largest
        steps = by_formula.total + by_features.total + len(self.images[0])
        eps = float(np.finfo(np.float64).eps)
        return abs(product - self.value) <= steps * eps * terms

    @property
    def largest(self) -> float:
        """What the terms of ``φ(a)·φ(b)`` would add up to if none cancelled another."""
        terms = float(np.abs(self.images[0]) @ np.abs(self.images[1]))
        return max(terms, abs(self.value))


def written_alike(
    first: float, second: float, largest: float = 0.0
) -> tuple[str, str, str]:
    """Return two numbers with all digits, as many behind the point of each."""
    largest = max(abs(first), abs(second), largest)
    power = floor(log10(largest)) if largest > 0 else 0
    fixed = FIXED[0] <= power < FIXED[1]
    decimals = DIGITS - 1 - power if fixed else DIGITS - 1
    texts = [
        f"{Decimal(value).scaleb(0 if fixed else -power):.{max(decimals, 0)}f}"
        for value in (first, second)
    ]
    one, other = (
        text.replace("-", "−") if float(text) else text.removeprefix("-")
        for text in texts
    )
    return one, other, "" if fixed else f"·10{raised(power)}"
