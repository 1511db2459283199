"""Solvers for which all of K is in memory: all eigenpairs, and two iterative methods.

The iterative ones are those of scikit-learn, on the implicit operator.
"""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.linalg.eigenpairs import continued_by, eigenpairs_by
from kpca_viewer.core.solvers import krylov
from kpca_viewer.core.solvers.centred_operator import Centred, finish
from kpca_viewer.core.solvers.negative_mass import negative_sum
from kpca_viewer.core.solvers.problem import Decomposition, Problem, WarmStart
from kpca_viewer.support.errors import SolverError
from kpca_viewer.support.progress import check

Array = NDArray[Any]


def solve(problem: Problem, reason: str) -> Decomposition:
    """Compute all eigenvalues and keep the k largest pairs."""
    problem.gram.matrix(problem.should_stop, problem.progress)
    centred = Centred.of(problem.gram, problem)
    problem.progress("all eigenvalues", None)
    values, vectors = eigenpairs_by(centred.n, centred.fill, problem.should_stop)
    k = min(problem.k, len(values))
    return finish(
        problem,
        centred,
        values[:k],
        np.ascontiguousarray(vectors[:, :k]),
        solver="dense",
        reason=reason,
        spectrum=values,
        complete=True,
    )


FULL_PRECISION = 1e-12
"""What arpack is asked for, relative to the largest eigenvalue, by ``tol = 0``."""


def solve_arpack(problem: Problem, reason: str) -> Decomposition:
    """Implicitly restarted Lanczos; to machine precision unless ``tol`` says less.

    Lanczos starts from one vector and so may miss copies of an eigenvalue that occurs
    more than once. A few block passes from its result find them; where nothing is
    missing they end at once.
    """
    from scipy.sparse.linalg import (
        ArpackError,
        ArpackNoConvergence,
        LinearOperator,
        eigsh,
    )

    gram, k = problem.gram, problem.k
    if k >= gram.n:
        raise SolverError(
            f"The arpack solver finds fewer than n = {gram.n} components, but {k} are "
            "wanted; choose the dense solver."
        )
    gram.matrix(problem.should_stop, problem.progress)
    centred = Centred.of(gram, problem)
    problem.progress("eigenvalues", None)

    def matvec(v: Array) -> Array:
        # An exception in here ends the iteration at once.
        check(problem.should_stop)
        return centred.dot(np.asarray(v).reshape(-1, 1))[:, 0]

    operator = LinearOperator((gram.n, gram.n), matvec=matvec, dtype=gram.dtype)
    rng = np.random.default_rng(problem.seed)
    v0 = rng.uniform(-1, 1, gram.n).astype(gram.dtype)
    try:
        _, vectors = eigsh(
            operator,
            k,
            which="LA",
            tol=problem.tol,
            maxiter=problem.max_iter,
            v0=v0,
            **continued_by(rng),
        )
    except ArpackNoConvergence as error:
        if problem.max_iter is not None:
            raise SolverError(
                f"The arpack solver found {len(error.eigenvalues)} of {k} components "
                "within max_iter; allow more iterations, a larger tol or another "
                "solver."
            ) from error
        vectors = error.eigenvectors
    except ArpackError:
        # A matrix of rounding noise leaves Lanczos without a direction.
        vectors = None
    rest = replace(
        problem,
        tol=problem.tol or FULL_PRECISION,
        start=None if vectors is None else WarmStart(vectors[:, ::-1]),
        preview=False,
        max_iter=None,
    )
    return replace(krylov.solve(rest, reason), solver="arpack")


def solve_randomized(problem: Problem, reason: str) -> Decomposition:
    """Randomized subspace iteration (Halko, Martinsson and Tropp, 2011)."""
    gram = problem.gram
    gram.matrix(problem.should_stop, problem.progress)
    centred = Centred.of(gram, problem)
    k = min(problem.k, gram.n)
    width = min(gram.n, k + 10)
    passes = problem.power
    if passes is None:
        # scikit-learn's rule: few components need more passes to separate.
        passes = 7 if k < 0.1 * gram.n else 4
    rng = np.random.default_rng(problem.seed)
    Q = rng.standard_normal((gram.n, width)).astype(gram.dtype)
    for step in range(passes + 1):
        problem.progress(f"eigenvalues, pass {step + 1}", step / (passes + 1))
        Q, _ = np.linalg.qr(centred.dot(Q, problem.should_stop))
    W = centred.dot(Q, problem.should_stop)
    T = Q.T @ W
    values, Y = np.linalg.eigh((T + T.T) / 2)
    values, Y = values[::-1], Y[:, ::-1]
    vectors = Q @ Y[:, :k]
    residual = W @ Y[:, :k] - vectors * values[:k]
    error = np.linalg.norm(residual, 2) / (np.abs(values).max(initial=0.0) or 1.0)
    if error > 0.01 and problem.power is None:
        # The same words each time: who draws a hundred pictures is told once.
        warnings.warn(
            "The randomized solver reached an error of more than 1 %; raise "
            "iterated_power or choose eigen_solver='krylov'.",
            stacklevel=2,
        )
    solved = finish(
        problem,
        centred,
        values[:k],
        vectors,
        solver="randomized",
        reason=reason,
        spectrum=values[:k],
        residual=residual,
        smallest=float(values[-1]),
    )
    if solved.psd:
        return solved
    # These vectors have a large residual; nothing is split off.
    nothing = vectors[:, :0]
    negative = negative_sum(problem, centred, values[:0], nothing, nothing)
    return negative.put_into(solved, centred.rounding)
