"""HeatMap: a measure over two parameters.

Its cells are no image: they stand apart, and those that failed are crossed out.
"""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)

from kpca_viewer.engine.sweep.measures import DEFAULT_MEASURE, MEASURES
from kpca_viewer.engine.sweep.parameters import (
    Value,
    short_text,
    symbol_of,
    value_text,
)
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.features.sweep.text import point_lines
from kpca_viewer.widgets.plots.coloring import sequential, sequential_index
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import draw_failure

BEST, CURRENT, INK = "#FFB000", "#FFFFFF", "#14161A"
"""Of the frames around cells, the same in both themes as the colours of the map are."""

TOP, RIGHT, BOTTOM = 28.0, 12.0, 46.0
WIDEST = 130.0
"""Pixels for the values of the rows at most; a kernel has a long name."""


class HeatMap(PaintedPlot):
    """One coloured cell for every pair of values; a click takes it."""

    adopted = Signal(object)
    """The `SweepPoint` that was clicked."""
    marked = Signal(object)
    """The `SweepPoint` that was reached with the arrow keys; Enter takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sweep_heat_map")
        self.setAccessibleName("Measure over two parameters")
        self.setAccessibleDescription(
            "Arrow keys go from cell to cell, Enter takes its values."
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._result: SweepResult | None = None
        self._measure = MEASURES[DEFAULT_MEASURE]
        self._current: int | None = None
        self._left = 56.0

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        if self._result is not None:
            self._fit_values(self._result.sweep)

    def show_result(self, result: SweepResult) -> None:
        old, self._result = self._result, result
        # Every point that comes is another result of the same sweep.
        if old is None or old.sweep != result.sweep:
            self._fit_values(result.sweep)
        self.update()

    def _fit_values(self, sweep: SweepSettings) -> None:
        """Leave as much room beside the map as its widest value takes."""
        texts = [_text(sweep.axes[-1], v) for v in sweep.axes[-1].values()]
        widest = max(text_width(text, plot_font(pixels=11)) for text in texts)
        self._left = min(widest, WIDEST) + 14
        self.update()

    def set_measure(self, key: str) -> None:
        self._measure = MEASURES[key]
        self.update()

    def set_current(self, index: int | None) -> None:
        self._current = index
        self.update()

    def cell_rect(self, index: int, size: QSizeF | None = None) -> QRectF:
        assert self._result is not None
        size = size or QSizeF(self.size())
        columns, rows = self._result.sweep.shape
        column, row = self._result.sweep.cell(index)
        width = (size.width() - self._left - RIGHT) / columns
        height = (size.height() - TOP - BOTTOM) / rows
        # The second parameter grows upwards, as in every plot.
        top = TOP + (rows - 1 - row) * height
        return QRectF(self._left + column * width, top, width, height)

    def steps(self, size: QSizeF | None = None) -> tuple[int, int]:
        """Return that every n-th column and every m-th row has its value beside it.

        As many as do not touch; of kernels all, in short.
        """
        assert self._result is not None
        font, cell = plot_font(pixels=11), self.cell_rect(0, size)
        axis = self._result.sweep.axes[0]
        widest = max(text_width(_text(axis, v), font) for v in axis.values())
        across = math.ceil((widest + 8) / max(cell.width(), 1.0))
        up = math.ceil(QFontMetricsF(font).height() / max(cell.height(), 1.0))
        return 1 if axis.is_of_kernels else across, up

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint everything into an area from the origin."""
        result = self._result
        if result is None or len(result.sweep.axes) < 2:
            return
        values = result.curve(self._measure.key)
        finite = values[np.isfinite(values)]
        low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
        table, index = sequential(), sequential_index(values, low, high)
        best = result.best(self._measure.key)
        marked: list[tuple[QRectF, str]] = []
        for place, point in enumerate(result.points):
            rect = self.cell_rect(point.index, size)
            inner = rect.adjusted(0.5, 0.5, -0.5, -0.5)
            if np.isfinite(values[place]):
                color = QColor(*(int(c) for c in table[index[place]]))
                painter.fillRect(inner, color)
            elif point.error:
                draw_failure(painter, inner, self.theme, applies=point.applies)
            else:
                painter.fillRect(inner, QColor(self.theme.border))
            if point is best:
                marked.append((rect, BEST))
            if live and point.index == self._current:
                marked.append((rect, CURRENT))
        self._draw_marks(painter, marked)
        self._draw_names(painter, size, float(low), float(high))
        if live and self.hasFocus():
            painter.setPen(QPen(QColor(self.theme.accent), 1.0))
            painter.drawRoundedRect(
                QRectF(0.5, 0.5, size.width() - 1, size.height() - 1), 5, 5
            )

    def _draw_marks(self, painter: QPainter, marked: list[tuple[QRectF, str]]) -> None:
        """Draw a frame that is seen on every colour of the map: light inside dark."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        both = len(marked) == 2 and marked[0][0] == marked[1][0]
        for place, (rect, line) in enumerate(marked):
            # The one inside the other where the best cell is the current one; around
            # a narrow cell, so that its colour is still seen.
            inset = 2.5 if both and place == 1 else -1.5
            frame = rect.adjusted(inset, inset, -inset, -inset)
            for color, width in ((INK, 5.0), (line, 2.0)):
                pen = QPen(QColor(color), width)
                pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
                painter.setPen(pen)
                painter.drawRect(frame)

    def _draw_names(
        self, painter: QPainter, size: QSizeF, low: float, high: float
    ) -> None:
        assert self._result is not None
        sweep, theme = self._result.sweep, self.theme
        columns = sweep.shape[0]
        painter.setFont(plot_font(pixels=11))
        painter.setPen(QColor(theme.muted))
        first, second = sweep.axes
        across, up = self.steps(size)
        for column in range(0, columns, across):
            rect = self.cell_rect(column, size)
            value, wide = first.values()[column], across * rect.width() - 2
            text = _text(first, value)
            if text_width(text, painter.font()) > wide:
                text = _cut(short_text(first.parameter, value), painter.font(), wide)
            at = QPointF(rect.center().x(), size.height() - BOTTOM + 10)
            draw_text(painter, at, text)
        for row in range(0, sweep.shape[1], up):
            rect = self.cell_rect(row * columns, size)
            text = elided(_text(second, second.values()[row]), painter.font(), WIDEST)
            beside = QPointF(self._left - 6, rect.center().y())
            room = QRectF(0, 0, self._left, size.height())
            draw_text(painter, beside, text, 1.0, inside=room)
        painter.setPen(QColor(theme.text))
        middle = self._left + (size.width() - self._left - RIGHT) / 2
        draw_text(
            painter, QPointF(middle, size.height() - 14), symbol_of(first.parameter)
        )
        draw_text(painter, QPointF(6, TOP / 2), symbol_of(second.parameter), 0.0)
        ends = f"{self._measure.text(low)} … {self._measure.text(high)}"
        text = f"{self._measure.title} {ends}"
        before = text_width(symbol_of(second.parameter), painter.font()) + 18
        if text_width(text, painter.font()) > size.width() - RIGHT - before:
            text = ends  # which measure it is stands above the pictures too
        draw_text(painter, QPointF(size.width() - RIGHT, TOP / 2), text, 1.0)

    def _point_under(self, at: QPointF) -> SweepPoint | None:
        if self._result is None:
            return None
        for point in self._result.points:
            if self.cell_rect(point.index).contains(at):
                return point
        return None

    def sizeHint(self) -> QSize:
        return QSize(340, 300)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 160)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = self._point_under(event.position())
        if point is None or self._result is None:
            self.show_label(None)
            return
        text = point_lines(self._result.sweep, point, self._measure)
        self.show_label(event.position(), text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = self._point_under(event.position())
        if (
            event.button() == Qt.MouseButton.LeftButton
            and point is not None
            and not point.error
        ):
            self.adopted.emit(point)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, 1),
            Qt.Key.Key_Down: (0, -1),
        }
        key, result = event.key(), self._result
        if result is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            point = self._point(self._current)
            if point is not None:
                self.adopted.emit(point)
        elif key in steps:
            self._walk(*steps[Qt.Key(key)])
        else:
            super().keyPressEvent(event)

    def _walk(self, across: int, up: int) -> None:
        """Mark the next cell in a direction that has a picture."""
        assert self._result is not None
        columns, rows = self._result.sweep.shape
        column, row = self._result.sweep.cell(self._current or 0)
        while True:
            column, row = column + across, row + up
            if not (0 <= column < columns and 0 <= row < rows):
                return
            point = self._point(row * columns + column)
            if point is not None:
                self.marked.emit(point)
                return

    def _point(self, index: int | None) -> SweepPoint | None:
        points = () if self._result is None else self._result.points
        found = (p for p in points if p.index == index and not p.error)
        return next(found, None)


def _cut(text: str, font: QFont, width: float) -> str:
    """Return the beginning of a name: dots would take the room of its letters."""
    while len(text) > 1 and text_width(text, font) > width:
        text = text[:-1]
    return text


def _text(axis: SweepAxis, value: Value) -> str:
    return value_text(axis.parameter, value)
