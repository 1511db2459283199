"""Garbage is collected on the thread of the window only.

Python looks for cycles on whatever thread happens to allocate. A widget that is part of
one would then be destroyed by a worker, which ends the process.
"""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

LOOK_EVERY = 250
"""Milliseconds between two looks."""


class GarbageCollector(QObject):
    """Takes the collection of garbage over for as long as it runs.

    Several may run at once; the last one that stops gives it back to Python.
    """

    _running = 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        GarbageCollector._running += 1
        gc.disable()

    @Slot()
    def look(self) -> None:
        """Collect as deep as the counters ask for, as Python would have done."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    def stop(self) -> None:
        """Give the collection back."""
        if self._timer.isActive():
            self._timer.stop()
            GarbageCollector._running -= 1
            if GarbageCollector._running == 0:
                gc.enable()
