"""The text of a session file: one version, typed, patient with what it does not know.

A session is JSON. Its parts are checked against types; a field that this version does
not know is kept and written back, so that two versions can share a file.
"""

import os
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

import msgspec

from kpca_viewer import __version__
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.session.document.arrays import (
    Embedded,
    Selection,
    pack_dataset,
    pack_selection,
    unpack_dataset,
    unpack_selection,
)
from kpca_viewer.session.document.checks import check_settings
from kpca_viewer.session.document.model import Document, FileReference, Json
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.support.errors import DataError

VERSION = 1

MARK = "kpca_viewer"
"""The field that makes JSON a session; it holds the version of the format."""


class _Generator(msgspec.Struct, tag_field="kind", tag="generator"):
    """Data made on the spot: the settings say all about them."""


class _Embedded(msgspec.Struct, tag_field="kind", tag="embedded"):
    """Data that came from no file and are in the session itself."""


class _None(msgspec.Struct, tag_field="kind", tag="none"):
    """A preset: no data at all."""


class _File(msgspec.Struct, tag_field="kind", tag="file"):
    """Data in a file beside the session, or anywhere else."""

    absolute: str
    path: str | None = None
    hash: str = ""
    reading: ReadOptions = msgspec.field(default_factory=ReadOptions)


class _Body(msgspec.Struct):
    """All fields that this version knows."""

    kpca_viewer: int
    settings: SessionSettings
    data: _Generator | _File | _Embedded | _None
    program: str = ""
    selection: Selection | None = None
    row_names: dict[int, str] = {}
    new_points: tuple[tuple[float, float], ...] = ()
    pins: Any = None
    sweep: Any = None
    views: Any = None
    row_keys: Any = None
    embedded: Embedded | None = None


def to_bytes(document: Document, folder: Path | None = None) -> bytes:
    """Return a document as the text of a session file.

    Parameters
    ----------
    document : Document
    folder : Path, optional
        Where the session will be; the data are then also found relative to it.

    Raises
    ------
    DataError
        If the document holds what no session can keep.
    """
    check_settings(document.settings)
    try:
        known = msgspec.to_builtins(_body(document, folder), str_keys=True)
        whole = _merged(document.unknown, known)
        kept = {
            name: part
            for name, part in whole.items()
            if part is not None or name not in known
        }
        text = msgspec.json.format(msgspec.json.encode(kept), indent=1)
    except (UnicodeEncodeError, TypeError, OverflowError, RecursionError) as error:
        raise DataError(
            f"This session cannot be written as text ({error}); rename what has an "
            "unusual name."
        ) from error
    return text + b"\n"


def from_bytes(
    content: bytes, folder: Path | None = None, title: str = "This file"
) -> Document:
    """Read a document from the text of a session file.

    Parameters
    ----------
    content : bytes
    folder : Path, optional
        Where the session is; data beside it are found there.
    title : str
        Names the file in messages.

    Raises
    ------
    DataError
        If it is no session, a damaged one, or one of a newer version.
    """
    raw = _raw(content, title)
    try:
        body = msgspec.convert(raw, _Body, str_keys=True)
        check_settings(body.settings)
        known = msgspec.to_builtins(body, str_keys=True)
        return _document(body, folder, _unknown(raw, known))
    except (msgspec.ValidationError, DataError, OverflowError) as error:
        reason = str(error).removesuffix(".")
        raise DataError(
            f"{title} is a damaged session, or one that another program has changed "
            f"({reason}); open another copy."
        ) from error


def _raw(content: bytes, title: str) -> dict[str, Json]:
    """Return the JSON of a session whose version can be read."""
    try:
        raw = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        looks = content[:4096].lstrip()[:1] == b"{" and MARK.encode() in content[:4096]
        if looks:
            raise DataError(
                f"{title} is a damaged session, perhaps cut short; open another copy."
            ) from error
        raise DataError(
            f"{title} is not a session of kpca_viewer; choose a .kpca file."
        ) from error
    version = raw.get(MARK) if isinstance(raw, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DataError(
            f"{title} is not a session of kpca_viewer; choose a .kpca file."
        )
    if version > VERSION:
        raise DataError(
            f"This session was written by a newer version ({version}); "
            "update kpca_viewer."
        )
    assert isinstance(raw, dict)
    return raw


def _body(document: Document, folder: Path | None) -> _Body:
    selection, embedded = document.selection, document.embedded
    data: _Generator | _File | _Embedded | _None = _Generator()
    if document.preset:
        data = _None()
    elif document.file is not None:
        data = _reference(document.file, folder)
    elif embedded is not None:
        data = _Embedded()
    return _Body(
        kpca_viewer=VERSION,
        program=__version__,
        settings=document.settings,
        data=data,
        selection=None if selection is None else pack_selection(selection),
        row_names=dict(document.row_names),
        new_points=document.new_points,
        pins=document.pins,
        sweep=document.sweep,
        views=document.views,
        row_keys=document.row_keys,
        embedded=None if embedded is None else pack_dataset(embedded),
    )


def _document(
    body: _Body, folder: Path | None, unknown: Mapping[str, Json]
) -> Document:
    embedded = None if body.embedded is None else unpack_dataset(body.embedded)
    selection = None if body.selection is None else unpack_selection(body.selection)
    # Where rows are left out, the rows that remain are known after the import only.
    whole = None if body.settings.data.excluded else embedded
    if whole is not None and selection is not None and len(selection) != whole.n:
        raise DataError("its selection is not one of its rows")
    if any(row < 0 for row in body.row_names):
        raise DataError("a row that has a name has a negative number")
    return Document(
        settings=body.settings,
        file=_found(body.data, folder) if isinstance(body.data, _File) else None,
        embedded=embedded,
        selection=selection,
        row_names=body.row_names,
        new_points=body.new_points,
        pins=body.pins,
        sweep=body.sweep,
        views=body.views,
        row_keys=body.row_keys,
        preset=isinstance(body.data, _None),
        unknown=unknown,
    )


def _reference(file: FileReference, folder: Path | None) -> _File:
    relative: str | None = None
    if folder is not None:
        try:
            relative = PurePath(os.path.relpath(file.path, folder)).as_posix()
        except ValueError:  # on another drive of Windows
            relative = None
    return _File(str(file.path), relative, file.content_hash, file.reading)


def _found(data: _File, folder: Path | None) -> FileReference:
    """Return the file where it is now: beside the session before where it was."""
    absolute = Path(data.absolute)
    path = absolute
    if folder is not None and data.path is not None:
        beside = Path(os.path.abspath(folder / data.path))
        if "\0" not in data.path and beside.is_file():
            path = beside
    if "\0" in str(path):
        raise DataError("the name of its data holds a zero byte")
    return FileReference(path, data.hash, data.reading)


def _merged(base: Mapping[str, Json], over: Mapping[str, Json]) -> dict[str, Json]:
    """Return both, mapping by mapping; what ``over`` says counts."""
    result = dict(over)
    for name, value in base.items():
        if name not in result:
            result[name] = value
        elif isinstance(value, dict) and isinstance(result[name], dict):
            result[name] = _merged(value, result[name])
    return result


def _unknown(raw: Mapping[str, Json], known: Mapping[str, Json]) -> dict[str, Json]:
    """Return the fields of ``raw`` that are not among the known ones, at any depth."""
    result: dict[str, Json] = {}
    for name, value in raw.items():
        if name not in known:
            result[name] = value
        elif isinstance(value, dict) and isinstance(known[name], dict):
            deeper = _unknown(value, known[name])
            if deeper:
                result[name] = deeper
    return result
