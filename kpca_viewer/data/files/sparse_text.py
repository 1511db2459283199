"""Sparse tables as text: Matrix Market and SVMLight."""

import gzip
import re
from array import array
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from kpca_viewer.data.files.arrays import FEWER, matrix_columns
from kpca_viewer.data.files.cells import (
    LONGEST_NUMBER,
    block_columns,
    is_vast,
    object_array,
)
from kpca_viewer.data.files.headers import clean
from kpca_viewer.data.files.source import (
    Reading,
    foreign,
    numbered_lines,
    open_binary,
)
from kpca_viewer.data.table import Column, FloatArray, free_name
from kpca_viewer.support.errors import DataError

MAGIC = b"%%MatrixMarket"

_LINES = 20_000
"""Entries that are read at once."""

_LONGEST = 1 << 16
"""Characters of a line: no number needs as many."""

_REMEDY = "write it again with scipy.io.mmwrite"
_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern", "complex")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
_SIZES = re.compile(rb"\s*(\d{1,18})\s+(\d{1,18})(?:\s+(\d{1,18}))?\s*")


class _Header(NamedTuple):
    sparse: bool
    pattern: bool
    """Whether entries have no values: they are 1."""
    symmetry: str
    rows: int
    columns: int
    entries: int
    """Lines that follow."""


def read_matrix_market(reading: Reading) -> list[Column]:
    """Read into a dense table of the rows and columns that the matrix has."""
    with (
        foreign(reading, "Matrix Market file", _REMEDY),
        open_binary(reading.path) as file,
    ):
        header = _header(reading, file)
        genes = _companion(reading, ("features", "genes"), header.rows)
        cells = _companion(reading, ("barcodes",), header.columns)
        matrix = np.zeros((header.rows, header.columns))
        _fill(reading, file, header, matrix)
    if header.sparse:
        filled = np.count_nonzero(matrix)
        reading.note(f"sparse: {filled:,} of {matrix.size:,} values are not 0")
    if genes is None or cells is None:
        return matrix_columns(reading, matrix, reading.path.stem)
    reading.note("genes × cells with the names beside the file: turned")
    # Genes have a symbol behind their id; cells have one word.
    names = [(words[1:2] or words)[0] for words in genes]
    columns = matrix_columns(reading, matrix.T, reading.path.stem, names)
    kept = reading.row_numbers
    texts: list[str | None] = [words[0] for words in cells]
    if kept is not None:
        texts = [texts[number - 1] for number in kept]
    barcode = free_name("barcode", {column.name for column in columns})
    reading.described = (barcode,)
    return [*columns, Column(barcode, object_array(texts), "text")]


def matrix_in(folder: Path) -> Path | None:
    """Return the matrix in a folder that programs of 10x have written, if it is one."""
    places = (folder / f"matrix.mtx{packed}" for packed in ("", ".gz"))
    return next((place for place in places if place.is_file()), None)


def _companion(
    reading: Reading, words: tuple[str, ...], count: int
) -> list[list[str]] | None:
    """Return the lines of a list of names beside the matrix, as 10x programs write it.

    ``a_matrix.mtx`` has ``a_barcodes.tsv``; None where there is none.
    """
    stem = reading.named.name.split(".mtx")[0]
    prefix, mark, _ = stem.rpartition("matrix")
    prefix = prefix if mark else f"{stem}_"
    for word in words:
        for ending in (".tsv", ".tsv.gz"):
            path = reading.named.with_name(f"{prefix}{word}{ending}")
            if path.is_file():
                return _lines(reading, path, count)
    return None


def _lines(reading: Reading, path: Path, count: int) -> list[list[str]]:
    lines: list[list[str]] = []
    with (
        foreign(reading, f"matrix with a list “{path.name}”", "get both again"),
        gzip.open(path) if path.suffix == ".gz" else open_binary(path) as file,
    ):
        # One more shows that there are too many.
        while len(lines) <= count and (line := file.readline(_LONGEST)):
            reading.tick()
            lines.append(line.decode("utf-8", "replace").rstrip("\r\n").split("\t"))
    if len(lines) != count:
        found = f"more than {count:,}" if len(lines) > count else f"{len(lines):,}"
        raise DataError(
            f"“{path.name}” beside {reading.title} has {found} lines, and the matrix "
            f"needs {count:,}; get both again from the same place."
        )
    return lines


def _header(reading: Reading, file: BinaryIO) -> _Header:
    words = file.readline(_LONGEST).decode("utf-8", "replace").lower().split()
    matched = (
        len(words) == 5
        and words[1] == "matrix"
        and words[2] in ("coordinate", "array")
        and words[3] in _FIELDS
        and words[4] in _SYMMETRIES
    )
    sparse = matched and words[2] == "coordinate"
    while (line := file.readline(_LONGEST)) and (
        line.startswith(b"%") or not line.strip()
    ):
        reading.tick()
    sizes = _SIZES.fullmatch(line)
    if not matched or sizes is None or (sizes[3] is not None) != sparse:
        raise DataError(
            f"{reading.title} begins as a Matrix Market file, but does not say what "
            f"its matrix is; {_REMEDY}."
        )
    if words[3] == "complex":
        raise DataError(
            f"{reading.title} holds complex numbers; save real and imaginary parts as "
            "columns of their own."
        )
    rows, columns = int(sizes[1]), int(sizes[2])
    symmetry = words[4]
    if symmetry != "general" and rows != columns:
        raise DataError(
            f"{reading.title} declares a {symmetry} matrix of {rows:,} × {columns:,}, "
            f"which is not square; {_REMEDY}."
        )
    # Of the others the part below the diagonal is written, with it or without.
    entries = {
        "general": rows * columns,
        "skew-symmetric": rows * (rows - 1) // 2,
    }.get(symmetry, rows * (rows + 1) // 2)
    if sparse:
        entries = int(sizes[3])
    _check(reading, rows, columns, entries)
    return _Header(sparse, words[3] == "pattern", symmetry, rows, columns, entries)


def _check(reading: Reading, rows: int, columns: int, entries: int) -> None:
    """Refuse what does not fit into memory, or cannot be in the file."""
    if not rows or not columns:
        raise DataError(
            f"{reading.title} holds a matrix of {rows:,} × {columns:,}, which is "
            "empty; save one with one row per sample."
        )
    reading.require_width(columns)
    # A line has a digit and its end at least.
    if 2 * entries > reading.size + 2:
        raise DataError(
            f"{reading.title} declares {entries:,} entries, more than a file of "
            f"{reading.size:,} bytes can hold; it was cut short, {_REMEDY}."
        )
    reading.require_table(rows, columns, FEWER)


def _fill(
    reading: Reading, file: BinaryIO, header: _Header, matrix: FloatArray
) -> None:
    width = 1 if not header.sparse else 2 if header.pattern else 3
    below = None if header.sparse else _places(header)
    done = 0
    lines = (line for line in file if line.strip() and not line.startswith(b"%"))
    while batch := list(islice(lines, _LINES)):
        values = np.loadtxt(batch, comments=None, ndmin=2)
        if values.shape[1] != width or done + len(values) > header.entries:
            raise _damaged(reading, header)
        if below is None:
            _add(reading, header, matrix, values)
        else:
            rows, columns = (place[done : done + len(values)] for place in below)
            _set(header, matrix, rows, columns, values[:, 0])
        done += len(values)
        reading.step(file.tell() / reading.size if file.seekable() else None)
    if done != header.entries:
        raise _damaged(reading, header)


def _places(header: _Header) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of the values of a dense matrix, column by column."""
    if header.symmetry == "general":
        columns, rows = np.divmod(np.arange(header.entries), header.rows)
        return rows, columns
    columns, rows = np.triu_indices(header.rows, int("skew" in header.symmetry))
    return rows, columns


def _add(
    reading: Reading, header: _Header, matrix: FloatArray, values: FloatArray
) -> None:
    """Add entries, row, column and value each; those of one place are summed."""
    places = values[:, :2].astype(np.int64)
    inside = (places >= 1) & (places <= (header.rows, header.columns))
    if not inside.all() or (places != values[:, :2]).any():
        row, column = values[~(inside & (places == values[:, :2])).all(axis=1)][0, :2]
        raise DataError(
            f"{reading.title} has an entry at ({row:g}, {column:g}), which is not in a "
            f"matrix of {header.rows:,} × {header.columns:,}; {_REMEDY}."
        )
    rows, columns = places.T - 1
    entries = np.ones(len(rows)) if header.pattern else values[:, 2]
    _set(header, matrix, rows, columns, entries)


def _set(
    header: _Header,
    matrix: FloatArray,
    rows: "np.ndarray[tuple[int], np.dtype[np.int64]]",
    columns: "np.ndarray[tuple[int], np.dtype[np.int64]]",
    values: FloatArray,
) -> None:
    np.add.at(matrix, (rows, columns), values)
    if header.symmetry != "general":
        off = rows != columns
        sign = -1.0 if header.symmetry == "skew-symmetric" else 1.0
        np.add.at(matrix, (columns[off], rows[off]), sign * values[off])


def _damaged(reading: Reading, header: _Header) -> DataError:
    return DataError(
        f"{reading.title} does not hold as many entries as it declares "
        f"({header.entries:,}); it is damaged, {_REMEDY}."
    )


MOST_LOOKED_AT = 1000
"""Entries of a line by which the format is recognised."""


_WORD = re.compile(rb"\S+")


def is_sample(line: bytes) -> int:
    """Return how many entries a line of such a file has; 0 if it is none.

    Indices rise and values are numbers. What could be a clock, 10:15, is no entry.
    """
    label, *pairs = line.split(b"#", 1)[0].split(None, MOST_LOOKED_AT) or [b""]
    if len(pairs) == MOST_LOOKED_AT:
        pairs.pop()  # the rest of the line
    if not all(_number(part) is not None for part in label.split(b",")):
        return 0
    last, count, clocks = -1, 0, 0
    for pair in pairs:
        index, _, value = pair.partition(b":")
        if index == b"qid" and not count:
            continue
        zeros = len(index) > 1 and index.startswith(b"0")
        if not index.isdigit() or len(index) > 18 or zeros or int(index) <= last:
            return 0
        if _number(value) is None:
            return 0
        last, count = int(index), count + 1
        clocks += len(value) == 2 and value.isdigit() and last < 24 and value < b"60"
    return 0 if clocks == count else count


def _number(text: bytes) -> float | None:
    """Return a number; Python would also read 1_000, which is a name."""
    if b"_" in text or len(text) > LONGEST_NUMBER:
        return None
    try:
        return float(text)
    except ValueError:
        return None


class _Entries:
    """Rows, columns and values of what is not zero, as flat arrays."""

    def __init__(self) -> None:
        self.rows = array("q")
        self.columns = array("q")
        self.values = array("d")
        self.labels: list[str] = []
        self._known: dict[bytes, str] = {}

    def add_label(self, label: bytes) -> None:
        """Begin a row; a million labels are often three words."""
        text = self._known.get(label)
        if text is None:
            text = label.decode("utf-8", "replace")
            if len(self._known) < 100_000:
                self._known[label] = text
        self.labels.append(text)


def read_svmlight(reading: Reading) -> list[Column]:
    """Read into a dense table: features and the label as last column."""
    entries = _Entries()
    with open_binary(reading.path) as file:
        for number, line in numbered_lines(reading, file):
            _add_line(reading, entries, line, number)
    if not entries.labels or not entries.columns:
        raise DataError(
            f"{reading.title} holds no samples; write lines such as “1 1:0.5 3:2”."
        )
    return _dense(reading, entries)


def _add_line(reading: Reading, entries: _Entries, line: bytes, number: int) -> None:
    words = _WORD.finditer(line.partition(b"#")[0])
    label = next(words, None)
    if label is None:
        return
    row = len(entries.labels)
    entries.add_label(label[0])
    for word in words:
        pair = word[0]
        index, _, value = pair.partition(b":")
        if index == b"qid":
            continue
        column = int(index) if index.isdigit() and len(index) <= 18 else -1
        entry = _number(value)
        reading.tick()
        if entry is None or column < 0:
            shown = clean(pair[:40].decode("utf-8", "replace"))
            raise DataError(
                f"Line {number:,} of {reading.title} holds “{shown}”, which is not "
                "index:value; correct that line."
            )
        entries.rows.append(row)
        entries.columns.append(column)
        entries.values.append(entry)


def _dense(reading: Reading, entries: _Entries) -> list[Column]:
    columns = np.frombuffer(entries.columns, dtype=np.int64)
    # Indices count from 1 by definition, but many writers start at 0.
    first = 0 if columns.min() == 0 else 1
    width = int(columns.max()) - first + 1
    total = len(entries.labels)
    reading.require_width(width, "remove rare features")
    rows = reading.chosen_rows(total)
    count = total if rows is None else len(rows)
    reading.require_table(
        count, width, "remove rare features or read a sample of its rows"
    )
    place = np.arange(total) if rows is None else np.full(total, -1)
    if rows is not None:
        place[rows] = np.arange(count)
    target = place[np.frombuffer(entries.rows, dtype=np.int64)]
    kept = target >= 0
    block = np.zeros((count, width))
    block[target[kept], columns[kept] - first] = np.frombuffer(entries.values)[kept]
    made = block_columns([f"x{j + first}" for j in range(width)], block)
    labels = entries.labels if rows is None else [entries.labels[i] for i in rows]
    reading.note(f"sparse: {len(columns) / (total * width):.0%} of the values not zero")
    return [*made, _label_column(labels)]


def _label_column(labels: list[str]) -> Column:
    numbers = {label: _number(label.encode()) for label in set(labels)}
    if None not in numbers.values() and not any(map(is_vast, numbers)):
        return Column("label", np.array([numbers[label] for label in labels]))
    # Several labels a sample, such as "1,3", are a class of their own.
    return Column("label", object_array(list(labels)), "text")
