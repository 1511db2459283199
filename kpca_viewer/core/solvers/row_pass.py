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
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.gram import PointsGram, fits_single
from kpca_viewer.core.solvers.landmarks import LandmarkSample
from kpca_viewer.core.solvers.packing import Eigenpairs, packed, small_eigenpairs
from kpca_viewer.core.solvers.problem import FAILURE, Decomposition, Grade, Problem
from kpca_viewer.core.solvers.sampled_norm import drawn, norm_bound, sample_norm
from kpca_viewer.support.progress import ShouldStop, check
from kpca_viewer.support.threads import cores, in_order, one_blas_thread

Array = NDArray[Any]
_T = TypeVar("_T")

SINGLE_REACHES = 1e-4
"""The tolerance that float32 is good for; a smaller one is worked on in float64."""

SINGLE_SHARE = 0.2
"""Of the tolerance, what rounding in float32 may take."""

MOST_PASSES = 3
"""Over all rows: landmarks are added where a pass shows more than the sample did."""

BLOCK_BYTES = 4 << 20
"""Features of a block of rows: they stay near a core."""

LEAST_ROWS = 2048
"""Of a block, so that adding up its products costs little beside forming them."""

MOST_THREADS = 4
"""Of a pass: each holds a block and its product."""

PANELS = 4
"""The product with a triangle is cut into so many that leave out its zeros."""


@dataclass(frozen=True, eq=False)
class Features:
    """``F = K[rows, S] R⁻¹`` of any rows, in the precision of the pass."""

    gram: PointsGram
    known: Points
    """The landmarks S."""
    inverse: Array
    """Shape (r, r). ``R⁻¹``, upper triangular."""

    @classmethod
    def of_sample(cls, problem: Problem, sample: LandmarkSample) -> "Features":
        """Prepare the features of the landmarks that a sample has.

        In float32 if its rounding, which the inverse of the root enlarges, is a small
        part of what is wanted.
        """
        gram = problem.gram
        assert isinstance(gram, PointsGram)
        inverse = np.linalg.inv(sample.corner)
        loose = problem.preview or problem.wanted >= SINGLE_REACHES
        if loose and fits_single(gram.diagonal()):
            single = gram.single()
            known = single.points.take(sample.landmarks)
            found = cls(single, known, inverse.astype(single.dtype))
            largest = sample.largest(problem.center)
            rounding = found.rounding(found.inexact(sample), largest, sample.total)
            if rounding <= SINGLE_SHARE * problem.wanted * largest:
                return found
        return cls(gram, gram.points.take(sample.landmarks), inverse)

    def inexact(self, sample: LandmarkSample) -> float:
        """Return how far rounding moves the features of a row, by the held-out ones."""
        rows, exact = sample.held_out()
        moved = np.linalg.norm(self.of(rows) - exact, axis=1)
        return float(moved.max(initial=0.0))

    def rounding(self, inexact: float, largest: float, total: float) -> float:
        """Bound what that does to an eigenvalue.

        ``‖(F + δ)ᵀ(F + δ) − FᵀF‖ ≤ 2‖F‖‖δ‖ + ‖δ‖²`` with F and δ centred, and no row of
        δ longer than that.

        Parameters
        ----------
        largest, total : float
            ``‖F‖²``, the largest eigenvalue, and the trace of K.
        """
        moved = inexact * self.gram.n**0.5
        eps = float(np.finfo(self.inverse.dtype).eps)
        return moved * (2 * largest**0.5 + moved) + 8 * eps * total

    @property
    def rank(self) -> int:
        """How many there are."""
        return len(self.inverse)

    def of(self, rows: Array | slice) -> Array:
        """Features of these rows, shape (m, r)."""
        K = self.gram.kernel.block(self.gram.points.take(rows), self.known)
        F = np.empty_like(K)
        width = max(1, -(-self.rank // PANELS))
        for start in range(0, self.rank, width):
            columns = slice(start, min(start + width, self.rank))
            above = slice(0, columns.stop)
            np.matmul(K[:, above], self.inverse[above, columns], out=F[:, columns])
        return F

    def blocks(self) -> list[slice]:
        """Cut all rows into blocks; how, does not depend on the machine."""
        n = self.gram.n
        rows = BLOCK_BYTES // max(1, self.rank * self.inverse.itemsize)
        step = min(n, max(rows, LEAST_ROWS))
        return [slice(start, min(start + step, n)) for start in range(0, n, step)]


@dataclass(frozen=True, eq=False)
class Pass:
    """What one pass over all rows gives."""

    problem: Problem
    features: Features
    landmarks: Array
    """Shape (r,)."""
    corner: Array
    """Shape (r, r). R."""
    products: Array
    """Shape (r, r). ``FᵀF`` over all rows."""
    sums: Array
    """Shape (r,). Of F over all rows."""
    residual: Array
    """Shape (n,). What is left of the diagonal."""
    excess: float
    """By how much rounding has made it negative, in all."""
    inexact: float
    """How far rounding has moved the features of a row."""
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
        return cls(
            problem,
            features,
            sample.landmarks,
            sample.corner,
            products,
            sums,
            np.maximum(residual, 0),
            excess,
            features.inexact(sample),
            certifying,
        )

    def decomposed(self, rng: np.random.Generator) -> Decomposition:
        """Return the k leading eigenpairs of ``H K̂ H`` with their bounds."""
        problem, n = self.problem, len(self.residual)
        mean = self.sums / n if problem.center else np.zeros_like(self.sums)
        check(problem.should_stop)
        G = self.products - n * np.outer(mean, mean)
        values, U, live = small_eigenpairs(G, problem.k, self.features.inverse.dtype)
        left, grade = self._left(float(values.max(initial=0.0)), rng)
        vectors = self._eigenvectors(U[:, :live], values[:live], mean)
        return packed(
            problem,
            Eigenpairs(values, U, vectors, mean),
            landmarks=self.landmarks,
            corner=self.corner,
            total=self._total,
            trace_left=float(self.residual.sum()),
            norm_left=left,
            rounding=self._rounding(float(values.max(initial=0.0))),
            certificate=grade,
        )

    def rounding_alone(self, found: Decomposition) -> float:
        """Return the part of an error that no landmark takes away."""
        largest = float(found.eigenvalues.max(initial=0.0))
        return self._rounding(largest) / largest if largest > 0 else np.inf

    @cached_property
    def _total(self) -> float:
        return float(self.problem.gram.diagonal().sum(dtype=np.float64))

    def _rounding(self, largest: float) -> float:
        """Return what floating point may have added to an eigenvalue."""
        moved = self.features.rounding(self.inexact, largest, self._total)
        return moved + self.excess + self.problem.gram.rounding(self._total)

    def _left(self, largest: float, rng: np.random.Generator) -> tuple[float, Grade]:
        """Bound the norm of what is left, by the trace if that is good enough."""
        trace, wanted = float(self.residual.sum()), self.problem.certificate
        enough = trace <= self.problem.wanted * largest
        if wanted == "proven" or trace == 0 or (wanted == "auto" and enough):
            return trace, "proven"
        index = drawn(self.residual, self.certifying, rng)
        F = self.features.of(index)
        points = self.features.gram.points.take(index)
        E = self.features.gram.kernel.block(points, points) - F @ F.T
        sampled = sample_norm(self.problem, E, self.residual[index], trace)
        sampled += 2 * self.inexact * len(self.residual)
        bound = norm_bound(sampled, trace, len(index), FAILURE / MOST_PASSES)
        return (bound, "statistical") if bound < trace else (trace, "proven")

    def _eigenvectors(self, directions: Array, values: Array, mean: Array) -> Array:
        """``(F − mean) U / √μ``, shape (n, live), by another look at all blocks."""
        scaled = directions / np.sqrt(values)
        dtype = self.features.inverse.dtype
        # One product with the kernel instead of two with the features.
        projection = np.linalg.solve(self.corner, scaled).astype(dtype)
        offset = (mean @ scaled).astype(dtype)
        vectors = np.empty((len(self.residual), len(values)), dtype=dtype)
        gram = self.features.gram

        def project(rows: slice) -> None:
            K = gram.kernel.block(gram.points.take(rows), self.features.known)
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
