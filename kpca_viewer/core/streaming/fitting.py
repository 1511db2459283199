"""Low rank over blocks: landmarks from a sample, a pass, and another where it misses.

The method and its bounds are those of `core.solvers.onepass`; only, no row is held but
those of a sample. Blocks give back sums; the eigenproblem is one of r × r.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers.blocks import Blocks, Each, each_block
from kpca_viewer.core.solvers.landmarks import (
    LandmarkFeatures,
    LandmarkSample,
    inexact,
    landmark_features,
)
from kpca_viewer.core.solvers.onepass import (
    DRAFT_RANKS,
    grow_landmarks,
    turned_towards,
)
from kpca_viewer.core.solvers.problem import Decomposition, Grade, Problem
from kpca_viewer.core.solvers.row_sums import (
    MOST_CERTIFYING,
    MOST_PASSES,
    FeatureSums,
    deferred,
    most_additions,
)
from kpca_viewer.core.streaming.terms import Adding, Drawn
from kpca_viewer.support.errors import DataError, SolverError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

MOST_LANDMARKS = 2000
"""Products of so many fit into the memory of every worker."""

TOLERANCE = 1e-3
"""The bound on every eigenvalue, relative to the largest, if nobody asks for another:
what three digits of a picture need."""


@dataclass(frozen=True, eq=False)
class Streamed:
    """A decomposition, and the landmarks that carry it."""

    decomposition: Decomposition
    """Its landmarks are numbered from 0, and its eigenvectors have their rows only."""
    points: Points
    """The landmarks as the kernel sees them."""
    landmarks: Array
    """Shape (r, d). The landmarks as they are."""
    passes: int
    """Over all rows, after the first look."""
    places: Array
    """Shape (r,). Where the landmarks are in the sample; beyond its end for rows that a
    pass has drawn."""


def decompose(
    blocks: Blocks,
    n: int,
    sample: Array,
    kernel: Kernel,
    k: int,
    *,
    center: bool = True,
    tol: float = 0.0,
    certificate: Grade | Literal["auto"] = "auto",
    seed: int = 0,
    most_landmarks: int = MOST_LANDMARKS,
    widens: bool = True,
    each: Each = each_block,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Streamed:
    """Decompose to the wanted bound, or as near as the landmarks get.

    Parameters
    ----------
    n : int
        Rows of all blocks.
    sample : ndarray of shape (m, d)
        Some of them, as `Look` has them.
    k : int
        How many eigenpairs are wanted.
    tol : float
        Wanted bound on every eigenvalue relative to the largest; 0 is `TOLERANCE`.
    widens : bool
        Whether rows that a pass has drawn may become landmarks; else only those of the
        sample, and a bound that these miss is missed.

    Raises
    ------
    SolverError
        If the kernel may be indefinite.
    KpcaError
        As the kernel and the blocks raise it.
    Cancelled
    """
    if not kernel.psd:
        raise SolverError(
            f"The {kernel.family.title.lower()} kernel may be indefinite with these "
            "values; block by block only positive semi-definite kernels are decomposed."
        )
    gram = PointsGram(kernel.points(sample, center=center), kernel)
    problem = Problem(
        gram,
        min(k, n),
        center=center,
        tol=tol or TOLERANCE,
        certificate=certificate,
        seed=seed,
        should_stop=should_stop,
        progress=progress,
    )
    rng = np.random.default_rng(seed)
    capacity = max(problem.k, most_landmarks)
    with one_blas_thread():
        chosen = LandmarkSample(gram, capacity, rng)
    turn = _Orientation(problem)
    goal, best = problem.wanted, None
    for attempt in range(1, MOST_PASSES + 1):
        certifying = grow_landmarks(problem, chosen, goal, n, turn.look)
        assert certifying is not None
        first = attempt == 1
        passed = _passed(problem, chosen, blocks, n, certifying, each, may_defer=first)
        found = turn(passed, chosen)
        if best is None or found.error < best.decomposition.error:
            places = chosen.landmarks
            best = Streamed(
                found, chosen.points(places), sample[places], attempt, places
            )
        best = replace(best, passes=attempt)
        missed = found.error > problem.wanted
        is_full = chosen.rank >= capacity and not passed.sums.is_deferred
        if not missed or is_full or passed.drawn.rows is None:
            break
        if passed.sums.rounding_alone > problem.wanted or attempt == MOST_PASSES:
            # More landmarks would only be nearer to each other.
            break
        goal *= max(0.7 * problem.wanted / found.error, 0.1)
        if widens:
            sample, problem, chosen = _with_rows_left(
                sample, problem, chosen, passed, rng
            )
    assert best is not None
    return best


@dataclass(frozen=True, eq=False)
class _Pass:
    """What one pass over all blocks gives."""

    sums: FeatureSums
    drawn: Drawn
    certifying: int
    """Rows that are to certify it."""

    def vectors(self, F: Array) -> Array:
        """Eigenvectors of rows with features F (m, r), shape (m, live)."""
        return np.asarray((F - self.sums.mean) @ self.sums.directions)

    def decomposed(self) -> Decomposition:
        """Return the k leading eigenpairs of ``H K̂ H`` with their bounds."""
        corner, n = self.sums.corner, self.sums.n
        # Of a landmark, the features are its column of R.
        vectors = self.vectors(corner.T)
        landmarks = np.arange(len(corner))
        return self.sums.decomposed(landmarks, vectors, self._draw, self.certifying, n)

    def _draw(self, count: int) -> tuple[Points, Array] | None:
        if self.drawn.rows is None or not self.drawn.is_fair:
            return None
        features, gram = self.sums.features, self.sums.problem.gram
        assert isinstance(gram, PointsGram)
        rows, residual = self.drawn.rows[:count], self.drawn.residual[:count]
        points = features.kernel.prepare_new(gram.points, rows)
        return points.astype(features.known.dtype), residual


def _passed(
    problem: Problem,
    sample: LandmarkSample,
    blocks: Blocks,
    n: int,
    certifying: int,
    each: Each,
    *,
    may_defer: bool,
) -> _Pass:
    """Pass over all blocks; in float64 where float32 overflows."""
    gram = problem.gram
    assert isinstance(gram, PointsGram)
    may_be_single = gram.single().dtype == np.float32
    features = landmark_features(problem, sample, n, may_be_single=may_be_single)
    if may_defer:
        features = deferred(problem, sample, features, n, len(blocks))
    found = _added_up(problem, sample, features, blocks, n, certifying, each)
    if np.isfinite(found.sums.products).all():
        return found
    features = landmark_features(problem, sample, n, may_be_single=False)
    return _added_up(problem, sample, features, blocks, n, certifying, each)


def _added_up(
    problem: Problem,
    sample: LandmarkSample,
    features: LandmarkFeatures,
    blocks: Blocks,
    n: int,
    certifying: int,
    each: Each,
) -> _Pass:
    gram, r = problem.gram, features.rank
    assert isinstance(gram, PointsGram)
    # Where these certify, more of them may be wanted than are thought to do.
    by_chance = problem.may_be_statistical(r)
    draws = min(n, MOST_CERTIFYING) if by_chance else certifying
    work = Adding(features, gram.points.take(slice(0, 1)), draws, problem.seed)
    products, sums = np.zeros((r, r)), np.zeros(r)
    left = excess = total = 0.0
    rows = largest = 0
    extent = gram.points.measure()
    drawn = Drawn(draws, problem.seed)
    answers = each(work, blocks, problem.should_stop)
    for number, terms in enumerate(answers, start=1):
        problem.progress(f"all rows, {r} landmarks", number / len(blocks))
        if terms is None:
            continue
        rows += terms.extent.count
        largest = max(largest, terms.extent.count)
        products += terms.products
        sums += terms.sums
        left += terms.left
        excess += terms.excess
        total += terms.total
        extent = extent.joined(terms.extent)
        drawn.add(terms)
    if rows != n:
        raise DataError(
            f"The blocks had {n:,} rows at the first look and {rows:,} in a later "
            "pass; they must give the same rows whenever they are read."
        )
    added = FeatureSums(
        problem,
        features,
        sample.corner,
        n,
        products,
        sums,
        left,
        excess,
        total,
        gram.kernel.rounding(extent, total),
        inexact(features, sample),
    )
    added = added.divided(most_additions(largest, len(blocks)))
    return _Pass(added, drawn, certifying)


class _Orientation:
    """Which way round the components are: decided by the first landmarks, and kept."""

    def __init__(self, problem: Problem) -> None:
        self._center, self._k = problem.center, problem.k
        self._known: tuple[Points, Array] | None = None

    def look(self, sample: LandmarkSample, _certifying: int) -> None:
        """Decide, once there are enough landmarks for it."""
        if sample.rank >= DRAFT_RANKS[0]:
            self._decide(sample)

    def _decide(self, sample: LandmarkSample) -> None:
        if self._known is None:
            rows, V = sample.oriented_vectors(self._center, self._k)
            self._known = sample.points(rows), V

    def __call__(self, passed: _Pass, sample: LandmarkSample) -> Decomposition:
        """Return the decomposition of a pass that way round."""
        self._decide(sample)
        assert self._known is not None
        points, V = self._known
        features = passed.sums.features
        vectors = passed.vectors(features.of(points.astype(features.known.dtype)))
        found = passed.decomposed()
        R = turned_towards(vectors, found.eigenvalues, V)
        return replace(found.oriented(R), is_oriented=True)


def _with_rows_left(
    table: Array,
    problem: Problem,
    sample: LandmarkSample,
    passed: _Pass,
    rng: np.random.Generator,
) -> tuple[Array, Problem, LandmarkSample]:
    """Return a sample with the same landmarks and rows that these explain badly."""
    before = problem.gram
    assert isinstance(before, PointsGram)
    assert passed.drawn.rows is not None
    wider = np.concatenate((table, passed.drawn.rows[: len(sample.rows) // 4]))
    gram = PointsGram(before.kernel.prepare_new(before.points, wider), before.kernel)
    extra = np.union1d(np.arange(len(table), len(wider)), sample.landmarks)
    with one_blas_thread():
        following = LandmarkSample(gram, sample.capacity, rng, extra, sample.landmarks)
        # The held-out rows have promised enough; these few have shown otherwise.
        following.grow_to(sample.rank + max(DRAFT_RANKS[0], sample.rank // 4))
    return wider, replace(problem, gram=gram), following
