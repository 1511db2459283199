"""Sweeps on a thread of their own, behind the interactive one.

A slider must not wait for thumbnails: while the interactive runner works, a sweep
waits at the next block.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.backend import ComputeBackend, MakePoints
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Hold, Runner
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.text import running_text
from kpca_viewer.support.progress import Progress, ShouldStop


@dataclass(frozen=True, eq=False)
class _SweepOrder:
    """One sweep to compute."""

    request: AnalysisRequest
    sweep: SweepSettings


class SweepRunner(QObject):
    """Computes one sweep at a time; the latest wins. Tests replace `run`."""

    point_ready = Signal(object)
    """A `SweepPoint`; one whose orientation is another at the end comes again."""
    finished = Signal(object)
    """The whole `SweepResult`."""
    failed = Signal(object)
    """The exception that ended it."""
    progressed = Signal(object, object)
    """What is done, in words, and the share that is done."""
    started = Signal()
    cancelled = Signal()

    def __init__(
        self,
        run: Callable[..., SweepResult] | None = None,
        parent: QObject | None = None,
        place: ComputeBackend | None = None,
    ) -> None:
        super().__init__(parent)
        self._run = run
        self._place = place or ComputeBackend()
        self._cache = StageCache()
        self._hold = Hold()
        self._order: _SweepOrder | None = None
        self.place = ""
        """Where points are made, as of the last progress; empty is here."""
        self._runner = Runner(self._work, self)
        self._runner.result_ready.connect(self._on_result_ready)
        self._runner.failed.connect(self.failed)
        self._runner.progressed.connect(self.progressed)
        self._runner.cancelled.connect(self.cancelled)

    @property
    def busy(self) -> bool:
        return self._runner.busy

    @property
    def sweep(self) -> SweepSettings | None:
        return None if self._order is None else self._order.sweep

    def start(self, request: AnalysisRequest, sweep: SweepSettings) -> None:
        """Compute a sweep; one that runs is given up."""
        self._order = _SweepOrder(request, sweep)
        self.started.emit()
        self._runner.submit(self._order)

    def keep(self, request: AnalysisRequest, sweep: SweepSettings) -> None:
        """Let a sweep be the last one without computing it; give up one that runs."""
        self._runner.cancel()
        self._order = _SweepOrder(request, sweep)

    def cancel(self) -> None:
        """Give up; the points that are there stay."""
        self._runner.cancel()

    def forget(self) -> None:
        """Give up; no sweep is the last one then."""
        self._order = None
        self._runner.cancel()

    @Slot(bool)
    def hold(self, held: bool) -> None:
        """Stand still while the interactive runner needs the processor, then go on."""
        self._hold.set(held)

    def close(self) -> None:
        """Stop and end the thread; waits until it is gone."""
        self._runner.cancel()
        self._hold.set(False)
        self._runner.close()

    def _work(
        self,
        order: _SweepOrder,
        should_stop: ShouldStop,
        progress: Progress,
        publish: Callable[[Any], None],
    ) -> SweepResult:
        # Some systems honour it, Linux does not: hence `hold` as well.
        QThread.currentThread().setPriority(QThread.Priority.LowPriority)
        make_points = self._place.make_points()
        run = self._run or _run_sweep(make_points)

        def report(stage: str, fraction: float | None) -> None:
            self.place = "" if make_points is None else make_points.place
            progress(stage, fraction)

        # Solvers ask between two blocks, so this is where a sweep waits.
        stopped = self._hold.asked_by(should_stop)
        return run(order.request, order.sweep, self._cache, stopped, report, publish)

    @Slot(object)
    def _on_result_ready(self, result: SweepPoint | SweepResult) -> None:
        if isinstance(result, SweepPoint):
            self.point_ready.emit(result)
        else:
            self.finished.emit(result)


def _run_sweep(make_points: MakePoints | None) -> Callable[..., SweepResult]:
    # Imported by the worker: it needs all of scipy.
    from kpca_viewer.engine.sweep.run import run_sweep

    return partial(run_sweep, make_points=make_points)


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


class RunClock(QObject):
    """Where a sweep is computed and since when, shown while no value comes."""

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
        if not self._clock.isActive():
            self.place, self._since = "", monotonic()
            self._clock.start()

    def end(self) -> None:
        self._clock.stop()

    def text(self) -> str:
        """Return what is known now, to stand behind the count of values."""
        return running_text(self.place, int(monotonic() - self._since), self.waits)
