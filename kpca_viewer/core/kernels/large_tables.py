"""A large table as points of a kernel, without a copy of it."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.held_points import HeldPoints
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.kernels.roundings import Extent
from kpca_viewer.core.linalg.products import BLOCK_BYTES, row_blocks

Array = NDArray[Any]


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
    some = HeldPoints(X, like, Extent.of(like))
    found, norms = None, []
    for rows in blocks:
        points = some.take(rows)
        part = Extent.of(points)
        found = part if found is None else found.joined(part)
        if with_norms:
            norms.append(points.squared_norms)
    assert found is not None
    return replace(found, squared_norms=np.concatenate(norms) if norms else None)
