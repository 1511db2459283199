"""What kernels of distances share: decay, rounding, and squares written down."""

from collections.abc import Sequence

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values, at_least
from kpca_viewer.core.kernels.family import Growth, Operations
from kpca_viewer.core.kernels.formulas import (
    OFF,
    around,
    chain,
    code_number,
    in_brackets,
    joined_sum,
    with_error,
)
from kpca_viewer.support.numerals import as_it_is

LEAST_EXPONENT = {np.dtype(np.float64): -700.0, np.dtype(np.float32): -40.0}
"""What decays further counts as that far away. Subnormal numbers, and products that
become subnormal, take ten to a hundred times as long as others; next to a diagonal of 1
an entry of e⁻⁴⁰ is nothing in float32, nor one of e⁻⁷⁰⁰ in float64."""

SQUARES_CODE = "squares = np.square(A[:, None] - B).sum(axis=2)"


def decay(B: Array) -> Array:
    """``exp(B)`` in place, for B ≤ 0, without the numbers that are slow to compute."""
    at_least(LEAST_EXPONENT[B.dtype], B)
    return np.exp(B, out=B)


def exponential(B: Array, values: Values) -> Array:
    """``exp(−γB)`` of distances B, squared or not."""
    B *= -values["gamma"]
    return decay(B)


def exponential_slope(B: Array, values: Values) -> Array:
    """``−γ exp(−γB)`` of distances B, squared or not."""
    return -values["gamma"] * exponential(B, values)


def exponential_inverse(K: Array, values: Values) -> Array:
    """Distances, squared or not, of ``exp(−γB)``."""
    return -np.log(K) / values["gamma"]


def exact_rounding(rows: Extent) -> float:
    """Bound ``‖δK‖₂`` where squared distances are exact.

    An entry is off by a part of E·exp(−E) or less, with E its exponent, which is below
    1/e.
    """
    return rows.unit_of_squares * rows.count


def bounded(largest: float, values: Values) -> Growth:
    """Entries of 1 at most."""
    return Growth(1.0, 0.0)


def squared_distance_operations(d: int) -> Operations:
    return Operations(d, 2 * d - 1)


def scaled_code(factor: float, what: str) -> str:
    return what if factor == 1 else f"{code_number(factor)} * {what}"


def differences(x: Array, y: Array, form: str) -> str:
    """``(1−3)² + (2−4)²``, with ``({})²`` as the form of a term."""
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return joined_sum([form.format(_difference(a, b)) for a, b in pairs])


def _difference(a: float, b: float) -> str:
    """``99.8421−100.1976``: with digits that tell how far apart they are."""
    allowed = OFF * abs(a - b) if a != b else np.inf
    return f"{with_error(a, allowed)}−{around(with_error(b, allowed))}"


def squares(x: Array, y: Array) -> str:
    return differences(x, y, "({})²")


def sum_line(name: str, terms: Sequence[float], total: float) -> str:
    """``‖x − y‖² = 4 + 4 = 8``, what is under the sum written out."""
    written = joined_sum(list(map(in_brackets, terms)))
    return f"{name} = " + chain(written, as_it_is(total))


def exponent(value: float) -> str:
    """``e^(−4)``; a power of zero is ``e^0``."""
    return "e^0" if value == 0 else f"e^(−{with_error(value, OFF)})"


def rate(gamma: float, total: float, what: str) -> str:
    """``0.5·(a + b)`` in an exponent, with the digits that its value takes."""
    if gamma == 1:
        return what
    return f"{around(with_error(gamma, OFF / total if total else np.inf))}·{what}"
