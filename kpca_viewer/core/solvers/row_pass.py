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
from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers.feature_sums import FeatureSums
from kpca_viewer.core.solvers.landmark_features import (
    LandmarkFeatures,
    added_up,
    inexact,
    landmark_features,
    row_steps,
)
from kpca_viewer.core.solvers.landmarks import LandmarkSample
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.solvers.sampled_norm import drawn
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
    def of_sample(cls, problem: Problem, sample: LandmarkSample) -> "Features":
        """Prepare the features of the landmarks that a sample has."""
        gram = problem.gram
        assert isinstance(gram, PointsGram)
        single = gram.single()
        found = landmark_features(
            problem, sample, gram.n, may_be_single=single.dtype == np.float32
        )
        return cls(single if found.known.dtype == single.dtype else gram, found)

    @property
    def rank(self) -> int:
        """How many there are."""
        return self.landmarks.rank

    @property
    def dtype(self) -> Any:
        """The precision."""
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
    """Shape (n,). What is left of the diagonal."""
    certifying: int
    """Rows to draw for a bound on the norm of what is left."""

    @classmethod
    def over(cls, problem: Problem, sample: LandmarkSample, certifying: int) -> "Pass":
        """Pass over all rows, on all cores or where the problem says."""
        features = Features.of_sample(problem, sample)
        diagonal = features.gram.diagonal().astype(np.float64)
        products = np.zeros((features.rank, features.rank))
        sums = np.zeros(features.rank)
        residual = np.empty(len(diagonal))
        stage = f"all rows, {features.rank} landmarks"
        # In their order, so that the digits do not depend on which core was faster.
        for rows, added in _each(problem, stage, features, _Adding(features.landmarks)):
            products += added.products
            sums += added.sums
            residual[rows] = diagonal[rows] - added.explained
        excess = -float(np.minimum(residual, 0).sum())
        np.maximum(residual, 0, out=residual)
        total = float(problem.gram.diagonal().sum(dtype=np.float64))
        added_up = FeatureSums(
            problem,
            features.landmarks,
            sample.corner,
            len(diagonal),
            products,
            sums,
            float(residual.sum()),
            excess,
            total,
            problem.gram.rounding(total),
            inexact(features.landmarks, sample),
        )
        return cls(problem, features, sample.landmarks, added_up, residual, certifying)

    def decomposed(self, rng: np.random.Generator) -> Decomposition:
        """Return the k leading eigenpairs of ``H K̂ H`` with their bounds."""
        check(self.problem.should_stop)

        def draw() -> tuple[Points, Array]:
            index = drawn(self.residual, self.certifying, rng)
            return self.features.gram.points.take(index), self.residual[index]

        found = self.sums.decomposed(self.landmarks, self._eigenvectors(), draw)
        elsewhere = self.problem.each_rows
        return found if elsewhere is None else replace(found, place=elsewhere.place)

    def _eigenvectors(self) -> Array:
        """``(F − mean) U / √μ``, shape (n, live), by another look at all blocks."""
        scaled, dtype = self.sums.directions, self.features.dtype
        # One product with the kernel instead of two with the features.
        work = _Projecting(
            self.features.landmarks.kernel,
            self.features.landmarks.known,
            np.linalg.solve(self.sums.corner, scaled).astype(dtype),
            (self.sums.mean @ scaled).astype(dtype),
        )
        vectors = np.empty((len(self.residual), scaled.shape[1]), dtype=dtype)
        for rows, found in _each(self.problem, "scores", self.features, work):
            vectors[rows] = found
        return vectors


@dataclass(frozen=True, eq=False)
class _Added:
    """What some rows with the features F add up to."""

    products: Array
    """Shape (r, r). ``FᵀF``."""
    sums: Array
    """Shape (r,). Of F."""
    explained: Array
    """Shape (m,). The diagonal of ``FFᵀ``."""


@dataclass(frozen=True, eq=False)
class _Adding:
    """The work on some points of the first look at all of them."""

    features: LandmarkFeatures

    def __call__(self, points: Points) -> _Added:
        features, r = self.features, self.features.rank
        points = points.astype(features.known.dtype)
        products, sums = np.zeros((r, r)), np.zeros(r)
        explained = np.empty(len(points))
        for rows in row_steps(len(points), r, points.dtype):
            F = features.of(points.take(rows))
            explained[rows] = np.einsum("ij,ij->i", F, F, dtype=np.float64)
            products_of_step, sum_of_step = added_up(F)
            products += products_of_step
            sums += sum_of_step
        return _Added(products, sums, explained)


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
