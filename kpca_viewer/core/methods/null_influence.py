"""What a column would have that carries nothing: influence, and correlation.

The column is replaced by noise of its own kind. The model is fitted anew, and both the
influence of the replaced column on every component and its correlation with it are
measured. That is repeated. A column is more than noise in a component where one of the
two exceeds all of these draws, and by so many of their standard deviations that chance
would not have given it to any of the columns.

Noise of its own kind is the column itself in random order where it has few values, one
value in many rows, or heavy tails: components lean towards such columns, whatever they
mean. Of all others it is cells of the whole table, each in units of the spread of its
own column: permuting such a column would leave its shape, and where that has two lumps
and alone carries the structure, the permuted table is as likely as the table. It is as
wide as the column, unless that is far wider or narrower than columns typically are.

Influence is compared by what one standard deviation does. Two lumps that lie far apart
have flat tops: there one unit moves a score but little, and the way from one lump to
the other is many units long; their correlation tells it. The model must be fitted anew:
components lean towards whatever columns happen to agree in, and a null that does not is
too narrow.

A draw that has more of either settles that a column is inside, so few draws do. Only a
column beyond all draws needs as many as there are.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.methods.refits import ROUNDING, Refits
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import ShouldStop, never
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

DRAWS = 39
"""Of a column. One that carries nothing exceeds all of them once in forty times."""

FEWEST = 3
"""Draws of a column that is inside, so that the band has an end worth drawing."""

LEVEL = 0.05
"""Probability that any column of a table of noise is called more than that."""

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

TYPICAL = 2.0
"""How many times wider or narrower than the median a typical spread may be. Columns of
noise differ by some tenths where they are not standardised, and their influence with
it; one that carries structure may be far wider, and is no model of noise."""

LEAST_SPREAD = 1e-4
"""Part of their mean: draws that differ by less are the same but for the solver."""

FEW_VALUES = 20
"""Up to so many different values a column is one of classes or counts."""

MANY_EQUAL = 0.25
"""Part of the rows with one value, from which that is as much as two lumps."""

HEAVY = 1.0
"""Excess kurtosis from which single rows carry a column; a normal column of 40 rows
has more once in 25 times, and is then permuted, which does no harm."""


@dataclass(frozen=True, eq=False)
class NullInfluence:
    """What columns would have if they carried nothing.

    Attributes
    ----------
    columns : ndarray of shape (c,)
        Which ones.
    draws : tuple of ndarray of shape (m, 2, k)
        Of every column where it is replaced, draw by draw: its influence on every
        component, and the size of its correlation with it. Of a column that is inside
        there are fewer draws. Influence is that of the noise times its spread, over the
        spread of the column: both are compared by what one standard deviation does.
    rows : int
        Of how many rows. With fewer than the data have the band is approximate: its
        end may lie above or below that of all rows.
    """

    columns: Array
    draws: tuple[Array, ...]
    rows: int

    def of_places(self, places: Sequence[int]) -> "NullInfluence":
        """Return the same of some of the components, by their places."""
        draws = tuple(each[:, :, list(places)] for each in self.draws)
        return replace(self, draws=draws)


def is_known(found: Array, draws: Array) -> bool:
    """Return whether more draws would tell nothing about a column.

    Parameters
    ----------
    found : ndarray of shape (2, k)
        Its influence on every component, and the size of its correlation with it.
    draws : ndarray of shape (m, 2, k)
    """
    if not FEWEST <= len(draws) < DRAWS:
        return len(draws) >= DRAWS
    return bool((draws >= found).any(axis=0).all())


def is_beyond(found: Array, draws: Array, columns: int) -> Array:
    """Return in which components a column is more than noise, shape (k,).

    Parameters
    ----------
    found, draws : ndarray
        As for `is_known`.
    columns : int
        How many the table has: of many, one is far out by chance.
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
    largest = 1 - np.finfo(np.float64).eps
    evened[..., 1, :] = np.arctanh(np.minimum(measured[..., 1, :], largest))
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
    """Columns that are replaced by noise, and what they have then.

    A draw depends on its column and its number only: who stops may go on later.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The rows as they are given to the kernel.
    components : sequence of int
        Which ones, from 0.
    center : bool
        As in the model.
    most_rows : int, optional
        More are sampled; `affordable_rows` of all columns if not given.

    Raises
    ------
    DataError
        Of fewer than three rows, where everything fits.
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
        self._noise = Noise(self._X)
        self._seed = seed

    @property
    def rows(self) -> int:
        """Of how many rows the model is fitted."""
        return len(self._X)

    def of_column(
        self, column: int, first: int = 0, should_stop: ShouldStop = never
    ) -> Generator[Array, None, None]:
        """Yield influence on and correlation with every component: (2, k) a draw.

        Parameters
        ----------
        first : int
            The number of the first draw: those before are known.

        Raises
        ------
        KernelError, Cancelled
        """
        # One thread: matrices as small as these are not worth sharing.
        with one_blas_thread():
            refits = self._refits.of_column(column)
            kept = self._X[:, column]
            for number in range(first, DRAWS):
                random = np.random.default_rng([self._seed, column, number])
                drawn = self._noise.draw(column, random)
                found = refits.influence(kept.mean() + drawn, should_stop)
                found[0] *= _ratio(drawn.std(), kept.std())
                yield found


def affordable_rows(columns: int) -> int:
    """Return of how many rows so many columns can be compared with noise."""
    return int(np.clip((ENTRIES / max(columns, 1)) ** 0.5, ALL_ROWS, MOST_ROWS))


class Noise:
    """Columns that carry nothing, each of the kind of one of a table X (n, d)."""

    def __init__(self, X: Array) -> None:
        self._n = len(X)
        spread = X.std(axis=0)
        # What is left of a constant column by rounding is no shape.
        varying = spread > ROUNDING * np.abs(X).max(axis=0, initial=0.0)
        self._spread = np.where(varying, spread, 0.0)
        self._Z = (X - X.mean(axis=0)) / np.where(varying, spread, 1.0)
        self._is_own = np.array([is_of_its_own(x) for x in self._Z.T], dtype=bool)
        self._cells = self._Z[:, varying & ~self._is_own].ravel()
        middle = np.median(spread[varying]) if varying.any() else 0.0
        self._is_typical = varying & _within(spread, middle, TYPICAL)

    def draw(self, column: int, random: np.random.Generator) -> Array:
        """Return one of the kind of a column, around 0, shape (n,).

        Zeros where the column is constant.
        """
        if not self._spread[column]:
            return np.zeros(self._n)
        own = self._is_own[column] or not self._cells.size
        cells = self._Z[:, column] if own else self._cells
        drawn = random.choice(cells, self._n, replace=False)
        drawn -= drawn.mean()
        width = float(drawn.std())
        spread = self._spread[column]
        if not self._is_typical[column] and self._is_typical.any():
            spread = random.choice(self._spread[self._is_typical])
        return drawn * (spread / width) if width else drawn


def is_of_its_own(z: Array) -> bool:
    """Return whether a column with spread 1 around 0 is unlike cells of others.

    Few values, one value in many rows, or heavy tails.
    """
    n = len(z)
    counts = np.unique(z, return_counts=True)[1]
    if len(counts) <= min(FEW_VALUES, n / 2) or counts.max() > MANY_EQUAL * n:
        return True
    return float(np.mean(z**4)) - 3.0 > HEAVY


def _ratio(spread: float, own: float) -> float:
    return float(spread / own) if own > 0 else 1.0


def _within(values: Array, middle: float, factor: float) -> Array:
    return (values >= middle / factor) & (values <= middle * factor)
