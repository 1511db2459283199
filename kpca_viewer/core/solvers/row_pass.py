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
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.solvers.feature_sums import FeatureSums
from kpca_viewer.core.solvers.landmark_features import (
    LandmarkFeatures,
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

    def of(self, rows: Array | slice) -> Array:
        """Features of these rows, shape (m, r)."""
        return self.landmarks.of(self.gram.points.take(rows))

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
        """Pass over all rows, on all cores."""
        features = Features.of_sample(problem, sample)
        diagonal = features.gram.diagonal().astype(np.float64)
        products = np.zeros((features.rank, features.rank))
        sums = np.zeros(features.rank)
        residual = np.empty(len(diagonal))

        def add_up(rows: slice) -> tuple[Array, Array]:
            F = features.of(rows)
            explained = np.einsum("ij,ij->i", F, F, dtype=np.float64)
            residual[rows] = diagonal[rows] - explained
            return F.T @ F, F.sum(axis=0, dtype=np.float64)

        stage = f"all rows, {features.rank} landmarks"
        # In their order, so that the digits do not depend on which core was faster.
        for product, part in _each(problem, stage, features.blocks(), add_up):
            products += product
            sums += part
        excess = -float(np.minimum(residual, 0).sum())
        np.maximum(residual, 0, out=residual)
        total = float(problem.gram.diagonal().sum(dtype=np.float64))
        added = FeatureSums(
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
        return cls(problem, features, sample.landmarks, added, residual, certifying)

    def decomposed(self, rng: np.random.Generator) -> Decomposition:
        """Return the k leading eigenpairs of ``H K̂ H`` with their bounds."""
        check(self.problem.should_stop)

        def draw() -> tuple[Points, Array]:
            index = drawn(self.residual, self.certifying, rng)
            return self.features.gram.points.take(index), self.residual[index]

        return self.sums.decomposed(self.landmarks, self._eigenvectors(), draw)

    def _eigenvectors(self) -> Array:
        """``(F − mean) U / √μ``, shape (n, live), by another look at all blocks."""
        scaled, dtype = self.sums.directions, self.features.dtype
        # One product with the kernel instead of two with the features.
        projection = np.linalg.solve(self.sums.corner, scaled).astype(dtype)
        offset = (self.sums.mean @ scaled).astype(dtype)
        vectors = np.empty((len(self.residual), scaled.shape[1]), dtype=dtype)
        gram, known = self.features.gram, self.features.landmarks.known

        def project(rows: slice) -> None:
            K = gram.kernel.block(gram.points.take(rows), known)
            np.matmul(K, projection, out=vectors[rows])
            vectors[rows] -= offset

        for _ in _each(self.problem, "scores", self.features.blocks(), project):
            pass
        return vectors


def _each(
    problem: Problem, stage: str, blocks: list[slice], work: Callable[[slice], _T]
) -> Iterator[_T]:
    """Yield what the work on every block gives, in order, done on all cores."""

    def job(rows: slice, _should_stop: ShouldStop) -> _T:
        return work(rows)

    with one_blas_thread():
        answers = in_order(job, blocks, min(MOST_THREADS, cores()), problem.should_stop)
        for done, answer in enumerate(answers, start=1):
            yield answer
            problem.progress(stage, done / len(blocks))
