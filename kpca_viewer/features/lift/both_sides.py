"""One kernel value, computed by way of φ and by its formula."""

from dataclasses import dataclass
from decimal import Decimal
from math import floor, isinf, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.family import Operations, by_map
from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import counted, raised, readable

Array = NDArray[Any]

DIGITS = 17
"""Significant ones that a double has at most."""

FIXED = (-5, 16)
"""Powers of ten between which a number is written without one."""

FEW = 10
"""Digits below which those that agree are not worth counting."""

SHOWN = 10
"""Coordinates of φ that are written out."""


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
        """Compute both sides for two points (d,).

        Raises
        ------
        KernelError
            Where the kernel has no value for them.
        """
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
        """What the formula takes; None where nobody has counted."""
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

    # In words

    def agreement(self) -> str:
        """Say how far the two agree; nothing where there is only one of them."""
        product = self.product
        if product is None:
            return ""
        if product == self.value:
            return "Equal in all digits."
        first, second, _ = written_alike(product, self.value, self.largest)
        same = _equal_digits(first, second)
        apart = readable(abs(product - self.value))
        if self.is_rounding and same < FEW:
            # 0.999… and 1.000… share no digit.
            return f"Equal up to rounding: they differ by {apart}."
        how_far = f"Equal in the first {same} digits" if same else "Not equal"
        if self.is_rounding:
            return f"{how_far}; the rest is rounding."
        return f"{how_far}; they differ by {apart}."

    def size(self) -> str:
        """Say how many coordinates φ has, with the binomial of a polynomial."""
        d, size, values = len(self.a), self.dimension, self.kernel.values
        if self.kernel.why_no_map:
            return self.kernel.why_no_map
        if isinf(size):
            return "φ has infinitely many coordinates; nobody can write them down."
        formula = ""
        if {"degree", "coef0"} <= set(values):
            p = int(values["degree"])
            less = " − 1" if values["coef0"] == 0 else ""
            formula = f"C({d:,} + {p}{less}, {p}) = "
        many = "" if self.features is not None else "; too many to be written out"
        return f"φ has {formula}{counted(size)} coordinates{many}."

    def coordinates(self, which: int) -> str:
        """Return φ(a) or φ(b) with numbers: "(0.25, −0.8485, 1.44)"."""
        texts = [readable(value) for value in self.images[which, :SHOWN].tolist()]
        if self.images.shape[1] > SHOWN:
            texts.append(f"… {counted(self.images.shape[1] - SHOWN)} more")
        return f"({', '.join(texts)})"

    def formula(self, variables: list[str]) -> str:
        """Return φ with the names of the features: "(x₁², √2x₁x₂, x₂²)"."""
        if self.features is None:
            return ""
        names = self.features.plain(variables)
        more = ["…"] if len(names) > SHOWN else []
        return f"({', '.join(names[:SHOWN] + more)})"


def operations_words(counted_: Operations) -> str:
    """Return a count by kind: "13 operations: 11 ×, 2 +"."""
    kinds = (
        (counted_.products, "×"),
        (counted_.additions, "+"),
        (counted_.functions, "functions" if counted_.functions > 1 else "function"),
    )
    each = ", ".join(f"{counted(count)} {kind}" for count, kind in kinds if count)
    plural = "operation" if counted_.total == 1 else "operations"
    return f"{counted(counted_.total)} {plural}: {each}"


def written_alike(
    first: float, second: float, largest: float = 0.0
) -> tuple[str, str, str]:
    """Return two numbers with all digits, as many behind the point of each.

    Parameters
    ----------
    largest : float
        Of what they were added up; digits that it cannot have are left out.

    Returns
    -------
    first, second : str
        Of the same power of ten.
    power : str
        What multiplies both: "·10⁻⁷", or nothing.
    """
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


def _equal_digits(first: str, second: str) -> int:
    """Count the significant digits that two texts share from the left."""
    same = 0
    if len(first) != len(second):
        return 0
    for x, y in zip(first, second, strict=True):
        if x != y:
            break
        same += x.isdigit() and (same > 0 or x != "0")
    return same
