"""A class forgets a step: in the real program, with undo and export."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from kpca_viewer.export.model import save_fitted
from kpca_viewer.support.errors import ExportError
from kpca_viewer.widgets.controls import Switch
from tests.e2e.program import CTRL


def strips(program):
    board = program.board
    panels = (board.data, board.embedding, board.spectrum, board.compare)
    return {panel.strip() for panel in panels}


def test_forgetting_the_root_and_taking_it_back(program, tmp_path):
    before = program.result
    program.click(program.find(QPushButton, "pitfalls_header"))
    program.click(program.find(Switch, "forget_normalisation_switch"))
    program.settle()
    wrong = program.result
    assert wrong.decomposition is before.decomposition
    mu = before.decomposition.eigenvalues
    np.testing.assert_allclose(wrong.scores, before.scores * np.sqrt(mu), rtol=1e-9)
    assert strips(program) == {"1/√μ forgotten"}
    assert "αᵀK̃α" in program.board.embedding.caption()
    with pytest.raises(ExportError, match="switch it off"):
        save_fitted(wrong, tmp_path / "model.npz")
    assert "division by √μ off" in program.action("undo").text()
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    np.testing.assert_array_equal(program.result.scores, before.scores)
    assert strips(program) == {""}
    assert not program.find(Switch, "forget_normalisation_switch").isChecked()


def test_a_dropped_point_that_is_not_centred_is_elsewhere(program):
    program.action("new_point").trigger()
    program.settle()
    (right,) = program.board.embedding.view.area.markers
    program.click(program.find(QPushButton, "pitfalls_header"))
    program.click(program.find(Switch, "forget_new_centring_switch"))
    program.settle()
    (moved,) = program.board.embedding.view.area.markers
    (place,) = program.viewer.store.notes.new_points
    expected = program.result.project(np.array([place]))[0, :2]
    assert moved.position == pytest.approx(expected)
    assert moved.position != pytest.approx(right.position)
    assert strips(program) == {"New points not centred"}


def test_a_copied_picture_warns_too(program, qapp):
    program.click(program.find(QPushButton, "pitfalls_header"))
    program.click(program.find(Switch, "forget_new_centring_switch"))
    program.settle()
    program.action("copy_image").trigger()
    warned = qapp.clipboard().pixmap().toImage()
    panel = program.board.embedding
    assert warned.size() == panel.view.size() * panel.view.devicePixelRatio()
    # Before the plot has taken its room back, only the words are missing.
    panel.set_strip("")
    program.action("copy_image").trigger()
    plain = qapp.clipboard().pixmap().toImage()
    assert plain.size() == warned.size()
    assert plain != warned
