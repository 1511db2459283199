"""Player: moves a playhead forth and back along a sweep."""

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

TICK_MS = 33
SPEEDS = (1.0, 2.0, 4.0, 8.0)
"""Values a second."""


class Player(QObject):
    """A position between 0 and the last value, and the time that moves it."""

    moved = Signal(object)
    """The position, a float."""
    running_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._position = 0.0
        self._last = 0
        self._direction = 1
        self._speed = SPEEDS[1]
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    @property
    def position(self) -> float:
        return self._position

    def set_speed(self, values_a_second: float) -> None:
        self._speed = values_a_second

    def set_count(self, count: int) -> None:
        self._last = max(count - 1, 0)
        self._position = min(self._position, float(self._last))

    def set_position(self, position: float) -> None:
        self._position = min(max(position, 0.0), float(self._last))

    def play(self) -> None:
        """Go on from where it is, towards the side with more room."""
        if self._last == 0 or self.running:
            return
        if self._position >= self._last:
            self._direction = -1
        elif self._position <= 0:
            self._direction = 1
        self._clock.start()
        self._timer.start()
        self.running_changed.emit(True)

    def stop(self) -> None:
        """Stay where it is."""
        if self.running:
            self._timer.stop()
            self.running_changed.emit(False)

    def advance(self, seconds: float) -> None:
        """Move on by so much time; at an end, turn round."""
        position = self._position + self._direction * self._speed * seconds
        while not 0 <= position <= self._last:
            # Reflected rather than cut: the speed is the same at the ends.
            if position < 0:
                position, self._direction = -position, 1
            else:
                position, self._direction = 2 * self._last - position, -1
        self._position = position
        self.moved.emit(position)

    @Slot()
    def _on_timeout(self) -> None:
        self.advance(self._clock.restart() / 1000.0)
