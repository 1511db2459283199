"""Python that reads a file again: by our reader, or without our package."""

import os
from dataclasses import fields
from typing import Any

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.export.code_text_file import TextFacts, text_facts
from kpca_viewer.export.text import WIDTH, Snippet, literal, quoted

TEXTS = (".csv", ".tsv", ".txt")

_SAME_FILE = '"the file is not the one that was shown"'

_PANDAS_WORDS = {"NULL", "<NA>", "#N/A", "#NA", "-NaN", "-nan"}
"""Classes that pandas would take for missing cells, and we do not."""

_NUMBER = '''\
def number(cell, decimal):
    """Return a cell as a number; marks between thousands are left out."""
    cell = cell.strip().replace("−", "-")
    if cell in missing:
        return np.nan
    for mark in ("." if decimal == "," else ",") + "’'\\u00a0\\u2009\\u202f":
        cell = cell.replace(mark, "")
    return float(cell.replace(decimal, "."))'''

_LENIENT = '''\
def number(cell, decimal):
    """Return a cell as a number; whatever is none counts as missing."""
    cell = cell.strip().replace("−", "-")
    for mark in ("." if decimal == "," else ",") + "’'\\u00a0\\u2009\\u202f":
        cell = cell.replace(mark, "")
    try:
        value = float(cell.replace(decimal, "."))
    except ValueError:
        return np.nan
    return value if np.isfinite(value) else np.nan'''


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
    """Return code that reads a file with pandas or the csv module alone.

    None where a few lines cannot do what was done here: samples, words as features, or
    formats of our own reading.
    """
    reading, suffix = file.reading, file.path.suffix.lower()
    if chosen is None:
        chosen = ImportSettings(tuple((n, "feature") for n in dataset.feature_names))
        if dataset.labels is not None:
            return None
    if (
        dataset.kind != "points"
        or chosen.columns("feature") != dataset.feature_names
        or not (chosen.sample is reading.sample is reading.max_rows is None)
        or reading.arrays is not None
        or reading.transpose
        or chosen.sentinels
        or chosen.left_out
        or chosen.missing not in ("drop", "median")
    ):
        return None
    odd_cells = chosen.treat_text_as_missing or bool(chosen.missing_words)
    if suffix in TEXTS:
        if not os.path.exists(file.path):
            return _by_names(dataset, file, chosen)
        label = chosen.columns("label") if dataset.labels is not None else ()
        facts = text_facts(file, dataset, *label)
        if facts is None:
            return None
        sound = _PANDAS_WORDS.isdisjoint(dataset.label_names)
        if facts.plain and sound and not odd_cells:
            return _by_names(dataset, file, chosen, facts)
        return _by_cells(dataset, file, chosen, facts)
    if suffix not in (".xlsx", ".parquet") or odd_cells or reading.header is False:
        return None
    # These names may be ours: of a second column of a name, or of one without any.
    made_up = ("column ", "x1") if suffix == ".xlsx" else ()
    names = (*dataset.feature_names, *chosen.columns("label"))
    if any(without_unit(name) != name for name in names):
        return None
    if any(name.startswith(made_up) or name.endswith(")") for name in names if made_up):
        return None
    return _by_names(dataset, file, chosen)


# By the names of the columns, with pandas


def _by_names(
    dataset: Dataset,
    file: FileReference,
    chosen: ImportSettings,
    facts: TextFacts | None = None,
) -> Snippet:
    suffix = file.path.suffix.lower()
    label = chosen.columns("label") if dataset.labels is not None else ()
    codes, numeric = _codes(dataset)
    options: dict[str, Any] = {}
    if suffix == ".parquet":
        reader = "read_parquet"
    elif suffix == ".xlsx":
        reader = "read_excel"
        options = {"sheet_name": file.reading.sheet} if file.reading.sheet else {}
        options |= {"skiprows": file.reading.skip} if file.reading.skip else {}
    else:
        reader = "read_csv"
        options = _csv_options(file, facts)
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


def _csv_options(file: FileReference, facts: TextFacts | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    reading = file.reading
    delimiter = reading.delimiter if facts is None else facts.delimiter
    if delimiter is None:
        options |= {"sep": None, "engine": "python"}
    elif delimiter != ",":
        options["sep"] = r"\s+" if delimiter == " " else delimiter
    decimal = reading.decimal if facts is None else facts.decimals[0]
    if decimal == ",":
        options |= {"decimal": ",", "thousands": "."}
    elif facts is not None and facts.grouped:
        options["thousands"] = ","
    if facts is not None:
        options["skipinitialspace"] = True
        if facts.skip:
            options["skiprows"] = facts.skip
        if facts.escapes:
            options["escapechar"] = "\\"
        if facts.marks:
            options["na_values"] = list(facts.marks)
    encoding = reading.encoding if facts is None else facts.encoding
    if encoding and encoding.lower() not in ("utf-8", "utf-8-sig"):
        options["encoding"] = encoding
    return options


# By their places, with the csv module


def _by_cells(
    dataset: Dataset, file: FileReference, chosen: ImportSettings, facts: TextFacts
) -> Snippet:
    """Return code for names that pandas changes, and for cells that it cannot read."""
    lines = _rows(file, facts)
    words = sorted({*file.reading.na_values, *chosen.missing_words} - {""})
    if not chosen.treat_text_as_missing:
        lines.append(f"missing = {literal(['', *words], 10)}")
    function = _LENIENT if chosen.treat_text_as_missing else _NUMBER
    columns = list(facts.places)
    lines += ["", "", function, "", ""]
    lines.append(f"features = {literal(list(dataset.feature_names), 11)}")
    lines.append(f"places = {literal(columns, 9)}")
    marks = set(facts.decimals)
    if len(marks) == 1:
        cell, each = f"number(row[place], {quoted(marks.pop())})", "place in places"
    else:
        lines.append(f"decimals = {literal(list(facts.decimals), 11)}")
        cell, each = "number(row[place], mark)", "place, mark in zip(places, decimals)"
    lines.append(f"X = np.array([[{cell} for {each}] for row in rows])")
    label = facts.label if dataset.labels is not None else None
    codes, numeric = _codes(dataset)
    if label is not None:
        key = f"row[{label}].strip()"
        if numeric:
            key = f"number(row[{label}], {quoted(facts.usual)})"
        lines.append(f"codes = {literal(codes, 8)}")
        lines.append(f"y = np.array([codes.get({key}, -1) for row in rows])")
    if chosen.missing == "median":
        lines.append("X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)")
    else:
        lines.append("complete = ~np.isnan(X).any(axis=1)")
        kept = "X, y = X[complete], y[complete]"
        lines.append(kept if label is not None else "X = X[complete]")
    if label is None:
        lines.append("y = None")
    imports = ["import csv", "import numpy as np"]
    if facts.skip:
        imports.insert(1, "from itertools import islice")
    return Snippet("\n".join([*lines, *_same(dataset)]), tuple(imports))


def _rows(file: FileReference, facts: TextFacts) -> list[str]:
    source = "file"
    lines = [
        f"with open({quoted(str(file.path))}, "
        f'encoding={quoted(facts.encoding)}, newline="") as file:'
    ]
    if facts.skip:
        lines.append(f"    source = islice(file, {facts.skip}, None)")
        source = "source"
    if facts.comments:
        lines.append(
            f'    source = (x for x in {source} if x.lstrip()[:1] not in ("#", "%"))'
        )
        source = "source"
    if facts.delimiter == " ":
        lines.append(f'    blanks = (" ".join(x.split()) + "\\n" for x in {source})')
        source = "blanks"
    how = f"delimiter={quoted(facts.delimiter)}, skipinitialspace=True"
    if facts.escapes:
        how += f", escapechar={quoted(chr(92))}"
    lines.append(f"    rows = list(csv.reader({source}, {how}))")
    lines.append(
        "rows = [row for row in rows if row]"
        if facts.width == 1
        else 'rows = [row for row in rows if len(row) > 1 or "".join(row).strip()]'
    )
    if facts.header_lines == 1:
        lines.append("rows = rows[1:]  # the first one names the columns")
    elif facts.header_lines:
        lines.append(f"rows = rows[{facts.header_lines}:]  # above are no data")
    return lines


# What both share


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
