"""What every test of a widget has in common."""

import gc
import os
from collections.abc import Iterator

# Before the first import of Qt: tests never open a window on somebody's screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication


def pytest_configure(config: pytest.Config) -> None:
    """Excuse the offscreen platform for what it says of every window and popup."""
    config.addinivalue_line("qt_log_ignore", "does not support propagateSizeHints")
    config.addinivalue_line("qt_log_ignore", "does not support grabbing the keyboard")


@pytest.fixture(autouse=True)
def nothing_left_over(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail on a window, a running timer or a running thread that outlives its test."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    # What is there already is not looked through again after every test, which takes
    # longer than most tests.
    gc.freeze()
    before = set(map(id, _left_over()))
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    left = [item for item in _left_over() if id(item) not in before]
    assert not left, f"left over: {left}"


def _left_over() -> list[object]:
    if not isinstance(QApplication.instance(), QApplication):
        return []
    found: list[object] = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
    for item in gc.get_objects():
        if not isinstance(item, QTimer | QThread) or not shiboken6.isValid(item):
            continue
        if item.isActive() if isinstance(item, QTimer) else item.isRunning():
            found.append(item)
    return found
