"""Workbooks, one sheet at a time, by python-calamine."""

import marshal
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from kpca_viewer.data.files.cell_counts import CellCounts
from kpca_viewer.data.files.cells import EXACT, Cell, CellRules, pad
from kpca_viewer.data.files.child import run_child
from kpca_viewer.data.files.collect import OnlyNumbers, batched, collect
from kpca_viewer.data.files.headers import (
    default_names,
    find_header,
    title_rows,
    unique_names,
)
from kpca_viewer.data.files.numpy_files import check_archive
from kpca_viewer.data.files.source import Reading, foreign
from kpca_viewer.data.table import Column, listed, number_text
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import byte_size

MAX_ROWS = 1_048_576
"""Excel's own limit; a damaged file can ask for any row number."""

MAX_TAGS = 300_000
"""Of the formats, for example: Excel itself knows 64,000 of them."""

_BY_ROW = ("xl/worksheets/sheet", "xl/sharedStrings")
"""Parts of any length."""

_SMALL_PART = 1 << 20
_LARGEST_RATIO = 100
"""Cells differ by their addresses at least: sheets are packed 10 to 40 fold."""

_CELL_BYTES = 32
"""That calamine takes for every cell from the first to the last, empty ones too."""

_CHUNK = 1 << 18
_LONG_NUMBER = re.compile(rb"<v>-?\d{16,}</v>")
_LOOK_AHEAD = 200
_PLAIN = {float, str, int, bool}
_REMEDY = "open it in a spreadsheet program and save it again as .xlsx or CSV"


def read_excel(reading: Reading) -> list[Column]:
    """Read the first sheet with data, or the one that was asked for."""
    from python_calamine import CalamineWorkbook, SheetTypeEnum  # loaded when needed

    with foreign(reading, "Excel workbook", _REMEDY):
        with zipfile.ZipFile(reading.path) as archive:
            # Objects of Python take about ten times the room of their XML.
            check_archive(reading, archive, factor=10)
            rounded = [_check_part(reading, archive, i) for i in archive.infolist()]
        book = CalamineWorkbook.from_path(reading.path)
        names = [
            s.name for s in book.sheets_metadata if s.typ == SheetTypeEnum.WorkSheet
        ]
        sheet = book.get_sheet_by_name(_sheet_name(reading, names))
        reading.step(None)
        return _read_sheet(reading, sheet, any(rounded))


@dataclass(frozen=True)
class _Sheet:
    """A sheet that another process has read."""

    name: str
    start: tuple[int, int]
    rows: list[list[Cell]] = field(repr=False)

    def iter_rows(self) -> Iterator[list[Cell]]:
        return (list(row) for row in self.rows)


def read_apart(reading: Reading) -> list[Column]:
    """Read a workbook of another kind than .xlsx, in a process of its own."""
    from kpca_viewer.data.files import workbook_child

    size = reading.size
    with (
        foreign(reading, "workbook", _REMEDY),
        tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder,
    ):
        if zipfile.is_zipfile(reading.path):
            with zipfile.ZipFile(reading.path) as archive:
                check_archive(reading, archive, factor=10)
                size = sum(info.file_size for info in archive.infolist())
        target = Path(folder) / "cells"
        words = reading.path.absolute(), reading.options.sheet or "", target
        run_child(
            reading,
            workbook_child.__file__,
            words,
            size,
            "is damaged, protected by a password, or takes more memory than any "
            f"workbook; {_REMEDY}",
        )
        reading.require(10 * target.stat().st_size, _REMEDY)
        with target.open("rb") as file:
            names, name, start, rows = marshal.load(file)
        _sheet_name(reading, names)
        return _read_sheet(reading, _Sheet(name, start, rows), rounded=False)


def _check_part(
    reading: Reading, archive: zipfile.ZipFile, info: zipfile.ZipInfo
) -> bool:
    """Refuse lists without end, and cells so far apart that they fill the memory.

    calamine allocates all cells from the first to the last one and cannot be stopped,
    so addresses and tags are counted here, in every part: any of them may be a sheet.
    Returns whether the part has whole numbers of more digits than a workbook keeps.
    """
    packed = max(info.compress_size, 1)
    if info.file_size > max(_SMALL_PART, _LARGEST_RATIO * packed):
        raise DataError(
            f"{reading.title} unpacks to {byte_size(info.file_size)} from "
            f"{byte_size(packed)}, which no workbook does; {_REMEDY}."
        )
    counts, rounded, rest = CellCounts(), False, b""
    with archive.open(info) as part:
        while chunk := part.read(_CHUNK):
            reading.tick()
            # Up to the last tag that begins here: no address is cut in two.
            text, mark, rest = (rest + chunk).rpartition(b"<")
            rest = mark + rest
            counts.add(text)
            rounded |= _LONG_NUMBER.search(text) is not None
    if counts.tags > MAX_TAGS and not info.filename.startswith(_BY_ROW):
        raise DataError(
            f"{reading.title} has a part “{info.filename}” of more entries than "
            f"any workbook needs; {_REMEDY}."
        )
    rows = max(counts.rows, counts.last_row)
    if rows > MAX_ROWS:
        raise DataError(
            f"{reading.title} has more than {MAX_ROWS:,} rows, which Excel itself "
            "does not allow; export it as CSV."
        )
    reading.require(_CELL_BYTES * rows * counts.width, _REMEDY)
    return rounded


def _sheet_name(reading: Reading, names: list[str]) -> str:
    wanted = reading.options.sheet
    if not names:
        raise DataError(
            f"{reading.title} has no sheet with cells; save the table in one."
        )
    if wanted is not None and wanted not in names:
        raise DataError(
            f"{reading.title} has no sheet “{wanted}”; choose {listed(names)}."
        )
    name = names[0] if wanted is None else wanted
    if len(names) > 1:
        reading.parts, reading.chosen = tuple(names), (name,)
        reading.note(f"sheet “{name}” of {len(names)}")
    return name


def _read_sheet(reading: Reading, sheet: Any, rounded: bool) -> list[Column]:
    width = count = 0
    above = reading.options.skip or 0
    for _, row in _filled(reading, sheet, above):
        width, count = max(width, len(row)), count + 1
    if not count:
        raise DataError(
            f"The sheet “{sheet.name}” of {reading.title} is empty; choose a sheet "
            "with a table."
        )
    reading.require_table(count, width, _REMEDY)
    rules = CellRules(frozenset(reading.options.na_values), floats=True)
    reading.rules = rules
    first = list(islice(_filled(reading, sheet, above), _LOOK_AHEAD))
    first = [(number, [_cell(v, False) for v in row]) for number, row in first]
    head = [[_text(cell) for cell in row] for _, row in first]
    title = ""
    if reading.options.skip is None:
        usual = Counter(map(len, head)).most_common(1)[0][0]
        if lines := title_rows(head, usual, rules):
            title, above = next(filter(None, head[0])), first[lines][0] - 1
            head, count = head[lines:], count - lines
    head = [[str(cell) for cell in pad(row, width)] for row in head]
    header, reason = reading.options.header, ""
    if header is None:
        header, reason = find_header(head[0], head[1:], rules)
    reading.set_top(above, header, title, reason)
    names = unique_names(head[0], reading) if header else default_names(width)
    if rounded:
        reading.note("whole numbers of more than 15 digits rounded, as in Excel")

    def rows() -> Iterator[list[Any]]:
        below = _filled(reading, sheet, above)
        for _, row in islice(below, int(header), None):
            yield [*row, *[""] * (width - len(row))]

    def batches(only_numbers: OnlyNumbers) -> Iterator[list[Any]]:
        for batch in batched(reading, rows, width, count)(only_numbers):
            assert isinstance(batch, list)
            kinds = set(map(type, chain.from_iterable(batch)))
            if kinds <= _PLAIN and not rounded:
                yield batch
            else:
                yield [[_cell(value, rounded) for value in row] for row in batch]

    return collect(reading, names, batches, rules, expected=count)


def _filled(
    reading: Reading, sheet: Any, above: int
) -> Iterator[tuple[int, list[Any]]]:
    """Return the rows below the first ones that hold anything, with their numbers.

    Empty cells at their end are left out, those before the first column are not.
    """
    left = [""] * (sheet.start or (0, 0))[1]
    for number, values in enumerate(sheet.iter_rows(), 1):
        reading.tick()
        while values and values[-1] == "":
            values.pop()
        if values and number > above:
            yield number, [*left, *values]


def _cell(value: Any, rounded: bool) -> Cell:
    if isinstance(value, float):
        # Whole numbers stay whole in names; beyond 2⁵³, where they may be ids.
        whole = value.is_integer() and (rounded or abs(value) < EXACT)
        return int(value) if whole else value
    if isinstance(value, str | int):
        return value
    # Dates and times: in the notation that sorts.
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else number_text(float(cell))
