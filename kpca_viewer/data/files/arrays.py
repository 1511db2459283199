"""Files of named arrays: which one holds the points, which one the labels."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.cells import (
    EXACT,
    CellRules,
    block_columns,
    object_array,
    whole_column,
)
from kpca_viewer.data.files.collect import SAMPLE_REMEDY
from kpca_viewer.data.files.headers import default_names, unique_names
from kpca_viewer.data.files.source import Reading
from kpca_viewer.data.table import Column, IntArray, free_name, listed
from kpca_viewer.support.errors import DataError

POINT_NAMES = ("x", "data", "points", "features", "samples", "x_train", "embeddings")
FEWER = "save fewer of its rows and columns"
"""What helps where a sparse matrix takes too much as a table."""

LABEL_NAMES = ("y", "target", "targets", "label", "labels", "class", "y_train")


@dataclass(frozen=True)
class ArrayInfo:
    """What a file says about one of its arrays, before it is read."""

    name: str
    shape: tuple[int, ...]
    kind: Literal["number", "text", "other"]

    @property
    def flat(self) -> bool:
        return len(self.shape) == 1 or (len(self.shape) == 2 and 1 in self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    def __str__(self) -> str:
        return f"{self.name} ({' × '.join(map(str, self.shape))})"


Load = Callable[[str], NDArray[Any]]


def read_arrays(
    reading: Reading, infos: Sequence[ArrayInfo], load: Load
) -> list[Column]:
    """Return the arrays of a file that the option ``arrays`` names, as columns."""
    usable = {info.name: info for info in infos if _usable(info)}
    if not usable:
        raise DataError(
            f"{reading.title} holds no array of numbers; save one with one row "
            "per sample."
        )
    wanted = reading.options.arrays
    for name in wanted or ():
        if name not in usable:
            raise DataError(
                f"{reading.title} has no usable array “{name}”; choose "
                f"{listed(usable)}."
            )
    points, others = _wanted(usable, wanted) if wanted else _guessed(usable)
    reading.chosen = (points.name, *(info.name for info in others))
    if len(infos) > 1:
        reading.parts = tuple(usable)
        reading.note("arrays " + ", ".join(map(str, (points, *others))))
    matrix = load(points.name)
    names = _feature_names(infos, load, matrix.shape)
    if points.flat and others:
        matrix, names = np.ravel(matrix), [points.name]
    columns = matrix_columns(reading, matrix, points.name, names, others)
    kept = reading.row_numbers
    reading.require_table(columns[0].n, len(others) + len(columns), SAMPLE_REMEDY)
    for info in others:
        reading.tick()
        values = np.ravel(load(info.name))
        if len(values) < columns[0].n or (kept is None and len(values) > columns[0].n):
            raise DataError(
                f"The array “{info.name}” has {len(values):,} values for "
                f"{columns[0].n:,} rows of “{points.name}”; choose others."
            )
        if kept is not None:
            values = values[np.minimum(kept, len(values)) - 1]
        columns.append(_side_column(info, values, infos, load))
    taken: dict[str, Column] = {}
    for column in columns:
        name = free_name(column.name, taken)
        taken[name] = column if name == column.name else replace(column, name=name)
    return list(taken.values())


def rows_come_first(
    reading: Reading, infos: Sequence[ArrayInfo]
) -> tuple[int, frozenset[str]] | None:
    """Return the rows of a table and its arrays, if each of them begins with its rows.

    None where one of them is turned, or does not fit: then all of it has to be read.
    """
    usable = {info.name: info for info in infos if _usable(info)}
    wanted = reading.options.arrays
    if not usable or not all(name in usable for name in wanted or ()):
        return None
    points, others = _wanted(usable, wanted) if wanted else _guessed(usable)
    rows = points.shape[0]
    if any(info.shape[0] != rows or info.size != rows for info in others):
        return None
    return rows, frozenset(info.name for info in (points, *others))


def matrix_columns(
    reading: Reading,
    matrix: NDArray[Any],
    name: str,
    names: Sequence[str] | None = None,
    others: Sequence[ArrayInfo] = (),
) -> list[Column]:
    """Return the columns of an array with one row per sample."""
    if matrix.dtype.names:
        return _field_columns(reading, matrix)
    if matrix.ndim > 2:
        reading.note(f"{' × '.join(map(str, matrix.shape[1:]))} values a row, in line")
        matrix = matrix.reshape(len(matrix), -1)
    if matrix.ndim == 1:
        matrix = matrix[:, None]
    lengths = {info.size for info in others}
    if lengths and len(matrix) not in lengths and lengths == {matrix.shape[1]}:
        reading.note("columns are samples: turned")
        matrix = matrix.T
    if matrix.size == 0:
        raise DataError(
            f"The array “{name}” of {reading.title} is empty; save one with one row "
            "per sample."
        )
    rows = reading.chosen_rows(len(matrix))
    if rows is not None:
        matrix = matrix[rows]
    given = names if names and len(names) == matrix.shape[1] else None
    shown = unique_names(given, reading) if given else default_names(matrix.shape[1])
    if (
        matrix.dtype.kind in "iu"
        and max(-int(matrix.min()), int(matrix.max())) >= EXACT
    ):
        return [whole_column(shown[j], matrix[:, j]) for j in range(matrix.shape[1])]
    if matrix.dtype.kind in "fiub":
        reading.require(8 * matrix.size, SAMPLE_REMEDY)
        block = np.ascontiguousarray(matrix, dtype=np.float64)
        return block_columns(shown, block.copy() if block is matrix else block)
    return [array_column(shown[j], matrix[:, j]) for j in range(matrix.shape[1])]


def _usable(info: ArrayInfo) -> bool:
    return info.kind != "other" and len(info.shape) >= 1 and info.size > 0


def _wanted(
    usable: Mapping[str, ArrayInfo], wanted: Sequence[str]
) -> tuple[ArrayInfo, list[ArrayInfo]]:
    first, *rest = (usable[name] for name in dict.fromkeys(wanted))
    return first, rest


def _guessed(usable: Mapping[str, ArrayInfo]) -> tuple[ArrayInfo, list[ArrayInfo]]:
    """Return the points and the labels by their names, else by their shapes."""
    matrices = [i for i in usable.values() if not i.flat and i.kind == "number"]
    if not matrices:
        return _side_by_side(usable)
    named = [i for i in matrices if i.name.lower() in POINT_NAMES]
    points = max(named or matrices, key=lambda info: info.size)
    fitting = [
        info
        for info in usable.values()
        if info.flat and info.size in points.shape[:2] and info.size > 1
    ]
    labels = [info for info in fitting if info.name.lower() in LABEL_NAMES]
    return points, labels[:1] or [
        info for info in fitting if info.size == points.shape[0] and len(fitting) == 1
    ]


def _side_by_side(usable: Mapping[str, ArrayInfo]) -> tuple[ArrayInfo, list[ArrayInfo]]:
    """Return arrays of one value a row: the most frequent length makes the table."""
    counts = Counter(info.size for info in usable.values())
    common = max(counts, key=lambda size: (counts[size], size))
    first, *rest = (i for i in usable.values() if i.size == common)
    return first, rest


def _feature_names(
    infos: Sequence[ArrayInfo], load: Load, shape: tuple[int, ...]
) -> list[str] | None:
    for info in infos:
        if info.name.lower() in ("feature_names", "columns") and info.kind == "text":
            names = words(load(info.name))
            if len(shape) == 2 and len(names) == shape[1]:
                return names
    return None


def _side_column(
    info: ArrayInfo, values: NDArray[Any], infos: Sequence[ArrayInfo], load: Load
) -> Column:
    column = array_column(info.name, values)
    if column.kind == "text" or not column.whole or column.missing:
        return column
    # scikit-learn's own sets keep the names of the classes beside their codes.
    for other in infos:
        if other.name.lower() in ("target_names", "label_names", "class_names"):
            classes = words(load(other.name))
            codes = column.values.astype(np.int64)
            if other.kind == "text" and 0 <= codes.min() <= codes.max() < len(classes):
                texts: list[str | None] = [classes[code] for code in codes]
                return Column(info.name, object_array(texts), "text")
    return column


def _field_columns(reading: Reading, records: NDArray[Any]) -> list[Column]:
    records = np.ravel(records)
    rows: IntArray | None = reading.chosen_rows(len(records))
    if rows is not None:
        records = records[rows]
    given = records.dtype.names or ()
    names = unique_names(given, reading)
    fields = [records[name] for name in given]
    plain = [
        (name, values)
        for name, values in zip(names, fields, strict=True)
        if values.ndim == 1 and values.dtype.kind in "fiubUSMm"
    ]
    if not plain or not len(records):
        raise DataError(
            f"{reading.title} holds no field with single values; save plain columns."
        )
    return [array_column(name, values) for name, values in plain]


def array_column(name: str, values: NDArray[Any]) -> Column:
    if values.dtype.kind in "iu":
        return whole_column(name, values)
    if values.dtype.kind in "fb":
        return Column(name, values.astype(np.float64))
    rules = CellRules()
    return Column(name, object_array([rules.text(w) for w in words(values)]), "text")


def words(values: NDArray[Any]) -> list[str]:
    """Return an array of words, dates or bytes as a list of text.

    numpy lets characters through that do not exist, and Python's own functions fail
    on them in strange ways; they become the sign for an unknown one.
    """
    values = np.ravel(values)
    if values.dtype.kind == "S":
        return [bytes(value).decode("utf-8", "replace") for value in values]
    if values.dtype.kind == "U" and values.dtype.itemsize:
        values = values.astype(values.dtype.newbyteorder("="))
        codes = values.view(np.uint32)
        codes[(codes > 0x10FFFF) | ((codes >= 0xD800) & (codes <= 0xDFFF))] = 0xFFFD
    return [str(value) for value in values]
