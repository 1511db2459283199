"""The sigmoid kernel ``tanh(γ xᵀy + c)``, which is never sure to be definite."""

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.distances import bounded
from kpca_viewer.core.kernels.family import (
    GAMMA,
    Computation,
    InSklearn,
    KernelFamily,
    Operations,
    Parameter,
    infinite,
)
from kpca_viewer.core.kernels.formulas import chain
from kpca_viewer.core.kernels.inner_products import (
    affine,
    affine_code,
    affine_operations,
)
from kpca_viewer.support.numerals import as_it_is

COEF0 = Parameter(
    "coef0",
    "c",
    "Offset",
    -5,
    5,
    1,
    help="Shifts the bend of the tanh.",
    secondary=True,
)


def _value(B: Array, values: Values) -> Array:
    B *= values["gamma"]
    B += values["coef0"]
    return np.tanh(B, out=B)


def _slope(B: Array, values: Values) -> Array:
    """``γ(1 − tanh²(γB + c))``."""
    return values["gamma"] * (1 - np.square(_value(B, values)))


def _rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound the matrix by a slope of 1."""
    largest = values["gamma"] * rows.largest
    return rows.count * rows.unit * (1 + largest + abs(values["coef0"]))


def _entry_rounding(base: Array, reach: Array, values: Values, unit: float) -> Array:
    """Bound every entry: by its slope there, and by its range.

    With ``b = γ xᵀy + c`` off by δ at most, the slope on the way is no more than
    ``sech²(|b| − δ) ≤ 4 exp(−2(|b| − δ))``: what is saturated cannot be moved.
    """
    moved = unit * (values["gamma"] * reach + abs(values["coef0"]))
    least = np.abs(values["gamma"] * base + values["coef0"]) - moved
    slope = np.minimum(4 * np.exp(-2 * np.clip(least, 0, 300)), 1)
    return np.minimum(moved * slope, 2)


def _operations(d: int, values: Values) -> Operations:
    return affine_operations(d, values) + Operations(0, 0, 1)


def _written(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    terms, middle, base = affine(x, y, values)
    steps = [f"tanh({terms})", f"tanh({middle})", f"tanh({as_it_is(base)})"]
    return [chain(*steps, as_it_is(entry))]


SIGMOID = KernelFamily(
    name="sigmoid",
    title="Sigmoid",
    formula=r"k(x,y)=\tanh({gamma}x^\top y{coef0})",
    plain="k(x, y) = tanh({gamma}xᵀy{coef0})",
    computation=Computation(
        _written, lambda values: [f"return np.tanh({affine_code(values)})"]
    ),
    base="dot_products",
    parameters=(GAMMA, COEF0),
    definite=False,
    feature_dimension=infinite,
    apply=_value,
    operations=_operations,
    slope=_slope,
    rounding=_rounding,
    entry_rounding=_entry_rounding,
    growth=bounded,
    sklearn=InSklearn("sigmoid_kernel", estimator=True),
)
