"""Who is near whom in a picture, row by row: votes, silhouettes, kept neighbours.

Every function answers for each row, so that a mean has its error too. Trees find
neighbours and blocks of distances stay in the cache of the processor: a picture of
2,000 rows takes a few dozen milliseconds, and can be given up between two blocks.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import cores

BLOCK_BYTES = 1 << 20
"""Distances that are looked at together."""

MOST_THREADS = 4
"""That share the neighbours in the data."""

LEAF = 32
"""Rows of a tree that are looked at one by one."""

WIDE = 100
"""Columns beyond which products of rows tell distances: sums of squared differences
take minutes for thousands of columns, and only rows as good as tied change places."""

IN_BALLS = 3
"""Axes of a picture up to which a tree counts the rows around one faster than a look at
all distances does."""


FEW = 400
"""Rows up to which a look at all distances takes less than to load scipy."""


class Nearest:
    """The nearest rows of every row of a picture, for all who ask for them.

    ``Z`` (m, k).
    """

    def __init__(self, Z: Array) -> None:
        self.Z = Z
        self._known: tuple[Array, Array] | None = None

    @cached_property
    def tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self.Z, leafsize=LEAF)

    def of_all(self, count: int) -> tuple[Array, Array]:
        """Return distances and rows (m, count), each row among its own."""
        if self._known is None or self._known[1].shape[1] < count:
            self._known = self.of(np.arange(len(self.Z)), count)
        distances, rows = self._known
        return distances[:, :count], rows[:, :count]

    def of(self, rows: Array, count: int) -> tuple[Array, Array]:
        """Return distances and rows (len(rows), count) that are nearest to some."""
        if _are_few(self.Z):
            D = np.sqrt(_squared_distances(self.Z[rows], self.Z))
            near = np.argsort(D, axis=1)[:, : count + 1]
            distances = np.take_along_axis(D, near, axis=1)
            # Which of those as near comes first is up to the tree.
            if (distances[:, 1:] != distances[:, :-1]).all():
                return distances[:, :count], near[:, :count]
        distances, near = self.tree.query(self.Z[rows], k=np.arange(1, count + 1))
        return distances, near

    def nearer(self, rows: Array, distances: Array) -> Array:
        """Return how many are nearer (q,) to each of some rows (q,) than that."""
        below = np.nextafter(distances, 0)
        return self.tree.query_ball_point(self.Z[rows], below, return_length=True)


def voted(
    nearest: Nearest,
    codes: Array,
    folds: Array,
    voters: int,
    should_stop: ShouldStop = never,
) -> Array:
    """Return whether the nearest rows of other folds vote for the own class (m,)."""
    m = len(codes)
    right = np.empty(m, dtype=bool)
    # Most rows find all who vote among twice as many; the others look farther.
    rows, count = np.arange(m), min(2 * voters + 1, m)
    _, near = nearest.of_all(count)
    while True:
        check(should_stop)
        of_others = folds[near] != folds[rows, None]
        found = np.cumsum(of_others, axis=1)
        vote = of_others & (found <= voters)
        votes = [
            np.count_nonzero(vote & (codes[near] == code), axis=1)
            for code in range(int(codes.max()) + 1)
        ]
        right[rows] = np.argmax(votes, axis=0) == codes[rows]
        rows = rows[found[:, -1] < voters]
        if not rows.size or count == m:
            return right
        count = min(4 * count, m)
        _, near = nearest.of(rows, count)


def silhouettes(Z: Array, codes: Array, should_stop: ShouldStop = never) -> Array:
    """Return the silhouette (m,) of every row among at least two classes."""
    member = (codes[:, None] == np.arange(int(codes.max()) + 1)).astype(np.float64)
    counts = member.sum(axis=0)
    sums = np.zeros_like(member)
    for rows in _row_blocks(len(Z), should_stop):
        # Distances to the rows from here on; to those before, they are known.
        D = _squared_distances(Z[rows], Z[rows.start :])
        np.sqrt(D, out=D)
        beyond = rows.stop - rows.start
        sums[rows] += D @ member[rows.start :]
        sums[rows.stop :] += D[:, beyond:].T @ member[rows]
    own, mine = member > 0, counts[codes]
    # Within the own class the distance to itself does not count.
    inner = sums[own] / np.maximum(mine - 1, 1)
    outer = np.where(own, np.inf, sums / counts).min(axis=1)
    widest = np.maximum(inner, outer)
    score = np.where((mine == 1) | (widest == 0), 0, outer - inner)
    return score / np.where(widest == 0, 1, widest)


class KeptNeighbours:
    """Compares neighbours in pictures with those in the data (Venna and Kaski, 2001).

    ``original`` (m, d): the data, of which all ranks are needed: computed once.
    """

    def __init__(self, original: Array, neighbours: int) -> None:
        self._original = original
        self._count = neighbours

    @cached_property
    def _known(self) -> tuple[Array, Array]:
        """Ranks of all rows by distance in the data (m, m), and the k nearest."""
        n = len(self._original)
        distances = _distances_in(self._original)
        ranks = np.empty((n, n), dtype=np.int32)
        near = np.empty((n, self._count), dtype=np.int64)
        places = np.arange(n, dtype=np.int32)[None, :]

        def fill(rows: slice) -> None:
            D = distances(rows)
            D[np.arange(len(D)), np.arange(n)[rows]] = -np.inf
            order = _by_size(D)
            np.put_along_axis(ranks[rows], order, places, axis=1)
            near[rows] = order[:, 1 : self._count + 1]

        # All pictures wait for this, and nothing else is done meanwhile.
        with ThreadPoolExecutor(min(MOST_THREADS, cores())) as pool:
            list(pool.map(fill, _row_blocks(n)))
        return ranks, near

    def compare(
        self, nearest: Nearest, should_stop: ShouldStop = never
    ) -> tuple[Array, Array]:
        """Return trustworthiness and continuity (m,) of every row of a picture.

        Nothing has to be sorted: a rank in the picture is a count of the rows that are
        nearer.
        """
        n, k = len(nearest.Z), self._count
        ranks, near = self._known
        check(should_stop)
        # Each row is its own nearest, with rank 0 in the data: it costs nothing.
        distances, shown = nearest.of_all(k + 1)
        intruders = np.take_along_axis(ranks, shown, axis=1) - k
        check(should_stop)
        if nearest.Z.shape[1] <= IN_BALLS and not _are_few(nearest.Z):
            missing = _counted_in_balls(nearest, near, distances[:, -1:], should_stop)
        else:
            missing = _counted_in_blocks(nearest.Z, near, should_stop)
        scale = 2 / (k * (2 * n - 3 * k - 1))
        return (
            1 - scale * np.maximum(intruders, 0).sum(axis=1),
            1 - scale * np.maximum(missing - k, 0).sum(axis=1),
        )


def _counted_in_balls(
    nearest: Nearest, near: Array, known: Array, should_stop: ShouldStop
) -> Array:
    """Return how many rows of a picture are nearer (m, k) than certain ones (m, k).

    ``known`` (m, 1): distance of the k-th nearest; up to there nothing is counted, and
    0 returned.
    """
    Z = nearest.Z
    counts = np.zeros(near.shape, dtype=np.int64)
    for block in _row_blocks(len(Z), should_stop):
        # Neighbours in the tree one after another: they look at the same rows.
        rows = nearest.tree.indices[block]
        distances = np.sqrt(np.square(Z[rows, None] - Z[near[rows]]).sum(axis=2))
        i, j = np.nonzero(distances > known[rows])
        counts[rows[i], j] = nearest.nearer(rows[i], distances[i, j])
    return counts


def _counted_in_blocks(Z: Array, near: Array, should_stop: ShouldStop) -> Array:
    """Return how many rows (m, k) are nearer than certain ones (m, k)."""
    counts = np.empty(near.shape, dtype=np.int64)
    for rows in _row_blocks(len(Z), should_stop):
        D = _squared_distances(Z[rows], Z)
        reach = np.take_along_axis(D, near[rows], axis=1)
        if _are_few(Z):
            # In balls, what is as near but for rounding is not counted.
            inner = np.square(np.nextafter(np.sqrt(reach), 0))
            reach = np.where(reach > 0, np.nextafter(inner, np.inf), 0)
        for j in range(near.shape[1]):
            nearer = reach[:, j : j + 1] > D
            counts[rows, j] = np.count_nonzero(nearer, axis=1)
    return counts


def _distances_in(X: Array) -> Callable[[slice], Array]:
    """Return what gives squared distances (m, n) of a block of the rows (n, d)."""
    if X.shape[1] <= WIDE:
        return lambda rows: _squared_distances(X[rows], X)
    # Far from the origin products have no digits left for distances.
    X = X - X.mean(axis=0, dtype=np.float64)
    products = X @ X.T
    norms = products.diagonal().copy()
    return lambda rows: norms[rows, None] + norms - 2 * products[rows]


def _by_size(D: Array) -> Array:
    """Sort every row of D; of equal entries, the left one comes first."""
    order = np.argsort(D, axis=1)
    ordered = np.take_along_axis(D, order, axis=1)
    # To sort stably takes twice as long, and few rows need it.
    tied = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    order[tied] = np.argsort(D[tied], axis=1, kind="stable")
    return order


def _are_few(Z: Array) -> bool:
    return len(Z) <= FEW and Z.shape[1] <= IN_BALLS


def _squared_distances(A: Array, B: Array) -> Array:
    if _are_few(B):
        # In the order of scipy, so that all digits are the same.
        D = np.zeros((len(A), len(B)))
        difference = np.empty_like(D)
        for a, b in zip(A.T, B.T, strict=True):
            np.subtract.outer(a, b, out=difference)
            D += np.square(difference, out=difference)
        return D
    from scipy.spatial.distance import cdist

    return cdist(A, B, "sqeuclidean")


def _row_blocks(m: int, should_stop: ShouldStop = never) -> Iterator[slice]:
    """Cut m rows so that the distances of a block to all rows stay in the cache."""
    step = max(1, BLOCK_BYTES // (8 * max(m, 1)))
    for start in range(0, m, step):
        check(should_stop)
        yield slice(start, min(start + step, m))
