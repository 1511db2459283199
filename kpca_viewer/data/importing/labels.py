"""Labels and row names of a table."""

import numpy as np

from kpca_viewer.data.dataset import UNLABELLED
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.metadata import natural
from kpca_viewer.data.table import (
    Column,
    FloatArray,
    IntArray,
    Table,
    exact_text,
    listed,
)
from kpca_viewer.support.errors import DataError

MAX_CLASSES = 256
"""More words than this are names of rows, not classes."""

MAX_NUMBER_CLASSES = 50
"""A label with more different numbers than this is a quantity to colour by."""


def only_column(table: Table, settings: ImportSettings, role: str) -> Column | None:
    """Return the column that is the label or the row name.

    Raises
    ------
    DataError
        If there are two, or the table has no such column.
    """
    names = settings.columns("label" if role == "label" else "name")
    if len(names) > 1:
        what = "label" if role == "label" else "row name"
        raise DataError(
            f"{listed(names)} are all chosen as {what}; keep one, and "
            "make the others metadata."
        )
    return table.column(names[0]) if names else None


def is_quantity(column: Column) -> bool:
    """Whether a label is a number to colour by instead of a class."""
    return column.kind == "number" and column.distinct > MAX_NUMBER_CLASSES


def label_words(column: Column) -> list[str | None]:
    """Return the label of every row as text, None where it is missing."""
    if column.kind == "text":
        return list(column.values)
    return [None if np.isnan(v) else exact_text(float(v)) for v in column.values]


def may_be_noise(column: Column) -> bool:
    """Whether −1 stands beside classes from 0 on, as clustering leaves it."""
    if not column.whole or column.distinct < 3 or is_quantity(column):
        return False
    return bool(np.nanmin(column.values) == -1)


def label_codes(
    column: Column, known: tuple[str, ...] = (), missing: tuple[str, ...] = ()
) -> tuple[IntArray | None, tuple[str, ...]]:
    """Return class codes (n,) and the names of the classes.

    Parameters
    ----------
    known : tuple of str
        Names that come first, where a data set exists already.
    missing : tuple of str
        Words that stand for no label.
    """
    words = [None if word in missing else word for word in label_words(column)]
    new = sorted(set(words) - {None} - set(known), key=natural)
    names = (*known, *(word for word in new if word is not None))
    if not names or all(word is None for word in words):
        return None, ()
    if len(names) > MAX_CLASSES + len(known):
        raise DataError(
            f"The label “{column.name}” has more than {MAX_CLASSES} different values; "
            "make it the row name, or metadata."
        )
    codes = {name: code for code, name in enumerate(names)}
    found = (UNLABELLED if word is None else codes[word] for word in words)
    return np.fromiter(found, np.int64, len(words)), names


def quantity(column: Column) -> FloatArray:
    """Return a label as numbers to colour by; infinities count as missing."""
    return np.where(np.isinf(column.values), np.nan, column.values)


def row_names(table: Table, column: Column | None) -> list[str] | None:
    """Return the name of every row; rows without one are numbered."""
    if column is None:
        return None
    return [
        column.text(row) or f"row {table.row_number(row)}" for row in range(table.n)
    ]
