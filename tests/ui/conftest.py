"""What every test of a widget has in common."""

from collections.abc import Callable

import pytest

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import SessionSettings
from tests.e2e.conftest import (
    first_stages,
    home,
    start,
    viewer,
)
from tests.left_over import nothing_left_over, settled

# Fixtures of other folders.
__all__ = ["first_stages", "home", "nothing_left_over", "settled", "start", "viewer"]


@pytest.fixture(scope="module")
def answer() -> Callable[[SessionSettings], AnalysisResult]:
    """Analyse settings, remembering what was analysed."""
    stages, known = StageCache(), {}

    def answer(settings: SessionSettings) -> AnalysisResult:
        if settings not in known:
            known[settings] = run(AnalysisRequest(settings), stages)
        return known[settings]

    return answer
