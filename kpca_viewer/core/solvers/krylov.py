"""Block Krylov iteration with implicit centring and warm start.

The basis Q and its image ``W = K̃Q`` are both kept, so that Rayleigh–Ritz values and
their true residuals cost no further pass over K. A block holds the wanted vectors and
a few random ones: an eigenvector that the warm start lacks is still found.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.gram import Gram, center_rows
from kpca_viewer.core.memory import fits
from kpca_viewer.core.progress import ShouldStop, check
from kpca_viewer.core.solvers.exact import Centred, finish
from kpca_viewer.core.solvers.problem import Decomposition, Problem

Array = NDArray[Any]

OVERSAMPLING = 6
"""Vectors in the block beyond the wanted ones; they speed up the slowest pair."""

FIRST_LOOK = 4
"""Passes before convergence is looked for."""

LARGEST_BASIS = 16
"""Blocks in the basis before it is condensed to its best Ritz vectors."""


def solve(problem: Problem, reason: str) -> Decomposition:
    """Find the leading eigenpairs to the wanted residual, by passes over K."""
    gram = problem.gram.single() if problem.preview else problem.gram
    _form_if_it_fits(gram, problem)
    centred = Centred.of(gram, problem)
    k = min(problem.k, gram.n)
    width = min(gram.n, k + max(OVERSAMPLING, k // 4))
    limit = problem.max_iter or 200

    basis = Basis(centred, width)
    block = _orthonormal(_start(problem, width, gram), None)
    floor = gram.n * np.finfo(gram.dtype).eps * 0.1
    count = 0
    while True:
        count += 1
        check(problem.should_stop)
        image = basis.add(block, problem.should_stop)
        last = count == limit or basis.size >= gram.n
        if count < FIRST_LOOK and not last:
            block = basis.orthonormal(image)
            if block.shape[1]:
                continue
        values, Y, vectors, residual = basis.ritz(k)
        worst = float(np.linalg.norm(residual, 2))
        scale = float(np.abs(values).max(initial=0.0))
        problem.progress(
            f"Krylov pass {count}", _fraction(worst, scale, problem.wanted)
        )
        # A little less than is wanted leaves room for rounding in the bound.
        trusted = max(0.9 * problem.wanted, floor) * scale
        converged = worst <= trusted
        if converged or last:
            break
        if basis.capacity < min(gram.n, basis.size + width):
            image = basis.condense(values, Y)
        block = basis.orthonormal(image)
        if block.shape[1] == 0:
            break
    return finish(
        problem,
        centred,
        values[:k],
        vectors,
        solver="krylov",
        reason=reason,
        spectrum=values[:k],
        residual=residual,
        smallest=float(values[-1]),
        trusted=trusted if converged else None,
    )


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
        self.size = 0

    def add(self, block: Array, should_stop: ShouldStop) -> Array:
        """Append orthonormal columns; one pass over K. Returns their image."""
        start, stop = self.size, self.size + block.shape[1]
        image = self.centred.dot(block, should_stop)
        self._Q[:, start:stop] = block
        self._W[:, start:stop] = image
        part = self._Q[:, :stop].T @ image
        self._T[:stop, start:stop] = part
        self._T[start:stop, :stop] = part.T
        self.size = stop
        return image

    def orthonormal(self, V: Array) -> Array:
        """Orthonormal basis of what V adds to Q."""
        room = self.capacity - self.size
        return _orthonormal(V, self._Q[:, : self.size])[:, :room]

    def ritz(self, k: int) -> tuple[Array, Array, Array, Array]:
        """All Ritz values (descending), their coefficients, k vectors and residuals."""
        T = self._T[: self.size, : self.size]
        values, Y = np.linalg.eigh((T + T.T) / 2)
        values, Y = values[::-1], Y[:, ::-1]
        top = Y[:, :k].astype(self._Q.dtype)
        vectors = self._Q[:, : self.size] @ top
        residual = self._W[:, : self.size] @ top - vectors * values[:k]
        return values, Y, vectors, residual

    def condense(self, values: Array, Y: Array) -> Array:
        """Keep the best Ritz vectors only; returns the block to go on with."""
        keep = Y[:, : 2 * self.width].astype(self._Q.dtype)
        m = keep.shape[1]
        self._Q[:, :m] = self._Q[:, : self.size] @ keep
        self._W[:, :m] = self._W[:, : self.size] @ keep
        self._T[:m, :m] = np.diag(values[:m])
        self.size = m
        w = self.width
        return self._W[:, :w] - self._Q[:, :w] * values[:w].astype(self._Q.dtype)


def _form_if_it_fits(gram: Gram, problem: Problem) -> None:
    """Keep K in memory where it fits; else every pass computes its rows again."""
    if not gram.has_matrix() and fits(gram.n * gram.n * gram.dtype.itemsize):
        gram.matrix(problem.should_stop, problem.progress)


def _start(problem: Problem, width: int, gram: Gram) -> Array:
    """Earlier eigenvectors, filled up with random columns."""
    rng = np.random.default_rng(problem.seed)
    V = rng.standard_normal((gram.n, width)).astype(gram.dtype)
    warm = problem.start.eigenvectors if problem.start is not None else None
    if warm is not None and warm.shape[0] == gram.n:
        # A low-rank result has zeros where an eigenvalue is rounding noise.
        warm = warm[:, np.linalg.norm(warm, axis=0) > 0.5]
        # Random columns stay in, in case a leading eigenvector is not among these.
        m = min(warm.shape[1], max(width - OVERSAMPLING // 2, 0))
        V[:, :m] = warm[:, :m]
    # The constant vector has the eigenvalue 0: the smallest of a definite matrix, which
    # nobody wants, but perhaps among the largest of another one.
    return center_rows(V) if problem.center and gram.psd else V


def _orthonormal(V: Array, Q: Array | None) -> Array:
    """Orthonormal basis of the part of V that is orthogonal to Q."""
    # Twice is enough: the second round removes what rounding left behind. A column
    # that shrinks to nothing in the first, or much in the second, lies in Q: what is
    # left of it is rounding noise, and scaled up it would not be orthogonal to Q.
    for least in (50 * float(np.finfo(V.dtype).eps), 0.5):
        before = np.linalg.norm(V, axis=0)
        if Q is not None:
            V = V - Q @ (Q.T @ V)
        norms = np.linalg.norm(V, axis=0)
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


def _fraction(worst: float, scale: float, tol: float) -> float | None:
    if scale == 0 or worst <= 0:
        return None
    return float(np.clip(np.log10(worst / scale) / np.log10(tol), 0, 1))
