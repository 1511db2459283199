"""The sentences of the help follow the picture."""

from dataclasses import replace

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.window.explain import explain
from tests.ui.plots.results import result_of


def test_isolines_are_of_the_component_on_the_x_axis():
    result = result_of("circles")
    assert "one score on PC 1." in explain(result)[0]
    turned = replace(result.settings, view=ViewSettings(axes=(2, 1, 0)))
    assert "one score on PC 3." in explain(replace(result, settings=turned))[0]


def test_equal_rows_are_told_and_not_measured():
    data = Dataset(np.tile([0.3, 0.7], (30, 1)), name="equal")
    told = " ".join(explain(analyse(data)))
    assert told.count("No variance: all rows are equal") == 3
    assert "explained" not in told
    assert "trustworthiness" not in told
