"""Scores: of the training points, and of new ones in blocks of bounded memory.

Where the model lies in feature space: enough to measure distances to it exactly.

The components span a plane through the mean ``φ̄``. Both are sums over carriers, the
training points or the landmarks of a low-rank model, so that every length and distance
is a sum of kernel values.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.core.solvers.problem import Decomposition, positive_part
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import percent
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import one_blas_thread

Cross = Callable[[slice, Array | None], Array]
"""``cross(rows, columns)``: kernel of the new ``rows`` against the training points at
``columns`` (all of them for None)."""

Factors = Callable[[slice | Array], tuple[Array, Array]]
"""``factors(columns)``: of the nodes along x, (mx, c), and along y, (my, c), with the
training points at ``columns``."""


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


def training_scores(decomposition: Decomposition, how: Scoring = RIGHT) -> Array:
    """``Z = K̃α = V √μ``, shape (n, k); exactly zero where μ is noise or negative."""
    roots = np.sqrt(positive_part(decomposition))
    lengths = roots * _stretch(decomposition, how)
    return decomposition.eigenvectors * lengths.astype(decomposition.eigenvectors.dtype)


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


@one_blas_thread()
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


@one_blas_thread()
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


LEAST_NEGATIVE = 1e-9
"""Part of the largest eigenvalue below which a negative one is rounding."""


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """Mean and components as sums over the features of the carriers."""

    rows: Array | None
    """Shape (a,). Training rows that carry the model; None for all of them."""
    weights: Array
    """Shape (a, k). ``u_j = Σ_i weights_ij φ(x_i)``, unit vectors; a component without
    variance is all zeros."""
    offset: Array
    """Shape (k,). ``u_jᵀφ̄``."""
    mean: Array
    """Shape (a,). ``φ̄ = Σ_i mean_i φ(x_i)``; zeros without centring."""
    mean_length: float
    """``‖φ̄‖²``."""
    mean_error: float
    """Bound on the distance between ``φ̄`` and the mean of all training features: 0
    unless landmarks carry the model."""
    variances: Array
    """Shape (k,). ``λ_j = μ_j / n``, exactly 0 where there is only rounding."""

    @classmethod
    def of(cls, found: Decomposition) -> "FeatureSpace":
        rows, weights, offset = score_weights(found)
        n, map_ = found.n, found.landmark_map
        if map_ is None:
            centred = bool(found.row_means.any())
            mean = np.full(n, 1 / n if centred else 0.0)
            length = float(found.row_means.mean()) if centred else 0.0
            error = 0.0
        else:
            mean = map_.solved(map_.mean)
            length = float(map_.mean @ map_.mean)
            # What the landmarks leave of all features is no shorter than its mean.
            left = max(found.trace - float(found.spectrum.sum()), 0.0)
            error = (left / n) ** 0.5 if map_.mean.any() else 0.0
        return cls(
            rows,
            # By components, as few rows at a time are multiplied fastest.
            np.asfortranarray(weights, dtype=np.float64),
            np.asarray(offset, dtype=np.float64),
            mean,
            length,
            error,
            positive_part(found) / n,
        )

    def coefficients(self, Z: Array) -> Array:
        """Return c (m, a) with ``φ̄ + Σ_j z_j u_j = Σ_i c_i φ(x_i)``."""
        return np.asarray(Z @ self.weights.T + self.mean)

    def squared_lengths(self, Z: Array) -> Array:
        """``‖φ̄ + Σ_j z_j u_j‖²`` for scores Z (m, k), shape (m,)."""
        live = np.where(self.variances > 0, Z, 0.0)
        own = np.einsum("ij,ij->i", live, live)
        return np.asarray(own + 2 * (live @ self.offset) + self.mean_length)

    def placed(
        self, cross: Cross, diagonal: Array, should_stop: ShouldStop = never
    ) -> tuple[Array, Array]:
        """Scores (m, k) of points, and ``‖φ(x) − φ̄‖²`` (m,), in one pass.

        Parameters
        ----------
        cross : callable
            As `kpca_viewer.core.projection.project` takes it.
        diagonal : ndarray of shape (m,)
            ``k(x, x)``.
        """
        m = len(diagonal)
        joint = np.column_stack((self.weights, self.mean))
        found = np.empty((m, joint.shape[1]))
        for rows in row_blocks(m, 8 * len(joint)):
            check(should_stop)
            found[rows] = cross(rows, self.rows) @ joint
        lengths = diagonal - 2 * found[:, -1] + self.mean_length
        return found[:, :-1] - self.offset, np.maximum(lengths, 0.0)


def training_lengths(
    found: Decomposition,
    diagonal: Array,
    cross: Cross | None = None,
    should_stop: ShouldStop = never,
) -> Array:
    """``‖φ(x_i) − φ̄‖²`` of the training points, shape (n,).

    Without landmarks the row means say it, and ``cross`` is not needed.
    """
    if found.landmark_map is not None:
        assert cross is not None
        return FeatureSpace.of(found).placed(cross, diagonal, should_stop)[1]
    if not found.row_means.any():
        return np.maximum(diagonal, 0.0)
    lengths = diagonal - 2 * found.row_means + found.row_means.mean()
    return np.maximum(lengths, 0.0)


def no_lengths(found: Decomposition) -> str:
    """Say why features have no lengths; empty if they have."""
    largest = float(np.abs(found.eigenvalues).max(initial=0.0))
    if found.psd or found.smallest >= -LEAST_NEGATIVE * largest:
        return ""
    share = found.mass.share
    held = f" ({percent(share)} of the spectrum is)" if share > 0 else ""
    return (
        f"The kernel has negative eigenvalues{held}, so that rows have no length in "
        "its feature space: there is no cos² and no distance to the model; choose a "
        "definite kernel."
    )
