"""Low rank for many rows: landmarks from a sample, then one pass over all rows.

Here it is decided how many landmarks there are to be, and which; what a pass with them
gives is in `row_pass`.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.orientation import towards
from kpca_viewer.core.solvers.landmarks import HELD_OUT, ROWS, LandmarkSample
from kpca_viewer.core.solvers.lowrank import is_hopeless
from kpca_viewer.core.solvers.lowrank_result import drawn
from kpca_viewer.core.solvers.problem import FAILURE, Decomposition, Problem
from kpca_viewer.core.solvers.row_pass import Pass
from kpca_viewer.core.solvers.row_sums import MOST_CERTIFYING, MOST_PASSES
from kpca_viewer.support.progress import check
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]
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

CERTIFYING_STEPS = 1.0, 1.4, 2.0, 2.8, 4.0
"""How many times the usual number of them there may be."""

# Nanoseconds on one core of a server of 2024. Only their ratios matter.
PER_STEP = 0.085
"""To find landmarks: rank² for every row of the sample."""
PER_ENTRY = 1.5
"""To compute an entry of K."""
PER_PRODUCT = 0.05
"""To multiply and add, for each landmark beside another."""
PER_PAIR = 7.5
"""For two rows of a certificate: their entry, and passes that find the norm."""


def solve(
    problem: Problem, capacity: int, *, may_give_up: bool = False
) -> Decomposition | None:
    """Decompose to the wanted bound, or as near as the landmarks get.

    Parameters
    ----------
    problem : Problem
        Its kernel must be positive semi-definite, its matrix a `PointsGram`.
    capacity : int
        The largest rank.
    may_give_up : bool
        Return None where the sample shows that the bound will not be reached.
    """
    gram = problem.gram
    assert isinstance(gram, PointsGram)
    rng = np.random.default_rng(problem.seed)
    capacity = max(problem.k, min(capacity, problem.most_landmarks or capacity))
    with one_blas_thread():
        sample = LandmarkSample(gram, capacity, rng)
    goal = problem.wanted
    turn = _Orientation(problem)
    best: Decomposition | None = None
    for attempt in range(MOST_PASSES):
        drafts = DRAFT_RANKS if attempt == 0 and problem.publish is not None else ()

        def look(grown: LandmarkSample, usual: int, drafts: Ranks = drafts) -> None:
            if grown.rank >= DRAFT_RANKS[0]:
                turn.decide(grown)
            if grown.rank in drafts and problem.publish is not None:
                draft = Pass.over(problem, grown, usual)
                problem.publish(turn(draft, grown))

        certifying = grow_landmarks(
            problem, sample, goal, gram.n, look, drafts, may_give_up=may_give_up
        )
        if certifying is None:
            return None
        passed = Pass.over(problem, sample, certifying, may_defer=attempt == 0)
        found = turn(passed, sample)
        best = found if best is None or found.error < best.error else best
        is_full = sample.rank >= capacity and not passed.sums.is_deferred
        if found.error <= problem.wanted or is_full:
            break
        if passed.sums.rounding_alone > problem.wanted:
            # More landmarks would only be nearer to each other.
            break
        if attempt + 1 < MOST_PASSES:
            goal *= max(0.7 * problem.wanted / found.error, 0.1)
            sample = _with_rows_left(sample, passed, capacity, rng)
    return best


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
        How many rows will certify it; None if the goal will never be reached.
    """
    promises: list[tuple[int, float]] = []
    traces = [(0, sample.total)]
    enough: int | None = None
    while not sample.is_full:
        check(problem.should_stop)
        following = _following(sample.rank, promises)
        later = [rank for rank in (*stops, DRAFT_RANKS[0]) if rank > sample.rank]
        # Its products are short: threads that wait for each other cost more.
        with one_blas_thread():
            target = AIM * goal * sample.largest(problem.center) if promises else 0.0
            sample.grow_to(min([following, *later]), target)
            sizes = certifying_sizes(n, sample.rank)
            promised = _promised(problem, sample, goal, n, sizes)
        promises.append((sample.rank, promised[0]))
        problem.progress(f"{sample.rank} landmarks", None)
        enough = next((m for m, p in zip(sizes, promised, strict=True) if p <= 1), None)
        now = inf if enough is None else _cost(n, sample.rank, enough)
        if enough is not None and now <= _cost_of_going_on(n, promises):
            return enough
        traces.append((sample.rank, sample.left))
        least = _hopeful(problem, sample, goal, n)
        if may_give_up and is_hopeless(traces, least, sample.capacity):
            return None
        look(sample, sizes[0])
    if enough is None and may_give_up and not sample.is_exhausted:
        return None
    return enough or certifying_sizes(n, sample.rank)[0]


class _Orientation:
    """Which way round a picture is: decided by the first landmarks, and kept.

    So drafts and the end are the same way round, and whoever computes without drafts
    gets what the others get.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._known: tuple[Array, Array] | None = None

    def decide(self, sample: LandmarkSample) -> None:
        """Take the landmarks that there are, unless it is decided."""
        if self._known is None:
            problem = self._problem
            self._known = sample.oriented_vectors(problem.center, problem.k)

    def __call__(self, passed: Pass, sample: LandmarkSample) -> Decomposition:
        """Return the decomposition of a pass that way round."""
        self.decide(sample)
        assert self._known is not None
        rows, V = self._known
        found = passed.decomposed(sample.rng)
        if found.count is None:
            vectors = found.eigenvectors[rows]
        else:
            vectors = passed.vectors_of(sample.points(rows))
        R = turned_towards(vectors, found.eigenvalues, V)
        return replace(found.oriented(R), is_oriented=True)


def turned_towards(vectors: Array, values: Array, V: Array) -> Array:
    """Return the orientation (k, k) of vectors (m, live) of which k are wanted."""
    live = vectors.shape[1]
    R = np.eye(len(values))
    R[:live, :live] = towards(vectors, values[:live], V)
    return R


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


def certifying_sizes(n: int, rank: int) -> list[int]:
    """Rows that may certify what so many landmarks leave, the usual number first.

    Drawing these costs a part of the pass over all rows; more of them make up for
    landmarks, and where there are few rows in all they are cheaper.
    """
    usual = (n * rank / 4) ** 0.5
    sizes = (usual * step for step in CERTIFYING_STEPS)
    most = min(n, MOST_CERTIFYING)
    return sorted({int(np.clip(size, LEAST_CERTIFYING, most)) for size in sizes})


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
    return inf if rank is None else _cost(n, rank, certifying_sizes(n, rank)[0])


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


def _with_rows_left(
    sample: LandmarkSample, passed: Pass, capacity: int, rng: np.random.Generator
) -> LandmarkSample:
    """Return a sample with the same landmarks and rows that these explain badly."""
    far = drawn(passed.residual, len(sample.rows) // 4, rng)
    extra = np.union1d(far, sample.landmarks)
    gram = passed.problem.gram
    assert isinstance(gram, PointsGram)
    following = LandmarkSample(gram, capacity, rng, extra, sample.landmarks)
    # The held-out rows have promised enough; these few have shown otherwise.
    following.grow_to(sample.rank + max(DRAFT_RANKS[0], sample.rank // 4))
    return following
