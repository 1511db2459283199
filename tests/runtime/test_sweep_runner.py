"""Sweeps behind the interactive thread: points as they come, holding, closing."""

from threading import Event

import pytest
from PySide6.QtCore import QObject, Signal

from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.runner import SweepRunner
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import check
from tests.runtime.conftest import PATIENCE

SMALL = SessionSettings(data=DataSettings("circles", (("samples", 60.0),)))
SWEEP = SweepSettings(steps=5)


class Bench(QObject):
    """A sweep runner whose sweeps the test can watch."""

    finished = Signal()

    def __init__(self, run=None):
        super().__init__()
        self.runner = SweepRunner(run)
        self.points, self.results, self.errors, self.told = [], [], [], []
        self.others = []
        self.runner.result_ready.connect(self._on_result_ready)
        self.runner.failed.connect(self.errors.append)
        self.runner.progressed.connect(self._on_progressed)
        self.runner.cancelled.connect(self._on_cancelled)

    def start(self, settings=SMALL, sweep=SWEEP):
        self.runner.start(AnalysisRequest(settings), sweep)

    def _on_progressed(self, words, share):
        self.told.append((words, share))

    def _on_result_ready(self, answer):
        if isinstance(answer, SweepPoint):
            self.points.append(answer)
        else:
            self.results.append(answer)
            self.finished.emit()

    def _on_cancelled(self):
        self.others.append("cancelled")


@pytest.fixture
def make(qapp):
    benches = []

    def make(run=None):
        benches.append(Bench(run))
        return benches[-1]

    yield make
    for bench in benches:
        bench.runner.close()
    qapp.processEvents()


class Slow:
    """A sweep of three points that waits to be let on before each of them."""

    def __init__(self):
        self.began, self.asked = Event(), Event()
        self.orders = []

    def __call__(self, request, sweep, cache, should_stop, progress, publish):
        self.orders.append(request.settings)
        points = []
        for index in range(3):
            self.began.set()
            self.asked.set()
            check(should_stop)
            points.append(SweepPoint(index, (float(index),), request.settings))
            publish(points[-1])
        return SweepResult(sweep, request.settings, tuple(points))


def test_points_come_as_they_are_computed(make, qtbot):
    bench = make()
    with qtbot.waitSignal(bench.finished):
        bench.start()
        assert bench.runner.busy
    assert {p.index for p in bench.points} == set(range(5))
    assert len(bench.results) == 1
    assert [p.index for p in bench.results[0].points] == list(range(5))
    qtbot.waitUntil(lambda: not bench.runner.busy)
    assert bench.told


def test_a_failure_is_told(make, qtbot):
    bench = make()
    with qtbot.waitSignal(bench.runner.failed):
        bench.start(SessionSettings(data=DataSettings("gone.csv")))
    assert isinstance(bench.errors[0], DataError)
    assert bench.results == []


def test_a_held_sweep_waits_and_goes_on(make, qtbot, qapp):
    slow = Slow()
    bench = make(slow)
    bench.runner.hold(True)
    bench.start()
    assert slow.asked.wait(PATIENCE)
    qapp.processEvents()
    assert bench.points == []
    with qtbot.waitSignal(bench.finished):
        bench.runner.hold(False)
    assert len(bench.points) == 3


def test_cancel_keeps_the_points_and_the_thread(make, qtbot):
    slow = Slow()
    bench = make(slow)
    bench.runner.hold(True)
    bench.start()
    assert slow.began.wait(PATIENCE)
    bench.runner.cancel()
    assert not bench.runner.busy
    assert bench.others == ["cancelled"]
    bench.runner.hold(False)
    with qtbot.waitSignal(bench.finished):
        bench.start()
    assert len(bench.results) == 1


def test_only_the_newest_sweep_is_heard(make, qtbot):
    slow = Slow()
    bench = make(slow)
    bench.runner.hold(True)
    bench.start()
    assert slow.began.wait(PATIENCE)
    moons = SessionSettings(data=DataSettings("moons"))
    with qtbot.waitSignal(bench.finished):
        bench.start(moons)
        bench.runner.hold(False)
    assert {p.settings for p in bench.points} == {moons}


def test_closing_while_held(make):
    slow = Slow()
    bench = make(slow)
    bench.runner.hold(True)
    bench.start()
    assert slow.began.wait(PATIENCE)
    bench.runner.close()
    bench.runner.close()
    assert not bench.runner.busy
    assert bench.results == []


@pytest.mark.journey
def test_a_real_sweep_can_be_cancelled(make, qtbot):
    bench = make()
    big = SessionSettings(data=DataSettings("circles", (("samples", 3000.0),)))
    with qtbot.waitSignal(bench.runner.result_ready):
        bench.start(big, SweepSettings(low=1, high=100, steps=200))
    bench.runner.cancel()
    bench.runner.close()
    assert bench.results == []
    assert bench.errors == []
