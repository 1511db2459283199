"""Multiples: all pictures of a sweep side by side; a lasso in one is seen in all."""

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QApplication, QWidget

from kpca_viewer.session.sweep_measures import MEASURES
from kpca_viewer.session.sweep_point import SweepPoint, SweepResult
from kpca_viewer.ui.plots.linking import Linking
from kpca_viewer.ui.plots.selection import mode_of, points_in_polygon
from kpca_viewer.ui.plots.text import draw_text, elided, plot_font
from kpca_viewer.ui.sweep.thumbnails import Shades, Thumbnails, draw_failure
from kpca_viewer.ui.theme import LIGHT, Theme

Mask = NDArray[np.bool_]

CAPTION = 34
GAP = 10
SMALLEST = 64
IN_ORDER = ""
"""The key under which pictures stand in the order of their values."""


class Multiples(QWidget):
    """A page of small pictures.

    Dragging in one draws a lasso, Shift adds and Alt removes; a click marks a picture,
    a double-click takes its value.

    Attributes
    ----------
    adopted : Signal(object)
    marked : Signal(object)
        A `SweepPoint` was clicked.
    """

    adopted = Signal(object)
    marked = Signal(object)

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("sweep_multiples")
        self.setAccessibleName("All pictures of the sweep")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._linking = linking
        self._theme = LIGHT
        self._shades = Shades()
        self._thumbnails = Thumbnails()
        self._result: SweepResult | None = None
        self._measure = MEASURES["linear_accuracy"]
        self._sorting = IN_ORDER
        self._side = 170
        self._current: int | None = None
        self._order: list[SweepPoint] = []
        self._pixmaps: dict[int, tuple[SweepPoint, QPixmap]] = {}
        self._lasso: list[QPointF] = []
        self._pressed: int | None = None
        linking.selection_changed.connect(self._on_selection_changed)

    # What is shown

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._renew()

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows."""
        self._shades = shades
        self._renew()

    def show_result(self, result: SweepResult) -> None:
        """Show a sweep."""
        self._result = result
        self._arrange()

    def set_measure(self, key: str) -> None:
        """Say another measure under every picture."""
        self._measure = MEASURES[key]
        self._arrange()

    def set_sorted(self, by_measure: bool) -> None:
        """Put the best first, or the values in their order."""
        self._sorting = self._measure.key if by_measure else IN_ORDER
        self._arrange()

    def set_side(self, pixels: int) -> None:
        """Choose the size of the pictures."""
        self._side = pixels
        self._renew()

    def set_current(self, index: int | None) -> None:
        """Mark the point that is shown on the board."""
        self._current = index
        self.update()

    def shown_points(self) -> list[SweepPoint]:
        """Return the points from left to right and top to bottom."""
        return list(self._order)

    def _renew(self) -> None:
        self._thumbnails = Thumbnails(self._theme, self._shades)
        self._pixmaps.clear()
        self.updateGeometry()
        self.resize(self.width(), self.heightForWidth(self.width()))
        self.update()

    def _arrange(self) -> None:
        points = [] if self._result is None else list(self._result.points)
        if self._sorting != IN_ORDER:
            key = self._measure.key
            sign = 1 if self._measure.better == "low" else -1

            def rank(point: SweepPoint) -> tuple[bool, float]:
                value = point.measures.get(key)
                return value is None, 0.0 if value is None else sign * value

            points.sort(key=rank)
        self._order = points
        self.updateGeometry()
        self.update()

    # Where things are

    def _in_rows(self) -> int:
        """Return the columns of a grid whose rows stay rows, or 0."""
        if self._result is None or self._sorting != IN_ORDER:
            return 0
        columns, rows = self._result.sweep.shape
        return columns if rows > 1 else 0

    def _layout(self, width: int) -> tuple[int, int]:
        """Return how many pictures stand in a row, and how wide each is."""
        across = self._in_rows()
        if across:
            # A grid is read along its rows: rather smaller pictures than broken rows.
            fits = (width - GAP) // across - GAP
            if fits >= SMALLEST:
                return across, min(self._side, fits)
        return max(1, (width - GAP) // (self._side + GAP)), self._side

    def cell_rect(self, place: int) -> QRectF:
        """Return where a picture is, without its caption."""
        columns, side = self._layout(self.width())
        row, column = divmod(place, columns)
        return QRectF(
            GAP + column * (side + GAP),
            GAP + row * (side + CAPTION + GAP),
            side,
            side,
        )

    def _place_under(self, at: QPointF) -> int | None:
        for place in range(len(self._order)):
            if self.cell_rect(place).adjusted(0, 0, 0, CAPTION).contains(at):
                return place
        return None

    def heightForWidth(self, width: int) -> int:
        """Return the height of the whole page."""
        columns, side = self._layout(width)
        rows = math.ceil(max(len(self._order), 1) / columns)
        return GAP + rows * (side + CAPTION + GAP)

    def hasHeightForWidth(self) -> bool:
        """Return that a narrow page is longer."""
        return True

    def sizeHint(self) -> QSize:
        """Return room for four pictures in a row."""
        width = 4 * (self._side + GAP) + GAP
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return room for one picture."""
        width = self._side + 2 * GAP
        return QSize(width, self.heightForWidth(max(self.width(), width)))

    # Drawing

    def _pixmap(self, point: SweepPoint) -> QPixmap:
        side = self._layout(self.width())[1]
        known = self._pixmaps.get(point.index)
        ratio = self.devicePixelRatioF()
        if (
            known is not None
            and known[0] is point
            and known[1].width() == round(side * ratio)
        ):
            return known[1]
        image = self._thumbnails.image(
            point,
            QSize(side, side),
            ratio,
            selected=self._linking.selection,
        )
        pixmap = QPixmap.fromImage(image)
        self._pixmaps[point.index] = (point, pixmap)
        return pixmap

    def _draw_cell(
        self, painter: QPainter, place: int, best: SweepPoint | None
    ) -> None:
        assert self._result is not None
        point, theme = self._order[place], self._theme
        rect = self.cell_rect(place)
        color, width = theme.border, 1.0
        if point is best:
            color, width = theme.warning, 2.0
        if point.index == self._current:
            color, width = theme.accent, 2.0
        painter.setPen(QPen(QColor(color), width))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if point.error:
            draw_failure(painter, rect, theme)
        else:
            painter.drawPixmap(rect.topLeft(), self._pixmap(point))
        strong = point is best or point.index == self._current
        font = plot_font(bold=strong, pixels=12 if rect.width() >= 120 else 10)
        painter.setFont(font)
        value = self._measure.text(point.measures.get(self._measure.key))
        texts = (self._result.text(point), point.error or value)
        for line, (text, ink) in enumerate(
            zip(texts, (theme.text, theme.muted), strict=True)
        ):
            painter.setPen(QColor(ink))
            at = QPointF(rect.center().x(), rect.bottom() + 10 + 15 * line)
            draw_text(painter, at, elided(text, font, rect.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pictures that are in sight."""
        if self._result is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        best = self._result.best(self._measure.key)
        seen = QRectF(event.rect())
        for place in range(len(self._order)):
            if self.cell_rect(place).adjusted(0, 0, 0, CAPTION).intersects(seen):
                self._draw_cell(painter, place, best)
        if len(self._lasso) > 1:
            accent = QColor(self._theme.accent)
            painter.setPen(QPen(accent, 1.5))
            accent.setAlphaF(0.12)
            painter.setBrush(accent)
            painter.drawPolygon(QPolygonF(self._lasso))
        painter.end()

    # The mouse

    def select_in(self, place: int, polygon: list[QPointF]) -> Mask | None:
        """Return which rows (n,) a polygon of pixels holds in one picture."""
        point = self._order[place]
        if point.error or not point.n:
            return None
        frame = self._thumbnails.frame(point, self.cell_rect(place))
        coordinates, rows = point.thumbnail, point.rows
        if point.film is not None:
            # All rows, not only those that a small picture has room for.
            coordinates, rows = point.film[:, :2], np.arange(point.n)
        pixels = frame.to_pixels(coordinates.astype(np.float64))
        corners = np.array([[p.x(), p.y()] for p in polygon])
        mask = np.zeros(point.n, dtype=bool)
        mask[rows[points_in_polygon(pixels, corners)]] = True
        return mask

    def _on_selection_changed(self, _mask: Mask | None) -> None:
        self._pixmaps.clear()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a lasso."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._place_under(event.position())
            self._lasso = [event.position()]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the lasso on, inside its picture."""
        if self._pressed is None or not self._lasso:
            return
        way = event.position() - self._lasso[0]
        if len(self._lasso) > 1 or (
            way.manhattanLength() >= QApplication.startDragDistance()
        ):
            self._lasso.append(event.position())
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select, or mark the picture if nothing was drawn."""
        place, polygon = self._pressed, self._lasso
        self._pressed, self._lasso = None, []
        if place is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if len(polygon) > 2:
            mask = self.select_in(place, polygon)
            if mask is not None:
                self._linking.apply_selection(mask, mode_of(event.modifiers()))
        elif not self._order[place].error:
            self.marked.emit(self._order[place])
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the value of a picture."""
        place = self._place_under(event.position())
        if place is not None and not self._order[place].error:
            self.adopted.emit(self._order[place])
