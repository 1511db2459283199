"""The Laplacian kernel ``exp(−γ‖x − y‖₁)``."""

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.distances import (
    bounded,
    differences,
    exponent,
    exponential,
    exponential_inverse,
    exponential_slope,
    rate,
    scaled_code,
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
    """Bound a function of the L1 distance, which is found from differences."""
    widest = 2 * (rows.d * rows.spread) ** 0.5
    return norm * rows.unit * values["gamma"] * widest


def _operations(d: int, values: Values) -> Operations:
    """Count it; the size of a difference costs nothing."""
    return Operations(0, 2 * d - 1, 1) + factor_operations(values)


def _written(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    sizes = np.abs(x - y)
    total = float(sizes.sum())
    inside = rate(values["gamma"], total, f"({differences(x, y, '|{}|')})")
    return [
        chain(f"e^(−{inside})", exponent(values["gamma"] * total), as_it_is(entry)),
        sum_line("‖x − y‖₁", sizes.tolist(), total),
    ]


def _code(values: Values) -> list[str]:
    return [
        "sizes = np.abs(A[:, None] - B).sum(axis=2)",
        f"return np.exp(-{scaled_code(values['gamma'], 'sizes')})",
    ]


LAPLACIAN = KernelFamily(
    name="laplacian",
    title="Laplacian",
    formula=r"k(x,y)=e^{{-{gamma}\|x-y\|_1}}",
    plain="k(x, y) = exp(−{gamma}‖x − y‖₁)",
    computation=Computation(_written, _code),
    base="l1_distances",
    parameters=(GAMMA,),
    definite=True,
    feature_dimension=infinite,
    apply=exponential,
    operations=_operations,
    slope=exponential_slope,
    inverse=exponential_inverse,
    rounding=_rounding,
    growth=bounded,
    sklearn=InSklearn("laplacian_kernel"),
    conventions=lambda values: (Convention("ℓ", 1 / values["gamma"], "γ = 1/ℓ"),),
    unit_diagonal=True,
)
