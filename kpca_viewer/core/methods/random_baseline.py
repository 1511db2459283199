"""A picture of data beside pictures of random data by the same kernel.

Random data that are like a table in all but its structure.

Scores of few rows on few components, quickly, where no bounds are needed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.eigenpairs import (
    LEAST_RANK,
    eigenpairs,
    lanczos_pairs,
    pairs_in_range,
)
from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.core.methods.gaps import (
    ColumnGroups,
    Gap,
    column_groups,
    empty_middle,
    find_gaps,
    spread_over_grid,
)
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.orientation import canonical_signs
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

Scale = Callable[[Array], Array]

Gaps = tuple[Gap, ...]

DRAWS = 99
"""Of each kind of random data. What is larger than in all of them is so by chance once
in a hundred times."""

MOST_ROWS = 400
"""Rows of every picture; of more a fixed sample: all draws take a second."""

FEWEST_ROWS = 4
"""Two groups of two."""

LEVEL = 0.05
"""Part of random data that may have as rare a gap before it counts as chance."""

Null = Literal["permuted", "gaussian"]
"""Columns permuted independently, which keeps each of them and nothing between them; or
a Gaussian, which keeps mean and covariance and nothing else."""


@dataclass(frozen=True, eq=False)
class Against:
    """Random data of one kind beside the data.

    ``drawn`` (draws, m, k): scores of every draw, oriented by one rule; ``own`` (g +
    1,): widths of the gaps of the data, and how empty their middle is; ``measures``
    (draws, g + 1): the same of every draw.
    """

    null: Null
    drawn: Array
    own: Array
    measures: Array

    @property
    def shares(self) -> Array:
        """Part of random data in which each measure (g + 1,) is as large."""
        shares: Array = (self.measures >= self.own * (1 - 1e-9)).mean(axis=0)
        return shares

    @property
    def as_rare(self) -> float:
        """Part of random data that has any gap as rare as the rarest of the data.

        Of several gaps one is rare by chance; in random data as well.
        """
        widths = np.vstack([self.own, self.measures])[:, :-1]
        rarity = (widths >= widths[:, None] * (1 - 1e-9)).mean(axis=1)
        rarest = rarity.min(axis=1)
        return float((rarest[1:] <= rarest[0] * (1 + 1e-9)).mean())

    @property
    def makes_such_gaps(self) -> bool:
        """Whether these data have gaps as rare; the data are one more draw."""
        draws = len(self.measures)
        return (1 + draws * self.as_rare) / (1 + draws) > LEVEL + 1e-9


@dataclass(frozen=True, eq=False)
class Reality:
    """What the same kernel shows of data and of random data.

    ``axes``: components, from 0; ``rows`` (m,): which ones the pictures are of;
    ``picture`` (m, k): scores of the data, oriented as those of the draws; ``gaps``:
    along each axis, and in the picture; ``against``: each kind of random data; of one
    column a Gaussian alone; ``columns``: what single columns make; ``off_grid``: the
    same gaps where columns with few values are spread over their steps; empty where
    there are none.
    """

    axes: tuple[int, ...]
    rows: Array
    picture: Array
    gaps: tuple[Gap, ...]
    against: tuple[Against, ...]
    columns: ColumnGroups
    off_grid: tuple[Gap, ...] = ()

    def by(self, null: Null) -> Against:
        """Return random data of one kind, or of the only kind there is."""
        return next((a for a in self.against if a.null == null), self.against[-1])

    @property
    def place(self) -> int:
        """Which gap to look at: the rarest of those that are seen, or of all."""
        shares = np.max([against.shares for against in self.against], axis=0)
        return min(
            range(len(self.gaps)), key=lambda j: (not self.gaps[j].is_seen, shares[j])
        )

    @property
    def gap(self) -> Gap:
        return self.gaps[self.place]

    @property
    def is_beyond(self) -> Array:
        """Which measures (g + 1,) are larger than in all draws of both kinds.

        The gap of the picture does not count: by distances between neighbours, points
        all over a line have wider ones than a Gaussian on it.
        """
        counts = [gap.component is not None for gap in self.gaps]
        beyond = np.array([*counts, True])
        for against in self.against:
            beyond &= against.shares == 0
        return beyond & (len(self.against) > 1)


def refuse_to_compare(X: Array) -> None:
    """Raise a `DataError` for a table (n, d) that no random data can be like."""
    if len(X) < FEWEST_ROWS:
        rows = "One row has" if len(X) == 1 else f"{len(X)} rows have"
        raise DataError(
            f"{rows} no groups that chance could make; open {FEWEST_ROWS} or more."
        )
    if not varying_columns(X).any():
        raise DataError("All rows are equal: random data like them are the same.")


def compare(
    X: Array,
    kernel: Kernel,
    axes: Sequence[int],
    *,
    scale: Scale | None = None,
    center: bool = True,
    draws: int = DRAWS,
    most_rows: int = MOST_ROWS,
    seed: int = 0,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Reality:
    """Fit a kernel to data and to random data like them, and measure all gaps.

    ``X`` (n, d); ``axes``: components, from 0; ``scale``: turns rows (m, d) into those
    that the kernel sees; ``most_rows``: more are sampled.
    """
    refuse_to_compare(X)
    rows = sample_rows(len(X), most_rows)
    X = np.asarray(X[rows], dtype=np.float64)
    columns = column_groups(X, should_stop)
    grid = columns.values > 0

    def measured(table: Array, *, exact: bool = False) -> tuple[Array, Gaps, Array]:
        seen = table if scale is None else scale(table)
        scores = leading_scores(seen, kernel, axes, center=center, exact=exact)
        gaps = find_gaps(scores, axes)
        return scores, gaps, np.array([*(g.width for g in gaps), empty_middle(seen)])

    nulls = nulls_of(X)
    against: list[Against] = []
    # One thread: matrices as small as these are not worth sharing.
    with one_blas_thread():
        picture, gaps, own = measured(X, exact=True)
        off_grid = measured(spread_over_grid(X, grid))[1] if grid.any() else ()
        for null in nulls:
            drawn, found = np.empty((draws, len(rows), len(axes))), []
            for draw, table in enumerate(draws_of(X, null, draws, seed, grid=grid)):
                check(should_stop)
                drawn[draw], _, measures = measured(table)
                found.append(measures)
                done = (len(against) * draws + draw + 1) / (len(nulls) * draws)
                progress("random data", done)
            against.append(Against(null, drawn, own, np.array(found)))
    return Reality(tuple(axes), rows, picture, gaps, tuple(against), columns, off_grid)


CONSTANT = 1e-12
"""Part of its largest value below which the spread of a column is rounding."""


def varying_columns(X: Array) -> Array:
    spread = X.std(axis=0)
    varying: Array = spread > CONSTANT * np.abs(X).max(axis=0, initial=0.0)
    return varying


def nulls_of(X: Array) -> tuple[Null, ...]:
    """Return the nulls that say something about a table (n, d).

    One column that is permuted has the same values as before: every picture of it is
    the picture of the data.
    """
    return ("permuted", "gaussian") if varying_columns(X).sum() > 1 else ("gaussian",)


def draws_of(
    X: Array, null: Null, count: int, seed: int = 0, *, grid: Array | None = None
) -> Iterator[Array]:
    """Draw tables (n, d) like another one, each by a generator of its own.

    The columns in ``grid`` (d,) keep their values in a Gaussian too, in its order: what
    a grid makes is no structure.
    """
    randoms = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(count))
    if null == "permuted":
        yield from (random.permuted(X, axis=0) for random in randoms)
        return
    make = _gaussian(X)
    kept = np.flatnonzero([] if grid is None else grid)
    values = np.sort(X[:, kept].T)
    for random in randoms:
        drawn = make(random)
        # No two numbers of a normal variable are equal: any kind of order will do.
        columns = drawn[:, kept].T
        np.put_along_axis(columns, np.argsort(columns), values, axis=1)
        drawn[:, kept] = columns.T
        yield drawn


def _gaussian(X: Array) -> Callable[[np.random.Generator], Array]:
    """Draw rows with the mean and the covariance of X (n, d).

    ``R`` of the centred rows has their covariance, in as many rows as they have rank.
    """
    mean, n = X.mean(axis=0), len(X)
    R = np.linalg.qr(X - mean, mode="r") / np.sqrt(n)
    return lambda random: mean + random.standard_normal((len(R), n)).T @ R


DENSE_BELOW = 120
"""Rows of which all eigenvalues are as quick as a few."""


def leading_scores(
    X: Array,
    kernel: Kernel,
    axes: Sequence[int],
    *,
    center: bool = True,
    exact: bool = True,
) -> Array:
    """Scores (m, len(axes)) of few rows as the kernel sees them.

    Where there is no such component, or its eigenvalue is negative, scores are 0.

    ``exact``: whether rows may be symmetric, with eigenvalues that occur more than
    once; no random data have any.
    """
    points = kernel.points(X, center=center)
    K = kernel.block(points, points)
    if center:
        double_center(K)
    rank, k = kernel.feature_dimension(X.shape[1]), max(axes) + 1
    if exact or len(K) < DENSE_BELOW:
        values, vectors = eigenpairs(K)
    elif rank < LEAST_RANK:
        values, vectors = pairs_in_range(K, int(rank))
    elif k > len(K) // 10:
        values, vectors = eigenpairs(K)
    else:
        values, vectors = lanczos_pairs(K, k, tol=1e-9)
    scores = np.zeros((len(X), len(axes)))
    for place, axis in enumerate(axes):
        if axis < len(values):
            root = np.sqrt(max(float(values[axis]), 0.0))
            scores[:, place] = root * vectors[:, axis]
    return scores * canonical_signs(scores)


NINE = 9
"""Pictures of a round, one of which is the data."""


@dataclass(frozen=True)
class Round:
    """Which picture stands where."""

    place: int
    """Of the data, from 0."""
    draws: tuple[int, ...]
    """Those of random data at all other places, in their order."""

    @classmethod
    def of(cls, number: int, drawn: int) -> "Round":
        """Deal a round by its number, from so many draws; the same every time."""
        random = np.random.default_rng(number)
        place = int(random.integers(NINE))
        draws = random.choice(drawn, NINE - 1, replace=drawn < NINE - 1)
        return cls(place, tuple(int(draw) for draw in draws))

    def draw_at(self, place: int) -> int | None:
        """Return the draw at a place; None where the data are."""
        if place == self.place:
            return None
        return self.draws[place - (place > self.place)]
