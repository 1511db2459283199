"""Who is near whom in a picture, row by row: votes, silhouettes, kept neighbours.

Every function answers for each row, so that a mean has its error too. Trees find
neighbours and blocks of distances stay in the cache of the processor: a picture of
2,000 rows takes a few dozen milliseconds, and can be given up between two blocks.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]

BLOCK_BYTES = 1 << 20
"""Distances that are looked at together."""


def voted(
    Z: Array, codes: Array, folds: Array, voters: int, should_stop: ShouldStop = never
) -> Array:
    """Return whether the nearest rows of other folds vote for the own class (m,)."""
    from scipy.spatial import cKDTree

    right = np.empty(len(Z), dtype=bool)
    for fold in range(int(folds.max()) + 1):
        check(should_stop)
        test, known = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        count = min(voters, len(known))
        near = cKDTree(Z[known]).query(Z[test], k=np.arange(1, count + 1))[1]
        votes = np.zeros((len(test), int(codes.max()) + 1), dtype=np.int32)
        np.add.at(votes, (np.arange(len(test))[:, None], codes[known[near]]), 1)
        right[test] = votes.argmax(axis=1) == codes[test]
    return right


def silhouettes(Z: Array, codes: Array, should_stop: ShouldStop = never) -> Array:
    """Return the silhouette (m,) of every row among at least two classes."""
    member = (codes[:, None] == np.arange(int(codes.max()) + 1)).astype(np.float64)
    counts = member.sum(axis=0)
    found = np.empty(len(Z))
    for rows, D in _blocks(Z, "euclidean", should_stop):
        sums, own, mine = D @ member, member[rows] > 0, counts[codes[rows]]
        # Within the own class the distance to itself does not count.
        inner = sums[own] / np.maximum(mine - 1, 1)
        outer = np.where(own, np.inf, sums / counts).min(axis=1)
        widest = np.maximum(inner, outer)
        score = np.where((mine == 1) | (widest == 0), 0, outer - inner)
        found[rows] = score / np.where(widest == 0, 1, widest)
    return found


class KeptNeighbours:
    """Compares neighbours in pictures with those in the data (Venna and Kaski, 2001).

    Parameters
    ----------
    original : ndarray of shape (m, d)
        The data, of which all ranks are needed: computed once.
    """

    def __init__(self, original: Array, neighbours: int) -> None:
        self._original = original
        self._count = neighbours

    @cached_property
    def _known(self) -> tuple[Array, Array]:
        """Ranks of all rows by distance in the data (m, m), and the k nearest."""
        n = len(self._original)
        ranks = np.empty((n, n), dtype=np.int32)
        near = np.empty((n, self._count), dtype=np.int64)
        for rows, D in _blocks(self._original, "sqeuclidean"):
            D[np.arange(len(D)), np.arange(n)[rows]] = -1
            order = np.argsort(D, axis=1, kind="stable")
            places = np.arange(n, dtype=np.int32)[None, :]
            np.put_along_axis(ranks[rows], order, places, axis=1)
            near[rows] = order[:, 1 : self._count + 1]
        return ranks, near

    def compare(self, Z: Array, should_stop: ShouldStop = never) -> tuple[Array, Array]:
        """Return trustworthiness and continuity (m,) of every row of a picture.

        Nothing has to be sorted: a rank in the picture is a count of the rows that are
        nearer.
        """
        from scipy.spatial import cKDTree

        n, k = len(Z), self._count
        ranks, near = self._known
        check(should_stop)
        # Each row is its own nearest, with rank 0 in the data: it costs nothing.
        shown = cKDTree(Z).query(Z, k=k + 1)[1]
        intruders = np.take_along_axis(ranks, shown, axis=1) - k
        missing = np.empty((n, k))
        for rows, D in _blocks(Z, "sqeuclidean", should_stop):
            reach = np.take_along_axis(D, near[rows], axis=1)
            for j in range(k):
                nearer = reach[:, j : j + 1] > D
                missing[rows, j] = np.count_nonzero(nearer, axis=1) - k
        scale = 2 / (k * (2 * n - 3 * k - 1))
        return (
            1 - scale * np.maximum(intruders, 0).sum(axis=1),
            1 - scale * np.maximum(missing, 0).sum(axis=1),
        )


def _blocks(
    Z: Array, metric: str, should_stop: ShouldStop = never
) -> Iterator[tuple[slice, Array]]:
    """Yield rows of the matrix of distances, a block at a time."""
    from scipy.spatial.distance import cdist

    step = max(1, BLOCK_BYTES // (8 * max(len(Z), 1)))
    for start in range(0, len(Z), step):
        check(should_stop)
        rows = slice(start, start + step)
        yield rows, cdist(Z[rows], Z, metric)
