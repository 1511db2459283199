"""What every kernel does to its pairwise base, entry by entry and mostly in place."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import at_least
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import readable

Array = NDArray[np.floating]
Values = Mapping[str, float]

LEAST_EXPONENT = {np.dtype(np.float64): -700.0, np.dtype(np.float32): -40.0}
"""What decays further counts as that far away. Subnormal numbers, and products that
become subnormal, take ten to a hundred times as long as others; next to a diagonal of 1
an entry of e⁻⁴⁰ is nothing in float32, nor one of e⁻⁷⁰⁰ in float64."""


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


def polynomial(B: Array, values: Values) -> Array:
    """``(γB + c)^p`` of dot products B."""
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


def _decay(B: Array) -> Array:
    """``exp(B)`` in place, for B ≤ 0, without the numbers that are slow to compute."""
    at_least(LEAST_EXPONENT[B.dtype], B)
    return np.exp(B, out=B)


def exponential(B: Array, values: Values) -> Array:
    """``exp(−γB)`` of distances B, squared or not."""
    B *= -values["gamma"]
    return _decay(B)


def matern(B: Array, values: Values) -> Array:
    """Half-integer Matérn functions of distances B."""
    nu = values["nu"]
    # r·√(2ν)/ℓ; the polynomial in front makes it ⌊ν⌋ times differentiable.
    t = np.multiply(B, np.sqrt(2 * nu) / values["length_scale"], out=B)
    # As far as `_decay` goes, so that the polynomial does not outgrow it beyond.
    np.minimum(t, -LEAST_EXPONENT[t.dtype], out=t)
    decay = _decay(-t)
    if nu == 0.5:
        return decay
    if nu == 1.5:
        decay *= 1 + t
    else:
        decay *= 1 + t + t * t / 3
    return decay


def rational_quadratic(B: Array, values: Values) -> Array:
    """``(1 + B / (2aℓ²))^(−a)`` of squared distances B."""
    a = values["mixture"]
    B *= 1 / (2 * a * values["length_scale"] ** 2)
    # log1p and exp keep the large-a limit (the RBF) accurate; power would round.
    np.log1p(B, out=B)
    B *= -a
    return np.exp(B, out=B)


def sigmoid(B: Array, values: Values) -> Array:
    """``tanh(γB + c)`` of dot products B."""
    B *= values["gamma"]
    B += values["coef0"]
    return np.tanh(B, out=B)


def identity(B: Array, values: Values) -> Array:
    """Dot products as they are: cosines of rows of length 1, for example."""
    return B
