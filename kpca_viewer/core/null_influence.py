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
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.influence import ScoreFunction, measure
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

DRAWS = 39
"""Of every column. One that carries nothing exceeds all of them once in forty times."""

MOST_ROWS = 200
"""Rows of which the model is fitted in every draw: some milliseconds."""

TYPICAL = 2.0
"""How many times wider or narrower than the median a typical spread may be. Columns of
noise differ by some tenths where they are not standardised, and their influence with
it; one that carries structure may be far wider, and is no model of noise."""

NOISE = 1e-12
"""Part of the largest below which an eigenvalue, or a spread, is rounding."""


@dataclass(frozen=True, eq=False)
class NullInfluence:
    """What columns would have if they carried nothing.

    Attributes
    ----------
    columns : ndarray of shape (c,)
        Which ones.
    rms : ndarray of shape (c, draws, k)
        Influence of the replaced column on every component, draw by draw. Both are
        compared by what one standard deviation does: it is the influence of the noise
        times its spread, over the spread of the column.
    rows : int
        Of how many rows. With fewer than the data have the band is approximate: its
        end may lie above or below that of all rows.
    """

    columns: Array
    rms: Array
    rows: int

    @property
    def upper(self) -> Array:
        """Upper end of the band for every component, shape (c, k)."""
        return self.rms.max(axis=1)

    @property
    def upper_together(self) -> Array:
        """Upper end for all these components together, shape (c,)."""
        return np.sqrt(np.square(self.rms).sum(axis=2)).max(axis=1)

    @property
    def level(self) -> float:
        """Probability with which a column that carries nothing lies beyond."""
        return 1 / (self.rms.shape[1] + 1)


def null_influence(
    X: Array,
    kernel: Kernel,
    components: Sequence[int],
    columns: Sequence[int],
    *,
    center: bool = True,
    draws: int = DRAWS,
    most_rows: int = MOST_ROWS,
    seed: int = 0,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> NullInfluence:
    """Measure the influence of columns that are replaced by noise.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The rows as they are given to the kernel.
    components : sequence of int
        Which ones, from 0.
    columns : sequence of int
        Which ones to replace, one at a time.
    center : bool
        As in the model.
    most_rows : int
        More are sampled.

    Raises
    ------
    DataError
        Of fewer than three rows, where everything fits.
    KernelError, Cancelled
    """
    if len(X) < 3:
        raise DataError(
            f"{len(X)} rows are too few to tell influence from chance; open three or "
            "more."
        )
    random = np.random.default_rng(seed)
    if len(X) > most_rows:
        X = X[np.sort(random.choice(len(X), most_rows, replace=False))]
    X = np.array(X, dtype=np.float64)
    noise = Noise(X, random)
    found = np.zeros((len(columns), draws, len(components)))
    # One thread: matrices as small as these are not worth sharing.
    with one_blas_thread():
        for place, column in enumerate(columns):
            kept = X[:, column].copy()
            for draw in range(draws):
                check(should_stop)
                drawn = noise.draw()
                X[:, column] = kept.mean() + drawn
                rms = _refitted(X, kernel, components, column, center)
                found[place, draw] = rms * _ratio(drawn.std(), kept.std())
            X[:, column] = kept
            progress("evidence for columns", (place + 1) / len(columns))
    return NullInfluence(np.asarray(columns), found, len(X))


class Noise:
    """Columns that carry nothing, like those of a table X (n, d) in all else."""

    def __init__(self, X: Array, random: np.random.Generator) -> None:
        self._n = len(X)
        self._random = random
        spread = X.std(axis=0)
        # What is left of a constant column by rounding is no shape.
        varying = spread > NOISE * np.abs(X).max(axis=0, initial=0.0)
        deviations = X[:, varying] - X[:, varying].mean(axis=0)
        self._cells = (deviations / spread[varying]).ravel()
        middle = np.median(spread[varying]) if varying.any() else 0.0
        self._spreads = spread[varying & _within(spread, middle, TYPICAL)]

    def draw(self) -> Array:
        """Return one of them, around 0, shape (n,); zeros where no column varies."""
        if not self._cells.size:
            return np.zeros(self._n)
        drawn = self._random.choice(self._cells, self._n, replace=False)
        drawn -= drawn.mean()
        width = float(drawn.std())
        spread = self._random.choice(self._spreads)
        return drawn * (spread / width) if width else drawn


def _ratio(spread: float, own: float) -> float:
    return float(spread / own) if own > 0 else 1.0


def _within(values: Array, middle: float, factor: float) -> Array:
    return (values >= middle / factor) & (values <= middle * factor)


def _refitted(
    X: Array, kernel: Kernel, components: Sequence[int], column: int, center: bool
) -> Array:
    """Fit the model to X and measure one column, shape (len(components),).

    All eigenvalues of so few rows are found at once; nobody needs their bounds.
    """
    points = kernel.points(X, center=center)
    K = kernel.block(points, points)
    if center:
        K -= K.mean(axis=0)
        K -= K.mean(axis=1)[:, None]
    values, vectors = np.linalg.eigh(K)
    values, vectors = values[::-1], vectors[:, ::-1]
    weights = np.zeros((len(X), len(components)))
    for place, component in enumerate(components):
        if component < len(X) and values[component] > NOISE * values[0]:
            weights[:, place] = vectors[:, component] / values[component] ** 0.5
    function = ScoreFunction(kernel, points, weights)
    rms: Array = measure(function, X, np.array([column])).rms[:, 0]
    return rms
