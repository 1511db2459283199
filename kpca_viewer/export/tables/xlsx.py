"""Excel workbooks with one plain sheet.

Written here because the usual libraries round numbers to 16 digits, and 17 are needed
to get the same bits back. Texts are typed as texts, so that none of them is a formula.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from kpca_viewer.export.tables.results import ExportTable
from kpca_viewer.support.errors import ExportError

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""What a sheet can hold, its header included."""

MOST_CELLS = 5_000_000
"""Beyond, no spreadsheet opens the file in reasonable time."""

LONGEST_TEXT = 32_767

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_CORE = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_PARTS = {
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" '
        f'ContentType="{_KIND}.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_KIND}.worksheet+xml"/>'
        '<Override PartName="/docProps/core.xml" ContentType='
        '"application/vnd.openxmlformats-package.core-properties+xml"/>'
        "</Types>"
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/'
        '2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>'
        "</Relationships>"
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}


def xlsx_bytes(table: ExportTable) -> bytes:
    """Return a table as a workbook.

    Raises
    ------
    ExportError
        If it is too large for a sheet.
    """
    rows, columns = table.shape
    if rows + 1 > MOST_ROWS or columns > MOST_COLUMNS or rows * columns > MOST_CELLS:
        raise ExportError(
            f"{rows:,} × {columns:,} cells are too many for Excel; choose CSV, Parquet "
            "or NPZ, or select fewer rows."
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in _PARTS.items():
            archive.writestr(name, _HEAD + content)
        archive.writestr("xl/workbook.xml", _HEAD + _workbook(table.name))
        archive.writestr("docProps/core.xml", _HEAD + _properties(table.note))
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            for part in _sheet(table):
                sheet.write(part.encode())
    return buffer.getvalue()


def _workbook(name: str) -> str:
    return (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name={quoteattr(name[:31])} sheetId="1" r:id="rId1"/>'
        "</sheets></workbook>"
    )


def _properties(note: str) -> str:
    """Return what a program shows as the properties of the file."""
    told = f"<dc:description>{escape(note)}</dc:description>" if note else ""
    return (
        f'<cp:coreProperties xmlns:cp="{_CORE}" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">{told}</cp:coreProperties>'
    )


def _sheet(table: ExportTable) -> Iterator[str]:
    yield (
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        "</sheetView></sheetViews><sheetData>"
    )
    yield f"<row>{''.join(_text(name) for name, _ in table.columns)}</row>"
    step = max(1, 50_000 // max(table.shape[1], 1))
    for start in range(0, table.rows, step):
        cells = [_cells(v, start, start + step) for _, v in table.columns]
        yield "".join(f"<row>{''.join(row)}</row>" for row in zip(*cells, strict=True))
    yield "</sheetData></worksheet>"


def _cells(values: Any, start: int, stop: int) -> list[str]:
    if isinstance(values, tuple):
        return [_text(text) for text in values[start:stop]]
    part = values[start:stop]
    if part.dtype == bool:
        return [f'<c t="b"><v>{int(flag)}</v></c>' for flag in part.tolist()]
    if part.dtype.kind == "f" and not np.isfinite(part).all():
        return [_odd(number) for number in part.tolist()]
    return [f"<c><v>{number!r}</v></c>" for number in part.tolist()]


def _odd(number: float) -> str:
    """Return a cell: sheets know neither infinity nor “not a number”."""
    if number != number:
        return "<c/>"
    if number in (float("inf"), float("-inf")):
        return _text(str(number))
    return f"<c><v>{number!r}</v></c>"


def _text(text: str) -> str:
    # XML cannot hold control characters at all, not even escaped.
    sound = escape(_ILLEGAL.sub("\ufffd", text[:LONGEST_TEXT]), {"\r": "&#13;"})
    return f'<c t="inlineStr"><is><t xml:space="preserve">{sound}</t></is></c>'
