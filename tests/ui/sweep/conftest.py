"""Real sweeps, computed once, and the window parts that show them."""

from dataclasses import replace

import pytest

from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import LIGHT
from tools.preview import samples
from tools.preview.widgets import sweep_setup


def peaked(result, index, key="linear_accuracy"):
    """Return a sweep in which one point clearly stands out by a measure."""
    points = tuple(
        replace(p, measures={**p.measures, key: 0.95 if p.index == index else 0.6})
        for p in result.points
    )
    return replace(result, points=points)


def show(strip, result, settings):
    """Show a result on the strip, as if it were on the board."""
    strip.show_scene(strip.scene.changed(result=result, settings=settings))


@pytest.fixture(scope="session")
def settings():
    return samples.CIRCLES


@pytest.fixture(scope="session")
def analysis():
    return samples.result(samples.CIRCLES)


@pytest.fixture(scope="session")
def swept():
    return samples.swept()


@pytest.fixture(scope="session")
def grid():
    return samples.grid()


@pytest.fixture
def linking(qapp):
    """The rows of the sweep, none of them selected."""
    linking = Linking()
    linking.reset(80)
    return linking


class Heard:
    """What a strip has said."""

    def __init__(self, strip):
        self.started, self.requested, self.previews, self.others = [], [], [], []
        strip.start_requested.connect(self.started.append)
        strip.value_requested.connect(self._on_requested)
        strip.preview.connect(self.previews.append)
        strip.cancel_requested.connect(lambda: self.others.append("cancel"))
        strip.export_requested.connect(lambda: self.others.append("export"))
        strip.pin_requested.connect(lambda: self.others.append("pin"))

    def _on_requested(self, settings, gesture):
        self.requested.append(dict(settings.kernel.values).get("gamma"))

    @property
    def nothing(self):
        return not (self.started or self.requested or self.previews or self.others)


@pytest.fixture
def strip(qtbot, qapp):
    """A strip on the screen, without a sweep."""
    strip = sweep_setup(LIGHT)
    apply_theme(qapp, LIGHT)
    qtbot.addWidget(strip)
    strip.resize(1030, 170)
    strip.show()
    qtbot.waitExposed(strip)
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
