"""Scores of few rows on few components, quickly, where nobody needs bounds."""

from collections.abc import Sequence
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
converged, and goes on from a random vector of its own."""

SEED = 0
"""Of the vector that Lanczos starts from: any will do, but always the same."""


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
    exact = exact or kernel.feature_dimension(X.shape[1]) < LEAST_RANK
    values, vectors = _leading(K, max(axes) + 1, exact=exact)
    scores = np.zeros((len(X), len(axes)))
    for place, axis in enumerate(axes):
        if axis < len(values):
            root = np.sqrt(max(float(values[axis]), 0.0))
            scores[:, place] = root * vectors[:, axis]
    return scores * canonical_signs(scores)


def _leading(K: Array, k: int, *, exact: bool) -> tuple[Array, Array]:
    """Return the largest eigenvalues of K (m, m), k or more, and their vectors."""
    if not exact and len(K) >= DENSE_BELOW and k <= len(K) // 10:
        from scipy.sparse.linalg import ArpackError, eigsh

        random = np.random.default_rng(SEED)
        start = random.standard_normal(len(K))
        # Only newer versions of scipy can be told how Lanczos goes on from an end.
        seeded = {"rng": random} if "rng" in signature(eigsh).parameters else {}
        try:
            values, vectors = eigsh(K, k, which="LA", v0=start, tol=1e-9, **seeded)
        except ArpackError:
            pass
        else:
            order = np.argsort(-values, kind="stable")
            return values[order], vectors[:, order]
    values, vectors = np.linalg.eigh(K)
    return values[::-1], vectors[:, ::-1]
