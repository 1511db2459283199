"""SVMLight and LIBSVM: a label and the entries that are not zero, a sample a line."""

import re
from array import array

import numpy as np

from kpca_viewer.core.errors import DataError
from kpca_viewer.data.files.cells import block_columns, object_array
from kpca_viewer.data.files.names import clean
from kpca_viewer.data.files.source import Reading, open_binary
from kpca_viewer.data.table import Column

MAX_LINE = 64 << 20

LINE = re.compile(
    rb"\s*[+-]?[\d.][\d.eE+,-]*(\s+qid:\d+)?(\s+\d+:[^\s:#]+)+\s*(#.*)?", re.DOTALL
)
"""A line of such a file, for recognising one."""


class _Entries:
    """Rows, columns and values of what is not zero, as flat arrays."""

    def __init__(self) -> None:
        self.rows = array("q")
        self.columns = array("q")
        self.values = array("d")
        self.labels: list[str] = []


def read_svmlight(reading: Reading, size: int) -> list[Column]:
    """Read into a dense table: features and the label as last column."""
    entries = _Entries()
    with open_binary(reading.path) as file:
        number = 0
        while line := file.readline(MAX_LINE):
            number += 1
            _add(reading, entries, line, number)
            if number % 2000 == 0:
                reading.step(file.tell() / max(size, 1))
    if not entries.labels or not entries.columns:
        raise DataError(
            f"{reading.title} holds no samples; write lines such as “1 1:0.5 3:2”."
        )
    return _dense(reading, entries)


def _add(reading: Reading, entries: _Entries, line: bytes, number: int) -> None:
    label, *pairs = line.split(b"#", 1)[0].split() or [b""]
    if not label:
        return
    row = len(entries.labels)
    entries.labels.append(label.decode("utf-8", "replace"))
    for pair in pairs:
        index, colon, value = pair.partition(b":")
        if index == b"qid":
            continue
        try:
            column, entry = int(index), float(value)
        except ValueError:
            column, entry, colon = -1, 0.0, b""
        if not colon or not 0 <= column < 1 << 62:
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
    rows = reading.chosen_rows(total)
    count = total if rows is None else len(rows)
    reading.require(
        8 * count * width, "remove rare features or read a sample of its rows"
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
    try:
        return Column("label", np.array([float(label) for label in labels]))
    except ValueError:
        # Several labels a sample, such as "1,3", are a class of their own.
        return Column("label", object_array(list(labels)), "text")
