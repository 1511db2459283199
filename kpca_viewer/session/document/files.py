"""Session files: ``.kpca``, JSON, typed, versioned, written atomically."""

import hashlib
import os
from pathlib import Path
from typing import Literal

from kpca_viewer.session.document.format import VERSION, from_bytes, to_bytes
from kpca_viewer.session.document.model import Document, FileReference
from kpca_viewer.session.document.session_file import Stamp, refuse_changed
from kpca_viewer.support import memory
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, TooLargeError

__all__ = [
    "SUFFIX",
    "VERSION",
    "Document",
    "FileReference",
    "FileState",
    "file_state",
    "from_bytes",
    "load",
    "preset",
    "save",
    "to_bytes",
]

SUFFIX = ".kpca"

FileState = Literal["same", "changed", "missing"]

_COPIES = 6
"""How often the content of a file is in memory at once while it is read."""

_BLOCK = 4 << 20


def save(
    document: Document, path: str | os.PathLike[str], *, known: Stamp | None = None
) -> Stamp:
    """Write a document; the file is always the old or the new one, never a half.

    Parameters
    ----------
    document : Document
    path : path
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


def preset(document: Document) -> Document:
    """Return a way to look at any data: the document without its data."""
    return document.as_preset()


def file_state(file: FileReference) -> FileState:
    """Say whether the data are still those with which the session was saved.

    Reads the whole file, a second for a gigabyte or two.
    """
    digest = hashlib.sha256()
    try:
        with open(file.path, "rb") as content:
            while block := content.read(_BLOCK):
                digest.update(block)
    except OSError:
        return "missing"
    return "same" if digest.hexdigest() == file.content_hash else "changed"


def _content(path: Path, title: str) -> bytes:
    """Return the bytes of a file that may be a session, and nothing else's."""
    try:
        if path.exists() and not path.is_file():
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
