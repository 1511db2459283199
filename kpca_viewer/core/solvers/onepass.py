"""Low rank for many rows: landmarks from a sample, then one pass over all rows.

Here it is decided how many landmarks there are to be, and which; what a pass with them
gives is in `row_pass`.
"""

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.orientation import towards
from kpca_viewer.core.solvers.landmarks import LandmarkSample
from kpca_viewer.core.solvers.lowrank import is_hopeless
from kpca_viewer.core.solvers.problem import FAILURE, Decomposition, Problem
from kpca_viewer.core.solvers.row_pass import MOST_PASSES, Pass, sample_size
from kpca_viewer.core.solvers.sampled_norm import drawn
from kpca_viewer.support.progress import check
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

QUICK_RANK = 400
"""Landmarks up to which the proven certificate is preferred where nobody says which."""

FIRST_RANK = 8
"""Landmarks after which the sample is looked at for the first time."""

DRAFT_RANKS = 96, 384
"""Of what is published before the end: a first picture, and one that is near it."""

AIM = 0.9
"""Of the tolerance, what the sample must promise."""


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
        if not _grow(problem, sample, goal, drafts, may_give_up, turn):
            return None
        passed = Pass.over(problem, sample)
        found = turn(passed.decomposed(rng), sample)
        best = found if best is None or found.error < best.error else best
        if found.error <= problem.wanted or sample.rank >= capacity:
            break
        if passed.rounding_alone(found) > problem.wanted:
            # More landmarks would only be nearer to each other.
            break
        if attempt + 1 < MOST_PASSES:
            goal *= max(0.7 * problem.wanted / found.error, 0.1)
            sample = _with_rows_left(sample, passed, capacity, rng)
    return best


def _grow(
    problem: Problem,
    sample: LandmarkSample,
    goal: float,
    drafts: tuple[int, ...],
    may_give_up: bool,
    turn: "_Orientation",
) -> bool:
    """Add landmarks until the sample promises the goal; False if it never will."""
    promises: list[tuple[int, float]] = []
    traces = [(0, sample.total)]
    while not sample.is_full:
        check(problem.should_stop)
        following = _following(sample.rank, promises)
        later = [rank for rank in (*drafts, DRAFT_RANKS[0]) if rank > sample.rank]
        # Its products are short: threads that wait for each other cost more.
        with one_blas_thread():
            target = AIM * goal * sample.largest(problem.center) if promises else 0.0
            sample.grow_to(min([following, *later]), target)
            if sample.rank >= DRAFT_RANKS[0]:
                turn.decide(sample)
            promises.append((sample.rank, _promised(problem, sample, goal)))
        problem.progress(f"{sample.rank} landmarks", None)
        if promises[-1][1] <= 1:
            return True
        traces.append((sample.rank, sample.left))
        least = _hopeful(problem, sample, goal)
        if may_give_up and is_hopeless(traces, least, sample.capacity):
            return False
        if sample.rank in drafts and problem.publish is not None:
            draft = Pass.over(problem, sample).decomposed(sample.rng)
            problem.publish(turn(draft, sample))
    return sample.is_exhausted or not may_give_up


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

    def __call__(self, found: Decomposition, sample: LandmarkSample) -> Decomposition:
        """Return a decomposition that way round."""
        self.decide(sample)
        assert self._known is not None
        rows, V = self._known
        R = towards(found.eigenvectors[rows], found.eigenvalues, V)
        return replace(found.oriented(R), is_oriented=True)


def _following(rank: int, promises: list[tuple[int, float]]) -> int:
    """Return the rank to look at next: half as many again, but not past the goal."""
    most, least = max(rank * 3 // 2, FIRST_RANK), rank + max(8, rank // 16)
    if len(promises) < 2:
        return most
    (before, more), (_, bound) = promises[-2:]
    if not (more > bound and rank > before):
        return most
    decay = log(more / bound) / (rank - before)
    return int(np.clip(rank + 1.05 * log(bound) / decay, least, most))


def _promised(problem: Problem, sample: LandmarkSample, goal: float) -> float:
    """Return the bound that the sample promises, relative to what is aimed at."""
    if sample.is_exhausted:
        return 0.0
    most = AIM * goal * sample.largest(problem.center)
    wanted, left = problem.certificate, sample.left
    by_chance = wanted == "statistical" or (
        wanted == "auto" and sample.rank >= QUICK_RANK
    )
    if left > most and by_chance and left <= 100 * _hopeful(problem, sample, goal):
        size = sample_size(problem.gram.n, sample.rank)
        # As it comes: it is foreseen a little too large.
        left = AIM * sample.foreseen_norm(problem, size)
    return left / most if most > 0 else np.inf


def _hopeful(problem: Problem, sample: LandmarkSample, goal: float) -> float:
    """Return the trace that may be left if all goes well."""
    most = AIM * goal * sample.largest(problem.center)
    if problem.certificate == "proven":
        return most
    size = sample_size(problem.gram.n, sample.rank)
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
