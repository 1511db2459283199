"""A large table as points of a kernel, without a copy of it.

Points hold a shifted copy of the rows and two norms of each. A pass over many rows
needs these for a block at a time only, and in float64 even where the table is in
float32: what goes with a row is made with it.
"""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import Extent, Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.products import BLOCK_BYTES, row_blocks
from kpca_viewer.support.arrays import Array

STEP = 1 << 16
"""Rows of a block."""


class HeldPoints(Points):
    """Points that are made when they are taken; all of them only on request.

    ``table`` (n, d): the rows, in float32 or float64; ``like``: at least one of them,
    in float64, as which the others are prepared; ``extent``: of all rows in float64;
    ``dtype``: of the points that are given out.
    """

    def __init__(
        self, table: Array, like: Points, extent: Extent, dtype: Any = np.float64
    ) -> None:
        # The fields of points are frozen, and these are not assigned.
        self.__dict__.update(
            table=table,
            like=like,
            extent=extent,
            given_as=np.dtype(dtype),
            shift=like.shift,
            moved=like.moved,
            by_differences=like.by_differences,
            lifted=like.lifted,
        )

    table: Array
    like: Points
    extent: Extent
    given_as: np.dtype[Any]

    def __len__(self) -> int:
        return len(self.table)

    @property
    def d(self) -> int:
        return int(self.table.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.given_as

    @property
    def is_dense(self) -> bool:
        return True

    @property
    def largest_squared_norm(self) -> float:
        return self.extent.largest

    def take(self, rows: Any) -> Points:
        if isinstance(rows, slice) and rows == slice(None):
            return self._all
        X = self.table[rows].astype(np.float64, copy=False)
        return self.like.beside(X - self.shift if self.moved else X).astype(self.dtype)

    def beside(self, X: Array) -> Points:
        return self.like.beside(X).astype(self.dtype)

    def astype(self, dtype: Any) -> Points:
        return HeldPoints(self.table, self.like, self.extent, dtype)

    def measure(self) -> Extent:
        return self.extent.in_precision(self.dtype)

    def around_their_mean(self) -> Points:
        return self if self.moved else self._all.around_their_mean()

    def dense(self) -> Array:
        return self._all.dense()

    @cached_property
    def _all(self) -> Points:
        return self.take(slice(0, len(self)))

    @cached_property
    def squared_norms(self) -> Array:
        if self.extent.squared_norms is not None:
            return self.extent.squared_norms.astype(self.dtype, copy=False)
        steps = range(0, len(self), STEP)
        parts = [self.take(slice(i, i + STEP)).squared_norms for i in steps]
        return np.concatenate(parts)

    # What only points that are all there can have.

    @property
    def X(self) -> Any:
        return self._all.X

    @property
    def shifted(self) -> Array | None:
        return self._all.shifted

    @property
    def shifted_norms(self) -> Array:
        return self._all.shifted_norms


def held_points(kernel: Kernel, X: Array, *, center: bool) -> Points:
    """Prepare a table (n, d) in float32 or float64 as `Kernel.points` does.

    Rows that the kernel changes one by one (cosine, paraboloid), and values that are
    not finite, are left to that.
    """
    n, d = X.shape
    blocks = list(row_blocks(n, 8 * d, BLOCK_BYTES))
    with np.errstate(over="ignore", invalid="ignore"):
        sums = sum(X[rows].sum(axis=0, dtype=np.float64) for rows in blocks)
        shift = np.asarray(sums) / n
        if (
            kernel.family.normalise
            or kernel.family.lift
            or not np.isfinite(shift).all()
        ):
            return kernel.points(X.astype(np.float64, copy=False), center=center)
        like = Points.prepare(X[:1].astype(np.float64), shift=shift)
        if kernel.family.bilinear and center:
            like = like.around_their_mean()
        extent = _extent(X, like, blocks, with_norms=not kernel.family.unit_diagonal)
    if kernel.needs_differences(extent):
        like = replace(like, by_differences=True)
        extent = replace(extent, exact=True)
    points = HeldPoints(X, like, extent)
    kernel.refuse_overflow(points)
    return points


def _extent(X: Array, like: Points, blocks: list[slice], *, with_norms: bool) -> Extent:
    """Return the extent of all rows, prepared as those that are known."""
    some = HeldPoints(X, like, like.measure())
    found, norms = None, []
    for rows in blocks:
        points = some.take(rows)
        part = points.measure()
        found = part if found is None else found.joined(part)
        if with_norms:
            norms.append(points.squared_norms)
    assert found is not None
    return replace(found, squared_norms=np.concatenate(norms) if norms else None)
