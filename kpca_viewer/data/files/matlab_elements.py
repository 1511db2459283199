"""The building blocks of a MATLAB file: tagged elements inside of elements."""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    """One tagged piece of data."""

    kind: int
    data: bytes
    order: str

    def array(self) -> NDArray[Any]:
        """Return the data as the numbers that the tag declares."""
        code = _TYPES.get(self.kind)
        if code is None:
            raise Damaged(f"no numbers but type {self.kind}")
        dtype = np.dtype(f"{self.order}{code}")
        if len(self.data) % dtype.itemsize:
            raise Damaged("half a number at the end")
        return np.frombuffer(self.data, dtype=dtype)

    def text(self) -> str:
        """Return the data as characters."""
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
        """Return the next element.

        Raises
        ------
        Damaged
            If it is longer than what is left.
        """
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
    """Type, shape and name of a variable."""

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
    """Return the rows of an array of characters."""
    text = elements.next().text() if prod(header.shape) else ""
    rows = header.shape[0] if prod(header.shape) else 0
    width = prod(header.shape[1:])
    if len(text) < rows * width:
        raise Damaged("not as many characters as the shape needs")
    return [text[row : rows * width : rows].rstrip() for row in range(rows)]


def sparse(elements: Elements, header: MatrixHeader) -> NDArray[np.float64]:
    """Return a sparse matrix with its zeros filled in."""
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
