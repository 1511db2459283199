"""The sentences of the help follow the picture."""

from dataclasses import replace

from kpca_viewer.session.settings import ViewSettings
from kpca_viewer.ui.words.explain import explain
from tests.ui.plots.results import result_of


def test_isolines_are_of_the_component_on_the_x_axis():
    result = result_of("circles")
    assert "one score on PC 1." in explain(result)[0]
    turned = replace(result.settings, view=ViewSettings(axes=(2, 1, 0)))
    assert "one score on PC 3." in explain(replace(result, settings=turned))[0]
