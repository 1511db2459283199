"""Features: columns of numbers and of words side by side, as one matrix."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kpca_viewer.data.files.cells import CellRules, object_array
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.table import Column, FloatArray, Table, listed
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError, TooLargeError, excerpt

MAX_CATEGORIES = 100
"""More columns of 0 and 1 than this out of one column drown all others."""


class OddCellError(DataError):
    """A cell of a feature that is no usable number; it may count as missing instead.

    Attributes
    ----------
    word : str or None
        What the cell holds; None for an infinite number.
    """

    def __init__(self, text: str, word: str | None = None) -> None:
        super().__init__(text)
        self.word = word


@dataclass(frozen=True)
class Source:
    """Where the columns of the matrix come from."""

    column: Column
    values: tuple[str, ...] = ()
    """The words that get a column each; empty for a column of numbers."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the resulting features."""
        if not self.values:
            return (self.column.name,)
        return tuple(f"{self.column.name}={value}" for value in self.values)


def feature_sources(
    table: Table,
    settings: ImportSettings,
    known: Mapping[str, tuple[str, ...]] | None = None,
) -> list[Source]:
    """Return the features of a table; ``known`` has the words of its text columns."""
    names = settings.columns("feature")
    if not names:
        raise DataError(why_no_feature(table, settings))
    sources = []
    for name in names:
        column = table.column(name)
        words = (known or {}).get(name)
        if words:
            sources.append(Source(_as_text(column), words))
        elif column.known_numbers is not None:
            sources.append(Source(column))
        elif known is not None:
            # Numbers before, words now: the cell that is none will be named.
            sources.append(Source(_as_numbers(column)))
        else:
            sources.append(Source(column, _categories(column, settings)))
    return sources


def feature_matrix(
    table: Table, sources: Sequence[Source], settings: ImportSettings
) -> FloatArray:
    """Return the features as numbers (n, d), NaN where one is missing."""
    shared = None if settings.sentinels else _shared_block(sources)
    if shared is not None and not np.isinf(shared).any():
        return shared
    width = sum(len(source.names) for source in sources)
    _require(table.n * width * 8)
    matrix = np.empty((table.n, width))
    j = 0
    for source in sources:
        if source.values:
            matrix[:, j : j + len(source.values)] = _one_hot(table, source, settings)
        else:
            matrix[:, j] = _numbers(table, source.column, settings)
        j += len(source.names)
    return matrix


def numbers_of(column: Column, settings: ImportSettings) -> FloatArray | None:
    """Return the numbers (n,) of a column, NaN for sentinels; None if all is text."""
    values = column.known_numbers
    for name, sentinel in settings.sentinels:
        if name == column.name and values is not None:
            values = np.where(values == sentinel, np.nan, values)
    return values


def _as_text(column: Column) -> Column:
    if column.kind == "text":
        return column
    return Column(column.name, object_array(column.texts()), "text")


def _as_numbers(column: Column) -> Column:
    parsed = CellRules().numbers("" if v is None else v for v in column.values)
    found = np.array([np.nan if number is None else number for number in parsed])
    return Column(column.name, column.values, "text", found)


def _categories(column: Column, settings: ImportSettings) -> tuple[str, ...]:
    words = set(column.values.tolist()) - {None, *settings.missing_words}
    if not words:
        raise DataError(
            f"The column “{column.name}” holds no value in any row; make it metadata."
        )
    if not settings.one_hot:
        word = next(value for value in column.values if value is not None)
        raise DataError(
            f"The column “{column.name}” holds words such as “{excerpt(word)}”, not "
            "numbers; switch on one column per value, or make the column a label."
        )
    if column.distinct > MAX_CATEGORIES:
        raise DataError(
            f"The column “{column.name}” holds more than {MAX_CATEGORIES} different "
            "words, too many for one column each; make it the row name or "
            "metadata."
        )
    return tuple(sorted(words))


def _shared_block(sources: Sequence[Source]) -> FloatArray | None:
    """Return the matrix of a file whose columns are all features, without a copy."""
    if any(s.values or s.column.kind == "text" for s in sources):
        return None
    base = sources[0].column.values.base
    if not isinstance(base, np.ndarray) or base.ndim != 2 or base.dtype != np.float64:
        return None
    if base.shape[1] != len(sources) or not base.flags.c_contiguous:
        return None
    start = base.__array_interface__["data"][0]
    for j, source in enumerate(sources):
        values = source.column.values
        address = values.__array_interface__["data"][0]
        if values.base is not base or address != start + j * base.itemsize:
            return None
        if len(values) != len(base):
            return None
    return base


def _numbers(table: Table, column: Column, settings: ImportSettings) -> FloatArray:
    values = numbers_of(column, settings)
    assert values is not None
    infinite = np.isinf(values)
    if settings.treat_text_as_missing:
        return np.where(infinite, np.nan, values)
    if column.numbers is not None:
        expected = {None, *settings.missing_words}
        odd = np.flatnonzero(np.isnan(column.numbers))
        first = next((i for i in odd if column.values[i] not in expected), None)
        if first is not None:
            word = column.text(int(first))
            raise OddCellError(
                f"{_cell(table, int(first), column)} holds “{excerpt(word)}”, which "
                "is not a number; treat it as missing, or make the column a label.",
                word,
            )
    if infinite.any():
        row = int(np.argmax(infinite))
        raise OddCellError(
            f"{_cell(table, row, column)} holds an infinite value; treat it as "
            "missing, or make the column metadata."
        )
    return values


def _one_hot(table: Table, source: Source, settings: ImportSettings) -> FloatArray:
    codes = {word: k for k, word in enumerate(source.values)}
    missing = {None, *settings.missing_words}
    block = np.zeros((table.n, len(codes)))
    for row, word in enumerate(source.column.values):
        code = codes.get(word)
        if code is not None:
            block[row, code] = 1.0
        elif word in missing or settings.treat_text_as_missing:
            block[row] = np.nan
        else:
            raise OddCellError(
                f"{_cell(table, row, source.column)} holds “{excerpt(word)}”, which "
                f"the data of the model never hold; use {listed(codes)}, or treat it "
                "as missing.",
                word,
            )
    return block


def _cell(table: Table, row: int, column: Column) -> str:
    title = table.row_title(row)
    return f"{title[:1].upper()}{title[1:]}, column “{column.name}”"


def _require(size: int) -> None:
    try:
        memory.require(size, "The table as numbers", "choose fewer features or rows")
    except TooLargeError as error:
        raise DataError(str(error)) from None


def why_no_feature(table: Table, settings: ImportSettings) -> str:
    """Say whether there is nothing to choose, or only nothing chosen."""
    others = {*settings.columns("label"), *settings.columns("name")}
    left = [column for column in table.measured if column.name not in others]
    if left and all(column.distinct == 0 for column in left):
        return "Every column is empty; open a file with columns of numbers."
    if left and all(column.constant for column in left):
        return (
            "Every column is constant, so all rows are the same point; open a "
            "file with columns whose numbers differ."
        )
    return "No column is a feature; make at least one column of numbers a feature."
