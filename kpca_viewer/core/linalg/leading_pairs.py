"""A few leading eigenpairs of many small matrices, each by the same fixed work.

Nobody needs their bounds: they are compared with each other. That the same is done to
every matrix, whatever it holds, is what makes the comparison fair.

Matrices come one by one or as a stack: of small ones, most of the time goes into calls,
and a stack takes no more of them than one matrix.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

ALL_UP_TO = 120
"""Rows up to which all eigenvalues take no longer than a few."""

PASSES = 5
"""Blocks of the Krylov basis: errors stay below 10⁻³ of the largest eigenvalue, also
where the spectrum is flat."""

SPARE = 4
"""Vectors of a block beyond those that are wanted."""


def centred(K: Array) -> Array:
    """Return ``HKH``, in the place of K (…, n, n)."""
    K -= K.mean(axis=-2, keepdims=True)
    K -= K.mean(axis=-1, keepdims=True)
    return K


def leading_pairs(A: Array, k: int, *, definite: bool = True) -> tuple[Array, Array]:
    """Return the k largest eigenvalues (…, k), descending, and vectors (…, n, k).

    Parameters
    ----------
    A : ndarray of shape (…, n, n)
        Symmetric.
    k : int
        1 … n.
    definite : bool
        Whether no eigenvalue is negative; else all of them are computed, because large
        negative ones would hide the positive.
    """
    if _wants_all(A, k, definite):
        values, vectors = np.linalg.eigh(A)
        return _last(values, k), _last(vectors, k)
    Q, T = _krylov(A, k)
    values, Y = np.linalg.eigh(T)
    return _without_rounding(_last(values, k), A), Q @ _last(Y, k)


def leading_values(A: Array, k: int, *, definite: bool = True) -> Array:
    """Return the k largest eigenvalues (…, k), descending; as `leading_pairs`."""
    if _wants_all(A, k, definite):
        return _last(np.linalg.eigvalsh(A), k)
    T = _krylov(A, k)[1]
    return _without_rounding(_last(np.linalg.eigvalsh(T), k), A)


def _wants_all(A: Array, k: int, definite: bool) -> bool:
    return not definite or A.shape[-1] <= max(ALL_UP_TO, 4 * (k + SPARE))


def _last(ascending: Array, k: int) -> Array:
    """Return the last k along the last axis, the last of them first."""
    return ascending[..., ::-1][..., :k]


def _without_rounding(values: Array, A: Array) -> Array:
    """Return descending eigenvalues, with zeros beyond the rank of a definite A."""
    least = A.shape[-1] * np.finfo(np.float64).eps * values[..., :1]
    return np.where(values > least, values, 0.0)


def _krylov(A: Array, k: int) -> tuple[Array, Array]:
    """Return a basis Q (…, n, m) of what A makes of random vectors, and ``QᵀAQ``."""
    n, width = A.shape[-1], k + SPARE
    # Of a rank below its size, the basis holds vectors that A takes to zero as well.
    size = min(PASSES * width, n)
    Q, W = np.empty((*A.shape[:-1], size)), np.empty((*A.shape[:-1], size))
    # The same start for every matrix: the image of random vectors, which has little of
    # what A takes to zero.
    block = _orthonormal(A @ np.random.default_rng(0).standard_normal((n, width)))
    for start in range(0, size, width):
        if start:
            block = _beyond(W[..., start - width : start], Q[..., :start])
        new = slice(start, min(start + width, size))
        Q[..., new] = block[..., : size - start]
        W[..., new] = A @ Q[..., new]
    T = _transposed(Q) @ W
    return Q, (T + _transposed(T)) / 2


def _beyond(V: Array, Q: Array) -> Array:
    """Return orthonormal columns (…, n, w) beside Q that hold what V has beyond it."""
    for _ in range(2):
        # Twice: what is left of a column that lies in Q is rounding, which has parts of
        # Q again.
        V = _orthonormal(V - Q @ (_transposed(Q) @ V))
    return V


def _orthonormal(V: Array) -> Array:
    return np.linalg.qr(V)[0]


def _transposed(V: Array) -> Array:
    return np.swapaxes(V, -1, -2)
