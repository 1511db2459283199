"""A scatter plot in two or three dimensions, linked through rows."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, QSizeF, Signal, Slot
from PySide6.QtGui import QHideEvent, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.plots.canvas import PlotCanvas
from kpca_viewer.widgets.plots.frame import Floats, Range, checked_points, with_markers
from kpca_viewer.widgets.plots.interaction import Interaction
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.motion import Glide, Turntable
from kpca_viewer.widgets.plots.plot_area import PlotArea
from kpca_viewer.widgets.plots.space3d import Space, Surface
from kpca_viewer.widgets.plots.sprites import ColorKind
from kpca_viewer.widgets.theme import LIGHT, Theme

GLIDE_LIMIT = 20_000
"""Above this number of points, they jump to their new place."""


class ScatterView(QWidget):
    """The plot area of every scatter.

    Left-drag selects in 2-D and orbits in 3-D, where Ctrl selects; the other buttons
    pan, the wheel zooms, a double-click shows everything again. Setters never emit.
    ``space`` is a curved plane and arrows among the points that are set next, in 3-D;
    while the range is held, other points of a plane leave its axes as they are, unless
    the view fits the next ones.
    """

    hovered = Signal(object)
    """The row under the mouse, or None."""
    selected = Signal(object, object)
    """Mask of shape (n,), and "replace", "add" or "remove"."""
    background_clicked = Signal(object)
    """(x, y) in data coordinates; only in 2-D."""
    marker_dragged = Signal(object, object)
    """Index and (x, y); in 3-D only along a curved plane."""
    marker_released = Signal()
    marker_removed = Signal(object)
    """Index."""
    range_changed = Signal(object)
    """((x low, x high), (y low, y high)) after the person moved a 2-D view."""

    def __init__(self) -> None:
        super().__init__()
        self._coordinates: Floats = np.empty((0, 2))
        self._beside: Floats = np.empty((0, 2))
        self.space: Space | None = None
        self.aspect_locked = False
        self.class_names: tuple[str, ...] = ()
        self._hover_text: Callable[[int], str] | None = None
        self._empty_text = ""
        self._turning = False
        self.zoomed = False
        self.range_held = self.fits_next = False
        self.is_partial = False
        """Whether rows are missing for a moment: they cannot be drawn around."""
        self.canvas = PlotCanvas(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.area = PlotArea(self.canvas)
        self.interaction = Interaction(self, self.canvas)
        self.glide = Glide(self)
        self.glide.moved.connect(self._on_glide_moved)
        self._turntable = Turntable(self)
        self._turntable.turned.connect(self._on_turntable_turned)
        self.set_theme(LIGHT)

    # What is shown

    def set_theme(self, theme: Theme) -> None:
        self.area.set_theme(theme)

    def set_points(
        self,
        coordinates: ArrayLike,
        axis_names: Sequence[str],
        *,
        animate: bool = False,
    ) -> None:
        """Show points (n, 2) or (n, 3); the same ones may glide to their places.

        A new number of points drops colours, selection, hidden rows and hover.
        """
        points = checked_points(coordinates, len(axis_names))
        self.is_partial = False
        self.glide.stop()
        area, before = self.area, self.area.all_placed
        frame_before = area.frame
        if len(points) != len(self._coordinates):
            self.interaction.forget()
        self._coordinates = points
        self.set_empty_text(self._empty_text)
        area.set_names(axis_names)
        if not self._keeps_range(points):
            self.zoomed = False
            self._fit()
        after = self._places()
        same_rows = len(area.placed) > 0 and before.shape == after.shape
        glides = animate and same_rows and len(points) <= GLIDE_LIMIT
        if glides and self.is_flat:
            # The axes change at once: the points set off from where they were on the
            # screen, not from where they were on the old axes.
            before = area.frame.to_data(frame_before.to_pixels(before))
        self._show(before if glides else after)
        if glides:
            self.glide.start(before, after)

    def set_colors(
        self,
        codes: ArrayLike,
        kind: ColorKind = "class",
        class_names: Sequence[str] = (),
        shapes: ArrayLike | None = None,
        others: Collection[int] = (),
    ) -> None:
        self.class_names = tuple(class_names)
        self.area.cloud.set_colors(codes, kind, shapes, others)

    def set_hidden(self, mask: ArrayLike | None) -> None:
        self.area.cloud.set_hidden(mask)
        self.area.forget_places()
        self._update_label()

    def set_hovered(self, row: int | None) -> None:
        self.area.cloud.set_hovered(row)
        self._update_label()

    def set_hover_texts(self, hover_text: Callable[[int], str] | None) -> None:
        self._hover_text = hover_text
        self._update_label()

    def set_markers(self, markers: Sequence[Marker], *, widen: bool = False) -> None:
        """Show new points beside the data; unmoved axes may ``widen`` for them."""
        columns = self._coordinates.shape[1]
        if self.surface is not None:
            markers = [self.surface.raised(marker) for marker in markers]
        beside = [m.position for m in markers if widen and len(m.position) == columns]
        before = self._beside
        self._beside = np.array(beside, dtype=np.float64).reshape(-1, columns)
        widened = any(
            with_markers(self._coordinates, places) is not self._coordinates
            for places in (before, self._beside)
        )
        if widened and not self.zoomed and not np.array_equal(before, self._beside):
            self._fit()
            if not self.is_flat:
                self.glide.finish()
                self._show(self._places())
        self.area.set_markers(markers)

    @property
    def surface(self) -> Surface | None:
        """The curved plane of a 3-D view, along which markers are dragged."""
        return None if self.space is None or self.is_flat else self.space.surface

    def set_empty_text(self, text: str) -> None:
        self._empty_text = text
        self.area.overlay.set_empty_text("" if self.point_count else text)

    # How it is seen

    def set_aspect_locked(self, locked: bool) -> None:
        if locked != self.aspect_locked:
            self.aspect_locked = locked
            self.glide.finish()
            self.zoomed = False
            self._fit()
            self._show(self._places())

    def set_camera(self, camera: Camera) -> None:
        self.area.set_camera(camera)
        self._update_label()

    @property
    def camera(self) -> Camera:
        return self.area.projection.camera

    def set_auto_turn(self, turning: bool) -> None:
        self._turning = turning
        self._turntable.set_running(turning and self.isVisible())

    @property
    def turning(self) -> bool:
        return self._turntable.running

    def set_view_range(self, x_range: Range, y_range: Range) -> None:
        self.zoomed = self.is_flat
        self.area.set_view_range(x_range, y_range)
        self._update_label()

    def view_range(self) -> tuple[Range, Range]:
        return self.area.view_range()

    def pan(self, step: QPointF) -> None:
        self.area.pan(step)
        self.zoomed = self.is_flat
        self._after_navigation()

    def zoom(self, factor: float, at: QPointF) -> None:
        self.area.zoom(factor, at)
        self.zoomed = self.is_flat
        self._after_navigation()

    def reset_view(self) -> None:
        self.zoomed = False
        self._fit()
        self.area.set_camera(Camera())
        self._after_navigation()

    # What is shown

    @property
    def is_flat(self) -> bool:
        return self.area.projection.flat

    @property
    def point_count(self) -> int:
        return len(self._coordinates)

    def caption(self) -> str:
        return self.area.caption()

    def pixels(self) -> Floats:
        return self.area.pixels()

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint the plot into a rectangle; vector devices get real shapes.

        The plot is laid out anew for the shape of the rectangle; texts and points keep
        their size relative to the view. Hover and a running lasso are left out.
        """
        self.glide.finish()
        # A view that was never on a screen does not know its size.
        self.area.set_size(QSizeF(self.size()))
        self.area.render_to(painter, rect, background=background)

    def fitted(self, room: QSizeF) -> QSizeF:
        """Return the room of a picture that the plot needs; see `PlotArea.fitted`."""
        return self.area.fitted(room)

    def _keeps_range(self, points: Floats) -> bool:
        """Whether a pointer tool draws, for which the paper must not move."""
        kept, self.fits_next = self.range_held and not self.fits_next, False
        return kept and self.is_flat and points.shape[1] == 2

    def _fit(self) -> None:
        """Choose ranges that show every point, and markers that want to be seen."""
        points = with_markers(self._coordinates, self._beside)
        if self.space is not None and points.shape[1] == 3:
            points = self.space.reach
        self.area.fit(points, locked=self.aspect_locked)

    def _places(self) -> Floats:
        """Return where the points are, and behind them what is drawn among them."""
        points, drawing = self._coordinates, None
        if self.space is not None and not self.is_flat:
            drawing = self.space.drawing
            points = np.vstack((points, drawing.vertices))
        self.area.drawn = drawing
        return self.area.projection.place(points)

    def _show(self, placed: Floats) -> None:
        self.area.set_all_placed(placed)
        self.area.set_size(QSizeF(self.size()))
        self._update_label()

    def _update_label(self) -> None:
        row, area = self.interaction.hovered, self.area
        if row is None or self._hover_text is None or not area.cloud.shown[row]:
            area.overlay.set_label(None)
            return
        at = area.frame.to_pixels(area.projection.project(area.placed[[row]])[0])[0]
        area.overlay.set_label(QPointF(*at), self._hover_text(row))

    def _after_navigation(self) -> None:
        self._update_label()
        if self.is_flat:
            self.range_changed.emit(self.view_range())

    @Slot(object)
    def _on_glide_moved(self, placed: Floats) -> None:
        self.area.set_all_placed(placed)
        self._update_label()

    @Slot(object)
    def _on_turntable_turned(self, degrees: float) -> None:
        if not self.is_flat and not self.canvas.dragging:
            self.set_camera(self.camera.orbit(degrees, 0.0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.area.set_size(QSizeF(self.size()))
        self._update_label()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.set_auto_turn(self._turning)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._turntable.set_running(False)
        self.glide.finish()
