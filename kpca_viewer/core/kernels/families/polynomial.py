"""The polynomial kernel ``(γ xᵀy + c)^p``."""

from collections.abc import Iterator
from math import comb, factorial, inf

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.family import (
    GAMMA,
    Computation,
    Growth,
    InSklearn,
    KernelFamily,
    Operations,
    Parameter,
)
from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.formulas import chain, code_number, in_brackets
from kpca_viewer.core.kernels.inner_products import (
    affine,
    affine_code,
    affine_operations,
)
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import as_it_is, raised, readable

DEGREE = Parameter(
    "degree",
    "p",
    "Degree",
    1,
    10,
    3,
    "integer",
    help="Larger: more curved features.",
    positive=True,
)
COEF0 = Parameter(
    "coef0",
    "c",
    "Offset",
    0,
    10,
    1,
    help="Larger: low-order features weigh more.",
    secondary=True,
)


def _value(B: Array, values: Values) -> Array:
    p = values["degree"]
    B *= values["gamma"]
    B += values["coef0"]
    if p == int(p):
        return _integer_power(B, int(p))
    if B.size and B.min() < 0:
        raise KernelError(
            f"The polynomial kernel has the fractional degree {readable(p)}, but "
            f"γ·xᵀy + c is negative ({readable(float(B.min()))}) for some pairs; "
            "choose a whole degree or a larger c."
        )
    return np.power(B, p, out=B)


def _integer_power(B: Array, p: int) -> Array:
    """``B ** p`` by repeated squaring: several times faster than ``np.power``."""
    result: Array | None = None
    square = B
    while True:
        if p & 1:
            result = square.copy() if result is None else np.multiply(result, square)
        p >>= 1
        if not p:
            assert result is not None
            return result
        square = np.multiply(square, square)


def _slope(B: Array, values: Values) -> Array:
    """``pγ(γB + c)^(p − 1)``."""
    p, gamma = values["degree"], values["gamma"]
    if p == 1:
        return np.full_like(B, gamma)
    if p < 1:
        # Where the base of the power is 0 it is infinitely steep; sums of slopes are
        # refused then with a sentence.
        with np.errstate(divide="ignore"):
            return p * gamma * np.power(gamma * B + values["coef0"], p - 1)
    return p * gamma * _value(B, {**values, "degree": p - 1})


def _inverse(K: Array, values: Values) -> Array:
    """Dot products; of an even degree those for which ``γB + c`` is not negative."""
    p = values["degree"]
    size = np.abs(K) if p % 2 == 1 else np.maximum(K, 0)
    root = np.sign(K) * np.power(size, 1 / p)
    return np.asarray((root - values["coef0"]) / values["gamma"])


def _rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound the matrix by what its diagonal would be."""
    p = values["degree"]
    if rows.squared_norms is None:
        largest = values["gamma"] * rows.largest + abs(values["coef0"])
        # Where c is not negative that is the trace, which many rows give as norm.
        diagonal = norm if values["coef0"] >= 0 else rows.count * largest**p
    else:
        base = values["gamma"] * rows.squared_norms + abs(values["coef0"])
        diagonal = float(np.power(base, p).sum(dtype=np.float64))
    return rows.unit * (1 + p) * diagonal


def _growth(largest: float, values: Values) -> Growth:
    base = values["gamma"] * largest + abs(values["coef0"])
    return Growth(base, values["degree"])


def _is_definite(values: Values) -> bool:
    return values["coef0"] >= 0 and values["degree"] == int(values["degree"])


def _dimension(d: int, values: Values) -> float:
    p = values["degree"]
    if p != int(p):
        return inf
    return comb(d + int(p) - (values["coef0"] == 0), int(p))


def _map(d: int, values: Values) -> FeatureMap:
    """Return the map by the multinomial theorem.

    ``√(p!/(a₀! a₁! … a_d!) γ^(p − a₀) c^a₀) x^a`` for all powers that sum to p; low
    ones first, which c = 0 leaves out.
    """
    p, gamma, c = int(values["degree"]), values["gamma"], values["coef0"]
    weights, powers = [], []
    for degree in range(0 if c > 0 else p, p + 1):
        for row in _partitions(degree, d):
            ways = factorial(p) / factorial(p - degree)
            for power in row:
                ways /= factorial(power)
            weights.append(_root_of_product(ways, gamma, degree, c, p - degree))
            powers.append(row)
    return FeatureMap(np.array(weights), np.array(powers, dtype=np.intp).reshape(-1, d))


def _root_of_product(
    ways: float, gamma: float, degree: int, c: float, rest: int
) -> float:
    """Return ``√(ways γ^degree c^rest)``; infinite where no number can hold it."""
    with np.errstate(over="ignore", invalid="ignore"):
        square = ways * np.float64(gamma) ** degree * np.float64(c) ** rest
        if np.isfinite(square):
            return float(square**0.5)
        # Roots first: their product may be a number where its square is none.
        roots = np.float64(gamma) ** (degree / 2) * np.float64(c) ** (rest / 2)
        return float(ways**0.5 * roots)


def _partitions(total: int, d: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to share a total among d features, the first ones first."""
    if d == 1:
        yield (total,)
        return
    for first in range(total, -1, -1):
        for rest in _partitions(total - first, d - 1):
            yield (first, *rest)


def _operations(d: int, values: Values) -> Operations:
    """Count it; a fractional power is a logarithm and an exponential."""
    p = values["degree"]
    power = Operations(int(p) - 1) if p == int(p) else Operations(1, 0, 2)
    return affine_operations(d, values) + power


def _written(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    terms, middle, base = affine(x, y, values)
    p = values["degree"]
    if p == 1:
        return [chain(terms, middle, as_it_is(entry))]
    power = raised(int(p)) if p == int(p) else f"^{as_it_is(p)}"
    steps = [f"({terms}){power}", f"({middle}){power}", in_brackets(base) + power]
    if values["gamma"] == 1:
        steps.pop(1)
    return [chain(*steps, as_it_is(entry))]


def _code(values: Values) -> list[str]:
    power = "" if values["degree"] == 1 else f" ** {code_number(values['degree'])}"
    inside = affine_code(values)
    return [f"return ({inside}){power}" if power else f"return {inside}"]


POLYNOMIAL = KernelFamily(
    name="poly",
    title="Polynomial",
    formula=r"k(x,y)={bracket}{gamma}x^\top y{coef0}{power}",
    plain="k(x, y) = {bracket}{gamma}xᵀy{coef0}{power}",
    computation=Computation(_written, _code),
    base="dot_products",
    parameters=(GAMMA, DEGREE, COEF0),
    definite=_is_definite,
    feature_dimension=_dimension,
    feature_map=_map,
    apply=_value,
    operations=_operations,
    slope=_slope,
    inverse=_inverse,
    rounding=_rounding,
    growth=_growth,
    sklearn=InSklearn("polynomial_kernel", estimator=True),
    main="degree",
)
