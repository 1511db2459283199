"""Scores of few rows on few components, quickly, where nobody needs bounds."""

from collections.abc import Sequence
from functools import cache
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.orientation import canonical_signs

Array = NDArray[Any]

DENSE_BELOW = 120
"""Rows of which all eigenvalues are as quick as a few."""

LEAST_RANK = 60
"""Dimensions of feature space below which Lanczos comes to an end before it has
converged, and goes on from a random vector of its own. The range of the matrix is found
at once there."""

SPARE = 8
"""Random vectors beyond the rank, whose images make sure of the whole range."""

SEED = 0
"""Of the vectors that are started from: any will do, but always the same."""


def leading_scores(
    X: Array,
    kernel: Kernel,
    axes: Sequence[int],
    *,
    center: bool = True,
    exact: bool = True,
) -> Array:
    """Scores (m, len(axes)) of few rows as the kernel sees them.

    Where there is no such component, or its eigenvalue is negative, scores are 0.

    Parameters
    ----------
    exact : bool
        Whether rows may be symmetric, with eigenvalues that occur more than once; no
        random data have any.
    """
    points = kernel.points(X, center=center)
    K = kernel.block(points, points)
    if center:
        K -= K.mean(axis=0)
        K -= K.mean(axis=1)[:, None]
    rank = kernel.feature_dimension(X.shape[1])
    if exact or len(K) < DENSE_BELOW:
        values, vectors = _all(K)
    elif rank < LEAST_RANK:
        values, vectors = _in_range(K, int(rank))
    else:
        values, vectors = _leading(K, max(axes) + 1)
    scores = np.zeros((len(X), len(axes)))
    for place, axis in enumerate(axes):
        if axis < len(values):
            root = np.sqrt(max(float(values[axis]), 0.0))
            scores[:, place] = root * vectors[:, axis]
    return scores * canonical_signs(scores)


def _all(K: Array) -> tuple[Array, Array]:
    """Return all eigenvalues of K (m, m), descending, and their vectors."""
    values, vectors = np.linalg.eigh(K)
    return values[::-1], vectors[:, ::-1]


def _in_range(K: Array, rank: int) -> tuple[Array, Array]:
    """Return all eigenvalues of K (m, m) that are not 0, and their vectors.

    The images of more random vectors than its rank span all that K does not take to 0.
    """
    width = min(rank + SPARE, len(K))
    start = np.random.default_rng(SEED).standard_normal((len(K), width))
    Q = np.linalg.qr(K @ start)[0]
    values, vectors = _all(Q.T @ K @ Q)
    return values, Q @ vectors


def _leading(K: Array, k: int) -> tuple[Array, Array]:
    """Return the largest eigenvalues of K (m, m), k or more, and their vectors."""
    if k > len(K) // 10:
        return _all(K)
    from scipy.sparse.linalg import ArpackError, eigsh

    random = np.random.default_rng(SEED)
    start = random.standard_normal(len(K))
    seeded = {"rng": random} if _takes_generator() else {}
    try:
        values, vectors = eigsh(K, k, which="LA", v0=start, tol=1e-9, **seeded)
    except ArpackError:
        return _all(K)
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


@cache
def _takes_generator() -> bool:
    """Return whether Lanczos can be told how it goes on from an end.

    Only newer versions of scipy can.
    """
    from scipy.sparse.linalg import eigsh

    return "rng" in signature(eigsh).parameters
