"""Spectra on a screen, for their looks and for their gestures."""

import pytest

from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.spectrum.view import SpectrumView
from kpca_viewer.widgets.theme import LIGHT


@pytest.fixture
def shown(qtbot):
    def make(result=None, settings=None, size=(520, 300), theme=LIGHT) -> SpectrumView:
        view = SpectrumView()
        qtbot.addWidget(view)
        view.set_theme(theme)
        view.resize(*size)
        if result is not None:
            view.show_result(result, settings or ViewSettings())
        with qtbot.waitExposed(view):
            view.show()
        return view

    return make


@pytest.fixture
def listen():
    def make(view: SpectrumView) -> list:
        heard = []
        view.components_requested.connect(lambda k: heard.append(("cut", k)))
        view.cut_released.connect(lambda: heard.append("released"))
        view.component_clicked.connect(lambda j: heard.append(("click", j)))
        return heard

    return make
