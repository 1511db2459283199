"""Block Krylov iteration with implicit centring and warm start.

The basis Q and its image ``W = K̃Q`` are both kept, so that Rayleigh–Ritz values and
their true residuals cost no further pass over K. A block holds the wanted vectors and
a few random ones: an eigenvector that the warm start lacks is still found.

A definite matrix is worked on in float32 first, at half the cost of every pass. The
vectors found so are only where float64 starts, which measures their true residual;
mostly one pass over K shows that nothing is left to do.
"""

from contextlib import nullcontext
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.gram import Gram, MatrixGram, center_rows, fits_single, row_blocks
from kpca_viewer.core.memory import fits
from kpca_viewer.core.progress import ShouldStop, check
from kpca_viewer.core.solvers.exact import Centred, finish
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.threads import one_blas_thread

Array = NDArray[Any]

OVERSAMPLING = 6
"""Vectors in the block beyond the wanted ones; they speed up the slowest pair."""

FIRST_LOOK = 4
"""Passes before convergence is looked for, without a start that may be near it."""

FASTEST = 20.0
"""A pass divides the residual by about this much at most: when to look again."""

LARGEST_BASIS = 16
"""Blocks in the basis before it is condensed to its best Ritz vectors."""

SINGLE_FROM = 500
"""Rows from which float32 saves more in its passes than its copy of K costs."""

SINGLE_REACHES = 1e-6
"""The residual, relative to the largest eigenvalue, that float32 mostly gets to."""

ONE_THREAD_UP_TO = 3000
"""Rows up to which a pass over K is so short that BLAS threads do not pay."""


def solve(problem: Problem, reason: str) -> Decomposition:
    """Find the leading eigenpairs to the wanted residual, by passes over K."""
    gram = problem.gram.single() if problem.preview else problem.gram
    few = gram.n <= ONE_THREAD_UP_TO
    with one_blas_thread() if few else nullcontext():
        _form_if_it_fits(gram, problem)
        centred = Centred.of(gram, problem)
        return _solve(problem, centred, reason)


def _solve(problem: Problem, centred: Centred, reason: str) -> Decomposition:
    gram = centred.gram
    k = min(problem.k, gram.n)
    width = min(gram.n, k + max(OVERSAMPLING, k // 4))
    start, is_warm = _start(problem, width, gram)
    # More passes, wherever they start, also find the negative end, if there is one.
    first_look = 2 if is_warm and gram.psd else FIRST_LOOK
    if _single_helps(problem, gram):
        start = _in_single(problem, centred, start, k, first_look)
        first_look = 1
    # A little less than is wanted leaves room for rounding in the bound.
    goal = max(0.9 * problem.wanted, gram.n * np.finfo(gram.dtype).eps * 0.1)
    limit = problem.max_iter or 200
    found = _iterate(problem, centred, start, k, goal, limit, first_look)
    return finish(
        problem,
        centred,
        found.values[:k],
        found.vectors,
        solver="krylov",
        reason=reason,
        spectrum=found.values[:k],
        residual=found.residual,
        smallest=float(found.values[-1]),
        trusted=goal * found.scale if found.worst <= goal * found.scale else None,
        spare=found.block[:, k:].copy(),
    )


@dataclass(frozen=True, eq=False)
class Found:
    """Ritz pairs of a Krylov basis.

    Attributes
    ----------
    values : ndarray of shape (m,)
        All Ritz values, descending.
    vectors, residual : ndarray of shape (n, k)
        Of the leading k.
    block : ndarray of shape (n, w)
        A whole block of leading Ritz vectors, for another iteration to start from.
    worst : float
        ``‖residual‖₂``.
    """

    values: Array
    vectors: Array
    residual: Array
    block: Array
    worst: float

    @property
    def scale(self) -> float:
        """The largest magnitude of a Ritz value."""
        return float(np.abs(self.values).max(initial=0.0))


def _iterate(
    problem: Problem,
    centred: Centred,
    start: Array,
    k: int,
    goal: float,
    limit: int,
    first_look: int,
    *,
    until_it_stalls: bool = False,
) -> Found:
    """Pass over K until the residual is ``goal`` times the largest eigenvalue.

    Parameters
    ----------
    problem, centred : Problem, Centred
    start : ndarray of shape (n, w)
    k : int
        How many pairs must converge.
    goal : float
    limit : int
        The largest number of passes.
    first_look : int
        Passes before convergence is looked for.
    until_it_stalls : bool
        Give up where rounding keeps a small residual from falling.
    """
    n, width = centred.n, start.shape[1]
    basis = Basis(centred, width)
    block = _orthonormal(start, None)
    count, look, before = 0, first_look, np.inf
    while True:
        count += 1
        check(problem.should_stop)
        basis.add(block, problem.should_stop)
        last = count == limit or basis.size >= n
        if count < look and not last and not basis.is_full:
            block = basis.next_block()
            if block.shape[1]:
                continue
        found, Y = basis.ritz(k)
        distance = found.worst / (goal * found.scale) if found.scale else 0.0
        problem.progress(f"Krylov pass {count}", _fraction(distance, goal))
        stalled = until_it_stalls and before / 2 < found.worst < 1e-4 * found.scale
        if distance <= 1 or last or stalled or not block.shape[1]:
            return found
        look = count + max(1, round(log(distance) / log(FASTEST)))
        before = found.worst
        block = basis.condense(found.values, Y) if basis.is_full else basis.next_block()
        if not block.shape[1]:
            return found


def _single_helps(problem: Problem, gram: Gram) -> bool:
    """Whether the passes can begin in float32.

    Not for a matrix that may be indefinite: its negative end is told by the smallest
    Ritz value, which only a whole iteration in float64 knows well.
    """
    return (
        gram.dtype == np.float64
        and gram.n >= SINGLE_FROM
        and gram.psd
        and gram.has_matrix()
        and problem.wanted >= SINGLE_REACHES
        and problem.max_iter is None
        and fits_single(gram.diagonal())
        and fits(4 * gram.n * gram.n)
    )


def _in_single(
    problem: Problem, centred: Centred, start: Array, k: int, first_look: int
) -> Array:
    """Return a block of vectors that float32 takes for the leading ones."""
    K = centred.gram.matrix()
    # Far-away pairs become so small in float32 that their products are subnormal, and
    # each of those takes as long as a hundred others. A number added to all entries
    # cures that; it is far too small to be seen beside the diagonal.
    least = 1e-18 * float(np.abs(centred.gram.diagonal()).max())
    single = np.empty(K.shape, dtype=np.float32)
    for rows in row_blocks(centred.n, 8 * centred.n):
        check(problem.should_stop)
        np.add(K[rows], least, out=single[rows], casting="same_kind")
    rough = Centred(MatrixGram(single, psd=True), centred.center, centred.row_means)
    found = _iterate(
        problem,
        rough,
        start.astype(np.float32),
        k,
        problem.wanted,
        limit=50,
        first_look=first_look,
        until_it_stalls=True,
    )
    return found.block.astype(np.float64)


class Basis:
    """Orthonormal Q (n, m) that grows by blocks, with ``W = K̃Q`` and ``T = QᵀW``."""

    def __init__(self, centred: Centred, width: int) -> None:
        self.centred = centred
        self.width = width
        self.capacity = min(centred.n, max(LARGEST_BASIS * width, 3 * width))
        shape, dtype = (centred.n, self.capacity), centred.gram.dtype
        # Column by column in memory: a block of columns is then contiguous.
        self._Q = np.empty(shape, dtype=dtype, order="F")
        self._W = np.empty(shape, dtype=dtype, order="F")
        self._T = np.empty((self.capacity, self.capacity))
        self._newest = slice(0, 0)
        self.size = 0

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another block."""
        return self.capacity < min(self.centred.n, self.size + self.width)

    def add(self, block: Array, should_stop: ShouldStop) -> None:
        """Append orthonormal columns; one pass over K."""
        start, stop = self.size, self.size + block.shape[1]
        image = self.centred.dot(block, should_stop)
        self._Q[:, start:stop] = block
        self._W[:, start:stop] = image
        part = self._Q[:, :stop].T @ image
        self._T[:stop, start:stop] = part
        self._T[start:stop, :stop] = part.T
        self._newest = slice(start, stop)
        self.size = stop

    def next_block(self) -> Array:
        """Orthonormal basis of what the image of the newest block adds to Q."""
        new = self._newest
        known = self._T[: self.size, new].astype(self._Q.dtype, copy=False)
        return self._beyond(self._W[:, new], known)

    def ritz(self, k: int) -> tuple[Found, Array]:
        """Ritz pairs with k residuals, and the coefficients of all Ritz vectors."""
        T = self._T[: self.size, : self.size]
        values, Y = np.linalg.eigh((T + T.T) / 2)
        values, Y = values[::-1], Y[:, ::-1]
        top = Y[:, : self.width].astype(self._Q.dtype)
        block = self._Q[:, : self.size] @ top
        vectors = block[:, :k]
        residual = self._W[:, : self.size] @ top[:, :k]
        residual -= vectors * values[:k].astype(self._Q.dtype)
        return Found(values, vectors, residual, block, _norm(residual)), Y

    def condense(self, values: Array, Y: Array) -> Array:
        """Keep the best Ritz vectors only; returns the block to go on with."""
        keep = Y[:, : 2 * self.width].astype(self._Q.dtype)
        m = keep.shape[1]
        self._Q[:, :m] = self._Q[:, : self.size] @ keep
        self._W[:, :m] = self._W[:, : self.size] @ keep
        self._T[:m, :m] = np.diag(values[:m])
        self.size = m
        w = self.width
        residual = self._W[:, :w] - self._Q[:, :w] * values[:w].astype(self._Q.dtype)
        return self._beyond(residual, None)

    def _beyond(self, V: Array, known: Array | None) -> Array:
        room = self.capacity - self.size
        return _orthonormal(V, self._Q[:, : self.size], known)[:, :room]


def _form_if_it_fits(gram: Gram, problem: Problem) -> None:
    """Keep K in memory where it fits; else every pass computes its rows again."""
    if not gram.has_matrix() and fits(gram.n * gram.n * gram.dtype.itemsize):
        gram.matrix(problem.should_stop, problem.progress)


def _start(problem: Problem, width: int, gram: Gram) -> tuple[Array, bool]:
    """Earlier eigenvectors, filled up with random columns, and if there are any."""
    rng = np.random.default_rng(problem.seed)
    V = rng.standard_normal((gram.n, width)).astype(gram.dtype)
    warm = problem.start.eigenvectors if problem.start is not None else None
    m = 0
    if warm is not None and warm.shape[0] == gram.n:
        # A low-rank result has zeros where an eigenvalue is rounding noise.
        warm = warm[:, np.linalg.norm(warm, axis=0) > 0.5]
        # Random columns stay in, in case a leading eigenvector is not among these.
        m = min(warm.shape[1], max(width - OVERSAMPLING // 2, 0))
        V[:, :m] = warm[:, :m]
    # The constant vector has the eigenvalue 0: the smallest of a definite matrix, which
    # nobody wants, but perhaps among the largest of another one.
    return center_rows(V) if problem.center and gram.psd else V, m > 0


def _orthonormal(V: Array, Q: Array | None, known: Array | None = None) -> Array:
    """Orthonormal basis of the part of V that is orthogonal to Q.

    ``known`` is ``QᵀV`` where somebody has it already.
    """
    # Twice is enough: the second round removes what rounding left behind. A column
    # that shrinks to nothing in the first, or much in the second, lies in Q: what is
    # left of it is rounding noise, and scaled up it would not be orthogonal to Q.
    for least in (50 * float(np.finfo(V.dtype).eps), 0.5):
        before = _norms(V)
        if Q is not None:
            V = V - Q @ (Q.T @ V if known is None else known)
            known = None
        norms = _norms(V)
        live = norms > least * before
        V = V[:, live] / norms[live]
        # By the small Gram matrix: only products of tall matrices, all in BLAS.
        wide = V.astype(np.float64, copy=False)
        values, U = np.linalg.eigh(wide.T @ wide)
        if values.min(initial=1.0) > max(least**2, 1e-6):
            V = V @ (U / np.sqrt(values)).astype(V.dtype)
        else:
            # Nearly parallel columns: the Gram matrix squares what tells them apart,
            # and with it the small eigenvalues would go.
            V, R = np.linalg.qr(V)
            V = V[:, np.abs(np.diagonal(R)) > max(least, 1e-14)]
    return V


def _norms(V: Array) -> Array:
    """Length of every column."""
    return np.sqrt(np.einsum("ij,ij->j", V, V))


def _norm(V: Array) -> float:
    """``‖V‖₂`` of a tall matrix."""
    wide = V.astype(np.float64, copy=False)
    return float(np.linalg.norm(wide.T @ wide, 2)) ** 0.5


def _fraction(distance: float, goal: float) -> float | None:
    """How many of the digits that are wanted are there."""
    if distance <= 0:
        return None
    return float(np.clip(1 + np.log10(distance) / np.log10(goal), 0, 1))
