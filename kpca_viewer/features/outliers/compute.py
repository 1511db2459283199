"""How odd the rows of a result are, measured and as frozen values.

The numbers take one look at every row; what the page shows beside them, limits by
permutation and columns, takes the projection of some thousand rows more.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.outliers import (
    Limit,
    RowDiagnostics,
    diagnosed,
    empirical_limit,
)
from kpca_viewer.core.projection import (
    Cross,
    FeatureSpace,
    training_lengths,
    training_scores,
)
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_numbers import NUMERALS, Numeral
from kpca_viewer.engine.stages import centred
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.progress import ShouldStop, never

SEVERAL = 3.0
"""Times by which a row is odder by all components than by some, to be spoken of."""

LISTED = 50
"""Rows of the list at most; who wants more sorts the table."""

TRIED = 12
"""Columns of a row that are given the value of rows like it, those farthest off."""


@dataclass(frozen=True, eq=False)
class OddRows:
    """The numbers of all rows of a result.

    Attributes
    ----------
    components : tuple of int
        Which ones they are about, from 0.
    numbers : RowDiagnostics
        Of the rows of the data, and behind them of new rows, if there are any.
    fitted : int
        Rows of the data.
    t2_limit : Limit
    spe_limit : Limit or None
        What few rows of the data exceed; None where there are no lengths.
    mean_error : float
        How far the mean in feature space may be from that of all rows: 0 unless
        landmarks carry the model.
    by_all : OddRows or None
        The same by all components; None where these are all.
    """

    components: tuple[int, ...]
    numbers: RowDiagnostics
    fitted: int
    t2_limit: Limit
    spe_limit: Limit | None
    mean_error: float = 0.0
    by_all: "OddRows | None" = None

    def known(self) -> list[tuple[Numeral, Array]]:
        """Return the numbers that there are, each with its values (n,)."""
        values = ((n, getattr(self.numbers, n.key)) for n in NUMERALS)
        return [(numeral, array) for numeral, array in values if array is not None]

    def values(self, key: str) -> Array | None:
        """Return one of the numbers (n,) by its key; None where there is none."""
        found = {numeral.key: array for numeral, array in self.known()}
        return found.get(key)

    def followed_by(self, new: RowDiagnostics) -> "OddRows":
        """Return the same with new rows behind those that are there."""
        old = self.numbers
        numbers = RowDiagnostics(
            np.concatenate((old.t2, new.t2)),
            _joined(old.lengths, new.lengths),
            _joined(old.cos2, new.cos2),
            _joined(old.spe, new.spe),
            old.why_not,
        )
        return replace(self, numbers=numbers)

    @cached_property
    def oddness(self) -> Array:
        """How many times its limit a row has, T² or SPE, whichever is more, (n,)."""
        return oddness(self.numbers, self.t2_limit, self.spe_limit)

    def hidden(self) -> Array:
        """How many times their limit rows have that only all components show, (m,)."""
        if self.by_all is None:
            return np.empty(0)
        there = self.by_all.oddness
        return there[there >= SEVERAL * np.maximum(self.oddness, 1.0)]


def _joined(first: Array | None, second: Array | None) -> Array | None:
    known = first is not None and second is not None
    return np.concatenate((first, second)) if known else None  # type: ignore[arg-type]


def oddness(numbers: RowDiagnostics, t2: Limit, spe: Limit | None) -> Array:
    """Return T² or SPE as multiples of their limits, whichever is more, (m,)."""
    found = _times(numbers.t2, t2)
    if spe is None or numbers.spe is None:
        return found
    return np.maximum(found, _times(numbers.spe, spe))


def _times(values: Array, limit: Limit) -> Array:
    # Where almost all rows have nothing, there is nothing to compare others with.
    return values / (limit.value or 1.0)


@dataclass(frozen=True)
class Cause:
    """A column that makes a row odd.

    Attributes
    ----------
    column : int
        Its place among the features.
    name : str
    value, typical : float
        Of the row, and of rows like it, in the units of the data.
    spreads : float
        By how many standard deviations they differ.
    fall : float
        Share of the oddness that is gone with the latter.
    """

    column: int
    name: str
    value: float
    typical: float
    spreads: float
    fall: float


@dataclass(frozen=True)
class OddRow:
    """One row of the list."""

    row: int
    """Among those of the data and the new ones behind them."""
    oddness: float
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True, eq=False)
class OddList:
    """What only the page Odd rows shows.

    Attributes
    ----------
    of : OddRows
        The numbers that it was made of.
    rows : tuple of OddRow
        Those to look at first, the oddest first.
    shuffled : tuple of Limit, or None
        Limits of T² and SPE by permutation; None where there are no columns to shuffle.
    why_no_columns : str
        One sentence where no column can be named; empty else.
    """

    of: OddRows
    rows: tuple[OddRow, ...]
    shuffled: tuple[Limit, Limit | None] | None
    why_no_columns: str = ""


PAGE = "odd"
"""The key of its page."""

TABLE = "table"
"""The key of the page that lists the numbers beside all others."""

DUST = 1e-9
"""Share of its length below which the distance of a row to the model is rounding."""

MOVING_ROWS = 500
"""Rows up to which the list follows a slider while it is dragged."""


def components_of(result: AnalysisResult) -> tuple[int, ...]:
    """Return the components that the numbers are about: those shown, or all."""
    view, count = result.settings.view, result.scores.shape[1]
    if view.odd_by == "all":
        return tuple(range(count))
    return tuple(sorted(view.judged_axes(count)))


def measure_rows(result: AnalysisResult, should_stop: ShouldStop = never) -> OddRows:
    """Measure the rows of the data.

    Raises
    ------
    Cancelled
    """
    # Of a table in parts, rows are measured by the model of those that are here.
    result = result.of_sample or result
    found, components = result.decomposition, components_of(result)
    diagonal, cross = _of_training(result)
    lengths = training_lengths(found, diagonal, cross, should_stop)
    # Whatever a person has forgotten on purpose, odd rows are those of the model.
    scores = training_scores(found)
    mean_error = FeatureSpace.of(found).mean_error

    def by(components: tuple[int, ...]) -> OddRows:
        numbers = _diagnosed(found, scores, lengths, components)
        spe = numbers.spe
        return OddRows(
            components,
            numbers,
            len(numbers.t2),
            empirical_limit(numbers.t2),
            None if spe is None else empirical_limit(spe),
            mean_error,
        )

    every = tuple(range(scores.shape[1]))
    return replace(by(components), by_all=by(every) if components != every else None)


def with_new(
    odd: OddRows, result: AnalysisResult, X: Array, should_stop: ShouldStop = never
) -> OddRows:
    """Return what is known of odd rows with new rows (m, d) behind them.

    Raises
    ------
    KernelError
    Cancelled
    """
    result = result.of_sample or result
    placed, found = _placed(result, X, should_stop), result.decomposition
    joined = odd.followed_by(_diagnosed(found, *placed, odd.components))
    if (by_all := odd.by_all) is None:
        return joined
    new = _diagnosed(found, *placed, by_all.components)
    return replace(joined, by_all=by_all.followed_by(new))


def measure_new(
    result: AnalysisResult, X: Array, should_stop: ShouldStop = never
) -> RowDiagnostics:
    """Measure new rows (m, d), given in the units of the data, by the same model.

    Raises
    ------
    KernelError
        Where a matrix is given, which has no rows like these.
    Cancelled
    """
    result = result.of_sample or result
    placed = _placed(result, X, should_stop)
    return _diagnosed(result.decomposition, *placed, components_of(result))


def _placed(
    result: AnalysisResult, X: Array, should_stop: ShouldStop
) -> tuple[Array, Array]:
    """Return scores (m, k) of new rows (m, d), and their lengths (m,)."""
    if result.kernel is None:
        raise KernelError(
            "A given matrix says nothing of new rows; open the table it was made of."
        )
    scaled = result.scaler.apply(np.asarray(X, dtype=np.float64))
    diagonal, cross = _between(result, result.kernel, scaled)
    return FeatureSpace.of(result.decomposition).placed(cross, diagonal, should_stop)


def _diagnosed(
    found: Decomposition, scores: Array, lengths: Array, components: tuple[int, ...]
) -> RowDiagnostics:
    """Return the numbers of rows, without distances that are nothing but rounding."""
    numbers = diagnosed(found, scores, lengths, np.array(components))
    spe, length = numbers.spe, numbers.lengths
    if spe is None or length is None:
        return numbers
    return replace(numbers, spe=np.where(spe <= DUST * length, 0.0, spe))


def _of_training(result: AnalysisResult) -> tuple[Array, Cross]:
    """Return ``k(x, x)`` (n,) of the rows, and the kernel between them."""
    dataset, kernel = result.dataset, result.kernel
    if kernel is not None:
        return _between(result, kernel, None)
    given = dataset.points
    if dataset.kind == "distances":
        # What is decomposed of distances is −½D², whose diagonal is zero.
        given = -0.5 * np.square(given)

    def cross(rows: slice, columns: Array | None) -> Array:
        return given[rows] if columns is None else given[rows][:, columns]

    return np.diagonal(given).astype(np.float64), cross


def _between(
    result: AnalysisResult, kernel: Kernel, scaled: Array | None
) -> tuple[Array, Cross]:
    """Return ``k(x, x)`` of scaled rows, and the kernel between them and the data."""
    center = centred(result.dataset, result.settings)
    known = kernel.prepare_training(result.points, center=center)
    new = known if scaled is None else kernel.prepare_new(known, scaled)

    def cross(rows: slice, columns: Array | None) -> Array:
        right = known if columns is None else known.take(columns)
        return kernel.block(new.take(rows), right)

    return kernel.diagonal(new).astype(np.float64), cross
