"""What mouse and keys do in the embedding while places are pointed at."""

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QCursor

from kpca_viewer.engine.notes import Place
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.canvas import Drag

REACH = 9.0
"""Pixels around a kept place within which a click lets it go."""


class PlaceCursor(QObject):
    """Tells which place is pointed at, and which one is kept by a click.

    While it is ``on``, the left button of the view is ours; the place that is ``kept``
    stays when the mouse moves on; ``inside``: whether the mouse is in the plot.
    """

    pointed = Signal(object)
    """(x, y) in the units of the axes."""
    left = Signal()
    """The mouse points at no place any more."""
    kept_changed = Signal(object)
    """The place that is kept now, or None."""

    def __init__(self, view: JoinedScatter) -> None:
        super().__init__(view)
        self.on = False
        self.kept: Place | None = None
        self.inside = False
        self._last: Place | None = None
        self._dragging = False
        self._view = view
        canvas = view.canvas
        canvas.moved.connect(self._on_moved)
        canvas.clicked.connect(self._on_clicked)
        canvas.drag_started.connect(self._on_drag_started)
        canvas.drag_moved.connect(self._on_drag_moved)
        canvas.drag_finished.connect(self._on_drag_finished)
        canvas.drag_cancelled.connect(self._on_drag_cancelled)
        view.nudged.connect(self._on_nudged)
        view.inserted.connect(self._on_inserted)
        view.deleted.connect(self._on_deleted)

    def set_on(self, on: bool) -> None:
        """Take the left button of the view, or give it back. Emits nothing."""
        if on != self.on:
            self.on = on
            self._view.canvas.cancel_drag()
        cross = QCursor(Qt.CursorShape.CrossCursor)
        self._view.canvas.set_pointer_tool(cross if on else None)

    def forget(self) -> None:
        """Drop the place that is kept. Emits nothing."""
        self.kept = self._last = None

    def keep(self, place: Place | None) -> None:
        if place != self.kept:
            self.kept = place
            self.kept_changed.emit(place)

    @property
    def _active(self) -> bool:
        return self.on and self._view.is_flat and self._view.point_count > 0

    def _place_at(self, at: QPointF) -> Place | None:
        frame = self._view.area.frame
        if not frame.contains(at.x(), at.y()):
            return None
        x, y = frame.to_data(np.array([(at.x(), at.y())]))[0]
        return float(x), float(y)

    def _is_kept_at(self, at: QPointF) -> bool:
        if self.kept is None:
            return False
        x, y = self._view.area.frame.to_pixels(np.array([self.kept]))[0]
        return bool(np.hypot(at.x() - x, at.y() - y) <= REACH)

    @Slot(object)
    def _on_moved(self, position: QPointF | None) -> None:
        if not self._active:
            return
        place = None if position is None else self._place_at(position)
        self.inside = place is not None
        if self.kept is not None:
            return
        if place is None:
            self.left.emit()
        else:
            self._last = place
            self.pointed.emit(place)

    @Slot(object, object, object)
    def _on_clicked(
        self, position: QPointF, button: Qt.MouseButton, _keys: Qt.KeyboardModifier
    ) -> None:
        if button != Qt.MouseButton.LeftButton or not self._active:
            return
        place = self._place_at(position)
        if place is not None:
            self.keep(None if self._is_kept_at(position) else place)

    @Slot(object)
    def _on_drag_started(self, drag: Drag) -> None:
        self._dragging = self._active and drag.button == Qt.MouseButton.LeftButton

    @Slot(object)
    def _on_drag_moved(self, drag: Drag) -> None:
        place = self._place_at(drag.now)
        if self._dragging and place is not None:
            self.keep(place)

    @Slot(object)
    def _on_drag_finished(self, drag: Drag) -> None:
        self._on_drag_moved(drag)
        self._dragging = False

    @Slot()
    def _on_drag_cancelled(self) -> None:
        self._dragging = False

    # The keys

    @Slot(object)
    def _on_nudged(self, shift: Place) -> None:
        """Move the place that is kept, or keep one beside the last place."""
        if self._active:
            x, y = self.kept or self._last or self._view.middle()
            self.keep((x + shift[0], y + shift[1]))

    @Slot()
    def _on_inserted(self) -> None:
        if self._active:
            self.keep(self._last or self._view.middle())

    @Slot()
    def _on_deleted(self) -> None:
        if self._active:
            self.keep(None)
