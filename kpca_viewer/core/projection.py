"""Scores: of the training points, and of new ones in blocks of bounded memory."""

from collections.abc import Callable
from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class Scoring:
    """Which steps lead from eigenvectors to scores; a class may forget one of them."""

    normalised: bool = True
    """Whether ``α = v/√μ``; False takes ``α = v``, and scores are √μ times as long."""
    centers_new: bool = True
    """Whether the row ``k(x, x_i)`` of a new point is centred as K was."""


RIGHT = Scoring()


def in_type(scores: Array, dtype: Any) -> Array:
    """Return scores in the type of the points, if that can hold them.

    A kernel of high degree makes float64 numbers of float32 points.
    """
    largest = max(scores.max(initial=0.0), -scores.min(initial=0.0))
    if largest > np.finfo(dtype).max:
        return scores
    return scores.astype(dtype, copy=False)


def positive_part(decomposition: Decomposition) -> Array:
    """Eigenvalues with noise and negative ones set to exactly zero, shape (k,)."""
    values = decomposition.eigenvalues
    largest = float(np.abs(decomposition.spectrum).max(initial=0.0))
    largest = max(largest, float(values.max(initial=0.0)), -decomposition.smallest)
    noise: Any = NOISE[decomposition.eigenvectors.dtype] * largest
    if decomposition.complete and not decomposition.psd:
        # Rounding is as likely to lie above zero as below.
        noise = np.maximum(noise, decomposition.bounds[:, 1] - values)
    # Of points that are all alike, the largest is noise too: it lies far below its
    # own bound.
    noise = np.maximum(noise, 1e-10 * (decomposition.bounds[:, 1] - values))
    return np.where(values > noise, values, 0.0)


def training_scores(decomposition: Decomposition, how: Scoring = RIGHT) -> Array:
    """``Z = K̃α = V √μ``, shape (n, k); exactly zero where μ is noise or negative."""
    roots = np.sqrt(positive_part(decomposition))
    lengths = roots * _stretch(decomposition, how)
    return decomposition.eigenvectors * lengths.astype(decomposition.eigenvectors.dtype)


def score_bounds(decomposition: Decomposition) -> Array:
    """Bound ``‖ẑ − z‖`` of every component over all rows (k,), z the true scores.

    ``ẑ = √θ v`` with the angle φ to u, and ``z = √μ u``: turned it is off by no more
    than ``2√θ sin(φ/2)``, and its length by ``|√θ − √μ|``. Infinite where the angle has
    no bound; scores that were set to zero are off by ``√μ``.
    """
    live, angles = positive_part(decomposition), decomposition.angle_bounds
    lower, upper = np.sqrt(np.maximum(decomposition.bounds, 0.0)).T
    root = np.sqrt(live)
    eps = 4 * float(np.finfo(decomposition.eigenvectors.dtype).eps)
    known = np.isfinite(angles)
    turned = 2 * np.sin(np.where(known, angles, 0.0) / 2) + eps
    away = root * turned + np.maximum(upper - root, root - lower)
    return np.where(live > 0, np.where(known, away, np.inf), upper)


def completed(decomposition: Decomposition, cross: Cross) -> Decomposition:
    """Return a decomposition that has landmarks with eigenvectors of all n rows.

    Parameters
    ----------
    cross : callable
        Of these rows.
    """
    n, known = decomposition.n, decomposition.eigenvectors
    vectors = project(decomposition, cross, n)
    vectors *= coefficient_factors(decomposition)
    vectors = vectors.astype(known.dtype, copy=False)
    return replace(decomposition, eigenvectors=vectors, count=None)


def coefficient_factors(decomposition: Decomposition, how: Scoring = RIGHT) -> Array:
    """``1/√μ``, shape (k,), by which eigenvectors become α; zero as for `α` itself."""
    values = positive_part(decomposition)
    inverse = np.zeros_like(values)
    inverse[values > 0] = 1 / np.sqrt(values[values > 0])
    return inverse * _stretch(decomposition, how)


def dual_coefficients(decomposition: Decomposition, how: Scoring = RIGHT) -> Array:
    """``α = V / √μ``, shape (n, k); zero where μ is noise or negative."""
    alpha = decomposition.eigenvectors * coefficient_factors(decomposition, how)
    if decomposition.row_means.any():
        # With centring, Σα = 0; next to rounding noise v is not so exact, and what is
        # left of the sum would be multiplied by all that the centring has taken away.
        alpha -= alpha.mean(axis=0)
    return alpha


def project(
    decomposition: Decomposition,
    cross: Cross,
    m: int,
    should_stop: ShouldStop = never,
    how: Scoring = RIGHT,
) -> Array:
    """Scores of m new points, shape (m, k).

    ``z_j(x) = Σ_i α_ji (k(x, x_i) − K̄_i)`` with the *training* row means; the other
    centring terms drop out because the α of a component sum to zero. A low-rank model
    needs the kernel against its landmarks only.
    """
    columns, weights, offset = score_weights(decomposition, how)
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
    how: Scoring = RIGHT,
) -> Array:
    """Scores on a grid of my × mx nodes, shape (my, mx, k).

    For a kernel that is a product, ``k(p, q) = f(p₁, q₁) f(p₂, q₂)``: a component is
    then a product of two matrices, and no entry of the kernel is computed.
    """
    columns, weights, offset = score_weights(decomposition, how)
    result = np.empty((weights.shape[1], *shape))
    result[:] = -offset[:, None, None]
    for part in row_blocks(len(weights), 8 * sum(shape)):
        x, y = factors(part if columns is None else columns[part])
        for component, weight in zip(result, weights[part].T, strict=True):
            check(should_stop)
            component += (y * weight) @ x.T
    return np.moveaxis(result, 0, -1)


def score_weights(
    decomposition: Decomposition, how: Scoring = RIGHT
) -> tuple[Array | None, Array, Array]:
    """Return training points (None for all), their weights, and what to subtract."""
    map_ = decomposition.landmark_map
    if map_ is not None:
        stretch = _stretch(decomposition, how)
        columns, weights = map_.landmarks, map_.projection * stretch
        offset = map_.offset * stretch
    else:
        columns, weights = None, dual_coefficients(decomposition, how)
        offset = decomposition.row_means @ weights
    # As the α of a component sum to zero, what centres a new row is one number.
    return columns, weights, offset if how.centers_new else np.zeros_like(offset)


def _stretch(decomposition: Decomposition, how: Scoring) -> Array:
    """Return how many times too long every component becomes, shape (k,)."""
    if how.normalised:
        return np.ones(len(decomposition.eigenvalues))
    return np.sqrt(positive_part(decomposition))
