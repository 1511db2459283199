"""PageLayout: where the pictures of a gallery stand, in a flow or as a grid."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from kpca_viewer.widgets.plots.text import type_scale

GAP = 10
SMALLEST = 64
CAPTION = 34
"""Two lines below a picture: its value and its measure."""

GRID_CAPTION = 20
"""One line: the values of a grid stand at its edges."""

HEADER = 22
"""For the values of the columns of a grid."""


def scaled(pixels: float) -> int:
    """Return room for lines of type, which is larger in front of a class."""
    return round(pixels * type_scale())


@dataclass(frozen=True)
class PageLayout:
    """A page of square pictures."""

    width: int
    """Of the page."""
    side: int
    """Wanted of a picture."""
    count: int
    """Pictures in a flow."""
    columns: int = 0
    rows: int = 0
    """Of a grid; 0 for a flow."""
    margin: int = 0
    """On the left, for the values of the rows of a grid."""
    least: int = SMALLEST
    """Below this a page is rather wider than its window."""

    @property
    def is_grid(self) -> bool:
        return self.columns > 0

    @property
    def caption(self) -> int:
        return scaled(GRID_CAPTION if self.is_grid else CAPTION)

    @property
    def across(self) -> int:
        """Pictures in a row."""
        if self.is_grid:
            return self.columns
        return max(1, (self.width - GAP) // (self.side + GAP))

    @property
    def cell(self) -> int:
        """Side of a picture as it is shown: rows fill the page."""
        fits = (self.width - self.margin - GAP) // self.across - GAP
        if self.is_grid:
            return max(min(self.side, fits), self.least)
        return max(min(fits, 2 * self.side), SMALLEST)

    @property
    def down(self) -> int:
        """Rows of pictures."""
        return (
            self.rows if self.is_grid else math.ceil(max(self.count, 1) / self.across)
        )

    @property
    def top(self) -> int:
        return scaled(HEADER) if self.is_grid else GAP

    @property
    def height(self) -> int:
        return self.top + self.down * (self.cell + self.caption + GAP)

    @property
    def least_width(self) -> int:
        """The width that a page cannot do without."""
        if self.is_grid:
            return self.margin + GAP + self.columns * (self.least + GAP)
        return self.side + 2 * GAP

    def rect(self, place: int) -> QRectF:
        """Return where a picture is, without its caption."""
        row, column = divmod(place, self.across)
        return QRectF(
            self.margin + GAP + column * (self.cell + GAP),
            self.top + row * (self.cell + self.caption + GAP),
            self.cell,
            self.cell,
        )

    def place_under(self, at: QPointF) -> int | None:
        """Return the picture under a pixel, its caption included."""
        column = int((at.x() - self.margin - GAP) // (self.cell + GAP))
        row = int((at.y() - self.top) // (self.cell + self.caption + GAP))
        if not (0 <= column < self.across and 0 <= row < self.down):
            return None
        place = row * self.across + column
        whole = self.rect(place).adjusted(0, 0, 0, self.caption)
        inside = whole.contains(at) and (self.is_grid or place < self.count)
        return place if inside else None

    def moved(self, place: int, across: int, down: int) -> int | None:
        """Return the picture so many steps away; None beyond the page.

        In a flow, the end of a row goes on at the next one.
        """
        if self.is_grid:
            column, row = place % self.across + across, place // self.across + down
            inside = 0 <= column < self.columns and 0 <= row < self.rows
            return row * self.across + column if inside else None
        wanted = place + across + down * self.across
        return wanted if 0 <= wanted < self.count else None
