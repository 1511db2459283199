"""Session files: ``.kpca``, written atomically, and never over another program's."""

import os
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.support import memory, paths
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, ExportError, TooLargeError

SUFFIX = ".kpca"

_COPIES = 6
"""How often the content of a file is in memory at once while it is read."""


class ChangedFileError(ExportError):
    """Somebody else has written the file since; it was left as it is."""


class Stamp(msgspec.Struct, frozen=True):
    """What tells one content of a file from the next without reading it."""

    modified: int
    """In nanoseconds."""
    size: int
    """In bytes."""
    inode: int = 0
    """Another one for every file that is written as a whole."""

    @classmethod
    def of(cls, found: os.stat_result) -> "Stamp":
        """Return the stamp of a file that was looked at."""
        return cls(found.st_mtime_ns, found.st_size, found.st_ino)


@dataclass(frozen=True)
class SessionFile:
    """Where a session is kept by the person."""

    path: Path
    stamp: Stamp | None = None
    """Of the content that is known; None where none is."""


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


def save(
    document: Document, path: str | os.PathLike[str], *, known: Stamp | None = None
) -> Stamp:
    """Write a document; the file is always the old or the new one, never a half.

    Parameters
    ----------
    known : Stamp, optional
        Of the only content that may be replaced.

    Returns
    -------
    Stamp
        Of what was written.

    Raises
    ------
    ChangedFileError
        If there is another content by now.
    KpcaError
        If it cannot be written; an old file is then as it was.
    """
    folder = Path(os.path.abspath(path)).parent
    content = to_bytes(document, folder)
    refuse_changed(Path(path), known)
    return Stamp.of(write_atomically(path, content))


def load(path: str | os.PathLike[str]) -> Document:
    """Read a document.

    Raises
    ------
    DataError
        If the file cannot be read, is no session, or is one of a newer version.
    """
    path = Path(path)
    title = f"“{path.name or path}”"
    content = _content(path, title)
    return from_bytes(content, Path(os.path.abspath(path)).parent, title)


def _content(path: Path, title: str) -> bytes:
    """Return the bytes of a file that may be a session, and nothing else's."""
    try:
        if paths.exists(path) and not paths.is_file(path):
            raise DataError(f"{title} is a folder or a device; choose a .kpca file.")
        with open(path, "rb") as file:
            start = file.read(64)
            # Seen before gigabytes of something else are read.
            if not start.lstrip(b" \t\r\n").startswith(b"{"):
                raise DataError(
                    f"{title} is not a session of kpca_viewer; choose a .kpca file."
                )
            memory.require(
                _COPIES * os.fstat(file.fileno()).st_size,
                title,
                "open it on a machine with more memory",
            )
            return start + file.read()
    except FileNotFoundError as error:
        raise DataError(
            f"{title} does not exist; check the name and the folder."
        ) from error
    except PermissionError as error:
        raise DataError(
            f"{title} may not be read; change its permissions or open a copy."
        ) from error
    except TooLargeError as error:
        raise DataError(str(error)) from error
    except (OSError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise DataError(
            f"{title} could not be read ({reason}); copy it to this computer and open "
            "the copy."
        ) from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{str(path)!r} is not a file name; choose another.") from (
            error
        )
