"""How a grid of numbers is laid out and painted, on the screen and on paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from kpca_viewer.features.derivation.grid_content import DOTS, Cell, GridContent
from kpca_viewer.widgets.plots.coloring import diverging, diverging_index
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided_apart,
    plot_font,
    text_width,
)
from kpca_viewer.widgets.theme import Theme

_USUAL = "−0.0000"
"""Columns are never narrower: numbers that change while a hand moves stay in place."""
_PAD, _BRACKET, _GAP = 5.0, 5.0, 5.0
_WIDEST_NAME = 96.0
_TINT = 0.5, 0.55
"""How far the colours of a matrix go, and how much of them is behind its numbers."""
STRONG_TINTS = {"light": (0.63, 1.0), "dark": (0.5, 0.9)}
"""The same in front of a class, where the strongest has three times the ground."""
_MARKED = 0.16


@dataclass(frozen=True)
class GridLayout:
    """Where everything of a grid stands, from the origin."""

    size: QSizeF
    cells: QRectF
    """All numbers, with the dots where the matrix goes on."""
    edges: tuple[float, ...]
    """Left ends of the columns, and the right end of the last."""
    line: float
    """Height of one line."""
    lines: int
    beside: float
    """Width of the names of lines."""

    @classmethod
    def of(cls, content: GridContent) -> "GridLayout":
        font = plot_font()
        metrics = QFontMetricsF(font)
        line = round(metrics.height() * 1.45)
        least = metrics.horizontalAdvance(_USUAL)
        widths = [
            max(
                least,
                *(metrics.horizontalAdvance(row[j]) for row in content.texts),
                min(_width(content.column_name(j)), _widest()),
            )
            + 2 * _PAD
            for j in range(content.columns)
        ]
        symbol = text_width(content.symbol, plot_font(bold=True))
        symbol += 2 * _GAP if content.symbol else 0.0
        beside = max((_width(name) for name in content.line_names), default=0.0)
        beside = min(beside, _widest())
        left = round(symbol + (beside + _GAP if beside else 0.0) + _BRACKET + 1)
        above = line if content.column_names else 0.0
        edges = tuple(accumulate(widths, initial=float(left)))
        dots = metrics.horizontalAdvance(DOTS) + 2 * _PAD if content.more_columns else 0
        high = line * (content.lines + content.more_lines)
        cells = QRectF(left, above + 2, edges[-1] + dots - left, high)
        size = QSizeF(cells.right() + _BRACKET + 2, cells.bottom() + 3)
        return cls(size, cells, edges, line, content.lines, beside)

    def cell_at(self, at: QPointF) -> Cell | None:
        """Return the cell at a pixel; None beside the numbers."""
        if not self.numbers.contains(at):
            return None
        return self.nearest_cell(at)

    def nearest_cell(self, at: QPointF) -> Cell:
        """Return the cell next to a pixel, which may be outside."""
        line = int((at.y() - self.cells.top()) // self.line)
        column = int(np.searchsorted(self.edges, at.x(), side="right")) - 1
        last = len(self.edges) - 2
        return min(max(line, 0), self.lines - 1), min(max(column, 0), last)

    @property
    def numbers(self) -> QRectF:
        return QRectF(
            self.cells.left(),
            self.cells.top(),
            self.edges[-1] - self.cells.left(),
            self.line * self.lines,
        )

    def rect(self, first: Cell, last: Cell | None = None) -> QRectF:
        """Return the place of a cell, or of all from one to another."""
        (top, bottom), (left, right) = (
            sorted(pair) for pair in zip(first, last or first, strict=True)
        )
        x, y = self.edges[left], self.cells.top() + top * self.line
        return QRectF(x, y, self.edges[right + 1] - x, (bottom + 1 - top) * self.line)


def _width(text: str) -> float:
    return text_width(text, plot_font())


def _widest() -> float:
    return _WIDEST_NAME * plot_font().pixelSize() / 12


def draw_grid(
    painter: QPainter, layout: GridLayout, content: GridContent, theme: Theme
) -> None:
    """Paint the numbers between their brackets, with names and tints."""
    if content.is_tinted:
        _draw_tints(painter, layout, content, theme)
    _draw_names(painter, layout, content, theme)
    painter.setFont(plot_font())
    painter.setPen(QColor(theme.text))
    metrics = QFontMetricsF(painter.font())
    drop = (layout.line + metrics.ascent() - metrics.descent()) / 2
    top = layout.cells.top()
    for i, texts in enumerate(content.texts):
        baseline = top + i * layout.line + drop
        for j, text in enumerate(texts):
            x = layout.edges[j + 1] - _PAD - metrics.horizontalAdvance(text)
            painter.drawText(QPointF(x, baseline), text)
    _draw_dots(painter, layout, content, theme)
    _draw_brackets(painter, layout, content, theme)


def _draw_tints(
    painter: QPainter, layout: GridLayout, content: GridContent, theme: Theme
) -> None:
    values = np.nan_to_num(content.values)
    largest = float(np.abs(values).max(initial=0.0))
    card = np.array(QColor(theme.card).getRgb()[:3], dtype=np.float64)  # type: ignore[index]
    # The strong half of the colours would be too dark, or too bright, behind a number.
    depth, strength = STRONG_TINTS[theme.name] if theme.strong else _TINT
    table = diverging(theme)[diverging_index(depth * values, largest)]
    mixed = np.rint(card + strength * (table - card)).astype(int)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for (i, j), value in np.ndenumerate(values):
        if value:
            painter.fillRect(layout.rect((i, j)), QColor(*mixed[i, j].tolist()))


def _draw_names(
    painter: QPainter, layout: GridLayout, content: GridContent, theme: Theme
) -> None:
    cells = layout.cells
    painter.setPen(QColor(theme.text))
    painter.setFont(plot_font(bold=True))
    middle = cells.top() + layout.line * layout.lines / 2
    draw_text(painter, QPointF(0, middle), content.symbol, 0.0, 0.5)
    font = plot_font()
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    right = cells.left() - _BRACKET - _GAP
    for i, name in enumerate(elided_apart(content.line_names, font, _widest())):
        at = QPointF(right, cells.top() + (i + 0.5) * layout.line)
        draw_text(painter, at, name, 1.0, 0.5)
    for j in range(len(content.column_names)):
        at = QPointF(layout.edges[j + 1] - _PAD, cells.top() - layout.line / 2)
        room = layout.edges[j + 1] - layout.edges[j] - _PAD
        name = elided_apart(content.column_names, font, room)[j]
        draw_text(painter, at, name, 1.0, 0.5)


def _draw_dots(
    painter: QPainter, layout: GridLayout, content: GridContent, theme: Theme
) -> None:
    painter.setPen(QColor(theme.muted))
    cells = layout.cells
    if content.more_lines:
        y = cells.bottom() - layout.line / 2
        for j in range(content.columns):
            draw_text(painter, QPointF(layout.edges[j + 1] - _PAD, y), "⋮", 1.0, 0.5)
    if content.more_columns:
        x = (layout.edges[-1] + cells.right()) / 2
        for i in range(content.lines):
            y = cells.top() + (i + 0.5) * layout.line
            draw_text(painter, QPointF(x, y), DOTS, 0.5, 0.5)


def _draw_brackets(
    painter: QPainter, layout: GridLayout, content: GridContent, theme: Theme
) -> None:
    cells = layout.cells
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(QColor(theme.muted), 1.2))
    for x, inward in ((cells.left() - _BRACKET, 4.0), (cells.right() + _BRACKET, -4.0)):
        top, bottom = cells.top() - 1, cells.bottom()
        painter.drawLine(QLineF(x, top, x, bottom))
        painter.drawLine(QLineF(x, top, x + inward, top))
        painter.drawLine(QLineF(x, bottom, x + inward, bottom))
    if content.added:
        # New points are measured by the matrix, they are not in it.
        y = cells.top() + (content.lines - content.added) * layout.line
        painter.setPen(QPen(QColor(theme.muted), 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(cells.left(), y, cells.right(), y))


def draw_marks(
    painter: QPainter,
    layout: GridLayout,
    theme: Theme,
    lines: Sequence[int],
    columns: Sequence[int],
) -> None:
    """Mark whole lines and columns of rows that are pointed at in any plot."""
    color = QColor(theme.accent)
    color.setAlphaF(_MARKED)
    numbers = layout.numbers
    for line in lines:
        y = numbers.top() + line * layout.line
        painter.fillRect(QRectF(numbers.left(), y, numbers.width(), layout.line), color)
    for column in columns:
        x, end = layout.edges[column], layout.edges[column + 1]
        painter.fillRect(QRectF(x, numbers.top(), end - x, numbers.height()), color)


def draw_sources(
    painter: QPainter, layout: GridLayout, theme: Theme, cells: Sequence[Cell]
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(QColor(theme.accent), 2.0))
    for cell in cells:
        rect = layout.rect(cell)
        y = rect.bottom() - 2
        painter.drawLine(QLineF(rect.left() + 4, y, rect.right() - 4, y))


def draw_selection(painter: QPainter, theme: Theme, rect: QRectF) -> None:
    color = QColor(theme.accent)
    color.setAlphaF(0.25)
    painter.fillRect(rect, color)


def draw_outline(
    painter: QPainter, theme: Theme, rect: QRectF, *, pinned: bool
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.accent), 2.4 if pinned else 1.5))
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3)
