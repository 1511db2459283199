"""The Gaussian kernel ``exp(−γ‖x − y‖²)``."""

from math import sqrt

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.distances import (
    SQUARES_CODE,
    bounded,
    exact_rounding,
    exponent,
    exponential,
    exponential_inverse,
    exponential_slope,
    rate,
    scaled_code,
    squared_distance_operations,
    squares,
    sum_line,
)
from kpca_viewer.core.kernels.family import (
    GAMMA,
    Computation,
    Convention,
    InSklearn,
    KernelFamily,
    Operations,
    infinite,
)
from kpca_viewer.core.kernels.formulas import chain
from kpca_viewer.core.kernels.inner_products import factor_operations
from kpca_viewer.support.numerals import as_it_is


def _rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound the matrix: γ multiplies the error of the squared distance."""
    if rows.exact:
        return exact_rounding(rows)
    return norm * rows.unit * 2 * values["gamma"] * rows.spread


def _operations(d: int, values: Values) -> Operations:
    distance = squared_distance_operations(d)
    return distance + factor_operations(values) + Operations(0, 0, 1)


def _written(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    terms = np.square(x - y)
    total = float(terms.sum())
    inside = rate(values["gamma"], total, f"({squares(x, y)})")
    return [
        chain(f"e^(−{inside})", exponent(values["gamma"] * total), as_it_is(entry)),
        sum_line("‖x − y‖²", terms.tolist(), total),
    ]


def _code(values: Values) -> list[str]:
    inside = scaled_code(values["gamma"], "squares")
    return [SQUARES_CODE, f"return np.exp(-{inside})"]


def _conventions(values: Values) -> tuple[Convention, ...]:
    gamma = values["gamma"]
    return (
        Convention("σ", sqrt(1 / (2 * gamma)), "γ = 1/2σ²"),
        Convention("σ", sqrt(1 / gamma), "γ = 1/σ²"),
    )


RBF = KernelFamily(
    name="rbf",
    title="RBF (Gaussian)",
    short="RBF",
    formula=r"k(x,y)=e^{{-{gamma}\|x-y\|^2}}",
    plain="k(x, y) = exp(−{gamma}‖x − y‖²)",
    computation=Computation(_written, _code),
    base="squared_distances",
    parameters=(GAMMA,),
    definite=True,
    feature_dimension=infinite,
    apply=exponential,
    operations=_operations,
    slope=exponential_slope,
    inverse=exponential_inverse,
    rounding=_rounding,
    growth=bounded,
    sklearn=InSklearn("rbf_kernel", estimator=True),
    conventions=_conventions,
    unit_diagonal=True,
    gaussian=True,
)
