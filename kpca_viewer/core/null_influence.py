"""How much influence a column would have that carries nothing.

The column is replaced by noise: cells of the whole table in random order, each in units
of the spread of its own column, times the spread of some column that is as wide as
columns typically are. The model is fitted anew, and the influence of the replaced
column measured. That is repeated. What a column has beyond all of these draws is more
than chance gives to a column of noise.

Both are compared by what one standard deviation of theirs does. Two lumps that lie far
apart have flat tops: there one unit moves a score but little, and the way from one lump
to the other is many units long.

Permuting the column itself would not do: its relation to other columns would go, but
neither its shape nor its spread, and where one column alone carries the structure these
are all there is: the permuted table is then as likely as the table. And the model must
be fitted anew: components lean towards whatever columns happen to agree in, and a null
that does not is too narrow.

A draw that has more than the column settles that it is inside; a few of them do, so
that the band has an end that is worth drawing. Only a column beyond all draws needs as
many as there are.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.quality import sample_rows
from kpca_viewer.core.refits import ROUNDING, Refits
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import ShouldStop, never
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

DRAWS = 39
"""Of a column. One that carries nothing exceeds all of them once in forty times."""

ENOUGH = 3
"""Draws that have more than a column, after which it is inside for good."""

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


@dataclass(frozen=True, eq=False)
class NullInfluence:
    """What columns would have if they carried nothing.

    Attributes
    ----------
    columns : ndarray of shape (c,)
        Which ones.
    rms : tuple of ndarray of shape (draws, k)
        Of every column, its influence on every component where it is replaced, draw by
        draw; of a column that is inside for good there are fewer draws. Both are
        compared by what one standard deviation does: it is the influence of the noise
        times its spread, over the spread of the column.
    rows : int
        Of how many rows. With fewer than the data have the band is approximate: its
        end may lie above or below that of all rows.
    """

    columns: Array
    rms: tuple[Array, ...]
    rows: int

    def of_places(self, places: Sequence[int]) -> "NullInfluence":
        """Return the same of some of the components, by their places."""
        rms = tuple(draws[:, list(places)] for draws in self.rms)
        return replace(self, rms=rms)

    @property
    def upper(self) -> Array:
        """Upper end of the band for every component, shape (c, k)."""
        return np.array([draws.max(axis=0) for draws in self.rms])

    @property
    def upper_together(self) -> Array:
        """Upper end for all these components together, shape (c,)."""
        return np.array([together(draws).max() for draws in self.rms])


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
        """Yield the influence on every component (k,), draw after draw.

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
                drawn = self._noise.draw(random)
                rms = refits.influence(kept.mean() + drawn, should_stop)
                yield rms * _ratio(drawn.std(), kept.std())


def affordable_rows(columns: int) -> int:
    """Return of how many rows so many columns can be compared with noise."""
    return int(np.clip((ENTRIES / max(columns, 1)) ** 0.5, ALL_ROWS, MOST_ROWS))


class Noise:
    """Columns that carry nothing, like those of a table X (n, d) in all else."""

    def __init__(self, X: Array) -> None:
        self._n = len(X)
        spread = X.std(axis=0)
        # What is left of a constant column by rounding is no shape.
        varying = spread > ROUNDING * np.abs(X).max(axis=0, initial=0.0)
        deviations = X[:, varying] - X[:, varying].mean(axis=0)
        self._cells = (deviations / spread[varying]).ravel()
        middle = np.median(spread[varying]) if varying.any() else 0.0
        self._spreads = spread[varying & _within(spread, middle, TYPICAL)]

    def draw(self, random: np.random.Generator) -> Array:
        """Return one of them, around 0, shape (n,); zeros where no column varies."""
        if not self._cells.size:
            return np.zeros(self._n)
        drawn = random.choice(self._cells, self._n, replace=False)
        drawn -= drawn.mean()
        width = float(drawn.std())
        spread = random.choice(self._spreads)
        return drawn * (spread / width) if width else drawn


def _ratio(spread: float, own: float) -> float:
    return float(spread / own) if own > 0 else 1.0


def _within(values: Array, middle: float, factor: float) -> Array:
    return (values >= middle / factor) & (values <= middle * factor)
