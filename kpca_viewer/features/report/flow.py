"""Pieces of a document that are put onto pages one below the other, none cut."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QPainter

Paint = Callable[[QPainter, float], None]
"""``(painter, top)``: paints at that height; the left edge of the text is at 0."""


@dataclass(frozen=True, eq=False)
class Piece:
    """What is never cut: a line, a row of a table, a picture with its caption."""

    height: float
    paint: Paint
    above: float = 0.0
    """Room before it, but not at the top of a page."""
    stays: bool = False
    """Whether it stands on one page with the next piece."""
    repeated: "Piece | None" = None
    """What stands above it once more where it begins a page: titles of a table."""


Page = list[tuple[float, Piece]]
"""Pairs (top, piece)."""


def paged(pieces: Iterable[Piece], height: float) -> list[Page]:
    """Put pieces onto pages of some height.

    Pieces that stay together begin a page together, if one page can hold them all.
    """
    pages: list[Page] = [[]]
    y = 0.0
    for group in _groups(pieces):
        need = sum(piece.above + piece.height for piece in group)
        if y > 0 and y + need > height and _fits(group, height):
            pages.append([])
            y = 0.0
        for piece in group:
            top = y + (piece.above if y > 0 else 0.0)
            if y > 0 and top + piece.height > height:
                pages.append([])
                top = 0.0
            if top == 0 and piece.repeated is not None:
                pages[-1].append((0.0, piece.repeated))
                top = piece.repeated.height
            pages[-1].append((top, piece))
            y = top + piece.height
    return [page for page in pages if page] or [[]]


def kept_together(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces that stand on one page, if they can."""
    return [
        Piece(p.height, p.paint, p.above, stays or p.stays, p.repeated)
        for p, stays in zip(pieces, [True] * (len(pieces) - 1) + [False], strict=True)
    ]


def _fits(group: Sequence[Piece], height: float) -> bool:
    first, *rest = group
    return first.height + sum(p.above + p.height for p in rest) <= height


def _groups(pieces: Iterable[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = [[]]
    for piece in pieces:
        groups[-1].append(piece)
        if not piece.stays:
            groups.append([])
    return [group for group in groups if group]
