"""Rows of K and its means over all rows, as far as they can be had within a frame."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import distances_to_kernel
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.support.arrays import Array

MATRIX_UP_TO = 500
"""Rows up to which all of K is formed, if a given matrix or few features allow it."""

MATRIX_WORK = 30_000_000
"""Differences of features up to which that takes some milliseconds."""

MOST_ROWS = 200_000
MOST_VALUES = 4_000_000
"""Rows, and numbers of the data, up to which whole rows of K are computed; beyond, the
means are those of the solver's model."""

MOST_ENTRIES = 2_000_000
"""Kernel values with landmarks up to which the means of all rows are computed."""


@dataclass(frozen=True, eq=False)
class KernelRows:
    """A part of K: the rows that are written out, and the means of all."""

    result: AnalysisResult
    rows: Array
    """Shape (m,)."""
    block: Array
    """Shape (m, m)."""
    whole: Array | None
    """Shape (m, n). The same rows against all; None where there are too many."""
    matrix: Array | None
    """Shape (n, n). All of K, where it is small."""
    means: Array
    """Shape (m,). Of the rows, over all n columns."""
    grand_mean: float
    """NaN where it is not needed and would take n² entries."""
    is_centred: bool
    seen: Points | None
    """All points as the kernel sees them; None for a given matrix."""

    @property
    def is_computed(self) -> bool:
        """Whether the means are those of K itself, not of the solver's model."""
        return self.whole is not None

    @cached_property
    def all_means(self) -> Array | None:
        """Mean of every row of K, shape (n,); None where that would take too long."""
        found = _all_means(self.result, self.matrix, self.seen)
        if found is not None:
            found[self.rows] = self.means
        return found

    @cached_property
    def whole_centred(self) -> Array | None:
        """Rows of K̃ against all, shape (m, n); of K where it is not centred."""
        if self.whole is None or not self.is_centred:
            return self.whole
        if self.all_means is None:
            return None
        return self.whole - self.means[:, None] - self.all_means + self.grand_mean

    @cached_property
    def matrix_centred(self) -> Array | None:
        """All of K̃ where K is small; K itself where it is not centred."""
        if self.matrix is None or not self.is_centred:
            return self.matrix
        means = self.matrix.mean(axis=1)
        return self.matrix - means - means[:, None] + self.grand_mean

    def with_new(self, X: Array) -> tuple[Array, Array | None, Array]:
        """Meet new points (p, d), given in the units of the data."""
        kernel, seen = self.result.kernel, self.seen
        assert kernel is not None
        assert seen is not None
        scaled = self.result.scaler.apply(np.asarray(X, dtype=np.float64))
        new = kernel.prepare_new(seen, scaled)
        if self.is_computed:
            whole = _floats(kernel.block(new, seen))
            return whole[:, self.rows], whole, whole.mean(axis=1)
        some = _floats(kernel.block(new, seen.take(self.rows)))
        means = _model_means(self.result, kernel, seen, new)
        return some, None, means


def kernel_rows(result: AnalysisResult, rows: Array) -> KernelRows:
    """Compute some rows (m,) of the kernel matrix of a result."""
    n, kernel = result.dataset.n, result.kernel
    small = n <= MATRIX_UP_TO
    if kernel is not None:
        small = small and n * n * result.points.d <= MATRIX_WORK
    seen: Points | None = None
    whole: Array | None
    if kernel is None:
        matrix = _given(result, np.arange(n)) if small else None
        whole = matrix[rows] if matrix is not None else _given(result, rows)
    else:
        # As the points are: moved to their mean, dot products would be other numbers.
        seen = kernel.prepare_training(result.points)
        matrix = _floats(kernel.block(seen, seen)) if small else None
        whole = matrix[rows] if matrix is not None else _computed(kernel, seen, rows)
    if whole is not None:
        block, means = whole[:, rows], whole.mean(axis=1)
    else:
        assert kernel is not None
        assert seen is not None
        some = seen.take(rows)
        block = _floats(kernel.block(some, some))
        means = _model_means(result, kernel, seen, some)
    return KernelRows(
        result=result,
        rows=rows,
        block=block,
        whole=whole,
        matrix=matrix,
        means=means,
        grand_mean=_grand_mean(result, matrix, seen),
        is_centred=centred(result.dataset, result.settings),
        seen=seen,
    )


def _given(result: AnalysisResult, rows: Array) -> Array:
    """Rows of a given matrix as it is decomposed: symmetric, distances as ``−d²/2``."""
    table = result.dataset.points
    both = (_floats(table[rows]) + _floats(table[:, rows]).T) / 2
    return distances_to_kernel(both) if result.dataset.kind == "distances" else both


def _computed(kernel: Kernel, seen: Points, rows: Array) -> Array | None:
    if len(seen) > MOST_ROWS or len(seen) * seen.d > MOST_VALUES:
        return None
    return _floats(kernel.block(seen.take(rows), seen))


def _grand_mean(
    result: AnalysisResult, matrix: Array | None, seen: Points | None
) -> float:
    """Return the mean of all of K, exact where that is quick, else of the model."""
    if matrix is not None:
        return float(matrix.mean())
    found, kernel = result.decomposition, result.kernel
    if kernel is not None and seen is not None and kernel.family.bilinear:
        # The mean of dot products is the product of means.
        mean = _mean(seen)
        return float(mean @ mean)
    if not centred(result.dataset, result.settings):
        return float("nan")
    if found.landmark_map is not None:
        return float(found.landmark_map.mean @ found.landmark_map.mean)
    return float(found.row_means.mean(dtype=np.float64))


def _all_means(
    result: AnalysisResult, matrix: Array | None, seen: Points | None
) -> Array | None:
    if matrix is not None:
        return _floats(matrix.mean(axis=1))
    found, kernel = result.decomposition, result.kernel
    if kernel is not None and seen is not None and kernel.family.bilinear:
        return _model_means(result, kernel, seen, seen)
    if not centred(result.dataset, result.settings):
        return None
    map_ = found.landmark_map
    if map_ is None:
        return np.array(found.row_means, dtype=np.float64)
    if len(found.eigenvectors) * len(map_.landmarks) > MOST_ENTRIES:
        return None
    # Landmarks are rows of points: there is a kernel.
    assert kernel is not None
    assert seen is not None
    return _model_means(result, kernel, seen, seen)


def _model_means(
    result: AnalysisResult, kernel: Kernel, seen: Points, some: Points
) -> Array:
    """Mean of ``k(x, x_i)`` over all rows, for some x, by what the solver has found."""
    if kernel.family.bilinear:
        return _floats(some.X @ _mean(seen))
    map_ = result.decomposition.landmark_map
    if map_ is None or not centred(result.dataset, result.settings):
        # Without centring the solver has not computed the mean of the features.
        return np.full(len(some), np.nan)
    # f(x) = k(x, S) A, and the mean of k(x, ·) is f(x) times the mean of f.
    return _floats(kernel.block(some, seen.take(map_.landmarks))) @ map_.solved(
        map_.mean
    )


def _mean(seen: Points) -> Array:
    return _floats(seen.X.mean(axis=0)).ravel()


def _floats(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)
