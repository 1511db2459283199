"""What every test of a widget has in common."""

import gc
from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication

from kpca_viewer.session.analysis import run
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings


@pytest.fixture(scope="module")
def answer() -> Callable[[SessionSettings], AnalysisResult]:
    """Analyse settings, remembering what was analysed."""
    stages, known = StageCache(), {}

    def answer(settings: SessionSettings) -> AnalysisResult:
        if settings not in known:
            known[settings] = run(AnalysisRequest(settings), stages)
        return known[settings]

    return answer


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
