"""What a block of rows adds to the small problem; then its features are forgotten."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Extent, Points
from kpca_viewer.core.solvers.blocks import Block, checked, random_of
from kpca_viewer.core.solvers.landmarks import LandmarkFeatures, row_steps
from kpca_viewer.core.solvers.lowrank_result import drawn
from kpca_viewer.core.solvers.row_sums import RowSums

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Terms:
    """Of some rows with their features F; those of several blocks are added up."""

    products: Array
    """Shape (r, r). As `RowSums` has them."""
    sums: Array
    """Shape (r,)."""
    left: float
    """What is left of the diagonal, of all rows whose features were formed."""
    excess: float
    """By how much rounding has made it negative."""
    total: float
    """The diagonal of K, in all."""
    extent: Extent
    rows: Array = field(repr=False)
    """Shape (q, d). Drawn in proportion to what is left of them, with repetition."""
    residual: Array = field(repr=False)
    """Shape (q,). What is left of each."""


@dataclass(frozen=True, eq=False)
class Adding:
    """The work on one block.

    Attributes
    ----------
    features : LandmarkFeatures
    known : Points
        Some points in float64, as which new rows are prepared.
    draws : int
        Rows that are drawn in all, see `draws_of`.
    """

    features: LandmarkFeatures
    known: Points
    draws: int
    seed: int

    def __call__(self, block: Block, number: int) -> Terms | None:
        """Return the terms of a block; None of one without rows."""
        X = checked(block)
        if not len(X):
            return None
        kernel, dtype = self.features.kernel, self.features.known.dtype
        r = self.features.rank
        sums = RowSums(self.features)
        residual, total = np.empty(len(X)), 0.0
        extents = []
        for rows in row_steps(len(X), r, dtype):
            exact = kernel.prepare_new(
                self.known, X[rows].astype(np.float64, copy=False)
            )
            kernel.refuse_overflow(exact)
            extents.append(exact.measure())
            points = exact.astype(dtype)
            diagonal = kernel.diagonal(points).astype(np.float64)
            residual[rows] = diagonal - sums.add(points)
            total += float(diagonal.sum())
        if self.features.around is not None:
            residual[np.isnan(residual)] = 0
        positive = np.maximum(residual, 0.0)
        chosen = np.empty(0, dtype=np.intp)
        if positive.any():
            rng = random_of(self.seed, number)
            chosen = drawn(positive, draws_of(number, self.draws), rng)
        return Terms(
            sums.products,
            sums.sums,
            float(positive.sum()),
            -float(np.minimum(residual, 0.0).sum()),
            total,
            joined_extent(extents),
            X[chosen],
            positive[chosen],
        )


def draws_of(number: int, count: int) -> int:
    """Return how many rows of a block are drawn where ``count`` are kept of all.

    `Drawn` takes about ``count / number`` of them where blocks leave equally much; some
    leave more.
    """
    return min(count, 8 * count // (number + 1) + 256)


def joined_extent(extents: Iterable[Extent]) -> Extent:
    """Return the extent of all rows together."""
    first, *others = extents
    for other in others:
        first = first.joined(other)
    return first


class Drawn:
    """Rows drawn from all blocks in proportion to what is left of them.

    Every place holds one row, and is taken by a row of the next block with the part
    that this block has of all that is left so far. So each is drawn in proportion, and
    independently of the others, whatever the number of blocks.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._count = count
        self._left = 0.0
        self.rows: Array | None = None
        """Shape (count, d); None before anything was left."""
        self.residual = np.zeros(count)
        """Shape (count,)."""
        self.is_fair = True
        """Whether every block had drawn as many as were to be taken of it."""

    def add(self, terms: Terms) -> None:
        """Take rows of a block."""
        if terms.left <= 0:
            return
        self._left += terms.left
        taken = np.flatnonzero(self._rng.random(self._count) < terms.left / self._left)
        if len(taken) > len(terms.rows):
            self.is_fair = False
            taken = taken[: len(terms.rows)]
        if self.rows is None:
            self.rows = np.zeros((self._count, terms.rows.shape[1]))
        self.rows[taken] = terms.rows[: len(taken)]
        self.residual[taken] = terms.residual[: len(taken)]
