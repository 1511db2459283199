"""Nothing of a test with a window is left when it has ended."""

import gc
import threading
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import (
    QAbstractAnimation,
    QCoreApplication,
    QEvent,
    QObject,
    Qt,
    QThread,
    QTimer,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


def discard(*widgets: QWidget) -> None:
    """Take what a module has kept apart; a new style would reach it for ever."""
    for widget in widgets:
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class _Acts(dict[type, bool]):
    """Which types do something by themselves: asked once, there are many objects."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = issubclass(kind, QTimer | QThread | QAbstractAnimation)
        return self[kind]


_acts = _Acts()


@pytest.fixture(autouse=True)
def nothing_left_over(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail on a window, timer, animation or thread that outlives its test."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    # What is there already is not looked through again after every test, which takes
    # longer than most tests. First without what the test before had in its hands up to
    # its very end: frozen, it would never go.
    gc.collect()
    gc.freeze()
    before, threads = set(running()), set(threading.enumerate())
    yield
    # After a press or double-click without a release, later moves would be drags.
    QTest.mouseRelease(QWidget(), Qt.MouseButton.LeftButton)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    left = [item for item in running() if item not in before]
    assert not left, f"left over: {left}"
    for thread in set(threading.enumerate()) - threads:
        if isinstance(thread, threading._DummyThread):
            continue  # the shadow of a QThread
        # Formulas are loaded by a thread that ends by itself. One that is just being
        # started is listed before it can be joined.
        thread._started.wait(120)
        thread.join(120)
        assert not thread.is_alive(), f"{thread.name} is still running"


@pytest.fixture
def settled(qtbot) -> Iterator[None]:
    """Wait for what a window that outlives the test has still to do."""
    before = set(running())
    yield
    qtbot.waitUntil(lambda: before.issuperset(running()))


def running() -> list[QObject]:
    """Return whatever is visible or does something by itself."""
    if not isinstance(QApplication.instance(), QApplication):
        return []
    running: list[QObject] = [
        widget for widget in QApplication.topLevelWidgets() if widget.isVisible()
    ]
    for item in shiboken6.getAllValidWrappers():
        if _acts[type(item)] and _runs(item):
            running.append(item)
    return running


def _runs(item: QTimer | QThread | QAbstractAnimation) -> bool:
    if isinstance(item, QTimer):
        return item.isActive()
    if isinstance(item, QThread):
        return item.isRunning()
    return item.state() == QAbstractAnimation.State.Running
