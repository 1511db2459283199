"""Randomly pivoted Cholesky: K ≈ FᵀF from a few hundred rows of K.

Pivots are sampled in proportion to the residual diagonal (Chen, Epperly, Tropp and
Webber, 2023), in blocks. ``K̂ ⪯ K``, so the trace of what is left, which is known
exactly, bounds the error of every eigenvalue. Cost O(n r²), memory O(n r); no n × n
matrix is ever formed.
"""

from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

from kpca_viewer.core.linalg.gram import fits_single
from kpca_viewer.core.orientation import (
    canonical,
    equal_groups,
    has_ties,
    oriented,
    towards,
)
from kpca_viewer.core.solvers.lowrank_factor import (
    Factor,
    largest_eigenvalue,
    slack,
)
from kpca_viewer.core.solvers.lowrank_pairs import (
    ROUGH_FROM,
    ROUGH_PER_PAIR,
    eigenpairs,
    first_residual,
    leading_eigenpairs,
    rough_eigenpairs,
)
from kpca_viewer.core.solvers.lowrank_result import (
    Eigenpairs,
    drawn,
    packed,
)
from kpca_viewer.core.solvers.problem import DEFAULT_TOL, Decomposition, Problem
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import check

if TYPE_CHECKING:
    from kpca_viewer.core.solvers.exact_pass import ExactPass

OVERSAMPLING = 3
"""Candidates drawn per pivot wanted; the best of them are taken."""

SMALLEST_BLOCK, LARGEST_BLOCK = 32, 96
"""Pivots at a time: few at first, when one tells much about the next."""

SETTLED = 0.01
"""The largest eigenvalue is known well enough when the residual is this part of it."""

MORE = 1.4
"""Times the rank from which leading pairs are found, beyond which that is quicker."""

TOLD_APART_UP_TO = 10_000
"""Rows up to which eigenvalues whose bounds overlap are worth an exact pass: it tells
apart what a dense solver does, so that both show the same picture."""


@dataclass(frozen=True, eq=False)
class GaveUp:
    """The spectrum is too flat for low rank; another solver should take over."""

    rank: int
    """How far it came."""
    residual: float
    """The share of the trace that was left."""
    eigenvectors: Array
    """Shape (n, m). Leading ones of what it has found: where another solver may
    start."""


def solve(
    problem: Problem,
    capacity: int,
    *,
    may_give_up: bool,
    shortcut: "ExactPass | None" = None,
    tie_break: "ExactPass | None" = None,
) -> Decomposition | GaveUp:
    """Decompose by low rank, or give up early where the spectrum is flat.

    Parameters
    ----------
    problem : Problem
        Its kernel must be positive semi-definite.
    capacity : int
        The largest rank that is tried.
    may_give_up : bool
        False goes on to ``capacity`` and reports the bound that was reached.
    shortcut : ExactPass, optional
        Offered once, where it pays.
    tie_break : ExactPass, optional
        Asked where bounds overlap: with a shortcut it is what is returned, else low
        rank is only turned as it is.
    """
    gram = problem.gram
    single = problem.preview or gram.dtype == np.float32
    single = single and fits_single(gram.diagonal())
    capacity = max(1, min(capacity, gram.n))
    factor = Factor(gram, capacity, np.float32 if single else np.float64)
    total = factor.left
    rng = np.random.default_rng(problem.seed)
    power = rng.standard_normal(capacity)
    history: list[tuple[int, float]] = [(0, total)]
    left = total
    target = nearer = largest = 0.0
    rounding = total * np.finfo(factor.F.dtype).eps * 4
    warm = _warm(problem, factor)
    passes_are_welcome = shortcut is not None
    first: tuple[int, float] | None = None

    while total > 0 and factor.rank < capacity:
        check(problem.should_stop)
        if len(warm):
            # Almost each of them was worth a pivot in a problem that was much the same.
            offered, warm = warm[:LARGEST_BLOCK], warm[LARGEST_BLOCK:]
            smallest = total * problem.wanted * 1e-3 / gram.n
            taken = factor.add(offered, len(offered), smallest)
        else:
            size = block_size(history, nearer)
            taken = factor.add(*choose_candidates(factor, size, left, nearer, rng))
        left = factor.left
        if left > SETTLED * largest:
            # K̂ only grows, so that an earlier value remains a lower bound.
            largest = largest_eigenvalue(factor, problem.center, power)
        target = nearer = max(problem.wanted * largest, rounding)
        if shortcut is not None:
            nearer = max(target, shortcut.residual(problem) * largest)
        problem.progress(
            f"{factor.rank} landmarks",
            _fraction(total, left, nearer, factor.rank, capacity),
        )
        if left <= target:
            break
        if taken:
            history.append((factor.rank, left))
            if first is None and left <= first_residual(problem) * largest:
                first = history[-1]
        elif not factor.residual.any():
            break
        if shortcut is not None and left <= nearer:
            needed = needed_rank(history, target)
            if shortcut.pays(problem, factor.rank, needed, capacity):
                found = shortcut.taken(problem, factor)
                if found is not None:
                    return found
            shortcut, nearer = None, target
        if may_give_up and is_hopeless(history, nearer, capacity):
            return _given_up(problem, factor, total)
    if may_give_up and total > 0 and left > target:
        return _given_up(problem, factor, total)
    solved = _decompose(problem, factor, total, first)
    few = gram.n <= TOLD_APART_UP_TO and problem.wanted <= DEFAULT_TOL
    if tie_break is None or not (few and has_ties(solved.eigenvalues, solved.bounds)):
        return solved
    exact = tie_break.taken(problem, factor)
    if exact is None or passes_are_welcome:
        return exact or solved
    return _turned(solved, exact)


def _turned(solved: Decomposition, exact: Decomposition) -> Decomposition:
    """Turn what low rank cannot tell apart as one exact pass does; the map is kept."""
    pair = exact.eigenvalues, exact.bounds
    reference = oriented(exact.eigenvectors, canonical(exact.eigenvectors, *pair))
    V, values = solved.eigenvectors, solved.eigenvalues
    groups = equal_groups(values, solved.bounds)
    R = towards(V, values, reference, groups=groups)
    return replace(solved.oriented(R), is_oriented=True)


def _warm(problem: Problem, factor: Factor) -> Array:
    """Pivots of an earlier, similar problem that may be of use in this one."""
    start = problem.start
    if start is None or start.landmarks is None:
        return np.empty(0, dtype=np.intp)
    landmarks = start.landmarks[start.landmarks < factor.gram.n]
    return landmarks[factor.residual[landmarks] > 0]


def block_size(history: list[tuple[int, float]], target: float) -> int:
    """How many pivots to take next: more as the rank grows, but not past the goal."""
    rank, left = history[-1]
    size = int(np.clip(rank // 2, SMALLEST_BLOCK, LARGEST_BLOCK))
    decay = _decay(history)
    if decay <= 0 or target <= 0 or left <= target:
        return size
    needed = 1.05 * log(left / target) / decay
    return int(np.clip(needed, SMALLEST_BLOCK // 4, size))


def choose_candidates(
    factor: Factor, size: int, left: float, target: float, rng: np.random.Generator
) -> tuple[Array, int, float]:
    """Rows to try next and the residual below which a row is not worth a pivot."""
    n = factor.gram.n
    index = np.unique(drawn(factor.residual, OVERSAMPLING * size, rng))
    if not index.size:
        # Rounding in the sums of tiny residuals; the largest is always worth a try.
        index = np.array([np.argmax(factor.residual)])
    # Far below the mean residual a row adds less than one that is drawn anew.
    return index, size, 0.3 * max(left, target) / n


def _decay(history: list[tuple[int, float]]) -> float:
    """By how much the logarithm of the residual has fallen per pivot of late."""
    if len(history) < 2:
        return 0.0
    (r0, left0), (r1, left1) = history[-2:]
    return log(left0 / left1) / max(r1 - r0, 1) if 0 < left1 < left0 else 0.0


def is_hopeless(history: list[tuple[int, float]], target: float, capacity: int) -> bool:
    """Whether the decay of the residual, carried on, ends beyond the capacity."""
    if len(history) < 3 or history[-1][1] <= 0 or target <= 0:
        return False
    # Far from the goal the decay of a smooth kernel still speeds up.
    generous = 1.7 if history[-1][0] < capacity / 4 else 1.0
    return needed_rank(history, target) > generous * capacity


def needed_rank(history: list[tuple[int, float]], target: float) -> float:
    """Return the rank at which the residual, falling as of late, is the target."""
    rank, left = history[-1]
    decay = _decay(history)
    return rank + log(left / target) / decay if decay > 0 else inf


def _fraction(
    total: float, left: float, target: float, rank: int, capacity: int
) -> float:
    """How much of the way (in orders of magnitude of the residual) is done."""
    if left <= target or target <= 0:
        return 1.0
    return max(log(total / left) / log(total / target), rank / capacity)


def _given_up(problem: Problem, factor: Factor, total: float) -> GaveUp:
    found = eigenpairs(problem, factor, min(2 * problem.k + 8, factor.rank // 2))
    return GaveUp(factor.rank, factor.left / total, found.vectors)


def _decompose(
    problem: Problem,
    factor: Factor,
    total: float,
    first: tuple[int, float] | None,
) -> Decomposition:
    """Pack the k leading eigenpairs of ``H K̂ H`` with their bounds."""
    every = problem.all_values or factor.F.dtype == np.float32
    found = None
    if problem.preview and factor.rank >= max(ROUGH_FROM, ROUGH_PER_PAIR * problem.k):
        found = rough_eigenpairs(problem, factor)
    elif first is not None and factor.rank >= MORE * first[0] and not every:
        found = leading_eigenpairs(problem, factor, first)
    if found is not None:
        solved = _packed(problem, factor, total, found)
        if solved.error <= problem.wanted:
            return solved
    return _packed(problem, factor, total, eigenpairs(problem, factor, problem.k))


def _packed(
    problem: Problem, factor: Factor, total: float, found: Eigenpairs
) -> Decomposition:
    pivots = factor.pivots[: factor.rank].copy()
    return packed(
        problem,
        found,
        landmarks=pivots,
        corner=np.triu(factor.F[: factor.rank, pivots].astype(np.float64)),
        total=total,
        trace_left=factor.left,
        norm_left=factor.left,
        rounding=slack(factor),
    )
