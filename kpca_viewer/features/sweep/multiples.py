"""Multiples: all pictures of a sweep side by side; a lasso in one is seen in all."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
)
from PySide6.QtWidgets import QApplication, QWidget

from kpca_viewer.engine.sweep.measures import DEFAULT_MEASURE, MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult, ranked
from kpca_viewer.features.sweep.page_layout import (
    SMALLEST,
    PageLayout,
    PictureCell,
    draw_cell,
    draw_edges,
    draw_lasso,
    edge_texts,
    margin_for,
)
from kpca_viewer.features.sweep.text import absent_text
from kpca_viewer.widgets.plots.frame import Picker
from kpca_viewer.widgets.plots.linking import Linking, mode_of, points_in_polygon
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import PictureStore, Shades, Thumbnails

Mask = NDArray[np.bool_]

LARGE = 200
"""From this wanted size on, a grid rather scrolls than shrinks its pictures."""

STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Multiples(QWidget):
    """A page of small pictures.

    Dragging in one draws a lasso, Shift adds and Alt removes; a click marks a picture,
    a double-click takes its value. Arrow keys move the mark, Enter takes. The row of
    the data under the pointer is ringed in all of them.
    """

    adopted = Signal(object)
    marked = Signal(object)
    """A `SweepPoint` was clicked, or reached with the keys."""
    arranged = Signal()
    """Other pictures, or other sizes of them, need another page."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("sweep_multiples")
        self.setAccessibleName("All pictures of the sweep")
        self.setAccessibleDescription(
            "Arrow keys go from picture to picture, Enter takes its value."
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._linking = linking
        self._theme = LIGHT
        self._pictures = PictureStore()
        self._result: SweepResult | None = None
        self._best: SweepPoint | None = None
        self._measure = MEASURES[DEFAULT_MEASURE]
        self._sorted = False
        self._side = 170
        self._margin = 0
        self._current: int | None = None
        self._places: list[SweepPoint | None] = []
        self._finder = RowFinder()
        self._lasso: list[QPointF] = []
        self._pressed: int | None = None
        self._pictures.set_selected(linking.selection)
        linking.selection_changed.connect(self._on_selection_changed)
        linking.hovered_changed.connect(self._on_hovered_changed)

    # What is shown

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._pictures.set_theme(theme)
        self._arrange()

    def set_shades(self, shades: Shades) -> None:
        self._pictures.set_shades(shades)
        self._arrange()

    @property
    def margin(self) -> int:
        return self._margin

    def show_result(self, result: SweepResult) -> None:
        self._result = result
        self._arrange()

    def set_measure(self, key: str) -> None:
        if self._measure is not MEASURES[key]:
            self._measure = MEASURES[key]
            self._arrange()

    def set_sorted(self, by_measure: bool) -> None:
        if self._sorted != by_measure:
            self._sorted = by_measure
            self._arrange()

    def set_side(self, pixels: int) -> None:
        self._side = pixels
        self._arrange()

    def set_current(self, index: int | None) -> None:
        self._current = index
        self.update()

    def shown_points(self) -> list[SweepPoint]:
        return [point for point in self._places if point is not None]

    def place_of(self, index: int | None) -> int | None:
        for place, point in enumerate(self._places):
            if point is not None and point.index == index:
                return place
        return None

    def cell_rect(self, place: int) -> QRectF:
        return self._layout(self.width()).rect(place)

    def area_of(self, index: int | None) -> QRect | None:
        """Return the place of a point with its caption, for scrolling there."""
        place = self.place_of(index)
        if place is None:
            return None
        layout = self._layout(self.width())
        # The edges of a grid cover what is scrolled below them.
        left, top = layout.margin + 6, (layout.top if layout.is_grid else 0) + 6
        area = self.cell_rect(place).adjusted(-left, -top, 6, layout.caption + 6)
        return area.toRect()

    def _arrange(self) -> None:
        self._places = []
        self._finder = RowFinder()
        self._best, self._margin = None, 0
        result = self._result
        if result is not None:
            self._best = result.best(self._measure.key)
            self._places = self._in_order(result)
            if self._grid() != (0, 0):
                self._margin = margin_for(edge_texts(result.sweep)[1])
        self.arranged.emit()
        self.update()

    def _in_order(self, result: SweepResult) -> list[SweepPoint | None]:
        columns, rows = self._grid()
        if columns:
            known = {point.index: point for point in result.points}
            # The second parameter grows upwards, as in the heat map and every plot.
            return [
                known.get(row * columns + column)
                for row in reversed(range(rows))
                for column in range(columns)
            ]
        if self._sorted:
            return list(ranked(result.points, self._measure.key))
        return list(result.points)

    def _grid(self) -> tuple[int, int]:
        """Return the columns and rows that mean something, or zeros."""
        if self._result is None or self._sorted or len(self._result.sweep.axes) < 2:
            return 0, 0
        return self._result.sweep.shape

    def _layout(self, width: int) -> PageLayout:
        columns, rows = self._grid()
        least = max(SMALLEST, self._side - 80) if self._side >= LARGE else SMALLEST
        return PageLayout(
            width, self._side, len(self._places), columns, rows, self._margin, least
        )

    def heightForWidth(self, width: int) -> int:
        return self._layout(width).height

    def hasHeightForWidth(self) -> bool:
        return True

    def minimumSizeHint(self) -> QSize:
        """Return room for one picture, or for one line of a grid."""
        width = self._layout(0).least_width
        line = self._layout(width)
        return QSize(width, line.top + line.cell + line.caption)

    # Drawing

    def _cell(self, place: int, layout: PageLayout) -> PictureCell:
        assert self._result is not None
        point, rect = self._places[place], layout.rect(place)
        if point is None:
            return PictureCell(rect, ground=self._theme.window)
        value = self._measure.text(point.measures.get(self._measure.key))
        lines = () if layout.is_grid else (self._result.text(point),)
        return PictureCell(
            rect,
            None if point.error else partial(self._pictures.draw, point=point),
            (*lines, absent_text(point) or point.error or value),
            failed=point.failed,
            absent=not point.applies,
            best=point is self._best,
            current=point.index == self._current,
            ring=None if point.error else self._ring(point, rect),
            ground=self._theme.card,
        )

    def _ring(self, point: SweepPoint, rect: QRectF) -> QPointF | None:
        row = self._linking.hovered
        # Another number of samples are other rows, whatever their numbers.
        if row is None or point.n != self._linking.count:
            return None
        return place_of_row(self._pictures.thumbnails, point, rect, row)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pictures that are in sight."""
        if self._result is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            layout = self._layout(self.width())
            seen = QRectF(event.rect())
            for place in range(len(self._places)):
                whole = layout.rect(place).adjusted(0, 0, 0, layout.caption)
                if whole.intersects(seen):
                    draw_cell(painter, self._cell(place, layout), self._theme)
            if layout.is_grid:
                whole = QRectF(self.visibleRegion().boundingRect())
                draw_edges(painter, layout, self._result.sweep, self._theme, whole)
            if len(self._lasso) > 1:
                draw_lasso(painter, QPolygonF(self._lasso), self._theme)

    # The mouse

    def select_in(self, place: int, polygon: list[QPointF]) -> Mask | None:
        point = self._taken(place)
        if point is None or not point.n:
            return None
        return rows_inside(
            self._pictures.thumbnails, point, self.cell_rect(place), polygon
        )

    def _row_under(self, at: QPointF) -> int | None:
        place = self._layout(self.width()).place_under(at)
        point = self._taken(place)
        if place is None or point is None or point.n != self._linking.count:
            return None
        rect = self.cell_rect(place)
        return self._finder.row_under(self._pictures.thumbnails, point, rect, at)

    def _on_selection_changed(self, mask: Mask | None) -> None:
        self._pictures.set_selected(mask)
        self.update()

    def _on_hovered_changed(self, _row: int | None) -> None:
        if self.isVisible():
            self.update()

    def _taken(self, place: int | None) -> SweepPoint | None:
        point = None if place is None else self._places[place]
        return None if point is None or point.error else point

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            layout = self._layout(self.width())
            self._pressed = layout.place_under(event.position())
            self._lasso = [event.position()]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or not self._lasso:
            self._linking.set_hovered(self._row_under(event.position()))
            return
        way = event.position() - self._lasso[0]
        if len(self._lasso) > 1 or (
            way.manhattanLength() >= QApplication.startDragDistance()
        ):
            self._lasso.append(event.position())
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place, polygon = self._pressed, self._lasso
        self._pressed, self._lasso = None, []
        if place is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if len(polygon) > 2:
            mask = self.select_in(place, polygon)
            if mask is not None:
                self._linking.apply_selection(mask, mode_of(event.modifiers()))
        elif (point := self._taken(place)) is not None:
            self.marked.emit(point)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        layout = self._layout(self.width())
        point = self._taken(layout.place_under(event.position()))
        if point is not None:
            self.adopted.emit(point)

    def moveEvent(self, event: QMoveEvent) -> None:
        """Let the edges of a grid stay in sight while it is scrolled."""
        super().moveEvent(event)
        if self._grid() != (0, 0):
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._linking.set_hovered(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the mark with the arrow keys; Enter takes its value."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            point = self._taken(self.place_of(self._current))
            if point is not None:
                self.adopted.emit(point)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            there = [p for p in self.shown_points() if not p.error]
            if there:
                self.marked.emit(there[0 if key == Qt.Key.Key_Home else -1])
        elif key in STEPS:
            self._walk(*STEPS[Qt.Key(key)])
        else:
            super().keyPressEvent(event)

    def _walk(self, across: int, down: int) -> None:
        layout = self._layout(self.width())
        place = self.place_of(self._current)
        if place is None:
            there = [p for p in self.shown_points() if not p.error]
            if there:
                self.marked.emit(there[0])
            return
        while (place := layout.moved(place, across, down)) is not None:
            point = self._taken(place)
            if point is not None:
                self.marked.emit(point)
                return


Array = NDArray[Any]


def pixels_of(
    thumbnails: Thumbnails, point: SweepPoint, rect: QRectF
) -> tuple[Array, Array]:
    """Return pixels (m, 2) and rows (m,) of a picture: of all data, if it has them."""
    coordinates, rows = _all_rows(point)
    frame = thumbnails.frame(point, rect)
    return frame.to_pixels(coordinates.astype(np.float64)), rows


def rows_inside(
    thumbnails: Thumbnails, point: SweepPoint, rect: QRectF, polygon: list[QPointF]
) -> Mask:
    pixels, rows = pixels_of(thumbnails, point, rect)
    corners = np.array([[p.x(), p.y()] for p in polygon])
    mask = np.zeros(point.n, dtype=bool)
    mask[rows[points_in_polygon(pixels, corners)]] = True
    return mask


def place_of_row(
    thumbnails: Thumbnails, point: SweepPoint, rect: QRectF, row: int
) -> QPointF | None:
    coordinates, rows = _all_rows(point)
    place = int(np.searchsorted(rows, row))
    if place >= len(rows) or rows[place] != row:
        return None
    frame = thumbnails.frame(point, rect)
    x, y = frame.to_pixels(coordinates[place : place + 1].astype(np.float64))[0]
    return QPointF(float(x), float(y))


class RowFinder:
    """Finds the row nearest to a pixel, and remembers the last picture for that."""

    def __init__(self) -> None:
        self._known: tuple[SweepPoint, QRectF, Picker] | None = None

    def row_under(
        self, thumbnails: Thumbnails, point: SweepPoint, rect: QRectF, at: QPointF
    ) -> int | None:
        """Return the row at a pixel, or None where there is none near."""
        known = self._known
        if known is None or known[0] is not point or known[1] != rect:
            pixels, rows = pixels_of(thumbnails, point, rect)
            finite = np.isfinite(pixels).all(axis=1)
            known = (point, rect, Picker(rows[finite], pixels[finite], None))
            self._known = known
        return known[2].nearest(at.x(), at.y())


def _all_rows(point: SweepPoint) -> tuple[Array, Array]:
    if point.film is not None:
        return point.film[:, :2], np.arange(point.n)
    return point.thumbnail, point.rows
