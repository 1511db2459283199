"""What kernels of dot products share: ``xᵀy`` itself, and ``γ xᵀy + c``."""

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.family import Operations
from kpca_viewer.core.kernels.formulas import code_number, in_brackets, joined_sum
from kpca_viewer.support.numerals import as_it_is


def identity(B: Array, values: Values) -> Array:
    """Dot products as they are: cosines of rows of length 1, for example."""
    return B


def identity_slope(B: Array, values: Values) -> Array:
    return np.ones_like(B)


def product_rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``‖δK‖₂`` of ``xᵀy``."""
    return 2 * rows.unit * rows.total


def product_operations(d: int) -> Operations:
    return Operations(d, d - 1)


def factor_operations(values: Values) -> Operations:
    return Operations(int(values["gamma"] != 1))


def affine_operations(d: int, values: Values) -> Operations:
    """Count ``γ xᵀy + c``."""
    offset = Operations(0, int(values["coef0"] != 0))
    return product_operations(d) + factor_operations(values) + offset


def affine_code(values: Values) -> str:
    product = "A @ B.T"
    if values["gamma"] != 1:
        product = f"{code_number(values['gamma'])} * ({product})"
    c = values["coef0"]
    if not c:
        return product
    sign = "+" if c > 0 else "-"
    return f"{product} {sign} {code_number(abs(c))}"


def products(x: Array, y: Array) -> str:
    """``3·5 + 4·6``."""
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return joined_sum([f"{in_brackets(a)}·{in_brackets(b)}" for a, b in pairs])


def squares_of(row: Array) -> str:
    """``3² + 4²``."""
    return joined_sum([f"{in_brackets(a)}²" for a in row.tolist()])


def affine(x: Array, y: Array, values: Values) -> tuple[str, str, float]:
    """``c + γ xᵀy``: with its terms, with the product computed, and its value."""
    gamma, c = values["gamma"], values["coef0"]
    dot = float(x @ y)
    front = f"{as_it_is(c)} + " if c else ""
    terms = front + _times(gamma, products(x, y), is_sum=len(x) > 1)
    middle = front + _times(gamma, in_brackets(dot), is_sum=False)
    return terms, middle, c + gamma * dot


def _times(factor: float, what: str, *, is_sum: bool) -> str:
    """``0.5·(a + b)``; nothing is said of a factor of one."""
    inside = f"({what})" if is_sum else what
    return what if factor == 1 else f"{in_brackets(factor)}·{inside}"
