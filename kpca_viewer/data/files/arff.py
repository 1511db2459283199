"""ARFF, the format of Weka and OpenML: attributes with types, dense or sparse rows."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from kpca_viewer.data.files.cells import CellRules, Row
from kpca_viewer.data.files.collect import batched, collect
from kpca_viewer.data.files.headers import unique_names
from kpca_viewer.data.files.source import (
    MAX_LINE,
    Reading,
    numbered_lines,
    open_binary,
)
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError

_LOOK_AHEAD = 200

_ATTRIBUTE = re.compile(
    r"@attribute\s++('(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|[^\s{]++)\s*+(.*)",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)")
_INDEX = re.compile(r"\s*+(\d{1,9})\s++")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"", re.DOTALL)
"""A quoted value; possessive, so that one without an end is given up at once."""


@dataclass(frozen=True)
class Attribute:
    """One column as the header declares it."""

    name: str
    text: bool
    first: str
    """What a sparse row leaves out: 0, or the first of the nominal values."""


def read_arff(reading: Reading) -> list[Column]:
    """Read an ARFF file; nominal attributes become text."""
    with open_binary(reading.path) as file:
        attributes, data_line = _header(reading, file)
        count = _estimated_rows(file, max(reading.size - file.tell(), 1))
        if reading.options.max_rows is not None:
            reading.total, reading.estimated = count, True
    names = unique_names([attribute.name for attribute in attributes], reading)
    # "?" is missing by definition; the other words for it are what files really hold.
    rules = CellRules(frozenset((*reading.options.na_values, "?")))
    return collect(
        reading,
        names,
        batched(
            reading, lambda: _rows(reading, attributes, data_line), len(names), count
        ),
        rules,
        keep_text=frozenset(j for j, a in enumerate(attributes) if a.text),
        expected=count,
    )


def _decoded(line: bytes) -> str:
    # Bytes that are no UTF-8 are rare in names and no reason to refuse numbers.
    return line.decode("utf-8", "replace").lstrip("\ufeff").strip()


def _header(reading: Reading, file: BinaryIO) -> tuple[list[Attribute], int]:
    """Return the attributes, and in which line the data begin."""
    attributes: list[Attribute] = []
    for number, raw in numbered_lines(reading, file):
        line = _decoded(raw)
        keyword = line[:10].lower()
        if keyword.startswith("@data"):
            if not attributes:
                break
            return attributes, number
        if keyword.startswith("@attribute"):
            attributes.append(_attribute(reading, line, number))
        elif line and not line.startswith("%") and not keyword.startswith("@relation"):
            raise DataError(
                f"Line {number:,} of {reading.title} is not part of an ARFF header; "
                "write @attribute or @data there."
            )
    raise DataError(
        f"{reading.title} has no @data part with attributes before it; it was "
        "probably cut short, save it again."
    )


def _estimated_rows(file: BinaryIO, size: int) -> int:
    """Return about how many rows so many bytes have, by the length of the next ones."""
    lines = [file.readline(MAX_LINE) for _ in range(_LOOK_AHEAD)]
    data = [line for line in lines if line.strip() and not line.startswith(b"%")]
    return max(round(size * len(data) / max(sum(map(len, data)), 1)), 1)


def _attribute(reading: Reading, line: str, number: int) -> Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None or not match[2].strip():
        raise DataError(
            f"Line {number:,} of {reading.title} declares an attribute without a name "
            "or a type; write @attribute name numeric."
        )
    name, kind = _unquoted(match[1]), match[2].strip()
    if kind.startswith("{"):
        values = next(_split([kind.strip("{}")]), [])
        return Attribute(name, True, _unquoted(values[0]) if values else "")
    word = kind.split()[0].lower()
    if word in ("numeric", "real", "integer"):
        return Attribute(name, False, "0")
    if word in ("string", "date"):
        return Attribute(name, True, "")
    raise DataError(
        f"Line {number:,} of {reading.title} has the type “{word}”, which is not "
        "supported; use numeric, string, date or {a, b, c}."
    )


def _rows(
    reading: Reading, attributes: list[Attribute], data_line: int
) -> Iterator[Row]:
    with open_binary(reading.path) as file:
        for number, raw in numbered_lines(reading, file):
            line = _decoded(raw)
            if number <= data_line or not line or line.startswith("%"):
                continue
            if line.startswith("{"):
                row = _sparse(reading, line, number, attributes)
            else:
                row = _dense(reading, line, number)
            if len(row) != len(attributes):
                raise DataError(
                    f"Line {number:,} of {reading.title} has {len(row):,} values for "
                    f"{len(attributes):,} attributes; correct that line."
                )
            yield row


def _dense(reading: Reading, line: str, number: int) -> list[str]:
    try:
        cells = next(_split([line]), [])
    except csv.Error as error:
        raise DataError(
            f"Line {number:,} of {reading.title} cannot be divided into values; check "
            "its quotation marks."
        ) from error
    return [cell.strip() for cell in cells]


def _split(lines: list[str]) -> Iterator[list[str]]:
    # Weka quotes with ' and escapes with \; others quote with ".
    quote = '"' if "'" not in lines[0] and '"' in lines[0] else "'"
    return csv.reader(lines, quotechar=quote, escapechar="\\", skipinitialspace=True)


def _sparse(
    reading: Reading, line: str, number: int, attributes: list[Attribute]
) -> list[str]:
    row = [attribute.first for attribute in attributes]
    body = line.strip("{} \t")
    position = 0
    while position < len(body):
        reading.tick()
        index = _INDEX.match(body, position)
        end = -1 if index is None else _value_end(body, index.end())
        if index is None or end < 0 or int(index[1]) >= len(row):
            raise DataError(
                f"Line {number:,} of {reading.title} is not a sparse row; write "
                "{index value, index value, …} with indices from 0."
            )
        row[int(index[1])] = _unquoted(body[index.end() : end].strip())
        position = end + 1
    return row


def _value_end(body: str, start: int) -> int:
    """Return where a value ends: at a comma outside of quotes; -1 if they are open."""
    quoted = None
    if body[start : start + 1] in ("'", '"'):
        quoted = _QUOTED.match(body, start)
        if quoted is None:
            return -1
    comma = body.find(",", start if quoted is None else quoted.end())
    return len(body) if comma < 0 else comma


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return _ESCAPED.sub(r"\1", text[1:-1])
    return text
