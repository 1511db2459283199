"""Painting that can be done in portions, with other work in between."""

from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

Made = TypeVar("Made")

Paint = Callable[[QPainter, QRectF], Iterator[None] | None]
"""Paints everything into a rectangle of layout units (see `ImageSpec.layout`).

Where it returns an iterator, each step of that paints a portion.
"""


def portions_of(paint: Paint, painter: QPainter, rect: QRectF) -> Iterator[None]:
    """Paint a portion at each step; painting that knows none is a single one."""
    portions = paint(painter, rect)
    if portions is not None:
        yield from portions


def all_of(portions: Generator[None, None, Made]) -> Made:
    """Do all portions now and return what comes of them."""
    try:
        while True:
            next(portions)
    except StopIteration as end:
        made: Made = end.value
        return made
