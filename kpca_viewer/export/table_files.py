"""Tables into files: CSV, Excel, Parquet and NPZ, all bits of every number.

Excel workbooks with one plain sheet are written here because the usual libraries round
numbers to 16 digits, and 17 are needed to get the same bits back. Texts are typed as
texts, so that none of them is a formula.
"""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.lib import format as npy

from kpca_viewer.export.result_tables import ExportTable, Texts
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.atomic import write_atomically
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
    """Return a table as a workbook; `ExportError` if it is too large for a sheet."""
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
        f'<sheet name="{escape(name[:31])}" sheetId="1" r:id="rId1"/>'
        "</sheets></workbook>"
    )


def _properties(note: str) -> str:
    """Return what a program shows as the properties of the file."""
    told = (
        f"<dc:description>{escape(note, quote=False)}</dc:description>" if note else ""
    )
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
        cells = [_sheet_cells(v, start, start + step) for _, v in table.columns]
        yield "".join(f"<row>{''.join(row)}</row>" for row in zip(*cells, strict=True))
    yield "</sheetData></worksheet>"


def _sheet_cells(values: Any, start: int, stop: int) -> list[str]:
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
    sound = escape(_ILLEGAL.sub("\ufffd", text[:LONGEST_TEXT]), quote=False)
    sound = sound.replace("\r", "&#13;")
    return f'<c t="inlineStr"><is><t xml:space="preserve">{sound}</t></is></c>'


TableFormat = Literal["csv", "xlsx", "parquet", "npz"]

FORMAT_TITLES: dict[TableFormat, str] = {
    "csv": "CSV",
    "xlsx": "Excel",
    "parquet": "Parquet",
    "npz": "NPZ",
}

_CELLS = 200_000
"""Cells that become text at once; for more of them pyarrow is worth its loading."""

_BYTES_PER_CELL = 60
"""Text, and the copies of it that exist at once; on the safe side."""

_UNSEEN = r"\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff"
_FORMULA = re.compile(rf"[\t\r]|[{_UNSEEN}]*+[=+\-@＝＋－＠]")
_PLAIN = re.compile(r"[0-9A-Za-z]\w*", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def save_table(path: str | Path, table: ExportTable, format: TableFormat) -> None:
    """Write a table, all of it or nothing."""
    rows, columns = table.shape
    memory.require(
        _BYTES_PER_CELL * rows * columns,
        f"A table of {rows:,} × {columns:,} cells",
        "select fewer rows, or choose NPZ",
    )
    make: dict[TableFormat, Callable[[ExportTable], bytes]] = {
        "csv": csv_bytes,
        "xlsx": xlsx_bytes,
        "parquet": parquet_bytes,
        "npz": npz_bytes,
    }
    if format not in make:
        raise ExportError(
            f"“{format}” is no format for tables; choose one of {', '.join(make)}."
        )
    write_atomically(path, make[format](table))


def csv_bytes(table: ExportTable, delimiter: str = ",") -> bytes:
    """Return a table as CSV: UTF-8, RFC 4180, the shortest text of every number."""
    style = _Style(delimiter, "\r\n" if delimiter == "," else "\n")
    joined = _joined_columns if np.prod(table.shape) > _CELLS else _joined_rows
    buffer = io.BytesIO()
    buffer.write(style.text([[neutralised(name) for name, _ in table.columns]]))
    for start, stop in _blocks(table):
        buffer.write(joined([v[start:stop] for _, v in table.columns], style))
    return buffer.getvalue()


class _Style(NamedTuple):
    delimiter: str
    ends: str

    def text(self, rows: Iterable[Sequence[Any]]) -> bytes:
        """Return rows of cells as lines."""
        lines = io.StringIO(newline="")
        # The module writes floats by repr, which is the shortest text that gives the
        # same bits again.
        csv.writer(lines, delimiter=self.delimiter, lineterminator=self.ends).writerows(
            rows
        )
        return lines.getvalue().encode("utf-8", "replace")

    def cell(self, text: str, alone: bool) -> str:
        """Return a text in the quotation marks that it needs."""
        if _PLAIN.fullmatch(text):
            return text
        # Nothing but a row of one empty cell would be an empty line.
        row = [neutralised(text)] if alone else [neutralised(text), ""]
        line = self.text([row]).decode().removesuffix(self.ends)
        return line if alone else line.removesuffix(self.delimiter)


def _joined_rows(columns: list[Any], style: _Style) -> bytes:
    return style.text(zip(*map(_cells, columns), strict=True))


def _joined_columns(columns: list[Any], style: _Style) -> bytes:
    """Return what `_joined_rows` does, a fifth to an eighth of its time."""
    import pyarrow.compute as pc  # which takes long to load

    alone = len(columns) == 1
    texts = [
        _quoted(values, style, alone)
        if isinstance(values, tuple)
        else _digits(values, style.cell("", alone))
        for values in columns
    ]
    rows = pc.binary_join_element_wise(*texts, style.delimiter)
    lines = pc.binary_join_element_wise(rows, "", style.ends)
    # Without gaps, the texts of an array follow each other.
    _, ends, text = lines.buffers()
    size = np.frombuffer(ends, np.int32, len(lines) + 1)[-1] if len(lines) else 0
    return bytes(memoryview(text)[:size])


def _quoted(values: Texts, style: _Style, alone: bool) -> Any:
    import pyarrow as pa

    words = {word: style.cell(word, alone) for word in set(values)}
    return pa.array([words[word] for word in values], pa.string())


def _digits(values: Array, gap: str) -> Any:
    """Return numbers as the texts that `repr` gives them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if values.dtype.kind != "f":
        whole = values.astype(np.int64) if values.dtype == bool else values
        return pa.array(np.require(whole, requirements="C")).cast(pa.string())
    numbers = values.astype(np.float64)
    texts = pa.array(numbers).cast(pa.string())
    sizes = np.abs(numbers)
    # Both are the shortest digits. Of these it writes powers of ten and whole numbers
    # in another way, and “nan” for a gap.
    with np.errstate(invalid="ignore"):
        alike = (sizes >= 1e-4) & (sizes < 1e10) & (numbers != np.rint(numbers))
    if alike.all():
        return texts
    others = [repr(v) if v == v else gap for v in numbers[~alike].tolist()]
    return pc.replace_with_mask(texts, ~alike, pa.array(others, pa.string()))


def parquet_bytes(table: ExportTable) -> bytes:
    """Return a table as Parquet, each column in its type; what is masked is null."""
    import pyarrow as arrow  # which takes long to load
    from pyarrow import parquet

    arrays = [
        arrow.array([_sound(text) for text in values], arrow.string())
        if isinstance(values, tuple)
        else arrow.array(np.require(values, requirements="C"))
        for _, values in table.columns
    ]
    names = [_sound(name) for name, _ in table.columns]
    buffer = io.BytesIO()
    content = arrow.Table.from_arrays(arrays, names=names)
    if table.note:
        content = content.replace_schema_metadata({"note": table.note})
    parquet.write_table(content, buffer)
    return buffer.getvalue()


def npz_bytes(table: ExportTable) -> bytes:
    """Return a table as the arrays it was made from; no pickle."""
    buffer = io.BytesIO()
    arrays = {name: np.asarray(array) for name, array in table.arrays.items()}
    if table.note:
        arrays["note"] = np.array(table.note)
    with zipfile.ZipFile(buffer, "w") as archive:
        # Not numpy.savez: before 2.1 it knows no way to refuse pickles, and takes a
        # column that is called “file” for its own argument.
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                npy.write_array(member, array, allow_pickle=False)
    return buffer.getvalue()


def neutralised(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    They look past blanks, line breaks and what has no width, such as the mark that many
    files begin with. What is just a number, such as the class “-1”, cannot do anything
    and stays.
    """
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _blocks(table: ExportTable) -> Iterator[tuple[int, int]]:
    rows, columns = table.shape
    step = max(1, _CELLS // max(columns, 1))
    for start in range(0, rows, step):
        yield start, min(start + step, rows)


def _cells(values: Texts | Array) -> list[Any]:
    if isinstance(values, tuple):
        return [neutralised(text) for text in values]
    if values.dtype == bool:
        return values.astype(np.int64).tolist()
    cells: list[Any] = values.tolist()
    if values.dtype.kind == "f" and np.isnan(values).any():
        return ["" if cell != cell else cell for cell in cells]
    return cells


def _sound(text: str) -> str:
    """Replace halves of characters, which file systems let through into names."""
    return text.encode("utf-8", "replace").decode()
