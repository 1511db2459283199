"""What the mouse does in a scatter view: hover, select, pan, zoom, orbit, markers."""

from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication

from kpca_viewer.widgets.plots.canvas import Drag, PlotCanvas
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.linking import (
    mode_of,
    points_in_polygon,
    points_in_rectangle,
)

if TYPE_CHECKING:
    from kpca_viewer.widgets.plots.scatter_view import ScatterView

Tool = Literal["lasso", "rectangle"]
Gesture = Literal["lasso", "rectangle", "pan", "orbit", "marker", "tool"]

_CURSORS = {
    "lasso": Qt.CursorShape.CrossCursor,
    "rectangle": Qt.CursorShape.CrossCursor,
    "pan": Qt.CursorShape.ClosedHandCursor,
    "orbit": Qt.CursorShape.ClosedHandCursor,
    "marker": Qt.CursorShape.ClosedHandCursor,
    "tool": Qt.CursorShape.ArrowCursor,
}
_DEGREES_PER_PIXEL = 0.4
_ZOOM_PER_STEP = 0.85
_LASSO_STEP = 2.0  # pixels between corners; finer ones would not be seen
_LONGEST_WAIT = 250  # ms in which a second click turns the first into a double-click


class Interaction(QObject):
    """Turns gestures into changes of the view and into its signals."""

    def __init__(self, view: "ScatterView", canvas: PlotCanvas) -> None:
        super().__init__(view)
        self.tool: Tool = "lasso"
        self._view = view
        self._gesture: Gesture | None = None
        self._marker = 0
        self._path: list[QPointF] = []
        self.hovered: int | None = None
        self._pointed: int | None = None
        self._clicked = QPointF()
        self._click_timer = QTimer(self, singleShot=True)
        self._click_timer.setObjectName("click_timer")
        wait = min(QApplication.doubleClickInterval(), _LONGEST_WAIT)
        self._click_timer.setInterval(wait)
        self._click_timer.timeout.connect(self._on_click_settled)
        canvas.moved.connect(self._on_moved)
        canvas.clicked.connect(self._on_clicked)
        canvas.double_clicked.connect(self._on_double_clicked)
        canvas.drag_started.connect(self._on_drag_started)
        canvas.drag_moved.connect(self._on_drag_moved)
        canvas.drag_finished.connect(self._on_drag_finished)
        canvas.drag_cancelled.connect(self._end)
        canvas.wheel_turned.connect(self._on_wheel_turned)

    @property
    def _stands_back(self) -> bool:
        """Whether the left button belongs to a tool; in space it turns the view."""
        return self._view.canvas.has_pointer_tool and self._view.is_flat

    def forget(self) -> None:
        self.hovered = None
        self._click_timer.stop()

    @Slot(object)
    def _on_moved(self, position: QPointF | None) -> None:
        view = self._view
        row = None if position is None else view.area.row_at(position)
        marker = None if position is None else view.area.marker_at(position)
        view.canvas.show_cursor(
            Qt.CursorShape.OpenHandCursor
            if marker is not None
            and self._can_be_dragged
            and not view.canvas.has_pointer_tool
            else Qt.CursorShape.ArrowCursor
        )
        if row != self.hovered:
            self.hovered = row
            view.set_hovered(row)
            view.hovered.emit(row)
        if marker is not None:
            view.area.show_marker_label(marker)
        elif self._pointed is not None:
            # The label of the row again, or none.
            view.set_hovered(row)
        self._pointed = marker

    @Slot(object, object, object)
    def _on_clicked(
        self, position: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier
    ) -> None:
        view = self._view
        marker = view.area.marker_at(position)
        if marker is not None:
            if button == Qt.MouseButton.RightButton:
                view.marker_removed.emit(marker)
            return
        if button == Qt.MouseButton.RightButton:
            canvas = view.canvas
            canvas.menu_requested.emit(canvas.mapToGlobal(position).toPoint())
        if button != Qt.MouseButton.LeftButton or self._stands_back:
            return
        row = view.area.row_at(position)
        if row is not None:
            mask = np.zeros(view.point_count, dtype=bool)
            mask[row] = True
            view.selected.emit(mask, mode_of(modifiers))
        elif view.is_flat and view.area.frame.contains(position.x(), position.y()):
            self._clicked = position
            self._click_timer.start()

    @Slot()
    def _on_click_settled(self) -> None:
        x, y = self._view.area.frame.to_data(_array(self._clicked))[0]
        self._view.background_clicked.emit((float(x), float(y)))

    @Slot(object, object)
    def _on_double_clicked(self, position: QPointF, button: Qt.MouseButton) -> None:
        self._click_timer.stop()
        if button == Qt.MouseButton.LeftButton and not self._stands_back:
            self._view.reset_view()

    @Slot(object)
    def _on_drag_started(self, drag: Drag) -> None:
        self._on_moved(None)
        self._gesture = self._gesture_of(drag)
        self._path = [drag.start]
        self._view.canvas.show_cursor(_CURSORS[self._gesture])

    def _gesture_of(self, drag: Drag) -> Gesture:
        if drag.button != Qt.MouseButton.LeftButton:
            return "pan"
        if self._stands_back:
            return "tool"
        marker = self._view.area.marker_at(drag.start)
        if marker is not None and self._can_be_dragged:
            self._marker = marker
            return "marker"
        if self._view.is_flat:
            return self.tool
        control = drag.modifiers & Qt.KeyboardModifier.ControlModifier
        return self.tool if control else "orbit"

    @Slot(object)
    def _on_drag_moved(self, drag: Drag) -> None:
        view = self._view
        if self._gesture == "pan":
            view.pan(drag.step)
        elif self._gesture == "orbit":
            view.set_camera(
                view.camera.orbit(
                    -_DEGREES_PER_PIXEL * drag.step.x(),
                    _DEGREES_PER_PIXEL * drag.step.y(),
                )
            )
        elif self._gesture == "marker":
            self._drag_marker(drag.now)
        elif self._gesture == "rectangle":
            rect = QRectF(drag.start, drag.now)
            view.area.overlay.set_outline(
                [rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()]
            )
        elif self._gesture == "lasso":
            if (drag.now - self._path[-1]).manhattanLength() >= _LASSO_STEP:
                self._path.append(drag.now)
            view.area.overlay.set_outline(self._path)

    @property
    def _can_be_dragged(self) -> bool:
        """Whether there is a plane that markers move in."""
        return self._view.is_flat or self._view.surface is not None

    def _drag_marker(self, now: QPointF) -> None:
        view, surface = self._view, self._view.surface
        area, pixel = view.area, _array(now)
        if surface is None:
            x, y = map(float, area.frame.to_data(pixel)[0])
            area.move_marker(self._marker, (x, y))
        else:
            x, y = surface.under(pixel[0], area.projection, area.frame)
            place = map(float, surface.place(np.array([(x, y)]))[0])
            area.move_marker(self._marker, tuple(place))
        view.marker_dragged.emit(self._marker, (x, y))

    @Slot(object)
    def _on_drag_finished(self, drag: Drag) -> None:
        view, gesture, path = self._view, self._gesture, self._path
        self._end()
        if gesture == "marker":
            view.marker_released.emit()
        if gesture not in ("lasso", "rectangle") or not view.point_count:
            return
        if gesture == "lasso":
            inside = points_in_polygon(view.area.pixels(), _array(*path, drag.now))
        else:
            start, now = _array(drag.start, drag.now)
            inside = points_in_rectangle(view.area.pixels(), start, now)
        view.selected.emit(inside & view.area.cloud.shown, mode_of(drag.modifiers))

    @Slot()
    def _end(self) -> None:
        self._gesture = None
        self._path = []
        self._view.area.overlay.set_outline([])
        self._view.canvas.show_cursor(Qt.CursorShape.ArrowCursor)

    @Slot(object, object)
    def _on_wheel_turned(self, position: QPointF, steps: float) -> None:
        self._view.zoom(_ZOOM_PER_STEP**-steps, position)
        self._on_moved(position)


def _array(*points: QPointF) -> Floats:
    return np.array([(point.x(), point.y()) for point in points])
