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
from kpca_viewer.core.progress import check
from kpca_viewer.core.solvers.exact import Centred, finish
from kpca_viewer.core.solvers.problem import Decomposition, Problem

Array = NDArray[Any]

OVERSAMPLING = 6
"""Vectors in the block beyond the wanted ones; they speed up the slowest pair."""

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

    Q = _orthonormal(_start(problem, width, gram), None)
    W = np.empty((gram.n, 0), dtype=Q.dtype)
    block = Q
    for count in range(1, limit + 1):
        check(problem.should_stop)
        image = centred.dot(block, problem.should_stop)
        W = np.hstack((W, image))
        values, Y = _ritz(Q, W)
        top = Y[:, :k]
        vectors = Q @ top
        residual = W @ top - vectors * values[:k]
        worst = float(np.linalg.norm(residual, 2))
        scale = float(np.abs(values).max(initial=0.0))
        problem.progress(f"Krylov pass {count}", _fraction(worst, scale, problem.wanted))
        floor = gram.n * np.finfo(Q.dtype).eps * 0.1
        if worst <= max(problem.wanted, floor) * scale or Q.shape[1] >= gram.n:
            break
        if Q.shape[1] + width > min(gram.n, LARGEST_BASIS * width):
            # Condense: the best Ritz vectors carry what was learnt.
            keep = Y[:, : 2 * width]
            Q, W = Q @ keep, W @ keep
            image = W[:, :width] - Q[:, :width] * values[:width]
        block = _orthonormal(image, Q)
        if block.shape[1] == 0:
            break
        Q = np.hstack((Q, block))
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
    )


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
        # Random columns stay in, in case a leading eigenvector is not among these.
        m = min(warm.shape[1], width - OVERSAMPLING // 2)
        V[:, :m] = warm[:, :m]
    return center_rows(V) if problem.center else V


def _orthonormal(V: Array, Q: Array | None) -> Array:
    """Orthonormal basis of the part of V that is orthogonal to Q."""
    if Q is not None:
        # Twice is enough: the second pass removes what rounding left behind.
        V = V - Q @ (Q.T @ V)
        V -= Q @ (Q.T @ V)
    norms = np.linalg.norm(V, axis=0)
    V = V[:, norms > 0] / norms[norms > 0]
    if V.shape[1] == 0:
        return V
    U, R = np.linalg.qr(V)
    size = np.abs(np.diagonal(R))
    # Directions that depend on the others are rounding noise, not information.
    U = U[:, size > 100 * np.finfo(V.dtype).eps * V.shape[1]]
    if Q is not None and U.shape[1]:
        U -= Q @ (Q.T @ U)
        U, _ = np.linalg.qr(U)
    return U


def _ritz(Q: Array, W: Array) -> tuple[Array, Array]:
    """Ritz values (descending) and coefficients from the basis and its image."""
    T = Q.T @ W
    values, Y = np.linalg.eigh((T + T.T) / 2)
    return values[::-1], Y[:, ::-1]


def _fraction(worst: float, scale: float, tol: float) -> float | None:
    if scale == 0 or worst <= 0:
        return None
    return float(np.clip(np.log10(worst / scale) / np.log10(tol), 0, 1))
