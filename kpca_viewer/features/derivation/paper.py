"""The derivation on paper: all steps as they are folded, as large as there is room."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgRenderer

from kpca_viewer.features.derivation.grid_content import GridContent
from kpca_viewer.features.derivation.grid_painter import GridLayout, draw_grid
from kpca_viewer.widgets.controls.formula_label import MAGNIFICATION, SIZE, typeset
from kpca_viewer.widgets.icons import INK
from kpca_viewer.widgets.plots.text import draw_text, plot_font, printed_type
from kpca_viewer.widgets.theme import Theme

_MOST_COLUMNS = 4
_LARGEST = 1.25
"""Type on paper is never so many times larger than on the screen."""
_PAD, _GAP, _INDENT = 12.0, 6.0, 18.0
_LEAST_WIDTH = 300.0
_WRAPPED = int(Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True, eq=False)
class SheetLine:
    """One step as it is printed."""

    title: str
    formula: str
    """In LaTeX."""
    plain: str
    """Printed where the formula cannot be set."""
    texts: tuple[tuple[str, bool], ...] = ()
    """Sentences, each with whether it says that something is wrong."""
    grids: tuple[tuple[GridContent, ...], ...] = ()
    """Those that stand beside each other together."""


def paint_sheet(
    painter: QPainter, rect: QRectF, theme: Theme, lines: Sequence[SheetLine]
) -> None:
    """Paint all steps into a rectangle, in as many columns as make them largest."""
    if not lines:
        return
    with printed_type():
        blocks = [_Block(line, theme) for line in lines]
        width = max(_LEAST_WIDTH, *(block.natural_width() for block in blocks))
        heights = [block.height(width) for block in blocks]
        columns, scale = _fitted(heights, width, rect.size())
        painter.save()
        painter.translate(rect.topLeft())
        painter.scale(scale, scale)
        x = _PAD
        for first, end in columns:
            y = _PAD
            for block, height in zip(
                blocks[first:end], heights[first:end], strict=True
            ):
                block.draw(painter, QPointF(x, y), width)
                y += height
            x += width + 2 * _PAD
        painter.restore()


def _fitted(
    heights: Sequence[float], width: float, room: QSizeF
) -> tuple[list[tuple[int, int]], float]:
    """Return first and end of every column, and the scale at which all fit."""
    best: tuple[list[tuple[int, int]], float] = ([(0, len(heights))], 0.0)
    for count in range(1, min(_MOST_COLUMNS, len(heights)) + 1):
        columns = _split(heights, count)
        high = max(sum(heights[a:b]) for a, b in columns) + 2 * _PAD
        across = len(columns) * (width + 2 * _PAD)
        scale = min(room.width() / across, room.height() / high, _LARGEST)
        if scale > best[1]:
            best = columns, scale
    return best


def _split(heights: Sequence[float], count: int) -> list[tuple[int, int]]:
    """Cut the steps, in their order, into so many columns of about one height."""
    ends = np.cumsum(heights)
    # At the nearer end of the step that a share of the height falls into.
    shares = ends[-1] * np.arange(1, count) / count
    cuts = np.searchsorted(ends - np.asarray(heights) / 2, shares)
    return list(pairwise(sorted({0, *cuts.tolist(), len(heights)})))


class _Block:
    """One step: title and formula in a line, sentences, grids."""

    def __init__(self, line: SheetLine, theme: Theme) -> None:
        self._line = line
        self._theme = theme
        self._grids = [
            [(grid, GridLayout.of(grid)) for grid in row if grid.lines]
            for row in line.grids
        ]
        self._bold, self._font = plot_font(bold=True), plot_font()
        self._title_width = QFontMetricsF(self._bold).horizontalAdvance(line.title)
        svg = typeset(line.formula)
        self._renderer = None
        self._formula = QSizeF(
            QFontMetricsF(self._font).horizontalAdvance(line.plain),
            QFontMetricsF(self._font).height(),
        )
        if svg is not None:
            inked = svg.replace(INK, theme.text)
            self._renderer = QSvgRenderer(QByteArray(inked.encode()))
            size = self._renderer.viewBoxF().size()
            self._formula = size * (self._font.pixelSize() * MAGNIFICATION / SIZE)

    def natural_width(self) -> float:
        rows = [
            sum(layout.size.width() + 2 * _PAD for _, layout in row) + _INDENT
            for row in self._grids
        ]
        return max([self._title_width + 2 * _PAD + self._formula.width(), *rows])

    def _top(self) -> float:
        return max(self._formula.height(), QFontMetricsF(self._bold).height()) + _GAP

    def _text_height(self, text: str, width: float) -> float:
        room = QRectF(0, 0, width - _INDENT, 10_000)
        return QFontMetricsF(self._font).boundingRect(room, _WRAPPED, text).height()

    def height(self, width: float) -> float:
        texts = sum(self._text_height(t, width) + _GAP for t, _ in self._line.texts)
        grids = sum(_row_height(row) + _GAP for row in self._grids if row)
        return self._top() + texts + grids + _PAD

    def draw(self, painter: QPainter, at: QPointF, width: float) -> None:
        theme, top = self._theme, self._top()
        middle = at.y() + (top - _GAP) / 2
        painter.setFont(self._bold)
        painter.setPen(QColor(theme.text))
        draw_text(painter, QPointF(at.x(), middle), self._line.title, 0.0, 0.5)
        left = at.x() + self._title_width + 2 * _PAD
        corner = QPointF(left, middle - self._formula.height() / 2)
        if self._renderer is None:
            painter.setFont(self._font)
            draw_text(painter, QPointF(left, middle), self._line.plain, 0.0, 0.5)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._renderer.render(painter, QRectF(corner, self._formula))
        x, y = at.x() + _INDENT, at.y() + top
        for text, wrong in self._line.texts:
            height = self._text_height(text, width)
            painter.setFont(self._font)
            painter.setPen(QColor(theme.error if wrong else theme.muted))
            room = QRectF(x, y, width - _INDENT, height + 2)
            painter.drawText(room, _WRAPPED, text)
            y += height + _GAP
        for row in self._grids:
            if row:
                self._draw_row(painter, QPointF(x, y), row)
                y += _row_height(row) + _GAP

    def _draw_row(
        self,
        painter: QPainter,
        at: QPointF,
        row: Sequence[tuple[GridContent, GridLayout]],
    ) -> None:
        painter.save()
        painter.translate(at)
        for grid, layout in row:
            draw_grid(painter, layout, grid, self._theme)
            painter.translate(layout.size.width() + 2 * _PAD, 0)
        painter.restore()


def _row_height(row: Sequence[tuple[GridContent, GridLayout]]) -> float:
    return max(layout.size.height() for _, layout in row)
