"""Arrays inside a session file: NPY, compressed, as text."""

import base64
import io
import math
import re
import zlib
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset, Kind
from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.notes import Selected
from kpca_viewer.engine.rows.row_set import MOST_ROWS, By, RowAnchor
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError, TooLargeError

Array = NDArray[Any]

LEVEL = 1
"""Measured numbers hardly compress; more effort would only take time."""

FIRST = 1024
"""Bytes that are unpacked to see the header; it has 128."""

SAMPLE = 1 << 18
"""Bytes of an array that are packed to forecast the size of all."""

HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(<f8|<i8)', 'fortran_order': False, "
    rb"'shape': \(([0-9]{1,18},|[0-9]{1,18}, [0-9]{1,18})\), \} *\n",
    re.DOTALL,
)
"""What numpy writes before one or two dimensions of plain numbers. Nothing else is
let in, so that no code of a file is ever evaluated."""


class Selection(msgspec.Struct):
    """A mask over all rows: the bits, packed from the first row on."""

    rows: int
    bits: str


class RowKeys(msgspec.Struct):
    """By what rows are found in a file that has changed."""

    hash: str
    by: By
    rows: str
    keys: str


class Embedded(msgspec.Struct):
    """A data set with its arrays as text."""

    points: str
    name: str = "data"
    kind: Kind = "points"
    labels: str | None = None
    label_names: tuple[str, ...] = ()
    feature_names: tuple[str, ...] = ()
    row_names: tuple[str, ...] | None = None
    columns: dict[str, str] = {}
    left_out: int = 0
    words: dict[str, tuple[str, ...]] = {}
    """Of the columns that hold words rather than numbers: what their codes mean."""
    filled: tuple[int, int] = (0, 0)
    scale: str | None = None
    numbers: str | None = None
    file_numbers: str | None = None
    sampled_from: int | None = None


def pack_array(array: Array) -> str:
    buffer = io.BytesIO()
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    npy.write_array(buffer, little, version=(1, 0), allow_pickle=False)
    return _to_text(buffer.getvalue())


def unpack_array(text: str, what: str) -> Array:
    """Return the array in a text of `pack_array`, or raise `DataError`."""
    stream = zlib.decompressobj()
    try:
        packed = base64.b64decode(text, validate=True)
        # The header first: a few bytes can declare terabytes.
        start = stream.decompress(packed, FIRST)
        header = HEADER.match(start)
        if header is None:
            raise DataError(f"{what} are stored in an unknown way.")
        dtype = np.dtype(header[1].decode())
        shape = tuple(int(length) for length in header[2].split(b",") if length.strip())
        size = math.prod(shape) * dtype.itemsize
        _require(size, what)
        start = start[header.end() :]
        # One byte more than declared is enough to notice that there is more.
        rest = stream.decompress(stream.unconsumed_tail, max(size - len(start), 0) + 1)
    except (ValueError, zlib.error) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{what} are damaged.") from error
    if len(start) + len(rest) != size or not stream.eof:
        raise DataError(f"{what} are damaged.")
    array = np.empty(size, dtype=np.uint8)
    array[: len(start)] = np.frombuffer(start, dtype=np.uint8)
    array[len(start) :] = np.frombuffer(rest, dtype=np.uint8)
    numbers = array.view(dtype).reshape(shape)
    return numbers.astype(dtype.newbyteorder("="), copy=False)


def pack_selection(selected: Selected) -> Selection:
    return Selection(selected.rows, _to_text(selected.bits))


def unpack_selection(packed: Selection) -> Selected | None:
    """Return the rows that `pack_selection` packed, or raise `DataError`."""
    size = -(-packed.rows // 8)
    if not 0 <= packed.rows <= MOST_ROWS:
        raise DataError("The selection is damaged.")
    _require(packed.rows + size, "The selected rows")
    stream = zlib.decompressobj()
    try:
        bits = stream.decompress(base64.b64decode(packed.bits, validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise DataError("The selection is damaged.") from error
    if len(bits) != size or not stream.eof:
        raise DataError("The selection is damaged.")
    return Selected.of(Selected(packed.rows, bits).mask())


def pack_keys(anchor: RowAnchor) -> RowKeys:
    assert anchor.rows is not None
    rows, keys = pack_array(anchor.rows), pack_array(anchor.keys)
    return RowKeys(anchor.stamp, anchor.by, rows, keys)


def unpack_keys(packed: RowKeys) -> RowAnchor:
    """Return the keys that `pack_keys` packed, or raise `DataError`."""
    rows = unpack_array(packed.rows, "The rows")
    keys = unpack_array(packed.keys, "The keys of rows")
    sound = rows.ndim == 1 and rows.shape == keys.shape
    sound = sound and rows.dtype == keys.dtype == np.int64
    if not sound or (np.diff(rows) <= 0).any() or (rows < 0).any():
        raise DataError("The keys of rows are damaged.")
    return RowAnchor(packed.hash, packed.by, keys, rows)


_packed: WeakKeyDictionary[Dataset, Embedded] = WeakKeyDictionary()
"""What was packed last: a session is written often, its data change seldom."""


def pack_dataset(dataset: Dataset) -> Embedded:
    """Return a data set with its arrays as text."""
    known = _packed.get(dataset)
    if known is not None:
        return known
    packed = Embedded(
        points=pack_array(dataset.points),
        name=dataset.name,
        kind=dataset.kind,
        labels=_packed_or_none(dataset.labels),
        label_names=dataset.label_names,
        feature_names=dataset.feature_names,
        row_names=dataset.row_names,
        columns={name: pack_array(c.values) for name, c in dataset.columns.items()},
        left_out=dataset.left_out,
        words={
            name: column.words
            for name, column in dataset.columns.items()
            if column.words is not None
        },
        filled=dataset.filled,
        scale=dataset.scale,
        numbers=_packed_or_none(dataset.numbers),
        file_numbers=_packed_or_none(dataset.file_numbers),
        sampled_from=dataset.sampled_from,
    )
    _packed.clear()
    _packed[dataset] = packed
    return packed


def _packed_or_none(array: Array | None) -> str | None:
    return None if array is None else pack_array(array)


def packed_size(dataset: Dataset) -> int:
    """Return about how many bytes a data set takes in a session file, by a sample."""
    columns = dataset.columns.values()
    arrays: list[Array] = [dataset.points, *(column.values for column in columns)]
    if dataset.labels is not None:
        arrays.append(dataset.labels)
    size = 0.0
    for array in arrays:
        flat = array.reshape(-1)
        part = flat[: SAMPLE // flat.itemsize]
        size += len(_to_text(part.tobytes())) * (len(flat) / len(part))
    texts = [dataset.row_names or (), *(column.words or () for column in columns)]
    return round(size + sum(len(name) + 3 for names in texts for name in names))


def unpack_dataset(packed: Embedded) -> Dataset:
    """Return the data set that `pack_dataset` packed, or raise `DataError`."""
    return Dataset(
        unpack_array(packed.points, "The embedded data"),
        _unpacked_or_none(packed.labels, "The embedded labels"),
        packed.label_names,
        packed.feature_names,
        packed.row_names,
        {name: _unpack_column(packed, name) for name in packed.columns},
        packed.kind,
        packed.name,
        packed.left_out,
        packed.filled,
        packed.scale,
        _unpacked_or_none(packed.numbers, "The numbers of rows"),
        file_numbers=_unpacked_or_none(packed.file_numbers, "The numbers of rows"),
        sampled_from=packed.sampled_from,
    )


def _unpacked_or_none(text: str | None, what: str) -> Array | None:
    return None if text is None else unpack_array(text, what)


def _unpack_column(packed: Embedded, name: str) -> MetaColumn:
    what = f"The embedded values of “{name}”"
    values, words = unpack_array(packed.columns[name], what), packed.words.get(name)
    if values.dtype.kind != ("f" if words is None else "i"):
        raise DataError(f"{what} are of another kind than they say.")
    return MetaColumn(values, words)


def _to_text(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, LEVEL)).decode("ascii")


def _require(size: int, what: str) -> None:
    try:
        memory.require(size, what, "open the session on a machine with more memory")
    except TooLargeError as error:
        raise DataError(str(error)) from None
