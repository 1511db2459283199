"""Low rank for many rows: landmarks from a sample, then a pass over blocks of all rows.

With the landmarks S and ``K[S, S] = RᵀR``, a block of rows has the features
``F = K[rows, S] R⁻¹``, and ``K̂ = FFᵀ ⪯ K``. A block gives back its sum, ``FᵀF`` and
what is left of its diagonal; then F is forgotten. The eigenproblem is one of r × r, and
the eigenvectors come from a second look at the blocks, which costs little. Memory is
O(block × r), whatever the number of rows.

The bound of an eigenvalue is ``μ̂ ≤ μ ≤ μ̂ + ‖K − K̂‖``: the norm is at most the trace,
which is known (proven), and where the spectrum is too flat for that, what a sample of
rows says of it (`lowrank_result`, statistical).

Rows come in blocks from a `RowSource`: an array is a stream of blocks in memory; blocks
that are read where the work on them is done are those of `row_stream`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.orientation import towards
from kpca_viewer.core.solvers.blocks import each_block
from kpca_viewer.core.solvers.landmark_growth import DRAFT_RANKS, Ranks, grow_landmarks
from kpca_viewer.core.solvers.landmarks import (
    LandmarkFeatures,
    LandmarkSample,
    ProjectRows,
    inexact,
    landmark_features,
    row_steps,
)
from kpca_viewer.core.solvers.lowrank_result import drawn
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.solvers.row_sums import (
    MOST_PASSES,
    Draw,
    FeatureSums,
    RowSums,
    deferred,
    most_additions,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import check

T = TypeVar("T")


def solve(
    problem: Problem, capacity: int, *, may_give_up: bool = False
) -> Decomposition | None:
    """Decompose an array of rows to the wanted bound, or as near as landmarks get.

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
    sample = LandmarkSample(gram, capacity, rng)
    rows = ArrayRows(problem)
    found = solve_by_passes(problem, rows, sample, may_give_up=may_give_up)
    return None if found is None else found.decomposition


@dataclass(frozen=True, eq=False)
class Outcome:
    decomposition: Decomposition
    landmarks: Array
    """Shape (r,). Which rows carry it, of those that the sample is of."""
    passes: int


class RowSource(Protocol):
    """All rows, in blocks."""

    @property
    def n(self) -> int:
        """How many there are."""

    def may_be_single(self, problem: Problem) -> bool:
        """Whether float32 can hold them, as far as anybody knows."""

    def count_blocks(self, features: LandmarkFeatures) -> int:
        """Return into how many blocks a pass cuts them."""

    def add_up(
        self,
        problem: Problem,
        sample: LandmarkSample,
        features: LandmarkFeatures,
        certifying: int,
    ) -> "Pass":
        """Pass over all rows; ``certifying`` of them will be drawn."""

    def eigenvectors(self, passed: "Pass") -> tuple[Array, int | None]:
        """Return those of all rows and None, or those of the landmarks and n."""

    def widen(
        self, problem: Problem, sample: LandmarkSample, passed: "Pass"
    ) -> tuple[Problem, LandmarkSample] | None:
        """Return a sample with rows that its landmarks explain badly; None if none."""


def solve_by_passes(
    problem: Problem,
    rows: RowSource,
    sample: LandmarkSample,
    *,
    may_give_up: bool = False,
) -> Outcome | None:
    """Add landmarks and pass over all rows until the wanted bound is reached.

    Returns
    -------
    Outcome or None
        The best that was found; None where giving up is allowed, and wise.
    """
    turn = _Orientation(problem)
    goal, best = problem.wanted, None
    for attempt in range(1, MOST_PASSES + 1):
        publish = problem.publish if attempt == 1 else None
        drafts = () if publish is None else DRAFT_RANKS

        def look(
            grown: LandmarkSample,
            usual: int,
            drafts: Ranks = drafts,
            problem: Problem = problem,
        ) -> None:
            if grown.rank >= DRAFT_RANKS[0]:
                turn.decide(grown)
            if grown.rank in drafts and problem.publish is not None:
                # Rows that tell a smaller bound take longer than the draft itself.
                quick = replace(problem, certificate="proven")
                draft = pass_over_rows(quick, rows, grown, usual)
                problem.publish(turn(draft, rows, grown))

        certifying = grow_landmarks(
            problem, sample, goal, rows.n, look, drafts, may_give_up=may_give_up
        )
        if certifying is None:
            return None
        if certifying == 0:
            problem = replace(problem, certificate="proven")
        passed = pass_over_rows(
            problem, rows, sample, certifying, may_defer=attempt == 1
        )
        found = turn(passed, rows, sample)
        if best is None or found.error < best.decomposition.error:
            best = Outcome(found, sample.landmarks, attempt)
        best = replace(best, passes=attempt)
        is_full = sample.rank >= sample.limit and not passed.sums.is_deferred
        if found.error <= problem.wanted or is_full or attempt == MOST_PASSES:
            break
        if passed.sums.rounding_alone > problem.wanted:
            # More landmarks would only be nearer to each other.
            break
        goal *= max(0.7 * problem.wanted / found.error, 0.1)
        wider = rows.widen(problem, sample, passed)
        if wider is None:
            break
        problem, sample = wider
    return best


def pass_over_rows(
    problem: Problem,
    rows: RowSource,
    sample: LandmarkSample,
    certifying: int,
    *,
    may_defer: bool = False,
) -> "Pass":
    """Pass over all rows with the landmarks of a sample; in float64 where needed.

    Parameters
    ----------
    may_defer : bool
        Whether few rows may have their residual told, if that is quicker.
    """
    single = rows.may_be_single(problem)
    features = landmark_features(problem, sample, rows.n, may_be_single=single)
    if may_defer:
        blocks = rows.count_blocks(features)
        features = deferred(problem, sample, features, rows.n, blocks)
    passed = rows.add_up(problem, sample, features, certifying)
    if np.isfinite(passed.sums.products).all():
        return passed
    features = landmark_features(problem, sample, rows.n, may_be_single=False)
    return rows.add_up(problem, sample, features, certifying)


@dataclass(frozen=True, eq=False)
class Pass:
    sums: FeatureSums
    landmarks: Array
    """Shape (r,)."""
    draw: Draw
    certifying: int
    """Rows to draw for a bound on the norm of what is left."""

    def decomposed(self, rows: RowSource) -> Decomposition:
        problem = self.sums.problem
        check(problem.should_stop)
        vectors, n = rows.eigenvectors(self)
        found = self.sums.decomposed(
            self.landmarks, vectors, self.draw, self.certifying, n
        )
        remote = problem.each_rows
        return found if remote is None else replace(found, place=remote.place)

    def vectors_of(self, points: Points) -> Array:
        """``(F − mean) U / √μ`` of some points, shape (m, live)."""
        return self.projection(points)

    @cached_property
    def projection(self) -> ProjectRows:
        features, scaled = self.sums.features, self.sums.directions
        dtype = features.inverse.dtype
        # One product with the kernel instead of two with the features.
        return ProjectRows(
            features.kernel,
            features.known,
            np.linalg.solve(self.sums.corner, scaled).astype(dtype),
            (self.sums.mean @ scaled).astype(dtype),
        )


class _Orientation:
    """Which way round a picture is: decided by the first landmarks, and kept.

    So drafts and the end are the same way round, and the result is the same without
    drafts.
    """

    def __init__(self, problem: Problem) -> None:
        self._center, self._k = problem.center, problem.k
        self._known: tuple[Array, Points, Array] | None = None

    def decide(self, sample: LandmarkSample) -> None:
        if self._known is None:
            rows, V = sample.oriented_vectors(self._center, self._k)
            self._known = rows, sample.points(rows), V

    def __call__(
        self, passed: Pass, rows: RowSource, sample: LandmarkSample
    ) -> Decomposition:
        self.decide(sample)
        assert self._known is not None
        index, points, V = self._known
        found = passed.decomposed(rows)
        if found.count is None:
            vectors = found.eigenvectors[index]
        else:
            vectors = passed.vectors_of(points)
        live = vectors.shape[1]
        R = np.eye(len(found.eigenvalues))
        R[:live, :live] = towards(vectors, found.eigenvalues[:live], V)
        return replace(found.oriented(R), is_oriented=True)


class ArrayRows:
    """Rows that are all in memory: every one keeps what is left of it."""

    def __init__(self, problem: Problem) -> None:
        gram = problem.gram
        assert isinstance(gram, PointsGram)
        self._gram = gram
        self.n = gram.n
        self.residual: Array = np.zeros(0)
        """Shape (n,). What the last pass left of the diagonal; 0 of rows that it has
        not looked at."""

    @cached_property
    def _single(self) -> PointsGram:
        return self._gram.single()

    def may_be_single(self, problem: Problem) -> bool:
        return self._single.dtype == np.float32

    def count_blocks(self, features: LandmarkFeatures) -> int:
        return len(self._blocks(features))

    def add_up(
        self,
        problem: Problem,
        sample: LandmarkSample,
        features: LandmarkFeatures,
        certifying: int,
    ) -> Pass:
        """Pass over all rows, on all cores or where the problem says."""
        gram, r = self._in_precision(features), features.rank
        diagonal = problem.gram.diagonal()
        total = float(diagonal.sum(dtype=np.float64))
        # What is left of the diagonal: less with every block. It is ours, and of very
        # many rows another copy takes longer than a pass over some of them.
        if gram is not problem.gram:
            diagonal = gram.diagonal()
        residual = diagonal.astype(np.float64, copy=False)
        products, sums = np.zeros((r, r)), np.zeros(r)
        blocks = largest = 0
        # In their order, so that the digits do not depend on which core was faster.
        stage = f"all rows, {r} landmarks"
        for rows, added in self._each(problem, stage, features, AddRows(features)):
            products += added.products
            sums += added.sums
            residual[rows] -= added.explained
            blocks, largest = blocks + 1, max(largest, rows.stop - rows.start)
        if features.around is not None:
            residual[np.isnan(residual)] = 0
        excess = -float(residual[residual < 0].sum())
        np.maximum(residual, 0, out=residual)
        self.residual = residual
        found = FeatureSums(
            problem,
            features,
            sample.corner,
            self.n,
            products,
            sums,
            float(residual.sum()),
            excess,
            total,
            problem.gram.rounding(total),
            inexact(features, sample),
        ).divided(most_additions(largest, blocks))

        def draw(count: int) -> tuple[Points, Array]:
            index = drawn(residual, count, sample.rng)
            return gram.points.take(index), residual[index]

        return Pass(found, sample.landmarks, draw, certifying)

    def eigenvectors(self, passed: Pass) -> tuple[Array, int | None]:
        """Return those of all rows by another look at all blocks, if they are wanted.

        Returns
        -------
        tuple of (vectors, n)
            n where the vectors are those of the landmarks, else None.
        """
        problem, features = passed.sums.problem, passed.sums.features
        if problem.vectors_later:
            return passed.vectors_of(features.known), self.n
        work = passed.projection
        shape = self.n, len(work.offset)
        vectors = np.empty(shape, dtype=features.inverse.dtype)
        for rows, found in self._each(problem, "scores", features, work):
            vectors[rows] = found
        return vectors, None

    def widen(
        self, problem: Problem, sample: LandmarkSample, passed: Pass
    ) -> tuple[Problem, LandmarkSample]:
        far = drawn(self.residual, len(sample.rows) // 4, sample.rng)
        extra = np.union1d(far, sample.landmarks)
        return problem, sample.following(self._gram, extra)

    def _in_precision(self, features: LandmarkFeatures) -> PointsGram:
        single = features.known.dtype == self._single.dtype
        return self._single if single else self._gram

    def _blocks(self, features: LandmarkFeatures) -> list[slice]:
        return row_steps(self.n, features.rank, features.inverse.dtype)

    def _each(
        self,
        problem: Problem,
        stage: str,
        features: LandmarkFeatures,
        work: Callable[[Points], T],
    ) -> Iterator[tuple[slice, T]]:
        stop = problem.should_stop
        if problem.each_rows is None:
            points = self._in_precision(features).points
            cut = self._blocks(features)
            done_here = each_block(lambda rows, _: work(points.take(rows)), cut, stop)
            answers: Iterator[tuple[slice, T]] = zip(cut, done_here, strict=True)
        else:
            answers = problem.each_rows(work, self._gram.points, stop)
        done = 0
        for rows, answer in answers:
            # A bound of rows of which some are missing, or come twice, would be none.
            assert rows.start == done, f"row {done} is missing"
            yield rows, answer
            done = rows.stop
            problem.progress(stage, done / self.n)
        assert done == self.n, f"row {done} is missing"


@dataclass(frozen=True, eq=False)
class AddedRows:
    """What some rows with the features F add up to."""

    products: Array
    """Shape (r, r). As `RowSums` has them."""
    sums: Array
    """Shape (r,)."""
    explained: Array
    """Shape (m,). The diagonal of ``FFᵀ``; NaN where F was not formed."""


@dataclass(frozen=True, eq=False)
class AddRows:
    """The work on some points of the first look at all of them."""

    features: LandmarkFeatures

    def __call__(self, points: Points) -> AddedRows:
        features = self.features
        points = points.astype(features.known.dtype)
        sums, explained = RowSums(features), np.empty(len(points))
        for rows in row_steps(len(points), features.rank, points.dtype):
            explained[rows] = sums.add(points.take(rows))
        return AddedRows(sums.products, sums.sums, explained)
