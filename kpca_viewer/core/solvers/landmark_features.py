"""Features by landmarks: ``F = K[rows, S] R⁻¹`` of any rows, ``K̂ = FFᵀ ⪯ K``."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers.landmarks import LandmarkSample
from kpca_viewer.core.solvers.problem import Problem

Array = NDArray[Any]

SINGLE_REACHES = 1e-4
"""The tolerance that float32 is good for; a smaller one is worked on in float64."""

SINGLE_SHARE = 0.2
"""Of the tolerance, what rounding in float32 may take."""

BLOCK_BYTES = 4 << 20
"""Features of a block of rows: they stay near a core."""

LEAST_ROWS = 2048
"""Of a block, so that adding up its products costs little beside forming them."""

NARROW = 16
"""Features up to which their products in float64 cost little beside the kernel."""

PANELS = 4
"""The product with a triangle is cut into so many that leave out its zeros."""


@dataclass(frozen=True, eq=False)
class LandmarkFeatures:
    """What turns points into features, in the precision of the landmarks."""

    kernel: Kernel
    known: Points
    """The landmarks S."""
    inverse: Array
    """Shape (r, r). ``R⁻¹``, upper triangular, where ``K[S, S] = RᵀR``."""
    around: Array | None = None
    """Shape (r,). Where sums over rows are of kernel values around these, with the
    root divided out at the end; None where they are of features."""

    @property
    def rank(self) -> int:
        return len(self.inverse)

    def of(self, points: Points) -> Array:
        """Features of points, shape (m, r)."""
        return self.divided(self.kernel.block(points, self.known))

    def divided(self, K: Array) -> Array:
        """``K R⁻¹``, shape (m, r), of kernel values with the landmarks."""
        F = np.empty_like(K)
        width = max(1, -(-self.rank // PANELS))
        for start in range(0, self.rank, width):
            columns = slice(start, min(start + width, self.rank))
            above = slice(0, columns.stop)
            np.matmul(K[:, above], self.inverse[above, columns], out=F[:, columns])
        return F

    def single(self) -> "LandmarkFeatures":
        """Return the same in float32."""
        known, inverse = self.known.astype(np.float32), self.inverse.astype(np.float32)
        return replace(self, known=known, inverse=inverse)

    def rounding(self, inexact: float, n: int, largest: float, total: float) -> float:
        """Bound what rounding of the features does to an eigenvalue.

        ``‖(F + δ)ᵀ(F + δ) − FᵀF‖ ≤ 2‖F‖‖δ‖ + ‖δ‖²`` with F and δ centred, and no row of
        δ longer than ``inexact``. The error of a sum over n rows grows like the root of
        n, see `added_up`.

        Parameters
        ----------
        n : int
            Rows of F.
        largest, total : float
            ``‖F‖²``, the largest eigenvalue, and the trace of K.
        """
        moved = inexact * n**0.5
        eps = float(np.finfo(self.inverse.dtype).eps)
        added = 8 * eps + n**0.5 * float(np.finfo(np.float64).eps)
        return moved * (2 * largest**0.5 + moved) + added * total


def landmark_features(
    problem: Problem, sample: LandmarkSample, n: int, *, may_be_single: bool
) -> LandmarkFeatures:
    """Prepare the features of the landmarks that a sample has.

    In float32 if its rounding, which the inverse of the root enlarges, is a small part
    of what is wanted.

    Parameters
    ----------
    n : int
        Rows of which the sample is one.
    may_be_single : bool
        Whether float32 can hold all of them.
    """
    gram = problem.gram
    assert isinstance(gram, PointsGram)
    inverse = np.linalg.inv(sample.corner)
    loose = problem.preview or problem.wanted >= SINGLE_REACHES
    exact = LandmarkFeatures(gram.kernel, gram.points.take(sample.landmarks), inverse)
    if loose and may_be_single:
        found = exact.single()
        # The sample speaks for the rows that it is of, which may be some of all n.
        times = n / gram.n
        largest, total = times * sample.largest(problem.center), times * sample.total
        rounding = found.rounding(inexact(found, sample), n, largest, total)
        if rounding <= SINGLE_SHARE * problem.wanted * largest:
            return found
    return exact


def inexact(features: LandmarkFeatures, sample: LandmarkSample) -> float:
    """Return how far rounding moves the features of a row, by the held-out ones."""
    points, exact = sample.held_out()
    found = features.of(points.astype(features.known.dtype))
    return float(np.linalg.norm(found - exact, axis=1).max(initial=0.0))


def added_up(F: Array) -> tuple[Array, Array]:
    """Return ``FᵀF`` (r, r) and the sum of the rows (r,) in float64.

    Of rows that are nearly equal each addition would be rounded the same way; what they
    differ by from the first is added up instead. A product of few columns in float32 is
    one long sum, whose rounding is no longer a small part of it.
    """
    first = F[0].astype(np.float64)
    sums = len(F) * first + (F - F[0]).sum(axis=0, dtype=np.float64)
    if F.shape[1] <= NARROW:
        F = F.astype(np.float64, copy=False)
    return F.T @ F, sums


def row_steps(n: int, rank: int, dtype: Any) -> list[slice]:
    """Cut n rows into blocks; how, does not depend on the machine."""
    rows = BLOCK_BYTES // max(1, rank * np.dtype(dtype).itemsize)
    step = max(1, min(n, max(rows, LEAST_ROWS)))
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]
