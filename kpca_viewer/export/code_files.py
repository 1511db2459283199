"""Python that reads a file again: by our reader, or by pandas."""

import csv
import io
from collections import Counter
from contextlib import suppress
from dataclasses import fields
from typing import Any

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.cells import CellRules
from kpca_viewer.data.files.delimited import guess_encoding
from kpca_viewer.data.files.dialect import Dialect, detect, split
from kpca_viewer.data.files.options import Decimal
from kpca_viewer.data.files.units import quantity, without_unit
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.export.text import WIDTH, Snippet, literal, quoted
from kpca_viewer.support.errors import DataError

TEXTS = (".csv", ".tsv", ".txt")

BEGINNING = 1 << 17
"""Bytes that are looked at: a script is shown while a person waits."""

LINES = 100
"""Lines that show how a file is written, and cells that show how a column is."""

_SAME_FILE = '"the file is not the one that was shown"'

_PANDAS_WORDS = {"NULL", "<NA>", "#N/A", "#NA", "-NaN", "-nan"}
"""Classes that pandas would take for missing cells, and we do not."""

_PANDAS_MISSING = {"", "NA", "N/A", "n/a", "NaN", "nan", "null", "None"}
"""Those of our words for missing cells that pandas knows as well."""

_OTHER_MARKS = "−’'\u00a0\u2009\u202f_"
"""Of minus and thousands in cells that pandas does not take for numbers."""


def read_by_ourselves(file: FileReference, chosen: ImportSettings | None) -> Snippet:
    """Return code that reads a file as the window does."""
    imports = ["from kpca_viewer.data.files import ReadOptions, read_table"]
    path, read = quoted(str(file.path)), "read_table"
    if file.reading.parts is not None:
        imports = ["from kpca_viewer.data.files import ReadOptions"]
        imports.append("from kpca_viewer.data.reading import read_source")
        read = "read_source"
    reading = _call("ReadOptions", file.reading)
    lines = [f"table = {read}({path}, options={reading})"]
    if chosen is None:
        imports.append(
            "from kpca_viewer.data.importing import guess_import, to_dataset"
        )
        lines.append("dataset = to_dataset(table, guess_import(table))")
    else:
        imports.append(
            "from kpca_viewer.data.importing import ImportSettings, to_dataset"
        )
        lines.append(f"chosen = {_call('ImportSettings', chosen)}")
        lines.append("dataset = to_dataset(table, chosen)")
    lines.append("X, y = dataset.points, dataset.labels")
    return Snippet("\n".join(lines), tuple(imports))


def read_by_others(
    dataset: Dataset, file: FileReference, chosen: ImportSettings | None
) -> Snippet | None:
    """Return code that reads a file with pandas alone.

    None where a few lines cannot do what was done here: samples, words as features,
    cells and names that pandas reads in another way, or formats of our own reading.
    """
    reading, suffix = file.reading, file.path.suffix.lower()
    if chosen is None:
        chosen = ImportSettings(tuple((n, "feature") for n in dataset.feature_names))
        if dataset.labels is not None:
            return None
    label = chosen.columns("label") if dataset.labels is not None else ()
    names = (*dataset.feature_names, *label)
    if (
        dataset.kind != "points"
        or chosen.columns("feature") != dataset.feature_names
        or not (chosen.sample is reading.sample is reading.max_rows is None)
        or reading.arrays is not None
        or reading.transpose
        or chosen.sentinels
        or chosen.left_out
        or chosen.missing not in ("drop", "median")
        or chosen.treat_text_as_missing
        or chosen.missing_words
    ):
        return None
    options: dict[str, Any] | None = {}
    if suffix in TEXTS:
        reader, options = "read_csv", _csv_options(file, dataset, names)
        if not _PANDAS_WORDS.isdisjoint(dataset.label_names):
            return None
    elif suffix in (".xlsx", ".parquet") and reading.header is not False:
        reader = "read_parquet"
        if any(without_unit(name) != name for name in names):
            return None
        if suffix == ".xlsx":
            # Names may be ours: of a second column of a name, or of one without any.
            made_up = ("column ", "x1")
            if any(name.startswith(made_up) or name.endswith(")") for name in names):
                return None
            reader = "read_excel"
            options = {"engine": "openpyxl"}
            options |= {"sheet_name": reading.sheet} if reading.sheet else {}
            options |= {"skiprows": reading.skip} if reading.skip else {}
    else:
        return None
    if options is None:
        return None
    return _by_pandas(dataset, file, chosen, reader, options)


def _by_pandas(
    dataset: Dataset,
    file: FileReference,
    chosen: ImportSettings,
    reader: str,
    options: dict[str, Any],
) -> Snippet:
    label = chosen.columns("label") if dataset.labels is not None else ()
    codes, numeric = _codes(dataset)
    if reader != "read_parquet" and label and not numeric:
        options["dtype"] = {label[0]: "str"}
    arguments = [quoted(str(file.path))]
    arguments += [f"{name}={literal(value)}" for name, value in options.items()]
    lines = [f"table = pd.{reader}({', '.join(arguments)})"]
    if len(lines[0]) > WIDTH:
        inner = "".join(f"    {argument},\n" for argument in arguments)
        lines = [f"table = pd.{reader}(\n{inner})"]
    if reader != "read_csv":
        lines.append('table.columns = [" ".join(str(name).split()) for name in table]')
    lines.append(f"features = {literal(list(dataset.feature_names), 11)}")
    if chosen.missing == "median":
        lines.append(
            "table[features] = table[features].fillna(table[features].median())"
        )
    else:
        lines.append("table = table.dropna(subset=features)")
    lines.append("X = table[features].to_numpy(dtype=float)")
    if label:
        words = (
            f'pd.to_numeric(table[{quoted(label[0])}], errors="coerce")'
            if numeric
            else f"table[{quoted(label[0])}].astype(str).str.strip()"
        )
        lines.append(f"codes = {literal(codes, 8)}")
        lines.append(f"y = {words}.map(codes).fillna(-1).to_numpy(int)")
    else:
        lines.append("y = None")
    return Snippet(
        "\n".join([*lines, *_same(dataset)]),
        ("import numpy as np", "import pandas as pd"),
    )


def _csv_options(
    file: FileReference, dataset: Dataset, names: tuple[str, ...]
) -> dict[str, Any] | None:
    """Return what pandas has to be told about a text file, by its beginning.

    None if it is not the one that was read, or pandas would read it in another way.
    """
    try:
        with open(file.path, "rb") as stream:
            head = stream.read(BEGINNING + 1)
    except OSError:
        return None
    whole = len(head) <= BEGINNING
    encoding = _encoding(file, head)
    lines = head.decode(encoding, "replace").splitlines(keepends=True)
    # The last line of a beginning is cut somewhere.
    lines = lines if whole else lines[:-1]
    try:
        dialect = detect(lines[:LINES], file.reading)
    except DataError:
        return None
    header = list(dialect.header or ())
    # Names as they stand in the file, each of them once.
    if dialect.header_lines != 1 or any(Counter(header)[name] != 1 for name in names):
        return None
    columns = list(zip(*_rows(lines, dialect), strict=True)) or [()] * len(header)
    cells, decimals, given = set[str](), set[Decimal](), dict(file.reading.decimals)
    for j, name in enumerate(dataset.feature_names):
        own = {cell.strip() for cell in columns[header.index(name)]}
        known = _decimal(own, dataset.points[:, j], dialect.decimal)
        decimals.add(given.get(name) or known)
        cells |= own
    odd = any(mark in cell for cell in cells for mark in _OTHER_MARKS)
    odd = odd or any(quantity(cell) is not None for cell in cells)
    if odd or dialect.comments or len(decimals) != 1:
        return None
    options: dict[str, Any] = {"skipinitialspace": True}
    if dialect.delimiter != ",":
        options["sep"] = r"\s+" if dialect.delimiter == " " else dialect.delimiter
    if decimals == {","}:
        options |= {"decimal": ",", "thousands": "."}
    elif not whole or any("," in cell for cell in cells):
        options["thousands"] = ","
    if dialect.skip:
        options["skiprows"] = dialect.skip
    if dialect.escapes:
        options["escapechar"] = "\\"
    missing = [word for word in file.reading.na_values if not whole or word in cells]
    if marks := [word for word in missing if word not in _PANDAS_MISSING]:
        options["na_values"] = marks
    if encoding.lower() not in ("utf-8", "utf-8-sig"):
        options["encoding"] = encoding
    return options


def _encoding(file: FileReference, head: bytes) -> str:
    encoding = file.reading.encoding or guess_encoding(head)
    if file.reading.encoding is None and encoding.startswith("utf-8"):
        try:
            # A character may be cut in two at the end.
            head[: BEGINNING - 4].decode(encoding)
        except UnicodeDecodeError:
            return "latin-1"
    return encoding


def _rows(lines: list[str], dialect: Dialect) -> list[list[str]]:
    """Return the rows of data, those that are whole."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        text = io.StringIO("".join(lines[dialect.skip :]), newline="")
        for row in split(text, dialect.delimiter, escapes=dialect.escapes):
            if len(row) > 1 or "".join(row).strip():
                rows.append(row)
    return [row for row in rows[1:] if len(row) == dialect.width]


def _decimal(cells: set[str], values: Any, usual: Decimal) -> Decimal:
    """Return the mark by which cells became the values that are known."""
    marked = sorted(cell for cell in cells if "," in cell or "." in cell)[:LINES]
    points, commas = (CellRules(decimal=mark).numbers(marked) for mark in (".", ","))
    if points == commas:
        return usual
    if None in points or None in commas:
        return "," if points.count(None) > commas.count(None) else "."
    hits = [
        np.isin(np.array(numbers, dtype=float), values).sum()
        for numbers in (points, commas)
    ]
    return usual if hits[0] == hits[1] else "." if hits[0] > hits[1] else ","


def _codes(dataset: Dataset) -> tuple[dict[Any, int], bool]:
    """Return the code of every class, and whether the classes are plain numbers."""
    codes = {name: code for code, name in enumerate(dataset.label_names)}
    try:
        values = [float(name) for name in codes]
    except ValueError:
        return codes, False
    # Whole numbers beyond that are texts: as numbers some of them would be equal.
    numeric = bool(values) and all(abs(value) <= 2**53 for value in values)
    return ({float(n): c for n, c in codes.items()} if numeric else codes), numeric


def _same(dataset: Dataset) -> list[str]:
    """Return lines that notice another file, or another reading of it."""
    total = float(abs(dataset.points).sum())
    return [
        f"assert X.shape == ({dataset.n}, {dataset.d}), {_SAME_FILE}",
        f"checksum = {total!r}",
        f"assert np.isclose(np.abs(X).sum(), checksum), {_SAME_FILE}",
    ]


def _call(name: str, value: Any) -> str:
    """Return the call that makes a value of a dataclass, without what is default."""
    plain = type(value)()
    given = {
        field.name: getattr(value, field.name)
        for field in fields(value)
        if getattr(value, field.name) != getattr(plain, field.name)
    }
    arguments = ", ".join(f"{key}={quoted(item)}" for key, item in given.items())
    if len(arguments) < 60:
        return f"{name}({arguments})"
    inner = "".join(
        f"    {key}={literal(item, len(key) + 1, 4)},\n" for key, item in given.items()
    )
    return f"{name}(\n{inner})"
