"""What a column would have that carries nothing: influence, and correlation.

The column is put into random order. The model is fitted anew, and both the influence of
that column on every component and its correlation with it are measured. That is
repeated. A column is told from noise in a component where one of the two exceeds all of
these draws, and by so many of their standard deviations that chance would not have
given it to any of the columns.

In random order a column keeps its values: components lean towards wide columns, towards
two lumps, and towards single rows far out, whatever these mean. If it has nothing to do
with the others, the table is as likely as any of the draws. The model must be fitted
anew: components lean towards whatever columns happen to agree in, and a null that does
not is too narrow.

Two lumps that lie far apart have flat tops: there one unit moves a score but little,
and the way from one lump to the other is many units long; their correlation tells it.

Where the other columns are related, a column in random order is a component of its own,
and has as much of it as any column could: there nothing tells that a column carries
nothing.

A draw that has more of either settles that a column is inside, so few draws do. Only a
column beyond all draws needs as many as there are.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.influence import correlations
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.methods.refits import Refits
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import ShouldStop, never
from kpca_viewer.support.threads import one_blas_thread

DRAWS = 39
"""Of a column. One that carries nothing exceeds all of them once in forty times."""

FEWEST = 3
"""Draws of a column that is inside, so that the band has an end worth drawing."""

LEVEL = 0.05
"""Probability that any column of a table of noise is called more than that."""

RELATED = 0.01
"""Probability that columns that have nothing to do with each other count as related."""

LARGEST = 1 - np.finfo(np.float64).eps
"""Correlation of which Fisher's z is finite."""

TESTS = 6
"""Of a column: influence on and correlation with up to three components."""

ALL_ROWS = 1000
"""Of which the model is fitted in every draw, however many columns there are: some
twenty milliseconds."""

MOST_ROWS = 2000
"""And of few columns."""

ENTRIES = 3e7
"""Rows × rows × columns up to which more than `ALL_ROWS` are taken: half a minute at
most, where every column stands out."""

LEAST_SPREAD = 1e-4
"""Part of their mean: draws that differ by less are the same but for the solver."""


@dataclass(frozen=True, eq=False)
class NullInfluence:
    """What columns would have if they carried nothing.

    ``columns`` (c,): which ones; ``draws`` (m, 2, k): of every column in random order,
    draw by draw: its influence on every component, and the size of its correlation with
    it. Of a column that is inside there are fewer draws; ``rows``: of how many rows.
    With fewer than the data have the band is approximate: its end may lie above or
    below that of all rows; ``are_related``: whether any two of these columns are
    correlated, by more than chance.
    """

    columns: Array
    draws: tuple[Array, ...]
    rows: int
    are_related: bool = False

    def of_places(self, places: Sequence[int]) -> "NullInfluence":
        """Return the same of some of the components, by their places."""
        draws = tuple(each[:, :, list(places)] for each in self.draws)
        return replace(self, draws=draws)


def is_known(found: Array, draws: Array) -> bool:
    """Return whether more draws would tell nothing about a column.

    ``found`` (2, k): its influence on every component, and the size of its correlation
    with it; ``draws`` (m, 2, k).
    """
    if not FEWEST <= len(draws) < DRAWS:
        return len(draws) >= DRAWS
    return bool((draws >= found).any(axis=0).all())


def is_beyond(found: Array, draws: Array, columns: int) -> Array:
    """Return in which components a column is told from noise, shape (k,).

    ``found``, ``draws``: as for `is_known`; ``columns``: how many the table has: of
    many, one is far out by chance.
    """
    far = deviations(found, draws) >= least_deviations(columns)
    beyond: Array = (far & (found > draws.max(axis=0))).any(axis=0)
    return beyond


def deviations(found: Array, draws: Array) -> Array:
    """Return how many of their deviations a column is above the mean of draws, (2, k).

    Correlations count as Fisher's z.
    """
    found, draws = _evened(found), _evened(draws)
    mean, spread = draws.mean(axis=0), draws.std(axis=0)
    least = np.maximum(spread, LEAST_SPREAD * np.abs(mean))
    away: Array = found - mean
    # Draws that are all 0 have no deviation: what has any influence is beyond them.
    far = np.where(away > 0, np.inf, 0.0)
    np.divide(away, least, out=far, where=least > 0)
    return far


def _evened(measured: Array) -> Array:
    """Return influence as it is, and correlations (…, 1, k) as Fisher's z."""
    evened = measured.copy()
    evened[..., 1, :] = np.arctanh(np.minimum(measured[..., 1, :], LARGEST))
    return evened


def least_deviations(columns: int) -> float:
    """Return how far beyond the mean of its draws a column of so many has to be.

    By the absolute value of a normal variable: that is what Fisher's z of a correlation
    is with a component that does not lean towards the column.
    """
    share = LEVEL / (TESTS * max(columns, 1))
    mean, spread = (2 / np.pi) ** 0.5, (1 - 2 / np.pi) ** 0.5
    return float((NormalDist().inv_cdf(1 - share / 2) - mean) / spread)


def together(rms: Array) -> Array:
    """Return the influence on all components at once, draw by draw: (draws,)."""
    found: Array = np.sqrt(np.square(rms).sum(axis=1))
    return found


class NullDraws:
    """Columns in random order, and what they have then.

    A draw depends on its column and its number only: who stops may go on later.

    ``X`` (n, d): the rows as they are given to the kernel; ``components``: which ones,
    from 0; ``center``: as in the model; ``most_rows``: more are sampled;
    `affordable_rows` of all columns if not given.
    """

    def __init__(
        self,
        X: Array,
        kernel: Kernel,
        components: Sequence[int],
        *,
        center: bool = True,
        most_rows: int | None = None,
        seed: int = 0,
    ) -> None:
        if len(X) < 3:
            raise DataError(
                f"{len(X)} rows are too few to tell influence from chance; open three "
                "or more."
            )
        most = affordable_rows(X.shape[1]) if most_rows is None else most_rows
        self._X = np.array(X[sample_rows(len(X), most, seed)], dtype=np.float64)
        self._refits = Refits(self._X, kernel, components, center=center)
        self._seed = seed

    @property
    def rows(self) -> int:
        """Of how many rows the model is fitted."""
        return len(self._X)

    def of_column(
        self, column: int, first: int = 0, should_stop: ShouldStop = never
    ) -> Generator[Array, None, None]:
        """Yield influence on and correlation with every component: (2, k) a draw.

        ``first``: the number of the first draw: those before are known.
        """
        # One thread: matrices as small as these are not worth sharing.
        with one_blas_thread():
            refits = self._refits.of_column(column)
            for number in range(first, DRAWS):
                random = np.random.default_rng([self._seed, column, number])
                drawn = random.permutation(self._X[:, column])
                yield refits.influence(drawn, should_stop)

    def are_related(self, columns: Array) -> bool:
        """Return whether any two of some columns are correlated, by more than chance.

        By Fisher's z, for all pairs at once.
        """
        d, n = len(columns), self.rows
        if d < 2 or n < 4:
            return False
        X = self._X[:, columns]
        sizes = np.abs(correlations(X, X)[np.triu_indices(d, 1)])
        share = RELATED / len(sizes)
        least = NormalDist().inv_cdf(1 - share / 2) / (n - 3) ** 0.5
        return bool(np.arctanh(np.minimum(sizes, LARGEST)).max() > least)


def affordable_rows(columns: int) -> int:
    return int(np.clip((ENTRIES / max(columns, 1)) ** 0.5, ALL_ROWS, MOST_ROWS))
