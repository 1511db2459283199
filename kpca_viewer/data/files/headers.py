"""Names of columns, which rows hold them, and tables that lie on their side."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from kpca_viewer.data.files.cells import CellRules, block_columns, object_array
from kpca_viewer.data.files.collect import SAMPLE_REMEDY
from kpca_viewer.data.files.source import Reading
from kpca_viewer.data.files.units import quantity
from kpca_viewer.data.table import Column, FloatArray, exact_text, free_name, listed
from kpca_viewer.support.errors import DataError

MAX_LENGTH = 500
"""Longer names are cut; a whole document sometimes ends up in a header."""


def clean(name: object) -> str:
    """Return a name on one line, without anything that cannot be shown."""
    text = str(name)[: 4 * MAX_LENGTH]
    text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())[:MAX_LENGTH]


def default_names(count: int) -> list[str]:
    """Return ``x1 … xd`` for columns without a header."""
    return [f"x{j + 1}" for j in range(count)]


def unique_names(given: Iterable[object], reading: Reading) -> list[str]:
    """Return names that differ: a second “x” becomes “x (2)”, none “column 3”."""
    names: list[str] = []
    used: set[str] = set()
    counts: dict[str, int] = {}
    changed: list[str] = []
    for position, raw in enumerate(given):
        reading.tick()
        first = clean("" if raw is None else raw) or f"column {position + 1}"
        name = first
        while name in used:
            counts[first] = counts.get(first, 1) + 1
            name = f"{first} ({counts[first]})"
        if name != first:
            changed.append(name)
        used.add(name)
        names.append(name)
    if changed:
        reading.note(f"repeated column names made unique: {listed(changed)}")
    return names


_LOOKED_AT = 20_000
"""Cells by which a header is recognised."""

_MOST_TITLE_ROWS = 30

_MONOTONE = 8
"""Numbers that rise unevenly by chance once in 40,000 rows."""

_ENOUGH_ROWS = 5
"""Below a first row, to say that its numbers lie outside of theirs."""

Kind = Literal["missing", "number", "text"]


class _Names(NamedTuple):
    """What speaks for a first row of numbers being names."""

    over_words: bool
    """Words stand over words of which they are none, or over numbers."""
    repeats: bool
    """Those words come several times each, as classes do, or are numbers."""
    numbers_over_words: bool
    values: tuple[float, ...]
    """Numbers over numbers."""
    below: tuple[tuple[float, ...], ...]
    """The rows of the same columns."""
    outside: int
    """How many of the values lie outside of what stands below them."""


def find_header(
    first: list[str], below: list[list[str]], rules: CellRules
) -> tuple[bool, str]:
    """Return whether the first row names what stands below it.

    And what is to be said about that, where numbers may be names.
    """
    if is_header(first, below, rules):
        return True, ""
    names = _names(first, below, rules) if len(below) > 1 else None
    if names is None:
        return False, ""
    shown = ", ".join(cell.strip()[:20] for cell in first[:5])
    row = f"the first row ({shown}{', …' if len(first) > 5 else ''})"
    if reason := _reason(names):
        return True, f"{row} is taken as names: {reason}"
    if _is_even(names.values) and not any(map(_is_even, names.below)):
        return False, f"{row} is taken as data, although its numbers rise evenly"
    return False, ""


def is_header(first: list[str], below: list[list[str]], rules: CellRules) -> bool:
    """Whether the first row names in words what stands below it."""
    if below and not first[0].strip() and _counts_up(first[1:]):
        return True  # a table without names of its own, written with its index
    # R leaves out the name of its first column, the names of the rows.
    shift = int(bool(below) and len(below[0]) == len(first) + 1)
    first = first[: _most(below)]
    kinds = [_kind(cell, rules) for cell in first]
    if not below:
        return "number" not in kinds
    votes = 0
    for j, kind in enumerate(kinds):
        cells = [row[j + shift] for row in below if j + shift < len(row)]
        kinds_below = [_kind(cell, rules) for cell in cells]
        measured = sum(
            kind == "text" and quantity(cell) is not None
            for kind, cell in zip(kinds_below, cells, strict=True)
        )
        numbers = kinds_below.count("number") + measured
        if kind != "missing" and numbers > len(cells) / 2:
            # Over plain numbers “10 mg” is a name.
            is_name = kind == "text" and not (measured and quantity(first[j]))
            votes += 1 if is_name else -1
    if votes:
        return votes > 0
    # Text everywhere: names stand out by being different and never coming again, and
    # by their letters: dates and times have none.
    named = [cell for cell in first if _has_letter(cell)]
    repeated = any(
        cell == row[j] for row in below for j, cell in enumerate(first[: len(row)])
    )
    return len(set(named)) == len(first) and not repeated and "number" not in kinds


def title_rows(rows: list[list[str]], width: int, rules: CellRules) -> int:
    """Return how many of the first rows stand above a table of this width."""
    most = min(len(rows) - 2, _MOST_TITLE_ROWS)
    count = 0
    while count < most and _may_be_title(rows[count], width, rules):
        count += 1
    if count >= most:
        return 0
    # What might be a header itself needs another one below it.
    while count and not _is_short(rows[count - 1], width):
        header, below = rows[count], rows[count + 1 :]
        if len(header) in (width - 1, width) and is_header(header, below, rules):
            break
        count -= 1
    return count


def _may_be_title(row: list[str], width: int, rules: CellRules) -> bool:
    """Whether a row has another width than the data, and is mostly words."""
    filled = _filled(row)
    words = sum(_has_letter(cell) and rules.number(cell) is None for cell in filled)
    return width > 1 and len(filled) != width and 2 * words >= len(filled) > 0


def _is_short(row: list[str], width: int) -> bool:
    """Whether a row is too short for a header: R leaves out one name."""
    return len(row) < width - 1


def _filled(row: list[str]) -> list[str]:
    """Return a row without the empty cells at its end."""
    count = len(row)
    while count and not row[count - 1].strip():
        count -= 1
    return row[:count]


def _names(first: list[str], below: list[list[str]], rules: CellRules) -> _Names | None:
    """Return what speaks for numbers being names; None where they are a row of data."""
    over_words = repeats = numbers_over_words = False
    places: list[int] = []
    outside = 0
    columns: list[list[float]] = []
    rows = [row for row in below if len(row) == len(first)]
    for j, cell in enumerate(first[: _most(below)]):
        words = [row[j].strip() for row in rows if row[j].strip()]
        numbers = [number for w in words if (number := rules.number(w)) is not None]
        kind = _kind(cell, rules)
        if kind == "text" and cell.strip() in words:
            return None
        if kind == "text" and words and _has_letter(cell):
            over_words = True
            repeats |= bool(numbers) or len(set(words)) <= len(words) / 2
        elif kind == "number" and len(words) > 2 and not numbers:
            numbers_over_words = True
        elif kind == "number" and numbers:
            places.append(j)
            columns.append(numbers)
    values = tuple(rules.number(first[j]) or 0.0 for j in places)
    if _is_symmetric(first, rows, rules):
        return None
    for value, column in zip(values, columns, strict=True):
        outside += not min(column) <= value <= max(column)
    below_values = tuple(
        tuple(rules.number(row[j]) or 0.0 for j in places) for row in rows
    )
    return _Names(
        over_words, repeats, numbers_over_words, values, below_values, outside
    )


def _reason(names: _Names) -> str:
    values, count = names.values, len(names.values)
    far = 2 * names.outside > count and len(names.below) >= _ENOUGH_ROWS
    even = _is_even(values) and not any(map(_is_even, names.below))
    rises = count >= _MONOTONE and _rises(values) and not any(map(_rises, names.below))
    years = count == 2 and abs(values[1] - values[0]) == 1 and names.outside == 2
    if even and (names.over_words or far or count > 3):
        return "its numbers rise evenly"
    if (rises and (names.over_words or far)) or (years and names.over_words):
        return "its numbers rise"
    if names.over_words and names.repeats and far:
        return "its words stand over other words, and its numbers outside of the others"
    if names.numbers_over_words and (far or not count):
        return "its numbers stand over words"
    return ""


def _is_even(values: Sequence[float]) -> bool:
    """Whether three or more numbers rise or fall by the same step."""
    if len(values) < 3:
        return False
    step = (values[-1] - values[0]) / (len(values) - 1)
    if not step:
        return False
    # Names such as 400, 418, 436, 455 were rounded.
    decimals = max(len(f"{value:.10g}".partition(".")[2]) for value in values)
    slack = min(10.0**-decimals, abs(step) / 4) if len(values) > 4 else 0.0
    slack += 1e-9 * max(map(abs, values))
    return all(abs(b - a - step) <= slack for a, b in pairwise(values))


def _rises(values: Sequence[float]) -> bool:
    return all(a < b for a, b in pairwise(values)) or all(
        a > b for a, b in pairwise(values)
    )


def _is_symmetric(first: list[str], rows: list[list[str]], rules: CellRules) -> bool:
    """Whether the first row is also the first column: that of a matrix."""
    pairs = list(zip(first[1:], rows, strict=False))
    return rules.number(first[0]) is not None and all(
        rules.number(cell) == rules.number(row[0]) for cell, row in pairs
    )


def _most(below: list[list[str]]) -> int:
    """Return how many columns are looked at: of very many the first ones tell."""
    return max(_LOOKED_AT // (len(below) + 1), 1)


def _kind(cell: str, rules: CellRules) -> Kind:
    number = rules.number(cell)
    if number is None:
        return "text"
    return "missing" if number != number else "number"


def _has_letter(cell: str) -> bool:
    return any(map(str.isalpha, cell[:100]))


def _counts_up(cells: list[str]) -> bool:
    start = cells[0] if cells else ""
    return start in ("0", "1") and all(
        cell == str(int(start) + k) for k, cell in enumerate(cells)
    )


def transposed(reading: Reading, columns: list[Column]) -> list[Column]:
    """Return the rows as columns: the first column names them, the header the rows.

    Without a header, a first column of numbers is data.
    """
    old = [column.name for column in columns]
    named = old != default_names(len(old))
    by_first = named or (columns[0].kind == "text" and columns[0].numbers is None)
    body = columns[1:] if by_first else columns
    rows, width = len(body), columns[0].n
    if not rows:
        raise DataError(
            f"{reading.title} has but one column, which would be the names of all "
            "others; leave it as it is."
        )
    reading.require_width(width, "leave it as it is")
    reading.require_table(rows, width, SAMPLE_REMEDY)
    names = default_names(width)
    if by_first:
        names = unique_names(
            map(_cell_text, [columns[0]] * width, range(width)), reading
        )
    made = _turned(reading, names, body)
    if named:
        title = free_name("name", names)
        words = object_array([column.name for column in body])
        made.insert(0, Column(title, words, "text", complete=True))
    reading.note("transposed: columns of the file are rows")
    for question in reading.questions:
        # The columns that could be asked about are gone.
        reading.note(str(question))
    chosen = reading.chosen_rows(rows)
    return made if chosen is None else [column.take(chosen) for column in made]


def _turned(reading: Reading, names: list[str], body: list[Column]) -> list[Column]:
    """Return columns of numbers, and of text where a row holds any word."""
    block = np.empty((len(body), len(names)))
    has_words = np.zeros(len(names), dtype=bool)
    for i, column in enumerate(body):
        reading.tick()
        block[i] = _numbers(column, reading.rules)
        if column.kind == "text":
            has_words |= np.isnan(block[i]) & ~column.is_missing()
    made = block_columns(names, block)
    for j in np.flatnonzero(has_words).tolist():
        reading.tick()
        texts = [_cell_text(column, j) or None for column in body]
        made[j] = Column(names[j], object_array(texts), "text")
    return made


def _numbers(column: Column, rules: CellRules) -> FloatArray:
    if column.known_numbers is not None:
        return column.known_numbers
    found = ("" if word is None else word for word in column.values)
    return np.array([np.nan if v is None else v for v in rules.numbers(found)])


def _cell_text(column: Column, row: int) -> str:
    value = column.values[row]
    if column.kind == "text":
        return "" if value is None else str(value)
    return "" if np.isnan(value) else exact_text(float(value))
