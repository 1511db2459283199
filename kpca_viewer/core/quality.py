"""How good an embedding is: separability of the classes, kept neighbourhoods.

The same call serves raw data, linear PCA and kernel PCA coordinates, so that the three
can be compared fairly.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.progress import ShouldStop, check, never

Array = NDArray[Any]

MOST_ROWS = 2000
"""Above this many rows a fixed sample is scored; all scores are then quick."""

NEIGHBOURS = 10


@dataclass(frozen=True)
class Quality:
    """Scores of one embedding; None where a score is not defined.

    Attributes
    ----------
    linear_accuracy, knn_accuracy : float or None
        Held-out accuracy of a linear and of a k-nearest-neighbour classifier.
    silhouette : float or None
        Separation of the classes, −1 … 1.
    trustworthiness, continuity : float or None
        Whether neighbours in the picture are neighbours in the data, and vice versa.
    rows : int
        How many rows were scored.
    """

    linear_accuracy: float | None
    knn_accuracy: float | None
    silhouette: float | None
    trustworthiness: float | None
    continuity: float | None
    rows: int


def sample_rows(n: int, most: int = MOST_ROWS, seed: int = 0) -> Array:
    """Return sorted row numbers: all of them, or a fixed sample of ``most``."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def measure(
    coordinates: Array,
    labels: Array | None = None,
    original: Array | None = None,
    most: int = MOST_ROWS,
    should_stop: ShouldStop = never,
    ranks: Array | None = None,
) -> Quality:
    """Score coordinates (n, k).

    Parameters
    ----------
    coordinates : ndarray of shape (n, k)
        Raw points, linear PCA or kernel PCA scores.
    labels : ndarray of shape (n,), optional
        Classes; without them the class scores are None.
    original : ndarray of shape (n, d), optional
        The points whose neighbourhoods should be kept; without them, or with fewer than
        four rows, trustworthiness and continuity are None.
    most : int
        Rows that are scored at most; a larger set is sampled with a fixed seed.
    should_stop : callable
    ranks : ndarray, optional
        `original_ranks` of the original points, for whoever scores many pictures.
    """
    rows = sample_rows(len(coordinates), most)
    Z = np.asarray(coordinates, dtype=np.float64)[rows]
    y = None if labels is None else np.asarray(labels)[rows]
    trust = held = None
    if original is not None:
        trust, held = neighbourhoods(np.asarray(original)[rows], Z, ranks=ranks)
    check(should_stop)
    linear, knn = linear_accuracy(Z, y), knn_accuracy(Z, y)
    check(should_stop)
    return Quality(
        linear_accuracy=linear,
        knn_accuracy=knn,
        silhouette=silhouette(Z, y),
        trustworthiness=trust,
        continuity=held,
        rows=len(rows),
    )


def original_ranks(original: Array, most: int = MOST_ROWS) -> Array:
    """Rank every scored row of the original points by its distance to every other."""
    return _ranks(np.asarray(original)[sample_rows(len(original), most)])


def linear_accuracy(Z: Array, y: Array | None) -> float | None:
    """Held-out accuracy of least squares to ±1 targets, one class against the rest.

    Least squares needs one small solve per fold instead of an iteration, which matters
    while somebody drags a slider.
    """

    def predict(train: Array, test: Array, codes: Array) -> Array:
        centre, spread = train.mean(axis=0), train.std(axis=0)
        spread[spread == 0] = 1
        A = np.column_stack(((train - centre) / spread, np.ones(len(train))))
        T = np.where(codes[:, None] == np.arange(codes.max() + 1), 1.0, -1.0)
        # A touch of ridge: components with zero scores would make it singular.
        G = A.T @ A
        G.flat[:: len(G) + 1] += 1e-9 * len(A)
        W = np.linalg.solve(G, A.T @ T)
        B = np.column_stack(((test - centre) / spread, np.ones(len(test))))
        return np.argmax(B @ W, axis=1)

    return _held_out(Z, y, predict)


def knn_accuracy(Z: Array, y: Array | None, neighbours: int = 5) -> float | None:
    """Held-out accuracy of a vote among the nearest training points."""
    from scipy.spatial import cKDTree

    def predict(train: Array, test: Array, codes: Array) -> Array:
        k = min(neighbours, len(train))
        _, index = cKDTree(train).query(test, k=k)
        votes = codes[np.reshape(index, (len(test), k))]
        counts = (votes[:, :, None] == np.arange(codes.max() + 1)).sum(axis=1)
        return np.argmax(counts, axis=1)

    return _held_out(Z, y, predict)


def silhouette(Z: Array, y: Array | None) -> float | None:
    """Mean silhouette of the classes, or None with fewer than two of them."""
    if y is None:
        return None
    classes = np.unique(y)
    if not 2 <= len(classes) < len(y):
        return None
    from scipy.spatial.distance import cdist

    member = (y[:, None] == classes).astype(np.float64)
    counts = member.sum(axis=0)
    sums = cdist(Z, Z) @ member
    own = member.astype(bool)
    # Within the own class the distance to itself does not count.
    inner = sums[own] / np.maximum(counts[own.argmax(axis=1)] - 1, 1)
    outer = np.where(own, np.inf, sums / counts).min(axis=1)
    widest = np.maximum(inner, outer)
    alone = counts[own.argmax(axis=1)] == 1
    score = np.where(alone | (widest == 0), 0, outer - inner)
    return float((score / np.where(widest == 0, 1, widest)).mean())


def neighbourhoods(
    X: Array, Z: Array, neighbours: int = NEIGHBOURS, ranks: Array | None = None
) -> tuple[float | None, float | None]:
    """Trustworthiness and continuity (Venna and Kaski, 2001) of Z as a picture of X.

    The ranks of X, where they are known already, save half of the work.

    Returns
    -------
    tuple of (trustworthiness, continuity)
        1 where all of the nearest neighbours are kept; None with too few rows.
    """
    n = len(X)
    k = min(neighbours, (n - 1) // 2)
    if k < 1 or n < 4:
        return None, None
    rank_x, rank_z = _ranks(X) if ranks is None else ranks, _ranks(Z)
    scale = 2 / (n * k * (2 * n - 3 * k - 1))
    intruders = np.where((rank_z <= k) & (rank_x > k), rank_x - k, 0).sum()
    missing = np.where((rank_x <= k) & (rank_z > k), rank_z - k, 0).sum()
    return 1 - scale * float(intruders), 1 - scale * float(missing)


def _ranks(X: Array) -> Array:
    """Rank of every other row by distance, 1 the nearest; 0 on the diagonal."""
    from scipy.spatial.distance import cdist

    D = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(D, -1)
    order = np.argsort(D, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(X))[None, :], axis=1)
    return ranks


def _held_out(Z: Array, y: Array | None, predict: Any, folds: int = 5) -> float | None:
    """Mean accuracy over stratified folds; None where a class is too small to split."""
    if y is None:
        return None
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(classes) < 2 or counts.min() < 2:
        return None
    # Dealt out like cards within every class: stratified without a random draw.
    order = np.random.default_rng(0).permutation(len(codes))
    fold = np.empty(len(codes), dtype=int)
    by_class = order[np.argsort(codes[order], kind="stable")]
    fold[by_class] = np.arange(len(codes)) % min(folds, int(counts.min()))
    right = 0
    for f in range(fold.max() + 1):
        test = fold == f
        guess = predict(Z[~test], Z[test], codes[~test])
        right += int((guess == codes[test]).sum())
    return right / len(codes)
