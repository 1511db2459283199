"""One way in: any file that can be opened becomes a Table, or one sentence says why."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from kpca_viewer.data.files.arff import read_arff
from kpca_viewer.data.files.delimited import read_delimited, read_string
from kpca_viewer.data.files.excel import read_excel
from kpca_viewer.data.files.formats import BY_EXTENSION, BY_KEY, HEAD, recognise
from kpca_viewer.data.files.headers import transposed
from kpca_viewer.data.files.json_records import read_json
from kpca_viewer.data.files.marks import note_exact
from kpca_viewer.data.files.matlab import read_matlab, refuse_version
from kpca_viewer.data.files.numpy_files import read_npy, read_npz
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.parquet import read_parquet
from kpca_viewer.data.files.source import (
    Reading,
    content_hash,
    fingerprint,
    open_binary,
    system_errors,
)
from kpca_viewer.data.files.sparse_text import read_matrix_market, read_svmlight
from kpca_viewer.data.table import Column, IntArray, Table
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


class NoRowsError(DataError):
    """A file is a table, but an empty one."""


PREVIEW_ROWS = 1000
PREVIEWED = frozenset(("delimited", "parquet", "npy", "npz", "arff"))
"""Formats whose first rows can be had without the rest."""


def read_table(
    path: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),  # noqa: B008 — frozen, so it can be shared
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Table:
    """Read a file into a table.

    The format is recognised by content first and by name second.

    Parameters
    ----------
    path : path
    options : ReadOptions
        What detection should not decide.
    should_stop, progress : callables of `kpca_viewer.support.progress`

    Raises
    ------
    DataError
        For everything that can be wrong with a file, with what to do about it.
    Cancelled
        If ``should_stop`` says so.
    """
    reading = _reading(path, options, should_stop, progress)
    with system_errors(reading.path):
        key, head, size = _recognised(reading)
        digest = content_hash(reading, size)
        return _finished(reading, key, head, size, digest)


def preview_table(
    path: str | os.PathLike[str],
    rows: int = PREVIEW_ROWS,
    *,
    options: ReadOptions = ReadOptions(),  # noqa: B008 — frozen, so it can be shared
    should_stop: ShouldStop = never,
) -> Table | None:
    """Read the first rows of a large file, to ask about it before it is read.

    Its ``total`` says how many rows the file has. Its ``content_hash`` is empty, for
    that would need all of the file.

    Returns
    -------
    Table or None
        None for what has to be read as a whole: some formats, and a table that is
        transposed.

    Raises
    ------
    DataError, Cancelled
        As `read_table`.
    """
    options = replace(options, max_rows=rows, sample=None)
    reading = _reading(path, options, should_stop, silent)
    with system_errors(reading.path):
        key, head, size = _recognised(reading)
        if key not in PREVIEWED or options.transpose:
            return None
        table = _finished(reading, key, head, size, "")
    return replace(table, total=reading.total, estimated=reading.estimated)


def read_piece(
    path: str | os.PathLike[str],
    start: int,
    *,
    groups: tuple[int, ...] | None = None,
    span: tuple[int, int] | None = None,
    rows: IntArray | None = None,
    columns: tuple[str, ...] | None = None,
    options: ReadOptions = ReadOptions(),  # noqa: B008 — frozen, so it can be shared
    should_stop: ShouldStop = never,
) -> Table:
    """Read some rows of a large file, which begin after ``start`` others.

    Parameters
    ----------
    groups : tuple of int, optional
        Row groups of a Parquet file.
    span : tuple of int, optional
        Rows of an array: the first, and the one after the last.
    rows : ndarray of int, optional
        Those among them that are wanted, ascending from 0; of formats that can be cut.
    columns : tuple of str, optional
        Those of a Parquet file that are wanted; other formats have all anyway.

    Raises
    ------
    DataError, Cancelled
        As `read_table`.
    """
    reading = _reading(path, options, should_stop, silent)
    reading.groups, reading.span, reading.columns = groups, span, columns
    reading.rows = rows
    with system_errors(reading.path):
        key, head, size = _recognised(reading)
        table = _finished(reading, key, head, size, "")
    if not start:
        return table
    known = table.row_numbers
    numbers = np.arange(1, 1 + table.n) if known is None else known
    return replace(table, row_numbers=numbers + start)


def recognised(path: Path) -> str:
    """Return the key of the format of a file.

    Raises
    ------
    DataError
        If it can never be a table.
    """
    with system_errors(path):
        return _recognised(_reading(path, ReadOptions(), never, silent))[0]


def _reading(
    path: str | os.PathLike[str],
    options: ReadOptions,
    should_stop: ShouldStop,
    progress: Progress,
) -> Reading:
    path = Path(path)
    if "\0" in str(path):
        raise DataError("The name of the file holds a zero byte; choose another file.")
    return Reading(path, options, should_stop, progress)


def _recognised(reading: Reading) -> tuple[str, bytes, int]:
    """Return the format of a file, its first bytes and its size."""
    before = reading.before = fingerprint(reading.path)
    with open_binary(reading.path) as file:
        head = file.read(HEAD)
    return recognise(reading.path, head), head, before.size


def _finished(reading: Reading, key: str, head: bytes, size: int, digest: str) -> Table:
    columns = _columns(reading, lambda: _read(reading, key, size, head))
    reading.step(1.0)
    named = BY_EXTENSION.get(reading.path.suffix.lower().lstrip("."))
    if named is not None and not _same_family(named.key, key):
        reading.note(f"the content is {BY_KEY[key].title}, whatever the name says")
    return _table(reading, columns, digest, BY_KEY[key].title)


def _columns(reading: Reading, read: Callable[[], list[Column]]) -> list[Column]:
    """Return the columns that the options want of what a reader delivers."""
    options = reading.options
    if options.transpose:
        # Rows are chosen once they are rows.
        reading.options = replace(options, max_rows=None, sample=None)
    columns = read()
    reading.options = options
    if reading.top is None and (options.skip or options.header is False):
        raise DataError(
            f"{reading.title} says itself what its columns are called, so that it has "
            "no lines to skip and no header to choose; leave that to the file."
        )
    if options.transpose and columns and columns[0].n:
        columns = transposed(reading, columns)
    return columns


def read_text(text: str, *, options: ReadOptions = ReadOptions()) -> Table:  # noqa: B008
    """Read a table from text, for example from the clipboard.

    Raises
    ------
    DataError
        If the text holds no table.
    """
    reading = Reading(Path("clipboard"), options)
    columns = _columns(reading, lambda: read_string(reading, text))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    table = _table(reading, columns, digest, "Clipboard")
    object.__setattr__(table, "path", None)
    return table


def _read(reading: Reading, key: str, size: int, head: bytes) -> list[Column]:
    match key:
        case "excel":
            return read_excel(reading)
        case "parquet":
            return read_parquet(reading)
        case "json" | "jsonl":
            return read_json(reading, size, lines=key == "jsonl")
        case "npy":
            return read_npy(reading, size)
        case "npz":
            return read_npz(reading)
        case "hdf5":
            raise refuse_version(reading, "7.3 (HDF5)")
        case "matlab":
            return read_matlab(reading, size)
        case "arff":
            return read_arff(reading, size)
        case "svmlight":
            return read_svmlight(reading, size)
        case "mtx":
            return read_matrix_market(reading, size)
    return read_delimited(reading, size, head)


def _same_family(a: str, b: str) -> bool:
    texts = {"delimited", "svmlight", "arff", "mtx", "json", "jsonl"}
    return a == b or {a, b} <= {"json", "jsonl"} or {a, b} <= texts - {"json", "jsonl"}


def _table(reading: Reading, columns: list[Column], digest: str, title: str) -> Table:
    if not columns or not columns[0].n:
        if len(reading.parts) > 1:
            part = ", ".join(f"“{name}”" for name in reading.chosen)
            raise DataError(
                f"{part} of {reading.title} has no rows of data; choose another."
            )
        raise NoRowsError(
            f"{reading.title} has no rows of data; check that it was saved completely."
        )
    note_exact(reading, columns)
    names = {column.name for column in columns}
    options, top = reading.options, reading.top
    if top is not None and top.title:
        # Said once, so that it is read alike from here on.
        options = replace(options, skip=top.skip)
    if top is not None and top.reason:
        options = replace(options, header=top.header)
    return Table(
        tuple(columns),
        name=reading.path.stem,
        path=reading.path,
        content_hash=digest,
        notes=tuple(reading.notes),
        format=title,
        parts=reading.parts,
        chosen=reading.chosen,
        row_numbers=reading.row_numbers,
        options=None if options == ReadOptions() else options,
        questions=tuple(q for q in reading.questions if q.column in names),
        top=top,
    )
