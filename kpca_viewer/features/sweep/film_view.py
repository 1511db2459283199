"""FilmView: the curve of a measure above the pictures of a sweep, and its player."""

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QElapsedTimer,
    QEvent,
    QObject,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter

from kpca_viewer.engine.sweep.measures import DEFAULT_MEASURE, MEASURES
from kpca_viewer.engine.sweep.parameters import short_text, value_text
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.cells import CellMarks, draw_cell
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.curve import (
    RIGHT,
    Curve,
    draw_curve,
    left_room,
    position_at,
    x_of,
)
from kpca_viewer.features.sweep.text import FILM_KEYS, film_lines
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import PictureStore, Shades

Mask = NDArray[np.bool_]

CURVE, PICTURE = 46.0, 39.0
"""Heights of the curve and of a picture, in pixels: on a small laptop, the axes of the
stage above them still have 360."""

THREE_LINES = 41.0
"""What a curve and its words need at least, in the usual size of type."""

NARROWEST = 62.0
"""A picture that is narrower shows nothing."""


TICK_MS = 33
SPEEDS = (1.0, 2.0, 4.0, 8.0)
"""Values a second."""


def curve_height() -> float:
    return max(CURVE, THREE_LINES * type_scale())


def caption_height() -> float:
    return 15 * type_scale()


class FilmView(PaintedPlot):
    """A strip of pictures with a playhead over it.

    Where there are more values than pictures fit, every picture stands for a few
    neighbours; the curve has them all.
    """

    adopted = Signal(object)
    """The person clicked a `SweepPoint`."""
    pointed = Signal(object)
    """The `SweepPoint` under the pointer, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sweep_film")
        self.setAccessibleName("Sweep")
        self.setAccessibleDescription(FILM_KEYS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._points = SweepPoints(SweepSettings(steps=1))
        self._measure = MEASURES[DEFAULT_MEASURE]
        self._playhead: float | None = None
        self._hovered: int | None = None
        self._pictures = PictureStore()
        self.shades = Shades()
        self._best_key: tuple[object, ...] = ()
        self._best_place: int | None = None
        self._fit_type()

    def _fit_type(self) -> None:
        height = curve_height() + 2 + PICTURE + 2 + caption_height()
        self.setFixedHeight(round(height))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_type()

    # What is shown

    @property
    def points(self) -> SweepPoints:
        return self._points

    def set_points(self, points: SweepPoints) -> None:
        self._points = points
        self._hovered = None
        self._best_key = ()
        self._pictures.forget()
        self.show_label(None)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._pictures.set_theme(theme)
        self.update()

    def set_shades(self, shades: Shades) -> None:
        self.shades = shades
        self._pictures.set_shades(shades)
        self.update()

    def set_selected(self, mask: Mask | None) -> None:
        """Fade all rows but these (n,) in every picture."""
        self._pictures.set_selected(mask)
        self.update()

    def set_measure(self, key: str) -> None:
        self._measure = MEASURES[key]
        self.update()

    def set_playhead(self, position: float | None) -> None:
        """Put the playhead somewhere, between two values perhaps."""
        self._playhead = position
        self.update()

    @property
    def playhead(self) -> float | None:
        return self._playhead

    def current_point(self) -> SweepPoint | None:
        place = self._playhead
        return None if place is None else self._points.at(round(place))

    def nearest_point(self) -> SweepPoint | None:
        place = self._playhead
        return None if place is None else self._points.nearest(place)

    def shown_positions(self) -> list[int]:
        return [self._stands_for(slot) for slot in range(self._slots())]

    def _best(self) -> int | None:
        points, key = self._points, self._measure.key
        # Looked up once for every new point: a film repaints thirty times a second.
        known = (points.version, points.row, key)
        if known != self._best_key:
            self._best_key = known
            self._best_place = points.best(key)
        return self._best_place

    # Where things are

    def _curve_rect(self, size: QSizeF) -> QRectF:
        return QRectF(0, 0, size.width(), min(curve_height(), size.height() / 2))

    def _slots(self, width: float | None = None) -> int:
        """Return how many pictures there are, each for equally many values."""
        room = (self.width() if width is None else width) - left_room() - RIGHT
        count = self._points.count
        each = math.ceil(count / max(room // NARROWEST, 1))
        return math.ceil(count / each)

    def _share(self, slot: int, slots: int) -> range:
        count = self._points.count
        each = math.ceil(count / slots)
        return range(slot * each, min((slot + 1) * each, count))

    def _stands_for(self, slot: int, slots: int | None = None) -> int:
        share = self._share(slot, slots or self._slots())
        for place in (self._playhead, self._hovered, self._best()):
            if place is not None and round(place) in share:
                return round(place)
        middle = share[len(share) // 2]
        there = [p for p in share if self._points.at(p) is not None]
        return min(there, key=lambda p: abs(p - middle), default=middle)

    def picture_rect(self, slot: int, slots: int, size: QSizeF) -> QRectF:
        """Return where one of some pictures stands in an area from the origin."""
        top = self._curve_rect(size).bottom() + 2
        height = max(size.height() - top - caption_height() - 2, 8.0)
        share = self._share(slot, slots)
        rect = QRectF(QPointF(0, 0), size)
        each = (size.width() - left_room() - RIGHT) / self._points.count
        left = x_of(share[0], self._points.count, rect) - each / 2
        width = each * len(share) - 4
        # A few values only: pictures as wide as they are high, not whole walls.
        narrow = min(width, 1.8 * height)
        return QRectF(left + 2 + (width - narrow) / 2, top, narrow, height)

    def _position_under(self, at: QPointF) -> int | None:
        size = QSizeF(self.size())
        rect = QRectF(QPointF(0, 0), size)
        if at.y() <= self._curve_rect(size).bottom():
            return position_at(at.x(), self._points.count, rect)
        slots = self._slots()
        for slot in range(slots):
            picture = self.picture_rect(slot, slots, size)
            if picture.adjusted(-2, 0, 2, caption_height()).contains(at):
                return self._stands_for(slot)
        return None

    # Drawing

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        curve = Curve.of(
            self._points.shown(),
            self._measure,
            current=self._playhead,
            hovered=self._hovered if live else None,
            best=self._best(),
            joined=not self._points.sweep.axes[0].is_of_kernels,
        )
        draw_curve(painter, self._curve_rect(size), curve, self.theme)
        slots = self._slots(size.width())
        for slot in range(slots):
            position = self._stands_for(slot, slots)
            self._draw_picture(
                painter, self.picture_rect(slot, slots, size), position, live=live
            )

    def _draw_picture(
        self, painter: QPainter, rect: QRectF, position: int, *, live: bool
    ) -> None:
        theme, point = self.theme, self._points.at(position)
        marks = CellMarks(
            self._best() == position,
            self._playhead is not None and round(self._playhead) == position,
            live and position == self._hovered,
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_cell(painter, rect, point, self._pictures, theme, marks)
        stands_out = marks.current or marks.best
        font = plot_font(pixels=11, bold=stands_out)
        painter.setFont(font)
        painter.setPen(QColor(theme.text if stands_out else theme.muted))
        at = QPointF(rect.center().x(), rect.bottom() + caption_height() / 2 + 1)
        draw_text(painter, at, self.value_text(position, font, rect.width() + 2))
        painter.restore()

    def value_text(self, position: int, font: QFont, width: float) -> str:
        """Return the value of a picture, with as many digits as there is room for."""
        axis = self._points.sweep.axes[0]
        value = axis.values()[position]
        for digits in (3, 2, 1):
            text = value_text(axis.parameter, value, digits)
            if text_width(text, font) <= width:
                return text
        if not isinstance(value, str):
            return ""
        return elided(short_text(axis.parameter, value), font, width)

    # The mouse

    def _hover(self, position: int | None) -> None:
        if position == self._hovered:
            return
        self._hovered = position
        point = None if position is None else self._points.at(position)
        self._label(position, point)
        self.pointed.emit(None if point is None or point.error else point)
        self.update()

    def _label(self, position: int | None, point: SweepPoint | None) -> None:
        if position is None or point is None:
            self.show_label(None)
            return
        rect = QRectF(QPointF(0, 0), QSizeF(self.size()))
        at = QPointF(x_of(position, self._points.count, rect), 2)
        self.show_label(at, film_lines(self._points, point, self._measure))

    def sizeHint(self) -> QSize:
        return QSize(700, 128)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 110)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._position_under(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        # On release: until then the playhead can be dragged about and looked at.
        if event.button() != Qt.MouseButton.LeftButton:
            return
        position = self._position_under(event.position())
        point = None if position is None else self._points.at(position)
        if point is not None and not point.error:
            self.adopted.emit(point)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)


class Player(QObject):
    """A position between 0 and the last value, and the time that moves it."""

    moved = Signal(object)
    """The position, a float."""
    running_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.position = 0.0
        self.last = 0
        self.speed = SPEEDS[1]
        """Values a second."""
        self._direction = 1
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def play(self) -> None:
        """Go on from where it is, towards the side with more room."""
        if self.last == 0 or self.running:
            return
        self.position = min(max(self.position, 0.0), float(self.last))
        if self.position >= self.last:
            self._direction = -1
        elif self.position <= 0:
            self._direction = 1
        self._clock.start()
        self._timer.start()
        self.running_changed.emit(True)

    def stop(self) -> None:
        if self.running:
            self._timer.stop()
            self.running_changed.emit(False)

    def advance(self, seconds: float) -> None:
        """Move on by so much time; at an end, turn round."""
        position = self.position + self._direction * self.speed * seconds
        while not 0 <= position <= self.last:
            # Reflected rather than cut: the speed is the same at the ends.
            if position < 0:
                position, self._direction = -position, 1
            else:
                position, self._direction = 2 * self.last - position, -1
        self.position = position
        self.moved.emit(position)

    @Slot()
    def _on_timeout(self) -> None:
        self.advance(self._clock.restart() / 1000.0)
