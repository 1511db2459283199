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

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.recovery import state_folder
from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.features.registry import pages
from kpca_viewer.features.registry import stages as all_stages
from kpca_viewer.window.app import Viewer
from tests.e2e.program import Program
from tests.left_over import nothing_left_over  # noqa: F401 (a fixture)

QUICK = {"test_first_minute", "test_one_picture", "test_refinement"}
"""Files whose walks `make test` takes; `make journeys` takes those of all others."""

LONG = {
    "test_benchmarks",
    "test_choose",
    "test_comparing",
    "test_connecting",
    "test_document_kill",
    "test_each",
    "test_embed_parts",
    "test_embed_terminal",
    "test_fuzz",
    "test_images",
    "test_parallel",
    "test_plain",
    "test_render",
    "test_report",
    "test_resources",
    "test_rows",
    "test_sweeping",
}
"""Files elsewhere that take seconds each: processes, wheels, hundreds of tables."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the walks that take long in all, wherever a test starts the program."""
    here = Path(__file__).parent
    for item in items:
        walks = item.path.parent == here or "start" in getattr(item, "fixturenames", ())
        if (walks and item.path.stem not in QUICK) or item.path.stem in LONG:
            item.add_marker(pytest.mark.journey)


@pytest.fixture
def home(tmp_path: Path, monkeypatch) -> Path:
    """Let the program remember things in a folder that nobody else has."""
    # Qt reads XDG_CONFIG_HOME once a process; this is the way to change it later.
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path)
    )
    (tmp_path / "state").mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
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

    def start(settings=None, *, settled: bool = True, **how) -> Program:
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


@pytest.fixture
def program(start) -> Program:
    """The program at its first start: circles, and nothing to remember."""
    return start()


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
