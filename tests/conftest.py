"""What holds for every test."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from pytestqt.qtbot import QtBot
from threadpoolctl import threadpool_limits

# Before the first import of Qt: tests open no window on somebody's screen, and have one
# of their own that a window at its first start just fits on.
if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
    screen = Path(__file__).with_name("screen.json")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={screen}"

# How long an example takes is the machine's business, not a property of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

PATIENCE = 120_000
"""Milliseconds after which a test gives up, however busy the machine is."""

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


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, not among modules and collected tests."""
    gc.collect()
    gc.freeze()


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
def unhurried_threads() -> None:
    """Wait for the end of every thread, however busy the machine is."""
    runner = sys.modules.get("kpca_viewer.runtime.runner")
    if runner is not None:
        runner.PATIENCE = 60.0
