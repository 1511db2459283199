"""Zip archives: what they promise is checked before anything is unpacked."""

import zipfile
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from kpca_viewer.data.files.arrays import (
    FEWER,
    ArrayInfo,
    matrix_columns,
    read_arrays,
    rows_come_first,
)
from kpca_viewer.data.files.collect import SAMPLE_REMEDY
from kpca_viewer.data.files.source import Reading, foreign, open_binary
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import byte_size

MAX_MEMBERS = 2000


def members(path: Path) -> list[str]:
    """Return the names in an archive; none if it cannot be read as one."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, UnicodeError):
        return []


def check_archive(reading: Reading, archive: zipfile.ZipFile, factor: int = 1) -> None:
    """Refuse an archive that would fill the memory: ``factor`` times its bytes."""
    infos = archive.infolist()
    unpacked = sum(max(info.file_size, 0) for info in infos)
    if len(infos) > MAX_MEMBERS:
        raise DataError(
            f"{reading.title} holds {len(infos):,} parts, which no table needs; "
            "export it as CSV."
        )
    if any(info.flag_bits & 0x1 for info in infos):
        raise DataError(
            f"{reading.title} is protected by a password; save it without one."
        )
    reading.require(factor * unpacked, "export it as Parquet or CSV and read a sample")


_BLOCK = 8 << 20
_REMEDY = "save it again with numpy.save or numpy.savez"
_SPARSE_REMEDY = "save it again with scipy.sparse.save_npz"


@dataclass(frozen=True)
class Header:
    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        return prod(self.shape) * self.dtype.itemsize


def read_npy(reading: Reading) -> list[Column]:
    with foreign(reading, "NPY file", _REMEDY), open_binary(reading.path) as file:
        header = _header(reading, file)
        _check(reading, header, reading.size - file.tell())
        _refuse_unusable(reading, header)
        header = _first_rows(reading, header)
        if reading.span is not None:
            header = _some_rows(file, header, *reading.span)
        return matrix_columns(reading, _array(reading, file, header), reading.path.stem)


def read_npz(reading: Reading) -> list[Column]:
    """Read the points, and the labels if there are any, of named arrays."""
    with (
        foreign(reading, "NPZ file", _REMEDY),
        zipfile.ZipFile(reading.path) as archive,
    ):
        check_archive(reading, archive)
        headers: dict[str, tuple[str, Header]] = {}
        for info in archive.infolist():
            if not info.filename.endswith(".npy"):
                continue
            reading.tick()
            with archive.open(info) as member:
                header = _header(reading, member)
                _check(reading, header, info.file_size - member.tell())
            headers[info.filename.removesuffix(".npy")] = info.filename, header
        if len(headers) and all(_kind(h) == "other" for _, h in headers.values()):
            _refuse_unusable(reading, next(iter(headers.values()))[1])

        if {"format", "shape", "data"} <= headers.keys():
            with foreign(reading, "sparse matrix", _SPARSE_REMEDY):
                return _read_sparse(reading, {n: h for n, (_, h) in headers.items()})
        infos = [ArrayInfo(name, h.shape, _kind(h)) for name, (_, h) in headers.items()]
        # Of a preview only the first rows are unpacked.
        first = rows_come_first(reading, infos)
        whole = first is None or any(headers[name][1].fortran for name in first[1])
        few = frozenset() if whole or first is None else first[1]

        def load(name: str) -> NDArray[Any]:
            filename, header = headers[name]
            if name in few:
                header = _first_rows(reading, header)
            with archive.open(filename) as member:
                _header(reading, member)
                return _array(reading, member, header)

        return read_arrays(reading, infos, load)


def _read_sparse(reading: Reading, headers: dict[str, Header]) -> list[Column]:
    """Read what `scipy.sparse.save_npz` has written as the matrix that it is."""
    import scipy.sparse  # which takes long to load

    _refuse_unusable(reading, headers["data"])
    if headers["shape"].shape != (2,):
        raise DataError(
            f"{reading.title} holds a sparse array that is no matrix; save one with "
            "one row per sample."
        )
    matrix = scipy.sparse.load_npz(reading.path)
    rows, width = matrix.shape
    if not rows or not width:
        raise DataError(
            f"{reading.title} holds a matrix of {rows:,} × {width:,}, which is empty; "
            "save one with one row per sample."
        )
    # Of rows and columns, whatever the format is turned into.
    reading.require(8 * (rows + width), FEWER)
    if matrix.format in ("csr", "csc", "bsr"):
        matrix.check_format(full_check=True)
    reading.total = rows
    reading.note(f"sparse: {matrix.count_nonzero():,} values are not 0")
    most = reading.options.max_rows
    if most is not None:
        matrix = matrix.tocsr()[: max(most, 1)]
    reading.require_table(matrix.shape[0], width, FEWER)
    return matrix_columns(reading, matrix.toarray(), reading.path.stem)


def _header(reading: Reading, file: IO[bytes]) -> Header:
    version = npy.read_magic(file)
    if version == (1, 0):
        shape, fortran, dtype = npy.read_array_header_1_0(file)
    elif version == (2, 0):
        shape, fortran, dtype = npy.read_array_header_2_0(file)
    else:
        raise DataError(
            f"{reading.title} is written in version {version[0]}.{version[1]} of the "
            "NPY format, which is for unusual names of fields; save plain numbers."
        )
    return Header(tuple(int(length) for length in shape), bool(fortran), dtype)


def _check(reading: Reading, header: Header, left: int) -> None:
    """Refuse an array that is larger than what follows its header."""
    if header.dtype.hasobject:
        return  # never read, whatever its size
    if not header.dtype.itemsize:
        raise DataError(
            f"{reading.title} declares values of no width, which hold nothing; "
            f"{_REMEDY}."
        )
    if min(header.shape, default=0) < 0 or header.size > left:
        raise DataError(
            f"{reading.title} declares an array of {_bytes(header.size)} but holds "
            f"only {_bytes(left)}; it was cut short, {_REMEDY}."
        )


def _bytes(size: int) -> str:
    # A cut of a few bytes would vanish in rounded sizes.
    size = max(size, 0)
    return f"{size:,} bytes" if size < 1 << 30 else byte_size(size)


def _first_rows(reading: Reading, header: Header) -> Header:
    """Return the header of a preview, where the first rows stand first."""
    most = reading.options.max_rows
    reading.total = header.shape[0]
    if most is None or header.fortran or max(most, 1) >= header.shape[0]:
        return header
    return replace(header, shape=(max(most, 1), *header.shape[1:]))


def _some_rows(file: IO[bytes], header: Header, start: int, stop: int) -> Header:
    """Go to the first of some rows, and return the header that they would have."""
    rest = header.shape[1:]
    file.seek(start * prod(rest) * header.dtype.itemsize, 1)
    return replace(header, shape=(stop - start, *rest))


def npy_header(path: Path) -> Header:
    """Return what an array says about itself, without reading it."""
    reading = Reading(path)
    with foreign(reading, "NPY file", _REMEDY), open_binary(path) as file:
        header = _header(reading, file)
        _check(reading, header, path.stat().st_size - file.tell())
        _refuse_unusable(reading, header)
        return header


def _kind(header: Header) -> Any:
    if header.dtype.kind in "fiub":
        return "number"
    return "text" if header.dtype.kind in "USMm" else "other"


def _refuse_unusable(reading: Reading, header: Header) -> None:
    if header.dtype.hasobject:
        raise DataError(
            f"{reading.title} holds pickled Python objects, which could run any "
            "program when they are read; save plain numbers with numpy.save."
        )
    if header.dtype.kind == "c":
        raise DataError(
            f"{reading.title} holds complex numbers; save real and imaginary parts as "
            "columns of their own."
        )
    if _kind(header) == "other" and not header.dtype.names:
        raise DataError(
            f"{reading.title} holds values of type {header.dtype}, not numbers; save "
            "it as float64."
        )
    if not header.shape:
        raise DataError(
            f"{reading.title} holds a single value; save an array with one row per "
            "sample."
        )


def _array(reading: Reading, file: IO[bytes], header: Header) -> NDArray[Any]:
    """Read an array in blocks; numbers arrive as float64, or as large integers."""
    number = _kind(header) == "number"
    # As many bytes as float64, and all their digits.
    whole = header.dtype.kind in "iu" and header.dtype.itemsize == 8
    target = np.dtype(np.float64) if number and not whole else header.dtype
    count = prod(header.shape)
    # A word is an object of Python once it stands in a table.
    each = target.itemsize + (0 if number else 80)
    reading.require(count * each, SAMPLE_REMEDY)
    flat = np.empty(count, dtype=target)
    step = max(1, _BLOCK // max(header.dtype.itemsize, 1))
    if header.dtype.itemsize:
        for start in range(0, count, step):
            part = flat[start : start + step]
            size = len(part) * header.dtype.itemsize
            raw = file.read(size)
            if len(raw) < size:
                raise DataError(f"{reading.title} was cut short; {_REMEDY}.")
            part[...] = np.frombuffer(raw, dtype=header.dtype)
            reading.step(min(start + step, count) / count)
    if header.fortran:
        # Stored column by column: the same numbers in the shape turned around.
        return flat.reshape(header.shape[::-1]).T
    return flat.reshape(header.shape)
