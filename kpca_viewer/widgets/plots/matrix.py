"""How a square matrix is drawn: its picture, strips of classes, scale and marks.

The picture is no `ImageItem` of pyqtgraph, which leaves out rows where it is shrunk
instead of averaging them, and the scale no `ColorBarItem`, which takes 9 ms to make.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.plots.axes import color_of, hairline
from kpca_viewer.widgets.plots.coloring import (
    Bytes,
    diverging,
    diverging_index,
    sequential,
    sequential_index,
)
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.pixels import picture_of
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import Theme

WRITTEN_ROWS = 12
"""Up to so many rows the numbers are written into the cells."""

_PAD, _STRIP, _GAP, _BAR = 8.0, 6.0, 3.0, 10.0
_MARK = 3.0
"""Width of the marks of selected rows along the edges."""
_SMALLEST_FONT = 9
_DUST = 1e-12
"""Share of the largest value; what is smaller is rounding alone."""
_LOW = 10
"""Lines of type; a matrix of less height needs all of it."""
_NAME_GAP, _WIDEST_NAME = 6.0, 56.0


@dataclass(frozen=True, eq=False)
class MatrixColors:
    """The colour of every value of a matrix."""

    table: Bytes
    """Shape (c, 3)."""
    signed: bool
    """Whether the colours diverge from zero."""
    low: float
    high: float
    """The values at the ends of the scale."""

    @classmethod
    def of(cls, matrix: Floats, theme: Theme, *, signed: bool) -> "MatrixColors":
        """Choose colours; a matrix without negative values may have a plain scale."""
        finite = matrix[np.isfinite(matrix)]
        low, high = (
            (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
        )
        signed = signed or low < 0
        return cls(diverging(theme) if signed else sequential(), signed, low, high)

    def colors(self, values: Floats) -> Bytes:
        if self.signed:
            largest = max(abs(self.low), abs(self.high))
            return self.table[diverging_index(values, largest)]
        return self.table[sequential_index(values, self.low, self.high)]

    def image(self, matrix: Floats) -> QImage:
        return picture_of(self.colors(matrix), QImage.Format.Format_RGB888)

    def ticks(self) -> list[float]:
        """Return the values to write beside the scale, lowest first."""
        if self.low == self.high:
            return [self.low]
        inside = self.low < 0 < self.high
        return [self.low, *([0.0] if inside else []), self.high]


@dataclass(frozen=True)
class MatrixLayout:
    """Where everything stands; the matrix is a square."""

    square: QRectF
    rows: int
    bar: QRectF
    """The colour scale."""
    strips: bool
    """Whether there are strips of class colours."""
    beside: float
    above: float
    """Room for the names of rows and columns."""
    caption: QRectF

    @classmethod
    def of(
        cls,
        size: QSizeF,
        rows: int,
        scale_texts: Sequence[str],
        *,
        strips: bool,
        names: Sequence[str] = (),
        caption: str = "",
    ) -> "MatrixLayout":
        """Lay the plot out in an area of some size.

        The caption stands below the matrix, or beside its scale where that lets it be
        larger.
        """
        font = plot_font()
        line = QFontMetricsF(font).height()
        before = _PAD + (_STRIP + _GAP if strips else 0.0)
        widest = max((text_width(name, font) for name in names), default=-_NAME_GAP)
        beside = min(widest, _WIDEST_NAME) + _NAME_GAP
        above = line if names else 0.0
        scale = 2 * _PAD + _BAR + 4 + max(text_width(t, font) for t in scale_texts)
        wide = size.width() - before - beside - scale - _PAD
        high = size.height() - before - above - line - _PAD
        said = text_width(caption, font) + 2 * _PAD
        # In a low panel the height is precious, and there is room at the side.
        aside = high < _LOW * line and high + line + said <= wide
        if aside:
            high += line
            wide -= said
        side = max(min(wide, high), 16.0)
        # Cells of equal size, where they are large enough to be compared.
        if side >= 6 * rows:
            side = rows * (side // rows)
        # In the middle of the room it does not need, together with its scale.
        taken = before + beside + side + scale + (said if aside else 0.0)
        left = max((size.width() - taken) / 2, 0.0)
        top = max((high - side) / 2, 0.0)
        square = QRectF(
            round(left + before + beside), round(top + before + above), side, side
        )
        bar_height = min(side, max(0.7 * side, 80.0))
        bar = QRectF(
            square.right() + 2 * _PAD,
            square.top() + (side - bar_height) / 2,
            _BAR,
            bar_height,
        )
        if aside:
            words = QRectF(
                square.right() + scale + _PAD, square.bottom() - line, said, line
            )
        else:
            words = QRectF(
                _PAD, square.bottom() + 5, max(size.width() - 2 * _PAD, 0.0), line
            )
        return cls(square, rows, bar, strips, beside, above, words)

    @property
    def cell(self) -> float:
        return self.square.width() / self.rows

    def cell_at(self, at: QPointF) -> tuple[int, int] | None:
        if not self.square.contains(at):
            return None
        column = int((at.x() - self.square.left()) / self.cell)
        row = int((at.y() - self.square.top()) / self.cell)
        last = self.rows - 1
        return min(row, last), min(column, last)

    def nearest_cell(self, at: QPointF) -> tuple[int, int]:
        """Return row and column of the cell next to a pixel, which may be outside."""
        square, last = self.square, self.rows - 1
        row, column = (
            min(max(int(way / self.cell), 0), last)
            for way in (at.y() - square.top(), at.x() - square.left())
        )
        return row, column

    def cell_rect(self, row: int, column: int) -> QRectF:
        left = self.square.left() + column * self.cell
        top = self.square.top() + row * self.cell
        return QRectF(left, top, self.cell, self.cell)


def draw_image(painter: QPainter, layout: MatrixLayout, image: QImage) -> None:
    """Paint the matrix: sharp where it is enlarged, averaged where it is shrunk."""
    ratio = painter.deviceTransform().m11()
    shrunk = layout.square.width() * ratio < layout.rows
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    if shrunk:
        side = max(1, round(layout.square.width() * ratio))
        image = image.scaled(
            side,
            side,
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    painter.drawImage(layout.square, image)


def draw_frame(
    painter: QPainter, layout: MatrixLayout, theme: Theme, breaks: Sequence[int]
) -> None:
    square = layout.square
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    # Many lines together weigh more than one.
    strength = 0.55 if len(breaks) < 8 else 0.25
    painter.setPen(QPen(color_of(theme, "text", strength), 1.0))
    for at in breaks:
        x, y = (round(start + at * layout.cell) for start in (square.x(), square.y()))
        painter.drawLine(QLineF(x, square.top(), x, square.bottom() - 1))
        painter.drawLine(QLineF(square.left(), y, square.right() - 1, y))
    painter.setPen(hairline(theme.outline))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(square.adjusted(-1, -1, 0, 0))


def draw_strips(
    painter: QPainter, layout: MatrixLayout, runs: Sequence[tuple[int, int, QColor]]
) -> None:
    """Paint the colours of classes, (first, end, colour), along left and top."""
    square = layout.square
    left = square.left() - layout.beside - _GAP - _STRIP
    top = square.top() - layout.above - _GAP - _STRIP
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for first, end, color in runs:
        a, b = (round(position * layout.cell) for position in (first, end))
        # Neighbouring classes stay apart by a pixel, where there is one.
        length = max(b - a - (1 if b - a > 3 else 0), 1)
        painter.fillRect(QRectF(left, square.top() + a, _STRIP, length), color)
        painter.fillRect(QRectF(square.left() + a, top, length, _STRIP), color)


def draw_names(
    painter: QPainter, layout: MatrixLayout, theme: Theme, names: Sequence[str]
) -> None:
    square = layout.square
    font = plot_font()
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    # Of rows that are lower than their names, every second or third has one.
    tall = QFontMetricsF(font).height() * 0.8
    step = max(1, ceil(tall / max(layout.cell, 1.0)))
    for index, name in list(enumerate(names))[::step]:
        middle = (index + 0.5) * layout.cell
        at = QPointF(square.left() - _NAME_GAP + 1, square.top() + middle)
        draw_text(painter, at, elided(name, font, _WIDEST_NAME), 1.0, 0.5)
        at = QPointF(square.left() + middle, square.top() - 1)
        draw_text(painter, at, elided(name, font, step * layout.cell - 2), 0.5, 1.0)


def draw_values(
    painter: QPainter, layout: MatrixLayout, matrix: Floats, colors: MatrixColors
) -> None:
    written = written_values(matrix, layout.cell - 4)
    if written is None:
        return
    texts, font = written
    painter.setFont(font)
    backgrounds = colors.colors(matrix).astype(np.float64) / 255
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            dark = _luminance(backgrounds[row, column]) < 0.22
            painter.setPen(QColor("#FFFFFF" if dark else "#15171C"))
            draw_text(painter, layout.cell_rect(row, column).center(), text)


def written_values(matrix: Floats, room: float) -> tuple[list[list[str]], QFont] | None:
    """Return values of up to three digits and a font for such cells, or None."""
    finite = np.abs(matrix[np.isfinite(matrix)])
    # One long number of rounding would leave no room for all the others.
    dust = np.abs(matrix) < _DUST * finite.max(initial=0.0)
    shown = np.where(dust, 0.0, matrix)
    # In front of a class two large digits are better than three small ones, and small
    # ones are better than none.
    legible = round(_SMALLEST_FONT * type_scale())
    for digits, smallest in ((3, legible), (2, legible), (2, _SMALLEST_FONT)):
        texts = [[ungrouped(float(v), digits) for v in row] for row in shown]
        font = _font_that_fits([t for row in texts for t in row], room, smallest)
        if font is not None:
            return texts, font
    return None


def draw_scale(
    painter: QPainter, layout: MatrixLayout, theme: Theme, colors: MatrixColors
) -> None:
    bar = layout.bar
    steps = max(int(bar.height()), 2)
    values = np.linspace(colors.high, colors.low, steps)[:, None]
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(bar, colors.image(values))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(hairline(theme.outline))
    painter.drawRect(bar.adjusted(-1, -1, 0, 0))
    painter.setFont(plot_font())
    painter.setPen(QColor(theme.muted))
    line = QFontMetricsF(painter.font()).height()
    extent = colors.high - colors.low
    places = []
    for value in colors.ticks():
        share = (colors.high - value) / extent if extent else 0.5
        places.append((bar.top() + share * bar.height(), ungrouped(value, 3)))
    for index, (y, text) in enumerate(places):
        # Zero gives way to the ends, which say how far the colours reach.
        ends = (places[0][0], places[-1][0])
        if 0 < index < len(places) - 1 and min(abs(y - end) for end in ends) < line:
            continue
        draw_text(painter, QPointF(bar.right() + 5, y), text, 0.0, 0.5)


def draw_caption(
    painter: QPainter, layout: MatrixLayout, theme: Theme, text: str
) -> None:
    painter.setFont(plot_font())
    painter.setPen(QColor(theme.muted))
    text = elided(text, painter.font(), layout.caption.width())
    at = QPointF(layout.square.center().x(), layout.caption.top())
    draw_text(painter, at, text, 0.5, 0.0, inside=layout.caption)


def draw_chosen(
    painter: QPainter, layout: MatrixLayout, theme: Theme, positions: Sequence[int]
) -> None:
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
    layout: MatrixLayout,
    theme: Theme,
    one: tuple[int, int],
    other: tuple[int, int],
) -> None:
    rect = layout.cell_rect(*one).united(layout.cell_rect(*other))
    painter.fillRect(rect, color_of(theme, "accent", 0.15))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in ((theme.card, 3.0), (theme.accent, 1.5)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawRect(rect)


def draw_highlight(
    painter: QPainter, layout: MatrixLayout, theme: Theme, positions: Sequence[int]
) -> None:
    square, cell = layout.square, layout.cell
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(color_of(theme, "text", 0.8), 1.0))
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
    painter: QPainter, layout: MatrixLayout, theme: Theme, row: int, column: int
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = layout.cell_rect(row, column)
    grow = max(0.0, (7 - layout.cell) / 2)
    rect = rect.adjusted(-grow, -grow, grow, grow)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Two rings, since the colour below may be any.
    for color, width in ((theme.card, 4.0), (theme.accent, 2.0)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawRect(rect)


def class_runs(codes: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Return (first, end, code) of neighbouring rows (m,) of the same class."""
    starts = np.flatnonzero(np.diff(codes, prepend=codes[0] - 1))
    ends = [*starts[1:].tolist(), len(codes)]
    return [(int(a), int(b), int(codes[a])) for a, b in zip(starts, ends, strict=True)]


def _font_that_fits(texts: list[str], room: float, smallest: int) -> QFont | None:
    font = plot_font()
    # Where cells are large, so are their numbers.
    largest = round(max(14, 0.28 * room) * type_scale())
    for pixels in range(largest, smallest - 1, -1):
        font.setPixelSize(pixels)
        # Large numbers leave air between cells; small ones take what there is.
        limit = room if pixels <= 14 else 0.75 * room
        if pixels <= room and max(text_width(text, font) for text in texts) <= limit:
            return font
    return None


def _luminance(rgb: Floats) -> float:
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))
