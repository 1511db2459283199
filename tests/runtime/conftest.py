"""Work under control: a task says when it began and ends when it is told to."""

from threading import Event

import pytest
from PySide6.QtCore import QThread

from kpca_viewer.engine.runner import Runner
from kpca_viewer.support.errors import Cancelled

PATIENCE = 120
"""Seconds after which a test gives up instead of hanging."""


class Task:
    """A request whose course is decided by the test.

    Parameters
    ----------
    name : str
        Also the result.
    early : list
        Results published before the last one.
    error : Exception, optional
        Raised in the place of a result.
    deaf : bool
        Whether it goes on although it was told to stop.
    """

    def __init__(self, name, early=(), error=None, deaf=True):
        self.name = name
        self.early = early
        self.error = error
        self.deaf = deaf
        self.began = Event()
        self.may_end = Event()
        self.told_to_stop = None
        self.thread = None
        self.progress = None

    def __repr__(self):
        return self.name

    def run(self, should_stop, progress, publish):
        self.told_to_stop = should_stop
        self.progress = progress
        self.thread = QThread.currentThread()
        for result in self.early:
            publish(result)
        self.began.set()
        if self.deaf:
            assert self.may_end.wait(PATIENCE)
        else:
            while not (should_stop() or self.may_end.is_set()):
                sum(range(1000))  # a block of work
            if should_stop():
                raise Cancelled("nobody wants it")
        if self.error is not None:
            raise self.error
        return self.name

    def has_begun(self):
        return self.began.wait(PATIENCE)


class Bench:
    """A runner, and everything that went into it and came out of it."""

    def __init__(self):
        self.begun = []
        self.results = []
        self.errors = []
        self.stages = []
        self.busy = []
        self.cancelled = []
        self.runner = Runner(self._work)
        self.runner.result_ready.connect(self.results.append)
        self.runner.failed.connect(self.errors.append)
        self.runner.progressed.connect(self._on_progressed)
        self.runner.busy_changed.connect(self.busy.append)
        self.runner.cancelled.connect(self._on_cancelled)
        self._tasks = []

    def task(self, name, **how):
        task = Task(name, **how)
        self._tasks.append(task)
        return task

    def start(self, task):
        """Submit a task and wait until it runs."""
        self.runner.submit(task)
        assert task.has_begun()

    def end(self):
        """Let everything end, and deliver whatever is still under way."""
        for task in self._tasks:
            task.may_end.set()
        self.runner.close()

    def _work(self, task, should_stop, progress, publish):
        self.begun.append(task)
        return task.run(should_stop, progress, publish)

    def _on_progressed(self, stage, fraction):
        self.stages.append((stage, fraction))

    def _on_cancelled(self):
        self.cancelled.append(True)


@pytest.fixture
def bench(qapp):
    bench = Bench()
    yield bench
    bench.end()
    qapp.processEvents()


@pytest.fixture
def settle(bench, qapp):
    """End the thread and deliver everything that it has still sent."""

    def settle():
        bench.end()
        qapp.processEvents()

    return settle
