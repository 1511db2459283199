"""How the pictures of a gallery look: frames, captions, edges of a grid."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from kpca_viewer.engine.sweep.parameters import short_text
from kpca_viewer.engine.sweep.settings import SweepSettings, axis_texts
from kpca_viewer.features.sweep.page_layout import GAP, PageLayout, scaled
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
)
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import draw_failure

WIDEST_MARGIN = 120
RING = 5.0
"""Radius of the mark around the row that is pointed at."""


@dataclass(frozen=True)
class Cell:
    """One picture as it is drawn."""

    rect: QRectF
    pixmap: QPixmap | None = None
    """None where there is no picture, or none yet."""
    lines: tuple[str, ...] = ()
    """Below it."""
    failed: bool = False
    absent: bool = False
    best: bool = False
    current: bool = False
    """Absent is a value for which there can be no picture."""
    ring: QPointF | None = None
    """The place of the row that is pointed at somewhere."""


def draw_cell(painter: QPainter, cell: Cell, theme: Theme) -> None:
    """Draw a picture with its frame and what is said about it."""
    rect = cell.rect
    color, width = theme.border, 1.0
    if cell.best:
        color, width = theme.warning, 2.0
    if cell.current:
        color, width = theme.accent, 2.0
    painter.setPen(QPen(QColor(color), width))
    painter.setBrush(QColor(theme.card if cell.lines else theme.window))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    if cell.failed or cell.absent:
        draw_failure(painter, rect, theme, applies=not cell.absent)
    elif cell.pixmap is not None:
        painter.drawPixmap(rect.topLeft(), cell.pixmap)
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
    """Draw the line around points that are being selected."""
    accent = QColor(theme.accent)
    painter.setPen(QPen(accent, 1.5))
    accent.setAlphaF(0.12)
    painter.setBrush(accent)
    painter.drawPolygon(polygon)


def edge_texts(sweep: SweepSettings) -> tuple[list[str], list[str]]:
    """Return the values of the columns and of the rows of a grid, with their names."""
    first, second = sweep.axes
    return axis_texts(first), axis_texts(second)


def margin_for(texts: list[str]) -> int:
    """Return the room that the values of the rows need."""
    font = plot_font(pixels=12)
    widest = max(text_width(text, font) for text in texts)
    return int(min(widest, WIDEST_MARGIN)) + 8
