"""The items of a scatter view and where they stand."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter

from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.plots.axes import AxesItem, FramedItem
from kpca_viewer.widgets.plots.box3d import Box3DItem, BoxExtent, plane_around
from kpca_viewer.widgets.plots.canvas import PlotCanvas
from kpca_viewer.widgets.plots.cloud_layer import AT_ONCE
from kpca_viewer.widgets.plots.frame import (
    Bounds,
    Floats,
    Frame,
    Picker,
    Projection,
    Range,
    fitted_range,
    fitted_ranges,
    unit_of,
)
from kpca_viewer.widgets.plots.linking import points_in_rectangle
from kpca_viewer.widgets.plots.markers import Marker, nearest_marker
from kpca_viewer.widgets.plots.moves import MovesItem
from kpca_viewer.widgets.plots.overlay import OverlayItem
from kpca_viewer.widgets.plots.point_cloud import PointCloudItem
from kpca_viewer.widgets.plots.space3d import (
    ArrowsItem,
    SpaceDrawing,
    SurfaceItem,
)
from kpca_viewer.widgets.plots.text import is_printing, printed_type, type_scale
from kpca_viewer.widgets.plots.underlay import UnderlayItem
from kpca_viewer.widgets.theme import LIGHT, Theme

LOW = 160
"""Pixels in height below which a plot has no room for names that stand beside it."""

_BOX_SHAPE = 1.4
"""Width of a box in 3-D with its labels, over its height, at most; at least it is 1."""

_FLATTEST = 0.3
"""Of the room of a picture that a flat plot takes each way, at least."""


class PlotArea:
    """Puts axes, box, points and overlay on a canvas and keeps them in step."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.projection = Projection()
        self.theme = LIGHT
        self._canvas = canvas
        self._size = QSizeF(canvas.size())
        self.placed: Floats = np.empty((0, 2))
        self._unit = 1.0
        self._markers: list[Marker] = []
        self._probes: list[Marker] = []
        self._with_markers = True
        self._names_are_optional = False
        self._picker: Picker | None = None
        self.drawn: SpaceDrawing | None = None
        self._vertices: Floats = np.empty((0, 3))
        self._more: list[FramedItem] = []
        # Whether there are axes without any points.
        self.shows_plane = False
        self.cloud = PointCloudItem()
        self.underlay = UnderlayItem()
        self.overlay = OverlayItem(self.caption, docked=True)
        self._axes, self._box3d = AxesItem(), Box3DItem()
        self._surface, self._arrows = SurfaceItem(), ArrowsItem()
        self.moves = MovesItem()
        self._box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self._box.disableAutoRange()
        for level, item in enumerate(
            (
                self._axes,
                self._box3d,
                self._surface,
                self._box,
                self._arrows,
                self.moves,
                self.overlay,
            )
        ):
            item.setZValue(level)
            canvas.addItem(item)
        self._box.addItem(self.underlay, ignoreBounds=True)
        self._box.addItem(self.cloud, ignoreBounds=True)
        self.cloud.layer_changed.connect(self._on_layer_changed)
        self.arrange()

    def add_framed(self, item: FramedItem, *, below: bool = False) -> None:
        self._more.append(item)
        item.setZValue(self._box.zValue() + (-0.5 if below else 0.5))
        item.set_theme(self.theme)
        self._canvas.addItem(item)
        self.arrange()

    # What is shown

    @property
    def markers(self) -> tuple[Marker, ...]:
        return tuple(self._markers)

    def caption(self) -> str:
        """Return the small text in the corner, about the picture last drawn."""
        count = self.cloud.density_count
        small = self._size.width() < 300 or self._size.height() < 200
        if small and not is_printing():
            # It would cover what it is about.
            return ""
        return f"density of {count:,} points" if count else ""

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._canvas.setBackground(QColor(theme.card))
        for item in (self.cloud, self.underlay):
            item.set_theme(theme)
        for framed in self._framed:
            framed.set_theme(theme)
        # The type may be larger than before, and points grow with it.
        self.cloud.set_magnification(type_scale())
        self.arrange()

    def set_names(self, names: Sequence[str]) -> None:
        (self._axes if len(names) == 2 else self._box3d).set_names(names)

    def set_names_optional(self, optional: bool) -> None:
        """Let the names of flat axes give way where the plot is low."""
        if optional != self._names_are_optional:
            self._names_are_optional = optional
            self.arrange()

    def set_markers(self, markers: Sequence[Marker]) -> None:
        self._markers = list(markers)
        shown = [*self._markers, *self._probes]
        pairs = zip(self._places_of(shown), shown, strict=True)
        self.cloud.set_markers(
            [
                (QPointF(*at) / self._unit, marker)
                for at, marker in pairs
                if self._with_markers and np.isfinite(at).all()
            ]
        )

    def set_probes(self, probes: Sequence[Marker]) -> None:
        """Show places under the pointer: on no paper, and not to be dragged."""
        self._probes = list(probes)
        self.set_markers(self._markers)

    def show_markers(self, shown: bool) -> None:
        """Show the new points, or leave them out of a picture they do not belong to."""
        self._with_markers = shown
        self.set_markers(self._markers)

    def move_marker(self, index: int, position: tuple[float, ...]) -> None:
        if index < len(self._markers):
            moved = Marker(
                position, self._markers[index].label, self._markers[index].warn
            )
            self.set_markers(
                [*self._markers[:index], moved, *self._markers[index + 1 :]]
            )

    def set_placed(self, placed: Floats) -> None:
        self.placed = placed
        scaled = placed if self._unit == 1.0 else placed / self._unit
        self.cloud.set_places(scaled, self.projection)
        self._box3d.set_view(self.projection.bounds, self.projection.camera)
        for item in (self._surface, self._arrows, self.moves):
            item.set_projection(self.projection)
        self.set_markers(self._markers)
        self.forget_places()

    @property
    def _framed(self) -> tuple[FramedItem, ...]:
        below = self._axes, self._box3d, self._surface
        return *below, self._arrows, self.moves, self.overlay, *self._more

    @property
    def all_placed(self) -> Floats:
        """Places of the points, and behind them of what is drawn among them."""
        if self.drawn is None:
            return self.placed
        return np.vstack((self.placed, self._vertices))

    def set_all_placed(self, placed: Floats) -> None:
        count = 0 if self.drawn is None else len(self.drawn.vertices)
        points = len(placed) - count
        self._vertices = placed[points:]
        for item in (self._surface, self._arrows):
            item.set_drawing(self.drawn, self._vertices)
        self.set_placed(placed[:points] if count else placed)

    def set_camera(self, camera: Camera) -> None:
        before = self.projection.camera
        self.projection = self.projection.seen_from(camera)
        if (before.elevation, before.distance) != (camera.elevation, camera.distance):
            self.arrange()
        self.set_placed(self.placed)

    # Ranges and rectangles

    @property
    def frame(self) -> Frame:
        """The plot on the screen; in 3-D, of the picture plane."""
        rect = self._box.geometry()
        return Frame(
            rect.x(), rect.y(), rect.width(), rect.height(), *self.view_range()
        )

    def view_range(self) -> tuple[Range, Range]:
        x, y = (
            (float(low) * self._unit, float(high) * self._unit)
            for low, high in self._box.viewRange()
        )
        return x, y

    def set_view_range(self, x_range: Range, y_range: Range) -> None:
        x, y = (
            (low / self._unit, high / self._unit) for low, high in (x_range, y_range)
        )
        self._box.setRange(xRange=x, yRange=y, padding=0)
        self.arrange()

    def fit(self, points: Floats, *, locked: bool) -> None:
        """Choose ranges that show all of the data (n, 2) or (n, 3)."""
        flat = points.shape[1] == 2
        bounds = self.projection.bounds if flat else Bounds.of(points, locked=locked)
        self.projection = Projection(flat, bounds, self.projection.camera)
        self._set_unit(unit_of(points) if flat else 1.0)
        # The picture plane of a camera is never stretched.
        self._box.setAspectLocked(locked or not flat)
        if flat:
            if locked:
                self.set_view_range(*fitted_ranges(points))
            else:
                self.set_view_range(*(fitted_range(column) for column in points.T))
        else:
            self._box3d.set_view(bounds, self.projection.camera)
            self.arrange()

    def _set_unit(self, unit: float) -> None:
        if unit != self._unit:
            self._unit = unit
            self.underlay.set_unit(unit)
            self.set_placed(self.placed)

    def set_size(self, size: QSizeF) -> None:
        if size == self._size:
            self._show_items()
        else:
            self._size = size
            self.arrange()

    def arrange(self) -> None:
        rect = QRectF(QPointF(0, 0), self._size)
        flat = self.projection.flat
        if flat:
            low = self._size.height() < LOW * type_scale() and not is_printing()
            self._axes.has_names = not (low and self._names_are_optional)
            rect -= self._axes.margins(self.view_range()[1], self._size.height())
        # Splitters can squeeze a view to nothing; ranges need some pixels.
        rect.setWidth(max(rect.width(), 16.0))
        rect.setHeight(max(rect.height(), 16.0))
        self._box.setGeometry(rect)
        if not flat:
            self._fit_box(rect.size())
        frame = self.frame
        for item in self._framed:
            item.set_frame(frame)
        self._show_items()
        self.underlay.setVisible(flat)
        # While it is painted, that would ask for it to be painted once more.
        self._box.prepareForPaint()
        self.forget_places()

    def _show_items(self) -> None:
        """Show the axes or the box only around points."""
        flat = self.projection.flat
        filled = len(self.placed) > 0 or self.shows_plane
        for item in (self._axes, *self._more):
            item.setVisible(flat and filled)
        for item in (self._box3d, self._surface, self._arrows):
            item.setVisible(not flat and filled)

    def _fit_box(self, size: QSizeF) -> None:
        """Show as much of the picture plane as a turning box and its labels need."""
        bounds, camera = self.projection.bounds, self.projection.camera
        extent = BoxExtent.of(bounds.half_sides(), camera)
        margins, line = self._box3d.margins(size)
        x, y = plane_around(extent, size, margins, line)
        self._box.setRange(xRange=x, yRange=y, padding=0)

    def pan(self, step: QPointF) -> None:
        frame = self.frame
        (x0, x1), (y0, y1) = frame.x_range, frame.y_range
        right = step.x() * (x1 - x0) / frame.width
        up = -step.y() * (y1 - y0) / frame.height
        if self.projection.flat:
            self.set_view_range((x0 - right, x1 - right), (y0 - up, y1 - up))
        else:
            self.set_camera(self.projection.camera.pan_by(right, up))

    def zoom(self, factor: float, at: QPointF) -> None:
        # Plain numbers: the camera is written into session files.
        x, y = self.frame.to_data(np.array([[at.x(), at.y()]]))[0].tolist()
        if not self.projection.flat:
            self.set_camera(self.projection.camera.zoom_by(factor, (x, y)))
            return
        ranges = []
        for center, (low, high) in zip((x, y), self.view_range(), strict=True):
            width = (high - low) / factor
            # Closer numbers would differ only by rounding.
            if not 1e-10 * max(abs(low), abs(high)) < width < 1e100:
                return
            ranges.append(
                (center - (center - low) / factor, center + (high - center) / factor)
            )
        self.set_view_range(*ranges)

    # What is where

    def pixels(self) -> Floats:
        return self.frame.to_pixels(self.projection.project(self.placed)[0])

    def forget_places(self) -> None:
        self._picker = None

    def row_at(self, position: QPointF) -> int | None:
        frame = self.frame
        if not frame.contains(position.x(), position.y()):
            return None
        if self._picker is None:
            self._picker = self._new_picker(frame)
        if self._picker is None:
            return None
        return self._picker.nearest(position.x(), position.y())

    def _new_picker(self, frame: Frame) -> Picker | None:
        """Return what finds points; None while a large picture is on its way."""
        rows = np.flatnonzero(self.cloud.shown)
        if len(rows) > AT_ONCE:
            return self.cloud.picker()
        plane, depth = self.projection.project(self.placed[rows])
        pixels = frame.to_pixels(plane)
        low = np.array([frame.left, frame.top])
        high = low + np.array([frame.width, frame.height])
        seen = points_in_rectangle(pixels, low, high)
        return Picker(rows[seen], pixels[seen], None if depth is None else depth[seen])

    def _on_layer_changed(self) -> None:
        self.forget_places()
        # Its caption is about the picture.
        self.overlay.update()

    def marker_at(self, position: QPointF) -> int | None:
        if not self._markers or not self._with_markers:
            return None
        pixels = self.frame.to_pixels(self.marker_places())
        return nearest_marker(pixels, position.x(), position.y())

    def show_marker_label(self, index: int) -> None:
        x, y = self.frame.to_pixels(self.marker_places())[index]
        self.overlay.set_label(QPointF(x, y), self._markers[index].about)

    def marker_places(self) -> Floats:
        """Return where the markers are in the plane, (m, 2); nan for other axes."""
        return self._places_of(self._markers)

    def _places_of(self, markers: Sequence[Marker]) -> Floats:
        columns = 2 if self.projection.flat else 3
        places = np.full((len(markers), columns), np.nan)
        for place, marker in zip(places, markers, strict=True):
            if len(marker.position) == columns:
                place[:] = marker.position
        return self.projection.project(self.projection.place(places))[0]

    def fitted(self, room: QSizeF) -> QSizeF:
        """Return the part of a room that axes of equal units need for what they show.

        In the rest there would be numbers and a grid without any points. Points nearly
        on a line get a strip that their marks and a number of the axis fit into.
        """
        if not self.projection.flat:
            width, height = room.width(), room.height()
            return QSizeF(min(width, _BOX_SHAPE * height), min(height, width))
        if not self._box.state["aspectLocked"]:
            return QSizeF(room)
        x, y = (high - low for low, high in self._box.targetRange())
        with printed_type():
            around = self._axes.margins(self.view_range()[1], room.height())
        edges = QSizeF(around.left() + around.right(), around.top() + around.bottom())
        inner = (room - edges).expandedTo(QSizeF(1, 1))
        needed = QSizeF(x, y).scaled(inner, Qt.AspectRatioMode.KeepAspectRatio)
        return needed.expandedTo(inner * _FLATTEST) + edges

    def render_to(self, painter: QPainter, rect: QRectF, *, background: bool) -> None:
        """Paint everything but what belongs to the mouse into a rectangle."""
        size, hovered, partner = self._size, self.cloud.hovered, self.cloud.partner
        probes = self._probes
        scale = min(rect.width() / size.width(), rect.height() / size.height())
        if background:
            painter.fillRect(rect, QColor(self.theme.card))
        room = QRectF(QPointF(), self.fitted(rect.size() / scale) * scale)
        room.moveCenter(rect.center())
        rect = room
        self.overlay.set_transient(False)
        self.overlay.places = self.pixels if self.projection.flat else None
        self.moves.prints = True
        self.set_probes([])
        self.cloud.set_hovered(None)
        self.cloud.set_partner(None)
        try:
            with printed_type():
                self.cloud.set_magnification(type_scale())
                self.set_size(QSizeF(rect.width() / scale, rect.height() / scale))
                scene = self._canvas.scene()
                scene.prepareForPaint()
                source = QRectF(QPointF(0, 0), self._size)
                as_is = Qt.AspectRatioMode.IgnoreAspectRatio
                scene.render(painter, rect, source, as_is)
        finally:
            self.overlay.set_transient(True)
            self.moves.prints = False
            self.set_probes(probes)
            self.cloud.set_hovered(hovered)
            self.cloud.set_partner(partner)
            self.cloud.set_magnification(type_scale())
            self.set_size(size)
