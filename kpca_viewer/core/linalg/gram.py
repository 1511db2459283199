"""The Gram matrix as a thing that can be asked for rows, products and traces.

It is formed as a whole only when a solver wants it; centring is always implicit,
``K̃V = H(K(HV))``, so there is never a second n × n matrix.

Kernel matrices of the same rows under several kernels, which share their bases.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import (
    DISTANCES,
    Bases,
    Points,
    WidenedTables,
    is_sparse,
    pairwise,
)
from kpca_viewer.core.kernels.kernel import LARGEST_ENTRY, Kernel
from kpca_viewer.core.linalg.products import (
    row_blocks,
    symmetric,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import readable
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent

FEW_ROWS = 500
"""Rows up to which a matrix is made in one piece: that takes a few milliseconds, and
cutting it up would take as long as what is saved."""

SATURATED = 1e-9
"""Part of the norm from which rounding is worth another look, entry by entry: a sigmoid
has large arguments then, most of them beyond the slope of tanh."""

SMALLEST_SINGLE = 1e-30
"""Squared norms of points that float32 can tell from zero, and products of them; those
beyond the inverse overflow."""


SPARSE_COST, DENSE_COST = 50, 4
"""Entries of K that a product takes as long for as for one of a factor of K."""


class PointsGram:
    """K of points under one of our kernels.

    Parameters
    ----------
    base : ndarray of shape (n, n), optional
        The pairwise base, when a sweep has computed it already.
    wider : PointsGram, optional
        The same matrix in float64, whose base this one rounds only when it is used.
    """

    def __init__(
        self,
        points: Points,
        kernel: Kernel,
        base: Array | None = None,
        wider: "PointsGram | None" = None,
    ) -> None:
        self.points = points
        self.kernel = kernel
        self.base = base
        self._wider = wider
        self.n = len(points)
        self.dtype = points.dtype
        self.psd = kernel.psd
        self._matrix: Array | None = None

    def diagonal(self) -> Array:
        return self.kernel.diagonal(self.points)

    def rows(self, index: Array) -> Array:
        if self._matrix is not None:
            return self._matrix[index]
        if self.base is not None:
            return self._of_base(self.base[index])
        return self._of_points(index, slice(None))

    def block(self, rows: Array, columns: Array) -> Array:
        if self.base is not None:
            return self._of_base(self.base[np.ix_(rows, columns)])
        return self._of_points(rows, columns)

    def tile(self, rows: slice, columns: slice) -> Array:
        if self.base is not None:
            return self.kernel.of_base(self.base[rows, columns].astype(self.dtype))
        return self._of_points(rows, columns)

    def matrix(
        self, should_stop: ShouldStop = never, progress: Progress = silent
    ) -> Array:
        """Form K: the upper triangle in blocks on all cores, then its mirror."""
        if self._matrix is None:
            if self.n <= FEW_ROWS:
                K = self.tile(slice(0, self.n), slice(0, self.n))
                # BLAS rounds the two halves of a product differently.
                K = K + K.T
                K *= 0.5
            else:
                K = symmetric(self.tile, self.n, self.dtype, should_stop, progress)
            np.fill_diagonal(K, self.diagonal())
            self._matrix = K
        return self._matrix

    def has_matrix(self) -> bool:
        return self._matrix is not None

    @cached_property
    def factor(self) -> Any:
        X = self.points.X
        if not (self.kernel.family.bilinear and self.base is None):
            return None
        cost = (
            SPARSE_COST * (X.nnz + X.shape[1]) if is_sparse(X) else DENSE_COST * X.size
        )
        return X if cost < self.n**2 else None

    @property
    def largest_rank(self) -> float:
        """That K can have, however many rows there are."""
        kernel, d = self.kernel, self.points.d
        return d if kernel.family.bilinear else kernel.feature_dimension(d)

    def squares(self, should_stop: ShouldStop = never) -> float:
        """Return ``‖K‖²_F`` by its factor, in blocks of rows that are sparse too."""
        Z = self.factor
        if not is_sparse(Z):
            Z = Z.astype(np.float64, copy=False)
            return float(np.square(Z.T @ Z).sum())
        total = 0.0
        for rows in row_blocks(self.n, 12 * self.n):
            check(should_stop)
            entries = (Z[rows] @ Z.T).data.astype(np.float64, copy=False)
            total += float(np.vdot(entries, entries))
        return total

    def single(self) -> "PointsGram":
        reach = self.points.largest_squared_norm
        ones = self.kernel.family.unit_diagonal and not self.points.moved
        if self.dtype == np.float32 or not (ones or fits_single(self.diagonal())):
            return self
        if not SMALLEST_SINGLE <= reach <= 1 / SMALLEST_SINGLE and reach > 0:
            return self
        points = self.points.astype(np.float32)
        return PointsGram(points, self.kernel, self.base, wider=self)

    def subset(self, rows: Array) -> "PointsGram":
        return PointsGram(self.points.take(rows), self.kernel)

    def rounding(self, norm: float) -> float:
        """Bound ``‖δK‖₂`` by rounding of the entries, given a bound on ``‖K‖_F``."""
        bound = self.kernel.rounding(self.points, norm)
        by_entries = self.kernel.family.entry_rounding is not None
        if by_entries and bound > SATURATED * norm:
            bound = min(bound, self._rounding_by_entries)
        distances = self.kernel.family.base in DISTANCES
        if self._wider is None or self.base is None or not distances:
            return bound
        # A distance from float64 is rounded once, relative to itself: the exponent E of
        # an entry is off by a few εE, and where E is large there is nothing left to be
        # off by. In float32 throughout, cancellation would cost far more.
        eps = float(np.finfo(self.dtype).eps)
        return min(bound, self._wider.rounding(norm) + 100 * eps * norm)

    @cached_property
    def _rounding_by_entries(self) -> float:
        """Bound ``‖δK‖_F`` entry by entry: one more pass over K."""
        bound_entries = self.kernel.family.entry_rounding
        assert bound_entries is not None
        extent = self.points.measure()
        reach = np.sqrt(self.points.squared_norms.astype(np.float64))
        total = 0.0
        for rows in row_blocks(self.n, 8 * self.n):
            B = (
                pairwise("dot_products", self.points.take(rows), self.points)
                if self.base is None
                else self.base[rows]
            )
            moved = bound_entries(
                B.astype(np.float64, copy=False),
                np.outer(reach[rows], reach),
                self.kernel.values,
                extent.unit,
            )
            total += float(np.square(moved).sum())
        return self.n * extent.unit + total**0.5

    def _of_points(self, rows: Any, columns: Any) -> Array:
        if self._tables is not None:
            return self.kernel.of_base(self._tables.block(rows, columns))
        return self.kernel.block(self.points.take(rows), self.points.take(columns))

    @cached_property
    def _tables(self) -> WidenedTables | None:
        return WidenedTables.of(self.points, self.kernel.family.base)

    def _of_base(self, B: Array) -> Array:
        return self.kernel.of_base(B.astype(self.dtype, copy=False))


class MatrixGram:
    """K as a matrix that exists: precomputed, from distances, or by a callable."""

    def __init__(self, K: Array, *, psd: bool = False) -> None:
        self.n = K.shape[0]
        self.dtype = K.dtype
        self.psd = psd
        self._matrix = K

    @classmethod
    def from_kernel(cls, K: Array) -> "MatrixGram":
        """Check a precomputed kernel matrix and make it exactly symmetric."""
        return cls(_checked_symmetric(K, "kernel"))

    @classmethod
    def from_distances(cls, D: Array) -> "MatrixGram":
        """Classical scaling: ``−½ D²``, whose centred form is ``−½ H D² H``."""
        D = _checked_symmetric(D, "distance")
        if D.min(initial=0.0) < 0:
            i, j = np.unravel_index(np.argmin(D), D.shape)
            raise KernelError(
                f"The distance matrix has the negative entry {readable(D[i, j])} at "
                f"row {i}, column {j}; distances must be 0 or greater."
            )
        if np.diagonal(D).any():
            i = np.argmax(np.abs(np.diagonal(D)))
            raise KernelError(
                f"The distance matrix has {readable(D[i, i])} on its diagonal (row "
                f"{i}); the distance of a point to itself must be 0. Is this a kernel "
                "matrix?"
            )
        return cls(distances_to_kernel(D))

    def diagonal(self) -> Array:
        return np.diagonal(self._matrix).copy()

    def rows(self, index: Array) -> Array:
        return self._matrix[index]

    def block(self, rows: Array, columns: Array) -> Array:
        return self._matrix[np.ix_(rows, columns)]

    def tile(self, rows: slice, columns: slice) -> Array:
        return self._matrix[rows, columns]

    def matrix(
        self, should_stop: ShouldStop = never, progress: Progress = silent
    ) -> Array:
        return self._matrix

    def has_matrix(self) -> bool:
        return True

    @property
    def factor(self) -> None:
        return None

    def single(self) -> "MatrixGram":
        if not fits_single(self._matrix):
            return self
        return MatrixGram(self._matrix.astype(np.float32), psd=self.psd)

    def rounding(self, norm: float) -> float:
        """Return 0: the matrix is what it is."""
        return 0.0


def fits_single(entries: Array) -> bool:
    """Whether float32 can hold these entries of a Gram matrix and their squares."""
    limit = LARGEST_ENTRY[np.dtype(np.float32)]
    largest = max(float(entries.max(initial=0.0)), -float(entries.min(initial=0.0)))
    return 1 / limit <= largest <= limit


def distances_to_kernel(D: Array) -> Array:
    """``−½ D²`` entry by entry; refuses what would overflow."""
    D = D.astype(np.float64, copy=False)
    if np.abs(D).max(initial=0.0) > 1e75:
        raise KernelError("The distances are too large to be squared; scale them.")
    return -0.5 * np.square(D)


def _checked_symmetric(K: Array, what: str) -> Array:
    """Refuse what is not square, finite and symmetric; average rounding differences."""
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise KernelError(
            f"A precomputed {what} matrix must be square; this one is "
            f"{' × '.join(map(str, K.shape))}."
        )
    if K.dtype != np.float32 or not fits_single(K):
        K = K.astype(np.float64, copy=False)
    if not np.isfinite(K).all():
        raise KernelError(f"The {what} matrix contains NaN or infinite values.")
    largest = np.abs(K).max(initial=0.0)
    if float(largest) > 1e150:
        raise KernelError(f"The values of the {what} matrix are too large; scale them.")
    difference = np.abs(K - K.T)
    slack = 1e-10 if K.dtype == np.float64 else 1e-5
    if difference.max(initial=0.0) > slack * largest:
        i, j = np.unravel_index(np.argmax(difference), K.shape)
        raise KernelError(
            f"The {what} matrix is not symmetric: row {i}, column {j} holds "
            f"{readable(K[i, j])} but row {j}, column {i} holds {readable(K[j, i])}."
        )
    return (K + K.T) / 2


def pairwise_base(
    kernel: Kernel,
    points: Points,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Array:
    """Return the n × n base that a sweep over the kernel's parameters shares."""

    def of(base: Bases) -> Array:
        if isinstance(base, tuple):
            return np.moveaxis(np.stack([of(each) for each in base]), 0, -1)

        def block(rows: slice, columns: slice) -> Array:
            return pairwise(base, points.take(rows), points.take(columns))

        return symmetric(block, len(points), points.dtype, should_stop, progress)

    return of(kernel.family.base)


STACKED = 300_000
"""Entries of small matrices that are taken at once: about what a core has at hand."""


def kernel_matrices(
    X: Array, kernels: Sequence[Kernel], *, center: bool
) -> Iterator[tuple[int, Array]]:
    """Yield the place of every kernel and its matrix (n, n), owned by the caller.

    A base is computed once for all kernels that are a function of it.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    center : bool
        Whether the matrices will be centred.
    """
    prepared = Points.prepare(X)
    bases: dict[object, Array] = {}
    for place, kernel in enumerate(kernels):
        points, family = kernel.prepare_training(prepared, center=center), kernel.family
        kernel.refuse_overflow(points)
        key = (
            family.base,
            family.normalise,
            family.lift,
            points.moved,
            points.by_differences,
        )
        if key not in bases:
            bases[key] = pairwise(family.base, points, points)
        yield place, kernel.of_base(bases[key].copy())


def kernel_stacks(
    X: Array, kernels: Sequence[Kernel], *, center: bool
) -> Iterator[tuple[list[int], Array]]:
    """Yield places of kernels and their matrices (b, n, n), several where n is small.

    Kernels of one stack are all definite or all indefinite; otherwise as
    `kernel_matrices`.
    """
    most = max(1, STACKED // len(X) ** 2)
    places: list[int] = []
    stack: list[Array] = []
    for place, K in kernel_matrices(X, kernels, center=center):
        alike = not places or kernels[places[-1]].psd == kernels[place].psd
        if len(places) == most or not alike:
            yield places, np.stack(stack)
            places, stack = [], []
        places.append(place)
        stack.append(K)
    if places:
        yield places, np.stack(stack)
