"""Points in a text: (1,2),(3,4), or 1 2; 3 4, or lines of numbers."""

import math
from dataclasses import dataclass

from kpca_viewer.data.drawn import LONGEST, MOST, MOST_FEATURES, Drawn, Place
from kpca_viewer.support.errors import DataError

MOST_LETTERS = 2_000_000
"""Of a text: more than that is a file."""

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_BLANK = str.maketrans(
    {"−": "-", "\N{FIGURE DASH}": "-", "\r": "\n", "\u00a0": " ", "\ufeff": " "}
)


@dataclass(frozen=True)
class PastedPoints:
    """What was found."""

    points: tuple[Place, ...]
    classes: tuple[str, ...] = ()
    """Their names, one a point; none where there is no such column."""
    features: tuple[str, ...] = ()
    """From the line above the numbers; none without one."""

    @property
    def d(self) -> int:
        """How many features a point has."""
        return len(self.points[0])

    def onto(self, drawn: Drawn, code: int) -> Drawn:
        """Return a drawing with these points behind the others.

        Parameters
        ----------
        code : int
            Their class, where the text says nothing of it.

        Raises
        ------
        DataError
            If they do not fit.
        """
        if not len(drawn):
            names = self.features or tuple(f"x{j + 1}" for j in range(self.d))
            drawn = Drawn(name=drawn.name, features=names)
        if self.d != drawn.d:
            raise DataError(
                f"The points on the clipboard have {_numbers(self.d)}, those of "
                f"{drawn.title} have {drawn.d}; give as many, or begin on an empty "
                "plane."
            )
        codes = []
        for name in self.classes:
            drawn, known = drawn.with_class_named(name)
            codes.append(known)
        return drawn.added(self.points, codes if self.classes else code)


def read_points(text: str, features: int | None = None) -> PastedPoints:
    """Return the points that a text holds.

    Parameters
    ----------
    features : int, optional
        Of the points that they join: one column more is their class. Without, a last
        column of words is.

    Raises
    ------
    DataError
        That says what is wrong, and at which point.
    """
    if len(text) > MOST_LETTERS:
        raise DataError(
            "The text on the clipboard is too long for points by hand; open it as a "
            "table."
        )
    records = _records(text.translate(_BLANK))
    header: list[str] = []
    if len(records) > 1 and not any(_is_number(cell) for cell in records[0]):
        header, records = records[0], records[1:]
    if not records:
        raise DataError(
            "There are no points on the clipboard; copy some, such as (1,2),(3,4)."
        )
    if len(records) > MOST:
        raise DataError(
            f"There are {len(records):,} points on the clipboard, and at most "
            f"{MOST:,} can be drawn; open them as a table."
        )
    width = len(records[0])
    for number, record in enumerate(records, start=1):
        if len(record) != width:
            raise DataError(
                f"Point {number} has {_numbers(len(record))}, but the first has "
                f"{width}; give every point as many."
            )
    classed = width > 1 and (
        width == features + 1
        if features is not None
        else not any(_is_number(record[-1]) for record in records)
    )
    d = width - classed
    if d > MOST_FEATURES:
        raise DataError(
            f"The points have {d} numbers, and at most {MOST_FEATURES} can be drawn; "
            "open them as a table."
        )
    points = tuple(
        tuple(_number(cell, number) for cell in record[:d])
        for number, record in enumerate(records, start=1)
    )
    names = tuple(name[:LONGEST] for name in header[:d]) if len(header) >= d else ()
    distinct = names if len(set(names)) == len(names) else ()
    return PastedPoints(
        points, tuple(record[-1] for record in records) if classed else (), distinct
    )


def _records(text: str) -> list[list[str]]:
    """Return the cells of every point."""
    if any(bracket in text for bracket in _BRACKETS):
        lines = _bracketed(text)
    else:
        lines = [line for part in text.split("\n") for line in part.split(";")]
    records: list[list[str]] = []
    for line in lines:
        records += _cells(line)
    return records


def _bracketed(text: str) -> list[str]:
    """Return what stands in the innermost brackets."""
    found: list[str] = []
    begin: int | None = None
    closing = ""
    for place, letter in enumerate(text):
        if letter in _BRACKETS:
            begin, closing = place + 1, _BRACKETS[letter]
        elif begin is not None and letter == closing:
            found.append(text[begin:place])
            begin = None
    if begin is not None:
        raise DataError(
            f"The bracket of point {len(found) + 1} is not closed; write points such "
            "as (1,2),(3,4)."
        )
    return found


def _cells(line: str) -> list[list[str]]:
    """Return the points of a line, mostly one."""
    if "\t" in line:
        # As spreadsheets copy: where commas are, they stand before decimals.
        cells = [" ".join(cell.split()) for cell in line.split("\t")]
        return [[_with_point(cell) for cell in cells]] if any(cells) else []
    words = line.split()
    pairs = [word.split(",") for word in words]
    several = len(words) > 1 and all(
        len(pair) > 1 and all(map(_is_number, pair)) for pair in pairs
    )
    if several:
        return pairs
    cells = line.replace(",", " ").split()
    return [cells] if cells else []


def _with_point(cell: str) -> str:
    whole, comma, rest = cell.partition(",")
    return f"{whole}.{rest}" if comma and _is_number(f"{whole}.{rest}") else cell


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def _number(cell: str, number: int) -> float:
    if not _is_number(cell):
        shown = cell if len(cell) <= 20 else f"{cell[:20]}…"
        raise DataError(
            f"“{shown}” in point {number} is no number; write numbers such as 1.5."
        )
    return float(cell)


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"
