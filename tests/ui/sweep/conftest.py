"""Real sweeps, computed once, and the window parts that show them."""

from dataclasses import replace

import pytest

from kpca_viewer.session.analysis import run
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.session.sweep.run import run_sweep
from kpca_viewer.session.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.ui.look.theme import LIGHT
from kpca_viewer.ui.sweep.strip.strip import SweepStrip
from kpca_viewer.ui.window.style import apply_theme

SETTINGS = SessionSettings(
    data=DataSettings("circles", (("samples", 80.0),)),
    kernel=KernelSettings("rbf", (("gamma", 1.0),)),
)
SWEEP = SweepSettings(low=0.1, high=10, steps=9, measure="silhouette")
GRID = SweepSettings("gamma", 0.1, 10, 4, second=SweepAxis("degree", 1, 3, 3, "linear"))


def peaked(result, index, key="linear_accuracy"):
    """Return a sweep in which one point clearly stands out by a measure."""
    points = tuple(
        replace(p, measures={**p.measures, key: 0.95 if p.index == index else 0.6})
        for p in result.points
    )
    return replace(result, points=points)


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


class Heard:
    """What a strip has said."""

    def __init__(self, strip):
        self.started, self.wished, self.previews, self.others = [], [], [], []
        strip.start_requested.connect(self.started.append)
        strip.value_wished.connect(self._on_wished)
        strip.preview.connect(self.previews.append)
        strip.cancel_requested.connect(lambda: self.others.append("cancel"))
        strip.gallery_requested.connect(lambda: self.others.append("gallery"))
        strip.export_requested.connect(lambda: self.others.append("export"))
        strip.pin_requested.connect(self.others.append)

    def _on_wished(self, settings, gesture):
        self.wished.append(dict(settings.kernel.values).get("gamma"))

    @property
    def nothing(self):
        return not (self.started or self.wished or self.previews or self.others)


@pytest.fixture
def strip(qtbot, qapp, analysis, settings):
    """A strip on the screen, folded."""
    apply_theme(qapp, LIGHT)
    strip = SweepStrip()
    qtbot.addWidget(strip)
    strip.resize(1030, 170)
    strip.show()
    qtbot.waitExposed(strip)
    strip.show_context(analysis, settings)
    yield strip
    strip.close()


@pytest.fixture
def done(strip, swept):
    """The same with a finished sweep."""
    strip.show_result(swept)
    strip.resize(1030, strip.sizeHint().height())
    return strip


@pytest.fixture
def heard(strip):
    """What the strip says from now on."""
    return Heard(strip)
