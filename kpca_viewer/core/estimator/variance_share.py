"""As many components as reach a share of the variance, and proof that they do."""

from dataclasses import replace

import numpy as np

from kpca_viewer.core import spectrum
from kpca_viewer.core.orientation import SPARE
from kpca_viewer.core.solvers import Decomposition, Problem, choose, solve
from kpca_viewer.core.solvers.choice import FULL_PRECISION_BELOW, SOLVERS
from kpca_viewer.support.errors import KernelError, SolverError

FIRST = 16
"""Components to begin with, where each of them costs time."""


def solve_for_share(problem: Problem, solver: str, share: float) -> Decomposition:
    """Find the fewest components that are proven to hold a share of the variance.

    The variance is ``tr K̃``, which every solver knows, and Σ|μ| where the kernel may be
    indefinite, which takes all eigenvalues. Of an eigenvalue the lower end of its bound
    counts, so that no share is claimed that is not there.

    Parameters
    ----------
    problem : Problem
        Its ``k`` is not used.
    share : float
        Between 0 and 1.

    Raises
    ------
    KernelError
        If the positive part of an indefinite kernel does not hold so much.
    SolverError
        If the rank that fits into memory does not.
    """
    n = problem.gram.n
    if problem.tol > 0 or n >= FULL_PRECISION_BELOW:
        # What a solver leaves open has to be less than what may be left out.
        problem = replace(problem, tol=min(problem.wanted, (1 - share) / 10))
    problem = replace(problem, k=min(n, FIRST))
    few = n < 2 * FIRST or not problem.gram.psd
    automatic = solver == "auto" and choose(problem)[0] == "dense"
    if automatic or (solver in SOLVERS and few):
        solver = "dense"
    while True:
        if solver == "dense":
            problem = replace(problem, k=n)
        found = solve(problem, solver)
        count = proven(found, share)
        if count is not None and min(count + SPARE, n) <= problem.k:
            return found.leading(count)
        if count is None and found.complete:
            raise _too_little_is_positive(found, share)
        problem, solver = _larger(problem, solver, found, share)


def proven(found: Decomposition, share: float) -> int | None:
    """How many components hold a share for certain; None if not all of them do."""
    total = _total(found)
    if total <= 0:
        return 1
    lower = found.eigenvalues if found.complete else found.bounds[:, 0]
    ratios = np.maximum(lower, 0) / total
    count = spectrum.components_for(share, ratios)
    if count is None and found.complete and found.psd:
        # All of them hold everything; rounding must not say otherwise.
        return len(ratios)
    return count


def _total(found: Decomposition) -> float:
    return float(np.abs(found.spectrum).sum()) if found.complete else found.trace


def _larger(
    problem: Problem, solver: str, found: Decomposition, share: float
) -> tuple[Problem, str]:
    """Return what to try next: as many as are said to suffice, or twice as many."""
    ratios = np.maximum(found.spectrum, 0) / _total(found)
    count = spectrum.components_for(share, ratios)
    if count is None and solver == "lowrank":
        raise SolverError(
            f"The low-rank solver accounts for {ratios.sum():.4%} of the variance, not "
            f"for {share:.4%}; choose a smaller share or another solver."
        )
    if count is None and found.landmark_map is not None:
        return problem, "dense"
    # A few to spare: where a tied pair is cut in two, one depends on the other.
    k = 2 * problem.k if count is None else max(count + SPARE, problem.k + 1)
    start = found.warm_start
    if 2 * k > problem.gram.n:
        return replace(problem, start=None), "dense"
    return replace(problem, k=k, start=start), solver


def _too_little_is_positive(found: Decomposition, share: float) -> KernelError:
    positive = float(np.maximum(found.spectrum, 0).sum()) / _total(found)
    return KernelError(
        f"The kernel is indefinite: its positive eigenvalues hold {positive:.1%} of "
        f"the variance, so that no number of components reaches {share:.1%}; choose a "
        "smaller share, or a number of components."
    )
