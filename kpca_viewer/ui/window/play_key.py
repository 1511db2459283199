"""Space plays the sweep, whichever widget a click has given the focus."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

FOCUS_KEYS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_F6)


class PlayKey(QObject):
    """Filters key events of a window before its widgets get them.

    Somebody in front of a class clicks here and there, and whatever was clicked last
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
