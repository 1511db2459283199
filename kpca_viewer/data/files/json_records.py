"""JSON: a list of records, lists by column, what pandas writes, or a record a line."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kpca_viewer.data.files.cells import LONGEST_NUMBER, Cell, CellRules, Row, pad
from kpca_viewer.data.files.collect import batched, collect
from kpca_viewer.data.files.headers import default_names, unique_names
from kpca_viewer.data.files.source import Reading, numbered_lines, open_binary
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError

MAX_DOCUMENT = 1 << 30
"""Bytes of one document; larger ones come as one record per line."""

_BLANKS = " \t\n\r"
_SMALL = 1 << 20
"""Bytes that are parsed in no noticeable time."""

_SHAPE = "give a list of records such as [{“x”: 1, “y”: 2}, …], or one record per line"

Records = Callable[[], Iterator[Any]]


def read_json(reading: Reading, *, lines: bool = False) -> list[Column]:
    if lines:
        return _from_records(reading, lambda: _each_line(reading))
    if reading.size > MAX_DOCUMENT:
        raise DataError(
            f"{reading.title} is too large for one JSON document; write one record per "
            "line (.jsonl) or a Parquet file."
        )
    # Objects of Python take about ten times the room of their text.
    reading.require(10 * reading.size, "write one record per line (.jsonl)")
    with open_binary(reading.path) as file:
        raw = file.read()
    try:
        document = _parsed(reading, raw)
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise _no_json(reading, error) from error
    del raw
    reading.step(None)
    return _from_document(reading, document)


def _parsed(reading: Reading, raw: bytes) -> Any:
    """Parse a document; a large one can be stopped, and lets the window breathe."""

    def ticked(value: Any) -> Any:
        reading.tick()
        return value

    def number(text: str) -> float:
        reading.tick()
        return float(text)

    def whole(text: str) -> int | str:
        reading.tick()
        return int(text) if len(text) <= LONGEST_NUMBER else text

    if len(raw) < _SMALL:
        return json.loads(raw, parse_int=whole)
    decoder = json.JSONDecoder(object_hook=ticked, parse_float=number, parse_int=whole)
    text = raw.decode(json.detect_encoding(raw), "surrogatepass").strip(_BLANKS)
    if not text.startswith("["):
        return decoder.decode(text)
    return _elements(reading, text, decoder)


def _elements(reading: Reading, text: str, decoder: json.JSONDecoder) -> list[Any]:
    """Return the elements of a list, parsed one after the other."""
    scan: Callable[[str, int], tuple[Any, int]] = decoder.scan_once  # type: ignore[attr-defined]
    found: list[Any] = []
    place = _past_blanks(text, 1)
    if text[place:] == "]":
        return found
    while True:
        reading.tick()
        try:
            value, place = scan(text, place)
        except StopIteration as error:
            raise json.JSONDecodeError("Expecting value", text, error.value) from None
        found.append(value)
        sign = text[place : place + 1]
        if sign in _BLANKS:
            place = _past_blanks(text, place)
            sign = text[place : place + 1]
        if sign == "]" and place == len(text) - 1:
            return found
        if sign != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
        place = _past_blanks(text, place + 1)


def _past_blanks(text: str, place: int) -> int:
    while text[place : place + 1] in _BLANKS and place < len(text):
        place += 1
    return place


def _from_document(reading: Reading, document: Any) -> list[Column]:
    if isinstance(document, Mapping):
        if all(isinstance(document.get(key), list) for key in ("columns", "data")):
            return _from_rows(reading, document["data"], document["columns"])
        lists = [
            key
            for key, value in document.items()
            if isinstance(value, list) and value and isinstance(value[0], Mapping)
        ]
        if len(lists) == 1:
            if len(document) > 1:
                reading.note(f"records of “{lists[0]}”")
            document = document[lists[0]]
        elif document and all(isinstance(v, Mapping) for v in document.values()):
            return _from_indexed(reading, document)
        elif document and all(isinstance(v, list) for v in document.values()):
            return _from_lists(reading, list(document), list(document.values()))
    if not isinstance(document, list) or not document:
        raise DataError(f"{reading.title} holds no table; {_SHAPE}.")
    if all(isinstance(row, list) for row in document):
        return _from_rows(reading, document, None)
    records = document
    return _from_records(reading, lambda: iter(records))


def _from_records(reading: Reading, records: Records) -> list[Column]:
    """Read records; their keys are gathered first, because later ones may have more."""
    keys: dict[str, None] = {}
    count = 0
    for count, record in enumerate(records(), 1):
        reading.tick()
        if not isinstance(record, Mapping):
            raise DataError(
                f"Record {count:,} of {reading.title} is not a record with names; "
                f"{_SHAPE}."
            )
        keys.update(dict.fromkeys(record))
        reading.require_width(len(keys), "use the same names in every record")
    if not keys:
        raise DataError(f"{reading.title} holds no table; {_SHAPE}.")
    names = list(keys)
    places = {name: place for place, name in enumerate(names)}
    empty: list[Cell] = [""] * len(names)

    def rows() -> Iterator[Row]:
        for record in records():
            row = empty.copy()
            for name, value in record.items():
                row[places[name]] = _cell(value)
            yield row

    return _collect(reading, unique_names(names, reading), rows, count)


def _from_rows(reading: Reading, rows: list[Any], given: Any) -> list[Column]:
    width = max((len(row) for row in rows if isinstance(row, list)), default=0)
    reading.tick()
    if given is not None:
        width = len(given)
    for number, row in enumerate(rows, 1):
        reading.tick()
        if not isinstance(row, list) or len(row) > width:
            raise DataError(
                f"Row {number:,} of {reading.title} is not a list of {width:,} values; "
                "give every row the same length."
            )
    if not rows or not width:
        raise DataError(f"{reading.title} holds no table; {_SHAPE}.")
    names = default_names(width) if given is None else unique_names(given, reading)
    return _collect(
        reading,
        names,
        lambda: (pad([_cell(value) for value in row], width) for row in rows),
        len(rows),
    )


def _from_indexed(reading: Reading, document: Mapping[str, Any]) -> list[Column]:
    """Read what pandas writes: by column, the value at each index; or by index."""
    if _counts(document) and not _counts(next(iter(document.values()))):
        records = list(document.values())
        return _from_records(reading, lambda: iter(records))
    # Columns may have their rows in another order, or miss some: the index decides.
    index: dict[str, None] = {}
    for column in document.values():
        index.update(dict.fromkeys(column))
        reading.tick()
    reading.require_table(len(index), len(document), "give every column all rows")
    names: list[object] = list(document)
    keys = sorted(index, key=int) if _counts(index) else list(index)
    columns = [[column.get(key) for key in keys] for column in document.values()]
    if not _counts(index):
        names.insert(0, "name")
        columns.insert(0, list(keys))
    return _from_lists(reading, names, columns)


def _counts(keys: Mapping[str, Any]) -> bool:
    """Whether keys are the numbers of rows, 0, 1, 2, …, in any order."""
    if not all(key.isdecimal() and len(key) < 16 for key in keys):
        return False
    return sorted(map(int, keys)) == list(range(len(keys)))


def _from_lists(
    reading: Reading, names: list[object], columns: list[list[Any]]
) -> list[Column]:
    lengths = {len(column) for column in columns}
    if len(lengths) != 1:
        raise DataError(
            f"The columns of {reading.title} have between {min(lengths):,} and "
            f"{max(lengths):,} values; give each the same number."
        )

    def rows() -> Iterator[Row]:
        for values in zip(*columns, strict=True):
            yield [_cell(value) for value in values]

    return _collect(reading, unique_names(names, reading), rows, lengths.pop())


def _collect(
    reading: Reading, names: list[str], rows: Callable[[], Iterator[Row]], count: int
) -> list[Column]:
    rules = CellRules(frozenset(reading.options.na_values))
    batches = batched(reading, rows, len(names), count)
    return collect(reading, names, batches, rules, expected=count)


def _each_line(reading: Reading) -> Iterator[Any]:
    with open_binary(reading.path) as file:
        for number, line in numbered_lines(reading, file):
            if not line.strip():
                continue
            try:
                yield _parsed(reading, line)
            except (ValueError, RecursionError) as error:
                if isinstance(error, DataError):
                    raise
                raise _no_json(reading, error, number) from error


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    if isinstance(value, str):
        # Half of a surrogate pair is legal in JSON but cannot be shown or saved.
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int | float):
        return value
    try:
        return json.dumps(value)[:1000]
    except RecursionError:
        return "…"


def _no_json(
    reading: Reading, error: Exception, number: int | None = None
) -> DataError:
    line = number or getattr(error, "lineno", None)
    where = f"line {line:,} of " if line else ""
    return DataError(
        f"There is no valid JSON in {where}{reading.title}; check for a missing "
        "bracket or comma, or export it again."
    )
