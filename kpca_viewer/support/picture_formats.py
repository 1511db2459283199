"""Formats of pictures, declared once for files, dialogs and the command line."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kpca_viewer.support.registry import Registry


@dataclass(frozen=True)
class PictureFormat:
    """A kind of file that a plot is saved as, and that carries its session."""

    key: str
    """The ending without its dot."""
    title: str
    about: str
    """What it is good for."""
    vector: bool
    """Whether lines and text stay what they are; otherwise there are pixels."""

    @property
    def ending(self) -> str:
        return f".{self.key}"


PICTURE_FORMATS = Registry(
    lambda row: row.key,
    (
        PictureFormat("png", "PNG", "Pixels, for screens and slides", vector=False),
        PictureFormat("svg", "SVG", "Vectors that can be edited", vector=True),
        PictureFormat("pdf", "PDF", "Vectors for print, fonts included", vector=True),
    ),
)
"""Every format by its key; the first is the usual one."""


def picture_endings() -> tuple[str, ...]:
    return tuple(row.ending for row in PICTURE_FORMATS.values())


def picture_format(path: str | Path) -> PictureFormat | None:
    ending = Path(path).suffix.lower()
    rows = PICTURE_FORMATS.values()
    return next((row for row in rows if row.ending == ending), None)


def either(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
