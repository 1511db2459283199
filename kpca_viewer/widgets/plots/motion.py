"""Movement of a plot: points that glide to new places, a box that slowly turns."""

import numpy as np
from PySide6.QtCore import (
    QEasingCurve,
    QElapsedTimer,
    QObject,
    QTimer,
    QVariantAnimation,
    Signal,
    Slot,
)

from kpca_viewer.widgets.plots.frame import Floats

GLIDE_MS = 120
_DEGREES_PER_SECOND = 14.0
_TICK_MS = 33


class Glide(QObject):
    """Moves an array from one value to another."""

    moved = Signal(object)
    """The array on its way; at last the very array it was sent to."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ends: tuple[Floats, Floats] = (np.empty(0), np.empty(0))
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(GLIDE_MS)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_value_changed)

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    def start(self, before: Floats, after: Floats) -> None:
        self._ends = (before, after)
        self._animation.start()

    def stop(self) -> None:
        self._animation.stop()

    def finish(self) -> None:
        if self.running:
            self._animation.stop()
            self.moved.emit(self._ends[1])

    @Slot(object)
    def _on_value_changed(self, share: float) -> None:
        before, after = self._ends
        self.moved.emit(after if share >= 1.0 else before + share * (after - before))


class Turntable(QObject):
    """Asks for a small turn, again and again."""

    turned = Signal(object)
    """Degrees since the last time."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def set_running(self, running: bool) -> None:
        if running:
            self._clock.restart()
            self._timer.start()
        else:
            self._timer.stop()

    @Slot()
    def _on_timeout(self) -> None:
        self.turned.emit(_DEGREES_PER_SECOND * self._clock.restart() / 1000.0)
