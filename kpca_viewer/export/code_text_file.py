"""How a text file was read, as far as its beginning tells."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.cells import CellRules
from kpca_viewer.data.files.delimited import guess_encoding
from kpca_viewer.data.files.dialect import Dialect, detect, is_comment, split
from kpca_viewer.data.files.headers import clean, default_names
from kpca_viewer.data.files.options import Decimal
from kpca_viewer.data.files.units import quantity
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.support.errors import DataError

BEGINNING = 1 << 17
"""Bytes that are looked at: a script is shown while a person waits."""

LINES = 100
"""Lines that show how a file is written, and cells that show how a column is."""

_PANDAS_MISSING = {"", "NA", "N/A", "n/a", "NaN", "nan", "null", "None"}
"""Those of our words for missing cells that pandas knows as well."""


@dataclass(frozen=True)
class TextFacts:
    """What other readers have to be told."""

    encoding: str
    delimiter: str
    comments: bool
    """Whether lines that begin with # or % are none of the table."""
    escapes: bool
    """Whether a backslash stands before quotation marks inside of a cell."""
    skip: int
    """Lines above the table."""
    header_lines: int
    width: int
    """Rows above the data below those lines, and cells of a row."""
    places: tuple[int, ...]
    """Of the features among the columns."""
    decimals: tuple[Decimal, ...]
    """Of every feature."""
    label: int | None
    """The place of the label."""
    usual: Decimal
    """The decimal mark of the other columns."""
    plain: bool
    """Whether pandas gives the same by the names of the columns."""
    grouped: bool
    """Whether there may be marks between thousands."""
    marks: tuple[str, ...]
    """Words for missing cells that pandas has to be told."""


def text_facts(
    file: FileReference, dataset: Dataset, label: str | None = None
) -> TextFacts | None:
    """Look at the beginning of a file; None if it is not the one that was read."""
    try:
        with open(file.path, "rb") as stream:
            head = stream.read(BEGINNING + 1)
    except OSError:
        return None
    whole = len(head) <= BEGINNING
    encoding = _encoding(file, head)
    # The last line of a beginning is cut somewhere.
    text = head.decode(encoding, "replace")
    lines = text.splitlines(keepends=True)
    lines = lines if whole else lines[:-1]
    try:
        dialect = detect(lines[:LINES], file.reading)
    except DataError:
        return None
    names = _places(dialect)
    wanted = (*dataset.feature_names, *(() if label is None else (label,)))
    if any(name not in names for name in wanted):
        return None
    rows = _rows(lines, dialect)
    places = tuple(names[name] for name in dataset.feature_names)
    given = dict(file.reading.decimals)
    decimals = tuple(
        given.get(name)
        or _decimal(_cells(rows, place), dataset.points[:, j], dialect.decimal)
        for j, (name, place) in enumerate(
            zip(dataset.feature_names, places, strict=True)
        )
    )
    cells = {cell for place in places for cell in _cells(rows, place)}
    if any(quantity(cell) is not None for cell in cells):
        return None
    return TextFacts(
        encoding,
        dialect.delimiter,
        dialect.comments,
        dialect.escapes,
        dialect.skip,
        dialect.header_lines,
        dialect.width,
        places,
        decimals,
        None if label is None else names[label],
        dialect.decimal,
        _is_plain(dialect, wanted, decimals, cells),
        not whole or any("," in cell for cell in cells),
        tuple(
            word
            for word in file.reading.na_values
            if word not in _PANDAS_MISSING and (not whole or word in cells)
        ),
    )


def _encoding(file: FileReference, head: bytes) -> str:
    encoding = file.reading.encoding or guess_encoding(head)
    if file.reading.encoding is None and encoding.startswith("utf-8"):
        try:
            # A character may be cut in two at the end.
            head[: BEGINNING - 4].decode(encoding)
        except UnicodeDecodeError:
            return "latin-1"
    return encoding


def _places(dialect: Dialect) -> dict[str, int]:
    """Return the place of every column, named as `unique_names` does."""
    if dialect.header is None:
        return {name: j for j, name in enumerate(default_names(dialect.width))}
    places: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for position, raw in enumerate(dialect.header):
        first = name = clean(raw) or f"column {position + 1}"
        while name in places:
            counts[first] += 1
            name = f"{first} ({counts[first] + 1})"
        places[name] = position
    return places


def _rows(lines: Sequence[str], dialect: Dialect) -> list[list[str]]:
    """Return the rows of data, those that are whole."""
    lines = lines[dialect.skip :]
    source = [line for line in lines if not (dialect.comments and is_comment(line))]
    rows: list[list[str]] = []
    with suppress(csv.Error):
        text = io.StringIO("".join(source), newline="")
        for row in split(text, dialect.delimiter, escapes=dialect.escapes):
            if len(row) > 1 or "".join(row).strip():
                rows.append(row)
    return [row for row in rows[dialect.header_lines :] if len(row) == dialect.width]


def _cells(rows: list[list[str]], place: int) -> set[str]:
    return {row[place].strip() for row in rows}


def _decimal(cells: set[str], values: Any, usual: Decimal) -> Decimal:
    """Return the mark by which cells became the values that are known."""
    marked = sorted(cell for cell in cells if "," in cell or "." in cell)[:LINES]
    points, commas = (CellRules(decimal=mark).numbers(marked) for mark in (".", ","))
    if points == commas:
        return usual
    if None in points or None in commas:
        return "," if points.count(None) > commas.count(None) else "."
    hits = [
        np.isin(np.array(numbers, dtype=float), values).sum()
        for numbers in (points, commas)
    ]
    return usual if hits[0] == hits[1] else "." if hits[0] > hits[1] else ","


def _is_plain(
    dialect: Dialect,
    wanted: tuple[str, ...],
    decimals: tuple[Decimal, ...],
    cells: set[str],
) -> bool:
    header = Counter(dialect.header)
    return (
        dialect.header is not None
        and dialect.header_lines == 1
        and not dialect.comments
        and len(set(decimals)) == 1
        # Names as they stand in the file, each of them once.
        and all(header[name] == 1 for name in wanted)
        and not any(mark in cell for cell in cells for mark in "−’'\u00a0\u2009\u202f_")
    )
