"""The rational quadratic kernel ``(1 + ‖x − y‖²/(2aℓ²))^(−a)``: Gaussians of many ℓ."""

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.distances import (
    SQUARES_CODE,
    bounded,
    exact_rounding,
    squared_distance_operations,
    squares,
    sum_line,
)
from kpca_viewer.core.kernels.family import (
    LENGTH,
    Computation,
    InSklearn,
    KernelFamily,
    Operations,
    Parameter,
    infinite,
)
from kpca_viewer.core.kernels.formulas import chain, code_number, in_brackets
from kpca_viewer.support.numerals import as_it_is

MIXTURE = Parameter(
    "mixture",
    "a",
    "Mixture",
    1e-2,
    1e2,
    1.0,
    "log",
    help="Smaller: a wider mixture of lengths; large values approach the RBF.",
    positive=True,
)


def _value(B: Array, values: Values) -> Array:
    a = values["mixture"]
    B *= 1 / (2 * a * values["length_scale"] ** 2)
    # log1p and exp keep the large-a limit (the RBF) accurate; power would round.
    np.log1p(B, out=B)
    B *= -a
    return np.exp(B, out=B)


def _slope(B: Array, values: Values) -> Array:
    """``−(1 + B / (2aℓ²))^(−a − 1) / (2ℓ²)``."""
    a, square = values["mixture"], values["length_scale"] ** 2
    return np.exp((-a - 1) * np.log1p(B / (2 * a * square))) / (-2 * square)


def _inverse(K: Array, values: Values) -> Array:
    a = values["mixture"]
    return 2 * a * values["length_scale"] ** 2 * np.expm1(-np.log(K) / a)


def _rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound what falls no faster than ``exp(−r²/2ℓ²)``."""
    if rows.exact:
        return exact_rounding(rows)
    return norm * rows.unit * rows.spread / values["length_scale"] ** 2


def _operations(d: int, values: Values) -> Operations:
    """Count it; its power takes a logarithm."""
    return squared_distance_operations(d) + Operations(2, 1, 2)


def _written(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    a, length = values["mixture"], values["length_scale"]
    terms = np.square(x - y)
    total = float(terms.sum())
    below = f"(2·{in_brackets(a)}·{in_brackets(length)}²)"
    power = f"^(−{as_it_is(a)})"
    base = 1 + total / (2 * a * length**2)
    return [
        chain(
            f"(1 + ({squares(x, y)})/{below}){power}",
            f"(1 + {in_brackets(total)}/{in_brackets(2 * a * length**2)}){power}",
            f"{in_brackets(base)}{power}",
            as_it_is(entry),
        ),
        sum_line("‖x − y‖²", terms.tolist(), total),
    ]


def _code(values: Values) -> list[str]:
    a, length = values["mixture"], values["length_scale"]
    below = f"(2 * {code_number(a)} * {code_number(length)} ** 2)"
    return [SQUARES_CODE, f"return (1 + squares / {below}) ** -{code_number(a)}"]


RATIONAL_QUADRATIC = KernelFamily(
    name="rational_quadratic",
    title="Rational quadratic",
    formula=r"k(x,y)=\left(1+\frac{{\|x-y\|^2}}{{{twice}}}\right)^{{-{mixture}}}",
    plain="k(x, y) = (1 + ‖x − y‖² / {twice})^(−{mixture})",
    computation=Computation(_written, _code),
    base="squared_distances",
    parameters=(LENGTH, MIXTURE),
    definite=True,
    feature_dimension=infinite,
    apply=_value,
    operations=_operations,
    slope=_slope,
    inverse=_inverse,
    rounding=_rounding,
    growth=bounded,
    sklearn=InSklearn(
        "RationalQuadratic", of_process=True, renamed={"mixture": "alpha"}
    ),
    unit_diagonal=True,
)
