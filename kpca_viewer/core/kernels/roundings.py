"""How far rounding in the pairwise base can move a kernel matrix: one bound a kernel.

Every function takes the points, the parameter values and ``‖K‖_F`` (or a bound on it),
and bounds ``‖δK‖₂``. Kernels of distances have no negative entry, so that what is true
of every entry's relative error is true of the norm.

``|x|² + |y|² − 2xᵀy`` is off by a few ``ε·max|x|²`` however small it is, and γ
multiplies that: a narrow kernel on spread-out points is known to fewer digits.
"""

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, is_sparse
from kpca_viewer.core.kernels.functions import Values


def of_gaussian(points: Points, values: Values, norm: float) -> float:
    """Bound ``exp(−γ r²)``: γ multiplies the error of the squared distance."""
    if _to_all_digits(points):
        return _of_exact_distances(points)
    return norm * _unit(points) * 2 * values["gamma"] * _spread(points)


def of_rational_quadratic(points: Points, values: Values, norm: float) -> float:
    """Bound ``(1 + r²/2aℓ²)^(−a)``, which falls no faster than ``exp(−r²/2ℓ²)``."""
    if _to_all_digits(points):
        return _of_exact_distances(points)
    return norm * _unit(points) * _spread(points) / values["length_scale"] ** 2


def of_matern(points: Points, values: Values, norm: float) -> float:
    """Bound a function of the distance, which is found from differences."""
    slope = (2 * values["nu"]) ** 0.5 / values["length_scale"]
    return norm * _eps(points) * slope * 2 * _spread(points) ** 0.5


def of_laplacian(points: Points, values: Values, norm: float) -> float:
    """Bound a function of the L1 distance, which is found from differences."""
    widest = 2 * (points.d * _spread(points)) ** 0.5
    return norm * _eps(points) * values["gamma"] * widest


def of_sigmoid(points: Points, values: Values, norm: float) -> float:
    """Bound ``tanh(γ xᵀy + c)``, whose slope is 1 or less."""
    largest = values["gamma"] * points.largest_squared_norm
    return len(points) * _unit(points) * (1 + largest + abs(values["coef0"]))


def of_polynomial(points: Points, values: Values, norm: float) -> float:
    """Bound ``(γ xᵀy + c)^p`` by what its diagonal would be."""
    base = values["gamma"] * points.squared_norms + abs(values["coef0"])
    p = values["degree"]
    return _unit(points) * (1 + p) * float(np.power(base, p).sum(dtype=np.float64))


def of_products(points: Points, values: Values, norm: float) -> float:
    """Bound ``xᵀy``."""
    return 2 * _unit(points) * _total(points)


def of_cosines(points: Points, values: Values, norm: float) -> float:
    """Bound ``xᵀy`` of rows of length 1, which are rounded before they are moved."""
    total = _total(points)
    return 2 * _unit(points) * (total + (len(points) * total) ** 0.5)


def of_paraboloid(points: Points, values: Values, norm: float) -> float:
    """Bound ``xᵀy`` of lifted rows, whose heights are rounded before they are moved."""
    total, heights = _total(points), _heights(points)
    rounded = _unit(points) * float(heights @ heights) ** 0.5
    return 2 * (_unit(points) * total + rounded * total**0.5) + rounded**2


def _to_all_digits(points: Points) -> bool:
    """Whether squared distances are sums of squared differences, in float64."""
    return points.by_differences and points.dtype == np.float64


def _of_exact_distances(points: Points) -> float:
    # An entry is off by a part of E·exp(−E) or less, with E its exponent, which is
    # below 1/e.
    return _unit(points) * len(points)


def _unit(points: Points) -> float:
    """Return the relative error of a sum of d terms; it grows like the root of d."""
    return _eps(points) * (4 + points.d**0.5)


def _eps(points: Points) -> float:
    return float(np.finfo(points.dtype).eps)


def _spread(points: Points) -> float:
    return float(points.shifted_norms.max(initial=0.0))


def _heights(points: Points) -> NDArray[np.float64]:
    """Return the last coordinate of lifted rows where they were before any move."""
    last = points.X[:, [-1]]
    heights = np.asarray(last.toarray() if is_sparse(last) else last, dtype=np.float64)
    moved = float(points.shift[-1]) if points.moved else 0.0
    return heights.ravel() + moved


def _total(points: Points) -> float:
    return float(points.squared_norms.sum(dtype=np.float64))
