"""A random sample of all rows of a table in parts."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.solvers.blocks import random_of
from kpca_viewer.data.files.cells import CellRules, object_array, text_column
from kpca_viewer.data.files.formats import BY_KEY
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.source import sample_note, system_errors
from kpca_viewer.data.parts.pieces import Piece, find_parts, most_rows, pieces_of
from kpca_viewer.data.reading import like_first
from kpca_viewer.data.table import Column, IntArray, Question, Table, listed
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent


def joined(tables: Sequence[Table]) -> Table:
    """Return all rows, with the columns of the first; words in one are words in all."""
    first, *others = tables
    if not others:
        return first
    columns = [_joined([t.column(name) for t in tables]) for name in first.names]
    known = [table.row_numbers for table in tables if table.row_numbers is not None]
    return replace(
        first,
        columns=tuple(columns),
        questions=tuple(_questions(tables)),
        row_numbers=np.concatenate(known) if len(known) == len(tables) else None,
    )


def _joined(columns: Sequence[Column]) -> Column:
    name = columns[0].name
    if all(column.kind == "number" for column in columns):
        values = np.concatenate([column.values for column in columns])
        return Column(name, values, complete=all(c.complete for c in columns))
    words = object_array([text for column in columns for text in column.texts()])
    if all(c.kind == "text" and c.numbers is None for c in columns):
        return Column(name, words, "text")
    # What is a number in one part was read by the rules of that part.
    numbers = np.concatenate([_numbers(column) for column in columns])
    decided = text_column(name, words, CellRules())
    if decided.kind == "number":
        return Column(name, numbers)
    return decided if decided.numbers is None else replace(decided, numbers=numbers)


def _numbers(column: Column) -> NDArray[np.float64]:
    found = column.known_numbers
    return np.full(column.n, np.nan) if found is None else found


def _questions(tables: Sequence[Table]) -> list[Question]:
    """Return one question for each column that is in question in any part."""
    found: dict[str, Question] = {}
    for question in (q for table in tables for q in table.questions):
        found.setdefault(question.column, question)
    return [
        replace(question, other=_joined([_other(t, name) for t in tables]))
        for name, question in found.items()
    ]


def _other(table: Table, name: str) -> Column:
    asked = (question for question in table.questions if question.column == name)
    question = next(asked, None)
    return table.column(name) if question is None else question.other


SAMPLE = 20_000
"""Rows that stand for all of them."""

Keys = NDArray[np.float64]


def sampled_parts(
    path: Path,
    options: ReadOptions,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Table:
    """Read some rows of all parts, every one as likely as any other.

    Each row has a random number that follows from the seed and its piece; those with
    the smallest are kept. So memory holds one piece and the sample. The options say
    which files are ``parts``, and how many rows are the ``sample``.
    """
    progress("looking for parts", None)
    pieces, empty = pieces_below(path, options, should_stop)
    options = replace(options, sample=options.sample or SAMPLE)
    sampling = _Sampling(pieces, options)
    total_size = sum(piece.size for piece in pieces)
    done = 0
    for index, piece in enumerate(pieces):
        check(should_stop)
        progress(f"reading {piece.title}", done / total_size)
        sampling.read(index, should_stop)
        done += piece.size
    return _finished(path, options, sampling, empty)


def pieces_below(
    path: Path, options: ReadOptions, should_stop: ShouldStop = never
) -> tuple[list[Piece], list[str]]:
    """Return the pieces of a table in parts, and titles of parts without rows."""
    words = [str(path / part) for part in options.parts or ()] or [str(path)]
    with system_errors(path):
        return pieces_of(find_parts(words), should_stop, options)


def _name_of(path: Path, options: ReadOptions) -> str:
    """Return what a person calls the parts: their folder, and which of it are meant."""
    name = path.name or str(path)
    if options.parts:
        return f"{name}/{', '.join(options.parts)}"
    return path.stem if paths.is_file(path) else name


@dataclass(frozen=True, eq=False)
class _Some:
    """Some rows of one piece, or of several."""

    keys: Keys
    """Shape (m,). The random number of every row."""
    pieces: IntArray
    """Shape (m,). Which piece it is in."""
    table: Table


class _Sampling:
    """Keeps the rows with the smallest random numbers of the pieces that were read."""

    def __init__(self, pieces: Sequence[Piece], options: ReadOptions) -> None:
        self.pieces = pieces
        self.counts = [piece.rows or 0 for piece in pieces]
        self.others: dict[str, None] = {}
        """Columns that only some parts have."""
        self._most = options.sample or SAMPLE
        self._seed = options.seed
        self.reading = replace(options, parts=None, sample=None, max_rows=None)
        """How every piece is read."""
        self._names: tuple[str, ...] | None = None
        self._limit = self._limit_of_known()
        self._kept: list[_Some] = []

    def _limit_of_known(self) -> float:
        """Return below which number all rows are that may be kept.

        Of most pieces it is known how many rows they have: rows beyond are not read.
        """
        smallest = np.empty(0)
        for index, piece in enumerate(self.pieces):
            if piece.rows is not None:
                both = np.concatenate((smallest, self._keys(index, piece.rows)))
                few = len(both) <= self._most
                smallest = both if few else np.partition(both, self._most)
                smallest = smallest[: self._most]
        return float(smallest.max()) if len(smallest) == self._most else np.inf

    def _keys(self, index: int, count: int) -> Keys:
        return random_of(self._seed, index).random(count)

    def read(self, index: int, should_stop: ShouldStop) -> None:
        """Read the rows of a piece that may be kept."""
        piece, options = self.pieces[index], self.reading
        rows: IntArray | None = None
        try:
            if piece.rows is not None:
                keys = self._keys(index, piece.rows)
                rows = np.flatnonzero(keys <= self._limit)
                if not len(rows):
                    return
                table = piece.table(options, rows=rows, should_stop=should_stop)
            else:
                table = piece.table(options, should_stop=should_stop)
                self.counts[index] = table.n
                keys = self._keys(index, table.n)
                rows = np.flatnonzero(keys <= self._limit)
                table = table.take(rows)
        except DataError as error:
            raise DataError(f"{piece.capital_title}: {error}") from error
        table = self._fitting(piece, table)
        self.reading = like_first(self.reading, table)
        self._kept.append(_Some(keys[rows], np.full(len(rows), index), table))
        if sum(some.table.n for some in self._kept) > 2 * self._most:
            self._compact()

    def _fitting(self, piece: Piece, table: Table) -> Table:
        if self._names is None:
            self._names = table.names
            self._most = min(self._most, most_rows(len(table.columns)))
        table = piece.fitting(table, self._names)
        self.others |= dict.fromkeys(n for n in table.names if n not in self._names)
        return table

    def _compact(self) -> None:
        """Forget the rows that are not among the smallest any more."""
        keys = np.concatenate([some.keys for some in self._kept])
        pieces = np.concatenate([some.pieces for some in self._kept])
        rows = np.sort(np.argsort(keys, kind="stable")[: self._most])
        table = joined([_numbered(some.table) for some in self._kept]).take(rows)
        self._kept = [_Some(keys[rows], pieces[rows], table)]
        if len(rows) == self._most:
            self._limit = min(self._limit, float(keys[rows].max()))

    def finished(self) -> tuple[Table, IntArray]:
        """Return the rows in the order of their parts, and their pieces (n,)."""
        self._compact()
        return self._kept[0].table, self._kept[0].pieces


def _numbered(table: Table) -> Table:
    if table.row_numbers is not None:
        return table
    return replace(table, row_numbers=np.arange(1, table.n + 1))


def _finished(
    path: Path, options: ReadOptions, sampling: _Sampling, empty: Sequence[str]
) -> Table:
    table, of_piece = sampling.finished()
    pieces, total = sampling.pieces, sum(sampling.counts)
    in_part = table.row_numbers
    assert in_part is not None
    begin = np.cumsum([0, *sampling.counts[:-1]])
    before = begin - np.array([piece.start for piece in pieces])
    names = [_part_name(path, piece) for piece in pieces]
    count = len(dict.fromkeys(names))
    columns = table.columns
    places: tuple[str, ...] = ()
    if count > 1:
        words = object_array([names[index] for index in of_piece])
        numbers = in_part.astype(np.float64)
        part, row = (_free(name, table.names) for name in ("part", "row of part"))
        columns = (*columns, Column(part, words, "text"), Column(row, numbers))
        places = (part, row)
    everything = table.n == total
    made = replace(
        table,
        columns=columns,
        name=_name_of(path, options),
        path=path,
        notes=tuple(_notes(table, total, count, empty, list(sampling.others))),
        format=_format(pieces, count),
        row_numbers=None if everything else in_part + before[of_piece],
        options=replace(options, header=sampling.reading.header),
        total=None,
        sampled_from=None if everything else total,
        places=places,
    )
    return replace(made, content_hash=_digest(made, pieces))


def _part_name(path: Path, piece: Piece) -> str:
    if not paths.is_dir(path):
        return piece.path.name
    return Path(os.path.relpath(piece.path, paths.real(path))).as_posix()


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _format(pieces: Sequence[Piece], parts: int) -> str:
    titles = dict.fromkeys(BY_KEY[piece.key].title for piece in pieces)
    what = " and ".join(titles)
    return what if parts == 1 else f"{what}, {parts:,} parts"


def _notes(
    table: Table, total: int, parts: int, empty: Sequence[str], others: list[str]
) -> list[str]:
    notes = []
    if table.n < total:
        where = f" in {parts:,} parts" if parts > 1 else ""
        notes.append(sample_note(table.n, total) + where)
    if empty:
        notes.append(f"passed over, without rows: {listed(empty)}")
    if others:
        notes.append(f"not in all parts, left out: {listed(others)}")
    return [*notes, *table.notes]


def _digest(table: Table, pieces: Sequence[Piece]) -> str:
    """Return a SHA-256 of the names and sizes of all parts, and of the rows drawn."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(f"{piece.path.name}|{piece.size}|{piece.start}\n".encode())
    for column in table.columns:
        digest.update(f"|{column.name}|".encode())
        if column.kind == "text":
            digest.update(repr(column.values.tolist()).encode())
        else:
            digest.update(np.ascontiguousarray(column.values, dtype="<f8").data)
    return digest.hexdigest()
