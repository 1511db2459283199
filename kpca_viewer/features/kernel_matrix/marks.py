"""What mouse, keys and selection mark in a kernel matrix."""

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kpca_viewer.features.kernel_matrix.drawing import GramLayout
from kpca_viewer.widgets.theme import Theme

_MARK = 3.0
"""Width of the marks of selected rows along the edges."""


def draw_chosen(
    painter: QPainter, layout: GramLayout, theme: Theme, positions: Sequence[int]
) -> None:
    """Mark selected rows and columns along the left and the top edge."""
    square, cell = layout.square, layout.cell
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    color = QColor(theme.accent)
    for position in positions:
        start, length = position * cell, max(cell, 1.0)
        left, top = square.left() - _MARK, square.top() - _MARK
        painter.fillRect(QRectF(left, square.top() + start, _MARK, length), color)
        painter.fillRect(QRectF(square.left() + start, top, length, _MARK), color)


def draw_range(
    painter: QPainter,
    layout: GramLayout,
    theme: Theme,
    one: tuple[int, int],
    other: tuple[int, int],
) -> None:
    """Outline the cells between two corners while they are dragged over."""
    rect = layout.cell_rect(*one).united(layout.cell_rect(*other))
    fill = QColor(theme.accent)
    fill.setAlphaF(0.15)
    painter.fillRect(rect, fill)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in ((theme.card, 3.0), (theme.accent, 1.5)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawRect(rect)


def draw_highlight(
    painter: QPainter, layout: GramLayout, theme: Theme, positions: Sequence[int]
) -> None:
    """Mark rows and columns of the matrix."""
    square, cell = layout.square, layout.cell
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    color = QColor(theme.text)
    color.setAlphaF(0.8)
    painter.setPen(QPen(color, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for position in positions:
        start = position * cell
        width = max(cell, 1.0)
        across = QRectF(square.left(), square.top() + start, square.width(), width)
        down = QRectF(square.left() + start, square.top(), width, square.height())
        if cell >= 4:
            painter.drawRect(across.adjusted(0, 0, -1, -1))
            painter.drawRect(down.adjusted(0, 0, -1, -1))
        else:
            y, x = round(across.center().y()), round(down.center().x())
            painter.drawLine(QLineF(square.left(), y, square.right() - 1, y))
            painter.drawLine(QLineF(x, square.top(), x, square.bottom() - 1))


def draw_pair(
    painter: QPainter, layout: GramLayout, theme: Theme, row: int, column: int
) -> None:
    """Mark one cell."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = layout.cell_rect(row, column)
    grow = max(0.0, (7 - layout.cell) / 2)
    rect = rect.adjusted(-grow, -grow, grow, grow)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Two rings, since the colour below may be any.
    for color, width in ((theme.card, 4.0), (theme.accent, 2.0)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawRect(rect)
