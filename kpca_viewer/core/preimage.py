"""From scores back to points: two ways to approximate a pre-image."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.gram import row_blocks
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.projection import dual_coefficients, training_scores
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import readable

Array = NDArray[Any]


def checked_scores(X: Any, k: int) -> Array:
    """Return scores of k components that can have a pre-image, shape (m, k).

    Raises
    ------
    DataError
    """
    Z = np.asarray(X)
    if Z.dtype not in (np.float32, np.float64):
        Z = Z.astype(np.float64)
    if Z.ndim != 2 or Z.shape[1] != k:
        raise DataError(
            f"The scores have the shape {Z.shape}; this model has {k} components, so "
            f"that it must be (m, {k})."
        )
    odd = np.flatnonzero(~np.isfinite(Z).all(axis=1))
    if odd.size:
        raise DataError(
            f"Row {odd[0]} of the scores holds NaN or an infinite value, which no "
            "point has; leave such rows out."
        )
    return Z


def ridge_coefficients(gram: Callable[[], Array], X: Array, alpha: float) -> Array:
    """Kernel ridge regression of the points on their scores (Bakır et al., 2004).

    Parameters
    ----------
    gram : callable
        Makes the kernel matrix of the training scores, shape (n, n).
    X : ndarray of shape (n, d)

    Returns
    -------
    ndarray of shape (n, d)
    """
    n = len(X)
    memory.require(
        2 * n * n * 8,
        f"Learning the inverse from {n:,} points",
        "choose pre_image='fixed_point' or fewer points",
    )
    try:
        K = gram()
    except KernelError as error:
        # The kernel of the points was sound; it is applied to their scores here.
        raise KernelError(
            f"The inverse transform cannot be learnt from the scores. {error}"
        ) from error
    K.flat[:: n + 1] += alpha
    try:
        return np.linalg.solve(K, X)
    except np.linalg.LinAlgError as error:
        raise KernelError(
            f"The inverse transform cannot be learnt with alpha = {readable(alpha)}: "
            "the ridge system is singular; choose a larger alpha."
        ) from error


class FixedPoint:
    """Pre-images for the Gaussian kernel by fixed-point iteration (Mika et al., 1999).

    The projection of a point is ``Σ_i c_i φ(x_i)`` over the anchors (all training
    points, or the landmarks of a low-rank model); the pre-image x maximises
    ``g(x) = Σ_i c_i k(x, x_i)``, which gives ``x ← Σ c_i k(x, x_i) x_i / g(x)``.
    """

    def __init__(
        self, decomposition: Decomposition, kernel: Kernel, points: Points, center: bool
    ) -> None:
        if not kernel.family.gaussian:
            raise KernelError(
                "The fixed-point pre-image exists for the RBF kernel only, not for "
                f"{kernel.family.title}; choose pre_image='ridge'."
            )
        self._kernel = kernel
        self._scores = training_scores(decomposition)
        self._points = points
        map_ = decomposition.landmark_map
        if map_ is None:
            self._anchors = points
            self._weights = dual_coefficients(decomposition)
            self._mean = np.full(len(points), 1 / len(points) if center else 0.0)
        else:
            self._anchors = points.take(map_.landmarks)
            self._weights = map_.projection
            self._mean = map_.solved(map_.mean)
            # The landmark scores are centred by an offset; here φ̄ is added back.

    def __call__(self, Z: Array, iterations: int = 200, tol: float = 1e-9) -> Array:
        """Points whose features come closest to the scores Z (m, k); shape (m, d)."""
        result = np.empty((len(Z), self._points.d))
        for rows in row_blocks(len(Z), 8 * len(self._points)):
            result[rows] = self._block(Z[rows], iterations, tol)
        return result

    def _block(self, Z: Array, iterations: int, tol: float) -> Array:
        c = Z @ self._weights.T + self._mean
        # Around their mean: far from the origin the weighted sums would lose digits.
        anchors = self._anchors.dense() - self._anchors.shift
        x = self._start(Z)
        best = np.full(len(Z), -np.inf)
        active = np.arange(len(Z))
        scale = float(anchors.std()) or 1.0
        for _ in range(iterations):
            weights = c[active] * self._cross(x[active])
            total = weights.sum(axis=1)
            # g must be positive and grow; a row where it does not keeps its best x.
            better = (total > 0) & (total > best[active] * (1 - 1e-12))
            active, weights, total = active[better], weights[better], total[better]
            if not active.size:
                break
            best[active] = total
            step = weights @ anchors / total[:, None] + self._anchors.shift
            moved = np.abs(step - x[active]).max(axis=1) > tol * scale
            x[active] = step
            active = active[moved]
        return x

    def _cross(self, x: Array) -> Array:
        return self._kernel.block(self._kernel.meeting(self._anchors, x), self._anchors)

    def _start(self, Z: Array) -> Array:
        """Return the training point with the nearest scores, a safe place to start."""
        S = self._scores
        distance = np.square(S).sum(axis=1) - 2 * (Z @ S.T)
        return self._points.dense()[np.argmin(distance, axis=1)].astype(np.float64)
