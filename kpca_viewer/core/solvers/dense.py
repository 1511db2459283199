"""The dense solver: all eigenpairs, and how far they are from exact.

The residuals of hundreds of vectors, and the products of each with the others, would
take half of the time of the decomposition. Two dozen random vectors bound both. Let E
be ``K̃ − VΛVᵀ`` or ``VVᵀ − I``, and u its leading right singular vector. For Gaussian
vectors G that are drawn after V,

    ``‖EG‖ ≥ ‖E‖ ‖uᵀG‖``,

and ``‖uᵀG‖`` is below δ with the probability of `smallest_length` only, so that
``‖E‖ ≤ ‖EG‖ / δ`` (Halko, Martinsson and Tropp, 2011, lemma 4.1, for the norm of a
block in place of the longest column). Then every eigenvalue is within
``‖K̃ − VΛVᵀ‖ + |λ| ‖VᵀV − I‖`` of that with its index (Weyl; Ostrowski), and so is the
residual of every vector. Rounding of the products is as random as their factors: it
makes what is seen longer, not shorter.
"""

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import eigenpairs_by
from kpca_viewer.core.linalg.gram import FEW_ROWS
from kpca_viewer.core.solvers.centred_operator import Centred, finish
from kpca_viewer.core.solvers.krylov_basis import norm
from kpca_viewer.core.solvers.missed_eigenpairs import smallest_length
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.spectrum import MANY_COLUMNS
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import check

WIDTH = 24
"""Random vectors: with so many δ is 0.93, and a bound hardly more than the Frobenius
norm would be."""


def solve_dense(problem: Problem, reason: str) -> Decomposition:
    """Compute all eigenvalues and keep the k largest pairs."""
    problem.gram.matrix(problem.should_stop, problem.progress)
    centred, k = Centred.of(problem.gram, problem), min(problem.k, problem.gram.n)
    residual = errors = None
    if centred.n <= FEW_ROWS:
        # All at once: of so few rows, most of the time would go into calls.
        K = problem.gram.matrix().astype(np.float64)
        if problem.center:
            K -= centred.row_means[:, None]
            K -= centred.row_means - centred.row_means.mean()
        values, vectors = np.linalg.eigh(K)
        values, V = values[::-1], np.ascontiguousarray(vectors[:, : -k - 1 : -1])
        residual = K @ V - V * values[:k]
    else:
        problem.progress("all eigenvalues", None)
        values, vectors = eigenpairs_by(centred.n, centred.fill, problem.should_stop)
        if k > MANY_COLUMNS:
            errors = backward_errors(problem, centred, values, vectors)
        # A part is copied, so that the rest of them can go.
        V = np.ascontiguousarray(vectors[:, :k]) if k < centred.n else vectors
    return finish(
        problem,
        centred,
        values[:k],
        V,
        solver="dense",
        reason=reason,
        spectrum=values,
        residual=residual,
        complete=True,
        errors=errors,
    )


def backward_errors(
    problem: Problem, centred: Centred, values: Array, vectors: Array
) -> tuple[float, float]:
    """Bound ``‖K̃ − VΛVᵀ‖`` and ``‖VᵀV − I‖`` of all eigenpairs, by random vectors."""
    check(problem.should_stop)
    # In the order of LAPACK they lie in one piece.
    values, V = values[::-1], vectors[:, ::-1]
    seed = [problem.seed, len(V)]
    G = np.random.default_rng(seed).standard_normal((len(V), WIDTH))
    Y = V.T @ G
    image, same = np.hsplit(V @ np.hstack((values[:, None] * Y, Y)), 2)
    residual = centred.dot(G, problem.should_stop) - image
    least = smallest_length(WIDTH)
    return norm(residual) / least, norm(same - G) / least
