"""Which row is meant, whatever its place: by its name, or else by its values.

Names and selections are kept by the number of a row. When the file has changed since,
the rows are found again by a key of 64 bits each.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset, source_rows
from kpca_viewer.support.errors import DataError

IntArray = NDArray[np.int64]
By = Literal["name", "content"]

MOST_NAMES = 200_000
"""Rows beyond which names are not compared: their values are read faster."""

MOST_COLUMNS = 64
"""Of the values of a row, so many tell it from the others."""

MOST_SAVED = 100_000
"""Selected rows whose keys are written into a session file."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True, eq=False)
class RowAnchor:
    """The keys of rows in one content of a file."""

    stamp: str
    """Hash of the file."""
    by: By = "content"
    """What the keys are made of."""
    keys: IntArray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    """Shape (m,)."""
    rows: IntArray | None = field(default=None, repr=False)
    """Shape (m,). Whose keys these are, ascending; None for all rows."""

    @classmethod
    def of(cls, dataset: Dataset, stamp: str) -> "RowAnchor":
        """Return the keys of all rows."""
        keys = row_keys(dataset, "name")
        if keys is not None:
            return cls(stamp, "name", keys)
        found = row_keys(dataset, "content")
        assert found is not None
        return cls(stamp, "content", found)

    def same(self, other: "RowAnchor | None") -> bool:
        """Return whether these are the same keys of the same rows."""
        if other is None or (self.stamp, self.by) != (other.stamp, other.by):
            return False
        if self.rows is None or other.rows is None:
            same = self.rows is other.rows
        else:
            same = np.array_equal(self.rows, other.rows)
        return same and np.array_equal(self.keys, other.keys)

    def some(self, rows: IntArray) -> "RowAnchor":
        """Return the keys of some rows, ascending; those that are not known are out."""
        here = np.arange(len(self.keys)) if self.rows is None else self.rows
        known = np.intersect1d(rows, here)
        places = np.searchsorted(here, known)
        return RowAnchor(self.stamp, self.by, self.keys[places], known)

    def find(self, rows: IntArray, dataset: Dataset) -> IntArray:
        """Return where rows (m,) are in other data, −1 for those that are not.

        Of rows that are alike, one that has kept its place is taken first, and the
        others in their order.
        """
        result = np.full(len(rows), -1, dtype=np.int64)
        there = row_keys(dataset, self.by)
        if there is None:
            return result
        known = self.some(rows)
        assert known.rows is not None
        keys, places = known.keys, known.rows
        stays = places < len(there)
        stays[stays] = there[places[stays]] == keys[stays]
        found = np.where(stays, places, _first_alike(keys, stays, there))
        at = np.searchsorted(places, rows)
        at[at == len(places)] = 0
        if len(places):
            hit = places[at] == rows
            result[hit] = found[at[hit]]
        return result


def row_keys(dataset: Dataset, by: By, rows: IntArray | None = None) -> IntArray | None:
    """Return a key for some rows, or all; None where names do not tell them apart."""
    if by == "content":
        return _hashed(_bits(dataset.points if rows is None else dataset.points[rows]))
    names = dataset.row_names
    if names is None or len(names) > MOST_NAMES or len(set(names)) < len(names):
        return None
    if rows is not None:
        names = tuple(names[row] for row in rows.tolist())
    letters = np.array(names, dtype=np.str_)
    width = letters.dtype.itemsize // 4
    return _hashed(letters.view(np.uint32).reshape(len(names), width))


def _first_alike(keys: IntArray, stays: NDArray[np.bool_], there: IntArray) -> IntArray:
    """Return for each key (m,) a row that has it: the k-th one for the k-th of them."""
    order = np.argsort(there, kind="stable")
    left = np.searchsorted(there[order], keys, "left")
    count = np.searchsorted(there[order], keys, "right") - left
    rank = np.zeros(len(keys), dtype=np.int64)
    moving = np.flatnonzero(~stays)
    by_key = moving[np.argsort(keys[moving], kind="stable")]
    if len(by_key):
        starts = np.r_[True, np.diff(keys[by_key]) != 0]
        first = np.maximum.accumulate(np.where(starts, np.arange(len(by_key)), 0))
        rank[by_key] = np.arange(len(by_key)) - first
    found = np.full(len(keys), -1, dtype=np.int64)
    hit = rank < count
    found[hit] = order[(left + rank)[hit]]
    return found


def _bits(points: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return numbers (n, d) as bits, in which equal numbers are equal."""
    d = points.shape[1]
    if d > MOST_COLUMNS:
        points = points[:, np.linspace(0, d - 1, MOST_COLUMNS).astype(np.intp)]
    same = points + 0.0  # −0 is 0
    same[np.isnan(same)] = np.nan
    return np.ascontiguousarray(same).view(np.uint64)


def _hashed(values: NDArray[Any]) -> IntArray:
    """Return 64 bits for every row of (n, d) whole numbers.

    Zeros at the end count for nothing, so that texts do not depend on the longest.
    """
    result = np.zeros(len(values), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for column in range(values.shape[1]):
            part = values[:, column].astype(np.uint64)
            # Another start for every column: 1, 2 is not 2, 1.
            mixed = part + np.uint64(column + 1) * _ODD
            for shift, factor in zip((30, 27), _MIX, strict=True):
                mixed = (mixed ^ (mixed >> np.uint64(shift))) * factor
            result += np.where(
                part == 0, np.uint64(0), mixed ^ (mixed >> np.uint64(31))
            )
    return result.view(np.int64)


# Rows that a person has put together: they stay the same rows when the file changes.
#
# Settings hold them, so that everything that follows from settings (a sweep, a pin, a
# script, a picture without a window) is about the same rows.


Mask = NDArray[np.bool_]

MOST_ROWS = 20_000_000
"""Of which some are meant: a few bytes can declare a billion, which no picture has."""


@dataclass(frozen=True)
class RowSet:
    """Some rows of a source, small enough for every step of a history."""

    rows: int
    """Of the source, up to the last that is meant."""
    bits: bytes = field(repr=False)
    """One for each of them, from the first on."""
    stamp: str = ""
    """Hash of the file; empty for data that are no file."""
    by: By = "content"
    """What the keys are made of."""
    keys: bytes = field(default=b"", repr=False)
    """64 bits for each row that is meant, by which it is found in a file that has
    changed; none for very many rows."""

    @classmethod
    def of(cls, mask: Mask, dataset: Dataset, stamp: str) -> "RowSet":
        """Return the rows of a mask (n,) over a data set that was read whole."""
        chosen = np.flatnonzero(mask)
        numbers = source_rows(dataset)[chosen]
        flags = np.zeros(int(numbers[-1]) + 1 if len(numbers) else 0, dtype=bool)
        flags[numbers] = True
        by: By = "name"
        keys = None
        if stamp and len(chosen) <= MOST_SAVED:
            keys = row_keys(dataset, by, chosen)
            if keys is None:
                by = "content"
                keys = row_keys(dataset, by, chosen)
        return cls(
            len(flags),
            np.packbits(flags).tobytes(),
            stamp,
            by,
            b"" if keys is None else keys.astype("<i8").tobytes(),
        )

    @property
    def count(self) -> int:
        return int(self._flags().sum())

    def find(self, dataset: Dataset, stamp: str) -> tuple[Mask, int]:
        """Return the rows as a mask (n,), and how many are not there any more.

        The data set was read whole. The stamp is the hash of its file as it is now;
        empty for data that are no file.
        """
        flags, numbers = self._flags(), source_rows(dataset)
        mask = np.zeros(dataset.n, dtype=bool)
        if not stamp or stamp == self.stamp:
            known = numbers < len(flags)
            mask[known] = flags[numbers[known]]
            return mask, 0
        rows = np.flatnonzero(flags)
        keys = np.frombuffer(self.keys, dtype="<i8").astype(np.int64)
        if len(keys) != len(rows):
            return mask, len(rows)
        places = RowAnchor(self.stamp, self.by, keys, rows).find(rows, dataset)
        mask[places[places >= 0]] = True
        return mask, int((places < 0).sum())

    def renumbered(self, places: NDArray[np.int64]) -> "RowSet":
        """Return the rows where they stand now; a place of −1 (n,) is none."""
        rows = np.flatnonzero(self._flags())
        there = places[rows[rows < len(places)]]
        there = there[there >= 0]
        flags = np.zeros(int(there.max(initial=-1)) + 1, dtype=bool)
        flags[there] = True
        return RowSet(len(flags), np.packbits(flags).tobytes())

    def check(self) -> None:
        """Refuse what no window could have made."""
        sound = 0 <= self.rows <= MOST_ROWS and len(self.bits) == -(-self.rows // 8)
        if not sound or (self.keys and len(self.keys) != 8 * self.count):
            raise DataError("The rows that are put together are damaged.")

    def _flags(self) -> Mask:
        packed: NDArray[Any] = np.frombuffer(self.bits, dtype=np.uint8)
        return np.unpackbits(packed, count=self.rows).astype(bool)


@dataclass(frozen=True)
class Excluded:
    """Which rows of the data are left out of the analysis."""

    rows: RowSet
    only: bool = False
    """Whether all others are left out instead, those that come later too."""

    def find(self, dataset: Dataset, stamp: str) -> tuple[Mask, int]:
        """Return the rows that are left out as `RowSet.find` does."""
        mask, lost = self.rows.find(dataset, stamp)
        return (~mask if self.only else mask), lost

    def describe(self) -> str:
        """Return what is left out: "12", or "all but 30"."""
        count = f"{self.rows.count:,}"
        return f"all but {count}" if self.only else count


def left_out_words(count: int) -> str:
    """Return "12 rows left out"."""
    return "1 row left out" if count == 1 else f"{count:,} rows left out"
