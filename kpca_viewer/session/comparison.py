"""Linear PCA of the same rows, and a verdict on both in words."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.progress import ShouldStop, check, never
from kpca_viewer.core.quality import Quality, Scorer

Array = NDArray[Any]

ROWS = 800
"""Rows that are compared while somebody drags: a few dozen milliseconds."""


RELATED = 0.1
"""Correlation from which one picture looks like the mirror image of the other."""


@dataclass(frozen=True, eq=False)
class LinearPCA:
    """Ordinary principal components of the points.

    Attributes
    ----------
    scores : ndarray of shape (n, m)
    shares : ndarray of shape (m,)
        Explained variance of every component.
    directions : ndarray of shape (d, m)
    mean : ndarray of shape (d,)
    """

    scores: Array
    shares: Array
    directions: Array
    mean: Array

    def project(self, X: Array) -> Array:
        """Scores (p, m) of new points (p, d)."""
        scores: Array = (X - self.mean) @ self.directions
        return scores

    def signs_towards(self, vectors: Array) -> tuple[int, ...]:
        """Return ±1 for every component, so that it runs along a column of (n, k).

        Components that have little to do with their column, or have none, stay.
        """
        k = min(self.scores.shape[1], vectors.shape[1])
        ours, theirs = self.scores[:, :k], vectors[:, :k]
        along = np.einsum("ij,ij->j", ours, theirs)
        sizes = np.sqrt(
            np.einsum("ij,ij->j", ours, ours) * np.einsum("ij,ij->j", theirs, theirs)
        )
        signs = np.ones(self.scores.shape[1], dtype=int)
        signs[:k][along < -RELATED * sizes] = -1
        return tuple(signs.tolist())

    def turned(self, signs: tuple[int, ...]) -> "LinearPCA":
        """Return the same components, some of them the other way round."""
        if min(signs) > 0:
            return self
        flips = np.array(signs[: len(self.shares)], dtype=float)
        scores = self.scores * flips
        scores.flags.writeable = False
        return replace(self, scores=scores, directions=self.directions * flips)


def linear_pca(X: Array, components: int) -> LinearPCA:
    """Principal components of X (n, d), from the covariance or, if wide, by SVD."""
    n, d = X.shape
    m = max(1, min(components, n, d))
    # Centred first: far from the origin XᵀX has no digits left for the variance.
    mean = X.mean(axis=0)
    X = X - mean
    if d <= 1000 or d <= n:
        values, V = np.linalg.eigh(X.T @ X)
        values, V = np.maximum(values[::-1], 0), V[:, ::-1][:, :m]
    else:
        _, singular, Vt = np.linalg.svd(X, full_matrices=False)
        values, V = singular**2, Vt[:m].T
    V = V * np.where(V[np.argmax(np.abs(V), axis=0), np.arange(m)] < 0, -1, 1)
    scores = X @ V
    scores.flags.writeable = False
    total = float(values.sum())
    shares = values[:m] / total if total > 0 else np.zeros(m)
    return LinearPCA(scores, shares, V, mean)


@dataclass(frozen=True)
class Comparison:
    """Quality of the two pictures, each on the components that it shows."""

    kernel: Quality
    linear: Quality | None


Keep = Callable[[str, Callable[[], Any]], Any]
"""``keep(name, make) -> value``, made at the first call only."""


def _anew(name: str, make: Callable[[], Any]) -> Any:
    """Keep nothing."""
    return make()


def compare(
    kernel_scores: Array,
    linear_scores: Array | None,
    original: Array | None,
    labels: Array | None,
    should_stop: ShouldStop = never,
    keep: Keep = _anew,
) -> Comparison:
    """Measure both pictures by the same yardstick.

    Parameters
    ----------
    kernel_scores, linear_scores : ndarray of shape (n, m)
    original : ndarray of shape (n, d), optional
    labels : ndarray of shape (n,), optional
    should_stop : callable
    keep : callable
        Remembers what is the same for every kernel: three quarters of the work.
    """

    def make() -> Scorer:
        return Scorer(len(kernel_scores), labels, original, ROWS)

    scorer: Scorer = keep("scorer of the picture", make)
    linear = None
    if linear_scores is not None:
        linear = keep(
            "linear quality", lambda: scorer.score(linear_scores, should_stop)
        )
    check(should_stop)
    return Comparison(scorer.score(kernel_scores, should_stop), linear)


def verdict(comparison: Comparison, kernel_share: float, linear_share: float) -> str:
    """One line under both pictures: which is better, and whether it matters.

    Parameters
    ----------
    comparison : Comparison
    kernel_share, linear_share : float
        What the two shown components explain.
    """
    a, b = comparison.kernel, comparison.linear
    if b is None:
        return ""
    if a.linear_accuracy is not None and b.linear_accuracy is not None:
        gain = a.linear_accuracy - b.linear_accuracy
        best = max(a.linear_accuracy, b.linear_accuracy)
        # Classes around the same centre leave a line to chance, which comes out on
        # either side of guessing by up to its own luck.
        if a.chance is not None and best < a.chance + 0.05:
            return "Neither separates the classes by a line."
        if b.linear_accuracy >= 0.95 and gain < 0.02:
            return "The data look linear: plain PCA is enough."
        if gain >= 0.05 and a.linear_accuracy >= 0.9:
            return "The kernel separates what plain PCA cannot."
        if gain >= 0.05:
            # A narrow kernel that is right for 57 of 100 rows has separated nothing.
            return "The kernel separates better than plain PCA, but not well."
        if gain <= -0.05:
            return "Plain PCA separates better; try another γ or kernel."
        return "Both separate the classes about equally well."
    if linear_share >= 0.95:
        return "The data look linear: plain PCA is enough."
    if a.trustworthiness is not None and b.trustworthiness is not None:
        if a.trustworthiness - b.trustworthiness >= 0.02:
            return "The kernel keeps neighbourhoods better than plain PCA."
        if b.trustworthiness - a.trustworthiness >= 0.02:
            return "Plain PCA keeps neighbourhoods better; try another γ or kernel."
    return "Both keep neighbourhoods about equally well."
