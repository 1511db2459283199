"""The leading eigenpairs of a few hundred rows to all digits, without all the others.

Of the fewest rows, by a tridiagonal matrix that is similar to K̃. Of more, by subspace
iteration with Chebyshev polynomials: with b the smallest Ritz value of a block
of vectors, ``T_q(2K̃/b − 1)`` keeps what lies below b at 1 and lets what lies above grow
the faster the higher it is. A round ends with Rayleigh–Ritz, which says how many
products the next one needs; for most spectra that is one round.

What is beyond the k-th is bounded by the value that follows it in the tridiagonal
matrix T. With ``c = 10``, n − 2 reflections from both sides give the T of a matrix that
is ``2n · cnu ‖K̃‖_F`` away (Higham, 2002, lemma 19.3: each adds ``cnu`` of its norm, c
a small constant), and its values are off by a few nu: ``10n² ε ‖K̃‖_F`` holds for both.
Beside vectors with the residual block E no more than ``‖E‖`` is added to that.
What a block may have missed is bounded by what it leaves of the trace and of
``‖K̃‖²_F``; where that is too much, by a Cholesky factor: where ``σ − R`` has one, R has
no eigenvalue above σ. For so few rows that costs less than a look by random vectors.
"""

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import LAPACK_BLOCK, pairs_by_tridiagonal
from kpca_viewer.core.linalg.gram import FEW_ROWS
from kpca_viewer.core.solvers.centred_operator import (
    SMALLEST_SIZE,
    Centred,
    finish,
)
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.spectrum import factor, largest_rest, raised
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import check

EPS = float(np.finfo(np.float64).eps)

LEAST_ROWS, ROWS_PER_PAIR = 60, 5
"""Rows from which it takes less time than all eigenpairs, and more for each wanted."""

SPARE_COLUMNS = 8
"""Of the block, beyond those that are wanted."""

ENOUGH = 2e-13
"""Residual, relative to the largest eigenvalue, at which the pairs are taken."""

GOAL = 1e-14
"""And the one that a round aims at: about what rounding leaves."""

MOST_RANGE = 1e14
"""By how much a round may amplify the first vector more than the last that is wanted;
beyond, rounding of the first drowns it."""

MOST_ROUNDS = 4

DIRECT_UP_TO = 220
"""Rows up to which the tridiagonal matrix takes less time than a block."""

NEGLIGIBLE = 1e-9
"""Rounding of K, relative to the largest eigenvalue, that counts as nothing."""

MOST_PRODUCTS = 4
"""Columns that are multiplied, per row, until all eigenvalues take no longer."""


def solve(problem: Problem, reason: str) -> Decomposition | None:
    """Find and certify the leading pairs; None where all of them are found sooner.

    The matrix is definite.
    """
    k, size = problem.k, float(np.abs(problem.gram.diagonal()).max())
    if not SMALLEST_SIZE <= size <= 1 / SMALLEST_SIZE:
        return None
    K = problem.gram.matrix(problem.should_stop, problem.progress)
    centred = Centred.of(problem.gram, problem)
    A = K.astype(np.float64, copy=False)
    if problem.center:
        means = centred.row_means
        A = A - means
        A -= (means - means.mean())[:, None]
    known, solver = np.inf, "krylov"
    found = None if len(A) <= DIRECT_UP_TO else _leading(A, problem)
    if found is None and len(A) <= FEW_ROWS:
        found, solver = _direct(A, k), "dense"
    if found is None:
        return None
    values, V, residual = found
    if solver == "dense":
        reach = float(np.sqrt(centred.squares() + centred.squares_slack()))
        known = float(values[k]) + 10 * len(A) ** 2 * EPS * reach
        known += float(np.linalg.norm(residual[:, :k]))
    rest = _rest(A, centred, values, V, residual, k, known)
    if rest is None:
        return None
    return finish(
        problem,
        centred,
        values[:k],
        np.ascontiguousarray(V[:, :k]),
        solver=solver,
        reason=reason,
        spectrum=values[:k],
        residual=residual[:, :k],
        rest=rest,
    )


def _direct(A: Array, k: int) -> tuple[Array, Array, Array] | None:
    """Return k + 1 eigenvalues, vectors (n, k + 1) and their residuals."""
    pairs = pairs_by_tridiagonal(A, k + 1)
    if pairs is None or not pairs[0][0] > 0:
        return None
    values, V = pairs
    return values, V, A @ V - V * values


def _leading(A: Array, problem: Problem) -> tuple[Array, Array, Array] | None:
    """Return Ritz values (w,), vectors (n, w) and residuals (n, w) of a block."""
    n, k = len(A), problem.k
    width = k + max(SPARE_COLUMNS, k // 4)
    V = A @ (A @ np.random.default_rng(problem.seed).standard_normal((n, width)))
    left = MOST_PRODUCTS * n / width - 2
    for _ in range(MOST_ROUNDS):
        check(problem.should_stop)
        Q = _orthonormal(V)
        W = A @ Q
        T = Q.T @ W
        values, Y = np.linalg.eigh(T)
        values, Y = values[::-1], Y[:, ::-1]
        V, residual = Q @ Y, W @ Y
        residual -= V * values
        lengths = np.sqrt(np.einsum("ij,ij->j", residual[:, :k], residual[:, :k]))
        if not values[0] > 0:
            return None
        worst = float(lengths.max() / values[0])
        if worst <= ENOUGH:
            return values, V, residual
        if not values[k - 1] > 0:
            return None
        edge = max(float(values[-1]), 1e-14 * float(values[0]))
        growth, first = _growth(values[k - 1] / edge), _growth(values[0] / edge)
        if growth <= 1:
            return None
        wanted = int(np.ceil(np.log(worst / GOAL) / np.log(growth)))
        if wanted > left:
            return None
        if first > growth:
            most = int(np.log(MOST_RANGE) / np.log(first / growth))
            wanted = max(1, min(wanted, most))
        left -= wanted + 1
        V = _filtered(A, V, edge, wanted)
    return None


def _orthonormal(V: Array) -> Array:
    """Return Q of ``V = QR``: by numpy, half the time goes into what is not asked."""
    from scipy.linalg.lapack import dgeqrf, dorgqr

    work = LAPACK_BLOCK * V.shape[1]
    reflections, scales, _, _ = dgeqrf(V, lwork=work)
    return np.ascontiguousarray(dorgqr(reflections, scales, lwork=work)[0])


def _growth(ratio: float) -> float:
    """By how much one more degree amplifies a vector whose eigenvalue is so many b."""
    x = 2 * float(ratio) - 1
    return x + np.sqrt(max(x * x - 1, 0.0))


def _filtered(A: Array, V: Array, edge: float, degree: int) -> Array:
    """``T_q(2A/b − 1) V``, in columns of length one."""
    before, now = V, A @ V
    now *= 2 / edge
    now -= V
    for _ in range(degree - 1):
        following = A @ now
        following *= 4 / edge
        following -= 2 * now
        following -= before
        before, now = now, following
    now /= np.sqrt(np.einsum("ij,ij->j", now, now))
    return now


def _rest(
    A: Array,
    centred: Centred,
    values: Array,
    V: Array,
    residual: Array,
    k: int,
    known: float,
) -> float | None:
    """Bound what A holds beside the first k Ritz vectors; None if that is too much."""
    n, wanted = len(A), float(values[k - 1])
    # Of a rank below k, nothing but rounding is left.
    nothing = 4 * centred.rounding
    limit = max(wanted, nothing if nothing <= NEGLIGIBLE * float(values[0]) else 0.0)
    if known < limit:
        return known
    budget = largest_rest(
        values,
        residual,
        trace=centred.trace + centred.rounding,
        squares=centred.squares(),
        psd=True,
        slack=centred.squares_slack(),
    )
    if budget < limit:
        # What is split off beyond the k-th is put back with its residual.
        rest = raised(values[k:], factor(residual[:, k:]), budget)[0]
        if rest < limit:
            return float(rest)
    following = float(values[k])
    shift = following + (wanted - following) / 2
    S = (V[:, :k] * values[:k]) @ V[:, :k].T
    S -= A
    # Products of k terms, and what Cholesky may have turned into a definite matrix:
    # (n + 1)u tr(σ − R) at most.
    noise = 4 * k * EPS * float(values[0]) + 2 * (n + 1) * EPS * n * shift
    S.flat[:: n + 1] += shift
    try:
        np.linalg.cholesky(S)
    except np.linalg.LinAlgError:
        return None
    return shift + noise
