"""What a student hands in: one text file with answers, attempts and states."""

import os
from codecs import BOM_UTF8
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec

from kpca_viewer import __version__
from kpca_viewer.engine.document.format import from_bytes
from kpca_viewer.engine.document.model import Document, DocumentData
from kpca_viewer.engine.notes import Notes
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.states import state_text
from kpca_viewer.support.errors import DataError, excerpt

ENDING = ".answers.json"
FORMAT = 1
MARK = b'"kpca_viewer_hand_in"'

LARGEST = 4 << 20
"""Bytes of a file."""

MOST_ROWS = 1_000_000
"""Of a selection."""

_NONE = b"null"
_HEAVY = ("embedded", "pins", "sweep", "choice", "row_keys")
"""Fields of a session that no answer needs, and that may unfold to anything."""


@dataclass(frozen=True)
class HandedAnswer:
    """What a student has done in one step."""

    step: str
    """Its key."""
    answer: str = ""
    """The last one, as `checks.judge` takes it."""
    attempts: int = 0
    right: bool = False
    """What the window said; marks do not believe it."""
    state: Document | None = None
    """Of the window when the answer was given."""


@dataclass(frozen=True)
class HandIn:
    """The answers of one student to one lesson."""

    lesson: str
    """Its key."""
    name: str
    """Typed by the student."""
    answers: tuple[HandedAnswer, ...]
    title: str = ""
    language: str = "en"


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    step: Annotated[str, msgspec.Meta(max_length=60)]
    answer: Annotated[str, msgspec.Meta(max_length=4000)]
    attempts: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    right: bool
    state: msgspec.Raw = msgspec.Raw(_NONE)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    kpca_viewer_hand_in: int
    lesson: Annotated[str, msgspec.Meta(max_length=200)]
    title: Annotated[str, msgspec.Meta(max_length=300)]
    name: Annotated[str, msgspec.Meta(max_length=200)]
    language: Annotated[str, msgspec.Meta(max_length=10)]
    program: Annotated[str, msgspec.Meta(max_length=60)]
    steps: Annotated[list[_Answer], msgspec.Meta(max_length=60)]


def hand_in_bytes(hand_in: HandIn) -> bytes:
    """Return the content of the file."""
    steps = [
        _Answer(
            each.step,
            each.answer,
            each.attempts,
            each.right,
            msgspec.Raw(_NONE if each.state is None else _without_data(each.state)),
        )
        for each in hand_in.answers
    ]
    file = _File(
        FORMAT,
        hand_in.lesson,
        hand_in.title,
        " ".join(hand_in.name.split())[:200],
        hand_in.language,
        __version__,
        steps,
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def _without_data(document: Document) -> bytes:
    notes = Notes(
        selected=document.notes.selected, new_points=document.notes.new_points
    )
    slim = replace(document, data=DocumentData(), notes=notes, unknown={}, unread=0)
    return state_text(slim)


def read_hand_in(path: str | os.PathLike[str]) -> HandIn:
    """Read what a student has handed in."""
    path = Path(path)
    title = f"“{excerpt(path.name, 120)}”"
    try:
        if not path.is_file():
            raise DataError(text.no_hand_in(title))
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                raise DataError(text.large_hand_in(title, LARGEST >> 20))
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise DataError(text.unread_hand_in(title, error.strerror or "")) from error
    return from_content(content, title)


def from_content(content: bytes, title: str) -> HandIn:
    """Read the content of a file; see `read_hand_in`."""
    if len(content) > LARGEST:
        raise DataError(text.large_hand_in(title, LARGEST >> 20))
    # An editor of texts may have put one there.
    content = content.removeprefix(BOM_UTF8)
    try:
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        if MARK not in content[:4096]:
            raise DataError(text.no_hand_in(title)) from error
        raise DataError(text.damaged_hand_in(title, excerpt(error, 120))) from error
    if file.kpca_viewer_hand_in != FORMAT:
        raise DataError(text.other_hand_in(title, file.kpca_viewer_hand_in))
    steps = [each.step for each in file.steps]
    if len(set(steps)) < len(steps):
        raise DataError(text.damaged_hand_in(title, "a step is there twice"))
    answers = tuple(
        HandedAnswer(
            each.step,
            each.answer,
            each.attempts,
            each.right,
            _state(bytes(each.state), each.step, title),
        )
        for each in file.steps
    )
    name = "".join(letter for letter in file.name if letter.isprintable())
    return HandIn(file.lesson, name, answers, file.title, file.language)


def _state(content: bytes, step: str, title: str) -> Document | None:
    """Read a state that holds no data and nothing that unfolds; None for none."""
    if content == _NONE:
        return None
    here = f"{title}, step “{excerpt(step)}”"
    raw = msgspec.json.decode(content)
    selection = raw.get("selection") if isinstance(raw, dict) else None
    rows = selection.get("rows") if isinstance(selection, dict) else 0
    heavy = isinstance(raw, dict) and any(name in raw for name in _HEAVY)
    if heavy or (isinstance(rows, int) and rows > MOST_ROWS):
        raise DataError(text.heavy_state(here))
    document = from_bytes(content, title=here)
    if document.data.file is not None:
        raise DataError(text.heavy_state(here))
    return document
