"""The real program in a home of its own, and nothing of it left behind."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

# Before the first import of Qt: tests never open a window on somebody's screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication

from kpca_viewer.app import Viewer
from kpca_viewer.ui.style import apply_theme
from kpca_viewer.ui.theme import LIGHT
from tests.e2e.program import Program
from tests.ui.conftest import nothing_left_over  # noqa: F401  # used by pytest


def pytest_configure(config: pytest.Config) -> None:
    """Excuse the offscreen platform, which has no keyboard to grab for a popup."""
    config.addinivalue_line("qt_log_ignore", "does not support grabbing the keyboard")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Let the program remember things in a folder that nobody else has."""
    # Qt reads XDG_CONFIG_HOME once a process; this is the way to change it later.
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path)
    )
    return tmp_path


@pytest.fixture
def start(qtbot, qapp, home: Path) -> Iterator[Callable[..., Program]]:
    """Start the program as `run_viewer` does; several times are several starts."""
    before = set(threading.enumerate())
    started: list[Viewer] = []

    def start(settings=None, *, settled: bool = True, **how) -> Program:
        viewer = Viewer(settings, **how)
        started.append(viewer)
        program = Program(qtbot, viewer)
        if settled:
            program.settle()
            assert program.result is not None
        return program

    yield start
    for viewer in started:
        if shiboken6.isValid(viewer):
            end(viewer)
    apply_theme(qapp, LIGHT)
    for thread in set(threading.enumerate()) - before:
        if isinstance(thread, threading._DummyThread):
            continue  # the shadow of a QThread, which `end` has seen finished
        # Formulas are loaded by a thread that ends by itself.
        thread.join(20)
        assert not thread.is_alive(), f"{thread.name} is still running"
    assert not [w for w in QApplication.topLevelWidgets() if w.isVisible()]


@pytest.fixture
def program(start) -> Program:
    """The program at its first start: circles, and nothing to remember."""
    return start()


def end(viewer: Viewer) -> None:
    """Close the window and take the program apart."""
    viewer.window.close()
    assert not viewer.runner.busy
    assert not viewer.runner._thread.isRunning()
    viewer.window.deleteLater()
    viewer.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def restart(start) -> Callable[[Program], Program]:
    """Close the program and start it again."""

    def restart(program: Program) -> Program:
        end(program.viewer)
        return start()

    return restart
