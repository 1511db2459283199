"""What was said about a file, kept for the next one that has the same columns."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import msgspec

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing import ImportSettings, Proposals
from kpca_viewer.data.importing.settings import MISSING_TITLES, ROLE_TITLES
from kpca_viewer.data.table import Table

MOST_ROLES = 2000
"""Columns that are no features; of a file with more of them nothing is kept."""

_READING = ("decimal", "decimals", "header", "skip", "transpose")
_OPTIONS = ("missing", "treat_text_as_missing", "one_hot")


def answers_key(table: Table) -> str:
    """Return by what the answers to files with these columns are found."""
    names = json.dumps(table.names, ensure_ascii=False)
    return hashlib.sha256(names.encode("utf-8", "replace")).hexdigest()[:32]


def answers_text(proposals: Proposals, chosen: ImportSettings) -> str:
    """Return what was chosen instead of the proposals; nothing if that is little.

    Which rows are drawn, and whether the numbers are a matrix, is a matter of the file.
    """
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
