"""Points made ready for pairwise work, and the four bases that kernels are made of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.support.errors import KernelError

Base = Literal[
    "squared_distances",
    "distances",
    "l1_distances",
    "dot_products",
    "cosines",
    "lifted_products",
]
Bases = Base | tuple[Base, ...]
"""One, or those of a kernel that has parts: then the last axis of B is theirs."""

DISTANCES: tuple[Base, ...] = ("squared_distances", "distances", "l1_distances")
SIMPLE: tuple[Base, ...] = (*DISTANCES, "dot_products")
"""Those of a kernel without parts, whose rows are scaled or lifted before."""

Array = NDArray[np.floating]

Values = Mapping[str, float]
"""Of the parameters of a kernel, by their names."""

WIDE = 64
"""Beyond so many features, copying the tables costs more than the extra passes."""

NARROW = 16
"""Features of which squares of differences are summed as fast as products."""

NEAR = 0.01
"""Part of ``|x|² + |y|²`` below which a squared distance is not taken from a dot
product where all digits are wanted: two of them may be lost."""

MOST_NEAR = 0.05
"""Part of the pairs up to which near ones are looked at one by one."""

PAIRS = 2048
"""Near pairs of which differences are taken at a time."""

FEW_VALUES = 0.03
"""Part of a sparse table that is not 0 up to which L1 distances are taken from that."""

SHARED = 2_000_000
"""Values in the same column that are compared at a time."""

SAMPLE = 256
"""Rows whose median is in the middle of most."""

LARGEST_TABLES = 32 << 20
"""Bytes of widened tables that are kept; larger ones are made anew for every block."""


# scipy is imported where it is used: it takes a third of a second to load, and the
# sidebar, which only wants to know the kernels, is shown before any of it is needed.


def is_sparse(X: object) -> bool:
    """Whether X is a sparse matrix or array of scipy."""
    return hasattr(X, "tocsr")


@dataclass(frozen=True, eq=False, repr=False)
class Points:
    """n samples with what every pairwise block needs, computed once."""

    X: Any
    """ndarray or CSR matrix of shape (n, d)."""
    squared_norms: Array
    """Shape (n,). Of the rows of ``X``."""
    shifted: Array | None
    """Shape (n, d). The rows minus ``shift``. Distances do not notice the shift, and
    small numbers lose less to cancellation in ``|x|² + |y|² − 2xᵀy``. None where X is
    sparse."""
    shift: Array
    """Shape (d,)."""
    shifted_norms: Array
    """Shape (n,)."""
    moved: bool = False
    """Whether the shift was taken from ``X`` itself, which dot products do notice."""
    by_differences: bool = False
    """Whether squared distances of points that are near each other, seen from where
    the others are, are sums of squared differences: right to all digits, or all but
    two."""
    lifted: bool = False
    """Whether the last column is the squared length of what the others hold."""

    @classmethod
    def prepare(
        cls,
        X: Any,
        *,
        unit_rows_for: str = "",
        lift: bool = False,
        shift: Array | None = None,
    ) -> "Points":
        """Check the values and compute the norms.

        ``X`` (n, d); ``unit_rows_for``: scale every row to unit length for the kernel
        of this title; ``lift``: append its squared length to every row; ``shift`` (d,):
        use this shift instead of the mean, so that two sets of points can meet.
        """
        if is_sparse(X):
            X = X.tocsr()
            values = X.data
        else:
            X = np.asarray(X)
            if X.dtype not in (np.float32, np.float64):
                X = X.astype(np.float64)
            values = X
        if X.ndim != 2:
            raise KernelError(
                f"The points have the shape {X.shape}; a kernel needs a table with one "
                "row per point."
            )
        if not np.isfinite(values).all():
            raise KernelError(
                "The points contain NaN or infinite values; fill or drop them first."
            )
        with np.errstate(over="ignore"):
            norms = _squared_norms(X)
        if unit_rows_for:
            refuse_zero_rows(norms, unit_rows_for)
            X = _scale_rows(X, 1 / np.sqrt(norms))
            norms = np.ones_like(norms)
        if lift:
            X = _widened(X, norms)
            with np.errstate(over="ignore"):
                norms = norms + np.square(norms)
        if is_sparse(X):
            return cls(X, norms, None, np.zeros(X.shape[1]), norms, lifted=lift)
        if shift is None:
            shift = X.mean(axis=0) if np.isfinite(norms).all() else np.zeros(X.shape[1])
        shifted = X - shift
        with np.errstate(over="ignore"):
            shifted_norms = _squared_norms(shifted)
        return cls(X, norms, shifted, shift, shifted_norms, lifted=lift)

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        return int(self.X.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.X.dtype)

    @property
    def is_dense(self) -> bool:
        return not is_sparse(self.X)

    @property
    def largest_squared_norm(self) -> float:
        return float(self.squared_norms.max(initial=0.0))

    def take(self, rows: Any) -> "Points":
        return replace(
            self,
            X=self.X[rows],
            squared_norms=self.squared_norms[rows],
            shifted=None if self.shifted is None else self.shifted[rows],
            shifted_norms=self.shifted_norms[rows],
        )

    def beside(self, X: Array) -> "Points":
        """Return rows (m, d) of the ``X`` of such points, with what goes with them.

        They are what `take` gives, made of the rows alone, wherever these were sent.
        """
        shifted = X if self.moved else X - self.shift
        return replace(
            self,
            X=X,
            squared_norms=_squared_norms(X),
            shifted=shifted,
            shifted_norms=_squared_norms(shifted),
        )

    def astype(self, dtype: Any) -> "Points":
        """Return the points in another precision; the norms are rounded, not redone."""
        if self.dtype == dtype:
            return self
        return replace(
            self,
            X=self.X.astype(dtype),
            squared_norms=self.squared_norms.astype(dtype),
            shifted=None if self.shifted is None else self.shifted.astype(dtype),
            shifted_norms=self.shifted_norms.astype(dtype),
        )

    def around_their_mean(self) -> "Points":
        """Return the points minus their ``shift``, for dot products too."""
        if self.shifted is None or self.moved:
            return self
        return replace(
            self, X=self.shifted, squared_norms=self.shifted_norms, moved=True
        )

    def around_most(self) -> "Points":
        """Return the points with a shift that a few far rows do not change."""
        if self.shifted is None or self.moved or self.d <= NARROW:
            return self
        some = np.linspace(0, len(self) - 1, min(len(self), SAMPLE)).astype(int)
        shift = np.median(self.X[some], axis=0)
        shifted = self.X - shift
        return replace(
            self,
            shift=shift,
            shifted=shifted,
            shifted_norms=_squared_norms(shifted),
        )

    def dense(self) -> Array:
        return self.X.toarray() if is_sparse(self.X) else self.X

    def measure(self) -> "Extent":
        """Return how many rows there are, and how far they reach."""
        heights = _heights(self) if self.lifted else np.zeros(0)
        return Extent(
            len(self),
            self.d,
            float(np.finfo(self.dtype).eps),
            float(self.squared_norms.sum(dtype=np.float64)),
            self.largest_squared_norm,
            float(self.shifted_norms.max(initial=0.0)),
            float(heights @ heights),
            self.by_differences and self.dtype == np.float64,
            self.squared_norms,
        )


@dataclass(frozen=True, eq=False)
class Extent:
    """How many rows there are and how far they reach: all that a bound depends on.

    Rounding in the pairwise base moves a kernel matrix K by δK; a kernel bounds
    ``‖δK‖₂`` by the extent of the rows, its values and ``‖K‖_F`` (or a bound on it,
    such as the trace). Kernels of distances have no negative entry, so that what is
    true of every entry's relative error is true of the norm. ``|x|² + |y|² − 2xᵀy`` is
    off by a few ``ε·max|x|²`` however small it is, and γ multiplies that: a narrow
    kernel on spread-out points is known to fewer digits.
    """

    count: int
    d: int
    eps: float
    total: float
    """``Σ|x|²``."""
    largest: float
    """``max|x|²``."""
    spread: float
    """``max|x − shift|²``."""
    heights: float = 0.0
    """``Σh²`` of the last coordinate of lifted rows, where they were before any
    move."""
    exact: bool = False
    """Whether squared distances have all digits in float64, or all but two."""
    squared_norms: NDArray[Any] | None = None
    """Shape (n,). None where not all rows are in memory."""

    def joined(self, other: "Extent") -> "Extent":
        """Return that of both sets of rows together, without their norms."""
        return replace(
            self,
            count=self.count + other.count,
            eps=max(self.eps, other.eps),
            total=self.total + other.total,
            largest=max(self.largest, other.largest),
            spread=max(self.spread, other.spread),
            heights=self.heights + other.heights,
            exact=self.exact and other.exact,
            squared_norms=None,
        )

    def in_precision(self, dtype: np.dtype[Any]) -> "Extent":
        """Return that of the same rows in a type of float."""
        exact = self.exact and dtype == np.float64
        return replace(self, eps=float(np.finfo(dtype).eps), exact=exact)

    @property
    def unit(self) -> float:
        """The relative error of a sum of d terms; it grows like the root of d."""
        return self.eps * (4 + self.d**0.5)

    @property
    def unit_of_squares(self) -> float:
        """The relative error of a squared distance where these are exact."""
        return self.unit if self.d <= NARROW else self.unit / NEAR


def refuse_zero_rows(squared_norms: Array, title: str) -> None:
    """Refuse rows without a direction, for the kernel of this title."""
    zero = np.flatnonzero(squared_norms == 0)
    if zero.size:
        raise KernelError(
            f"The {title.lower()} kernel is not defined for row {zero[0]} (counted "
            "from 0), which is all zeros; drop such rows or choose another kernel."
        )


def _heights(points: Points) -> NDArray[np.float64]:
    """Return the last coordinate of lifted rows where they were before any move."""
    last = points.X[:, [-1]]
    heights = np.asarray(last.toarray() if is_sparse(last) else last, dtype=np.float64)
    moved = float(points.shift[-1]) if points.moved else 0.0
    return heights.ravel() + moved


def _squared_norms(X: Any) -> Array:
    if is_sparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


def _scale_rows(X: Any, factors: Array) -> Any:
    if is_sparse(X):
        return X.multiply(factors[:, None]).tocsr()
    return X * factors[:, None]


def _widened(X: Any, column: Array) -> Any:
    if not is_sparse(X):
        return np.column_stack((X, column))
    from scipy.sparse import hstack

    return hstack((X, column[:, None]), format="csr", dtype=X.dtype)


def pairwise(base: Bases, X: Points, Y: Points) -> Array:
    """Return the pairwise base of two sets of points, shape (len(X), len(Y))."""
    if isinstance(base, tuple):
        return np.moveaxis(np.stack([pairwise(each, X, Y) for each in base]), 0, -1)
    if base == "dot_products":
        return _products(X.X, Y.X)
    if base == "lifted_products":
        return _products(X.X, Y.X) + np.outer(X.squared_norms, Y.squared_norms)
    if base == "cosines":
        B = _products(X.X, Y.X)
        B /= np.sqrt(X.squared_norms)[:, None]
        B /= np.sqrt(Y.squared_norms)
        return B
    if base == "l1_distances":
        if _has_few_values(X) and _has_few_values(Y):
            return _sparse_l1(X.X, Y.X).astype(X.dtype, copy=False)
        return _by_differences(X, Y, "cityblock")
    if base == "distances":
        # The root of |x|² + |y|² − 2xᵀy would keep half the digits of near twins.
        return _by_differences(X, Y, "euclidean")
    exact = X.by_differences and Y.by_differences
    if exact and (X.d <= NARROW or X.shifted is None or X.dtype != np.float64):
        return _by_differences(X, Y, "sqeuclidean")
    if X.shifted is None or Y.shifted is None:
        B = _products(X.X, Y.X)
        norms = X.squared_norms, Y.squared_norms
    elif X.d <= WIDE and not exact:
        return at_least(0, _left_table(X) @ _right_table(Y))
    else:
        B = X.shifted @ Y.shifted.T
        norms = X.shifted_norms, Y.shifted_norms
    B *= -2
    B += norms[0][:, None]
    B += norms[1]
    if exact:
        return _with_near_pairs(B, X, Y)
    return at_least(0, B)


def _with_near_pairs(B: Array, X: Points, Y: Points) -> Array:
    """Return squared distances B, with those of near points from differences.

    That from a dot product is off by ``unit (|x|² + |y|²)``, a part of itself where it
    is not much smaller.
    """
    least = np.add.outer(NEAR * X.shifted_norms, NEAR * Y.shifted_norms)
    near = np.less(B, least)
    if np.count_nonzero(near) > MOST_NEAR * B.size:
        return _by_differences(X, Y, "sqeuclidean")
    for i, j in _pairs(near):
        # As they are: a shift would round them before the difference is taken.
        B[i, j] = _squared_norms(X.X[i] - Y.X[j])
    return B


def _pairs(chosen: NDArray[np.bool_]) -> Iterator[tuple[Any, Any]]:
    """Yield the rows and columns of what is true, some at a time."""
    i, j = np.nonzero(chosen)
    for start in range(0, len(i), PAIRS):
        part = slice(start, start + PAIRS)
        yield i[part], j[part]


def _has_few_values(X: Points) -> bool:
    if not is_sparse(X.X) or X.X.nnz > FEW_VALUES * len(X) * X.d:
        return False
    # Where a place is there twice, its value is the sum.
    return bool(X.X.has_canonical_format)


def _sparse_l1(X: Any, Y: Any) -> Array:
    """Return L1 distances of rows (n, d) and (m, d) of which most values are 0.

    They are ``|x| + |y|`` where no column has values of both, and less by
    ``|a| + |b| − |a − b|`` for every column that has.
    """
    lengths = [np.bincount(_rows(Z), np.abs(Z.data), Z.shape[0]) for Z in (X, Y)]
    B = np.add.outer(*lengths)
    columns = Y.tocsc()
    # Of every value of X: how many rows of Y have one in the same column.
    counts = np.diff(columns.indptr)[X.indices]
    ends = np.cumsum(counts)
    rows = _rows(X)
    total = int(ends[-1]) if ends.size else 0
    cuts = np.searchsorted(ends, np.arange(SHARED, total, SHARED), side="right")
    for part in np.split(np.arange(len(counts)), cuts):
        times = counts[part]
        own = np.repeat(part, times)
        starts = columns.indptr[X.indices[part]] - np.cumsum(times) + times
        other = np.repeat(starts, times) + np.arange(len(own))
        a = X.data[own].astype(np.float64)
        b = columns.data[other].astype(np.float64)
        place = rows[own] * B.shape[1] + columns.indices[other]
        shared = np.abs(a) + np.abs(b) - np.abs(a - b)
        B -= np.bincount(place, shared, B.size).reshape(B.shape)
    # Of equal rows nothing is left; of near ones, what is left of larger numbers.
    for i, j in _pairs((NEAR * np.add.outer(*lengths) > B) & (B != 0)):
        B[i, j] = np.asarray(abs(X[i] - Y[j]).sum(axis=1)).ravel()
    return B


def _rows(Z: Any) -> Any:
    """Return the row of every value of a CSR matrix."""
    return np.repeat(np.arange(Z.shape[0]), np.diff(Z.indptr))


def with_itself(base: Bases, X: Points) -> Array:
    """Return the base of every point and itself, shape (len(X),)."""
    if isinstance(base, tuple):
        return np.stack([with_itself(each, X) for each in base], axis=-1)
    if base in DISTANCES:
        return np.zeros(len(X), dtype=X.dtype)
    if base == "cosines":
        return np.ones(len(X), dtype=X.dtype)
    norms: Array = X.squared_norms
    return norms + np.square(norms) if base == "lifted_products" else norms.copy()


def at_least(least: float, B: Array) -> Array:
    """Raise what is smaller, in place; looking costs a quarter of raising."""
    return np.maximum(B, least, out=B) if B.size and B.min() < least else B


@dataclass(frozen=True, eq=False, repr=False)
class WidenedTables:
    """Points widened by their norms: a product gives ``|x|² + |y|² − 2xᵀy`` at once."""

    left: Array
    """Shape (n, d + 2)."""
    right: Array
    """Shape (d + 2, n)."""

    @classmethod
    def of(cls, points: Points, base: Bases) -> "WidenedTables | None":
        """Widen the points once for all tiles; None if that does not give the base."""
        if base != "squared_distances" or points.by_differences:
            return None
        if points.shifted is None or points.d > WIDE:
            return None
        if 2 * len(points) * (points.d + 2) * points.dtype.itemsize > LARGEST_TABLES:
            return None
        return cls(_left_table(points), _right_table(points))

    def block(self, rows: Any, columns: Any) -> Array:
        """Squared distances between points at slices or indices.

        Those of twins may be below zero by rounding.
        """
        B: Array = self.left[rows] @ self.right[:, columns]
        return B


def _left_table(X: Points) -> Array:
    assert X.shifted is not None
    left = np.empty((len(X), X.d + 2), dtype=X.dtype)
    left[:, :-2], left[:, -2], left[:, -1] = X.shifted * -2, X.shifted_norms, 1
    return left


def _right_table(Y: Points) -> Array:
    assert Y.shifted is not None
    # Along the points in memory: as BLAS wants it for a product of so few terms.
    right = np.empty((Y.d + 2, len(Y)), dtype=Y.dtype)
    right[:-2], right[-2], right[-1] = Y.shifted.T, 1, Y.shifted_norms
    return right


def _by_differences(X: Points, Y: Points, metric: str) -> Array:
    if X.shifted is None or Y.shifted is None or X.dtype == np.float64:
        # As they are: a shift would round them before the difference is taken.
        left, right = X.dense(), Y.dense()
    else:
        # float32 was rounded after the shift, and has lost less.
        left, right = X.shifted, Y.shifted
    from scipy.spatial.distance import cdist

    return cdist(left, right, metric).astype(X.dtype, copy=False)


def _products(X: Any, Y: Any) -> Array:
    B = X @ Y.T
    return B.toarray() if is_sparse(B) else np.asarray(B)
