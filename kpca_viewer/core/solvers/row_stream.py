"""Low rank over blocks that are never held all at once: a pass or two over them.

The method and its bounds are those of `onepass`; only, no row is held but those of a
sample, and those that a pass draws. Blocks give back sums.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from kpca_viewer.core.kernels.bases import Extent, Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers.blocks import (
    Block,
    Blocks,
    Each,
    checked,
    each_block,
    random_of,
)
from kpca_viewer.core.solvers.landmarks import (
    LandmarkFeatures,
    LandmarkSample,
    inexact,
    row_steps,
)
from kpca_viewer.core.solvers.lowrank_result import drawn
from kpca_viewer.core.solvers.onepass import Pass, solve_by_passes
from kpca_viewer.core.solvers.problem import Decomposition, Grade, Problem
from kpca_viewer.core.solvers.row_sums import (
    MOST_CERTIFYING,
    FeatureSums,
    RowSums,
    most_additions,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, SolverError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import one_blas_thread

MOST_LANDMARKS = 2000
"""Products of so many fit into the memory of every worker."""

TOLERANCE = 1e-3
"""The bound on every eigenvalue, relative to the largest, by default:
what three digits of a picture need."""


@dataclass(frozen=True, eq=False)
class Streamed:
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


@one_blas_thread()
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
    chosen = LandmarkSample(gram, max(problem.k, most_landmarks), rng)
    rows = _StreamRows(blocks, n, sample, gram, each, widens)
    found = solve_by_passes(problem, rows, chosen)
    assert found is not None
    places = found.landmarks
    return Streamed(
        found.decomposition,
        rows.gram.points.take(places),
        rows.table[places],
        found.passes,
        places,
    )


class _StreamRows:
    """A `RowSource` of blocks.

    Attributes
    ----------
    table : ndarray of shape (m, d)
        The rows that are held: the sample, and behind it those that passes have drawn.
    gram : PointsGram
        Of these.
    """

    def __init__(
        self,
        blocks: Blocks,
        n: int,
        table: Array,
        gram: PointsGram,
        each: Each,
        widens: bool,
    ) -> None:
        self.n, self.table, self.gram = n, table, gram
        self._blocks, self._each, self._widens = blocks, each, widens
        self._drawn = Drawn(0, 0)

    def may_be_single(self, problem: Problem) -> bool:
        return self.gram.single().dtype == np.float32

    def count_blocks(self, features: LandmarkFeatures) -> int:
        return len(self._blocks)

    def add_up(
        self,
        problem: Problem,
        sample: LandmarkSample,
        features: LandmarkFeatures,
        certifying: int,
    ) -> Pass:
        n, r = self.n, features.rank
        # Where these certify, more of them may be wanted than are thought to do.
        by_chance = problem.may_be_statistical(r)
        draws = min(n, MOST_CERTIFYING) if by_chance else certifying
        points = self.gram.points
        work = AddBlock(features, points.take(slice(0, 1)), draws, problem.seed)
        products, sums = np.zeros((r, r)), np.zeros(r)
        left = excess = total = 0.0
        rows = largest = 0
        extent, chosen = points.measure(), Drawn(draws, problem.seed)
        answers = self._each(work, self._blocks, problem.should_stop)
        for number, terms in enumerate(answers, start=1):
            progress = number / len(self._blocks)
            problem.progress(f"all rows, {r} landmarks", progress)
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
            chosen.add(terms)
        if rows != n:
            raise DataError(
                f"The blocks had {n:,} rows at the first look and {rows:,} in a later "
                "pass; they must give the same rows whenever they are read."
            )
        found = FeatureSums(
            problem,
            features,
            sample.corner,
            n,
            products,
            sums,
            left,
            excess,
            total,
            features.kernel.rounding(extent, total),
            inexact(features, sample),
        ).divided(most_additions(largest, len(self._blocks)))
        self._drawn = chosen

        def draw(count: int) -> tuple[Points, Array] | None:
            if chosen.rows is None or not chosen.is_fair:
                return None
            new = features.kernel.prepare_new(points, chosen.rows[:count])
            return new.astype(features.known.dtype), chosen.residual[:count]

        # Not all rows are in memory: the landmarks are numbered by themselves.
        return Pass(found, np.arange(r), draw, certifying)

    def eigenvectors(self, passed: Pass) -> tuple[Array, int | None]:
        sums = passed.sums
        # Of a landmark, the features are its column of R.
        return np.asarray((sums.corner.T - sums.mean) @ sums.directions), self.n

    def widen(
        self, problem: Problem, sample: LandmarkSample, passed: Pass
    ) -> tuple[Problem, LandmarkSample] | None:
        rows = self._drawn.rows
        if rows is None:
            return None
        if not self._widens:
            return problem, sample
        first, kernel = len(self.table), self.gram.kernel
        self.table = np.concatenate((self.table, rows[: len(sample.rows) // 4]))
        points = kernel.prepare_new(self.gram.points, self.table)
        self.gram = PointsGram(points, kernel)
        extra = np.union1d(np.arange(first, len(self.table)), sample.landmarks)
        wider = replace(problem, gram=self.gram)
        return wider, sample.following(self.gram, extra)


@dataclass(frozen=True, eq=False)
class Terms:
    """Of some rows with their features F; those of several blocks are added up."""

    products: Array
    """Shape (r, r). As `RowSums` has them."""
    sums: Array
    """Shape (r,)."""
    left: float
    """What is left of the diagonal, of all rows whose features were formed."""
    excess: float
    """By how much rounding has made it negative."""
    total: float
    """The diagonal of K, in all."""
    extent: Extent
    rows: Array = field(repr=False)
    """Shape (q, d). Drawn in proportion to what is left of them, with repetition."""
    residual: Array = field(repr=False)
    """Shape (q,). What is left of each."""


@dataclass(frozen=True, eq=False)
class AddBlock:
    """The work on one block.

    Attributes
    ----------
    features : LandmarkFeatures
    known : Points
        Some points in float64, as which new rows are prepared.
    draws : int
        Rows that are drawn in all, see `draws_of`.
    """

    features: LandmarkFeatures
    known: Points
    draws: int
    seed: int

    def __call__(self, block: Block, number: int) -> Terms | None:
        """Return the terms of a block; None of one without rows."""
        X = checked(block)
        if not len(X):
            return None
        kernel, dtype = self.features.kernel, self.features.known.dtype
        r = self.features.rank
        sums = RowSums(self.features)
        residual, total = np.empty(len(X)), 0.0
        extents = []
        for rows in row_steps(len(X), r, dtype):
            exact = kernel.prepare_new(
                self.known, X[rows].astype(np.float64, copy=False)
            )
            kernel.refuse_overflow(exact)
            extents.append(exact.measure())
            points = exact.astype(dtype)
            diagonal = kernel.diagonal(points).astype(np.float64)
            residual[rows] = diagonal - sums.add(points)
            total += float(diagonal.sum())
        if self.features.around is not None:
            residual[np.isnan(residual)] = 0
        positive = np.maximum(residual, 0.0)
        chosen = np.empty(0, dtype=np.intp)
        if positive.any():
            rng = random_of(self.seed, number)
            chosen = drawn(positive, draws_of(number, self.draws), rng)
        return Terms(
            sums.products,
            sums.sums,
            float(positive.sum()),
            -float(np.minimum(residual, 0.0).sum()),
            total,
            joined_extent(extents),
            X[chosen],
            positive[chosen],
        )


def draws_of(number: int, count: int) -> int:
    """Return how many rows of a block are drawn where ``count`` are kept of all.

    `Drawn` takes about ``count / number`` of them where blocks leave equally much; some
    leave more.
    """
    return min(count, 8 * count // (number + 1) + 256)


def joined_extent(extents: Iterable[Extent]) -> Extent:
    first, *others = extents
    for other in others:
        first = first.joined(other)
    return first


class Drawn:
    """Rows drawn from all blocks in proportion to what is left of them.

    Every place holds one row, and is taken by a row of the next block with the part
    that this block has of all that is left so far. So each is drawn in proportion, and
    independently of the others, whatever the number of blocks.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._count = count
        self._left = 0.0
        self.rows: Array | None = None
        """Shape (count, d); None before anything was left."""
        self.residual = np.zeros(count)
        """Shape (count,)."""
        self.is_fair = True
        """Whether every block had drawn as many as were to be taken of it."""

    def add(self, terms: Terms) -> None:
        if terms.left <= 0:
            return
        self._left += terms.left
        taken = np.flatnonzero(self._rng.random(self._count) < terms.left / self._left)
        if len(taken) > len(terms.rows):
            self.is_fair = False
            taken = taken[: len(terms.rows)]
        if self.rows is None:
            self.rows = np.zeros((self._count, terms.rows.shape[1]))
        self.rows[taken] = terms.rows[: len(taken)]
        self.residual[taken] = terms.residual[: len(taken)]
