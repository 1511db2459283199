"""Cholesky's decomposition of a small matrix with pivots, by size or by chance.

LAPACK has the first (``dpstrf``), a millisecond faster for a few hundred pivots. But it
is reached through ``scipy.linalg``, whose import takes longer than all else that a
first picture is computed with.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def pivoted_cholesky(A: Array, most: int, smallest: float) -> tuple[Array, Array]:
    """Return ``L`` and ``order`` with ``A[order][:, order] ≈ L Lᵀ``.

    Parameters
    ----------
    A : ndarray of shape (m, m)
        Symmetric, positive semi-definite up to rounding.
    most : int
        How many pivots to take.
    smallest : float
        The residual below which a row is no pivot any more.

    Returns
    -------
    L : ndarray of shape (q, q)
        Lower triangle.
    order : ndarray of shape (q,)
        The pivots, by falling residual.
    """
    most = min(most, len(A))
    rows = np.empty((most, len(A)))
    residual = A.diagonal().copy()
    order: list[int] = []
    for k in range(most):
        pivot = int(residual.argmax())
        left = float(residual[pivot])
        if not left > smallest:
            break
        root = left**0.5
        row = (A[pivot] - rows[:k, pivot].dot(rows[:k])) / root
        row[pivot] = root
        rows[k] = row
        row *= row
        residual -= row
        # Never again, whatever rounding has left of it.
        residual[pivot] = -np.inf
        order.append(pivot)
    pivots = np.array(order, dtype=np.intp)
    return np.tril(rows[: len(order), pivots].T), pivots


def sampled_cholesky(
    A: Array, most: int, smallest: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return the same for pivots that are drawn, one after the other.

    Each is taken with the part that those before it leave of its residual as its
    chance: as if every one had been drawn in proportion to what is left then (Epperly,
    Tropp and Webber, 2024).
    """
    rows = np.empty((min(most, len(A)), len(A)))
    residual = A.diagonal().copy()
    least = np.maximum(rng.random(len(A)) * residual, smallest)
    order: list[int] = []
    for pivot in range(len(A)):
        k = len(order)
        if k == len(rows):
            break
        if residual[pivot] > least[pivot]:
            root = float(residual[pivot]) ** 0.5
            rows[k] = (A[pivot] - rows[:k, pivot].dot(rows[:k])) / root
            rows[k, pivot] = root
            residual -= rows[k] ** 2
            order.append(pivot)
    pivots = np.array(order, dtype=np.intp)
    return np.tril(rows[: len(order), pivots].T), pivots
