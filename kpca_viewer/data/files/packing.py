"""Files around a table: compressed ones are unpacked, Feather becomes Parquet.

Readers see an ordinary file in a folder that goes when they are done. Limits hold
before and while it is written: a small file may declare any size.
"""

import bz2
import gzip
import lzma
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpca_viewer.data.files.source import (
    HARMLESS,
    Reading,
    fingerprint,
    foreign,
    open_binary,
    system_errors,
)
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import byte_size

LARGEST_RATIO = 200
"""Beyond `HARMLESS`, no text table is packed so tightly; traps are."""

BLOCK = 1 << 20
FREE = 256 << 20
"""Bytes of the disk that are left alone."""

_REMEDY = "get it again, or unpack it and open the table inside"

ENDINGS = ("gz", "bz2", "xz", "zst", "zip")
"""Of compressed files, behind that of the table."""


@dataclass(frozen=True)
class Packing:
    """One way in which a table is packed."""

    title: str
    magic: bytes


FEATHER, ARROW = "Feather", "Arrow stream"

PACKINGS = {
    "gzip": Packing("gzip", b"\x1f\x8b"),
    "bzip2": Packing("bzip2", b"BZh"),
    "xz": Packing("xz", b"\xfd7zXZ"),
    "zstd": Packing("zstd", b"\x28\xb5\x2f\xfd"),
    "feather": Packing(FEATHER, b"ARROW1"),
    "arrow": Packing(ARROW, b"\xff\xff\xff\xff"),
    "zip": Packing("zip", b"PK\x03\x04"),
}


def packing_of(reading: Reading) -> str:
    """Return the key of the packing of a file; empty where it is none."""
    with open_binary(reading.path) as file:
        head = file.read(8)
    for key, packing in PACKINGS.items():
        if head.startswith(packing.magic):
            return key if key != "zip" or _is_archive(reading) else ""
    return ""


@contextmanager
def unpacked(reading: Reading) -> Iterator[tuple[Path, str]]:
    """Yield the file to read, itself if it was not packed, and how it was packed."""
    with system_errors(reading.path):
        reading.before = fingerprint(reading.path)
        key = packing_of(reading)
    if not key:
        yield reading.path, ""
        return
    with tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder:
        with system_errors(reading.path):
            if key in ("feather", "arrow"):
                inner = Path(folder) / f"{reading.path.stem}.parquet"
                _convert(reading, inner, streamed=key == "arrow")
            else:
                inner = Path(folder) / _inner_name(reading, key)
                _unpack(reading, key, inner)
        yield inner, PACKINGS[key].title


def _inner_name(reading: Reading, key: str) -> str:
    name = reading.path.name
    if key == "zip":
        return Path(_member(reading).filename).name or "table"
    stem = reading.path.stem if reading.path.suffix[1:].lower() in ENDINGS else name
    return stem or "table"


def _is_archive(reading: Reading) -> bool:
    """Whether a zip is around a table, and no format of its own."""
    try:
        with zipfile.ZipFile(reading.path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return False
    workbook = any(name.startswith("xl/") or name == "mimetype" for name in names)
    return not workbook and not all(name.endswith(".npy") for name in names)


def _member(reading: Reading) -> zipfile.ZipInfo:
    """Return the only table of an archive."""
    with zipfile.ZipFile(reading.path) as archive:
        files = [
            info
            for info in archive.infolist()
            if not info.is_dir() and not info.filename.startswith("__MACOSX/")
        ]
    if len(files) != 1:
        raise DataError(
            f"{reading.title} holds {len(files):,} files, and one table is read from "
            "an archive; unpack it and open the one that you need."
        )
    return files[0]


def _unpack(reading: Reading, key: str, target: Path) -> None:
    """Write the content of a packed file; stop where it is more than any table's."""
    most = max(HARMLESS, LARGEST_RATIO * reading.size)
    most = min(most, shutil.disk_usage(target.parent).free - FREE)
    done = 0
    with (
        foreign(reading, f"{PACKINGS[key].title} file", _REMEDY),
        open_binary(reading.path) as file,
        _stream(reading, key, file) as content,
        target.open("wb") as out,
    ):
        while block := content.read(BLOCK):
            done += len(block)
            if done > most:
                raise DataError(
                    f"{reading.title} of {byte_size(reading.size)} unpacks to more "
                    f"than {byte_size(most)}; unpack it and open a part of it."
                )
            out.write(block)
            reading.step(min(file.tell() / reading.size, 1.0), "unpacking")
    if not done:
        raise DataError(f"{reading.title} holds an empty file; {_REMEDY}.")


@contextmanager
def _stream(reading: Reading, key: str, file: Any) -> Iterator[Any]:
    if key == "gzip":
        with gzip.GzipFile(fileobj=file) as content:
            yield content
    elif key == "bzip2":
        with bz2.BZ2File(file) as content:
            yield content
    elif key == "xz":
        with lzma.LZMAFile(file) as content:
            yield content
    elif key == "zstd":
        import pyarrow as pa  # which takes long to load

        yield pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")
    else:
        member = _member(reading)
        if member.flag_bits & 1:
            raise DataError(
                f"{reading.title} is protected by a password; unpack it and open the "
                "table inside."
            )
        with zipfile.ZipFile(file) as archive, archive.open(member) as content:
            yield content


def _convert(reading: Reading, target: Path, *, streamed: bool) -> None:
    """Write a Feather file or a stream of Arrow as Parquet, batch by batch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    remedy = "write it again, or export it as Parquet or CSV"
    most = max(HARMLESS, LARGEST_RATIO * reading.size)
    with (
        foreign(reading, "Feather file", remedy),
        pa.OSFile(str(reading.path)) as source,
    ):
        stream = pa.ipc.open_stream if streamed else pa.ipc.open_file
        file = stream(source)
        batches = (
            file if streamed else map(file.get_batch, range(file.num_record_batches))
        )
        done = 0
        with pq.ParquetWriter(target, file.schema) as writer:
            for batch in batches:
                done += batch.nbytes
                if done > most:
                    raise DataError(
                        f"{reading.title} of {byte_size(reading.size)} holds more "
                        f"than {byte_size(most)}, which no table does; {remedy}."
                    )
                writer.write_batch(batch)
                reading.step(min(source.tell() / reading.size, 1.0), "unpacking")
