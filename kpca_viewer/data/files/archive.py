"""Zip archives: what they promise is checked before anything is unpacked."""

import zipfile
from pathlib import Path
from typing import Any, BinaryIO

from kpca_viewer.data.files.source import Reading
from kpca_viewer.support.errors import DataError

MAX_MEMBERS = 2000


def members(path: Path) -> list[str]:
    """Return the names in an archive; none if it cannot be read as one."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, UnicodeError):
        return []


class PatientArchive(zipfile.ZipFile):
    """An archive whose members can be given up while a library reads them."""

    def __init__(self, reading: Reading, file: BinaryIO) -> None:
        super().__init__(file)
        self._reading = reading

    def open(self, *args: Any, **options: Any) -> Any:
        """Open a member that asks now and then whether to go on."""
        member: Any = super().open(*args, **options)
        read = member.read

        def patient(count: int | None = -1) -> bytes:
            self._reading.tick()
            content: bytes = read(count)
            return content

        member.read = patient
        return member


def check_archive(reading: Reading, archive: zipfile.ZipFile, factor: int = 1) -> None:
    """Refuse an archive that would fill the memory when it is unpacked.

    Parameters
    ----------
    factor : int
        Bytes in memory for each byte that is unpacked.
    """
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
