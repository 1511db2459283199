"""Pre-images as the point whose feature comes closest, found by iteration."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.feature_space import FeatureSpace
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.gram import row_blocks
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.preimage.anchors import Anchors
from kpca_viewer.core.preimage.methods import why_not
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support.errors import KernelError

Array = NDArray[Any]

STARTS = 20_000
"""Training points among which a start is looked for: of more, evenly spread ones."""


class FixedPoint:
    """Pre-images for the Gaussian kernel by fixed-point iteration (Mika et al., 1999).

    The projection of a point is ``Σ_i c_i φ(x_i)`` over the anchors (all training
    points, or the landmarks of a low-rank model); the pre-image x maximises
    ``g(x) = Σ_i c_i k(x, x_i)``, which gives ``x ← Σ c_i k(x, x_i) x_i / g(x)``.
    """

    def __init__(
        self, decomposition: Decomposition, kernel: Kernel, points: Points
    ) -> None:
        reason = why_not("fixed_point", kernel)
        if reason:
            raise KernelError(reason)
        self._space = FeatureSpace.of(decomposition)
        self._anchors = Anchors(self._space, kernel, points)
        index = np.unique(np.linspace(0, len(points) - 1, STARTS).astype(int))
        self._scores = np.asfortranarray(training_scores(decomposition)[index])
        self._starts = points if len(index) == len(points) else points.take(index)
        # Around their mean: far from the origin the weighted sums would lose digits.
        anchors = self._anchors.points
        shifted = anchors.shifted
        self._centred = anchors.dense() - anchors.shift if shifted is None else shifted
        self._scale = float(self._centred.std()) or 1.0
        self._norms = np.square(self._scores).sum(axis=1)

    def __call__(
        self,
        Z: Array,
        iterations: int = 200,
        tol: float = 1e-9,
        start: Array | None = None,
    ) -> Array:
        """Points whose features come closest to the scores Z (m, k); shape (m, d).

        Parameters
        ----------
        tol : float
            A point that moves by less, relative to the spread of the points, stays.
        start : ndarray of shape (m, d), optional
            Where to begin; by default the training points with the nearest scores.
        """
        result = np.empty((len(Z), self._starts.d))
        for rows in row_blocks(len(Z), 8 * len(self._starts)):
            begin = self._start(Z[rows]) if start is None else start[rows]
            result[rows] = self._block(Z[rows], begin, iterations, tol)
        return result

    def _block(self, Z: Array, start: Array, iterations: int, tol: float) -> Array:
        found = start.astype(np.float64)
        shift = self._anchors.points.shift
        # Rows that still move, and all that is known of them.
        active, x, c = np.arange(len(Z)), found, self._space.coefficients(Z)
        best = np.full(len(Z), -np.inf)
        for _ in range(iterations):
            weights = self._anchors.cross(x)
            weights *= c
            total = weights.sum(axis=1)
            # g must be positive and grow; a row where it does not keeps its best x.
            better = (total > 0) & (total > best * (1 - 1e-12))
            if np.count_nonzero(better) < len(better):
                found[active] = x
                active, x, c = active[better], x[better], c[better]
                weights, total = weights[better], total[better]
                if not active.size:
                    return found
            step = weights @ self._centred
            step /= total[:, None]
            step += shift
            moved = np.abs(step - x).max(axis=1) > tol * self._scale
            x, best = step, total
            if np.count_nonzero(moved) < len(moved):
                found[active] = x
                active, x, c, best = active[moved], x[moved], c[moved], best[moved]
                if not active.size:
                    return found
        found[active] = x
        return found

    def _start(self, Z: Array) -> Array:
        """Return the training point with the nearest scores, a safe place to start."""
        distance = self._norms - 2 * (Z @ self._scores.T)
        nearest = self._starts.X[np.argmin(distance, axis=1)]
        return np.asarray(nearest.toarray() if hasattr(nearest, "tocsr") else nearest)


class Projection:
    """Pre-images for the linear kernel: ``Σ_i c_i x_i``, the projection itself."""

    def __init__(
        self, decomposition: Decomposition, kernel: Kernel, points: Points
    ) -> None:
        space = FeatureSpace.of(decomposition)
        anchors = Anchors(space, kernel, points)
        X = anchors.points.dense()
        self._directions = space.weights.T @ X
        self._mean = space.mean @ X + anchors.origin

    def __call__(self, Z: Array) -> Array:
        """Points with the scores Z (m, k), shape (m, d)."""
        return np.asarray(Z @ self._directions + self._mean)
