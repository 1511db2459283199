"""Linear PCA of the same rows, and both pictures scored in the same way."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca_viewer.core.methods.classical_scaling import first_pairs
from kpca_viewer.core.methods.quality import Quality, Scorer, standard_error
from kpca_viewer.core.orientation import SPARE, canonical, oriented
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

EPS = float(np.finfo(np.float64).eps)


TRUST_ERRORS = 2.5
"""Standard errors. With two, 17 of 200 pairs of pictures that are as good as each other
by construction were told apart: neighbours of one row are neighbours of others too."""

UNRELATED = 0.05
"""Correlation below which two components have no way round in common."""


@dataclass(frozen=True, eq=False)
class LinearPCA:
    """Ordinary principal components of the points."""

    scores: Array
    """Shape (n, m)."""
    shares: Array
    """Shape (m,). Explained variance of every component."""
    directions: Array
    """Shape (d, m)."""
    mean: Array
    """Shape (d,)."""

    def axes_beside(self, view: ViewSettings) -> list[int]:
        """Return the components that stand beside those of an embedding.

        The same ones, and as many; where there are fewer components, others take their
        place as long as there are any.
        """
        count, shown = self.scores.shape[1], view.shown_axes
        free = (j for j in range(count) if j not in shown)
        axes = [axis if axis < count else next(free, -1) for axis in shown]
        return [axis for axis in axes if axis >= 0]

    def plane_beside(self, view: ViewSettings) -> tuple[int, ...]:
        """Return the two of them that are drawn; the number of all stands for none."""
        return tuple([*self.axes_beside(view), self.scores.shape[1]][:2])

    def project(self, X: Array) -> Array:
        """Scores (p, m) of new points (p, d)."""
        scores: Array = (X - self.mean) @ self.directions
        return scores

    def signs_towards(self, scores: Array) -> Array:
        """Return ±1 for every component (m,): which way agrees with scores (n, k).

        A component that is hardly correlated with the one beside it stays as it is.
        """
        signs = np.ones(self.scores.shape[1])
        shared = min(self.scores.shape[1], scores.shape[1])
        for j in range(shared):
            ours, theirs = self.scores[:, j], scores[:, j]
            size = float(np.linalg.norm(ours)) * float(np.linalg.norm(theirs))
            if float(ours @ theirs) < -UNRELATED * size:
                signs[j] = -1.0
        return signs

    def oriented(self, signs: Array) -> "LinearPCA":
        """Return the same components, those the other way round whose sign is −1."""
        return replace(
            self,
            scores=oriented(self.scores, signs),
            directions=oriented(self.directions, signs),
        )


def linear_pca(X: Array, components: int, should_stop: ShouldStop = never) -> LinearPCA:
    """Principal components of X (n, d), oriented as those of the linear kernel."""
    n, d = X.shape
    m = max(1, min(components, n, d))
    # A tied pair that is cut in two is turned as a whole.
    wide = min(m + SPARE, n, d)
    # Centred first: far from the origin XᵀX has no digits left for the variance.
    # The mean of rows that are all equal is one of them, not that but for rounding.
    mean = X[0] if (X[-1] == X[0]).all() and (X[0] == X).all() else X.mean(axis=0)
    X = X - mean
    total = float(np.square(X).sum())
    if d <= 1000 or d <= n:
        values, V = first_pairs(X.T @ X, m, should_stop)
    else:
        values, U = first_pairs(X @ X.T, m, should_stop)
        # Orthonormal too where there is no variance.
        V = np.linalg.qr(X.T @ U[:, :wide])[0]
    values, V = np.maximum(values[:wide], 0), V[:, :wide]
    lengths = np.sqrt(values)
    unit = X @ V / np.where(lengths > 0, lengths, 1.0)
    # As the linear kernel tells them apart.
    off = EPS * (16 + 2 * d**0.5 + n**0.5) * total
    bounds = values[:, None] + np.array([-off, off])
    V = oriented(V, canonical(unit, values, bounds))[:, :m]
    scores = X @ V
    scores.flags.writeable = False
    shares = values[:m] / total if total > 0 else np.zeros(m)
    return LinearPCA(scores, shares, V, mean)


@dataclass(frozen=True)
class Comparison:
    """Quality of the two pictures, on equally many components."""

    kernel: Quality
    linear: Quality | None
    """None without points."""
    only_turned: bool = False
    """Whether linear PCA has as many components as the points have dimensions: then it
    is a rotation of the data, which keeps everything."""

    @property
    def trust_band(self) -> float | None:
        """By how much the two trustworthinesses differ by luck: `TRUST_ERRORS`.

        Of the difference row by row: what makes a row hard is the same in both. None
        where they are not defined.
        """
        ours = self.kernel.trusted
        theirs = None if self.linear is None else self.linear.trusted
        if ours is None or theirs is None:
            return None
        return TRUST_ERRORS * standard_error(ours - theirs, in_pairs=True)


LINEAR_QUALITY = "linear quality"
"""What is remembered for the axes of linear PCA; all else is the same for any axes."""

Keep = Callable[[str, Callable[[], Any]], Any]
"""``keep(name, make) -> value``, made at the first call only."""


def _anew(name: str, make: Callable[[], Any]) -> Any:
    return make()


def compare(
    kernel_scores: Array,
    linear_scores: Array | None,
    original: Array | None,
    labels: Array | None,
    should_stop: ShouldStop = never,
    keep: Keep = _anew,
) -> Comparison:
    """Measure both pictures (n, m) of points (n, d) and labels (n,) by one yardstick.

    What is kept is the same for every kernel: three quarters of the work.
    """

    def make() -> Scorer:
        return Scorer(len(kernel_scores), labels, original)

    scorer: Scorer = keep("scorer of the picture", make)
    linear = None
    if linear_scores is not None:
        linear = keep(LINEAR_QUALITY, lambda: scorer.score(linear_scores, should_stop))
    check(should_stop)
    turned = False
    if linear_scores is not None and original is not None:
        # n points span n − 1 dimensions around their mean.
        turned = linear_scores.shape[1] >= min(original.shape[1], len(original) - 1)
    return Comparison(scorer.score(kernel_scores, should_stop), linear, turned)
