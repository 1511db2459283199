"""While a hand drags, pictures are finished; when it rests, the last request is met."""

import pytest
from PySide6.QtCore import QTimer

from kpca_viewer.engine import runner as module
from kpca_viewer.engine.runner import Pacer

NEVER = 3_600_000
"""Milliseconds that no test lasts."""


@pytest.fixture
def pacer(bench, monkeypatch):
    """A pacer of endless patience, so that only the events of the test count."""
    monkeypatch.setattr(module, "PATIENCE_MS", NEVER)
    return Pacer(bench.runner, bench.runner)


def drag(pacer, *tasks):
    for task in tasks:
        pacer.submit(task, in_gesture=True)


def test_in_a_gesture_the_newest_request_waits_for_the_running_one(bench, pacer, qtbot):
    first, *between, last = (bench.task(name) for name in "abcde")
    drag(pacer, first)
    assert first.has_begun()
    drag(pacer, *between, last)
    assert not first.told_to_stop()
    first.may_end.set()
    qtbot.waitUntil(last.began.is_set)
    last.may_end.set()
    qtbot.waitUntil(lambda: not bench.runner.busy)
    assert bench.begun == [first, last]
    assert bench.results == ["a", "e"]


def test_the_runner_stays_busy_from_one_picture_to_the_next(bench, pacer, qtbot):
    first, last = bench.task("a"), bench.task("b")
    drag(pacer, first, last)
    first.may_end.set()
    last.may_end.set()
    qtbot.waitUntil(lambda: not bench.runner.busy)
    assert bench.results == ["a", "b"]
    assert bench.busy == [True, False]


def test_a_first_picture_is_enough_to_go_on(bench, pacer, qtbot):
    first, last = bench.task("final", early=["picture"]), bench.task("next")
    drag(pacer, first)
    assert first.has_begun()
    drag(pacer, last)
    qtbot.waitUntil(lambda: first.told_to_stop())
    assert bench.results == ["picture"]
    first.may_end.set()
    qtbot.waitUntil(last.began.is_set)
    last.may_end.set()
    qtbot.waitUntil(lambda: not bench.runner.busy)
    assert bench.results == ["picture", "next"]


def test_after_a_failure_the_waiting_request_runs(bench, pacer, qtbot):
    first, last = bench.task("a", error=ValueError("no")), bench.task("b")
    drag(pacer, first, last)
    first.may_end.set()
    last.may_end.set()
    qtbot.waitUntil(lambda: bench.results == ["b"])
    assert [str(error) for error in bench.errors] == ["no"]


def test_patience_ends(bench, qtbot, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE_MS", 1)
    pacer = Pacer(bench.runner, bench.runner)
    slow, skipped, last = bench.task("slow", deaf=False), *map(bench.task, "bc")
    drag(pacer, slow)
    assert slow.has_begun()
    drag(pacer, skipped, last)
    qtbot.waitUntil(last.began.is_set)
    last.may_end.set()
    qtbot.waitUntil(lambda: not bench.runner.busy)
    assert bench.begun == [slow, last]
    assert bench.results == ["c"]


def test_patience_is_counted_from_the_first_request_that_waits(bench, pacer):
    drag(pacer, bench.task("a"), bench.task("b"))
    assert pacer.holds
    started = pacer.findChild(QTimer).timerId()
    drag(pacer, bench.task("c"))
    assert pacer.findChild(QTimer).timerId() == started


def test_outside_a_gesture_a_request_does_not_wait(bench, pacer, qtbot):
    running, waiting, last = (bench.task(name) for name in "abc")
    drag(pacer, running)
    assert running.has_begun()
    drag(pacer, waiting)
    pacer.submit(last)
    assert running.told_to_stop()
    assert not pacer.holds
    running.may_end.set()
    last.may_end.set()
    qtbot.waitUntil(lambda: not bench.runner.busy)
    assert bench.begun == [running, last]
    assert bench.results == ["c"]


def test_cancel_forgets_the_waiting_request(bench, pacer, settle):
    running, waiting = bench.task("a"), bench.task("b")
    drag(pacer, running)
    assert running.has_begun()
    drag(pacer, waiting)
    pacer.cancel()
    assert not bench.runner.busy
    assert running.told_to_stop()
    assert not pacer.holds
    assert bench.cancelled == [True]
    settle()
    assert bench.begun == [running]
    assert bench.results == []


def test_closing_in_the_middle_of_a_gesture(bench, pacer, settle):
    running, waiting = bench.task("a", deaf=False), bench.task("b")
    drag(pacer, running)
    assert running.has_begun()
    drag(pacer, waiting)
    settle()
    assert bench.begun == [running]
    assert not bench.runner.busy
    assert bench.busy == [True, False]
