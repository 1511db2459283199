"""Real sweeps, computed once, and the window parts that show them."""

import pytest

from kpca_viewer.session.analysis import run
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.session.sweep import run_sweep
from kpca_viewer.session.sweep_settings import SweepAxis, SweepSettings

SETTINGS = SessionSettings(
    data=DataSettings("circles", (("samples", 80.0),)),
    kernel=KernelSettings("rbf", (("gamma", 1.0),)),
)
SWEEP = SweepSettings(low=0.1, high=10, steps=9, measure="silhouette")
GRID = SweepSettings("gamma", 0.1, 10, 4, second=SweepAxis("degree", 1, 3, 3, "linear"))


@pytest.fixture(scope="session")
def settings():
    return SETTINGS


@pytest.fixture(scope="session")
def analysis():
    return run(AnalysisRequest(SETTINGS), StageCache())


@pytest.fixture(scope="session")
def swept():
    return run_sweep(AnalysisRequest(SETTINGS), SWEEP, StageCache())


@pytest.fixture(scope="session")
def grid():
    settings = SessionSettings(data=SETTINGS.data, kernel=KernelSettings("poly"))
    return run_sweep(AnalysisRequest(settings), GRID, StageCache())
