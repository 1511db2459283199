"""From a kernel value back to the base it was made of, where there is one way back."""

import numpy as np

from kpca_viewer.core.kernels.functions import Array, Values

STEPS = 60
"""Of Newton's method; from the right of a convex function some ten are enough."""


def from_polynomial(K: Array, values: Values) -> Array:
    """Dot products; of an even degree those for which ``γB + c`` is not negative."""
    p = values["degree"]
    size = np.abs(K) if p % 2 == 1 else np.maximum(K, 0)
    root = np.sign(K) * np.power(size, 1 / p)
    return np.asarray((root - values["coef0"]) / values["gamma"])


def from_exponential(K: Array, values: Values) -> Array:
    """Distances, squared or not, of ``exp(−γB)``."""
    return -np.log(K) / values["gamma"]


def from_rational_quadratic(K: Array, values: Values) -> Array:
    a = values["mixture"]
    return 2 * a * values["length_scale"] ** 2 * np.expm1(-np.log(K) / a)


def from_matern(K: Array, values: Values) -> Array:
    """Distances: the root of ``t − log(1 + t + …) = −log K``, and ``r = t ℓ / √(2ν)``.

    The left side is convex and grows, so that Newton's method from the right of the
    root comes down to it without ever passing it.
    """
    nu, wanted = values["nu"], -np.log(K)
    t = wanted.copy()
    if nu != 0.5:
        cubic = 0.0 if nu == 1.5 else 1 / 3
        t = 2 * (wanted + np.sqrt(6 * wanted)) + 1e-8
        for _ in range(STEPS):
            factor = 1 + t + cubic * t * t
            slope = 1 - (1 + 2 * cubic * t) / factor
            step = (t - np.log(factor) - wanted) / np.maximum(slope, 1e-12)
            t = np.maximum(t - step, 0.0)
            if np.abs(step).max(initial=0.0) < 1e-12 * (1 + t.max(initial=0.0)):
                break
    return np.asarray(t * values["length_scale"] / np.sqrt(2 * nu))
