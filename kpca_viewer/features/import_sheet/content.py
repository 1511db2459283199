"""What goes to the import sheet, and what comes back from it."""

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing import ImportSettings, Proposals
from kpca_viewer.data.importing.settings import MISSING_TITLES, ROLE_TITLES
from kpca_viewer.data.preparation import Scaling
from kpca_viewer.data.table import Table
from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from kpca_viewer.engine.forecast import Trial


@dataclass(frozen=True, eq=False)
class SheetContent:
    """A table with everything that the sheet shows about it."""

    table: Table
    """The whole file, or the first rows of a large one (its ``total`` is set then)."""
    importing: ImportSettings
    """The guess, or what was chosen before."""
    scaling: Scaling = "none"
    matrix_words: str = ""
    """A sentence about the square matrix that the file may be; empty if it is none."""
    trial: "Trial | None" = None
    """For the forecast."""
    error: DataError | None = None
    """Why what was chosen last is impossible."""
    text: str = ""
    """What was pasted, so that it can be read in another way."""
    proposals: Proposals | None = None
    """What the columns are taken for, where nothing was chosen before."""
    remembered: ImportSettings | None = None
    """What was chosen for the last file of the same columns; `importing` then."""
    reading_key: str = ""
    """By which it is remembered how the file is read; empty where that is not."""
    read_as_before: bool = False
    """Whether the last file of the same columns says how this one was read."""

    @property
    def whole(self) -> bool:
        """Whether the file has been read to its end."""
        return self.table.total is None

    @property
    def rows(self) -> int:
        """Rows of the file, as far as they are known."""
        return self.table.n if self.table.total is None else self.table.total

    @property
    def options(self) -> ReadOptions:
        return self.table.options or ReadOptions()


@dataclass(frozen=True, eq=False)
class ImportRequest:
    content: SheetContent
    """What was asked about."""
    importing: ImportSettings
    scaling: Scaling
    options: ReadOptions | None = None
    """How the file is to be read, where only its first rows are known yet."""


MOST_ROLES = 2000
"""Columns that are no features; of a file with more of them nothing is kept."""

_READING = ("decimal", "decimals", "header", "skip", "transpose")
_OPTIONS = ("missing", "treat_text_as_missing", "one_hot")


def answers_key(table: Table) -> str:
    """Return by what the answers to files with these columns are found."""
    names = json.dumps(table.names, ensure_ascii=False)
    return hashlib.sha256(names.encode("utf-8", "replace")).hexdigest()[:32]


def answers_text(proposals: Proposals, chosen: ImportSettings) -> str:
    """Return what was chosen instead of the proposals; nothing if that is little."""
    given = proposals.settings
    others = {name: role for name, role in chosen.roles if role != "feature"}
    refused = [pair for pair in given.sentinels if pair not in chosen.sentinels]
    answers: dict[str, Any] = {"roles": others, "numbers": refused}
    answers["totals"] = bool(given.left_out) and not chosen.left_out
    answers |= {name: getattr(chosen, name) for name in _OPTIONS}
    as_proposed = _with(proposals, answers) == given
    return "" if as_proposed or len(others) > MOST_ROLES else json.dumps(answers)


def recall_answers(text: str, proposals: Proposals) -> ImportSettings | None:
    """Return the proposals with earlier answers; None where these say nothing new."""
    try:
        settings = _with(proposals, json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None  # another version, or another hand, has written it
    return None if settings == proposals.settings else settings


def reading_key(table: Table) -> str:
    """Return by what is found how files are read that first look like this table."""
    return f"reading {answers_key(table)}"


def reading_text(options: ReadOptions) -> str:
    """Return how a file was read instead of the usual way; nothing if as usual."""
    usual = ReadOptions()
    given = {name: getattr(options, name) for name in _READING}
    changed = {k: v for k, v in given.items() if v != getattr(usual, k)}
    return json.dumps(changed) if changed else ""


def recall_reading(text: str) -> ReadOptions | None:
    """Return how the last file of these columns was read; None for the usual way."""
    try:
        options = msgspec.json.decode(text, type=ReadOptions)
    except msgspec.DecodeError:
        return None  # another version, or another hand, has written it
    given = {name: getattr(options, name) for name in _READING}
    options = ReadOptions(**given)
    return None if options == ReadOptions() else options


def _with(proposals: Proposals, answers: dict[str, Any]) -> ImportSettings:
    given, others = proposals.settings, answers["roles"]
    roles = tuple((name, others.get(name, "feature")) for name, _ in given.roles)
    if not {role for _, role in roles} <= ROLE_TITLES.keys():
        raise ValueError(others)
    numbers = {(str(name), float(value)) for name, value in answers["numbers"]}
    options = {
        name: answers[name]
        for name in _OPTIONS
        if type(answers[name]) is type(getattr(given, name))
    }
    if options.get("missing") not in MISSING_TITLES:
        raise ValueError(options)
    return replace(
        given,
        roles=roles,
        sentinels=tuple(pair for pair in given.sentinels if pair not in numbers),
        left_out=() if answers["totals"] else given.left_out,
        **options,
    )
