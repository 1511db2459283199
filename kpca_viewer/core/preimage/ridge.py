"""Pre-images by regression: points learnt from their scores (Bakır et al., 2004)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.support import memory
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import readable

Array = NDArray[Any]

MOST_ROWS = 2000
"""That the regression learns from; solving takes the cube of their number."""


def ridge_coefficients(gram: Callable[[], Array], X: Array, alpha: float) -> Array:
    """Kernel ridge regression of the points on their scores.

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


class Ridge:
    """Regression of the points around their mean, with an RBF kernel of the scores.

    The kernel of the points is of no use here: their scores have another scale. γ is
    one over the median of the squared distances between scores.
    """

    def __init__(self, scores: Array, X: Array, alpha: float) -> None:
        index = np.unique(np.linspace(0, len(X) - 1, MOST_ROWS).astype(int))
        scores, X = scores[index].astype(np.float64), X[index]
        self.alpha, self.rows = alpha, len(X)
        self.kernel = Kernel("rbf", **suggested_values("rbf", scores))
        self._scores = self.kernel.points(scores)
        self._mean = X.mean(axis=0)
        self._weights = ridge_coefficients(
            lambda: self.kernel.block(self._scores, self._scores), X - self._mean, alpha
        )

    @property
    def told(self) -> str:
        """Which kernel it uses, and on how many rows."""
        gamma = readable(self.kernel.values["gamma"])
        return (
            f"ridge regression of {self.rows:,} rows on their scores, RBF kernel with "
            f"γ = {gamma}, α = {readable(self.alpha)}"
        )

    def __call__(self, Z: Array) -> Array:
        """Points for scores Z (m, k), shape (m, d)."""
        K = self.kernel.block(self.kernel.meeting(self._scores, Z), self._scores)
        return np.asarray(K @ self._weights + self._mean)
