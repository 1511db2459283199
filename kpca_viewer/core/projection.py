"""Scores: of the training points, and of new ones in blocks of bounded memory."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.gram import row_blocks
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]

Cross = Callable[[slice, Array | None], Array]
"""``cross(rows, columns)``: kernel of the new ``rows`` against the training points at
``columns`` (all of them for None)."""

Factors = Callable[[slice | Array], tuple[Array, Array]]
"""``factors(columns)``: of the nodes along x, (mx, c), and along y, (my, c), with the
training points at ``columns``."""

NOISE = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 2e-7}
"""Eigenvalues below this part of the largest are rounding noise (as scikit-learn)."""


def in_type(scores: Array, dtype: Any) -> Array:
    """Return scores in the type of the points, if that can hold them.

    A kernel of high degree makes float64 numbers of float32 points.
    """
    if np.abs(scores).max(initial=0.0) > np.finfo(dtype).max:
        return scores
    return scores.astype(dtype, copy=False)


def positive_part(decomposition: Decomposition) -> Array:
    """Eigenvalues with noise and negative ones set to exactly zero, shape (k,)."""
    values = decomposition.eigenvalues
    noise = NOISE[decomposition.eigenvectors.dtype] * values.max(initial=0.0)
    # Of points that are all alike, the largest is noise too: it lies far below its
    # own bound.
    noise = np.maximum(noise, 1e-10 * (decomposition.bounds[:, 1] - values))
    return np.where(values > noise, values, 0.0)


def training_scores(decomposition: Decomposition) -> Array:
    """``Z = V √μ``, shape (n, k); exactly zero where μ is noise or negative."""
    roots = np.sqrt(positive_part(decomposition))
    return decomposition.eigenvectors * roots.astype(decomposition.eigenvectors.dtype)


def dual_coefficients(decomposition: Decomposition) -> Array:
    """``α = V / √μ``, shape (n, k); zero where μ is noise or negative."""
    values = positive_part(decomposition)
    inverse = np.zeros_like(values)
    inverse[values > 0] = 1 / np.sqrt(values[values > 0])
    alpha = decomposition.eigenvectors * inverse
    if decomposition.row_means.any():
        # With centring, Σα = 0; next to rounding noise v is not so exact, and what is
        # left of the sum would be multiplied by all that the centring has taken away.
        alpha -= alpha.mean(axis=0)
    return alpha


def project(
    decomposition: Decomposition, cross: Cross, m: int, should_stop: ShouldStop = never
) -> Array:
    """Scores of m new points, shape (m, k).

    ``z_j(x) = Σ_i α_ji (k(x, x_i) − K̄_i)`` with the *training* row means; the other
    centring terms drop out because the α of a component sum to zero. A low-rank model
    needs the kernel against its landmarks only.
    """
    columns, weights, offset = carriers(decomposition)
    result = np.empty((m, weights.shape[1]))
    for rows in row_blocks(m, 8 * len(weights)):
        check(should_stop)
        result[rows] = cross(rows, columns) @ weights - offset
    return result


def project_grid(
    decomposition: Decomposition,
    factors: Factors,
    shape: tuple[int, int],
    should_stop: ShouldStop = never,
) -> Array:
    """Scores on a grid of my × mx nodes, shape (my, mx, k).

    For a kernel that is a product, ``k(p, q) = f(p₁, q₁) f(p₂, q₂)``: a component is
    then a product of two matrices, and no entry of the kernel is computed.
    """
    columns, weights, offset = carriers(decomposition)
    result = np.empty((weights.shape[1], *shape))
    result[:] = -offset[:, None, None]
    for part in row_blocks(len(weights), 8 * sum(shape)):
        x, y = factors(part if columns is None else columns[part])
        for component, weight in zip(result, weights[part].T, strict=True):
            check(should_stop)
            component += (y * weight) @ x.T
    return np.moveaxis(result, 0, -1)


def carriers(decomposition: Decomposition) -> tuple[Array | None, Array, Array]:
    """Return training points (None for all), their weights, and what to subtract."""
    map_ = decomposition.landmark_map
    if map_ is not None:
        return map_.landmarks, map_.projection, map_.offset
    weights = dual_coefficients(decomposition)
    return None, weights, decomposition.row_means @ weights
