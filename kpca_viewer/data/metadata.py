"""MetaColumn: what is known about rows without being part of any analysis."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpca_viewer.support.errors import DataError

MISSING = -1
"""The code of a cell without a word."""

MOST_CATEGORIES = 256
"""More words than this are told apart by no colour: they are names or free text."""

FEW_NUMBERS = 12
"""At most so many different whole numbers are codes of categories."""

_SORTED_UP_TO = 1000
"""More words keep the order in which they come: such a list is too long to read."""

_DATE = re.compile(
    r"\d{4}([-/])\d{2}\1\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?", re.ASCII
)


@dataclass(frozen=True, eq=False)
class MetaColumn:
    """One column: numbers with NaN for missing, or codes of words with −1."""

    values: NDArray[Any] = field(repr=False)
    """Shape (n,). float64 for numbers, int64 where there are words; read-only."""
    words: tuple[str, ...] | None = field(default=None, repr=False)
    """What the codes stand for; None for numbers."""

    def __post_init__(self) -> None:
        dtype = np.float64 if self.words is None else np.int64
        object.__setattr__(self, "values", _frozen(self.values, dtype))
        if self.words is None:
            return
        low, high = self.values.min(initial=0), self.values.max(initial=MISSING)
        if low < MISSING or high >= len(self.words):
            raise DataError(
                f"The codes of a column run from {low} to {high}, but there are "
                f"{len(self.words)} words; give one word per code."
            )

    @classmethod
    def of(
        cls, values: "MetaColumn | ArrayLike | Sequence[str | None]"
    ) -> "MetaColumn":
        """Return values of any kind as a column: numbers, flags or texts."""
        if isinstance(values, MetaColumn):
            return values
        array = np.asarray(values)
        if array.dtype.kind in "biuf":
            return cls(array)
        cells = array.reshape(-1).tolist()
        return cls.of_words([None if cell is None else str(cell) for cell in cells])

    @classmethod
    def of_words(cls, cells: Sequence[str | None]) -> "MetaColumn":
        """Return texts as a column; None and an empty text are missing."""
        found = [word for word in dict.fromkeys(cells) if word]
        codes: dict[str | None, int] = {word: code for code, word in enumerate(found)}
        codes[None] = codes[""] = MISSING
        numbers = np.fromiter(map(codes.__getitem__, cells), np.int64, len(cells))
        return cls.of_codes(found, numbers)

    @classmethod
    def of_codes(cls, words: Sequence[str], codes: NDArray[Any]) -> "MetaColumn":
        """Return what `of_words` does, of words in the order in which they first come.

        ``codes`` (n,): of them, −1 for none.
        """
        if len(words) > _SORTED_UP_TO:
            return cls(codes, tuple(words))
        order = sorted(range(len(words)), key=lambda code: natural(words[code]))
        places = np.full(len(words) + 1, MISSING, np.int64)
        places[order] = np.arange(len(words))
        values = places[codes]
        values.flags.writeable = False
        return cls(values, tuple(words[code] for code in order))

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def numeric(self) -> bool:
        return self.words is None

    @cached_property
    def categories(self) -> tuple[str, ...] | None:
        """The words that can be told apart by colour or shape; None for too many.

        A few different whole numbers are codes of categories as well.
        """
        if self.words is not None:
            return self.words if len(self.words) <= MOST_CATEGORIES else None
        kinds = self._kinds
        return None if kinds is None else tuple(str(int(kind)) for kind in kinds)

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The category of every row (n,), an index into `categories`; −1 for none."""
        if self.words is not None:
            return self.values
        assert self._kinds is not None
        found = np.searchsorted(self._kinds, self.values).astype(np.int64)
        found[np.isnan(self.values)] = MISSING
        found.flags.writeable = False
        return found

    @cached_property
    def _kinds(self) -> NDArray[np.float64] | None:
        """The different whole numbers, if they are few."""
        present = self.values[~np.isnan(self.values)]
        # A first look at some of them: most columns of numbers are no codes.
        if len(set(present[:1000].tolist())) > FEW_NUMBERS:
            return None
        kinds = np.unique(present)
        sound = np.isfinite(kinds).all() and (kinds == np.rint(kinds)).all()
        return kinds if sound and 2 <= len(kinds) <= FEW_NUMBERS else None

    @cached_property
    def seconds(self) -> NDArray[np.float64] | None:
        """The moments that dates stand for (n,), NaN for none; None for other words.

        In seconds since 1970, of dates as 2024-05-31 or 2024-05-31 12:30.
        """
        if self.words is None or not self.words or self.n == 0:
            return None
        if not all(map(_DATE.fullmatch, self.words)):
            return None
        try:
            moments = np.array(
                [word[:26].replace("/", "-") for word in self.words], "datetime64[us]"
            )
        except ValueError:
            # No day of the calendar, such as the 31st of February.
            return None
        seconds = np.append(moments.astype(np.int64) / 1e6, np.nan)
        seconds.flags.writeable = False
        return np.asarray(seconds[self.values])

    def text(self, row: int) -> str:
        """Return one word; nothing for a missing one. Only where there are words."""
        assert self.words is not None
        code = int(self.values[row])
        return self.words[code] if code >= 0 else ""

    def texts(self, rows: NDArray[Any] | None = None) -> tuple[str, ...]:
        """Return the words of rows, of all rows by default."""
        assert self.words is not None
        codes = self.values if rows is None else self.values[rows]
        words = (*self.words, "")
        return tuple(words[code] for code in codes.tolist())

    def take(self, rows: NDArray[Any] | None) -> "MetaColumn":
        """Return the column of some rows, with their words alone; None for all."""
        if rows is None:
            return self
        values = self.values[rows]
        values.flags.writeable = False
        if self.words is None:
            return MetaColumn(values)
        used = np.zeros(len(self.words) + 1, dtype=bool)
        used[values] = True
        if used[:-1].all():
            return MetaColumn(values, self.words)
        places = np.cumsum(used[:-1]) - 1
        codes = np.append(places, MISSING)[values]
        kept = np.flatnonzero(used[:-1]).tolist()
        return MetaColumn(codes, tuple(self.words[code] for code in kept))

    def same(self, other: "MetaColumn") -> bool:
        """Whether two columns hold the same, a missing number equal to itself."""
        return self.words == other.words and bool(
            np.array_equal(self.values, other.values, equal_nan=self.words is None)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled arrays are writable; building the value anew freezes them.
        return MetaColumn, (self.values, self.words)


def natural(word: str | None) -> list[tuple[int, float, str]]:
    """Sort numbers inside of names by value: "class 2" before "class 10"."""
    parts = re.split(r"(\d{1,15})", word or "")
    return [
        (0, float(part), "") if part.isdecimal() else (1, 0.0, part.casefold())
        for part in parts
    ]


def _frozen(values: ArrayLike, dtype: type) -> NDArray[Any]:
    """Return a read-only array of its own."""
    array = np.asarray(values)
    base = array.base
    closed = base is None or not (isinstance(base, np.ndarray) and base.flags.writeable)
    if array.dtype == dtype and closed and not array.flags.writeable:
        # A column of a table that is frozen as a whole: sharing it is safe.
        return array
    array = np.array(array, dtype=dtype)
    array.flags.writeable = False
    return array
