"""Parquet files, batch by batch, so that memory holds the result and little else."""

from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.cells import (
    EXACT,
    CellRules,
    Texts,
    block_columns,
    object_array,
)
from kpca_viewer.data.files.collect import SAMPLE_REMEDY, batch_rows
from kpca_viewer.data.files.headers import unique_names
from kpca_viewer.data.files.marks import Evidence, decided_columns
from kpca_viewer.data.files.source import Reading, foreign
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.table import Column, IntArray, listed
from kpca_viewer.support.errors import DataError

_REMEDY = "write it again, or export it as CSV"


def read_parquet(reading: Reading) -> list[Column]:
    """Read all columns of numbers, truth values, dates and text."""
    import pyarrow as pa  # which takes long to load
    import pyarrow.parquet as pq

    with (
        foreign(reading, "Parquet file", _REMEDY),
        # Small buffers: else all columns of a row group are held beside the result.
        pq.ParquetFile(
            reading.path, memory_map=False, buffer_size=1 << 20, pre_buffer=False
        ) as file,
    ):
        return _read(reading, file, pa)


def _read(reading: Reading, file: Any, pa: Any) -> list[Column]:
    schema, total = file.schema_arrow, _rows(file, reading.groups)
    index = (schema.pandas_metadata or {}).get("index_columns", ())
    plain = [field for field in schema if _is_wanted(field, reading, pa)]
    # The names of rows stand before them, as in every other file of a data frame.
    plain.sort(key=lambda field: field.name not in index)
    left_out = [field.name for field in schema if pa.types.is_nested(field.type)]
    if left_out:
        reading.note(f"columns with lists or structures left out: {listed(left_out)}")
    if not plain or total == 0:
        raise DataError(
            f"{reading.title} has {total:,} rows and {len(plain):,} columns of single "
            "values; write a table with at least one of each."
        )
    if len({field.name for field in schema}) < len(schema):
        raise DataError(
            f"{reading.title} has two columns of the same name; rename one of them."
        )
    names = [field.name for field in plain]
    vast = _vast(file, plain, pa)
    categories = _categories(file, pa)
    numeric = [
        k
        for k, field in enumerate(plain)
        if _is_number(field.type, pa) and field.name not in vast | categories
    ]
    rows = reading.chosen_rows(total)
    count = total if rows is None else len(rows)
    reading.require(count * len(plain) * 8 + _largest_group(file), SAMPLE_REMEDY)
    block = np.empty((count, len(numeric)))
    texts: dict[int, list[str | None]] = {
        k: [] for k in range(len(plain)) if k not in set(numeric)
    }
    rules = CellRules(frozenset(reading.options.na_values))
    to_text = {k: Texts(rules) for k in texts}
    done = 0
    for batch, start in _batches(reading, file, names, total, rows):
        part = slice(done, done + batch.num_rows)
        for j, k in enumerate(numeric):
            block[part, j] = _numbers(batch.column(k), pa)
        for k, kept in texts.items():
            kept.extend(to_text[k](_strings(batch.column(k), pa)))
        done += batch.num_rows
        reading.step(start / total)
    if done != count:
        raise DataError(
            f"{reading.title} promises {count:,} rows but holds {done:,}; {_REMEDY}."
        )
    words = {k for k in texts if plain[k].name in categories}
    return _columns(reading, names, block, numeric, texts, rules, words)


def _batches(
    reading: Reading, file: Any, names: list[str], total: int, rows: IntArray | None
) -> Iterator[tuple[Any, int]]:
    """Return batches of the wanted rows, with how many rows were passed."""
    last = total if rows is None else int(rows[-1]) + 1
    start = 0
    size = max(1000, batch_rows(len(names)))
    batches = file.iter_batches(
        batch_size=size, columns=names, use_threads=False, row_groups=reading.groups
    )
    for batch in batches:
        end = start + batch.num_rows
        if rows is None:
            yield batch, end
        else:
            wanted = rows[np.searchsorted(rows, start) : np.searchsorted(rows, end)]
            if wanted.size:
                yield batch.take(wanted - start), end
            else:
                reading.step(end / total)
        start = end
        if start >= last:
            break


def _is_wanted(field: Any, reading: Reading, pa: Any) -> bool:
    if reading.columns is not None and field.name not in {
        *reading.columns,
        *map(without_unit, reading.columns),
    }:
        return False
    return not pa.types.is_nested(field.type)


def _rows(file: Any, groups: tuple[int, ...] | None) -> int:
    if groups is None:
        return int(file.metadata.num_rows)
    return sum(int(file.metadata.row_group(group).num_rows) for group in groups)


def _columns(
    reading: Reading,
    names: list[str],
    block: NDArray[np.float64],
    numeric: list[int],
    texts: dict[int, list[str | None]],
    rules: CellRules,
    categories: set[int],
) -> list[Column]:
    shown = unique_names(names, reading)
    numbers = block_columns([shown[k] for k in numeric], block)
    made = dict(zip(numeric, numbers, strict=True))
    written = {
        k: Column(shown[k], object_array(values), "text") for k, values in texts.items()
    }
    made.update((k, written.pop(k)) for k in categories)
    found = decided_columns(reading, [*written.values()], rules, Evidence(), shown)
    made.update(zip(written, found, strict=True))
    return [made[k] for k in sorted(made)]


def _categories(file: Any, pa: Any) -> set[str]:
    """Return the columns that were written as categories, whatever their codes.

    Arrow gives back those of numbers as numbers; the schema of its writer knows better.
    """
    written = (file.metadata.metadata or {}).get(b"ARROW:schema")
    schema = file.schema_arrow
    if written is not None:
        schema = pa.ipc.read_schema(pa.py_buffer(b64decode(written)))
    return {field.name for field in schema if pa.types.is_dictionary(field.type)}


def _vast(file: Any, plain: list[Any], pa: Any) -> set[str]:
    """Return the columns of whole numbers that float64 may not tell apart.

    By the statistics of the file; without them, by the type.
    """
    found: set[str] = set()
    if not file.metadata.num_row_groups:
        return found
    first = file.metadata.row_group(0)
    places = {
        first.column(k).path_in_schema: k for k in range(file.metadata.num_columns)
    }
    for field in plain:
        exact = pa.types.is_decimal(field.type) and field.type.scale <= 0
        if not exact and str(field.type) not in ("int64", "uint64"):
            continue
        column = places[field.name]
        for group in range(file.metadata.num_row_groups):
            known = file.metadata.row_group(group).column(column).statistics
            told = known is not None and known.has_min_max
            if not told or max(abs(int(known.min)), abs(int(known.max))) > EXACT:
                found.add(field.name)
    return found


def _largest_group(file: Any) -> int:
    """Bytes of the largest row group: what the decoder may hold at once."""
    groups = range(file.metadata.num_row_groups)
    return max((file.metadata.row_group(g).total_byte_size for g in groups), default=0)


def _is_number(kind: Any, pa: Any) -> bool:
    types = pa.types
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_boolean(kind)
        or types.is_decimal(kind)
        or types.is_null(kind)
    )


def _numbers(array: Any, pa: Any) -> NDArray[np.float64]:
    if not pa.types.is_float64(array.type):
        if pa.types.is_boolean(array.type):
            array = array.cast(pa.uint8())
        array = array.cast(pa.float64(), safe=False)
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.float64)


def _strings(array: Any, pa: Any) -> list[str | None]:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_binary(array.type) or pa.types.is_large_binary(array.type):
        values = array.to_pylist()
        return [None if v is None else v.decode("utf-8", "replace") for v in values]
    if not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
        array = array.cast(pa.string())
    # Few different texts are made once and shared, instead of one object a row.
    encoded = array.dictionary_encode()
    words = np.array([*encoded.dictionary.to_pylist(), None], dtype=object)
    codes = encoded.indices.fill_null(len(words) - 1).to_numpy(zero_copy_only=False)
    return list(words[codes])
