"""Rows of cells become columns, in batches, without ever holding all cells as text."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import Any

import numpy as np

from kpca_viewer.data.files.cells import (
    EXACT,
    CellRules,
    Parsed,
    Row,
    Texts,
    block_columns,
    coded_column,
    is_vast,
    object_array,
)
from kpca_viewer.data.files.marks import Evidence, decided_columns, says
from kpca_viewer.data.files.source import Reading, sample_note
from kpca_viewer.data.table import Column, FloatArray, listed

Batch = list[Any] | FloatArray | Parsed
"""Rows of cells, or what a reader has made of them: a matrix where it found nothing but
numbers, or numbers and words."""

OnlyNumbers = Callable[[], bool]
"""Whether no column is text so far, so that a matrix loses nothing."""

Batches = Callable[[OnlyNumbers], Iterator[Batch]]

BATCH_CELLS = 20_000
"""Cells of one batch: a few milliseconds, for which the window has to wait."""

ROWS_AT_A_TIME = 10_000
"""That are looked at for decimals: the first ones nearly always have some."""

SAMPLE_REMEDY = "read a sample of its rows"


def batch_rows(width: int) -> int:
    """Return how many rows of a width make a batch."""
    # Fewer than eight are slow, for every column is looked at by itself.
    few = min(8, 8 * BATCH_CELLS // max(width, 1))
    return max(1, few, BATCH_CELLS // max(width, 1))


def batched(
    reading: Reading, rows: Callable[[], Iterator[Row]], width: int, count: int
) -> Batches:
    """Return rows, of which about so many come, in batches that report progress."""

    def batches(_only_numbers: OnlyNumbers) -> Iterator[Batch]:
        each, size, done = rows(), batch_rows(width), 0
        while batch := list(islice(each, size)):
            yield batch
            done += len(batch)
            reading.step(done / max(count, done))

    return batches


class Block:
    """A matrix that grows by rows, without a second copy at the end.

    Parameters
    ----------
    expected : int
        Rows that will probably come; space that is never written to costs nothing.
    require : callable
        Refuses what would not fit into memory.
    """

    def __init__(
        self,
        width: int,
        expected: int = 0,
        require: Callable[[int], None] = lambda _size: None,
    ) -> None:
        self._array = np.empty((max(expected, 64), width))
        self._require = require
        self._n = 0

    def reserve(self, count: int) -> FloatArray:
        """Return the next rows to be filled in, shape (count, width)."""
        end = self._n + count
        if end > len(self._array):
            capacity = max(end, len(self._array) * 3 // 2)
            # More than was forecast: ask again before it is taken.
            self._require(capacity * self._array.shape[1] * 8)
            # No views exist yet; a large block is moved by the system, not copied.
            self._array.resize((capacity, self._array.shape[1]), refcheck=False)
        rows = self._array[self._n : end]
        self._n = end
        return rows

    def finish(self) -> FloatArray:
        """Return the rows that were filled in, shape (n, width)."""
        self._array.resize((self._n, self._array.shape[1]), refcheck=False)
        return self._array


def collect(
    reading: Reading,
    names: Sequence[str],
    batches: Batches,
    rules: CellRules,
    *,
    keep_text: frozenset[int] = frozenset(),
    evidence: Evidence | None = None,
    expected: int = 0,
) -> list[Column]:
    """Read batches of rows into columns.

    A column is one of numbers until a cell says otherwise, or can be read in two
    ways. Its earlier cells exist as numbers only by then, so the file is read a second
    time with that column as text: rare, exact, and much leaner than to keep every cell.

    Parameters
    ----------
    batches : callable
        Starts over at every call; each row has one cell a name. It is given a
        function that says whether it may deliver a matrix instead of cells.
    keep_text : frozenset of int
        Columns that the file declares to be text.
    evidence : Evidence, optional
        What is known about decimal marks.
    expected : int
        Rows that will probably come.
    """
    width = len(names)
    for limit in (reading.options.max_rows, reading.options.sample):
        expected = expected if limit is None else min(expected, max(limit, 1))
    reading.require_table(expected, width, SAMPLE_REMEDY)
    limited = _limited(reading, batches)
    given = dict(reading.options.decimals)
    # What was said about a column is applied to its cells as they are written.
    text = keep_text | {j for j, name in enumerate(names) if name in given}
    evidence = evidence or Evidence()
    while True:
        builder = _Builder(reading, width, rules, text, evidence, expected)
        for rows in limited(builder.only_numbers):
            builder.add(rows)
        if not builder.turned:
            break
        text = text | builder.turned | builder.text_columns
    return builder.finish(names, keep_text)


class _Builder:
    def __init__(
        self,
        reading: Reading,
        width: int,
        rules: CellRules,
        text: frozenset[int],
        evidence: Evidence,
        expected: int,
    ) -> None:
        self._reading = reading
        self._width = width
        self._rules = rules
        self._evidence = evidence
        # Without a reason for the decimal comma, no comma is taken for one unseen.
        self._wary = (
            rules.decimal == ","
            and evidence.decimal is None
            and reading.options.decimal is None
        )
        self._expected = expected
        self._n = 0
        self._texts: dict[int, list[str | None]] = {j: [] for j in text}
        self._parts: dict[int, list[Any]] = {j: [] for j in text}
        self._to_text = {j: Texts(rules) for j in text}
        self._numeric: list[int] | None = None
        self._block = Block(0)
        self._grouped: set[int] = set()
        self.turned: frozenset[int] = frozenset()

    @property
    def text_columns(self) -> frozenset[int]:
        return frozenset(self._texts)

    def only_numbers(self) -> bool:
        return not self._texts and not self.turned

    def add(self, rows: Batch) -> None:
        self._reading.tick()
        if isinstance(rows, Parsed):
            self._add_parsed(rows)
            return
        self._n += len(rows)
        if self._texts:
            self._require(self._n * self._width * 8)
        if self._numeric is None and not self._texts:
            values = self._all_numbers(rows)
            if values is not None:
                self._start(list(range(self._width)))
                self._block.reserve(len(rows))[...] = values
                return
        columns: Sequence[Sequence[Any]] = []
        if self._numeric is None:
            columns = list(zip(*rows, strict=True))
            self._start([j for j in range(self._width) if self._is_number(columns, j)])
        elif len(self._numeric) == self._width:
            values = self._all_numbers(rows)
            if values is not None:
                self._block.reserve(len(rows))[...] = values
                return
        columns = columns or list(zip(*rows, strict=True))
        assert self._numeric is not None
        target = self._block.reserve(len(rows))
        # Of records with other names each, nearly all cells are empty.
        count, target[...] = len(rows), np.nan
        for k, j in enumerate(self._numeric):
            if columns[j].count("") < count:
                self._reading.tick()
                target[:, k] = self._numbers(columns[j], j)
        vast = (np.abs(target) >= EXACT).any(axis=0)
        for j in (self._numeric[k] for k in np.flatnonzero(vast)):
            if any(map(is_vast, columns[j])):
                self.turned |= {j}
        for j, kept in self._texts.items():
            if columns[j].count("") < count:
                self._reading.tick()
                kept.extend(self._to_text[j](columns[j]))
            else:
                kept.extend(repeat(None, count))

    def _add_parsed(self, rows: Parsed) -> None:
        self.turned |= rows.turned
        if self.turned:
            return
        self._n += rows.height
        if self._numeric is None:
            self._start([j for j in range(self._width) if j not in rows.words])
        self._require(self._n * self._width * 8)
        target = self._block.reserve(rows.height)
        for k, values in enumerate(rows.numbers):
            target[:, k] = values
        for j, parts in rows.words.items():
            self._parts[j] += parts

    def finish(self, names: Sequence[str], keep: frozenset[int]) -> list[Column]:
        numeric = self._numeric or []
        block = self._block.finish()
        made = dict(
            zip(numeric, block_columns([names[j] for j in numeric], block), strict=True)
        )
        undecided: list[Column] = []
        for j, texts in self._texts.items():
            self._reading.tick()
            if parts := self._parts[j]:
                column = coded_column(names[j], parts, self._rules)
            else:
                column = Column(names[j], object_array(texts), "text")
            texts.clear()
            parts.clear()
            if j in keep:
                made[j] = column
            else:
                undecided.append(column)
        if undecided:
            self._learn(block)
            found = decided_columns(
                self._reading, undecided, self._rules, self._evidence, names
            )
            places = (j for j in self._texts if j not in keep)
            made.update(zip(places, found, strict=True))
        if self._grouped:
            grouped = listed(names[j] for j in sorted(self._grouped))
            mark = "commas" if self._rules.decimal == "." else "points"
            self._reading.note(f"{mark} divide thousands in {grouped}")
        return [made[j] for j in sorted(made)]

    def _learn(self, block: FloatArray) -> None:
        """Count what was read as decimals beyond the first lines."""
        parts = (
            block[k : k + ROWS_AT_A_TIME] for k in range(0, len(block), ROWS_AT_A_TIME)
        )
        if any((np.isfinite(p) & (p != np.rint(p))).any() for p in parts):
            self._evidence.points += self._rules.decimal == "."
            self._evidence.commas += self._rules.decimal == ","

    def _start(self, numeric: list[int]) -> None:
        self._numeric = numeric
        self._block = Block(len(numeric), self._expected, self._require)
        for j in set(range(self._width)) - set(numeric) - set(self._texts):
            self._texts[j], self._parts[j] = [], []
            self._to_text[j] = Texts(self._rules)

    def _require(self, size: int) -> None:
        self._reading.require(size, SAMPLE_REMEDY)

    def _is_number(self, columns: Sequence[Sequence[Any]], j: int) -> bool:
        self._reading.tick()
        return j not in self._texts and None not in self._rules.numbers(columns[j])

    def _all_numbers(self, rows: list[Any] | FloatArray) -> FloatArray | None:
        if isinstance(rows, np.ndarray):
            return rows
        values = self._fast(list(chain.from_iterable(rows)))
        # Vast whole numbers need a closer look at how they are written.
        if values is None or (np.abs(values) >= EXACT).any():
            return None
        return values.reshape(len(rows), self._width)

    def _numbers(self, cells: Sequence[Any], j: int) -> FloatArray:
        values = self._fast(list(cells))
        if values is None:
            values = self._with_gaps(cells)
        if values is None:
            found = self._rules.numbers(cells)
            if None in found or self._in_doubt(cells, j):
                self.turned |= {j}
            values = np.array([np.nan if v is None else v for v in found])
        return values

    def _fast(self, cells: list[Any]) -> FloatArray | None:
        if self._wary and "," in "".join(cells):
            return None
        return self._rules.fast(cells)

    def _with_gaps(self, cells: Sequence[Any]) -> FloatArray | None:
        """Convert many cells at once where all but the gaps are plain numbers."""
        said = self._reading.options.decimal
        if self._rules.decimal != "." or said == "," or self._evidence.watches_points:
            return None
        missing = self._rules.missing
        return self._fast(
            ["nan" if cell == "" or cell in missing else cell for cell in cells]
        )

    def _in_doubt(self, cells: Sequence[Any], j: int) -> bool:
        """Whether marks that are taken to divide thousands may divide decimals."""
        said = self._reading.options.decimal
        if said == self._rules.decimal:
            return False
        marked = [
            cell
            for cell in cells
            if cell != "" and isinstance(cell, str) and ("," in cell or "." in cell)
        ]
        if any(self._evidence.doubts(c) or says(c) == f"?{said}" for c in marked):
            return True
        mark = "," if self._rules.decimal == "." else "."
        if any(mark in cell for cell in marked):
            self._grouped.add(j)
        return False


def _limited(reading: Reading, batches: Batches) -> Batches:
    """Keep the first rows, or a random sample of them, of what a reader delivers."""
    most, sample = reading.options.max_rows, reading.options.sample

    def first(only_numbers: OnlyNumbers) -> Iterator[Batch]:
        assert most is not None
        left = max(most, 1)
        for rows in batches(only_numbers):
            assert not isinstance(rows, Parsed)  # of whole files only
            if len(rows) > left:
                reading.note(f"first {max(most, 1):,} rows only")
                rows = rows[:left]
            left -= len(rows)
            yield rows
            if not left:
                break

    source = batches if most is None else first
    if sample is None:
        return source
    drawn: list[Batch] = []

    def draw(_only_numbers: OnlyNumbers) -> Iterator[Batch]:
        if not drawn:
            drawn.append(_reservoir(reading, source(lambda: False), max(sample, 1)))
        rows = drawn[0]
        assert not isinstance(rows, Parsed)
        step = batch_rows(len(rows[0]) if len(rows) else 1)
        for start in range(0, len(rows), step):
            yield rows[start : start + step]

    return draw


def _reservoir(reading: Reading, batches: Iterator[Batch], size: int) -> list[Row]:
    """Draw rows with equal chances from a stream of unknown length."""
    random = np.random.default_rng(reading.options.seed)
    kept: list[Row] = []
    numbers: list[int] = []
    seen = 0
    for rows in batches:
        assert not isinstance(rows, Parsed)  # of whole files only
        fill = min(size - len(kept), len(rows))
        kept.extend(rows[:fill])
        numbers.extend(range(seen + 1, seen + fill + 1))
        rest = np.arange(seen + fill, seen + len(rows))
        slots = random.integers(0, rest + 1) if rest.size else rest
        for offset in np.flatnonzero(slots < size):
            kept[slots[offset]] = rows[fill + int(offset)]
            numbers[slots[offset]] = int(rest[offset]) + 1
        seen += len(rows)
    if seen > size:
        order = np.argsort(numbers)
        reading.row_numbers = np.array(numbers, dtype=np.int64)[order]
        reading.note(sample_note(size, seen))
        return [kept[i] for i in order]
    return kept
