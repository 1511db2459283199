"""How fast every kernel changes with its pairwise base: ``dk/dB``, entry by entry.

Like the kernel itself, the slope is an elementwise function of the base; what the base
does when a column of a row changes is the same for all families, and is the business of
`gradients`.
"""

import numpy as np

from kpca_viewer.core.kernels import functions
from kpca_viewer.core.kernels.functions import LEAST_EXPONENT, Array, Values


def of_products(B: Array, values: Values) -> Array:
    """1, of a kernel that is the dot product itself."""
    return np.ones_like(B)


def of_polynomial(B: Array, values: Values) -> Array:
    """``pγ(γB + c)^(p − 1)`` of dot products B."""
    p, gamma = values["degree"], values["gamma"]
    if p == 1:
        return np.full_like(B, gamma)
    if p < 1:
        # Where the base of the power is 0 it is infinitely steep; whoever sums the
        # slopes refuses that with a sentence.
        with np.errstate(divide="ignore"):
            return p * gamma * np.power(gamma * B + values["coef0"], p - 1)
    return p * gamma * functions.polynomial(B, {**values, "degree": p - 1})


def of_exponential(B: Array, values: Values) -> Array:
    """``−γ exp(−γB)`` of distances B, squared or not."""
    return -values["gamma"] * functions.exponential(B, values)


def of_matern(B: Array, values: Values) -> Array:
    """Slopes of the half-integer Matérn functions of distances B."""
    nu = values["nu"]
    rate = np.sqrt(2 * nu) / values["length_scale"]
    t = np.minimum(rate * B, -LEAST_EXPONENT[B.dtype])
    decay = -rate * np.exp(-t)
    if nu == 0.5:
        return decay
    if nu == 1.5:
        return decay * t
    return decay * (t + t * t) / 3


def of_rational_quadratic(B: Array, values: Values) -> Array:
    """``−(1 + B / (2aℓ²))^(−a − 1) / (2ℓ²)`` of squared distances B."""
    a, square = values["mixture"], values["length_scale"] ** 2
    return np.exp((-a - 1) * np.log1p(B / (2 * a * square))) / (-2 * square)


def of_sigmoid(B: Array, values: Values) -> Array:
    """``γ(1 − tanh²(γB + c))`` of dot products B."""
    return values["gamma"] * (1 - np.square(functions.sigmoid(B, values)))
