"""Landmarks for many rows, chosen on a sample of them.

A few thousand rows tell which landmarks all of them need. The landmarks are drawn by
Cholesky with random pivots from one part of the sample; the other part is held out, so
that what they leave there is what they leave everywhere.

Features by landmarks: ``F = K[rows, S] R⁻¹`` of any rows, ``K̂ = FFᵀ ⪯ K``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.orientation import canonical, oriented
from kpca_viewer.core.solvers.lowrank import SETTLED
from kpca_viewer.core.solvers.lowrank_factor import Factor, largest_eigenvalue
from kpca_viewer.core.solvers.lowrank_result import (
    drawn,
    foreseen_bound,
    sample_norm,
    small_eigenpairs,
)
from kpca_viewer.core.solvers.problem import FAILURE, Problem
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import check

ROWS = 9_000
"""From which landmarks are drawn."""

HELD_OUT = 3_000
"""Beside them, to see what the landmarks leave."""

BLOCK = 64
"""Landmarks at a time."""

LEAST_MORE = 96
"""Landmarks that are added at least where a pass has shown that more are needed."""

LOOKED_AT = 2000
"""Held-out rows from which the norm of what is left is foreseen."""

NOISE = 64 * float(np.finfo(np.float64).eps)
"""Part of the diagonal below which what is left of it is rounding."""


class LandmarkSample:
    """A sample of rows with a growing set of landmarks.

    Parameters
    ----------
    gram : PointsGram
        Of all rows.
    capacity : int
        The largest number of landmarks.
    extra : ndarray of shape (e,)
        Rows that must be in the sample.
    known : ndarray of shape (r,)
        Landmarks to begin with, in their order; they are among ``extra``.
    """

    def __init__(
        self,
        gram: PointsGram,
        capacity: int,
        rng: np.random.Generator,
        extra: Array | None = None,
        known: Array | None = None,
    ) -> None:
        n = gram.n
        size = min(n, ROWS + HELD_OUT)
        rows = rng.choice(n, size, replace=False)
        held = rows[: size * HELD_OUT // (ROWS + HELD_OUT)]
        rest = rows[len(held) :]
        if extra is not None:
            held = np.setdiff1d(held, extra)
            rest = np.concatenate((extra, np.setdiff1d(rest, extra)))
        self.rows = np.concatenate((rest, held))
        """Shape (m,). The held-out ones last."""
        self.rng = rng
        self.limit = capacity
        """Landmarks that are wanted at most; the sample may have fewer rows."""
        self._gram = gram
        self._largest = 0.0
        self._n, self._drawable = n, len(rest)
        self._power = rng.standard_normal(max(1, min(capacity, len(rest))))
        self.factor = Factor(gram.subset(self.rows), len(self._power), np.float64)
        self._noise = NOISE * float(self.factor.diagonal.max(initial=0.0))
        self.total = self.left
        """The trace of all of K, estimated in the same way as what is left of it."""
        if known is not None and len(known):
            order = np.argsort(rest)
            places = order[np.searchsorted(rest, known, sorter=order)]
            for start in range(0, len(places), BLOCK):
                self.factor.add(places[start : start + BLOCK], BLOCK, self._noise)

    @property
    def landmarks(self) -> Array:
        """Shape (r,). Rows among all of them."""
        return self.rows[self.factor.pivots[: self.rank]]

    @property
    def rank(self) -> int:
        return self.factor.rank

    @property
    def corner(self) -> Array:
        """Shape (r, r). Upper triangular: the root of K of the landmarks."""
        r = self.rank
        return np.triu(self.factor.F[:r, self.factor.pivots[:r]])

    @property
    def capacity(self) -> int:
        return len(self.factor.pivots)

    @property
    def is_full(self) -> bool:
        return self.rank >= self.capacity or not self._residual.any()

    @property
    def left(self) -> float:
        """What the landmarks leave of the trace, estimated from held-out rows."""
        held = self.factor.residual[self._drawable :]
        # None are left where almost every row had to be in the sample.
        return self._n * float((held if held.size else self.factor.residual).mean())

    def largest(self, center: bool) -> float:
        """Estimate the largest eigenvalue of all rows, from below."""
        if self._largest == 0 or self.left > SETTLED * self._largest:
            # Landmarks only add to it, so that an earlier value is good enough.
            found = largest_eigenvalue(self.factor, center, self._power)
            self._largest = found * self._n / len(self.rows)
        return self._largest

    @property
    def is_exhausted(self) -> bool:
        return self.left <= self._n * self._noise

    def oriented_vectors(self, center: bool, k: int) -> tuple[Array, Array]:
        """Return rows among all, and the leading eigenvectors there, by the rule.

        Landmarks that are added later move the farthest row, which decides by the rule,
        from one side to the other; these vectors decide once for all.
        """
        r, m = self.rank, len(self.rows)
        G = self.factor.centred_gram(center)
        values, U, live = small_eigenpairs(G, k, np.float64)
        F = self.factor.F[:r].T
        mean = self.factor.sums[:r] / m if center else np.zeros(r)
        V = (F - mean) @ (U[:, :live] / np.sqrt(values[:live]))
        return self.rows, oriented(V, canonical(V, values[:live]))

    def held_out(self) -> tuple[Points, Array]:
        """Return held-out points, and their features (m, r) in float64."""
        held = slice(self._drawable, None)
        return self.points(self.rows[held]), self.factor.F[: self.rank, held].T

    def points(self, rows: Array) -> Points:
        return self._gram.points.take(rows)

    def following(self, gram: PointsGram, extra: Array) -> "LandmarkSample":
        """Return a sample with the same landmarks, and some rows more.

        Parameters
        ----------
        gram : PointsGram
            Of all rows, perhaps of more than before.
        extra : ndarray of shape (e,)
            The landmarks, and rows that these explain badly.
        """
        found = LandmarkSample(gram, self.limit, self.rng, extra, self.landmarks)
        # The held-out rows have promised enough; these few have shown otherwise.
        found.grow_to(self.rank + max(LEAST_MORE, self.rank // 4))
        return found

    def grow_to(self, count: int, target: float = 0.0) -> None:
        """Add landmarks up to so many, if there are as many that bring something.

        Parameters
        ----------
        target : float
            What may be left of the trace: a row with far less than its part of that is
            worth no landmark, and dividing by its root would enlarge rounding.
        """
        goal = min(count, self.capacity)
        while self.rank < goal and not self.is_full:
            size = min(BLOCK, goal - self.rank)
            candidates = np.unique(drawn(self._residual, 2 * size, self.rng))
            self.rng.shuffle(candidates)
            smallest = max(0.3 * max(self.left, target) / self._n, self._noise)
            self.factor.add(candidates, size, smallest, self.rng)

    def foreseen_norms(self, problem: Problem, sizes: Iterable[int]) -> list[float]:
        """Return the bounds on the norm of what is left that so many rows will give."""
        check(problem.should_stop)
        rows = np.arange(self._drawable, len(self.rows))
        residual, left = self.factor.residual[rows], self.left
        if left <= 0 or not rows.size:
            return [left for _ in sizes]
        # Each once: among few rows many would come again, and add to the norm.
        index = rows[np.unique(drawn(residual, min(LOOKED_AT, len(rows)), self.rng))]
        F = self.factor.F[: self.rank, index]
        E = self.factor.gram.block(index, index) - F.T @ F
        sampled = sample_norm(problem, E, self.factor.residual[index], left)
        return [
            foreseen_bound(sampled, left, len(index), size, FAILURE) for size in sizes
        ]

    @property
    def _residual(self) -> Array:
        return self.factor.residual[: self._drawable]


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


@dataclass(frozen=True, eq=False)
class ProjectRows:
    """The work on some points that gives eigenvectors (m, live) of theirs."""

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
