"""The plane with the line on it, and beside it what lies along the line."""

from dataclasses import dataclass
from math import atan2, degrees

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF

from kpca_viewer.features.turned_line import text
from kpca_viewer.features.turned_line.compute import HALF_TURN, PlaneRows, direction
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.plots.text import draw_text, plot_font
from kpca_viewer.widgets.theme import Theme

BINS = 41
ROOM = 1.12
"""How far the plane reaches, in terms of the farthest row."""

_MARGIN, _LINE = 14.0, 18.0
_DOT = 3.6
_STEPS = {
    Qt.Key.Key_Left: 1.0,
    Qt.Key.Key_Right: -1.0,
    Qt.Key.Key_Up: 10.0,
    Qt.Key.Key_Down: -10.0,
}
"""Degrees by which a key turns the line; against the clock is more."""


@dataclass(frozen=True)
class Areas:
    """Where the two parts stand, and the unit of both."""

    plane: QRectF
    strip: QRectF
    reach: float
    """Units of the data from the mean to the edge of either."""

    def pixel(self, x: float, y: float) -> QPointF:
        unit = self.plane.width() / (2 * self.reach)
        middle = self.plane.center()
        return QPointF(middle.x() + unit * x, middle.y() - unit * y)

    def along(self, t: float) -> float:
        """Return where a place of the line is in the strip, in pixels."""
        return self.strip.center().x() + self.strip.width() * t / (2 * self.reach)


class TurnedLineView(PaintedPlot):
    """A line that mouse and keys turn. Setters emit nothing."""

    turned = Signal(float, bool)
    """An angle in degrees, and whether the hand is still on the line."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("turned_line_view")
        self.setAccessibleName(text.NAME)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.rows: PlaneRows | None = None
        self.angle = 0.0
        self._why_not = ""

    def show_line(self, rows: PlaneRows, angle: float) -> None:
        self.rows, self.angle, self._why_not = rows, angle, ""
        self.update()

    def show_why_not(self, words: str) -> None:
        self.rows, self._why_not = None, words
        self.update()

    def areas(self, size: QSizeF | None = None) -> Areas:
        """Return the places of plane and strip: abreast where there is the room."""
        size = QSizeF(self.size()) if size is None else size
        width, height = size.width() - 2 * _MARGIN, size.height() - 2 * _MARGIN
        abreast = width > 1.5 * height
        side = min(height, 0.55 * width) if abreast else min(width, 0.6 * height)
        side = max(side, 40.0)
        plane = QRectF(_MARGIN, _MARGIN, side, side)
        if abreast:
            left = plane.right() + 2 * _MARGIN
            strip = QRectF(left, _MARGIN + _LINE, width + _MARGIN - left, side - _LINE)
        else:
            plane.moveLeft(_MARGIN + (width - side) / 2)
            top = plane.bottom() + _MARGIN + _LINE
            strip = QRectF(_MARGIN, top, width, max(height + _MARGIN - top, 30.0))
        farthest = 1.0
        if self.rows is not None and self.rows.n:
            farthest = float(np.linalg.norm(self.rows.places, axis=1).max()) or 1.0
        return Areas(plane, strip, ROOM * farthest)

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        painter.setFont(plot_font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.rows is None:
            painter.setPen(QColor(self.theme.muted))
            words = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(QRectF(QPointF(), size), words, self._why_not)
            return
        areas = self.areas(size)
        colors = _colors(self.rows, self.theme)
        self._draw_plane(painter, areas, self.rows, colors)
        self._draw_strip(painter, areas, self.rows, colors)

    def _draw_plane(
        self, painter: QPainter, areas: Areas, rows: PlaneRows, colors: list[QColor]
    ) -> None:
        painter.setPen(QPen(QColor(self.theme.border), 1.0))
        painter.drawRect(areas.plane)
        for code, color in enumerate(colors):
            pen = QPen(color, _DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPoints(_polygon(areas, rows.places[_of(rows, code)]))
        x, y = rows.axis_names
        painter.setPen(QColor(self.theme.muted))
        inside, box = areas.plane.adjusted(4, 2, -4, -2), areas.plane
        draw_text(painter, QPointF(box.right() - 4, box.bottom() - 4), x, 1, 1)
        draw_text(painter, QPointF(box.left() + 4, box.top() + 4), y, 0, 0)
        self._draw_line(painter, areas, rows.pca_angle, self.theme.muted, dashed=True)
        end = 0.93 * areas.reach * direction(rows.pca_angle)
        draw_text(
            painter,
            areas.pixel(*end.tolist()),
            text.PCA,
            inside=inside,
            ground=self.theme.card,
        )
        self._draw_line(painter, areas, self.angle, self.theme.accent)
        painter.setBrush(QColor(self.theme.accent))
        for side in (1, -1):
            at = side * 0.8 * areas.reach * direction(self.angle)
            painter.drawEllipse(areas.pixel(*at.tolist()), 5.0, 5.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _draw_line(
        self,
        painter: QPainter,
        areas: Areas,
        angle: float,
        color: str,
        *,
        dashed: bool = False,
    ) -> None:
        pen = QPen(QColor(color), 1.4 if dashed else 2.2)
        if dashed:
            pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        end = areas.reach * direction(angle)
        painter.drawLine(areas.pixel(*(-end).tolist()), areas.pixel(*end.tolist()))

    def _draw_strip(
        self, painter: QPainter, areas: Areas, rows: PlaneRows, colors: list[QColor]
    ) -> None:
        strip, along = areas.strip, rows.along(self.angle)
        counts = [_counts(along[_of(rows, code)], areas.reach) for code in _codes(rows)]
        largest = max(int(np.max(each, initial=0)) for each in counts) or 1
        height, width = strip.height() / len(counts), strip.width() / BINS
        painter.setPen(Qt.PenStyle.NoPen)
        for code, each in enumerate(counts):
            ground = strip.top() + (code + 1) * height
            painter.setBrush(colors[code])
            for place in np.flatnonzero(each).tolist():
                bar = (height - 6) * int(each[place]) / largest
                left = strip.left() + place * width
                painter.drawRect(QRectF(left, ground - bar, width - 1, bar))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.border), 1.0))
        for code in range(len(counts)):
            y = strip.top() + (code + 1) * height
            painter.drawLine(QPointF(strip.left(), y), QPointF(strip.right(), y))
        found = rows.threshold(self.angle)
        if found is None:
            return
        x = areas.along(min(found.place, areas.reach))
        pen = QPen(QColor(self.theme.text), 1.4)
        pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, strip.top()), QPointF(x, strip.bottom()))
        painter.setPen(QColor(self.theme.text))
        above = strip.adjusted(0, -_LINE, 0, 0)
        draw_text(painter, QPointF(x, strip.top() - 2), text.CUT, 0.5, 1, inside=above)

    # Hands

    def _angle_at(self, at: QPointF) -> float | None:
        """Return the angle of a line through a place; None beside the plane."""
        areas = self.areas()
        if self.rows is None or not areas.plane.contains(at):
            return None
        away = at - areas.plane.center()
        if away.manhattanLength() < 3:
            return None
        return degrees(atan2(-away.y(), away.x())) % HALF_TURN

    def mousePressEvent(self, event: QMouseEvent) -> None:
        angle = self._angle_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and angle is not None:
            self.turned.emit(angle, True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        angle = self._angle_at(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton and angle is not None:
            self.turned.emit(angle, True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rows is not None:
            self.turned.emit(self.angle, False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if self.rows is None or (step is None and event.key() != Qt.Key.Key_Home):
            super().keyPressEvent(event)
        elif step is None:
            self.turned.emit(self.rows.pca_angle, False)
        else:
            self.turned.emit((round(self.angle) + step) % HALF_TURN, True)


def _codes(rows: PlaneRows) -> range:
    return range(max(len(rows.class_names), 1))


def _of(rows: PlaneRows, code: int) -> Array:
    if rows.codes is None:
        return np.ones(rows.n, dtype=bool)
    return np.asarray(rows.codes == code)


def _counts(along: Array, reach: float) -> Array:
    return np.histogram(along, bins=BINS, range=(-reach, reach))[0]


def _colors(rows: PlaneRows, theme: Theme) -> list[QColor]:
    count = len(_codes(rows))
    palette = Palette.of("class", count, theme)
    last = len(palette.colors) - 1
    return [QColor(*palette.colors[min(code, last)].tolist()) for code in range(count)]


def _polygon(areas: Areas, places: Array) -> QPolygonF:
    return QPolygonF([areas.pixel(x, y) for x, y in places.tolist()])
