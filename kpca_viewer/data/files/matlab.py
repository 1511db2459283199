"""MATLAB files of version 5 to 7: variables that are arrays.

Read here and not by scipy.io, whose reader can bring down the whole process when a
file is damaged; every length is compared with what is there before it is believed.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.arrays import ArrayInfo, read_arrays
from kpca_viewer.data.files.collect import SAMPLE_REMEDY
from kpca_viewer.data.files.matlab_elements import (
    CELL,
    CHAR,
    COMPRESSED,
    MATRIX,
    NUMBERS,
    SPARSE,
    Damaged,
    Element,
    Elements,
    MatrixHeader,
    chars,
    matrix_header,
    numbers,
    sparse,
)
from kpca_viewer.data.files.source import Reading, foreign, open_binary
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError

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


def refuse_version(reading: Reading, version: str) -> DataError:
    """Return the error for a version of the format that is not read."""
    return DataError(
        f"{reading.title} is a MATLAB {version} file, which is not supported; "
        f"{_REMEDY} or export it as CSV."
    )


def read_matlab(reading: Reading, size: int) -> list[Column]:
    """Read the points, and the labels if there are any, of named variables."""
    with foreign(reading, "MATLAB file", _REMEDY), open_binary(reading.path) as file:
        start = file.read(_FILE_HEADER)
        order = {b"IM": "<", b"MI": ">"}.get(start[126:128])
        if order is None:
            raise refuse_version(reading, "4")
        variables = {
            variable.header.name: variable
            for variable in _variables(reading, file, size, order)
            if variable.header.name
        }

        def load(name: str) -> NDArray[Any]:
            return _load(reading, file, variables[name], order)

        infos = [
            ArrayInfo(name, variable.header.shape, _kind(variable.header))
            for name, variable in variables.items()
        ]
        return read_arrays(reading, infos, load)


def _variables(
    reading: Reading, file: BinaryIO, size: int, order: str
) -> Iterator[_Variable]:
    """Return what the file says about its variables, without reading their values."""
    offset = _FILE_HEADER
    while offset + 8 <= size:
        reading.tick()
        file.seek(offset)
        kind, length = np.frombuffer(file.read(8), dtype=f"{order}u4")
        body = offset + 8
        if body + int(length) > size:
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
    """Return a cell array of words."""
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
