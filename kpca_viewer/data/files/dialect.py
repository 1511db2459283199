"""Lines of a text file, and how they are cut into cells."""

import csv
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TextIO

import numpy as np

from kpca_viewer.data.files.cells import EXACT, CellRules
from kpca_viewer.data.files.headers import find_header, title_rows
from kpca_viewer.data.files.marks import Evidence, says
from kpca_viewer.data.files.options import Decimal, ReadOptions
from kpca_viewer.data.files.source import MAX_LINE, Reading
from kpca_viewer.data.files.units import quantity
from kpca_viewer.data.table import FloatArray
from kpca_viewer.support.errors import DataError

_TRIES = 3
"""So many batches may fail before the quick way is given up for a file."""


class Lines:
    """The lines of data of a stream; some can be handed back and read again.

    ``number``: of the last line in the file, from 1; ``skipped``: comment lines that
    were passed.
    """

    def __init__(
        self,
        reading: Reading,
        stream: TextIO,
        *,
        comments: bool = False,
        above: int = 0,
    ) -> None:
        self._reading = reading
        self._stream = stream
        self._comments = comments
        self._above = above
        self._back: deque[tuple[int, str]] = deque()
        self._read = 0
        self.number = 0
        self.skipped = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._back:
            self.number, line = self._back.popleft()
            return line
        while line := self._stream.readline(MAX_LINE):
            self._read += 1
            self._reading.tick()
            self._check(line)
            if self._read <= self._above:
                continue
            if self._comments and is_comment(line):
                self.skipped += 1
                continue
            self.number = self._read
            return line
        raise StopIteration

    def take(self, count: int) -> list[tuple[int, str]]:
        """Return the next lines with their numbers, fewer at the end."""
        taken = []
        for line in self:
            taken.append((self.number, line))
            if len(taken) == count:
                break
        return taken

    def give_back(self, taken: list[tuple[int, str]]) -> None:
        """Put lines back that the next reader shall see first."""
        self._back.extendleft(reversed(taken))

    def _check(self, line: str) -> None:
        if "\0" not in line and len(line) < MAX_LINE:
            return
        title, number = self._reading.title, self._read
        if "\0" in line:
            raise DataError(
                f"{title} is not a text table: line {number:,} holds binary data; "
                "open it with the program that wrote it and export it as CSV."
            )
        raise DataError(
            f"Line {number:,} of {title} is longer than any row of a table; write "
            "one row per sample, each on its own line."
        )


class QuickNumbers:
    """Batches of lines that hold nothing but numbers, read by numpy in one go.

    Twice as fast as cell by cell. Whatever is unusual in a batch (a quotation mark, a
    missing value, a wrong number of cells) is left to the careful way, which also
    knows how to name it.
    """

    def __init__(self, delimiter: str, width: int) -> None:
        self._delimiter = None if delimiter == " " else delimiter
        self._width = width
        self._failures = 0

    def read(self, lines: Lines, count: int) -> FloatArray | None:
        """Return the next lines as numbers (m, width); None leaves them unread."""
        if self._failures >= _TRIES:
            return None
        taken = lines.take(count)
        texts = [line for _, line in taken if not is_blank(line, self._delimiter)]
        if texts:
            try:
                values = np.loadtxt(
                    texts, delimiter=self._delimiter, comments=None, ndmin=2
                )
            except (ValueError, OverflowError):
                pass
            else:
                # Whole numbers beyond that are told apart only as they are written.
                vast = (np.abs(values) >= EXACT).any()
                if values.shape == (len(texts), self._width) and not vast:
                    return values
            self._failures += 1
        lines.give_back(taken)
        return None


TITLES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}

_PREFERENCE = {"\t": 0.1, ";": 0.08, ",": 0.06, "|": 0.05, " ": 0.0}
"""Decides between delimiters that explain the lines equally well."""

_LOOKED_AT = 20_000
"""Cells by which a delimiter is judged."""

_SEP_LINE = re.compile(r'"?sep=([^"\r\n\0])?"?\s*', re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    delimiter: str
    decimal: Decimal
    evidence: Evidence
    """What the first lines say about decimal marks."""
    comments: bool
    """Whether lines that start with # or % are no data."""
    escapes: bool
    """Whether a backslash stands before quotation marks inside of a cell."""
    skip: int
    """Lines above the table, which are not looked at."""
    header: tuple[str, ...] | None
    """Names of the columns."""
    header_lines: int
    """How many rows to skip before the data, below the lines of ``skip``."""
    width: int
    """Cells of a row of data."""
    reason: str = ""
    """What is to be said about a first row of numbers that may be names."""
    title: str = ""
    """The first of the lines above the table, where they were recognised as a title."""


def is_comment(line: str) -> bool:
    """Whether a line is a comment, where the file has any."""
    return line.lstrip()[:1] in ("#", "%")


def is_blank(line: str, delimiter: str | None) -> bool:
    """Whether a line holds nothing; a tab between two gaps is something."""
    return line.isspace() and (delimiter != "\t" or not line.strip("\r\n "))


def split(
    lines: Iterable[str], delimiter: str, *, escapes: bool = False, strict: bool = False
) -> Any:
    """Return the rows of lines; blanks count as one however many there are."""
    if delimiter == " ":
        lines = (" ".join(line.split()) + "\n" for line in lines)
    return csv.reader(
        lines,
        delimiter=delimiter,
        escapechar="\\" if escapes else None,
        skipinitialspace=True,
        strict=strict,
    )


def detect(lines: list[str], options: ReadOptions) -> Dialect:
    """Find out how a text file is written from its first lines."""
    delimiter = options.delimiter
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise DataError(
            f"“{delimiter}” cannot separate columns; give one character such as a "
            "comma, a semicolon or a tab."
        )
    above, title = options.skip or 0, ""
    if lines and (hint := _SEP_LINE.fullmatch(lines[0])):
        # Spreadsheets write their separator into a first line of its own.
        delimiter = delimiter or hint[1]
        above = max(above, 1)
    lines = lines[above:]
    marked = [line for line in lines if is_comment(line)]
    comments = bool(marked) and len(marked) < 0.5 * len(lines)
    data = [line for line in lines if not (comments and is_comment(line))]
    if delimiter is None:
        delimiter = _delimiter([line for line in data if line.strip()])
    escapes = _has_escapes(data, delimiter)
    if options.skip is None and (count := _title(data, delimiter, escapes)):
        title = next(filter(str.strip, data)).strip()
        # Comments between the lines of a title are lines of the file as well.
        kept = [i for i, x in enumerate(lines) if not (comments and is_comment(x))]
        above += kept[count - 1] + 1
        data = data[count:]
    rows = _rows(data, delimiter, escapes)
    skip = _empty_above(data, delimiter)
    evidence = Evidence(delimiter)
    evidence.add(islice(chain.from_iterable(rows), _LOOKED_AT * 5))
    # What is said decides where cells do not: 1,5 has a decimal comma anyway.
    decimal = evidence.decimal or options.decimal or evidence.usual()
    width = _width(rows)
    header, reason = _header(rows, decimal, options.header)
    if header is None and comments and options.header is None:
        header = _commented_header(marked, delimiter, width)
    else:
        skip += header is not None
    return Dialect(
        delimiter,
        decimal,
        evidence,
        comments,
        escapes,
        above,
        None if header is None else _fitting(header, rows, width),
        skip,
        width,
        reason,
        title,
    )


def _has_escapes(lines: list[str], delimiter: str) -> bool:
    """Whether a backslash, not a second mark, precedes those inside of cells."""
    if not any('\\"' in line for line in lines):
        return False
    return _misfits(lines, delimiter, True) < _misfits(lines, delimiter, False)


def _misfits(lines: list[str], delimiter: str, escapes: bool) -> int:
    """Return how many rows differ in width from the rest, or break a rule."""
    rows: list[list[str]] = []
    try:
        rows.extend(split(lines, delimiter, escapes=escapes, strict=True))
    except csv.Error:
        return len(lines)
    counts = Counter(map(len, filter(None, rows)))
    return counts.total() - max(counts.values(), default=0)


def _title(lines: list[str], delimiter: str, escapes: bool) -> int:
    """Return how many lines above the header belong to a title."""
    rows: list[list[str]] = []
    ends: list[int] = []
    reader = split(lines, delimiter, escapes=escapes)
    with suppress(csv.Error):
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append(row)
                ends.append(reader.line_num)
    count = title_rows(rows, _width(rows), CellRules())
    return ends[count - 1] if count else 0


def _rows(lines: list[str], delimiter: str, escapes: bool = False) -> list[list[str]]:
    rows: list[list[str]] = []
    with suppress(csv.Error):  # reading itself will name the line
        rows.extend(
            row
            for row in split(lines, delimiter, escapes=escapes)
            if any(cell.strip() for cell in row)
        )
    return rows


def _empty_above(lines: list[str], delimiter: str) -> int:
    """Return how many rows of empty cells a spreadsheet has left above the table."""
    count = 0
    with suppress(csv.Error):
        for row in split(lines, delimiter):
            if any(cell.strip() for cell in row):
                return count
            count += len(row) > 1
    return 0


def _width(rows: list[list[str]]) -> int:
    below = rows[1:] or rows
    counts = Counter(map(len, below))
    return counts.most_common(1)[0][0] if counts else 0


def _delimiter(lines: list[str]) -> str:
    best, best_score = ",", 0.0
    fits_all = False
    # Blanks are the last: they may also stand inside of cells, as in 1 000.
    for delimiter, preference in _PREFERENCE.items():
        rows = _rows(lines, delimiter)
        width = _width(rows)
        if width < 2 or (delimiter == " " and fits_all and len(rows[0]) != width):
            continue
        fits_all = fits_all or all(len(row) == width for row in rows)
        fitting = [row for row in rows[1:] or rows if len(row) == width]
        cells = [cell for row in fitting for cell in row if cell.strip()]
        # Many columns speak as clearly by their first cells.
        cells = cells[:_LOOKED_AT]
        numbers = sum(_is_number(cell, delimiter) for cell in cells)
        score = (
            len(fitting) / max(len(rows) - 1, 1)
            + numbers / max(len(cells), 1)
            + preference
        )
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _is_number(cell: str, delimiter: str) -> bool:
    """Whether a cell is a number, with a comma where that is not the delimiter."""
    text = cell.strip()
    if text.lstrip("+-").isdecimal():
        return True
    if "," not in text and "." not in text:
        plain = text[-1:].isdecimal() and CellRules().number(text) is not None
        return plain or quantity(text) is not None
    said = says(cell)
    return bool(said) and (delimiter != "," or said.endswith("."))


def _header(
    rows: list[list[str]], decimal: Decimal, wanted: bool | None
) -> tuple[tuple[str, ...] | None, str]:
    if not rows or wanted is False:
        return None, ""
    found, reason = True, ""
    if wanted is None:
        found, reason = find_header(rows[0], rows[1:], CellRules(decimal=decimal))
    return (tuple(rows[0]) if found else None), reason


def _commented_header(
    marked: list[str], delimiter: str, width: int
) -> tuple[str, ...] | None:
    """Return names from a comment such as "# x y z", as numpy writes them."""
    for line in marked:
        rows = _rows([line.lstrip().lstrip("#%").strip()], delimiter)
        if rows and width > 1 and len(rows[0]) == width and all(rows[0]):
            return tuple(rows[0])
    return None


def _fitting(
    header: tuple[str, ...], rows: list[list[str]], width: int
) -> tuple[str, ...]:
    """Return one name a column where the header is one short of them."""
    if len(header) != width - 1:
        return header
    if all(not row[-1].strip() for row in rows[1:] if len(row) == width):
        return (*header, "")  # every line ends with a delimiter
    return ("name", *header)  # R writes names of rows without one of their own
