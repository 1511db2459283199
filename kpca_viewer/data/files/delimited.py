"""CSV, TSV and other text tables, from a file or from the clipboard."""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

from kpca_viewer.data.files.cells import CellRules
from kpca_viewer.data.files.collect import (
    Batch,
    Batches,
    OnlyNumbers,
    batch_rows,
    collect,
)
from kpca_viewer.data.files.dialect import (
    TITLES,
    Dialect,
    Lines,
    QuickNumbers,
    detect,
    is_comment,
    split,
)
from kpca_viewer.data.files.headers import default_names, unique_names
from kpca_viewer.data.files.plain import NotPlainError, PlainRows, may_be_plain
from kpca_viewer.data.files.source import Reading, open_binary
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError

_INNERMOST = re.compile(r"[(\[{]([^()\[\]{}]*+)[)\]}]")
_BETWEEN = re.compile(r"(?:array|dtype=\w++|[\s,;()\[\]{}])*+")


class UnevenLinesError(DataError):
    """Lines of a file do not fit each other; those above the table can be skipped."""

    def __init__(self, text: str, condition: str) -> None:
        super().__init__(f"{text}, or give --skip if {condition}.")
        self.on_sheet = f"{text}, or set Skip lines if {condition}."
        """The same sentence where the import sheet is shown."""


def bracketed_rows(text: str) -> str:
    r"""Return the contents of the innermost brackets, one a line.

    Empty where the text is anything else than such brackets.

    Examples
    --------
    >>> bracketed_rows("[(1, 2), (3, 4)]")
    '1, 2\n3, 4\n'
    """
    if not text.lstrip().startswith(("(", "[", "{", "array")):
        return ""
    rows: list[str] = []
    position = 0
    for found in _INNERMOST.finditer(text):
        between = _BETWEEN.match(text, position, found.start())
        if between is None or between.end() != found.start():
            return ""
        position = found.end()
        row = " ".join(found[1].split())
        if ":" in row:
            return ""  # names and values, not points
        # A bracket around nothing, or behind the last row, is no row.
        if row.strip(",; "):
            rows.append(row.rstrip(",; "))
    rest = _BETWEEN.match(text, position)
    if len(rows) < 2 or rest is None or rest.end() != len(text):
        return ""
    return "".join(f"{row}\n" for row in rows)


_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 1 << 18
_FALLBACK = "latin-1"

Open = Callable[[], TextIO]
Position = Callable[[TextIO], float | None]


@dataclass(frozen=True)
class TextSource:
    """Text that can be read from its start as often as needed."""

    open: Open
    position: Position
    """The part that was read so far, 0 to 1, or None where that is unknown."""
    length: int
    """Bytes, for the forecast."""
    encoding: str = ""
    """Of the file; empty for text that comes from none."""


def read_delimited(reading: Reading) -> list[Column]:
    encoding = reading.options.encoding or guess_encoding(reading.head)
    _check_encoding(encoding)
    try:
        columns = _read(reading, _file_source(reading, encoding))
    except UnicodeError as error:
        if reading.options.encoding is not None or not encoding.startswith("utf-8"):
            raise DataError(
                f"{reading.title} is not written in {encoding} from start to end; "
                "choose another encoding, or save it as UTF-8."
            ) from error
        reading.notes.clear()
        reading.questions.clear()
        encoding = _FALLBACK
        columns = _read(reading, _file_source(reading, encoding))
    if encoding != "utf-8":
        reading.note(f"encoding {encoding}")
    return columns


def read_string(reading: Reading, text: str) -> list[Column]:
    """Read a table from a string, for example from the clipboard."""
    text = bracketed_rows(text) or text
    source = TextSource(
        lambda: io.StringIO(text, newline=""), lambda _stream: None, len(text)
    )
    return _read(reading, source)


def _check_encoding(encoding: str) -> None:
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding).close()
    except (LookupError, ValueError) as error:
        raise DataError(
            f"“{encoding}” is not a text encoding; choose utf-8, utf-16 or latin-1."
        ) from error


def guess_encoding(head: bytes) -> str:
    """Return the encoding that the first bytes speak for; UTF-8 if none does."""
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # Western text in UTF-16 without a mark has a zero in every other byte.
    even, odd = head[0:2000:2], head[1:2000:2]
    if len(odd) >= 4 and odd.count(0) > 0.8 * len(odd) and not even.count(0):
        return "utf-16-le"
    if len(odd) >= 4 and even.count(0) > 0.8 * len(even) and not odd.count(0):
        return "utf-16-be"
    return "utf-8"


def _file_source(reading: Reading, encoding: str) -> TextSource:
    def opened() -> TextIO:
        return io.TextIOWrapper(
            open_binary(reading.path), encoding=encoding, newline=""
        )

    def position(stream: TextIO) -> float | None:
        return stream.buffer.tell() / reading.size

    return TextSource(opened, position, reading.size, encoding)


def _read(reading: Reading, source: TextSource) -> list[Column]:
    first = _first_lines(reading, source)
    if not any(line.strip() for line in first):
        raise DataError(f"{reading.title} is empty; choose a file that holds a table.")
    dialect = detect(first, reading.options)
    reading.require_width(dialect.width)
    names = _names(reading, dialect)
    _describe(reading, dialect)
    # Short comments at the top must not promise more rows than there are.
    first = first[dialect.skip :] or first
    data = [line for line in first if not is_comment(line)] or first
    characters = sum(map(len, data)) / len(data)
    rules = CellRules(frozenset(reading.options.na_values), dialect.decimal)
    reading.rules = rules
    count = source.length / max(characters, 1)
    reading.total, reading.estimated = max(round(count), 1), True

    def collected(batches: Batches) -> list[Column]:
        return collect(
            reading,
            names,
            batches,
            rules,
            evidence=dialect.evidence,
            expected=int(count * 1.05),
        )

    columns = None
    if may_be_plain(reading, dialect, source.encoding, source.length):
        rows = PlainRows(reading, dialect, rules, first)
        with suppress(NotPlainError):
            columns = collected(rows.batches)
    if columns is None:
        columns = collected(
            lambda only_numbers: _batches(reading, source, dialect, only_numbers)
        )
    return _without_empty_tail(reading, columns, dialect)


def _first_lines(reading: Reading, source: TextSource) -> list[str]:
    lines: list[str] = []
    total = 0
    with source.open() as stream:
        for line in Lines(reading, stream):
            lines.append(line)
            total += len(line)
            enough = total > _SAMPLE_CHARACTERS and len(lines) > 2
            if enough or len(lines) >= _SAMPLE_LINES:
                break
    return lines


def _batches(
    reading: Reading, source: TextSource, dialect: Dialect, only_numbers: OnlyNumbers
) -> Iterator[Batch]:
    width, size = dialect.width, batch_rows(dialect.width)
    quick = QuickNumbers(dialect.delimiter, width)
    with source.open() as stream:
        lines = Lines(reading, stream, comments=dialect.comments, above=dialect.skip)
        rows = _rows(reading, lines, dialect)
        for _ in range(dialect.header_lines):
            next(rows, None)
        rows = _checked(reading, rows, lines, width)
        while True:
            plain = dialect.decimal == "." and only_numbers()
            numbers = quick.read(lines, size) if plain else None
            batch: Batch = list(islice(rows, size)) if numbers is None else numbers
            if not len(batch):
                break
            yield batch
            reading.step(source.position(stream))
        if lines.skipped:
            reading.note(f"{lines.skipped:,} comment lines skipped")


def _rows(reading: Reading, lines: Lines, dialect: Dialect) -> Iterator[list[str]]:
    try:
        for row in split(lines, dialect.delimiter, escapes=dialect.escapes):
            if row and (len(row) > 1 or dialect.width == 1 or row[0].strip()):
                yield row
    except csv.Error as error:
        raise DataError(
            f"Line {lines.number:,} of {reading.title} has a quotation mark that is "
            "never closed, or a cell of more than 100,000 characters; correct that "
            "line."
        ) from error


def _checked(
    reading: Reading, rows: Iterator[list[str]], lines: Lines, width: int
) -> Iterator[list[str]]:
    for row in rows:
        if len(row) != width:
            raise _ragged(reading, lines.number, len(row), width)
        yield row


def _ragged(reading: Reading, line: int, count: int, width: int) -> DataError:
    cells = "1 value" if count == 1 else f"{count:,} values"
    return UnevenLinesError(
        f"Line {line:,} of {reading.title} has {cells} where the others have "
        f"{width:,}; correct that line",
        "it stands above the table",
    )


def _names(reading: Reading, dialect: Dialect) -> list[str]:
    if dialect.header is None:
        return default_names(dialect.width)
    if len(dialect.header) != dialect.width:
        count = len(dialect.header)
        raise UnevenLinesError(
            f"The header of {reading.title} has {count:,} "
            f"{'name' if count == 1 else 'names'} but the rows have "
            f"{dialect.width:,} values; correct the header",
            "a title stands above it",
        )
    return unique_names(dialect.header, reading)


def _describe(reading: Reading, dialect: Dialect) -> None:
    if dialect.width > 1:
        title = TITLES.get(dialect.delimiter, f"“{dialect.delimiter}”")
        reading.note(f"columns separated by {title}")
    if dialect.decimal == "," and dialect.evidence.commas:
        reading.note("decimal comma")
    if reading.options.decimal not in (None, dialect.decimal):
        mark = "commas" if dialect.decimal == "," else "points"
        reading.note(f"{mark} stay decimals where no other reading is possible")
    named = dialect.header is not None
    reading.set_top(dialect.skip, named, dialect.title, dialect.reason)
    if dialect.escapes:
        reading.note("quotation marks inside of cells written with a backslash")
    if not named:
        reading.note("no header: columns named x1, x2, …")
    elif not dialect.header_lines:
        reading.note("header taken from a comment")


def _without_empty_tail(
    reading: Reading, columns: list[Column], dialect: Dialect
) -> list[Column]:
    """Drop the column that appears where every line ends with a delimiter."""
    if len(columns) < 2 or columns[-1].missing < columns[-1].n:
        return columns
    if dialect.header is not None and dialect.header[-1].strip():
        return columns
    reading.note("empty last column left out")
    return columns[:-1]
