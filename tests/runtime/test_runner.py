"""One worker, one waiting request: the latest wins, and nobody sees a stale answer."""

import os
import subprocess
import sys
from contextlib import contextmanager
from threading import Event, Thread
from time import sleep

import pytest
from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, Signal, Slot

from kpca_viewer.engine import runner as module
from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import Sketch
from kpca_viewer.engine.runner import Runner, _Mailbox, _Worker
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.support.errors import DataError, TooLargeError
from tests.runtime.conftest import PATIENCE


class Last(QObject):
    """Stands behind the work in the queue of its thread."""

    asked = Signal()

    def __init__(self, thread):
        super().__init__()
        self.reached = Event()
        self.moveToThread(thread)
        self.asked.connect(self.on_asked, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def on_asked(self):
        self.reached.set()


@contextmanager
def answered(runner):
    """Wait until the work has sent its answer, which this thread has not seen yet."""
    last = Last(runner.findChild(QThread, "kpca-worker"))
    last.asked.emit()
    yield
    assert last.reached.wait(PATIENCE)


def idle(bench):
    return lambda: not bench.runner.busy


def test_one_request_one_result(bench, qtbot):
    task = bench.task("a")
    bench.start(task)
    assert bench.runner.busy
    assert task.thread is not QThread.currentThread()
    assert not task.told_to_stop()
    task.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.results == ["a"]
    assert bench.errors == []
    assert bench.busy == [True, False]


def test_of_three_rapid_requests_only_the_last_is_shown(bench, qtbot):
    first, middle, last = (bench.task(name) for name in ("first", "middle", "last"))
    bench.start(first)
    bench.runner.submit(middle)
    bench.runner.submit(last)
    assert first.told_to_stop()
    # The first goes on to its end all the same; its answer must not be shown.
    first.may_end.set()
    assert last.has_begun()
    assert not last.told_to_stop()
    last.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.begun == [first, last]
    assert bench.results == ["last"]
    assert bench.busy == [True, False]


def test_an_answer_waits_until_everything_posted_is_done(bench, qtbot):
    # Paint events are posted too; whoever answers with them in one go is slow.
    task = bench.task("a")
    bench.start(task)
    with answered(bench.runner):
        task.may_end.set()
    QCoreApplication.sendPostedEvents()
    assert bench.results == []
    assert bench.runner.busy
    qtbot.waitUntil(idle(bench))
    assert bench.results == ["a"]


def test_an_answer_that_is_under_way_is_dropped_too(bench, qtbot):
    first, last = bench.task("first"), bench.task("last")
    bench.start(first)
    with answered(bench.runner):
        first.may_end.set()
    # The answer has been sent, but this thread has not seen it yet.
    bench.runner.submit(last)
    assert last.has_begun()
    last.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.results == ["last"]


def test_first_pictures_come_before_the_last_in_order(bench, qtbot):
    task = bench.task("final", early=["sketch", "picture"])
    bench.start(task)
    qtbot.waitUntil(lambda: len(bench.results) == 2)
    assert bench.results == ["sketch", "picture"]
    assert bench.runner.busy
    task.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.results == ["sketch", "picture", "final"]


def test_a_stale_first_picture_is_dropped(bench, settle):
    first, last = bench.task("first", early=["sketch"]), bench.task("last")
    bench.start(first)
    bench.runner.submit(last)
    first.may_end.set()
    assert last.has_begun()
    settle()
    assert bench.results == []


def test_cancel_wants_nothing_any_more(bench, settle):
    running, waiting = bench.task("running"), bench.task("waiting")
    bench.start(running)
    bench.runner.submit(waiting)
    bench.runner.cancel()
    assert not bench.runner.busy
    assert bench.busy == [True, False]
    assert bench.cancelled == [True]
    assert running.told_to_stop()
    settle()
    assert bench.begun == [running]
    assert bench.results == []
    assert bench.errors == []


def test_cancel_without_work_is_nothing(bench):
    bench.runner.cancel()
    assert bench.cancelled == []
    assert bench.busy == []


def test_after_a_cancel_the_next_request_runs(bench, qtbot):
    bench.start(bench.task("unwanted", deaf=False))
    bench.runner.cancel()
    task = bench.task("wanted")
    bench.start(task)
    assert not task.told_to_stop()
    task.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.results == ["wanted"]
    assert bench.busy == [True, False, True, False]


@pytest.mark.parametrize(
    "error",
    [
        DataError("Open it again."),
        TooLargeError("Choose fewer points."),
        MemoryError(),
        ZeroDivisionError("a bug"),
        KeyError("another"),
    ],
    ids=repr,
)
def test_a_failure_keeps_the_last_result_and_the_thread(bench, qtbot, error):
    for task in (
        bench.task("good"),
        bench.task("bad", error=error),
        bench.task("again"),
    ):
        bench.start(task)
        task.may_end.set()
        qtbot.waitUntil(idle(bench))
    assert bench.errors == [error]
    assert bench.results == ["good", "again"]
    assert bench.busy == [True, False] * 3


def test_a_stale_failure_is_not_shown(bench, qtbot):
    first, last = bench.task("first", error=ValueError("late")), bench.task("last")
    bench.start(first)
    bench.runner.submit(last)
    first.may_end.set()
    last.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.errors == []
    assert bench.results == ["last"]


def test_work_that_stops_when_told_says_nothing(bench, qtbot):
    first, last = bench.task("first", deaf=False), bench.task("last")
    bench.start(first)
    bench.start(last)
    last.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.errors == []
    assert bench.results == ["last"]


def test_progress_arrives_from_any_thread(bench, qtbot):
    task = bench.task("a")
    bench.start(task)
    # As the pool that fills the kernel matrix does.
    helper = Thread(target=task.progress, args=("kernel matrix", 0.5))
    helper.start()
    helper.join()
    qtbot.waitUntil(lambda: bool(bench.stages))
    assert bench.stages == [("kernel matrix", 0.5)]


def test_progress_is_told_a_few_times_a_second(bench, qtbot, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: clock[0])
    task = bench.task("a")
    bench.start(task)
    for step in range(100):
        clock[0] += module.REPORT_EVERY / 10
        task.progress("block", step)
    task.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert 5 <= len(bench.stages) <= 11


def test_the_next_stage_is_told_however_soon_it_comes(bench, qtbot, monkeypatch):
    monkeypatch.setattr(module, "monotonic", lambda: 100.0)
    task = bench.task("a")
    bench.start(task)
    for report in (("matrix", 0.9), ("matrix", 1.0), ("pass 1", 0.1), ("pass 2", 0.2)):
        task.progress(*report)
    task.progress("eigenvalues", None)
    task.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.stages == [("matrix", 0.9), ("pass 1", 0.1), ("eigenvalues", None)]


def test_stale_progress_is_dropped(bench, qtbot):
    first, last = bench.task("first"), bench.task("last")
    bench.start(first)
    first.progress("under way", None)
    bench.runner.submit(last)
    first.progress("told to stop", None)
    first.may_end.set()
    assert last.has_begun()
    last.progress("last", 1.0)
    last.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert bench.stages == [("last", 1.0)]


def test_closing_during_work_ends_cleanly(bench, qapp):
    task, waiting = bench.task("a"), bench.task("b")
    bench.start(task)
    bench.runner.submit(waiting)
    wanted = bench.runner._mailbox.newest

    def end_once_nothing_waits():
        # Told to stop by the second one, it would make room for that before the close.
        while bench.runner._mailbox.newest == wanted:
            sleep(0.001)
        task.may_end.set()

    ending = Thread(target=end_once_nothing_waits)
    ending.start()
    bench.runner.close()
    ending.join()
    assert task.told_to_stop()
    assert not bench.runner.busy
    qapp.processEvents()
    assert bench.begun == [task]
    assert bench.results == []
    assert bench.errors == []
    assert bench.busy == [True, False]


def test_after_closing_nothing_is_accepted(bench, qapp):
    bench.runner.close()
    bench.runner.close()
    bench.runner.submit(bench.task("late"))
    qapp.processEvents()
    assert not bench.runner.busy
    assert bench.begun == []


def test_closing_does_not_wait_for_work_that_cannot_be_stopped(
    bench, qtbot, monkeypatch
):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    task = bench.task("deaf")
    bench.start(task)
    bench.runner.close()
    assert not task.may_end.is_set()
    assert module.still_running()
    assert not bench.runner.busy
    bench.runner.submit(bench.task("late"))
    bench.runner.close()
    task.may_end.set()
    qtbot.waitUntil(lambda: not module.still_running())
    assert bench.begun == [task]
    assert bench.results == []


CLOSE_FOR_EVER = """
import sys
from threading import Event
from PySide6.QtCore import QCoreApplication
from kpca_viewer.engine.runner import Runner, leave

def work(began, should_stop, progress, publish):
    began.set()
    Event().wait()

app = QCoreApplication([])
runner = Runner(work)
began = Event()
runner.submit(began)
assert began.wait(120)
runner.close()
del runner
print("closed")
if len(sys.argv) > 1:
    leave(int(sys.argv[1]))
"""


@pytest.mark.journey
@pytest.mark.parametrize("code", [(), ("7",)])
def test_a_process_ends_although_a_thread_never_does(code):
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", CLOSE_FOR_EVER, *code],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert ended.stderr == ""
    assert ended.stdout == "closed\n"
    assert ended.returncode == int("".join(code) or 0)


CLOSE_A_HUNDRED = """
from threading import Event
from PySide6.QtCore import QCoreApplication
from kpca_viewer.engine.runner import Runner

def work(began, should_stop, progress, publish):
    publish("early")
    began.set()
    while not should_stop():
        progress("block", None)
    return "late"

app = QCoreApplication([])
shown = []
for count in range(100):
    runner = Runner(work)
    runner.result_ready.connect(shown.append)
    began = Event()
    runner.submit(began)
    if count % 3:
        assert began.wait(120)
    if count % 3 == 2:
        runner.submit(Event())
    runner.close()
    assert not runner.busy
    del runner
    app.processEvents()
assert shown == [], shown
print("done")
"""


@pytest.mark.journey
def test_a_hundred_runners_closed_during_work():
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-W", "error", "-c", CLOSE_A_HUNDRED],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert ended.stderr == ""
    assert ended.stdout == "done\n"
    assert ended.returncode == 0


DROP = """
from threading import Event
from PySide6.QtCore import QCoreApplication, QObject
from kpca_viewer.engine.runner import Runner

def work(began, should_stop, progress, publish):
    began.set()
    while not should_stop():
        pass

class Program(QObject):
    def __init__(self, began):
        super().__init__()
        self.runner = Runner(work, self)
        if began is not None:
            self.runner.submit(began)
            assert began.wait(120)
        raise ValueError

app = QCoreApplication([])
for began in (None, Event()):
    try:
        Program(began)
    except ValueError:
        pass
runner = Runner(work)
print("done")
"""


@pytest.mark.journey
def test_a_start_that_fails_and_an_end_without_close_do_not_abort():
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", DROP],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


def test_a_worker_that_wakes_for_nothing_does_nothing():
    asked = []
    _Worker(asked.append, _Mailbox()).run_next()
    assert asked == []


@pytest.fixture
def analyst(qapp):
    """A runner that does the real work."""
    cache = StageCache()

    def work(request, should_stop, progress, publish):
        return run(request, cache, should_stop, progress, publish)

    runner = Runner(work)
    yield runner
    runner.close()
    qapp.processEvents()


def request(source):
    return AnalysisRequest(SessionSettings(data=DataSettings(source)))


def test_the_real_analysis_is_drawn_first_and_judged_later(analyst, qtbot):
    results, errors = [], []
    analyst.result_ready.connect(results.append)
    analyst.failed.connect(errors.append)
    analyst.submit(request("moons"))
    qtbot.waitUntil(lambda: not analyst.busy)
    early, final = results
    assert early.comparison is None
    assert final.comparison is not None
    assert final.decomposition is early.decomposition
    analyst.submit(request("nowhere"))
    qtbot.waitUntil(lambda: not analyst.busy)
    assert len(results) == 2
    assert "“nowhere” is not open" in str(errors[0])


def test_the_real_analysis_is_left_in_the_middle(analyst, qtbot):
    settings = SessionSettings(data=DataSettings("helix", (("samples", 3000.0),)))
    results = []
    analyst.result_ready.connect(results.append)
    with qtbot.waitSignal(analyst.progressed):
        analyst.submit(AnalysisRequest(settings))
    analyst.submit(request("three_points"))
    qtbot.waitUntil(lambda: not analyst.busy)
    assert {result.dataset.name for result in results} == {"Three points"}


def test_some_rows_are_told_apart_from_a_result(bench, qtbot):
    some, told = Sketch(None, None, None), []
    bench.runner.sketched.connect(told.append)
    task = bench.task("a", early=[some])
    bench.start(task)
    task.may_end.set()
    qtbot.waitUntil(idle(bench))
    assert told == [some]
    assert bench.results == ["a"]
