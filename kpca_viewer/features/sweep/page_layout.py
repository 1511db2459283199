"""A page of small pictures: where they stand, and how they are drawn."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from kpca_viewer.engine.sweep.parameters import short_text
from kpca_viewer.engine.sweep.settings import SweepSettings, axis_texts
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import draw_failure

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


WIDEST_MARGIN = 120
RING = 5.0
"""Radius of the mark around the row that is pointed at."""


@dataclass(frozen=True, eq=False)
class PictureCell:
    """One picture as it is drawn, on the screen and on paper."""

    rect: QRectF
    draw: Callable[[QPainter, QRectF], None] | None = None
    """None where there is no picture, or none yet."""
    lines: tuple[str, ...] = ()
    """Below it."""
    failed: bool = False
    absent: bool = False
    """A value for which there can be no picture."""
    best: bool = False
    hovered: bool = False
    current: bool = False
    ring: QPointF | None = None
    """The place of the row that is pointed at."""
    radius: float = 6.0
    """Of its corners."""
    ground: str = ""
    """Colour behind the picture; none if empty."""


def draw_cell(painter: QPainter, cell: PictureCell, theme: Theme) -> None:
    """Draw a picture with its frame and the lines below it."""
    rect = cell.rect
    color, width = theme.border, 1.0
    if cell.best:
        color, width = theme.warning, 2.0
    if cell.hovered:
        color, width = theme.muted, 1.5
    if cell.current:
        color, width = theme.accent, 2.0
    painter.setPen(QPen(QColor(color), width))
    painter.setBrush(QColor(cell.ground) if cell.ground else Qt.BrushStyle.NoBrush)
    frame = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(frame, cell.radius, cell.radius)
    if cell.failed or cell.absent:
        draw_failure(painter, rect, theme, applies=not cell.absent)
    elif cell.draw is not None:
        cell.draw(painter, rect)
    if cell.ring is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, thick in ((theme.card, 4.0), (theme.text, 2.0)):
            painter.setPen(QPen(QColor(ink), thick))
            painter.drawEllipse(cell.ring, RING, RING)
    font = plot_font(
        bold=cell.best or cell.current, pixels=12 if rect.width() >= 120 else 11
    )
    painter.setFont(font)
    last = len(cell.lines) - 1
    for line, text in enumerate(cell.lines):
        painter.setPen(QColor(theme.muted if line == last else theme.text))
        at = QPointF(rect.center().x(), rect.bottom() + scaled(10 + 15 * line))
        draw_text(painter, at, elided(text, font, rect.width()))


def draw_edges(
    painter: QPainter,
    layout: PageLayout,
    sweep: SweepSettings,
    theme: Theme,
    seen: QRectF,
) -> None:
    """Draw the values of the columns above a grid and those of the rows beside it.

    They stay at the edges of what is seen of the page, wherever it is scrolled to.
    """
    font = plot_font(pixels=12)
    painter.setFont(font)
    across, down = edge_texts(sweep)
    room = layout.cell + GAP - 4
    if any(text_width(text, font) > room for text in across):
        # The name is the same everywhere, the number is not.
        first = sweep.axes[0]
        across = [short_text(first.parameter, value) for value in first.values()]
    left, top, beside = seen.left(), seen.top(), float(layout.margin + GAP - 4)
    head = QRectF(left, top, seen.width(), layout.top)
    painter.fillRect(head, QColor(theme.window))
    painter.setPen(QColor(theme.text))
    for column, text in enumerate(across):
        at = QPointF(layout.rect(column).center().x(), head.center().y())
        draw_text(painter, at, elided(text, font, room))
    # Over the columns too: where they are scrolled away, their names are.
    painter.fillRect(QRectF(left, top, beside, seen.height()), QColor(theme.window))
    painter.setClipRect(seen.adjusted(0, layout.top, 0, 0))
    for row, text in enumerate(reversed(down)):
        rect = layout.rect(row * layout.columns)
        at = QPointF(left + beside - 4, rect.center().y())
        draw_text(painter, at, elided(text, font, layout.margin), 1.0)
    painter.setClipping(False)


def draw_lasso(painter: QPainter, polygon: QPolygonF, theme: Theme) -> None:
    accent = QColor(theme.accent)
    painter.setPen(QPen(accent, 1.5))
    accent.setAlphaF(0.12)
    painter.setBrush(accent)
    painter.drawPolygon(polygon)


def edge_texts(sweep: SweepSettings) -> tuple[list[str], list[str]]:
    first, second = sweep.axes
    return axis_texts(first), axis_texts(second)


def margin_for(texts: list[str]) -> int:
    font = plot_font(pixels=12)
    widest = max(text_width(text, font) for text in texts)
    return int(min(widest, WIDEST_MARGIN)) + 8
