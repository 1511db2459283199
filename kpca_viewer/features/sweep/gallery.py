"""The page of all pictures of a sweep, with a map of two parameters."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.sweep.measures import DEFAULT_MEASURE, MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.features.sweep.cells import SweepPage
from kpca_viewer.features.sweep.text import (
    GALLERY_HINT,
    NO_PICTURES,
    PAGE_MODES,
    gallery_title,
    point_lines,
)
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.joined_scatter import ARROWS
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, plot_font
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import PictureStore, Shades

RING = 5.0
"""Radius of the mark around the row that is pointed at."""


class Gallery(PaintedPlot):
    """Small pictures that all fit; the pointer previews one, a click takes it.

    The row that is pointed at in any plot is ringed in all of them.
    """

    adopted = Signal(object)
    """The `SweepPoint` that was clicked."""
    pointed = Signal(object)
    """The `SweepPoint` under the pointer, or None."""
    walked = Signal(int, int)
    """Steps to the right and upwards that the arrow keys ask for."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("sweep_gallery")
        self.setAccessibleName("All pictures of the sweep")
        self.setAccessibleDescription("Arrow keys go from picture to picture.")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._linking = linking
        self._pictures = PictureStore()
        self._pictures.set_selected(linking.selection)
        self._page: SweepPage | None = None
        self._as_map = False
        linking.selection_changed.connect(self._on_selection_changed)
        linking.hovered_changed.connect(self._on_hovered_changed)

    @property
    def page(self) -> SweepPage | None:
        return self._page

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._pictures.set_theme(theme)

    def set_shades(self, shades: Shades) -> None:
        self._pictures.set_shades(shades)
        self.update()

    def show_result(self, result: SweepResult | None, measure: str = "") -> None:
        """Show a sweep, whole or as far as it is there; None for none."""
        if result is None:
            self._page = None
            self.show_label(None)
        elif self._page is None:
            key = measure or DEFAULT_MEASURE
            self._page = SweepPage(result, MEASURES[key], self._as_map)
        else:
            key = measure or self._page.measure.key
            self._change(result=result, measure=MEASURES[key])
        self.update()

    def set_as_map(self, as_map: bool) -> None:
        self._as_map = as_map
        self._change(as_map=as_map)

    def set_current(self, index: int | None) -> None:
        self._change(current=index)

    def cell_rect(self, place: int) -> QRectF:
        assert self._page is not None
        return self._page.layout(QSizeF(self.size())).rect(place)

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        page = self._page
        if page is None:
            painter.setFont(plot_font())
            painter.setPen(QColor(self.theme.muted))
            area = QRectF(QPointF(0, 0), size)
            draw_text(painter, area.center(), NO_PICTURES, inside=area)
            return
        if not live:
            page = replace(page, current=None, hovered=None)
        page.draw(painter, size, self._pictures, self.theme)
        row = self._linking.hovered
        if live and row is not None and not page.is_map:
            self._draw_rings(painter, page, size, row)

    def _draw_rings(
        self, painter: QPainter, page: SweepPage, size: QSizeF, row: int
    ) -> None:
        layout = page.layout(size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for place, point in enumerate(page.places):
            # Another number of samples are other rows, whatever their numbers.
            if point is None or point.error or point.n != self._linking.count:
                continue
            at = self._place_of_row(point, layout.rect(place), row)
            if at is not None:
                for ink, width in ((self.theme.card, 4.0), (self.theme.text, 2.0)):
                    painter.setPen(QPen(QColor(ink), width))
                    painter.drawEllipse(at, RING, RING)

    def _place_of_row(
        self, point: SweepPoint, rect: QRectF, row: int
    ) -> QPointF | None:
        rows, coordinates = point.rows, point.thumbnail
        if point.film is not None:
            rows, coordinates = np.arange(point.n), point.film[:, :2]
        place = int(np.searchsorted(rows, row))
        if place >= len(rows) or rows[place] != row:
            return None
        frame = self._pictures.thumbnails.frame(point, rect)
        x, y = frame.to_pixels(coordinates[place : place + 1].astype(np.float64))[0]
        return QPointF(float(x), float(y))

    def _change(self, **changes: object) -> None:
        if self._page is not None:
            self._page = replace(self._page, **changes)  # type: ignore[arg-type]
            self.update()

    def _point_to(self, at: QPointF | None) -> None:
        page = self._page
        if page is None:
            return
        place = None
        if at is not None:
            place = page.layout(QSizeF(self.size())).place_under(at)
        if place == page.hovered:
            return
        self._change(hovered=place)
        point = page.point_at(place)
        self.pointed.emit(None if point is None or point.error else point)
        if point is None or at is None:
            self.show_label(None)
        else:
            self.show_label(at, point_lines(page.result.sweep, point, page.measure))

    def _on_selection_changed(self, mask: object) -> None:
        self._pictures.set_selected(mask)  # type: ignore[arg-type]
        self.update()

    def _on_hovered_changed(self, _row: int | None) -> None:
        if self.isVisible():
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 160)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_to(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_to(None)
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        page = self._page
        if page is None or event.button() != Qt.MouseButton.LeftButton:
            return
        place = page.layout(QSizeF(self.size())).place_under(event.position())
        point = page.point_at(place)
        if point is not None and not point.error:
            self.adopted.emit(point)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page, key = self._page, Qt.Key(event.key())
        if page is None or key not in ARROWS:
            super().keyPressEvent(event)
            return
        across, up = ARROWS[key]
        if not page.is_grid:
            # In a flow of pictures, the one below is a line further on.
            across, up = across - up * page.layout(QSizeF(self.size())).columns, 0
        self.walked.emit(across, up)


class GalleryPage(PageView):
    """Shows the sweep that its controller hands to the view."""

    def __init__(self, linking: Linking, _changes: Changes) -> None:
        self.view: Gallery = Gallery(linking)
        self.mode = Segmented(PAGE_MODES, "Pictures or map")
        self.mode.setObjectName("gallery_mode")
        self.mode.value_changed.connect(self._on_mode_changed)
        # The header shows the tool of the page in front; this one can be empty.
        self.tool: QWidget = QWidget()
        row = QHBoxLayout(self.tool)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.mode)
        self.mode.hide()

    def draw(self, _result: AnalysisResult) -> None:
        self.view.set_shades(Shades.of_scene(self.scene))

    def show_result(self, result: SweepResult | None, measure: str = "") -> None:
        """Show a sweep; a map is offered of two parameters only."""
        self.view.show_result(result, measure)
        self.mode.setVisible(self.view.page is not None and self.view.page.is_grid)
        self.caption_changed()

    def caption(self, _result: AnalysisResult) -> CaptionWords:
        page = self.view.page
        if page is None:
            return CaptionWords()
        return CaptionWords(gallery_title(page.result, page.measure), GALLERY_HINT)

    def _on_mode_changed(self, key: str) -> None:
        self.view.set_as_map(key == "map")
