"""The file of a session, and whether it is still the one that is known here."""

import os
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kpca_viewer.support.errors import ExportError


class ChangedFileError(ExportError):
    """Somebody else has written the file since; it was left as it is."""


class Stamp(msgspec.Struct, frozen=True):
    """What tells one content of a file from the next without reading it.

    Attributes
    ----------
    modified : int
        In nanoseconds.
    size : int
        In bytes.
    inode : int
        Another one for every file that is written as a whole.
    """

    modified: int
    size: int
    inode: int = 0

    @classmethod
    def of(cls, found: os.stat_result) -> "Stamp":
        """Return the stamp of a file that was looked at."""
        return cls(found.st_mtime_ns, found.st_size, found.st_ino)


@dataclass(frozen=True)
class SessionFile:
    """Where a session is kept by the person.

    Attributes
    ----------
    path : Path
    stamp : Stamp or None
        Of the content that is known; None where none is.
    """

    path: Path
    stamp: Stamp | None = None


def stamp_of(path: str | os.PathLike[str]) -> Stamp | None:
    """Return the stamp of a file; None where there is none."""
    try:
        return Stamp.of(os.stat(path))
    except (OSError, ValueError):
        return None


def refuse_changed(path: Path, known: Stamp | None) -> None:
    """Raise a `ChangedFileError` if a file is not the one that is known.

    One that is gone can be written again: nothing is lost.
    """
    present = stamp_of(path)
    if None not in (present, known) and present != known:
        raise ChangedFileError(
            f"“{path.name}” was changed by another program since it was opened here; "
            "it was not replaced."
        )
