"""Session files, written atomically, and opening them again."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import msgspec
import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.reading import read_source
from kpca_viewer.data.table import Table
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document, FileReference
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sources import Source, Sources
from kpca_viewer.engine.views import Views
from kpca_viewer.resources import asset
from kpca_viewer.support import memory, paths
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, ExportError, TooLargeError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

SUFFIX = ".kpca"

_COPIES = 6
"""How often the content of a file is in memory at once while it is read."""


class ChangedFileError(ExportError):
    """Another program has written the file since; it was left as it is."""


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
        return cls(found.st_mtime_ns, found.st_size, found.st_ino)


@dataclass(frozen=True)
class SessionFile:
    """Where a session is kept by the person."""

    path: Path
    stamp: Stamp | None = None
    """Of the content that is known; None where none is."""


def stamp_of(path: str | os.PathLike[str]) -> Stamp | None:
    try:
        return Stamp.of(os.stat(path))
    except (OSError, ValueError):
        return None


def refuse_changed(path: Path, known: Stamp | None) -> None:
    """Raise a `ChangedFileError` unless a file is the known one, or gone."""
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

    What is known is the stamp of the only content that may be replaced; returned is
    that of what was written.

    Raises `ChangedFileError` if there is another content by now, `KpcaError` if it
    cannot be written; an old file is then as it was.
    """
    folder = Path(os.path.abspath(path)).parent
    content = to_bytes(document, folder)
    refuse_changed(Path(path), known)
    return Stamp.of(write_atomically(path, content))


def load(path: str | os.PathLike[str]) -> Document:
    """Read a document, or raise `DataError`: no session, unreadable or too new."""
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


class _DataFileError(DataError):
    """The document can be opened all the same, perhaps with a file that moved."""

    told: ClassVar[str]
    origin: SessionFile | None = None
    """The file of the session itself, where it has one."""

    def __init__(self, document: Document) -> None:
        self.document, file = document, document.data.file
        assert file is not None
        super().__init__(self.told.format(file.path))


class OutsideDataError(_DataFileError):
    """A session names a file that was not opened here and that is not beside it."""

    told = (
        "The session names {}, which is neither in its folder nor below; add "
        "--allow-outside to read it."
    )


def refuse_outside(document: Document, folder: Path, known: Iterable[Path]) -> None:
    """Refuse a session of others that would read any file of this computer.

    ``folder``: of the session: what is in it or below was handed over with it;
    ``known``: files that were opened here before.
    """
    file = document.data.file
    if file is None or document.data.embedded is not None or not file.path.exists():
        return
    real = Path(os.path.realpath(file.path))
    inside = (folder, asset("data"))
    if any(real.is_relative_to(os.path.realpath(each)) for each in inside):
        return
    # Of a folder of parts, the parts are what was opened.
    if not any(file.path in (path, path.parent) for path in known):
        raise OutsideDataError(document)


class MissingDataError(_DataFileError):
    """The file with the data of a document is gone."""

    told = (
        "The data of this session, {}, are not there any more; put the file back, or "
        "beside the session."
    )


@dataclass(frozen=True, eq=False)
class DataToShow:
    """What a document needs to be shown."""

    sources: dict[str, Dataset | Table]
    """By the name under which the settings know them; empty for a generator. A table
    becomes a data set in the analysis, as the settings say."""
    note: str = ""
    """What the person should know, for example that the file has changed."""


def open_data(
    document: Document, should_stop: ShouldStop = never, progress: Progress = silent
) -> DataToShow:
    """Open the data of a document.

    Embedded data are taken first: they are what the person saw.

    Raises `MissingDataError` if its file is gone, `DataError` if it cannot be read,
    `Cancelled` if ``should_stop`` says so.
    """
    source, data = document.settings.data.source, document.data
    if data.embedded is not None:
        return DataToShow({source: data.embedded})
    if data.file is None:
        return DataToShow({})
    if not paths.exists(data.file.path):
        raise MissingDataError(document)
    table = read_source(
        data.file.path,
        options=data.file.reading,
        should_stop=should_stop,
        progress=progress,
    )
    note = ""
    if _has_changed(data.file, table):
        note = (
            f"“{data.file.path.name}” has changed since the session was saved; it is "
            "shown as it is now."
        )
    return DataToShow({source: table}, note)


def _has_changed(file: FileReference, source: Source) -> bool:
    return isinstance(source, Table) and source.content_hash != file.content_hash != ""


@dataclass(frozen=True)
class Reopened:
    """What is shown when a document was opened over a session."""

    settings: SessionSettings
    notes: Notes
    views: Views | None = None
    """How the first picture has to look; None for a preset, which leaves that alone."""
    content_hash: str = ""
    """Of the numbers that were shown, where others have to be said; else empty."""

    def finds_others(self, dataset: Dataset) -> bool:
        """Return whether the data are not those that were shown."""
        return self.content_hash not in ("", dataset.content_hash)


def reopened(
    document: Document,
    settings: SessionSettings,
    notes: Notes,
    opened: Sources,
    sources: Mapping[str, Source],
) -> Reopened:
    """Return what a document shows, opened over a session.

    ``settings``, ``notes``: of the present session. A preset is a way to look at any
    data: what was noted about these stays; ``opened``: takes the data of the document
    in; where other data have their name, which may be opened again, under another one;
    ``sources``: the data of the document.
    """
    # A pass over all rows takes a person who wants it.
    settings = document.applied_to(settings).with_full_fit(False)
    if not document.preset:
        notes = replace(document.notes, anchor=_anchor(document))
    for key, source in sources.items():
        free = opened.free_key(key, source)
        opened[free] = source
        if free != key:
            data = replace(settings.data, source=free)
            settings, notes = replace(settings, data=data), notes.with_source(key, free)
    views = None if document.preset else document.views
    return Reopened(settings, notes, views, _expected_hash(document, sources))


def _expected_hash(document: Document, sources: Mapping[str, Source]) -> str:
    """Return the hash of the numbers that a picture shows; empty for no picture.

    That a file has changed was said when it was read: its numbers are others then.
    """
    file, shown = document.data.file, document.data.shown
    changed = file is not None and any(_has_changed(file, s) for s in sources.values())
    return "" if shown is None or changed else shown.content_hash


def _anchor(document: Document) -> RowAnchor | None:
    """Return by what the rows of a session are found in a file that has changed.

    A session that does not say so has rows in its own file only.
    """
    file, nothing = document.data.file, np.empty(0, dtype=np.int64)
    if file is None:
        return None
    return document.notes.anchor or RowAnchor(
        file.content_hash, "content", nothing, nothing
    )
