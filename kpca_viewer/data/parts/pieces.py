"""Files that are one table, and the pieces in which they are read."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import glob, has_magic
from itertools import groupby
from math import prod
from pathlib import Path
from typing import Any

from kpca_viewer.data.files.formats import BY_EXTENSION
from kpca_viewer.data.files.image_folder import is_image_folder
from kpca_viewer.data.files.numpy_files import npy_header
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.read import (
    NoRowsError,
    preview_table,
    read_piece,
    recognised,
)
from kpca_viewer.data.files.source import Reading, foreign, system_errors
from kpca_viewer.data.files.sparse_text import matrix_in
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.metadata import natural
from kpca_viewer.data.table import IntArray, Table, listed
from kpca_viewer.support import memory, paths
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import byte_size
from kpca_viewer.support.progress import ShouldStop, check, never

MOST_ROWS = 200_000
"""Of a piece; one row group of a Parquet file is never cut."""

MOST_VALUES = 20_000_000
"""Of a piece: 160 MB as float64."""

CUT = ("parquet", "npy")
"""Formats of which some rows can be read without the others."""

COPIES = 3
"""Of a table that are in memory at once, where it is not read in pieces."""

LARGEST_WHOLE = 512 << 20
"""Bytes of a file that cannot be cut."""


@dataclass(frozen=True)
class Piece:
    """Some rows of a file."""

    path: Path
    number: int
    """Of the part, from 1."""
    key: str
    """Of its format."""
    size: int
    """About how many bytes of the file it is."""
    modified: int
    """When the file was written, in ns."""
    start: int = 0
    """Rows of the file before it."""
    rows: int | None = None
    """None where that is unknown before it is read."""
    groups: tuple[int, ...] | None = None
    """Row groups of a Parquet file; None for all."""
    cut: int = 0
    """Its place among the pieces of a file, from 1; 0 for a whole file."""
    whole: int | None = None
    """Bytes of the file; None where it was not looked at."""

    @property
    def title(self) -> str:
        return f"part {self.number} ({self.path.name})"

    @property
    def capital_title(self) -> str:
        """The same at the beginning of a sentence."""
        return self.title[:1].upper() + self.title[1:]

    @property
    def span(self) -> tuple[int, int] | None:
        """Rows of an array: the first, and the one after the last."""
        if self.key != "npy" or self.rows is None or not self.cut:
            return None
        return self.start, self.start + self.rows

    def table(
        self,
        options: ReadOptions,
        columns: tuple[str, ...] | None = None,
        *,
        rows: IntArray | None = None,
        should_stop: ShouldStop = never,
    ) -> Table:
        """Read its rows, of all columns or of these.

        ``rows``: those that are wanted, ascending from 0, where it is known how many
        there are.
        """
        with self.unchanged():
            return read_piece(
                self.path,
                self.start,
                groups=self.groups,
                span=self.span,
                rows=rows,
                columns=columns,
                options=options,
                should_stop=should_stop,
            )

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Read the file while it is what it was at first."""
        self._refuse_changed()
        try:
            yield
        except DataError:
            # Half of a new file is said to be damaged.
            self._refuse_changed()
            raise
        self._refuse_changed()

    def _refuse_changed(self) -> None:
        with system_errors(self.path):
            state = self.path.stat()
        is_other_size = self.whole is not None and state.st_size != self.whole
        if is_other_size or state.st_mtime_ns != self.modified:
            raise DataError(
                f"{self.capital_title} has been written to since it was first looked "
                "at; begin again once nothing writes to it."
            )

    def fitting(self, table: Table, wanted: Sequence[str]) -> Table:
        """Return what was read of it with these columns.

        One without any value is called as in the other parts, with its unit.
        """
        units = {without_unit(w): w for w in wanted if w not in table.by_name}
        columns = tuple(
            replace(c, name=units[c.name]) if c.name in units and not c.distinct else c
            for c in table.columns
        )
        self.require_columns(wanted, [column.name for column in columns])
        return replace(table, columns=columns)

    def require_columns(self, wanted: Sequence[str], found: Sequence[str]) -> None:
        """Raise a `DataError` if columns are not among those that it has."""
        known = set(found)
        missing = [name for name in wanted if name not in known]
        if missing:
            what = "column" if len(missing) == 1 else "columns"
            raise DataError(
                f"{self.capital_title} lacks the {what} {listed(missing)}, it has "
                f"{listed(found)}; give parts of the same table."
            )


def pieces_of(
    paths: Sequence[Path],
    should_stop: ShouldStop = never,
    options: ReadOptions = ReadOptions(),  # noqa: B008 — frozen, so it can be shared
) -> tuple[list[Piece], list[str]]:
    """Cut files into pieces, in their order; and the titles of files without rows."""
    if options.transpose:
        raise DataError(
            "A table in parts cannot be transposed, for its parts hold rows; join them "
            "into one file first."
        )
    pieces: list[Piece] = []
    empty: list[str] = []
    for number, path in enumerate(paths, start=1):
        _refuse_name(path)
        check(should_stop)
        state = path.stat()
        size = state.st_size
        whole = Piece(path, number, "", size, state.st_mtime_ns, whole=size)
        found = list(_cut(whole, options)) if size else []
        if not found:
            empty.append(whole.title)
        if len(found) > 1:
            found = [replace(p, cut=k) for k, p in enumerate(found, start=1)]
        pieces += found
    if not pieces:
        raise DataError("No part has any row; give files with data.")
    _refuse_other_widths(pieces)
    return pieces, empty


def is_beyond_memory(path: Path) -> bool:
    """Whether a file is too large for memory, and can be read in pieces."""
    named = BY_EXTENSION.get(path.suffix.lower().lstrip("."))
    if named is None or named.key not in CUT or not paths.is_file(path):
        return False
    values = 0
    match recognised(path):
        case "npy":
            values = prod(npy_header(path).shape)
        case "parquet":
            about = parquet_facts(path)
            values = about.num_rows * about.num_columns
    return not memory.fits(COPIES * 8 * values)


def _refuse_name(path: Path) -> None:
    """Refuse a name that neither libraries nor screens can take."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        shown = os.fsencode(path.name).decode(errors="replace")
        raise DataError(
            f"The name of “{shown}” is not in UTF-8; rename the file."
        ) from None


def _refuse_other_widths(pieces: Sequence[Piece]) -> None:
    """Refuse arrays of different widths: their columns have no names to go by."""
    arrays = [piece for piece in pieces if piece.key == "npy" and piece.cut <= 1]
    widths = [npy_header(piece.path).shape[1:] for piece in arrays]
    for piece, width in zip(arrays, widths, strict=True):
        if width != widths[0]:
            first, here = (w[0] if w else 1 for w in (widths[0], width))
            raise DataError(
                f"{piece.capital_title} has {here:,} columns, {arrays[0].title} has "
                f"{first:,}; give parts of the same table."
            )


def _cut(whole: Piece, options: ReadOptions) -> Iterator[Piece]:
    key = recognised(whole.path)
    whole = replace(whole, key=key)
    if key == "parquet":
        yield from _by_groups(whole)
    elif key == "npy":
        yield from _by_rows(whole)
    elif whole.size > LARGEST_WHOLE:
        raise DataError(
            f"{whole.capital_title} has {byte_size(whole.size)} and cannot be read in "
            "pieces; split it, or write it as Parquet."
        )
    else:
        try:
            preview_table(whole.path, 1, options=options)
        except NoRowsError:
            return
        yield whole


def _by_groups(whole: Piece) -> Iterator[Piece]:
    about = parquet_facts(whole.path)
    counts = [int(about.row_group(g).num_rows) for g in range(about.num_row_groups)]
    total, most = sum(counts), most_rows(int(about.num_columns))
    start = filled = index = 0
    bins = []
    for count in counts:
        if filled and filled + count > most:
            index, filled = index + 1, 0
        filled += count
        bins.append(index)
    for _, some in groupby(range(len(counts)), key=bins.__getitem__):
        groups = tuple(some)
        rows = sum(counts[group] for group in groups)
        if rows:
            size = whole.size * rows // total
            yield replace(whole, size=size, start=start, rows=rows, groups=groups)
        start += rows


def parquet_facts(path: Path) -> Any:
    """Return what a Parquet file says at its end about its columns and row groups."""
    import pyarrow.parquet as pq  # which takes long to load

    with system_errors(path), foreign(Reading(path), "Parquet file", "write it again"):
        return pq.read_metadata(path)


def parquet_names(path: Path) -> list[str]:
    """Return the columns of a Parquet file, a structure or list as one."""
    return list(parquet_facts(path).schema.to_arrow_schema().names)


def _by_rows(whole: Piece) -> Iterator[Piece]:
    header = npy_header(whole.path)
    total = header.shape[0]
    width = max(1, header.size // max(1, total * header.dtype.itemsize))
    # One that is stored column by column has its rows everywhere.
    most = total if header.fortran else most_rows(width)
    if header.fortran and whole.size > LARGEST_WHOLE:
        raise DataError(
            f"{whole.capital_title} is stored column by column and cannot be read in "
            "pieces; save it with numpy.ascontiguousarray."
        )
    for start in range(0, total, max(most, 1)):
        rows = min(most, total - start)
        size = whole.size * rows // total
        yield replace(whole, size=size, start=start, rows=rows)


def most_rows(width: int) -> int:
    """Return how many rows of so many columns a piece may have."""
    return max(1, min(MOST_ROWS, MOST_VALUES // max(width, 1)))


def are_parts(words: Sequence[str]) -> bool:
    """Whether words mean several files: more than one, a folder, or a pattern."""
    folders = [Path(word) for word in words if paths.is_dir(word)]
    if (
        len(words) == 1
        and folders
        and (is_image_folder(folders[0]) or matrix_in(folders[0]))
    ):
        return False
    return len(words) > 1 or bool(folders) or any(map(_is_pattern, words))


def find_parts(words: Sequence[str]) -> list[Path]:
    """Return the files that words mean, in the order of words and names."""
    found: list[Path] = []
    for word in words:
        found += _in_folder(word) if paths.is_dir(word) else _by_name(word)
    files = list(dict.fromkeys(paths.real(path) for path in found))
    if len(files) < len(found):
        raise DataError("A file is named more than once; name every part once.")
    return files


def _in_folder(word: str) -> list[Path]:
    with system_errors(Path(word)):
        inside = [path for path in Path(word).iterdir() if path.is_file()]
    readable = [
        path
        for path in inside
        if path.name[0] not in "._" and path.suffix.lower().lstrip(".") in BY_EXTENSION
    ]
    if not readable:
        raise DataError(
            f"The folder “{word}” holds no file that can be read; give one with "
            "Parquet, CSV or NPY files."
        )
    return sorted(readable, key=lambda path: natural(path.name))


def _by_name(word: str) -> list[Path]:
    if not _is_pattern(word):
        if not paths.exists(word):
            raise DataError(f"“{word}” does not exist; check the name and the folder.")
        return [Path(word)]
    found = [path for name in glob(word) if paths.is_file(path := Path(name))]
    if not found:
        folder = Path(word).parent
        if has_magic(str(folder)) or paths.is_dir(folder):
            if not set("*?") & set(word):
                # More likely a name: browsers call a second download “data[1].csv”.
                raise DataError(
                    f"“{word}” does not exist, and no file fits it as a pattern; check "
                    "the name and the folder."
                )
            raise DataError(f"No file fits the pattern “{word}”; check its ending.")
        raise DataError(
            f"The folder “{folder}” does not exist, so that no file fits the pattern "
            f"“{word}”; check its name."
        )
    return sorted(found, key=lambda path: natural(path.name))


def _is_pattern(word: str) -> bool:
    return has_magic(word) and not paths.exists(word)
