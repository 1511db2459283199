"""Sweeps on a thread of their own, behind the interactive one.

A slider must not wait for thumbnails: while the interactive runner works, a sweep
waits at the next block.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.backend import ComputeBackend
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Hold, Runner
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.progress import Progress, ShouldStop


class SweepRunner(Runner):
    """Computes one sweep at a time; the latest wins. Tests replace `run`.

    `result_ready` brings a `SweepPoint` as soon as it is there, and once more where its
    orientation is another at the end; the last answer is the whole `SweepResult`.
    """

    def __init__(
        self,
        run: Callable[..., SweepResult] | None = None,
        parent: QObject | None = None,
        backend: ComputeBackend | None = None,
    ) -> None:
        super().__init__(self._work, parent)
        self._run = run
        self._backend = backend or ComputeBackend()
        self._cache = StageCache()
        self._hold = Hold()
        self.place = ""
        """Where points are made, as of the last progress; empty is here."""

    def start(self, request: AnalysisRequest, sweep: SweepSettings) -> None:
        self.submit((request, sweep))

    @Slot(bool)
    def hold(self, held: bool) -> None:
        """Stand still while the interactive runner needs the processor, then go on."""
        self._hold.set(held)

    def close(self) -> None:
        """Stop and end the thread; waits until it is gone."""
        self.cancel()
        self._hold.set(False)
        super().close()

    def _work(
        self,
        order: tuple[AnalysisRequest, SweepSettings],
        should_stop: ShouldStop,
        progress: Progress,
        publish: Callable[[Any], None],
    ) -> SweepResult:
        # Imported by the worker: it needs all of scipy.
        from kpca_viewer.engine.sweep.run import run_sweep

        # Some systems honour it, Linux does not: hence `hold` as well.
        QThread.currentThread().setPriority(QThread.Priority.LowPriority)
        make_points = self._backend.make_points()
        run = self._run or partial(run_sweep, make_points=make_points)

        def report(stage: str, fraction: float | None) -> None:
            self.place = "" if make_points is None else make_points.place
            progress(stage, fraction)

        # Solvers ask between two blocks, so this is where a sweep waits.
        stopped = self._hold.asked_by(should_stop)
        return run(*order, self._cache, stopped, report, publish)


TOGETHER = 40
"""Milliseconds between two looks at what has come: more is not seen."""


class PointBatches(QObject):
    """Hands points over in groups: each by itself would redraw strip and gallery."""

    came = Signal(object)
    """A list of `SweepPoint`, the newest version of each."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._points: dict[int, SweepPoint] = {}
        self._timer = QTimer(self, singleShot=True, interval=TOGETHER)
        self._timer.timeout.connect(self.flush)

    def add(self, point: SweepPoint) -> None:
        self._points[point.index] = point
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def flush(self) -> None:
        self._timer.stop()
        points, self._points = list(self._points.values()), {}
        if points:
            self.came.emit(points)

    def clear(self) -> None:
        """Forget what was not handed over: it is about another sweep."""
        self._timer.stop()
        self._points.clear()
