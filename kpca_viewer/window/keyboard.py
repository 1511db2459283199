"""Keys of the whole window: the order of Tab by place, and Space, which plays."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLayout,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QScrollArea,
    QSplitter,
    QTextEdit,
    QWidget,
)

FOCUS_KEYS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_F6)


class PlayKey(QObject):
    """Filters key events of a window before its widgets get them.

    A teacher in front of a class clicks here and there, and whatever was clicked last
    has the keys. After Tab, Space presses the control with the focus.
    """

    pressed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._by_keyboard = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Space unless a text field has the focus or Tab was used."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            self._by_keyboard = False
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in FOCUS_KEYS:
                self._by_keyboard = True
            elif self._plays(event):
                self.pressed.emit()
                return True
        return super().eventFilter(watched, event)

    def _plays(self, event: QKeyEvent) -> bool:
        if event.key() != Qt.Key.Key_Space or event.modifiers() or self._by_keyboard:
            return False
        return not event.isAutoRepeat() and not _writes(QApplication.focusWidget())


def _writes(widget: QWidget | None) -> bool:
    """Return whether a blank would be written into a widget."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, (QLineEdit, QAbstractSpinBox, QTextEdit, QPlainTextEdit))


_LARGE = 80
"""Pixels in height from which something is no mere control."""


def _seen(widget: QWidget) -> list[QWidget]:
    """Return a widget and everything in it that can be used now, as one reads it."""
    seen: list[QWidget] = []
    _look(widget, seen)
    return seen


def _look(widget: QWidget, seen: list[QWidget]) -> None:
    if widget.isEnabled() and not widget.isHidden():
        seen.append(widget)
        for part in _parts(widget):
            _look(part, seen)


def _is_stop(widget: QWidget) -> bool:
    tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(tab) and widget.focusProxy() is None


def stops(widget: QWidget) -> list[QWidget]:
    """Return everything inside a widget that Tab can reach now, as one reads it."""
    return [part for part in _seen(widget) if _is_stop(part)]


def neighbour(window: QWidget, focused: QWidget, step: int) -> QWidget | None:
    """Return the stop after (1) or before (−1) the focused widget, around.

    The focused one need not be a stop itself, a click may have brought the keys there.
    None if it is gone, or if there is no stop.
    """
    seen = _seen(window)
    if focused not in seen:
        return None
    at = seen.index(focused)
    onward = seen[at + 1 :] + seen[:at] if step > 0 else seen[:at][::-1] + seen[:at:-1]
    return next((part for part in onward if _is_stop(part)), None)


def main_stop(pane: QWidget) -> QWidget | None:
    """Return where to begin in an area: at its plot or table, or at what comes first.

    None where there is nothing to reach.
    """
    reachable = stops(pane) if pane.isVisible() else []
    large = (stop for stop in reachable if stop.height() >= _LARGE)
    return next(large, reachable[0] if reachable else None)


def stop_of_pane(
    panes: Sequence[QWidget], focused: QWidget | None, step: int
) -> QWidget | None:
    """Return where to begin in the area after (1) or before (−1) the focused one."""
    reachable = [pane for pane in panes if main_stop(pane) is not None]
    here = [
        index
        for index, pane in enumerate(reachable)
        if focused is not None and pane.isAncestorOf(focused)
    ]
    start = here[0] if here else min(-step, 0)
    return main_stop(reachable[(start + step) % len(reachable)])


def _parts(widget: QWidget) -> list[QWidget]:
    """Return the widgets inside in the order in which they are read."""
    children = widget.children()
    if not children:
        return []
    if isinstance(widget, QMainWindow):
        docks = widget.findChildren(
            QDockWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
        )
        central = widget.centralWidget()
        return [*docks] if central is None else [central, *docks]
    if isinstance(widget, QSplitter):
        return [part for i in range(widget.count()) if (part := widget.widget(i))]
    if isinstance(widget, QDockWidget):
        return [part for part in (widget.titleBarWidget(), widget.widget()) if part]
    if isinstance(widget, QScrollArea):
        inside = widget.widget()
        return [] if inside is None else [inside]
    if isinstance(widget, QAbstractScrollArea):
        # Its own parts, a header or an editor, are reached by its own keys.
        return []
    layout = widget.layout()
    widgets = [
        child
        for child in children
        if isinstance(child, QWidget) and not child.isWindow()
    ]
    placed = [] if layout is None else list(_placed(layout, widgets))
    rest = [child for child in widgets if child not in placed]
    return placed + sorted(rest, key=lambda child: (child.y(), child.x()))


def _placed(layout: QLayout, widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """Yield those of a parent's widgets that a layout places, in its order."""
    # Not by `itemAt`: PySide keeps what that returns after Qt has deleted it, and ends
    # the process when another object gets its address.
    found: list[tuple[int, QWidget | QLayout]] = [
        (layout.indexOf(widget), widget) for widget in widgets
    ]
    found += [
        (layout.indexOf(inner), inner)
        for inner in layout.children()
        if isinstance(inner, QLayout)
    ]
    for index, part in sorted(found, key=lambda each: each[0]):
        if isinstance(part, QLayout):
            yield from _placed(part, widgets)
        elif index >= 0:
            yield part
