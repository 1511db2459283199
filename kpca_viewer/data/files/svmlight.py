"""SVMLight and LIBSVM: a label and the entries that are not zero, a sample a line."""

import re
from array import array

import numpy as np

from kpca_viewer.data.files.cells import (
    LONGEST_NUMBER,
    block_columns,
    is_vast,
    object_array,
)
from kpca_viewer.data.files.names import clean
from kpca_viewer.data.files.source import Reading, open_binary
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError

MAX_LINE = 64 << 20
MAX_COLUMNS = 1_000_000

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


def read_svmlight(reading: Reading, size: int) -> list[Column]:
    """Read into a dense table: features and the label as last column."""
    entries = _Entries()
    with open_binary(reading.path) as file:
        number = 0
        while line := file.readline(MAX_LINE):
            number += 1
            reading.tick(file.tell() / max(size, 1))
            _add(reading, entries, line, number)
    if not entries.labels or not entries.columns:
        raise DataError(
            f"{reading.title} holds no samples; write lines such as “1 1:0.5 3:2”."
        )
    return _dense(reading, entries)


def _add(reading: Reading, entries: _Entries, line: bytes, number: int) -> None:
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
    if width > MAX_COLUMNS:
        raise DataError(
            f"{reading.title} has {width:,} features, more than {MAX_COLUMNS:,}; "
            "remove rare ones."
        )
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
