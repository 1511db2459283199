"""The real program in a home of its own, and nothing of it left behind."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import pytest
import shiboken6
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QSettings,
    QThread,
)
from pytestqt.qtbot import QtBot

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.recovery import state_folder
from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.features.registry import pages
from kpca_viewer.features.registry import stages as all_stages
from kpca_viewer.widgets.style import set_palette_and_font
from kpca_viewer.widgets.theme import LIGHT
from kpca_viewer.window.app import Viewer
from tests.e2e.program import Program
from tests.left_over import nothing_left_over, settled  # noqa: F401 (fixtures)


def move_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program remember things in a folder that nothing else has."""
    # Qt reads XDG_CONFIG_HOME once a process; this is the way to change it later.
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder)
    )
    (folder / "state").mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch) -> Path:
    """Return the folder in which the program remembers things."""
    move_in(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def state(home: Path) -> Path:
    """Return where the program keeps its hidden copies."""
    return state_folder()


@pytest.fixture(scope="session")
def first_stages() -> StageCache:
    """Return the stages of the first picture, which most tests begin with."""
    stages = StageCache()
    # With the page in front: what the window compares beside the picture, too.
    page = next(iter(pages()))
    run(AnalysisRequest(first_session(), page=page, stages=all_stages()), stages)
    return stages


@pytest.fixture
def start(qtbot, qapp, home: Path, first_stages) -> Iterator[Callable[..., Program]]:
    """Start the program as `run_viewer` does; several times are several starts.

    What a test waits for at its beginning is not computed for each of them again.
    """
    started: list[Viewer] = []

    def start(settings=None, *, settled: bool = True, **how) -> Program:  # noqa: F811
        stages = first_stages.copy() if settled else None
        viewer = Viewer(settings, stages=stages, **how)
        started.append(viewer)
        program = Program(qtbot, viewer)
        if settled:
            # The file of the last session is read before anything is computed.
            program.until(lambda: program.result is not None)
            program.settle()
        return program

    yield start
    for viewer in started:
        if shiboken6.isValid(viewer):
            end(viewer)


@pytest.fixture(scope="module")
def viewer(request, qapp, first_stages, tmp_path_factory) -> Iterator[Viewer]:
    """Start the program once for all tests of a module, which reset what they change.

    The style sheet stays as long.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        move_in(tmp_path_factory.mktemp("home"), monkeypatch)
        viewer = Viewer(stages=first_stages.copy())
        viewer.show()
        QtBot(request).waitUntil(
            lambda: not viewer.runner.busy and viewer.window.board.is_settled()
        )
        yield viewer
        end(viewer)
    set_palette_and_font(qapp, LIGHT)


@pytest.fixture
def program(start) -> Program:
    """The program at its first start: circles, and nothing to remember."""
    return start()


@pytest.fixture
def same_program(qtbot, viewer, settled) -> Program:  # noqa: F811
    """One program for all tests of a module, brought back to its first start."""
    program = Program(qtbot, viewer)
    viewer.presenter.messages.forget()
    program.board.linking.clear()
    viewer.controllers["window"].start_over()
    viewer.controllers["window"].reset_views()
    program.board.compare.show_page(next(iter(pages())))
    viewer.store.reset(first_session())
    program.settle()
    return program


def end(viewer: Viewer) -> None:
    """Close the window and take the program apart."""
    viewer.window.close()
    assert not viewer.runner.busy
    assert not viewer.runner.findChild(QThread, "kpca-worker").isRunning()
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
