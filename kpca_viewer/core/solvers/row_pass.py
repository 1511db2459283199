"""One pass over many rows: features by landmarks, added up block by block.

With the landmarks S and ``K[S, S] = RᵀR``, a block of rows has the features
``F = K[rows, S] R⁻¹``, and ``K̂ = FFᵀ ⪯ K``. A block gives back its sum, ``FᵀF`` and
what is left of its diagonal; then F is forgotten. The eigenproblem is one of r × r, and
the eigenvectors come from a second look at the blocks, which costs little. Memory is
O(block × r), whatever the number of rows.

The bound of an eigenvalue is ``μ̂ ≤ μ ≤ μ̂ + ‖K − K̂‖``: the norm is at most the trace,
which is known (proven), and where the spectrum is too flat for that, what a sample of
rows says of it (`sampled_norm`, statistical).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers.landmarks import (
    LandmarkFeatures,
    LandmarkSample,
    inexact,
    landmark_features,
    row_steps,
)
from kpca_viewer.core.solvers.lowrank_result import drawn
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.solvers.row_sums import (
    FeatureSums,
    RowSums,
    deferred,
    most_additions,
)
from kpca_viewer.support.progress import ShouldStop, check
from kpca_viewer.support.threads import cores, in_order, one_blas_thread

Array = NDArray[Any]
_T = TypeVar("_T")

MOST_THREADS = 4
"""Of a pass: each holds a block and its product."""


@dataclass(frozen=True, eq=False)
class Features:
    """The features of the rows of a matrix, in the precision of the pass."""

    gram: PointsGram
    landmarks: LandmarkFeatures

    @classmethod
    def of_sample(
        cls, problem: Problem, sample: LandmarkSample, *, may_defer: bool
    ) -> "Features":
        """Prepare the features of the landmarks that a sample has."""
        gram = problem.gram
        assert isinstance(gram, PointsGram)
        single = gram.single()
        found = landmark_features(
            problem, sample, gram.n, may_be_single=single.dtype == np.float32
        )
        if may_defer:
            steps = row_steps(gram.n, found.rank, found.inverse.dtype)
            found = deferred(problem, sample, found, gram.n, len(steps))
        return cls(single if found.known.dtype == single.dtype else gram, found)

    @property
    def rank(self) -> int:
        return self.landmarks.rank

    @property
    def dtype(self) -> Any:
        return self.landmarks.inverse.dtype

    def blocks(self) -> list[slice]:
        """Cut all rows into blocks; how, does not depend on the machine."""
        return row_steps(self.gram.n, self.rank, self.dtype)


@dataclass(frozen=True, eq=False)
class Pass:
    """What one pass over all rows gives."""

    problem: Problem
    features: Features
    landmarks: Array
    """Shape (r,)."""
    sums: FeatureSums
    residual: Array
    """Shape (n,). What is left of the diagonal; 0 of rows that nobody has asked."""
    certifying: int
    """Rows to draw for a bound on the norm of what is left."""

    @classmethod
    def over(
        cls,
        problem: Problem,
        sample: LandmarkSample,
        certifying: int,
        *,
        may_defer: bool = False,
    ) -> "Pass":
        """Pass over all rows, on all cores or where the problem says.

        Parameters
        ----------
        may_defer : bool
            Whether few rows may have their residual told, if that is quicker.
        """
        features = Features.of_sample(problem, sample, may_defer=may_defer)
        total = float(problem.gram.diagonal().sum(dtype=np.float64))
        # What is left of the diagonal: less with every block.
        residual = features.gram.diagonal().astype(np.float64)
        products = np.zeros((features.rank, features.rank))
        sums = np.zeros(features.rank)
        stage = f"all rows, {features.rank} landmarks"
        # In their order, so that the digits do not depend on which core was faster.
        blocks = largest = 0
        for rows, added in _each(problem, stage, features, _Adding(features.landmarks)):
            products += added.products
            sums += added.sums
            residual[rows] -= added.explained
            blocks, largest = blocks + 1, max(largest, rows.stop - rows.start)
        if features.landmarks.around is not None:
            residual[np.isnan(residual)] = 0
        excess = -float(residual[residual < 0].sum())
        np.maximum(residual, 0, out=residual)
        added_up = FeatureSums(
            problem,
            features.landmarks,
            sample.corner,
            len(residual),
            products,
            sums,
            float(residual.sum()),
            excess,
            total,
            problem.gram.rounding(total),
            inexact(features.landmarks, sample),
        )
        added_up = added_up.divided(most_additions(largest, blocks))
        return cls(problem, features, sample.landmarks, added_up, residual, certifying)

    def decomposed(self, rng: np.random.Generator) -> Decomposition:
        """Return the k leading eigenpairs of ``H K̂ H`` with their bounds."""
        check(self.problem.should_stop)

        def draw(count: int) -> tuple[Points, Array]:
            index = drawn(self.residual, count, rng)
            return self.features.gram.points.take(index), self.residual[index]

        if self.problem.vectors_later:
            vectors = self.vectors_of(self.features.landmarks.known)
            n = len(self.residual)
        else:
            vectors, n = self._eigenvectors(), None
        found = self.sums.decomposed(self.landmarks, vectors, draw, self.certifying, n)
        elsewhere = self.problem.each_rows
        return found if elsewhere is None else replace(found, place=elsewhere.place)

    def vectors_of(self, points: Points) -> Array:
        """``(F − mean) U / √μ`` of some points, shape (m, live)."""
        return self._projecting()(points)

    def _eigenvectors(self) -> Array:
        """Return those of all rows, by another look at all blocks."""
        work = self._projecting()
        shape = len(self.residual), len(work.offset)
        vectors = np.empty(shape, dtype=self.features.dtype)
        for rows, found in _each(self.problem, "scores", self.features, work):
            vectors[rows] = found
        return vectors

    def _projecting(self) -> "_Projecting":
        scaled, dtype = self.sums.directions, self.features.dtype
        # One product with the kernel instead of two with the features.
        return _Projecting(
            self.features.landmarks.kernel,
            self.features.landmarks.known,
            np.linalg.solve(self.sums.corner, scaled).astype(dtype),
            (self.sums.mean @ scaled).astype(dtype),
        )


@dataclass(frozen=True, eq=False)
class _Added:
    """What some rows with the features F add up to."""

    products: Array
    """Shape (r, r). As `RowSums` has them."""
    sums: Array
    """Shape (r,)."""
    explained: Array
    """Shape (m,). The diagonal of ``FFᵀ``; NaN where F was not formed."""


@dataclass(frozen=True, eq=False)
class _Adding:
    """The work on some points of the first look at all of them."""

    features: LandmarkFeatures

    def __call__(self, points: Points) -> _Added:
        features, r = self.features, self.features.rank
        points = points.astype(features.known.dtype)
        sums, explained = RowSums(features), np.empty(len(points))
        for rows in row_steps(len(points), r, points.dtype):
            explained[rows] = sums.add(points.take(rows))
        return _Added(sums.products, sums.sums, explained)


@dataclass(frozen=True, eq=False)
class _Projecting:
    """The same of the second one: eigenvectors (m, live) of m points."""

    kernel: Kernel
    known: Points
    projection: Array
    """Shape (r, live)."""
    offset: Array
    """Shape (live,)."""

    def __call__(self, points: Points) -> Array:
        points, r = points.astype(self.known.dtype), len(self.known)
        found = np.empty((len(points), len(self.offset)), dtype=points.dtype)
        for rows in row_steps(len(points), r, points.dtype):
            K = self.kernel.block(points.take(rows), self.known)
            np.matmul(K, self.projection, out=found[rows])
            found[rows] -= self.offset
        return found


def _each(
    problem: Problem, stage: str, features: Features, work: Callable[[Points], _T]
) -> Iterator[tuple[slice, _T]]:
    """Yield blocks of rows and what the work on their points gives, in their order."""
    n = features.gram.n
    if problem.each_rows is None:
        answers = _each_here(problem, features, work)
    else:
        gram = problem.gram
        assert isinstance(gram, PointsGram)
        answers = problem.each_rows(work, gram.points, problem.should_stop)
    done = 0
    for rows, answer in answers:
        # A bound of rows of which some are missing, or come twice, would be none.
        assert rows.start == done, f"row {done} is missing"
        yield rows, answer
        done = rows.stop
        problem.progress(stage, done / n)
    assert done == n, f"row {done} is missing"


def _each_here(
    problem: Problem, features: Features, work: Callable[[Points], _T]
) -> Iterator[tuple[slice, _T]]:
    """Do the work on all cores."""
    blocks, points = features.blocks(), features.gram.points

    def job(rows: slice, _should_stop: ShouldStop) -> _T:
        return work(points.take(rows))

    with one_blas_thread():
        threads = min(MOST_THREADS, cores())
        answers = in_order(job, blocks, threads, problem.should_stop)
        yield from zip(blocks, answers, strict=True)
