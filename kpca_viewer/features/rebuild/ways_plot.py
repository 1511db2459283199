"""Three ways to the same scores, over each other."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)

from kpca_viewer.features.rebuild.text import WAYS, some_rows, way_lines
from kpca_viewer.widgets.plots.axes import margins, round_ticks
from kpca_viewer.widgets.plots.chart import Chart
from kpca_viewer.widgets.plots.frame import REACH, Frame, equal_ranges, fitted_ranges
from kpca_viewer.widgets.plots.linking import Mask, mode_of
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import Theme

Array = NDArray[Any]

MOST_MARKED = 600
"""Rows whose marks are drawn: more lie on top of each other."""

_GAP = 18.0
_FADED = 0.2


class WaysPlot(PaintedPlot):
    """Every row as a ring, a cross and a dot, where the three ways put it.

    The mouse points at a row, a click selects it, Shift adds and Alt removes. The
    arrow keys walk from row to row, Enter selects.
    """

    row_hovered = Signal(object)
    """A position among the rows that are shown, or None."""
    row_selected = Signal(int, str)
    """A position, and "replace", "add" or "remove"."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ways_view")
        self.setAccessibleName("Classical MDS, PCA and the linear kernel")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.chart = Chart()
        self._scores: Array = np.empty((3, 0, 2))
        self._colors: list[QColor] = []
        self._names = ("", "")
        self._describe: Callable[[int], str] = str
        self._words = ""
        self._at: int | None = None
        self._chosen: Mask | None = None

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.chart.set_theme(theme)

    def show_ways(
        self,
        scores: Array,
        names: tuple[str, str],
        colors: list[QColor],
        describe: Callable[[int], str],
    ) -> None:
        """Show rows.

        Parameters
        ----------
        scores : ndarray of shape (3, m, 2)
            In the order of `WAYS`.
        names : tuple of str
            Of the two axes.
        colors : list of QColor
            Of every row.
        describe : callable
            Says what the row at a position is.
        """
        if scores.shape != self._scores.shape:
            self._at, self._chosen = None, None
        self._scores, self._names, self._words = scores, names, ""
        self._colors, self._describe = colors, describe
        self._show_row_label()
        self.update()

    def show_nothing(self, why: str) -> None:
        """Say why there is nothing to see."""
        self._words, self._at = why, None
        self.show_label(None)
        self.update()

    def set_hovered(self, at: int | None) -> None:
        """Light up the row at a position. Emits nothing."""
        if at is not None and at >= self._scores.shape[1]:
            at = None
        if at != self._at:
            self._at = at
            self._show_row_label()

    def set_selected(self, mask: Mask | None) -> None:
        """Fade all rows but these (m,)."""
        self._chosen = mask
        self.update()

    @property
    def hovered(self) -> int | None:
        return self._at

    @property
    def scores(self) -> Array:
        """What is shown, (3, m, 2)."""
        return self._scores

    @property
    def step(self) -> int:
        return -(-self._scores.shape[1] // MOST_MARKED) or 1

    def frame(self, size: QSizeF | None = None) -> Frame:
        """Return where the axes stand; one unit is equally long both ways."""
        size = QSizeF(self.size()) if size is None else size
        head = QFontMetricsF(plot_font()).height() + 10
        places = self._scores.reshape(-1, 2)
        x, y = fitted_ranges(places, 0.08)
        if not np.ptp(places[:, 1]):
            # A line needs no height, and would be short where it gets some.
            y = (-0.05 * (x[1] - x[0]), 0.05 * (x[1] - x[0]))
        around = margins(self._names, y, size.height() - head)
        width = max(size.width() - around.left() - around.right(), 16.0)
        height = max(size.height() - head - around.bottom() - 4, 16.0)
        return Frame(
            around.left(), head, width, height, *equal_ranges(x, y, width, height)
        )

    def pixel_of(self, at: int) -> QPointF:
        """Return where the row at a position is drawn."""
        return QPointF(*self.frame().to_pixels(self._scores[0, [at]])[0])

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint everything into an area from the origin."""
        painter.setFont(plot_font())
        if self._words or not self._scores.size:
            painter.setPen(QColor(self.theme.muted))
            words = elided(self._words, painter.font(), size.width() - 16)
            draw_text(painter, QPointF(size.width() / 2, size.height() / 2), words)
            return
        frame = self.frame(size)
        self.chart.place(frame, size, round_ticks(frame), names=self._names)
        self.chart.draw(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pixels = np.stack([frame.to_pixels(way) for way in self._scores])
        rows = range(0, pixels.shape[1], self.step)
        roomy = len(rows) <= 120 and frame.height > 220
        radius = type_scale() * (5.0 if roomy else 3.8)
        for at in rows:
            faded = self._chosen is not None and not self._chosen[at]
            painter.setOpacity(_FADED if faded else 1.0)
            self._draw_marks(painter, pixels[:, at], self._colors[at], radius)
        painter.setOpacity(1.0)
        if live and self._at is not None:
            self._draw_marks(
                painter, pixels[:, self._at], QColor(self.theme.accent), radius + 3
            )
        self._draw_key(painter, size)

    def _draw_marks(
        self, painter: QPainter, places: Array, color: QColor, radius: float
    ) -> None:
        """Paint the ring, the cross and the dot of one row, each at its own place."""
        ring, cross, dot = (QPointF(x, y) for x, y in places.tolist())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 1.6))
        painter.drawEllipse(ring, radius, radius)
        arm = 0.62 * radius
        painter.setPen(QPen(QColor(self.theme.text), 1.0))
        for turn in (arm, -arm):
            way = QPointF(arm, turn)
            painter.drawLine(QLineF(cross - way, cross + way))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(dot, 0.48 * radius, 0.48 * radius)

    def _draw_key(self, painter: QPainter, size: QSizeF) -> None:
        """Say above the plot which mark is which way."""
        painter.setFont(plot_font())
        metrics, radius = QFontMetricsF(painter.font()), 5.0 * type_scale()
        at = QPointF(9 + radius, 5 + metrics.height() / 2)
        color = QColor(self.theme.accent)
        far = QPointF(-1e4, -1e4)
        for index, way in enumerate(WAYS):
            marks = [far] * 3
            marks[index] = at
            places = np.array([(mark.x(), mark.y()) for mark in marks])
            self._draw_marks(painter, places, color, radius)
            painter.setPen(QColor(self.theme.muted))
            draw_text(painter, at + QPointF(2 * radius, 0), way, 0.0, 0.5)
            taken = 2 * radius + text_width(way, painter.font()) + _GAP
            at += QPointF(taken, 0)
        if self.step > 1:
            painter.setPen(QColor(self.theme.muted))
            room = QRectF(at.x(), 0, size.width() - at.x() - 8, 2 * at.y())
            text = some_rows(self.step)
            if text_width(text, painter.font()) <= room.width():
                draw_text(painter, QPointF(room.right(), at.y()), text, 1.0, 0.5)

    def _show_row_label(self) -> None:
        if self._at is None or self._words:
            self.show_label(None)
            return
        lines = [self._describe(self._at), *way_lines(self._scores[:, self._at])]
        self.show_label(self.pixel_of(self._at), "\n".join(lines))

    def _point_at(self, at: int | None) -> None:
        if at != self._at:
            self.set_hovered(at)
            self.row_hovered.emit(at)

    def _nearest(self, position: QPointF) -> int | None:
        if self._words or not self._scores.size:
            return None
        pixels = self.frame().to_pixels(self._scores[0])
        away = np.hypot(*(pixels - (position.x(), position.y())).T)
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= REACH else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._nearest(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._nearest(event.position())
        if at is not None and event.button() == Qt.MouseButton.LeftButton:
            self.row_selected.emit(at, mode_of(event.modifiers()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Down: 1,
        }
        key, count = Qt.Key(event.key()), self._scores.shape[1]
        if key in steps and count and not self._words:
            before = self._at
            self._point_at(0 if before is None else (before + steps[key]) % count)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at is not None:
            self.row_selected.emit(self._at, mode_of(event.modifiers()))
        elif key == Qt.Key.Key_Escape and self._at is not None:
            self._point_at(None)
        else:
            event.ignore()
