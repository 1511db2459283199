"""Names of columns: there, unique and on one line."""

from collections.abc import Iterable

from kpca_viewer.data.files.source import Reading
from kpca_viewer.data.table import listed

MAX_LENGTH = 500
"""Longer names are cut; a whole document sometimes ends up in a header."""


def clean(name: object) -> str:
    """Return a name on one line, without anything that cannot be shown."""
    text = str(name)[: 4 * MAX_LENGTH]
    text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())[:MAX_LENGTH]


def default_names(count: int) -> list[str]:
    """Return ``x1 … xd`` for columns without a header."""
    return [f"x{j + 1}" for j in range(count)]


def unique_names(given: Iterable[object], reading: Reading) -> list[str]:
    """Return names that differ: a second “x” becomes “x (2)”, none “column 3”."""
    names: list[str] = []
    used: set[str] = set()
    counts: dict[str, int] = {}
    changed: list[str] = []
    for position, raw in enumerate(given):
        reading.tick()
        first = clean("" if raw is None else raw) or f"column {position + 1}"
        name = first
        while name in used:
            counts[first] = counts.get(first, 1) + 1
            name = f"{first} ({counts[first]})"
        if name != first:
            changed.append(name)
        used.add(name)
        names.append(name)
    if changed:
        reading.note(f"repeated column names made unique: {listed(changed)}")
    return names
