"""k(xᵢ, ·) in the real program: it follows the mouse, is held, and ends."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.model import Document
from tests.e2e.program import CTRL, SMALL

pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)


@pytest.fixture
def program(start):
    return start(SMALL)


def point_at(program, row: int) -> None:
    """Move the mouse onto a row in the plot of the data."""
    program.hover(program.board.data.view, row)


def colours(program) -> np.ndarray:
    """Return the values that colours stand for."""
    colors = program.viewer.presenter.scene.colors
    return colors.low + colors.codes * (colors.high - colors.low)


def expected(program, row: int) -> np.ndarray:
    X, gamma = program.result.dataset.points, program.result.kernel.values["gamma"]
    return np.exp(-gamma * np.square(X - X[row]).sum(axis=1))


def test_it_follows_is_held_while_gamma_moves_and_ends(program):
    point_at(program, 5)
    program.press(Qt.Key.Key_H)
    assert program.settings.view.color_by == "kernel:5"
    assert np.allclose(colours(program), expected(program, 5))
    assert "k(6, ·)" in program.caption("data")
    assert program.board.data.view.area.underlay.image is not None
    point_at(program, 40)
    assert np.allclose(colours(program), expected(program, 40))
    program.press(Qt.Key.Key_H)
    point_at(program, 9)
    assert program.settings.view.color_by == "kernel:40"
    before = colours(program)
    kernel = program.settings.kernel.with_value("gamma", 0.7)
    program.window.changes.request(replace(program.settings, kernel=kernel))
    program.settle()
    assert not np.allclose(colours(program), before)
    assert np.allclose(colours(program), expected(program, 40))
    program.press(Qt.Key.Key_Escape)
    assert program.settings.view.color_by == "label"
    assert "Isolines" in program.caption("data")


def test_pointing_leaves_one_step_of_the_history(program):
    program.press(Qt.Key.Key_H)
    for row in (3, 9, 30):
        point_at(program, row)
    program.press(Qt.Key.Key_Z, CTRL)
    assert program.settings.view.color_by == "label"


def test_the_kernel_matrix_has_a_button_for_it(program, tmp_path):
    program.action("page_gram").trigger()
    program.settle()
    button = program.find(QPushButton, "kernel_function_button")
    program.click(button)
    program.board.compare.views["gram"].view.pair_hovered.emit((12, 3))
    assert program.settings.view.color_by == "kernel:12"
    assert button.isChecked()
    path = tmp_path / "held.kpca"
    save(Document(program.settings), path)
    assert load(path).settings.view.color_by == "kernel:12"
    program.click(button)
    assert program.settings.view.color_by == "label"
    assert not button.isChecked()


def test_colours_of_before_come_back(program):
    view = program.settings.with_view(color_by="component:1")
    program.window.changes.request(view)
    for _ in range(3):
        program.press(Qt.Key.Key_H)
    assert program.settings.view.color_by == "component:1"
