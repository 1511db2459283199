"""Tables with one column a sample: turned, so that every sample is a row."""

import numpy as np

from kpca_viewer.data.files.cells import CellRules, block_columns, object_array
from kpca_viewer.data.files.collect import SAMPLE_REMEDY
from kpca_viewer.data.files.names import default_names, unique_names
from kpca_viewer.data.files.source import Reading
from kpca_viewer.data.table import Column, FloatArray, exact_text
from kpca_viewer.support.errors import DataError

MAX_COLUMNS = 1_000_000


def transposed(reading: Reading, columns: list[Column]) -> list[Column]:
    """Return the rows as columns: the first column names them, the header the rows.

    Without a header, a first column of numbers is data.

    Raises
    ------
    DataError
        If there is nothing to turn, or too much.
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
    if width > MAX_COLUMNS:
        raise DataError(
            f"{reading.title} would have {width:,} columns, more than "
            f"{MAX_COLUMNS:,}; leave it as it is."
        )
    reading.require_table(rows, width, SAMPLE_REMEDY)
    names = default_names(width)
    if by_first:
        names = unique_names(
            map(_cell_text, [columns[0]] * width, range(width)), reading
        )
    made = _turned(reading, names, body)
    if named:
        title = "name"
        while title in names:
            title += " (2)"
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
    if column.kind == "number":
        return column.values
    if column.numbers is not None:
        return column.numbers
    found = ("" if word is None else word for word in column.values)
    return np.array([np.nan if v is None else v for v in rules.numbers(found)])


def _cell_text(column: Column, row: int) -> str:
    value = column.values[row]
    if column.kind == "text":
        return "" if value is None else str(value)
    return "" if np.isnan(value) else exact_text(float(value))
