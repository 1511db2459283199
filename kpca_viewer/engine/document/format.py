"""The way of a document into the text of a session file, and back.

A session is JSON. Its parts are checked against types. What this version does not know
(a field, a pin) is kept and written back, so that two versions can share a file.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, TypeVar

import msgspec

from kpca_viewer import __version__
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.engine.choice_note import ChoiceNote
from kpca_viewer.engine.document.arrays import (
    Embedded,
    RowKeys,
    Selection,
    pack_dataset,
    pack_keys,
    pack_selection,
    unpack_dataset,
    unpack_keys,
    unpack_selection,
)
from kpca_viewer.engine.document.checks import check_choice, check_settings
from kpca_viewer.engine.document.model import (
    Document,
    DocumentData,
    FileReference,
    Json,
    Shown,
)
from kpca_viewer.engine.document.wire import from_wire, keep_suggestions, to_wire
from kpca_viewer.engine.notes import Notes, PinNote, SweepNote
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.views import Camera, Pose, Range, Views
from kpca_viewer.support.errors import DataError

Known = TypeVar("Known")
Note = TypeVar("Note", PinNote, SweepNote, ChoiceNote)

VERSION = 1

MARK = "kpca_viewer"
"""The field that makes JSON a session; it holds the version of the format."""


NOTES: dict[str, Any] = {"pins": PinNote, "sweep": SweepNote, "choice": ChoiceNote}
"""Fields of notes that are read part by part."""


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
    """All fields that this version knows.

    Those of any JSON are read part by part (`_notes`, `_views`): what is wrong in one
    of their parts is no reason to refuse a session.
    """

    kpca_viewer: int
    settings: SessionSettings
    data: _Generator | _File | _Embedded | _None
    program: str = ""
    selection: Selection | None = None
    row_names: dict[int, str] = {}
    new_points: tuple[tuple[float, float], ...] = ()
    pins: Json = None
    sweep: Json = None
    choice: Json = None
    views: Json = None
    row_keys: Json = None
    embedded: Embedded | None = None
    shown: Json = None


def to_bytes(document: Document, folder: Path | None = None) -> bytes:
    """Return a document as the text of a session file.

    ``folder``: where the session will be; the data are then also found relative to it.
    """
    check_settings(document.settings)
    try:
        body = msgspec.to_builtins(_body(document, folder), str_keys=True)
        known = {name: part for name, part in body.items() if part is not None}
        unknown = {
            name: part
            for name, part in document.unknown.items()
            if name not in NOTES  # they are among the known ones
        }
        body = _merged(unknown, known)
        to_wire(body)
        text = msgspec.json.format(msgspec.json.encode(body), indent=1)
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

    ``folder``: where the session is; data beside it are found there; ``title``: names
    the file in messages.
    """
    raw = _raw(content, title)
    from_wire(raw)
    keep_suggestions(raw)
    try:
        body = msgspec.convert(raw, _Body, str_keys=True)
        check_settings(body.settings)
        return _document(body, folder, raw)
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
    notes, data, views = document.notes, document.data, document.views
    unknown = document.unknown
    kind: _Generator | _File | _Embedded | _None = _Generator()
    if document.preset:
        kind = _None()
    elif data.file is not None:
        kind = _reference(data.file, folder)
    elif data.embedded is not None:
        kind = _Embedded()
    selected, anchor = notes.selected, notes.saved_anchor
    kept = {
        name: _as_read(_listed(name, notes), kind, unknown.get(name, ()))
        for name, kind in NOTES.items()
    }
    return _Body(
        kpca_viewer=VERSION,
        program=__version__,
        settings=document.settings,
        data=kind,
        selection=None if selected is None else pack_selection(selected),
        row_names=dict(notes.row_names),
        new_points=notes.new_points,
        pins=kept["pins"] or None,
        sweep=next(iter(kept["sweep"]), None),
        choice=next(iter(kept["choice"]), None),
        views=None if views == Views() else _dense(msgspec.to_builtins(views)),
        row_keys=None if anchor is None else pack_keys(anchor),
        embedded=None if data.embedded is None else pack_dataset(data.embedded),
        shown=data.shown,
    )


def _document(body: _Body, folder: Path | None, raw: Mapping[str, Json]) -> Document:
    embedded = None if body.embedded is None else unpack_dataset(body.embedded)
    notes, views = _notes(body), _views(body.views)
    # Where rows are left out, the rows that remain are known after the import only.
    whole = None if body.settings.data.excluded else embedded
    if whole is not None and body.selection and body.selection.rows != whole.n:
        raise DataError("its selection is not one of its rows")
    file = _found(body.data, folder) if isinstance(body.data, _File) else None
    known = msgspec.to_builtins(body, str_keys=True)
    unknown = _unknown(raw, {**known, "views": msgspec.to_builtins(views)})
    strange, unread = {}, 0
    for name, kind in NOTES.items():
        parts = _listed(name, body)
        strange[name] = [raw for raw in parts if _has_more(raw, kind)]
        unread += sum(_note(raw, kind) is None for raw in parts)
    return Document(
        settings=body.settings,
        notes=notes,
        data=DocumentData(file, embedded, _read(body.shown, Shown)),
        views=views,
        preset=isinstance(body.data, _None),
        unread=unread,
        unknown=unknown | {name: parts for name, parts in strange.items() if parts},
    )


# Data


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
    # A picture knows no more than a name: beside it, wherever the program was started.
    path = Path(data.absolute) if folder is None else folder / data.absolute
    if folder is not None and data.path is not None:
        beside = Path(os.path.abspath(folder / data.path))
        if os.path.exists(beside):
            path = beside
    if "\0" in str(path):
        raise DataError("the name of its data holds a zero byte")
    return FileReference(path, data.hash, data.reading)


# Notes and views


def _notes(body: _Body) -> Notes:
    if any(row < 0 for row in body.row_names):
        raise DataError("a row that has a name has a negative number")
    pins = [_note(pin, PinNote) for pin in _listed("pins", body)]
    return Notes(
        row_names=tuple(sorted(body.row_names.items())),
        pins=tuple(pin for pin in pins if pin is not None),
        sweep=_note(body.sweep, SweepNote),
        choice=_note(body.choice, ChoiceNote),
        selected=None if body.selection is None else unpack_selection(body.selection),
        new_points=body.new_points,
        anchor=_anchor(body.row_keys),
    )


def _note(raw: Json, kind: type[Note]) -> Note | None:
    """Return a pin, sweep or choice; None where this version does not understand it."""
    note = _read(raw, kind)
    if note is None:
        return None
    try:
        if isinstance(note, ChoiceNote):
            check_choice(note)
        else:
            check_settings(note.settings if isinstance(note, PinNote) else note.base)
    except DataError:
        return None
    return note


def _anchor(raw: Json) -> RowAnchor | None:
    keys = _read(raw, RowKeys)
    try:
        return None if keys is None else unpack_keys(keys)
    except DataError:
        return None


def _views(raw: Json) -> Views:
    parts = raw if isinstance(raw, dict) else {}
    poses = {name: _pose(parts.get(name)) for name in ("data", "embedding", "pca")}
    hidden = _read(parts.get("hidden"), tuple[int, ...]) or ()
    folded = _read(parts.get("folded"), tuple[str, ...]) or ()
    page, filled, workspace = (
        _read(parts.get(name), str) for name in ("page", "filled", "workspace")
    )
    pages = _read(parts.get("pages"), tuple[tuple[str, str], ...])
    return Views(
        page,
        hidden,
        **poses,
        folded=folded,
        filled=filled,
        workspace=workspace,
        pages=pages,
    )


def _pose(raw: Json) -> Pose:
    parts = raw if isinstance(raw, dict) else {}
    camera = _read(parts.get("camera"), Camera)
    return Pose(camera, _read(parts.get("range"), tuple[Range, Range])).sound()


def _listed(name: str, owner: Notes | _Body) -> list[Any]:
    """Return pins, or the only sweep or choice, as a list."""
    found = getattr(owner, name)
    if name == "pins":
        return list(found) if isinstance(found, list | tuple) else []
    return [] if found is None else [found]


def _read(raw: Json, kind: type[Known]) -> Known | None:
    """Return JSON as a value of some type; None where it is none."""
    try:
        return msgspec.convert(raw, kind)
    except (msgspec.ValidationError, DataError, OverflowError):
        return None


def _dense(part: Mapping[str, Json]) -> dict[str, Json]:
    """Return JSON without fields that say nothing, at any depth."""
    thin = {n: _dense(v) if isinstance(v, dict) else v for n, v in part.items()}
    return {name: value for name, value in thin.items() if value not in (None, {})}


# What a later version wrote


def _has_more(raw: Json, kind: type[Note]) -> bool:
    """Return whether a note holds anything that this version would lose."""
    note = _note(raw, kind)
    return note is None or bool(_unknown(raw, msgspec.to_builtins(note)))


def _as_read(
    notes: Sequence[Note], kind: type[Note], found: Sequence[Json]
) -> list[Json]:
    """Return pins, sweeps or choices as JSON, each with all that was found in the file.

    Those that this version does not understand follow.
    """
    as_found = {_note(raw, kind): raw for raw in found}
    known = [_merged(as_found.get(n, {}), msgspec.to_builtins(n)) for n in notes]
    return known + [raw for raw in found if _note(raw, kind) is None]


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
