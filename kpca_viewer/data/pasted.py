"""Points in a text: (1,2),(3,4), or 1 2; 3 4, or lines of numbers."""

import math
from dataclasses import dataclass

from kpca_viewer.data.drawn import LONGEST, MOST, MOST_FEATURES, Drawn, Place
from kpca_viewer.support.errors import DataError, excerpt
from kpca_viewer.support.numerals import MINUS_SIGNS

MOST_LETTERS = 2_000_000
"""Of a text: more than that is a file."""

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_AROUND = " \t\n,;" + "".join(_BRACKETS.values())
"""Letters that may stand anywhere between points in brackets."""

_BLANK = MINUS_SIGNS | str.maketrans({"\r": "\n", "\u00a0": " ", "\ufeff": " "})


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
        return len(self.points[0])

    def onto(self, drawn: Drawn, code: int) -> Drawn:
        """Return a drawing with these points at its end; ``code`` for no class."""
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
    """Return the points that a text holds, to join others with so many ``features``.

    One column more is their class. Without a number, a last column of words is.
    """
    if len(text) > MOST_LETTERS:
        raise DataError(
            "The text on the clipboard is too long for points by hand; open it as a "
            "table."
        )
    records = _records(text.translate(_BLANK))
    header: list[str] = []
    if len(records) > 1 and _is_header(records[0]):
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
        titles = bool(records) and _is_header(records[0])
        records += _cells(line, len(records) - titles + 1)
    return records


def _is_header(record: list[str]) -> bool:
    """Return whether cells are names: "nan" is none, but a number that is missing."""
    return not any(_is_float(cell) for cell in record)


def _bracketed(text: str) -> list[str]:
    """Return what stands in the innermost brackets."""
    found: list[str] = []
    begin: int | None = None
    closing = ""
    end = 0
    for place, letter in enumerate(text):
        if letter in _BRACKETS:
            _check_outside(text[end:place], len(found))
            begin, closing = place + 1, _BRACKETS[letter]
            end = begin
        elif begin is not None and letter == closing:
            found.append(text[begin:place])
            begin, end = None, place + 1
    if begin is not None:
        raise DataError(
            f"The bracket of point {len(found) + 1} is not closed; write points such "
            "as (1,2),(3,4)."
        )
    _check_outside(text[end:], len(found))
    return found


def _check_outside(text: str, before: int) -> None:
    """Refuse what would be lost: all but what a program writes around its points.

    ``before``: how many points stand before the text.
    """
    inner = text.strip(_AROUND)
    if before:
        lost = inner and not inner.startswith("dtype=")
    else:
        words = inner.replace("=", " ").replace(":", " ").split()
        lost = not all(_is_name(word) for word in words)
    if lost:
        where = f"behind point {before}" if before else "before point 1"
        raise DataError(
            f"“{excerpt(inner, 21)}” {where} stands in no bracket; put every point "
            "into brackets, or none."
        )


def _is_name(word: str) -> bool:
    """Return whether a word may be one of a program, such as np.array."""
    parts = word.split(".")
    return not _is_float(word) and all(part.isidentifier() for part in parts)


def _cells(line: str, number: int) -> list[list[str]]:
    """Return the points of a line, mostly one, of which the first has a number."""
    if "\t" in line:
        # As spreadsheets copy: where commas are, they stand before decimals.
        cells = [" ".join(cell.split()) for cell in line.split("\t")]
        return [[_with_point(cell) for cell in cells]] if any(cells) else []
    words = line.split()
    for word in words:
        if _has_thousands(word.strip(",")):
            shown = excerpt(word.strip(","), 21)
            raise DataError(
                f"“{shown}” in point {number} is written with a comma as one number "
                "is; leave it out, or put a blank behind it where it parts two."
            )
    pairs = [word.split(",") for word in words]
    several = len(words) > 1 and all(
        len(pair) > 1 and all(map(_is_number, pair)) for pair in pairs
    )
    if several:
        return pairs
    cells = line.replace(",", " ").split()
    if "," in line and _has_blanks_alone(line):
        raise DataError(
            f"“{excerpt(' '.join(words), 21)}” in point {number} has both blanks and "
            "commas between numbers; use one of them."
        )
    return [cells] if cells else []


def _has_thousands(word: str) -> bool:
    """Return whether commas stand between digits of one number, such as 1,000.5.

    No second number would begin with a zero and have three digits.
    """
    first, *groups = word.partition(".")[0].split(",")
    return (
        first.lstrip("+-").isdigit()
        and len(first.lstrip("+-")) <= 3
        and all(group.isdigit() and len(group) == 3 for group in groups)
        and any(group[0] == "0" for group in groups)
    )


def _has_blanks_alone(line: str) -> bool:
    """Return whether commas part some numbers of a line, and mere blanks others."""
    gaps = set()
    before, comma = "", False
    for token in line.replace(",", " , ").split():
        if token == ",":
            comma = True
            continue
        if _is_float(before) and _is_float(token):
            gaps.add(comma)
        before, comma = token, False
    return len(gaps) > 1


def _with_point(cell: str) -> str:
    whole, comma, rest = cell.partition(",")
    return f"{whole}.{rest}" if comma and _is_number(f"{whole}.{rest}") else cell


def _is_number(cell: str) -> bool:
    return _is_float(cell) and math.isfinite(float(cell))


def _is_float(cell: str) -> bool:
    """Return whether a cell is a number, or says that there is none: nan, inf."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(cell: str, number: int) -> float:
    if not _is_number(cell):
        raise DataError(
            f"“{excerpt(cell, 21)}” in point {number} is no number; write "
            "numbers such as 1.5."
        )
    return float(cell)


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"
