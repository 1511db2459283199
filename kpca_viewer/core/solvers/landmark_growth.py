"""How many landmarks there are to be, and how many rows certify what they leave.

A sample of the rows promises what a pass over all of them will show; landmarks are
added until that is enough, or until more rows that certify are the cheaper way.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf, log

import numpy as np

from kpca_viewer.core.solvers.landmarks import HELD_OUT, ROWS, LandmarkSample
from kpca_viewer.core.solvers.lowrank import is_hopeless
from kpca_viewer.core.solvers.problem import FAILURE, QUICK_RANK, Problem
from kpca_viewer.core.solvers.row_sums import MOST_CERTIFYING
from kpca_viewer.support.progress import check

Ranks = tuple[int, ...]

FIRST_RANK = 8
"""Landmarks after which the sample is looked at for the first time."""

DRAFT_RANKS = 96, 384
"""Of what is published before the end: a first picture, and one that is near it."""

AIM = 0.9
"""Of the tolerance, what the sample must promise."""

FORESIGHT = 0.9
"""Of a norm as it is foreseen, what mostly comes: 0.6 to 0.9 for tables with heavy
tails of 20,000 and of 140,000 rows, 300 to 1,000 landmarks, 3,000 to 10,000 drawn; 0.86
to 0.95, and once 1.2, for 200,000 rows of ten normal columns."""

LEAST_CERTIFYING = 1000
"""Rows from which the norm of what is left is told, at least."""

CERTIFYING_STEPS = 0.25, 0.5, 1.0, 1.4, 2.0, 2.8, 4.0
"""How many times the usual number of them there may be."""

SOON = 256
"""Landmarks up to which their trace proves the goal sooner than rows drawn tell it."""

FEW = 64
"""Rows for each landmark, at least, where that is so: of fewer all may be drawn."""

# Nanoseconds on one core of a server of 2024. Only their ratios matter.
PER_STEP = 0.085
"""To find landmarks: rank² for every row of the sample."""
PER_ENTRY = 1.5
"""To compute an entry of K."""
PER_PRODUCT = 0.05
"""To multiply and add, for each landmark beside another."""
PER_PAIR = 7.5
"""For two rows of a certificate: their entry, and passes that find the norm."""


def grow_landmarks(
    problem: Problem,
    sample: LandmarkSample,
    goal: float,
    n: int,
    look: Callable[[LandmarkSample, int], None],
    stops: Ranks = (),
    *,
    may_give_up: bool = False,
) -> int | None:
    """Add landmarks until the sample promises the goal.

    Parameters
    ----------
    goal : float
        Wanted bound on every eigenvalue, relative to the largest.
    n : int
        Rows of which the sample is one.
    look : callable
        Is shown the sample as it grows, with the usual number of rows that certify it.
    stops : tuple of int
        Ranks at which it is to be shown in any case.

    Returns
    -------
    int or None
        How many rows will certify it, 0 where the trace does, and no row has to be
        drawn; None if the goal will never be reached.
    """
    promises: list[tuple[int, float]] = []
    traces = [(0, sample.total)]
    enough: int | None = None
    while not sample.is_full:
        check(problem.should_stop)
        following = _following(sample.rank, promises)
        # From the last of these on, rows that certify may make up for landmarks.
        marks = (*stops, DRAFT_RANKS[0], QUICK_RANK)
        later = [rank for rank in marks if rank > sample.rank]
        target = AIM * goal * sample.largest(problem.center) if promises else 0.0
        sample.grow_to(min([following, *later]), target)
        sizes = certifying_sizes(n, sample.rank)
        traces.append((sample.rank, sample.left))
        tried = problem
        if problem.certificate == "statistical" and sample.rank <= n // FEW:
            most = AIM * goal * sample.largest(problem.center)
            if sample.left <= most:
                return 0
            if _is_soon_proven(traces, most):
                tried = replace(problem, certificate="proven")
        promised = _promised(tried, sample, goal, n, sizes)
        usual = usual_certifying(n, sample.rank)
        promises.append((sample.rank, promised[sizes.index(usual)]))
        problem.progress(f"{sample.rank} landmarks", None)
        enough = next((m for m, p in zip(sizes, promised, strict=True) if p <= 1), None)
        now = inf if enough is None else _cost(n, sample.rank, enough)
        if enough is not None and now <= _cost_of_going_on(n, promises):
            return enough
        least = _hopeful(problem, sample, goal, n)
        if may_give_up and is_hopeless(traces, least, sample.capacity):
            return None
        look(sample, usual)
    if enough is None and may_give_up and not sample.is_exhausted:
        return None
    return enough or usual_certifying(n, sample.rank)


def _following(rank: int, promises: list[tuple[int, float]]) -> int:
    """Return the rank to look at next: half as many again, but not past the goal."""
    if rank and not promises:
        # Landmarks of an earlier pass, and some more: they may be enough.
        return rank
    if len(promises) == 1 and rank > FIRST_RANK:
        # Of those, a few more tell how fast promises fall.
        return rank + max(8, rank // 8)
    most, least = max(rank * 3 // 2, FIRST_RANK), rank + max(8, rank // 16)
    reached = _reached_at(promises)
    return most if reached is None else int(np.clip(reached, least, most))


def _reached_at(promises: list[tuple[int, float]]) -> int | None:
    """Return the rank at which promises that go on falling are kept; None if none."""
    if len(promises) < 2:
        return None
    (before, more), (rank, bound) = promises[-2:]
    if not (more > bound and rank > before):
        return None
    decay = log(more / bound) / (rank - before)
    return int(min(rank + 1.05 * log(bound) / decay, 1e6))


def _is_soon_proven(traces: list[tuple[int, float]], most: float) -> bool:
    """Whether the trace, falling as it does, is below that after a few landmarks."""
    if most <= 0:
        return False
    reached = _reached_at([(rank, left / most) for rank, left in traces[-2:]])
    return reached is not None and reached <= SOON


def usual_certifying(n: int, rank: int) -> int:
    """Return how many rows to draw, for a part of what the pass over all rows costs."""
    return _certifying(n, rank, 1.0)


def certifying_sizes(n: int, rank: int) -> list[int]:
    """Rows that may certify what so many landmarks leave, fewer ones first.

    More of them than usual make up for landmarks, and where there are few rows in all
    they are cheaper.
    """
    return sorted({_certifying(n, rank, step) for step in CERTIFYING_STEPS})


def _certifying(n: int, rank: int, times: float) -> int:
    size = times * (n * rank / 4) ** 0.5
    return int(np.clip(size, LEAST_CERTIFYING, min(n, MOST_CERTIFYING)))


def _cost(n: int, rank: int, certifying: int) -> float:
    """Return about how many nanoseconds landmarks, pass and certificate take."""
    growth = (ROWS + HELD_OUT) * rank**2 * PER_STEP
    over_all = n * rank * (2 * PER_ENTRY + PER_PRODUCT * rank)
    return growth + over_all + certifying**2 * (PER_PAIR + PER_PRODUCT * rank)


def _cost_of_going_on(n: int, promises: list[tuple[int, float]]) -> float:
    """Return what it takes until the usual certificate will do."""
    if promises[-1][1] <= 1:
        return inf
    rank = _reached_at(promises)
    return inf if rank is None else _cost(n, rank, usual_certifying(n, rank))


def _promised(
    problem: Problem, sample: LandmarkSample, goal: float, n: int, sizes: list[int]
) -> list[float]:
    """Return the bounds that the sample promises, relative to what is aimed at.

    Parameters
    ----------
    sizes : list of int
        Of the samples that might certify it.
    """
    if sample.is_exhausted:
        return [0.0 for _ in sizes]
    most = AIM * goal * sample.largest(problem.center)
    left = [sample.left for _ in sizes]
    by_chance = problem.may_be_statistical(sample.rank)
    within_reach = sample.left <= 100 * _hopeful(problem, sample, goal, n)
    if sample.left > most and by_chance and within_reach:
        left = [FORESIGHT * norm for norm in sample.foreseen_norms(problem, sizes)]
    return [bound / most if most > 0 else inf for bound in left]


def _hopeful(problem: Problem, sample: LandmarkSample, goal: float, n: int) -> float:
    """Return the trace that may be left if all goes well."""
    most = AIM * goal * sample.largest(problem.center)
    if problem.certificate == "proven":
        return most
    size = certifying_sizes(n, sample.rank)[-1]
    return most * max(1.0, size / -log(FAILURE))
