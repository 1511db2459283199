"""Running: where a sweep is computed and since when, told while no value comes."""

from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

TOLD_AFTER = 3
"""Seconds that need no explanation."""


class Running(QObject):
    """Knows what is known of a sweep that runs, besides its values."""

    ticked = Signal()
    """A second is over."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.place = ""
        """Where it is computed, in words: "on 2 workers"; empty is here."""
        self.waits = False
        """Whether it stands still, because the picture comes first."""
        self._since = 0.0
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self.ticked)

    def begin(self) -> None:
        """Count from now on, unless it counts."""
        if not self._clock.isActive():
            self.place, self._since = "", monotonic()
            self._clock.start()

    def end(self) -> None:
        self._clock.stop()

    def text(self) -> str:
        """Return what is known now, to stand behind the count of values."""
        return running_text(self.place, int(monotonic() - self._since), self.waits)


def running_text(place: str, seconds: int, waits: bool) -> str:
    """Return where a sweep is computed and for how long: " on 2 workers · 1:20"."""
    where = f" {place}" if place else ""
    if seconds < TOLD_AFTER:
        return where
    if waits:
        return " · waits for the picture"
    return f"{where} · {seconds // 60}:{seconds % 60:02d}"
