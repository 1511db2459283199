"""What holds for every test."""

import faulthandler
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from pytestqt.qtbot import QtBot
from threadpoolctl import threadpool_limits

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Of a run in the background; what tests start would have none either.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before the first import of Qt: tests open no window on somebody's screen, and have one
# of their own that a window at its first start just fits on.
if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
    screen = Path(__file__).with_name("screen.json")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={screen}"

# Workers of a cluster live as long as the tests: they look a hundred times a second at
# where their threads are, and fifty times at their own loops, for a page that is not
# opened.
os.environ["DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED"] = "False"
os.environ["DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL"] = "500ms"
# One that a test has killed may take long to be there again on a busy machine; after
# this time Dask would do without it.
os.environ["DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT"] = "1 h"

from tests.journeys import is_journey
from tests.memory import memory

# How long an example takes is the machine's business, not a property of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

PATIENCE = 120_000
"""Milliseconds after which a test gives up, however busy the machine is."""

HANGS_AFTER = 600
"""Seconds after which every thread says where it is and the process ends.

The other processes go on, and the test is reported as the one that ended it.
"""
TERMINAL = pytest.StashKey[int]()
WATCHED = pytest.StashKey[float]()

for wait in (
    QtBot.waitActive,
    QtBot.waitCallback,
    QtBot.waitExposed,
    QtBot.waitSignal,
    QtBot.waitSignals,
    QtBot.waitUntil,
):
    wait.__kwdefaults__["timeout"] = PATIENCE

# As in the program: a worker that collects garbage would destroy widgets of tests that
# have ended long ago, on the wrong thread.
gc.disable()


def pytest_configure(config: pytest.Config) -> None:
    """Keep a way to the terminal, which is captured while tests run."""
    config.stash[TERMINAL] = os.dup(2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long, whichever files were named."""
    for item in items:
        if is_journey(item):
            item.add_marker(pytest.mark.journey)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Watch for a test that hangs, and look whether it takes what is remembered.

    A watch is a thread of its own: one for every test, as `faulthandler_timeout` of
    pytest has it, takes longer than most tests.
    """
    memory.used = "computed_anew" not in getattr(item, "fixturenames", ())
    stash, now = item.config.stash, time.monotonic()
    if now - stash.get(WATCHED, -HANGS_AFTER) > HANGS_AFTER / 10:
        stash[WATCHED] = now
        faulthandler.dump_traceback_later(HANGS_AFTER, exit=True, file=stash[TERMINAL])


def pytest_unconfigure(config: pytest.Config) -> None:
    faulthandler.cancel_dump_traceback_later()
    os.close(config.stash[TERMINAL])


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, not among modules and collected tests."""
    memory.install()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def screen_of_tests(qapp) -> None:
    """Make the application on it, before a command does so on a smaller one of Qt."""


@pytest.fixture(scope="session", autouse=True)
def one_blas_thread() -> Iterator[None]:
    """Matrices this small gain nothing from threads that wait for each other."""
    with threadpool_limits(1, user_api="blas"):
        yield


@pytest.fixture(autouse=True)
def garbage_of_this_thread() -> Iterator[None]:
    """Collect between two tests, on the main thread."""
    # A viewer that an earlier test has closed has given the collection back to Python.
    gc.disable()
    yield
    gc.collect(1)


@pytest.fixture(autouse=True)
def no_style_sheet_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Take the sheet off: a window is made under it in four times the time."""
    yield
    if "viewer" in request.fixturenames:
        return  # a program that the next test goes on with
    widgets = sys.modules.get("PySide6.QtWidgets")
    # In tests of the runtime there is an application without widgets.
    app = None if widgets is None else widgets.QApplication.instance()
    if app is not None and isinstance(app, widgets.QApplication) and app.styleSheet():
        from kpca_viewer.widgets.style import set_palette_and_font
        from kpca_viewer.widgets.theme import LIGHT

        set_palette_and_font(app, LIGHT)


@pytest.fixture(autouse=True)
def unhurried_threads() -> None:
    """Wait for the end of every thread, however busy the machine is."""
    runner = sys.modules.get("kpca_viewer.engine.runner")
    if runner is not None:
        runner.PATIENCE = 60.0


class Patch(pytest.MonkeyPatch):  # type: ignore[misc]
    """What depends on a changed name is not remembered; folders are no such names."""

    def setattr(self, *args: Any, **kwargs: Any) -> None:
        memory.used = False
        super().setattr(*args, **kwargs)

    def setitem(self, dic: Any, name: Any, value: Any) -> None:
        memory.used &= dic is os.environ
        super().setitem(dic, name, value)


@pytest.fixture
def monkeypatch() -> Iterator[pytest.MonkeyPatch]:
    patch = Patch()
    yield patch
    patch.undo()


@pytest.fixture
def computed_anew() -> None:
    """Remember nothing: for tests of stops and progress in a computation."""


@pytest.fixture(scope="session")
def started_cluster() -> Iterator[Any]:
    """Start a real cluster of two processes, once for all tests that use it."""
    import logging

    from distributed import LocalCluster

    from kpca_viewer.engine.executors.dask_connection import connected

    started = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        # Else the one port that everything takes.
        dashboard_address="localhost:0",
        silence_logs=logging.CRITICAL,
    )
    with started, connected(started.scheduler_address) as cluster:
        yield cluster


@pytest.fixture
def two_workers(started_cluster: Any) -> Any:
    """Give those that another test has killed some time to be there again."""
    until = time.monotonic() + PATIENCE / 1000
    while len(started_cluster.workers) < 2 and time.monotonic() < until:
        time.sleep(0.1)
    assert len(started_cluster.workers) == 2
    return started_cluster
