"""What holds for every test."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Before the first import of Qt: tests open no window on somebody's screen, and have one
# of their own that a window at its first start just fits on.
if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
    screen = Path(__file__).with_name("screen.json")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={screen}"

# How long an example takes is the machine's business, not a property of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# As in the program: a worker that collects garbage would destroy widgets of tests that
# have ended long ago, on the wrong thread.
gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, not among modules and collected tests."""
    gc.collect()
    gc.freeze()


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
