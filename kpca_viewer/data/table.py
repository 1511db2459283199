"""Table: what a file holds, before it is known what its columns mean."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    # The package of the readers imports this module.
    from kpca_viewer.data.files.options import Decimal, ReadOptions

ColumnKind = Literal["number", "text"]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

DISTINCT_CAP = 1000
"""Different values are counted up to here; more are never needed for a decision."""

BINS = 20
"""Bars of the histogram of a column."""

LEAST_TOP_WORDS = 3
"""Columns of numbers below words from which the rows may be the columns."""

_PREFIX = 20_000
"""So many rows nearly always show that a column has more values than the cap."""

_FIRST_LOOK = 1000
"""Rows by which most columns are known to vary, or not to be whole."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: numbers with NaN for missing, or text with None for missing."""

    name: str
    values: NDArray[Any] = field(repr=False)
    """Shape (n,). float64 for ``"number"``, objects (str or None) for ``"text"``."""
    kind: ColumnKind = "number"
    numbers: FloatArray | None = field(default=None, repr=False)
    """Shape (n,). Only of a text column most of whose cells are numbers: those numbers,
    NaN for the others. It is nearly always a column of numbers with a few odd cells."""
    complete: bool = False
    """Whether its reader knows that no cell is missing."""
    exact: bool = False
    """Whether its text is of whole numbers that float64 cannot tell apart: a feature
    only if a person says so."""
    coded: MetaColumn | None = field(default=None, repr=False)
    """Its text as codes of words, where its reader has them."""

    @property
    def words(self) -> bool:
        """Whether it is text, unless a person says that it is numbers."""
        return self.kind == "text" and (self.numbers is None or self.exact)

    @property
    def odd_top(self) -> bool:
        """Whether its first cell is a word over numbers."""
        found, first = self.numbers, self.values[:1].tolist()
        return found is not None and first != [None] and bool(np.isnan(found[:1]).any())

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def known_numbers(self) -> FloatArray | None:
        """Its numbers (n,), also those of a text column; None if it is all text."""
        return self.values if self.kind == "number" else self.numbers

    def texts(self) -> list[str | None]:
        """Return every cell as text with all its digits, None where it is missing."""
        if self.kind == "text":
            return list(self.values)
        return [None if v != v else exact_text(v) for v in self.values.tolist()]

    @cached_property
    def missing(self) -> int:
        return 0 if self.complete else int(np.count_nonzero(self.is_missing()))

    @cached_property
    def distinct(self) -> int:
        """How many different values there are, counted up to `DISTINCT_CAP`."""
        if self.coded is not None and self.coded.words is not None:
            return min(len(self.coded.words), DISTINCT_CAP)
        prefix = _distinct(self.values[:_PREFIX], self.kind)
        if prefix >= DISTINCT_CAP or self.n <= _PREFIX:
            return min(prefix, DISTINCT_CAP)
        return min(_distinct(self.values, self.kind), DISTINCT_CAP)

    @cached_property
    def constant(self) -> bool:
        """Whether all values that are there are equal, or none is there."""
        if self.kind == "text":
            return self.distinct <= 1
        return all(map(_is_constant, self._looks()))

    @cached_property
    def whole(self) -> bool:
        """Whether this is a column of whole numbers."""
        if self.kind == "text":
            return False
        return all(map(is_whole, self._looks()))

    def _looks(self) -> Iterator[FloatArray]:
        """Return the numbers that are there: the first ones, which often tell, and all.

        A column of a large block is spread over as much memory as the block.
        """
        for part in (self.values[:_FIRST_LOOK], self.values):
            yield part if self.complete else part[~np.isnan(part)]

    @cached_property
    def ends(self) -> tuple[float, float] | None:
        """The least and the greatest finite number, where there is one."""
        numbers = self.known_numbers
        if numbers is None or not numbers.size:
            return None
        # One pass over the block that the column may be a part of.
        numbers = np.ascontiguousarray(numbers)
        low, high = float(np.fmin.reduce(numbers)), float(np.fmax.reduce(numbers))
        if not np.isfinite((low, high)).all():
            finite = numbers[np.isfinite(numbers)]
            if not finite.size:
                return None
            low, high = float(finite.min()), float(finite.max())
        return low, high

    @cached_property
    def histogram(self) -> tuple[int, ...]:
        """Cells in `BINS` equal steps from end to end; of few words, of each word."""
        if self.ends is None:
            if self.kind == "number" or not 1 < self.distinct <= BINS:
                return ()
            codes = self.metadata.values
            counts = np.bincount(codes[codes >= 0])
            return tuple(sorted(counts.tolist(), reverse=True))
        low, high = self.ends
        numbers = self.known_numbers
        if low == high or numbers is None:
            return ()
        # Halved: the difference of two finite numbers may be infinite.
        places = (numbers[np.isfinite(numbers)] / 2 - low / 2) / (high / 2 - low / 2)
        bins = np.minimum((places * BINS).astype(np.intp), BINS - 1)
        return tuple(np.bincount(bins, minlength=BINS).tolist())

    @cached_property
    def metadata(self) -> MetaColumn:
        """The column as what is known of rows, whatever becomes of its table."""
        if self.kind == "number":
            return MetaColumn(self.values)
        return self.coded or MetaColumn.of_words(self.values.tolist())

    def is_missing(self) -> NDArray[np.bool_]:
        """Return which cells are missing, shape (n,)."""
        if self.kind == "number":
            return np.isnan(self.values)
        if self.coded is not None:
            return self.coded.values < 0
        return np.asarray(self.values == None)  # noqa: E711

    def take(self, rows: IntArray) -> "Column":
        numbers = None if self.numbers is None else self.numbers[rows]
        return replace(self, values=self.values[rows], numbers=numbers, coded=None)

    def without(self, numbers: Sequence[float], rows: Sequence[int]) -> "Column":
        """Return the column with some numbers missing, and without some rows."""
        column = self
        found = self.known_numbers
        if numbers and found is not None:
            gaps = np.isin(found, numbers)
            values = self.values.copy()
            values[gaps] = np.nan if self.kind == "number" else None
            known = None if self.numbers is None else np.where(gaps, np.nan, found)
            column = replace(
                self, values=values, numbers=known, complete=False, coded=None
            )
        if rows:
            return column.take(np.delete(np.arange(self.n), rows))
        return column

    @cached_property
    def looks(self) -> dict[Any, Any]:
        """What is shown of the column, by the answers with which it is shown."""
        return {}

    def only(self, rows: IntArray) -> "Column":
        """Return the column with the cells of all other rows missing."""
        gap: Any = np.nan if self.kind == "number" else None
        values, numbers = np.full_like(self.values, gap), self.numbers
        values[rows] = self.values[rows]
        if numbers is not None:
            numbers = np.full_like(numbers, np.nan)
            numbers[rows] = self.numbers[rows]  # type: ignore[index]
        return Column(self.name, values, self.kind, numbers)

    def text(self, row: int) -> str:
        """Return one cell as a person reads it; nothing for a missing one."""
        value = self.values[row]
        if self.kind == "text":
            return "" if value is None else str(value)
        return "" if np.isnan(value) else number_text(float(value))


@dataclass(frozen=True, eq=False)
class Question:
    """A column whose numbers can be read in two ways, and how they are read."""

    column: str
    cell: str
    """One of them, such as "1,234"."""
    decimal: "Decimal"
    """What was taken for the decimal mark."""
    other: Column = field(repr=False)
    """The same column with the other mark."""
    answered: bool = False
    """Whether a person has said so."""

    @property
    def mark(self) -> str:
        return "," if "," in self.cell else "."

    @property
    def thousands(self) -> bool:
        """Whether the mark is taken to divide thousands."""
        return self.mark != self.decimal

    @property
    def other_decimal(self) -> "Decimal":
        return "." if self.decimal == "," else ","

    def value(self, thousands: bool) -> str:
        """Return the number that the cell is in one of the two ways."""
        return self.cell.strip().replace(self.mark, "" if thousands else ".")

    def __str__(self) -> str:
        what = "thousands" if self.thousands else "decimals"
        return (
            f"“{self.cell.strip()}” in “{self.column}” read as "
            f"{self.value(self.thousands)} ({what})"
        )


@dataclass(frozen=True)
class Top:
    """What stands above the rows of a table: lines that are skipped, and names."""

    skip: int
    header: bool
    title: str = ""
    """What is said about lines that were recognised as a title."""
    reason: str = ""
    """What is said about a first row of numbers that may be names."""


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a file, in its order, with everything the reader found out."""

    columns: tuple[Column, ...] = field(repr=False)
    name: str = "data"
    """The file's name without its ending."""
    path: Path | None = None
    content_hash: str = field(default="", repr=False)
    """SHA-256 of the file's bytes."""
    notes: tuple[str, ...] = ()
    """What was detected or changed, each a short phrase for the import sheet."""
    format: str = ""
    """Title of the format, for example "CSV"."""
    parts: tuple[str, ...] = ()
    """Sheets or arrays of the file that can be chosen; empty where there is one."""
    chosen: tuple[str, ...] = ()
    """Those of `parts` that were read."""
    row_numbers: IntArray | None = field(default=None, repr=False)
    """Shape (n,). The rows' numbers in the file, from 1, where only some were read."""
    options: "ReadOptions | None" = None
    """How it was read, so that it can be read alike; None for the usual way."""
    total: int | None = None
    """Rows of the file behind a preview of its first ones."""
    estimated: bool = False
    """Whether `total` is known only roughly."""
    top: Top | None = None
    """None where the format itself says what the names are."""
    questions: tuple[Question, ...] = ()
    """Columns that were read in one of two ways, without a reason in the file."""
    sampled_from: int | None = None
    """Rows of all parts, where these were drawn from them at random."""
    places: tuple[str, ...] = ()
    """Columns that say where rows are: the name of their part, and their number in
    it. Empty where there is one file."""
    described: tuple[str, ...] = ()
    """Columns of which the file itself says that they describe rows: no features."""

    def __post_init__(self) -> None:
        for column in self.columns:
            _freeze(column.values)
            if column.numbers is not None:
                _freeze(column.numbers)

    @property
    def n(self) -> int:
        return self.columns[0].n if self.columns else 0

    @property
    def key(self) -> str:
        """What settings call this table: its file, and what was taken out of it."""
        words = [self.name if self.path is None else str(self.path)]
        if self.options is not None:
            if self.options.sheet is not None or self.options.arrays is not None:
                # The last part of a path is what people see of it.
                words.append(", ".join(self.chosen).replace("/", "|"))
            if self.options.parts:
                words.append(", ".join(self.options.parts).replace("/", "|"))
            found = self.top or Top(0, True)
            if self.options.skip is not None and not found.title:
                words.append(f"{self.options.skip} lines skipped")
            if self.options.header is not None and not found.reason:
                words.append("header" if self.options.header else "no header")
            if self.options.transpose:
                words.append("transposed")
            whole = self.options.sample is None
            if self.options.parts is not None:
                whole = self.sampled_from is None
            if not whole:
                words.append(f"{self.n:,} rows by seed {self.options.seed}")
            words += [
                f"{question.cell.strip()} is {question.value(question.thousands)}"
                for question in {q.mark: q for q in self.questions}.values()
                if question.answered
            ]
        return " · ".join(words)

    @cached_property
    def with_gaps(self) -> frozenset[str]:
        """The names of columns in which a cell is missing, or no number."""
        return frozenset(c.name for c in self.columns if c.missing or c.kind == "text")

    @cached_property
    def top_words(self) -> str:
        """What is said where row 1 holds words over numbers; empty if it does not."""
        numeric = [c for c in self.measured if c.kind == "number" or not c.words]
        words = [c for c in numeric if c.kind == "text" and not c.exact and c.odd_top]
        if len(words) < max(LEAST_TOP_WORDS, 0.8 * len(numeric)):
            return ""
        every = "every" if len(words) == len(numeric) else "nearly every"
        return f"{self.row_title(0).capitalize()} holds words in {every} column"

    @cached_property
    def measured(self) -> tuple[Column, ...]:
        """The columns that hold something of the rows, and not where they are."""
        if not self.places:
            return self.columns
        return tuple(c for c in self.columns if c.name not in self.places)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def column(self, name: str) -> Column:
        """Return a column by its name; its unit need not be said."""
        try:
            return self.by_name[name]
        except KeyError:
            from kpca_viewer.data.files.units import without_unit

            bare = [c for c in self.columns if without_unit(c.name) == name]
            if len(bare) == 1:
                return bare[0]
            raise DataError(
                f"There is no column “{name}”; the columns are "
                f"{listed(self.names)}. Choose one of them."
            ) from None

    def answered(self, mark: str, *, thousands: bool) -> "Table":
        """Return the table in which a mark divides thousands, or decimals.

        Parameters
        ----------
        mark : str
            "," or ".", in all columns where it is in question.
        """
        from kpca_viewer.data.files.options import ReadOptions

        columns, questions = dict(self.by_name), []
        decimals = dict((self.options or ReadOptions()).decimals)
        for question in self.questions:
            if question.mark == mark:
                question = replace(question, answered=True)
                if question.thousands != thousands:
                    other, columns[question.column] = (
                        columns[question.column],
                        question.other,
                    )
                    question = replace(
                        question, other=other, decimal=question.other_decimal
                    )
                decimals[question.column] = question.decimal
            questions.append(question)
        return replace(
            self,
            columns=tuple(columns.values()),
            questions=tuple(questions),
            options=replace(
                self.options or ReadOptions(), decimals=tuple(decimals.items())
            ),
        )

    def take(self, rows: IntArray) -> "Table":
        """Return a table of some rows, which keep their numbers."""
        known = self.row_numbers
        return replace(
            self,
            columns=tuple(column.take(rows) for column in self.columns),
            questions=tuple(
                replace(q, other=q.other.take(rows)) for q in self.questions
            ),
            row_numbers=rows.astype(np.int64) + 1 if known is None else known[rows],
        )

    def row_title(self, row: int) -> str:
        """Return what a person calls a row: by its part, where there are parts."""
        if not self.places:
            return f"row {self.row_number(row):,}"
        part, number = (self.column(name) for name in self.places)
        return f"row {int(number.values[row]):,} of {part.values[row]}"

    def row_number(self, row: int) -> int:
        """Return the number of a row in the file, counted from 1 below the header."""
        return row + 1 if self.row_numbers is None else int(self.row_numbers[row])


def number_text(value: float) -> str:
    """Return a number as a person writes it: whole ones without a point."""
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return f"{value:.10g}"


def exact_text(value: float) -> str:
    """Return a number as `number_text`, or with all its digits where it needs them."""
    text = number_text(value)
    if float(text) == value:
        return text
    return str(int(value)) if value == int(value) else repr(value)


def free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += " (2)"
    return name


def listed(names: Iterable[object], most: int = 5) -> str:
    """Return names as part of a sentence: “a”, “b” and 3 more."""
    every = [f"“{name}”" for name in names]
    if len(every) > most:
        return f"{', '.join(every[:most])} and {len(every) - most:,} more"
    if len(every) > 1:
        return f"{', '.join(every[:-1])} and {every[-1]}"
    return "".join(every)


def _distinct(values: NDArray[Any], kind: ColumnKind) -> int:
    if kind == "text":
        return len(set(values.tolist()) - {None})
    return int(np.unique(values[~np.isnan(values)]).size)


def _is_constant(present: FloatArray) -> bool:
    return present.size == 0 or bool((present == present[0]).all())


def is_whole(present: FloatArray) -> bool:
    return bool(np.isfinite(present).all() and (present == np.rint(present)).all())


def _freeze(array: NDArray[Any]) -> None:
    array.flags.writeable = False
    # A view keeps a door open to its owner; a block of columns is closed as a whole.
    if isinstance(array.base, np.ndarray):
        array.base.flags.writeable = False
