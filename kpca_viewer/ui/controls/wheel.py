"""Scrolling past a control must not turn it."""

from PySide6.QtCore import QElapsedTimer, QEvent, QObject
from PySide6.QtWidgets import QWidget

PAUSE = 350
"""Milliseconds without a turn after which the wheel means the control."""


class WheelGuard(QObject):
    """Leaves the wheel to the scroll area while the page moves under the pointer.

    A control in a scrolling sidebar slides under a pointer that is turning the wheel.
    That gesture belongs to the sidebar until it pauses; a wheel turned over a control
    where the pointer has been resting, or that has the focus, belongs to the control.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._since_scroll = QElapsedTimer()
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Refuse a wheel event that started elsewhere."""
        if event.type() == QEvent.Type.Enter:
            self._since_scroll.start()
        elif (
            event.type() == QEvent.Type.Wheel
            and not self._widget.hasFocus()
            and self._since_scroll.isValid()
            and self._since_scroll.elapsed() < PAUSE
        ):
            self._since_scroll.start()
            event.ignore()
            return True
        return False
