"""The surface of a plot: mouse events as clicks, drags, hover and wheel."""

from dataclasses import dataclass

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from kpca_viewer.widgets.plots.painted import FocusMark

_DRAG_DISTANCE = 4.0


@dataclass(frozen=True)
class Drag:
    """One moment of a drag, in pixels."""

    start: QPointF
    previous: QPointF
    now: QPointF
    button: Qt.MouseButton
    modifiers: Qt.KeyboardModifier

    @property
    def step(self) -> QPointF:
        return self.now - self.previous

    def moved_to(self, now: QPointF) -> "Drag":
        return Drag(self.start, self.now, now, self.button, self.modifiers)


class PlotCanvas(pg.GraphicsView):
    """A graphics view that reports gestures instead of passing them to its items.

    pyqtgraph's own mouse handling would add pan, zoom, menus and a search for items
    under every movement.
    """

    moved = Signal(object)
    """QPointF while no button is held, None when the mouse leaves."""
    clicked = Signal(object, object, object)
    """QPointF, button, modifiers."""
    double_clicked = Signal(object, object)
    """QPointF, button."""
    drag_started = Signal(object)
    drag_moved = Signal(object)
    drag_finished = Signal(object)
    drag_cancelled = Signal()
    wheel_turned = Signal(object, object)
    """QPointF, steps of the wheel; positive away from the person."""
    menu_requested = Signal(object)
    """QPoint on the screen, by a key; the mouse is heard when it clicks."""

    # On the class: Qt may still send events while Python takes an instance apart.
    _press: Drag | None = None
    _drag: Drag | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, background=None)
        self.viewport().setMouseTracking(True)
        self.focus_mark = FocusMark(self.viewport())
        self.has_pointer_tool = False
        self._resting_cursor: QCursor | Qt.CursorShape = Qt.CursorShape.ArrowCursor

    def show_cursor(self, shape: Qt.CursorShape) -> None:
        resting = shape == Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(self._resting_cursor if resting else shape)

    def set_pointer_tool(self, cursor: QCursor | None) -> None:
        """Leave clicks and drags to a tool, shown by its cursor; None ends it."""
        self._resting_cursor = cursor or Qt.CursorShape.ArrowCursor
        self.has_pointer_tool = cursor is not None
        self.show_cursor(Qt.CursorShape.ArrowCursor)

    @property
    def dragging(self) -> bool:
        return self._drag is not None

    def cancel_drag(self) -> None:
        self._press = None
        if self._drag is not None:
            self._drag = None
            self.drag_cancelled.emit()

    def _cancels(self, event: QEvent) -> bool:
        return (
            isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.dragging
        )

    def event(self, event: QEvent) -> bool:
        # Claimed before shortcuts are looked up, or Escape would do two things.
        if event.type() == QEvent.Type.ShortcutOverride and self._cancels(event):
            event.accept()
            return True
        handled: bool = super().event(event)
        return handled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._cancels(event):
            self.cancel_drag()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_mark.focus_came(event.reason())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.focus_mark.shown:
            self.focus_mark.show(False)
            # The point that the keys were at.
            self.moved.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.focus_mark.shown:
            with QPainter(self.viewport()) as painter:
                self.focus_mark.draw(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.focus_mark.show(False)
        # A second button pressed during a drag is an accident, not a new gesture.
        if self._press is None:
            at = event.position()
            self._press = Drag(at, at, at, event.button(), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        now = event.position()
        if self._press is None:
            if not event.buttons():
                self.moved.emit(now)
            return
        if self._drag is None:
            if (now - self._press.start).manhattanLength() < _DRAG_DISTANCE:
                return
            self._drag = self._press
            self.drag_started.emit(self._drag)
        # A slot may have cancelled the drag.
        if self._drag is not None:
            self._drag = self._drag.moved_to(now)
            self.drag_moved.emit(self._drag)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        press, drag = self._press, self._drag
        if press is None or event.button() != press.button:
            return
        self._press = self._drag = None
        if drag is not None:
            self.drag_finished.emit(drag.moved_to(event.position()))
        else:
            self.clicked.emit(press.start, press.button, press.modifiers)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.double_clicked.emit(event.position(), event.button())

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Alt turns a vertical wheel into a horizontal one.
        turned = event.angleDelta().y() or event.angleDelta().x()
        self.wheel_turned.emit(event.position(), turned / 120.0)
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_requested.emit(self.mapToGlobal(self.rect().center()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.moved.emit(None)

    def hideEvent(self, event: QHideEvent) -> None:
        self.cancel_drag()
        super().hideEvent(event)
