"""What is known of odd rows, as frozen values of a result."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.outliers import Limit, RowDiagnostics
from kpca_viewer.engine.row_numbers import NUMERALS, Numeral

Array = NDArray[Any]


SEVERAL = 3.0
"""Times by which a row is odder by all components than by some, to be spoken of."""

TRIED = 12
"""Columns of a row that are put back to their median, those farthest from it."""


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
        Of the row, and the median of the data, in their units.
    spreads : float
        By how many standard deviations they differ.
    fall : float
        Share of the oddness that is gone where the column has its median instead.
    helps : bool
        Whether that is enough to be spoken of.
    """

    column: int
    name: str
    value: float
    typical: float
    spreads: float
    fall: float
    helps: bool = True


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
