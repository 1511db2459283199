"""Rows that a person has put together: they stay the same rows when the file changes.

Settings hold them, so that everything that follows from settings (a sweep, a pin, a
script, a picture without a window) is about the same rows.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset, source_rows
from kpca_viewer.engine.rows.anchor import MOST_SAVED, By, RowAnchor, row_keys
from kpca_viewer.support.errors import DataError

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

        Parameters
        ----------
        dataset : Dataset
            Read whole.
        stamp : str
            Hash of its file as it is now; empty for data that are no file.
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
        """Refuse what no window could have made.

        Raises
        ------
        DataError
        """
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
