"""The leading eigenpairs of a few hundred rows to all digits, without all the others.

They come from LAPACK for the fewest rows, from ARPACK for more. What that may have
missed, a copy of an eigenvalue perhaps, is bounded by what the pairs leave of the trace
and of ``‖K̃‖²_F``; where that is too much, by a Cholesky factor: where ``σ − R`` has
one, R has no eigenvalue above σ. For so few rows that costs less than a look by random
vectors.
"""

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import (
    lanczos_pairs,
    pairs_by_tridiagonal,
    pairs_in_range,
)
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers.centred_operator import (
    SMALLEST_SIZE,
    Centred,
    finish,
)
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.spectrum import factor, largest_rest, raised
from kpca_viewer.support.arrays import Array

EPS = float(np.finfo(np.float64).eps)

LEAST_ROWS, ROWS_PER_PAIR = 60, 5
"""Rows from which it takes less time than all eigenpairs, and more for each wanted."""

SPARE = 3
"""Pairs beyond those that are wanted: they tell what follows."""

DIRECT_UP_TO = 220
"""Rows up to which a tridiagonal matrix takes less time than Lanczos."""

NEGLIGIBLE = 1e-9
"""Rounding of K, relative to the largest eigenvalue, that counts as nothing."""


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
    pairs, solver = None, "dense"
    if isinstance(problem.gram, PointsGram) and problem.gram.largest_rank <= k:
        pairs = pairs_in_range(A, k)
    elif len(A) <= DIRECT_UP_TO:
        pairs = pairs_by_tridiagonal(A, k + 1)
    if pairs is None:
        pairs = lanczos_pairs(A, k + SPARE, should_stop=problem.should_stop)
        solver = "krylov"
    values, V = pairs
    if not values[0] > 0:
        return None
    residual = A @ V - V * values
    rest = _rest(A, centred, values, V, residual, k)
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


def _rest(
    A: Array,
    centred: Centred,
    values: Array,
    V: Array,
    residual: Array,
    k: int,
) -> float | None:
    """Bound what A holds beside the first k Ritz vectors; None if that is too much."""
    n, wanted = len(A), float(values[k - 1])
    # Of a rank below k, nothing but rounding is left.
    nothing = 4 * centred.rounding
    limit = max(wanted, nothing if nothing <= NEGLIGIBLE * float(values[0]) else 0.0)
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
