"""MATLAB files: their elements, and the matrices that they hold."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, BinaryIO, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.arrays import ArrayInfo, read_arrays
from kpca_viewer.data.files.collect import SAMPLE_REMEDY
from kpca_viewer.data.files.source import Reading, foreign, open_binary
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError

MATRIX, COMPRESSED = 14, 15

CELL, CHAR, SPARSE = 1, 4, 5
NUMBERS = frozenset(range(6, 16))
"""Classes of full arrays: double, single, and integers of every size."""

_COMPLEX = 0x0800

_TYPES = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
}
_TEXT = {1: "utf-8", 2: "utf-8", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}


class Damaged(Exception):
    """The bytes contradict themselves; the caller knows the file's name."""


@dataclass(frozen=True)
class Element:
    kind: int
    data: bytes
    order: str

    def array(self) -> NDArray[Any]:
        code = _TYPES.get(self.kind)
        if code is None:
            raise Damaged(f"no numbers but type {self.kind}")
        dtype = np.dtype(f"{self.order}{code}")
        if len(self.data) % dtype.itemsize:
            raise Damaged("half a number at the end")
        return np.frombuffer(self.data, dtype=dtype)

    def text(self) -> str:
        encoding = _TEXT.get(self.kind)
        if encoding is None:
            raise Damaged(f"no text but type {self.kind}")
        if encoding != "utf-8":
            encoding += "-le" if self.order == "<" else "-be"
        return self.data.decode(encoding, "replace")


class Elements:
    """Elements one after the other in a piece of memory."""

    def __init__(self, data: bytes, order: str) -> None:
        self._data = data
        self._order = order
        self._at = 0

    def next(self) -> Element:
        """Return the next element; `Damaged` if it is longer than what is left."""
        tag = self._take(8)
        first, length = (int(word) for word in np.frombuffer(tag, f"{self._order}u4"))
        if first >> 16:
            # Up to four bytes of data fit into the tag itself.
            kind, length = first & 0xFFFF, first >> 16
            if length > 4:
                raise Damaged("a short element is too long")
            return Element(kind, tag[4 : 4 + length], self._order)
        data = self._take(length)
        self._at = min(self._at + -length % 8, len(self._data))
        return Element(first, data, self._order)

    def _take(self, length: int) -> bytes:
        end = self._at + length
        if end > len(self._data):
            raise Damaged("an element is cut short")
        taken = self._data[self._at : end]
        self._at = end
        return taken


@dataclass(frozen=True)
class MatrixHeader:
    name: str
    shape: tuple[int, ...]
    kind: int
    complex: bool


def matrix_header(elements: Elements) -> MatrixHeader:
    """Read what stands before the values of a variable."""
    flags = elements.next().array()
    shape = tuple(int(length) for length in elements.next().array())
    name = elements.next().text()
    if not len(flags) or min(shape, default=-1) < 0 or len(shape) > 32:
        raise Damaged("a variable without a shape")
    word = int(flags[0])
    return MatrixHeader(name, shape, word & 0xFF, bool(word & _COMPLEX))


def numbers(element: Element, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the values of a full array; MATLAB stores them column by column.

    As float64, or as integers of 64 bits, which have more digits.
    """
    values = element.array()
    if values.size != prod(shape):
        raise Damaged("not as many values as the shape needs")
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        values = values.astype(np.float64)
    return values.astype(values.dtype.newbyteorder("=")).reshape(shape, order="F")


def chars(elements: Elements, header: MatrixHeader) -> list[str]:
    text = elements.next().text() if prod(header.shape) else ""
    rows = header.shape[0] if prod(header.shape) else 0
    width = prod(header.shape[1:])
    if len(text) < rows * width:
        raise Damaged("not as many characters as the shape needs")
    return [text[row : rows * width : rows].rstrip() for row in range(rows)]


def sparse(elements: Elements, header: MatrixHeader) -> NDArray[np.float64]:
    rows = elements.next().array().astype(np.int64)
    starts = elements.next().array().astype(np.int64)
    values = elements.next().array().astype(np.float64)
    if len(header.shape) != 2 or len(starts) != header.shape[1] + 1:
        raise Damaged("a sparse matrix without columns")
    counts = np.diff(starts)
    count = int(starts[-1])
    if starts[0] != 0 or counts.min(initial=0) < 0 or count > len(rows):
        raise Damaged("columns of a sparse matrix out of order")
    if count > len(values):
        raise Damaged("not as many values as a sparse matrix needs")
    if count and not 0 <= rows[:count].min() <= rows[:count].max() < header.shape[0]:
        raise Damaged("rows of a sparse matrix outside of it")
    matrix = np.zeros(header.shape)
    matrix[rows[:count], np.repeat(np.arange(header.shape[1]), counts)] = values[:count]
    return matrix


# MATLAB files of version 5 to 7: variables that are arrays.
#
# Read here and not by scipy.io, whose reader can bring down the whole process when a
# file is damaged; every length is compared with what is there before it is believed.

_REMEDY = "save it again in MATLAB with save(…, '-v7')"
_FILE_HEADER = 128
_HEAD = 4096
"""Bytes of a variable that hold its type, shape and name."""


@dataclass(frozen=True)
class _Variable:
    header: MatrixHeader
    offset: int
    size: int
    packed: bool


def refuse_version(reading: Reading, version: str) -> NoReturn:
    raise DataError(
        f"{reading.title} is a MATLAB {version} file, which is not supported; "
        f"{_REMEDY} or export it as CSV."
    )


def read_matlab(reading: Reading) -> list[Column]:
    """Read the points, and the labels if there are any, of named variables."""
    with foreign(reading, "MATLAB file", _REMEDY), open_binary(reading.path) as file:
        start = file.read(_FILE_HEADER)
        order = {b"IM": "<", b"MI": ">"}.get(start[126:128])
        if order is None:
            refuse_version(reading, "4")
        variables = {
            variable.header.name: variable
            for variable in _variables(reading, file, order)
            if variable.header.name
        }

        def load(name: str) -> NDArray[Any]:
            return _load(reading, file, variables[name], order)

        infos = [
            ArrayInfo(name, variable.header.shape, _kind(variable.header))
            for name, variable in variables.items()
        ]
        return read_arrays(reading, infos, load)


def _variables(reading: Reading, file: BinaryIO, order: str) -> Iterator[_Variable]:
    """Return what the file says about its variables, without reading their values."""
    offset = _FILE_HEADER
    while offset + 8 <= reading.size:
        reading.tick()
        file.seek(offset)
        kind, length = np.frombuffer(file.read(8), dtype=f"{order}u4")
        body = offset + 8
        if body + int(length) > reading.size:
            raise Damaged("a variable is longer than the file")
        if kind in (MATRIX, COMPRESSED):
            packed = bool(kind == COMPRESSED)
            head = file.read(min(int(length), _HEAD))
            if packed:
                head = zlib.decompressobj().decompress(head, _HEAD)[8:]
            header = matrix_header(Elements(head, order))
            yield _Variable(header, body, int(length), packed)
        # Plain elements end at a multiple of eight bytes; packed ones do not.
        padding = 0 if kind == COMPRESSED else -int(length) % 8
        offset = body + int(length) + padding


def _load(
    reading: Reading, file: BinaryIO, variable: _Variable, order: str
) -> NDArray[Any]:
    header = variable.header
    if header.complex:
        raise DataError(
            f"The variable “{header.name}” of {reading.title} is complex; save its "
            "real and imaginary parts as columns of their own."
        )
    reading.require(16 * prod(header.shape), SAMPLE_REMEDY)
    reading.step(None)
    file.seek(variable.offset)
    body = file.read(variable.size)
    if variable.packed:
        body = _unpacked(reading, body, order)
    elements = Elements(body, order)
    matrix_header(elements)
    if header.kind == SPARSE:
        return sparse(elements, header)
    if header.kind == CHAR:
        return np.array(chars(elements, header))
    if header.kind == CELL:
        return _words(reading, elements, header, order)
    return numbers(elements.next(), header.shape)


def _unpacked(reading: Reading, packed: bytes, order: str) -> bytes:
    """Unpack a variable, as far as it says itself that it goes."""
    unpacker = zlib.decompressobj()
    tag = unpacker.decompress(packed, 8)
    if len(tag) < 8:
        raise Damaged("a variable is cut short")
    length = int(np.frombuffer(tag, dtype=f"{order}u4")[1])
    reading.require(2 * length, SAMPLE_REMEDY)
    body = unpacker.decompress(unpacker.unconsumed_tail, length) if length else b""
    if len(body) < length:
        raise Damaged("a variable is cut short")
    return body


def _words(
    reading: Reading, elements: Elements, header: MatrixHeader, order: str
) -> NDArray[Any]:
    words: list[str] = []
    for _ in range(prod(header.shape)):
        reading.tick()
        cell: Element = elements.next()
        inner = Elements(cell.data, order)
        # An empty cell has no header of its own.
        described = matrix_header(inner) if len(cell.data) else None
        if cell.kind != MATRIX or (described and described.kind != CHAR):
            raise DataError(
                f"The variable “{header.name}” of {reading.title} holds something "
                "other than words; choose another one."
            )
        words.append("".join(chars(inner, described)) if described else "")
    return np.array(words)


def _kind(header: MatrixHeader) -> Literal["number", "text", "other"]:
    if header.kind in NUMBERS or header.kind == SPARSE:
        return "number"
    return "text" if header.kind in (CHAR, CELL) else "other"
