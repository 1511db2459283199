"""TOML that knows in which lines its keys stand, so that a fault can name them."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from kpca_viewer.features.lessons import text
from kpca_viewer.support.errors import DataError, excerpt

T = TypeVar("T")

MOST_PARTS = 100
"""Dots in a row of a key: what reads TOML takes their square of memory."""

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Toml:
    """What a TOML file says, and in which lines."""

    title: str
    raw: dict[str, Any]
    lines: Mapping[Place, int]

    @classmethod
    def of(cls, content: bytes, title: str) -> "Toml":
        try:
            words = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise DataError(text.fault(title, line, "", text.NO_UTF8)) from error
        plain = words.replace(" ", "").replace("\t", "")
        if any(p.count(".") > MOST_PARTS for p in re.split(r"[=\n\[\]{},]", plain)):
            raise DataError(text.fault(title, 0, "", text.LONG_KEY))
        try:
            raw = tomllib.loads(words)
        except (ValueError, RecursionError) as error:
            raise DataError(_syntax_fault(title, error)) from error
        return cls(title, raw, _lines_of(words))

    def fault(self, where: Place, what: str) -> DataError:
        line = next(
            (
                self.lines[where[:end]]
                for end in range(len(where), 0, -1)
                if where[:end] in self.lines
            ),
            0,
        )
        return DataError(text.fault(self.title, line, _field(where), what))

    def expect(self, sound: bool, where: Place, what: str) -> None:
        if not sound:
            raise self.fault(where, what)

    def check(self, value: str, where: Place, pattern: str) -> None:
        sound = re.fullmatch(pattern, value) is not None
        self.expect(sound, where, text.strange_word(excerpt(value)))

    def sound(self, where: Place, read: Any, *arguments: Any) -> Any:
        """Return what a function reads; what it refuses is a fault of this place."""
        try:
            return read(*arguments)
        except DataError as error:
            raise self.fault(where, str(error)) from error

    def converted(self, kind: type[T]) -> T:
        """Return the content as a value of some type."""
        try:
            return msgspec.convert(self.raw, kind)
        except msgspec.ValidationError as error:
            where, what = _validation_fault(str(error))
            raise self.fault(where, what) from error


def _field(where: Place) -> str:
    """Return a place as people count: steps[2].question.answer."""
    found = ""
    for part in where:
        if isinstance(part, int):
            found += f"[{part + 1}]"
        else:
            found += f".{excerpt(part)}" if found else excerpt(part)
    return found


def _syntax_fault(title: str, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return text.fault(title, 0, "", text.TOO_DEEP)
    told, line = str(error), 0
    if found := re.search(r" \(at line ([0-9]+), column [0-9]+\)$", told):
        told, line = told[: found.start()], int(found[1])
    elif found := re.search(r" \(at end of document\)$", told):
        told = f"{told[: found.start()]} at the end"
    return text.fault(title, line, "", text.syntax(excerpt(told, 120)))


def _validation_fault(told: str) -> tuple[Place, str]:
    """Return the place and the reason of an error of msgspec."""
    where: Place = ()
    if found := re.search(r" - at `(?:key in )?`?\$?([^`]*)`$", told):
        told = told[: found.start()]
        where = tuple(
            int(index) if index else name
            for name, index in re.findall(r"\.([^.\[\]]+)|\[([0-9]+)\]", found[1])
        )
    if found := re.match("Object contains unknown field `(.*)`", told, re.DOTALL):
        return (*where, found[1]), text.UNKNOWN_KEY
    if found := re.match("Object missing required field `(.*)`", told, re.DOTALL):
        return (*where, found[1]), text.MISSING_KEY
    if found := re.match("Expected `(.*?)`, got `(.*?)`", told):
        return where, text.wrong_type(found[1], found[2])
    if "of length <=" in told:
        return where, text.too_long(int(told.rpartition("<= ")[2]))
    return where, f"{excerpt(told, 120)}."


_HEADER = re.compile(r"\[{1,2}([^\[\]]*)\]{1,2}")
_ASSIGNED = re.compile(r"([A-Za-z0-9_.\"' -]+?)[ \t]*=")


def _lines_of(words: str) -> dict[Place, int]:
    """Return the lines in which keys stand, by their places; the first of several."""
    found: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    above: Place = ()
    inside = ""
    for line_number, line in enumerate(words.split("\n"), start=1):
        if not inside and (header := _HEADER.match(line.strip())):
            above = _table(_names(header[1]), counts, many=line.strip()[1:2] == "[")
            found.setdefault(above, line_number)
        elif not inside and (key := _ASSIGNED.match(line.strip())):
            where = above
            for name in _names(key[1]):
                where = (*where, name)
                found.setdefault(where, line_number)
        for mark in re.findall(r'"""|\'\'\'', line):
            inside = "" if inside == mark else inside or mark
    return found


def _table(names: tuple[str, ...], counts: dict[Place, int], *, many: bool) -> Place:
    """Return the place that a header begins; tables of a list are counted."""
    where: Place = ()
    for depth, name in enumerate(names):
        where = (*where, name)
        if many and depth == len(names) - 1:
            counts[where] = counts.get(where, -1) + 1
        if where in counts:
            where = (*where, counts[where])
    return where


def _names(key: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in key.split("."))
