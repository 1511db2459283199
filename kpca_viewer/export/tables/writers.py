"""Tables into files: CSV, Excel, Parquet and NPZ, all bits of every number."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.lib import format as npy

from kpca_viewer.export.tables.results import ExportTable
from kpca_viewer.support import memory
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import ExportError

TableFormat = Literal["csv", "xlsx", "parquet", "npz"]

FORMAT_TITLES: dict[TableFormat, str] = {
    "csv": "CSV",
    "xlsx": "Excel",
    "parquet": "Parquet",
    "npz": "NPZ",
}

_CELLS = 200_000
"""Cells that are turned into Python objects at once."""

_BYTES_PER_CELL = 60
"""Text, and the copies of it that exist at once; on the safe side."""

_UNSEEN = r"\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff"
_FORMULA = re.compile(rf"[\t\r]|[{_UNSEEN}]*+[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def save_table(path: str | Path, table: ExportTable, format: TableFormat) -> None:
    """Write a table, all of it or nothing.

    Raises
    ------
    ExportError
        In one sentence; the old file is as it was.
    """
    rows, columns = table.shape
    memory.require(
        _BYTES_PER_CELL * rows * columns,
        f"A table of {rows:,} × {columns:,} cells",
        "select fewer rows, or choose NPZ",
    )
    # Brings half of Python's library along, with that for the web.
    from kpca_viewer.export.tables.xlsx import xlsx_bytes

    make: dict[TableFormat, Callable[[ExportTable], bytes]] = {
        "csv": csv_bytes,
        "xlsx": xlsx_bytes,
        "parquet": parquet_bytes,
        "npz": npz_bytes,
    }
    if format not in make:
        raise ExportError(
            f"“{format}” is no format for tables; choose one of {', '.join(make)}."
        )
    write_atomically(path, make[format](table))


def csv_bytes(table: ExportTable) -> bytes:
    """Return a table as CSV: UTF-8, RFC 4180, the shortest text of every number."""
    buffer = io.BytesIO()
    with io.TextIOWrapper(
        buffer, encoding="utf-8", errors="replace", newline="", write_through=True
    ) as text:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([neutralised(name) for name, _ in table.columns])
        for start, stop in _blocks(table):
            lists = [_cells(values, start, stop) for _, values in table.columns]
            # The module writes floats by repr, which is the shortest text that gives
            # the same bits again.
            writer.writerows(zip(*lists, strict=True))
        text.flush()
        return buffer.getvalue()


def parquet_bytes(table: ExportTable) -> bytes:
    """Return a table as Parquet, every column in its own type.

    What is masked in an array is null.
    """
    import pyarrow as arrow  # which takes long to load
    from pyarrow import parquet

    arrays = [
        arrow.array([_sound(text) for text in values], arrow.string())
        if isinstance(values, tuple)
        else arrow.array(np.require(values, requirements="C"))
        for _, values in table.columns
    ]
    names = [_sound(name) for name, _ in table.columns]
    buffer = io.BytesIO()
    content = arrow.Table.from_arrays(arrays, names=names)
    if table.note:
        content = content.replace_schema_metadata({"note": table.note})
    parquet.write_table(content, buffer)
    return buffer.getvalue()


def npz_bytes(table: ExportTable) -> bytes:
    """Return a table as the arrays it was made from; no pickle."""
    buffer = io.BytesIO()
    arrays = {name: np.asarray(array) for name, array in table.arrays.items()}
    if table.note:
        arrays["note"] = np.array(table.note)
    with zipfile.ZipFile(buffer, "w") as archive:
        # Not numpy.savez: before 2.1 it knows no way to refuse pickles, and takes a
        # column that is called “file” for its own argument.
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                npy.write_array(member, array, allow_pickle=False)
    return buffer.getvalue()


def neutralised(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    They look past blanks, line breaks and what has no width, such as the mark that many
    files begin with. What is just a number, such as the class “-1”, cannot do anything
    and stays.
    """
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _blocks(table: ExportTable) -> Iterator[tuple[int, int]]:
    rows, columns = table.shape
    step = max(1, _CELLS // max(columns, 1))
    for start in range(0, rows, step):
        yield start, min(start + step, rows)


def _cells(values: Any, start: int, stop: int) -> list[Any]:
    if isinstance(values, tuple):
        return [neutralised(text) for text in values[start:stop]]
    part = values[start:stop]
    if part.dtype == bool:
        return part.astype(np.int64).tolist()
    cells: list[Any] = part.tolist()
    if part.dtype.kind == "f" and np.isnan(part).any():
        return ["" if cell != cell else cell for cell in cells]
    return cells


def _sound(text: str) -> str:
    """Replace halves of characters, which file systems let through into names."""
    return text.encode("utf-8", "replace").decode()
