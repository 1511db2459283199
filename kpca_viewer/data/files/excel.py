"""Excel workbooks (.xlsx), one sheet at a time, row by row."""

import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from kpca_viewer.data.files.cells import Cell, CellRules, Row, pad
from kpca_viewer.data.files.collect import Batch, OnlyNumbers, batch_rows, collect
from kpca_viewer.data.files.headers import (
    default_names,
    find_header,
    title_rows,
    unique_names,
)
from kpca_viewer.data.files.numpy_files import PatientArchive, check_archive
from kpca_viewer.data.files.source import Reading, foreign, open_binary
from kpca_viewer.data.table import Column, listed, number_text
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import byte_size

MAX_ROWS = 1_048_576
"""Excel's own limit; a damaged file can ask for any row number."""

MAX_TAGS = 300_000
"""Of the formats, for example: Excel itself knows 64,000 of them."""

_BY_ROW = ("xl/worksheets/sheet", "xl/sharedStrings")
"""Parts that are read in pieces."""

_XML = (".xml", ".rels")

_SMALL_PART = 1 << 20
_LARGEST_RATIO = 100
"""Cells differ by their addresses at least: sheets are packed 10 to 40 fold."""

_ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!")
_LOOK_AHEAD = 200
_KEPT_CELLS = 2_000_000
_REMEDY = "open it in a spreadsheet program and save it again as .xlsx or CSV"


def read_excel(reading: Reading) -> list[Column]:
    """Read the first sheet with data, or the one that was asked for."""
    from openpyxl.reader import excel  # which takes long to load

    # An open file, because openpyxl refuses names with another ending.
    with foreign(reading, "Excel workbook", _REMEDY), open_binary(reading.path) as file:
        archive = PatientArchive(reading, file)
        # Objects of Python take about ten times the room of their XML.
        check_archive(reading, archive, factor=10)
        _check_parts(reading, archive)
        # What openpyxl.load_workbook does, with an archive of our own.
        reader = excel.ExcelReader(
            file, read_only=True, data_only=True, keep_links=False
        )
        reader.archive = archive
        reader.read()
        try:
            sheet = _sheet(reading, reader.wb)
            return _read_sheet(reading, sheet)
        finally:
            reader.wb.close()


def _check_parts(reading: Reading, archive: zipfile.ZipFile) -> None:
    """Refuse formats and lists without end: they are unpacked as a whole."""
    for info in archive.infolist():
        packed = max(info.compress_size, 1)
        if info.file_size > max(_SMALL_PART, _LARGEST_RATIO * packed):
            raise DataError(
                f"{reading.title} unpacks to {byte_size(info.file_size)} from "
                f"{byte_size(packed)}, which no workbook does; {_REMEDY}."
            )
        if info.filename.startswith(_BY_ROW) or not info.filename.endswith(_XML):
            continue
        if archive.read(info).count(b"<") > MAX_TAGS:
            raise DataError(
                f"{reading.title} has a part “{info.filename}” of more entries than "
                f"any workbook needs; {_REMEDY}."
            )


def _sheet(reading: Reading, book: Any) -> Any:
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    wanted = reading.options.sheet
    if not sheets:
        raise DataError(
            f"{reading.title} has no sheet with cells; save the table in one."
        )
    if wanted is not None and wanted not in sheets:
        raise DataError(
            f"{reading.title} has no sheet “{wanted}”; choose {listed(sheets)}."
        )
    sheet = sheets[wanted] if wanted is not None else next(iter(sheets.values()))
    # The size that a workbook states is often wrong; cells tell the truth.
    sheet.reset_dimensions()
    if len(sheets) > 1:
        reading.parts, reading.chosen = tuple(sheets), (sheet.title,)
        reading.note(f"sheet “{sheet.title}” of {len(sheets)}")
    return sheet


def _read_sheet(reading: Reading, sheet: Any) -> list[Column]:
    width, count, cells, seen = 0, 0, 0, 0
    kept: list[list[Cell]] = []
    numbers: list[int] = []
    above = reading.options.skip or 0
    for place, row in _filled(reading, sheet, above):
        width, count, cells = max(width, len(row)), count + 1, cells + len(row)
        if count <= _LOOK_AHEAD or cells <= _KEPT_CELLS:
            kept.append(row)
            numbers.append(place)
        if width > seen or count % 100 == 0:
            seen = width
            reading.require_table(count, width, _REMEDY)
    if not count:
        raise DataError(
            f"The sheet “{sheet.title}” of {reading.title} is empty; choose a sheet "
            "with a table."
        )
    rules = CellRules(frozenset((*reading.options.na_values, *_ERRORS)))
    reading.rules = rules
    head = [[_text(cell) for cell in row] for row in kept[:_LOOK_AHEAD]]
    title = ""
    if reading.options.skip is None:
        usual = Counter(map(len, head)).most_common(1)[0][0]
        if lines := title_rows(head, usual, rules):
            title, above = next(filter(None, head[0])), numbers[lines] - 1
            kept, head, count = kept[lines:], head[lines:], count - lines
    header, reason = reading.options.header, ""
    if header is None:
        head = [[str(cell) for cell in pad(row, width)] for row in head]
        header, reason = find_header(head[0], head[1:], rules)
    reading.set_top(above, header, title, reason)
    names = (
        unique_names(pad(kept[0], width), reading) if header else default_names(width)
    )

    def batches(_only_numbers: OnlyNumbers) -> Iterator[Batch]:
        # Cells are slow to unpack: a sheet of usual size is unpacked once.
        again = (row for _, row in _filled(reading, sheet, above))
        rows = iter(kept) if len(kept) == count else again
        step, batch = batch_rows(width), list[Row]()
        for number, row in enumerate(rows):
            if header and number == 0:
                continue
            batch.append(pad(row, width))
            if len(batch) == step:
                yield batch
                batch = []
                reading.step(number / count)
        if batch:
            yield batch

    return collect(reading, names, batches, rules, expected=count)


def _filled(
    reading: Reading, sheet: Any, above: int
) -> Iterator[tuple[int, list[Cell]]]:
    """Return the rows below the first ones that hold anything, with their numbers.

    Empty cells at their end are left out.
    """
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        if number > MAX_ROWS:
            raise DataError(
                f"{reading.title} has more than {MAX_ROWS:,} rows, which Excel itself "
                "does not allow; export it as CSV."
            )
        row = list(values)
        while row and row[-1] is None:
            row.pop()
        if row and number > above:
            yield number, [_cell(value) for value in row]
        reading.tick()


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        return value
    # Dates and times: in the notation that sorts.
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else number_text(float(cell))
