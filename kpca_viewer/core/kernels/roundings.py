"""How far rounding in the pairwise base can move a kernel matrix: one bound a kernel.

Every function takes the extent of the rows, the parameter values and ``‖K‖_F`` (or a
bound on it, such as the trace), and bounds ``‖δK‖₂``. Kernels of distances have no
negative entry, so that what is true of every entry's relative error is true of the
norm.

``|x|² + |y|² − 2xᵀy`` is off by a few ``ε·max|x|²`` however small it is, and γ
multiplies that: a narrow kernel on spread-out points is known to fewer digits.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, is_sparse
from kpca_viewer.core.kernels.functions import Values
from kpca_viewer.core.kernels.held_points import HeldPoints


@dataclass(frozen=True, eq=False)
class Extent:
    """How many rows there are and how far they reach: all that a bound depends on."""

    count: int
    d: int
    eps: float
    total: float
    """``Σ|x|²``."""
    largest: float
    """``max|x|²``."""
    spread: float
    """``max|x − shift|²``."""
    heights: float = 0.0
    """``Σh²`` of the last coordinate of lifted rows, where they were before any
    move."""
    exact: bool = False
    """Whether squared distances are sums of squared differences, in float64."""
    squared_norms: NDArray[Any] | None = None
    """Shape (n,). None where nobody holds all rows."""

    @classmethod
    def of(cls, points: Points) -> "Extent":
        """Return the extent of points."""
        if isinstance(points, HeldPoints):
            return points.extent.in_precision(points.dtype)
        norms = points.squared_norms
        heights = _heights(points) if points.lifted else np.zeros(0)
        return cls(
            len(points),
            points.d,
            float(np.finfo(points.dtype).eps),
            float(norms.sum(dtype=np.float64)),
            points.largest_squared_norm,
            float(points.shifted_norms.max(initial=0.0)),
            float(heights @ heights),
            points.by_differences and points.dtype == np.float64,
            norms,
        )

    def joined(self, other: "Extent") -> "Extent":
        """Return that of both sets of rows together, without their norms."""
        return replace(
            self,
            count=self.count + other.count,
            eps=max(self.eps, other.eps),
            total=self.total + other.total,
            largest=max(self.largest, other.largest),
            spread=max(self.spread, other.spread),
            heights=self.heights + other.heights,
            exact=self.exact and other.exact,
            squared_norms=None,
        )

    def in_precision(self, dtype: np.dtype[Any]) -> "Extent":
        """Return that of the same rows in a type of float."""
        exact = self.exact and dtype == np.float64
        return replace(self, eps=float(np.finfo(dtype).eps), exact=exact)

    @property
    def unit(self) -> float:
        """The relative error of a sum of d terms; it grows like the root of d."""
        return self.eps * (4 + self.d**0.5)


def of_gaussian(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``exp(−γ r²)``: γ multiplies the error of the squared distance."""
    if rows.exact:
        return _of_exact_distances(rows)
    return norm * rows.unit * 2 * values["gamma"] * rows.spread


def of_rational_quadratic(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``(1 + r²/2aℓ²)^(−a)``, which falls no faster than ``exp(−r²/2ℓ²)``."""
    if rows.exact:
        return _of_exact_distances(rows)
    return norm * rows.unit * rows.spread / values["length_scale"] ** 2


def of_matern(rows: Extent, values: Values, norm: float) -> float:
    """Bound a function of the distance, which is found from differences."""
    slope = (2 * values["nu"]) ** 0.5 / values["length_scale"]
    return norm * rows.eps * slope * 2 * rows.spread**0.5


def of_laplacian(rows: Extent, values: Values, norm: float) -> float:
    """Bound a function of the L1 distance, which is found from differences."""
    widest = 2 * (rows.d * rows.spread) ** 0.5
    return norm * rows.eps * values["gamma"] * widest


def of_sigmoid(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``tanh(γ xᵀy + c)``, whose slope is 1 or less."""
    largest = values["gamma"] * rows.largest
    return rows.count * rows.unit * (1 + largest + abs(values["coef0"]))


def of_tanh_entries(
    base: NDArray[Any], reach: NDArray[Any], values: Values, unit: float
) -> NDArray[Any]:
    """Bound every entry ``tanh(γ xᵀy + c)``: by its slope there, and by its range.

    With ``b = γ xᵀy + c`` off by δ at most, the slope on the way is no more than
    ``sech²(|b| − δ) ≤ 4 exp(−2(|b| − δ))``: what is saturated cannot be moved.

    Parameters
    ----------
    base, reach : ndarray of shape (m, n)
        ``xᵀy`` and ``|x||y|``.
    """
    moved = unit * (values["gamma"] * reach + abs(values["coef0"]))
    least = np.abs(values["gamma"] * base + values["coef0"]) - moved
    slope = np.minimum(4 * np.exp(-2 * np.clip(least, 0, 300)), 1)
    return np.minimum(moved * slope, 2)


def of_polynomial(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``(γ xᵀy + c)^p`` by what its diagonal would be."""
    p = values["degree"]
    if rows.squared_norms is None:
        largest = values["gamma"] * rows.largest + abs(values["coef0"])
        # Where c is not negative that is the trace, which many rows give as norm.
        diagonal = norm if values["coef0"] >= 0 else rows.count * largest**p
    else:
        base = values["gamma"] * rows.squared_norms + abs(values["coef0"])
        diagonal = float(np.power(base, p).sum(dtype=np.float64))
    return rows.unit * (1 + p) * diagonal


def of_products(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``xᵀy``."""
    return 2 * rows.unit * rows.total


def of_cosines(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``xᵀy`` of rows of length 1, which are rounded before they are moved."""
    return 2 * rows.unit * (rows.total + (rows.count * rows.total) ** 0.5)


def of_paraboloid(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``xᵀy`` of lifted rows, whose heights are rounded before they are moved."""
    rounded = rows.unit * rows.heights**0.5
    return 2 * (rows.unit * rows.total + rounded * rows.total**0.5) + rounded**2


def _of_exact_distances(rows: Extent) -> float:
    # An entry is off by a part of E·exp(−E) or less, with E its exponent, which is
    # below 1/e.
    return rows.unit * rows.count


def _heights(points: Points) -> NDArray[np.float64]:
    """Return the last coordinate of lifted rows where they were before any move."""
    last = points.X[:, [-1]]
    heights = np.asarray(last.toarray() if is_sparse(last) else last, dtype=np.float64)
    moved = float(points.shift[-1]) if points.moved else 0.0
    return heights.ravel() + moved
