"""PointBatches: points of a sweep, gathered until the window has time for them."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kpca_viewer.engine.sweep.point import SweepPoint

TOGETHER = 40
"""Milliseconds between two looks at what has come: nobody sees more than that."""


class PointBatches(QObject):
    """Hands points over in groups: each by itself would redraw strip and gallery."""

    came = Signal(object)
    """A list of `SweepPoint`, the newest version of each."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._points: dict[int, SweepPoint] = {}
        self._timer = QTimer(self, singleShot=True, interval=TOGETHER)
        self._timer.timeout.connect(self.flush)

    @Slot(object)
    def add(self, point: SweepPoint) -> None:
        """Take a point; it is handed over soon."""
        self._points[point.index] = point
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def flush(self) -> None:
        """Hand over now what is there."""
        self._timer.stop()
        points, self._points = list(self._points.values()), {}
        if points:
            self.came.emit(points)

    def clear(self) -> None:
        """Forget what was not handed over: it is about another sweep."""
        self._timer.stop()
        self._points.clear()
