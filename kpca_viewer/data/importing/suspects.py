"""What in a table may be no measurement: ids, years, classes, sentinels, totals.

As features they draw a picture of the numbering, or of the answer; a sentinel or a row
of totals is a point far off. What they are can only be said by a person; here is what
most would say, and why they should be asked.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.importing.settings import Role
from kpca_viewer.data.table import (
    DISTINCT_CAP,
    Column,
    FloatArray,
    Table,
    is_whole,
    number_text,
)
from kpca_viewer.support.numerals import data_value, whole_percent

ID_WORDS = frozenset(
    (
        *("id", "ids", "identifier", "uuid", "guid", "key", "index", "idx", "nr"),
        *("zip", "zipcode", "postcode", "plz", "phone"),
        *("pid", "sid", "uid", "mrn", "sku", "isbn", "ean", "serial", "barcode"),
    )
)
COUNTED_WORDS = frozenset(
    (
        *("sample", "subject", "patient", "case", "record", "row", "line", "entry"),
        *("observation", "obs", "order", "customer", "specimen", "ticket", "probe"),
        *("number", "num", "no", "nummer", "code"),
    )
)
"""A column that is called so and by nothing else numbers the rows if no two are equal:
"Sample Number" does, "number of rooms" does not."""

CHANCE = 0.001
"""Numbers of a table without an id that are taken for one all the same, at most."""

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
    """What it is taken for as long as nothing else is said."""
    reason: str
    """Why, as the end of "“year” holds …"."""
    is_gappy: bool = False
    """Whether that is because too much of it is missing."""


def find_suspects(
    table: Table, features: Iterable[str], *, named: bool, labelled: bool
) -> list[Suspect]:
    """Return the columns among ``features`` that may be no measurements.

    ``named``, ``labelled``: whether another column is the row name, and the label.
    """
    columns = [table.column(name) for name in features]
    series, count = _series(columns)
    found: list[Suspect] = []
    numbered: list[Suspect] = []
    for column in columns:
        values = _whole(column)
        if values is None:
            continue
        words = {word.lower() for word in _WORDS.findall(without_unit(column.name))}
        distinct = column.distinct
        every = _all_differ(values, table.n, distinct)
        if words & ID_WORDS or (every and _is_counter(column.name, words)):
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
        elif every and _stem(column.name) != series:
            reason = _why_numbered(values, len(columns))
            if reason:
                numbered.append(Suspect(column.name, "ignore", reason))
    # By their numbers alone: never one of two coordinates, and where most columns are
    # so, they are ranks.
    left = len(columns) - len(found) - len(numbered)
    if numbered and left >= max(2, len(numbered)):
        if not named:
            numbered[0] = replace(numbered[0], role="name")
        found += numbered
    # Without them there would be no picture at all.
    return found if len(found) < len(columns) else []


def find_gappy(shares: Mapping[str, float], most: float) -> list[Suspect]:
    """Return the features of which more than a share is missing.

    What fills them would be most of what they say; none where too few others are left.
    """
    found = [
        Suspect(name, "ignore", f"nothing in {whole_percent(share)} of its rows", True)
        for name, share in shares.items()
        if share > most
    ]
    return found if len(shares) - len(found) >= 2 else []


def _is_counter(name: str, words: set[str]) -> bool:
    """Whether a name says that rows are numbered; "sample 3" is one of several."""
    return bool(words) and words <= COUNTED_WORDS and not re.search(r"\d", name)


def _all_differ(values: FloatArray, n: int, distinct: int) -> bool:
    """Whether there is a different number in every row."""
    # Most columns repeat a number early: the rest is not sorted.
    if len(values) < n or distinct < min(n, DISTINCT_CAP):
        return False
    return len(np.unique(values)) == n


def _why_numbered(values: FloatArray, columns: int) -> str:
    """Return why different whole numbers number the rows; nothing if they may not.

    Measured numbers of so narrow a range would repeat: of n that are drawn out of m,
    all differ with a probability of at most exp(−n(n − 1) / 2m).
    """
    ordered = np.sort(values)
    low, high, n = int(ordered[0]), int(ordered[-1]), len(ordered)
    if high - low >= 1 << 63:
        return ""
    step = int(np.gcd.reduce(np.diff(ordered).astype(np.int64))) if n > 1 else 1
    places = (high - low) // max(step, 1) + 1
    if n * (n - 1) / (2 * places) < np.log(columns / CHANCE):
        return ""
    if places == n and step == 1:
        return f"every whole number from {low} to {high} once"
    return (
        f"a different whole number in every row, out of only {places:,} between "
        f"{low} and {high}"
    )


@dataclass(frozen=True)
class Sentinel:
    """A number that stands for a missing cell, such as −999."""

    column: str
    value: float
    reason: str
    """Why, as the end of "“age” holds …"."""


_SENTINEL = re.compile(r"-?(?:(?:9{2,}|8{3,}|7{3,})(?:\.9+)?|1e\+(?:20|30)|32768)")


def find_sentinels(columns: Iterable[Column]) -> list[Sentinel]:
    """Return the numbers that look like a missing cell: far from all others, repeated.

    Far is further than the others are from each other, and only numbers that people
    write for a gap count: −999 and its like.
    """
    found = []
    for column in columns:
        if column.ends is None or not any(map(_is_sentinel, column.ends)):
            continue
        numbers = column.known_numbers
        assert numbers is not None  # it has ends
        values, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
        # What stands between two others is not far from them.
        first, last = 0, len(values) - 1
        while first < last and _is_sentinel(float(values[first])):
            first += 1
        while first < last and _is_sentinel(float(values[last])):
            last -= 1
        if first == last:
            continue
        low, high = float(values[first]), float(values[last])
        ends = [*range(first), *range(last + 1, len(values))]
        for value, count in zip(values[ends].tolist(), counts[ends], strict=True):
            far = value / 2 < low - high / 2 or value / 2 > high - low / 2
            if far and count > 1:
                reason = (
                    f"{data_value(value)} in {count:,} rows, all others are between "
                    f"{data_value(low)} and {data_value(high)}"
                )
                found.append(Sentinel(column.name, value, reason))
    return found


def _is_sentinel(value: float) -> bool:
    return abs(value) > 90 and _SENTINEL.fullmatch(number_text(value)) is not None


@dataclass(frozen=True)
class Totals:
    """A last row that sums up the others."""

    number: int
    """Of the row in its file."""
    reason: str
    """Why, as the end of "The last row …"."""


TOTAL_WORDS = frozenset(
    (
        *("total", "totals", "grand total", "sum", "summe", "gesamt", "insgesamt"),
        *("mean", "average", "mittelwert", "durchschnitt", "somme", "moyenne", "∑"),
    )
)
_LOOKED_AT = 60
"""Columns by which a row of totals is known."""


def find_totals(table: Table) -> Totals | None:
    """Return the last row if it is called a total or is the sum; None in a part."""
    if table.n < 4 or table.total is not None or table.sampled_from is not None:
        return None
    last = table.n - 1
    number = table.row_number(last)
    for column in table.measured:
        word = column.text(last).strip() if column.kind == "text" else ""
        called = word.rstrip(":").casefold() in TOTAL_WORDS
        if called and column.values[last] not in column.values[:last].tolist():
            return Totals(number, f"is called “{word}”")
    columns = [c for c in table.measured if c.kind == "number" and not c.constant]
    columns = [c for c in columns[:_LOOKED_AT] if np.isfinite(c.values[last])]
    for name, least in (("sum", 2), ("mean", 3)):
        alike, wanted = 0, max(least, 0.8 * len(columns))
        for j, column in enumerate(columns):
            if alike + len(columns) - j < wanted:
                break
            alike += _sums_up(column.values, name)
        if alike >= wanted:
            return Totals(number, f"is the {name} of the others in {alike:,} columns")
    return None


def _sums_up(values: FloatArray, name: str) -> bool:
    """Whether the last number is the sum or the mean of the others, rounded."""
    others, last = np.ascontiguousarray(values[:-1]), float(values[-1])
    others = others[np.isfinite(others)]
    if len(others) < 3 or not others.any():
        return False
    decimals = len(number_text(last).partition(".")[2])
    if name == "mean" and not decimals:
        return False
    expected = float(others.sum() if name == "sum" else others.mean())
    slack = 0.5000001 * 10.0**-decimals if name == "mean" or decimals else 1e-9
    return abs(expected - last) <= slack + 1e-12 * float(np.abs(others).sum())


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
    """Return the name that nearly all columns share but for a number, and how many."""
    stems = Counter(_stem(column.name) for column in columns)
    stem, count = stems.most_common(1)[0] if stems else ("", 0)
    return (stem, count) if count >= max(ALIKE, 0.8 * len(columns)) else ("", 0)


def _stem(name: str) -> str:
    return _NUMBERS.sub("", name) or name if _NUMBERS.search(name) else name
