"""Columns of whole numbers that may be no measurements: ids, years, classes.

As features they draw a picture of the numbering, or of the answer. What they are can
only be said by a person; here is what most would say, and why they should be asked.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.importing.settings import Role
from kpca_viewer.data.table import Column, FloatArray, Table, is_whole

ID_WORDS = frozenset(
    (
        *("id", "ids", "identifier", "uuid", "guid", "key", "index", "idx", "nr"),
        *("zip", "zipcode", "postcode", "plz", "phone"),
    )
)
YEAR_WORDS = frozenset(("year", "years", "yr", "jahr", "année", "año"))
YEARS = (1900, 2100)
"""Whole numbers that are all from here to there look like years."""

MOST_CLASSES = 50
"""A column with more different numbers than this is no class."""

ALIKE = 8
"""So many columns with one name and a number each are a series, such as pixels."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")
_NUMBERS = re.compile(r"[\d\W_]+")


@dataclass(frozen=True)
class Suspect:
    """A column that is perhaps no feature."""

    column: str
    role: Role
    """What it is taken for until somebody says otherwise."""
    reason: str
    """Why, as the end of "“year” holds …"."""


def find_suspects(
    table: Table, features: Iterable[str], *, named: bool, labelled: bool
) -> list[Suspect]:
    """Return the columns that may be no measurements.

    Parameters
    ----------
    features : iterable of str
        Columns that would be features.
    named, labelled : bool
        Whether another column is the row name, and the label.
    """
    columns = [table.column(name) for name in features]
    series, count = _series(columns)
    found: list[Suspect] = []
    for column in columns:
        values = _whole(column)
        if values is None:
            continue
        words = {word.lower() for word in _WORDS.findall(without_unit(column.name))}
        distinct = column.distinct
        if words & ID_WORDS:
            every = len(values) == table.n and len(np.unique(values)) == table.n
            role: Role = "name" if every and not named else "ignore"
            named |= role == "name"
            what = "a different whole number in every row"
            reason = what if every else "whole numbers and is called an id"
            found.append(Suspect(column.name, role, reason))
        elif words & YEAR_WORDS or _all_years(values):
            low, high = int(values.min()), int(values.max())
            found.append(Suspect(column.name, "ignore", f"years, {low} to {high}"))
        elif series and _stem(column.name) != series and 2 <= distinct <= MOST_CLASSES:
            role = "ignore" if labelled else "label"
            labelled = True
            reason = f"{distinct} whole numbers beside {count:,} columns “{series}…”"
            found.append(Suspect(column.name, role, reason))
    # Without them there would be no picture at all.
    return found if len(found) < len(columns) else []


def _whole(column: Column) -> FloatArray | None:
    """Return the numbers of a column that are there; None unless all are whole."""
    if column.kind == "number":
        if not column.whole:
            return None
        values = column.values if column.complete else _present(column.values)
    elif column.numbers is not None:
        values = _present(column.numbers)
        if not is_whole(values):
            return None
    else:
        return None
    return values if values.size else None


def _present(values: FloatArray) -> FloatArray:
    return values[~np.isnan(values)]


def _all_years(values: FloatArray) -> bool:
    low, high = YEARS
    return bool(((values >= low) & (values <= high)).all())


def _series(columns: list[Column]) -> tuple[str, int]:
    """Return the name that nearly all columns share but for a number, and of how many.

    Nothing for columns that are called one by one.
    """
    stems = Counter(_stem(column.name) for column in columns)
    stem, count = stems.most_common(1)[0] if stems else ("", 0)
    return (stem, count) if count >= max(ALIKE, 0.8 * len(columns)) else ("", 0)


def _stem(name: str) -> str:
    return _NUMBERS.sub("", name) or name if _NUMBERS.search(name) else name
