"""One way in: any file that can be opened becomes a Table, or one sentence says why."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kpca_viewer.data.files.arff import read_arff
from kpca_viewer.data.files.delimited import read_delimited, read_string
from kpca_viewer.data.files.excel import read_apart, read_excel
from kpca_viewer.data.files.formats import (
    BY_EXTENSION,
    BY_KEY,
    HEAD,
    PLUGINS,
    recognise,
)
from kpca_viewer.data.files.hdf5 import read_hdf5
from kpca_viewer.data.files.headers import transposed
from kpca_viewer.data.files.image_folder import (
    digest_of,
    is_image_folder,
    read_images,
)
from kpca_viewer.data.files.json_records import read_json
from kpca_viewer.data.files.marks import note_exact
from kpca_viewer.data.files.matlab import read_matlab
from kpca_viewer.data.files.numpy_files import read_npy, read_npz
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.packing import ARROW, FEATHER, packing_of, unpacked
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
from kpca_viewer.support.errors import DataError, excerpt
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


class NoRowsError(DataError):
    """A file is a table, but an empty one."""


OTHER_NAME = "the content is {}, whatever the name says"
FEATHER_ENDINGS = (".feather", ".arrow", ".arrows", ".ipc")
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
    """
    reading = _reading(path, options, should_stop, progress)
    return _read_whole(reading)


def _read_whole(reading: Reading) -> Table:
    if is_image_folder(reading.path):
        with system_errors(reading.path):
            columns = _columns(reading, lambda: read_images(reading))
            return _table(reading, columns, digest_of(columns), "Pictures")
    with unpacked(reading) as (inside, packing):
        if packing:
            inner = replace(reading, path=inside, origin=reading.named, before=None)
            table = _read_whole(inner)
            digest = content_hash(reading)
            table = replace(table, path=reading.path, content_hash=digest)
            note = f"unpacked from {packing}"
            if packing in (FEATHER, ARROW):
                table = replace(table, format=packing)
                named = reading.path.suffix.lower() in FEATHER_ENDINGS
                note = "" if named else OTHER_NAME.format(packing)
            notes = filter(None, (note, *table.notes))
            return replace(table, notes=tuple(notes))
    with system_errors(reading.path):
        key = _recognised(reading)
        return _finished(reading, key, content_hash(reading))


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
        None for what has to be read as a whole: some formats, what is compressed, and
        a table that is transposed.
    """
    options = replace(options, max_rows=rows, sample=None)
    reading = _reading(path, options, should_stop, silent)
    if is_image_folder(reading.path):
        return None
    with system_errors(reading.path):
        fingerprint(reading.path)
        if packing_of(reading):
            return None
        key = _recognised(reading)
        if key not in PREVIEWED or options.transpose:
            return None
        table = _finished(reading, key)
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
    """
    reading = _reading(path, options, should_stop, silent)
    reading.groups, reading.span, reading.columns = groups, span, columns
    reading.rows = rows
    with system_errors(reading.path):
        key = _recognised(reading)
        table = _finished(reading, key)
    if not start:
        return table
    known = table.row_numbers
    numbers = np.arange(1, 1 + table.n) if known is None else known
    return replace(table, row_numbers=numbers + start)


def recognised(path: Path) -> str:
    with system_errors(path):
        return _recognised(_reading(path, ReadOptions(), never, silent))


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


def _recognised(reading: Reading) -> str:
    """Return the format of a file."""
    reading.before = fingerprint(reading.path)
    with open_binary(reading.path) as file:
        reading.head = file.read(HEAD)
    return recognise(reading.path, reading.head)


def _finished(reading: Reading, key: str, digest: str = "") -> Table:
    columns = _columns(reading, lambda: _READERS[key](reading))
    reading.step(1.0)
    named = BY_EXTENSION.get(reading.path.suffix.lower().lstrip("."))
    if named is not None and not _same_family(named.key, key):
        reading.note(OTHER_NAME.format(BY_KEY[key].title))
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
    """Read a table from text, for example from the clipboard."""
    reading = Reading(Path("clipboard"), options)
    columns = _columns(reading, lambda: read_string(reading, text))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    table = _table(reading, columns, digest, "Clipboard")
    object.__setattr__(table, "path", None)
    return table


def _by_plugin(read: Callable[[Path], Any], reading: Reading) -> list[Column]:
    """Return what a reader of another package gives: columns by name, or a frame."""
    from kpca_viewer.data.frames import columns_of

    try:
        return columns_of(read(reading.path), reading)
    except DataError:
        raise
    except Exception as error:
        raise DataError(
            f"{reading.title} cannot be read by the plug-in for such files "
            f"({excerpt(str(error))}); check the file, or upgrade the plug-in."
        ) from error


_READERS: dict[str, Callable[[Reading], list[Column]]] = {
    "delimited": read_delimited,
    "excel": read_excel,
    "workbook": read_apart,
    "parquet": read_parquet,
    "json": read_json,
    "jsonl": partial(read_json, lines=True),
    "npy": read_npy,
    "npz": read_npz,
    "matlab": read_matlab,
    "hdf5": read_hdf5,
    "arff": read_arff,
    "svmlight": read_svmlight,
    "mtx": read_matrix_market,
    **{
        f"plug-in {ending}": partial(_by_plugin, read)
        for ending, read in PLUGINS.items()
    },
}


def _same_family(a: str, b: str) -> bool:
    texts = {"delimited", "svmlight", "arff", "mtx", "json", "jsonl"}
    if {a, b} == {"matlab", "hdf5"}:
        return True
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
    # Programs of 10x give the same name to every matrix, and another to its folder.
    named = reading.named.parent if reading.path.stem == "matrix" else reading.path
    return Table(
        tuple(columns),
        name=named.stem or "matrix",
        path=reading.path,
        content_hash=digest,
        notes=tuple(reading.notes),
        format=reading.format or title,
        described=reading.described,
        parts=reading.parts,
        chosen=reading.chosen,
        row_numbers=reading.row_numbers,
        options=None if options == ReadOptions() else options,
        questions=tuple(q for q in reading.questions if q.column in names),
        top=top,
    )
