"""How good an embedding is: separability of the classes, kept neighbourhoods.

The same call serves raw data, linear PCA and kernel PCA coordinates, so that the three
can be compared fairly.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.progress import ShouldStop, check, never

Array = NDArray[Any]

MOST_ROWS = 2000
"""Above this many rows a fixed sample is scored; all scores are then quick."""

NEIGHBOURS = 10
"""Whose neighbourhood is kept."""

VOTERS = 5
"""Nearest training points that vote on a class."""

FOLDS = 5


@dataclass(frozen=True)
class Quality:
    """Scores of one embedding; None where a score is not defined.

    Attributes
    ----------
    linear_accuracy, knn_accuracy : float or None
        Held-out accuracy of linear discriminants and of the nearest neighbours.
    silhouette : float or None
        Separation of the classes, −1 … 1.
    trustworthiness, continuity : float or None
        Whether neighbours in the picture are neighbours in the data, and vice versa.
    chance : float or None
        Accuracy of always guessing the largest class.
    rows : int
        How many rows were compared with each other.
    labelled : int
        How many rows the linear accuracy is of.
    """

    linear_accuracy: float | None
    knn_accuracy: float | None
    silhouette: float | None
    trustworthiness: float | None
    continuity: float | None
    chance: float | None
    rows: int
    labelled: int = 0


def sample_rows(n: int, most: int = MOST_ROWS, seed: int = 0) -> Array:
    """Return sorted row numbers: all of them, or a fixed sample of ``most``."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


class Scorer:
    """Scores pictures of the same rows.

    What only the data decide (folds, ranks of neighbours) is computed once, and the
    scores of a picture share one matrix of distances: whoever drags or sweeps scores
    many pictures.

    Parameters
    ----------
    n : int
        Rows of every picture.
    labels : ndarray of shape (n,), optional
        Classes; without them the class scores are None. Rows with a code below 0 have
        no class: only their neighbourhoods count.
    original : ndarray of shape (n, d), optional
        The points whose neighbourhoods should be kept; without them, or with fewer than
        four rows, trustworthiness and continuity are None.
    most : int
        Rows that are compared with each other at most. The linear accuracy, which needs
        no comparisons, is always that of `MOST_ROWS`: it is the same whoever asks.
    neighbours : int
    """

    def __init__(
        self,
        n: int,
        labels: Array | None = None,
        original: Array | None = None,
        most: int = MOST_ROWS,
        neighbours: int = NEIGHBOURS,
    ) -> None:
        self.rows = sample_rows(n, most)
        self._original = None if original is None else np.asarray(original)[self.rows]
        self._neighbours = min(neighbours, (len(self.rows) - 1) // 2)
        self._all_rows = sample_rows(n)
        self._all_labels: Array | None = None
        self._member: Array | None = None
        self._labelled: Array | None = None
        if labels is not None:
            self._take_labels(np.asarray(labels))

    def _take_labels(self, labels: Array) -> None:
        # Names serve as classes too, and are always there.
        has_label = labels >= 0 if labels.dtype.kind in "iuf" else labels == labels
        labelled = np.flatnonzero(has_label)
        if not len(labelled):
            return
        self._all_rows = labelled[sample_rows(len(labelled))]
        self._all_labels = labels[self._all_rows]
        codes, known = labels[self.rows], has_label[self.rows]
        if not known.all():
            self._labelled = np.flatnonzero(known)
            codes = codes[known]
        if len(codes):
            self._member = (codes[:, None] == np.unique(codes)).astype(np.float64)

    def score(self, coordinates: Array, should_stop: ShouldStop = never) -> Quality:
        """Score coordinates (n, k): raw points, linear PCA or kernel PCA."""
        from scipy.spatial.distance import cdist

        Z = np.asarray(coordinates, dtype=np.float64)
        # No measure depends on the unit; very large ones would overflow in squares.
        Z = Z / max(float(np.abs(Z).max(initial=0.0)), 1e-300)
        linear = linear_accuracy(Z[self._all_rows], self._all_labels)
        check(should_stop)
        D = cdist(Z[self.rows], Z[self.rows], "sqeuclidean")
        trust, kept = self._neighbourhoods(D)
        check(should_stop)
        if self._labelled is not None:
            D = D[np.ix_(self._labelled, self._labelled)]
        return Quality(
            linear_accuracy=linear,
            knn_accuracy=self._knn_accuracy(D),
            silhouette=self._silhouette(D),
            trustworthiness=trust,
            continuity=kept,
            chance=self._chance,
            rows=len(self.rows),
            labelled=0 if self._all_labels is None else len(self._all_labels),
        )

    @cached_property
    def _chance(self) -> float | None:
        if self._all_labels is None:
            return None
        counts = np.unique(self._all_labels, return_counts=True)[1]
        return float(counts.max() / counts.sum())

    @cached_property
    def _other_fold(self) -> Array | None:
        """Whether two rows are in different folds (m, m); None without folds."""
        if self._member is None:
            return None
        folds = deal(self._member.argmax(axis=1))
        return None if folds is None else folds[:, None] != folds

    def _knn_accuracy(self, D: Array) -> float | None:
        """Held-out accuracy of a vote among the nearest rows of other folds."""
        other = self._other_fold
        if other is None or self._member is None:
            return None
        near = _nearest(np.where(other, D, np.inf), VOTERS)
        # A row of the own fold among them, where others are few, has no vote.
        may_vote = np.take_along_axis(other, near, axis=1)[:, :, None]
        votes = (self._member[near] * may_vote).sum(axis=1)
        return float(self._member[np.arange(len(D)), votes.argmax(axis=1)].mean())

    def _silhouette(self, D: Array) -> float | None:
        """Mean silhouette of the classes; None with fewer than two of them."""
        member = self._member
        if member is None or not 2 <= member.shape[1] < len(member):
            return None
        counts = member.sum(axis=0)
        sums = np.sqrt(D) @ member
        own = member.astype(bool)
        mine = counts[member.argmax(axis=1)]
        # Within the own class the distance to itself does not count.
        inner = sums[own] / np.maximum(mine - 1, 1)
        outer = np.where(own, np.inf, sums / counts).min(axis=1)
        widest = np.maximum(inner, outer)
        score = np.where((mine == 1) | (widest == 0), 0, outer - inner)
        return float((score / np.where(widest == 0, 1, widest)).mean())

    @cached_property
    def _known(self) -> tuple[Array, Array]:
        """Ranks of all rows by distance in the data (m, m), and the k nearest."""
        from scipy.spatial.distance import cdist

        D = cdist(self._original, self._original, "sqeuclidean")
        np.fill_diagonal(D, -1)
        order = np.argsort(D, axis=1, kind="stable")
        ranks = np.empty(order.shape, dtype=np.int32)
        np.put_along_axis(
            ranks, order, np.arange(len(D), dtype=np.int32)[None, :], axis=1
        )
        return ranks, order[:, 1 : self._neighbours + 1]

    def _neighbourhoods(self, D: Array) -> tuple[float | None, float | None]:
        """Trustworthiness and continuity (Venna and Kaski, 2001) of the picture.

        Only ranks of neighbours are looked at, so that nothing has to be sorted: a
        rank in the picture is a count of the rows that are nearer.
        """
        n, k = len(D), self._neighbours
        if self._original is None or k < 1 or n < 4:
            return None, None
        ranks, near = self._known
        # Each row is its own nearest, with rank 0 in the data: it costs nothing.
        shown = _nearest(D, k + 1)
        intruders = np.take_along_axis(ranks, shown, axis=1) - k
        reach = np.take_along_axis(D, near, axis=1)
        missing = np.empty((n, k))
        for j in range(k):
            nearer = reach[:, j : j + 1] > D
            missing[:, j] = np.count_nonzero(nearer, axis=1) - k
        scale = 2 / (n * k * (2 * n - 3 * k - 1))
        return (
            1 - scale * float(np.maximum(intruders, 0).sum()),
            1 - scale * float(np.maximum(missing, 0).sum()),
        )


def linear_accuracy(Z: Array, y: Array | None) -> float | None:
    """Held-out accuracy of linear discriminants, (n, k) and (n,).

    Linear discriminant analysis needs one small solve per fold instead of an iteration,
    which matters while somebody drags a slider; unlike least squares to targets it does
    not overlook a class that lies between two others.
    """
    if y is None:
        return None
    classes, codes = np.unique(y, return_inverse=True)
    folds = deal(codes)
    if folds is None:
        return None
    spread = Z.std(axis=0)
    A = (Z - Z.mean(axis=0)) / np.where(spread > 0, spread, 1)
    member = (codes[:, None] == np.arange(len(classes))).astype(np.float64)
    # Components with zero scores, or classes that are one point each, would make the
    # scatter singular.
    ridge = 1e-9 * np.eye(A.shape[1])
    right = 0
    for fold in range(int(folds.max()) + 1):
        test = folds == fold
        known, of = A[~test], member[~test]
        counts = of.sum(axis=0)
        means = of.T @ known / counts[:, None]
        within = known - means[codes[~test]]
        W = np.linalg.solve(within.T @ within / len(known) + ridge, means.T)
        offsets = np.log(counts / len(known)) - (means * W.T).sum(axis=1) / 2
        guess = np.argmax(A[test] @ W + offsets, axis=1)
        right += int((guess == codes[test]).sum())
    return right / len(A)


def deal(codes: Array) -> Array | None:
    """Return a fold for every row, or None where a class is too small to split.

    Dealt out like cards within every class, in a fixed order.
    """
    counts = np.bincount(codes)
    if len(counts) < 2 or counts.min() < 2:
        return None
    order = np.random.default_rng(0).permutation(len(codes))
    by_class = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(len(codes), dtype=int)
    folds[by_class] = np.arange(len(codes)) % min(FOLDS, int(counts.min()))
    return folds


def _nearest(D: Array, count: int) -> Array:
    """Return the columns of the smallest entries of every row, in no order."""
    count = min(count, D.shape[1])
    return np.argpartition(D, count - 1, axis=1)[:, :count]
