"""One picture for one setting: by keys, by a drag, by undo."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt

from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
)

MOONS = SessionSettings(DataSettings("moons"), KernelSettings("rbf", (("gamma", 0.6),)))


def test_the_linear_kernel_is_linear_pca_whatever_came_before(program):
    """RBF, not centred, linear, centred again."""
    for key in (Qt.Key.Key_3, Qt.Key.Key_C, Qt.Key.Key_1, Qt.Key.Key_C):
        program.press(key)
        program.settle()
    result = program.result
    np.testing.assert_allclose(result.scores[:, :2], result.linear.scores, atol=1e-6)


def test_at_the_end_of_a_drag_the_picture_glides_to_where_it_belongs(start):
    """From γ = 0.6 to 1.3, the rule turns the second component of the moons round."""
    program = start(MOONS)
    first = program.result.scores[:, 1]
    for gamma in (0.8, 1.0, 1.15, 1.3):
        kernel = MOONS.kernel.with_value("gamma", gamma)
        program.window.changes.request(replace(program.settings, kernel=kernel), "γ")
        program.settle()
        assert program.result.scores[:, 1] @ first > 0
    assert not program.result.at_rest
    program.window.changes.gesture_ended.emit()
    program.settle()
    alone = analyse(program.result.dataset, program.settings)
    assert program.result.at_rest
    np.testing.assert_allclose(program.result.scores, alone.scores, atol=1e-4)
    assert program.result.scores[:, 1] @ first < 0
    np.testing.assert_allclose(program.embedding, program.result.scores[:, :2])


def test_the_caption_of_the_data_names_only_lines_that_are_drawn(program):
    result = program.result
    assert (
        program.caption("data")
        == "Isolines of PC 1. The thick one is 0. Click to drop a new point."
    )
    flat = replace(result.grid, scores=np.zeros_like(result.grid.scores))
    scene = program.viewer.presenter.scene
    program.board.show_scene(scene.changed(result=replace(result, grid=flat)))
    program.settle()
    assert program.caption("data") == "Click to drop a new point."
