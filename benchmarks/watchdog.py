"""How long the UI thread stalls while γ moves through the real window."""

import json
from dataclasses import replace
from time import perf_counter, thread_time

import numpy as np

from benchmarks.window import opened

# Behind `benchmarks.window`, which prepares Qt.
from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Slot  # isort: skip

from kpca_viewer.window.app import Viewer

SAMPLES = 4000
GAMMAS = np.geomspace(0.5, 50, 50)
TICK_MS = 5


class Watchdog(QObject):
    """Notes when a quick timer fires; where it cannot, the window is frozen."""

    def __init__(self) -> None:
        super().__init__()
        self._times: list[tuple[float, float]] = []
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    def start(self) -> None:
        """Begin to watch."""
        self._times = []
        self._on_tick()
        self._timer.start()

    def stop(self) -> np.ndarray:
        """Return the gaps (m, 2) between ticks in ms: by the clock, and of work."""
        self._timer.stop()
        self._on_tick()
        return 1000 * np.diff(np.array(self._times), axis=0)

    @Slot()
    def _on_tick(self) -> None:
        self._times.append((perf_counter(), thread_time()))


class _Drive(QObject):
    """Asks for the next γ as soon as the last is answered in full."""

    def __init__(self, viewer: Viewer, loop: QEventLoop) -> None:
        super().__init__()
        self._viewer, self._loop = viewer, loop
        self._left = [float(gamma) for gamma in GAMMAS[::-1]]
        self.results = 0
        viewer.runner.result_ready.connect(self._on_result_ready)
        viewer.runner.busy_changed.connect(self._on_busy_changed)

    @Slot()
    def ask(self) -> None:
        store = self._viewer.store
        kernel = store.settings.kernel.with_value("gamma", self._left.pop())
        store.update(replace(store.settings, kernel=kernel), "watchdog")

    @Slot(object)
    def _on_result_ready(self, _result: object) -> None:
        self.results += 1

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        if busy:
            return
        if self._left:
            QTimer.singleShot(0, self, self.ask)
        else:
            self._loop.quit()


def run() -> dict[str, float | int]:
    """Recompute 4,000 circles for 50 values of γ and watch the UI thread.

    Returns
    -------
    dict
        ``longest_gap_ms`` and ``median_gap_ms`` of a 5-ms timer, ``gaps_over_50_ms``;
        ``longest_work_ms`` is the processor time of the UI thread in one gap, which
        does not grow with what else the machine has to do;
        ``results`` that were drawn (each γ twice: at once, and with its scores), and
        the ``seconds`` that it took.
    """
    with opened(SAMPLES) as viewer:
        loop = QEventLoop()
        drive, watchdog = _Drive(viewer, loop), Watchdog()
        started = perf_counter()
        watchdog.start()
        QTimer.singleShot(0, drive, drive.ask)
        loop.exec()
        gaps, work = watchdog.stop().T
        seconds = perf_counter() - started
    return {
        "longest_gap_ms": round(float(gaps.max()), 1),
        "median_gap_ms": round(float(np.median(gaps)), 1),
        "longest_work_ms": round(float(work.max()), 1),
        "gaps_over_50_ms": int((gaps > 50).sum()),
        "results": drive.results,
        "seconds": round(seconds, 2),
    }


if __name__ == "__main__":
    print(json.dumps(run()))
