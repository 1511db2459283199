"""When to use kernel PCA: what it says is measured, and its links lead there."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from kpca_viewer.engine.claims.verdict import verdict
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.window.decision_path import PATH
from tests.analyses import analysed
from tests.e2e.program import CTRL, SMALL

pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)

STEPS = {step.key: step for step in PATH}


def result_of(key):
    return analysed(STEPS[key].settings(SessionSettings()))


def test_a_line_does_for_blobs_and_not_for_rings():
    found = result_of("line").comparison
    assert found.linear.linear_accuracy == 1
    found = result_of("bent").comparison
    assert found.linear.linear_accuracy < 0.6
    assert found.kernel.linear_accuracy == 1


def test_linear_pca_is_as_good_for_wine():
    assert verdict(result_of("table").comparison).text.startswith("Plain PCA is enough")


def test_the_swiss_roll_is_not_unrolled():
    result = result_of("sheet")
    words = verdict(result.comparison).text
    assert words.startswith("Neighbourhoods do not tell kernel and plain PCA apart")
    # An unrolled sheet would have the way along it as one of its axes.
    along = result.dataset.columns["position"].values
    r = [abs(np.corrcoef(along, z)[0, 1]) for z in result.scores[:, :2].T]
    assert max(r) < 0.9


def test_linear_kernel_and_linear_pca_agree():
    result = result_of("distances")
    assert np.allclose(
        np.abs(result.scores[:, :2]), np.abs(result.linear.scores), atol=1e-8
    )


def test_links_show_data_and_undo_leads_back(start):
    program = start(SMALL)
    before = program.settings
    program.action("help").trigger()
    for key in ("line", "columns"):
        button = program.find(QPushButton, f"path_{key}_button")
        button.click()
        program.settle()
        step = STEPS[key]
        assert program.result.settings.data.source == step.source
        assert program.settings.kernel == step.kernel
        assert program.board.compare.pages.value() == step.page
    for _ in range(2):
        program.press(Qt.Key.Key_Z, CTRL)
    assert program.settings == before
