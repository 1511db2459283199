"""The first minute: rings that the kernel tells apart, and one drag of γ."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from tests.e2e.program import CTRL, Program


@pytest.fixture
def program(qtbot, viewer, settled) -> Program:
    """One program for all, which begins with the rings each time."""
    program = Program(qtbot, viewer)
    viewer.store.update(first_session())
    program.settle()
    return program


def verdict(program: Program) -> str:
    return program.find(QLabel, "verdict_label").text()


def test_circles_and_their_embedding_are_there_and_an_exact_gamma_is_typed(program):
    assert program.result.dataset.name == "Circles"
    assert program.board.data.view.point_count == 400
    assert program.board.embedding.view.point_count == 400
    # The kernel does what linear PCA cannot, and the numbers are there to show it.
    assert program.caption("embedding").endswith(" explained")
    assert "the kernel separates what plain PCA cannot: kernel 100 %" in verdict(
        program
    )
    assert "guessing 50 %" in verdict(program)
    assert "400 × 2" in program.find(QLabel, "status_label").text()
    assert program.window.windowTitle() == "Circles – kpca_viewer"

    field = program.find(QWidget, "gamma_field")
    program.focus(field)
    program.type("8,5")
    assert program.result.kernel.values["gamma"] == 4, "a half-typed number was taken"
    program.press(Qt.Key.Key_Return)
    program.settle()
    assert program.result.kernel.values["gamma"] == 8.5
    assert ": kernel 100 %" in program.verdict()


def test_a_drag_of_gamma_mixes_the_rings_and_separates_them_again(program):
    before = program.embedding.copy()
    seen = []
    program.viewer.runner.result_ready.connect(seen.append)
    program.drag_slider("gamma_slider", 0.3)
    program.settle()
    assert len(seen) > 1, "nothing moved before the hand came to rest"
    assert np.abs(program.embedding - before).max() > 0.1
    assert "Neither separates the classes" in verdict(program)
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    assert ": kernel 100 %" in program.verdict()
    gamma = dict(program.settings.kernel.values)["gamma"]
    assert program.result.kernel.values["gamma"] == gamma
    assert f"γ = {gamma:.4g}" in program.window.status_text()
    assert "separates what plain PCA cannot" in verdict(program)


@pytest.mark.journey
def test_six_pixels_do_not_leave_the_values_that_separate(program):
    slider = program.find(ValueSlider, "gamma_slider")
    first, last = slider.x_of(0), slider.x_of(slider.maximum())
    for pixels in (-6, 6):
        assert program.result.kernel.values["gamma"] == 4
        place = slider.x_of(slider.value()) + pixels
        program.drag_slider("gamma_slider", (place - first) / (last - first))
        program.settle()
        assert program.result.kernel.values["gamma"] != 4
        assert ": kernel 100 %" in program.verdict()
        program.press(Qt.Key.Key_Z, CTRL)
        program.settle()


@pytest.mark.journey
def test_the_slider_follows_the_distances_of_the_data(program):
    slider = program.find(ValueSlider, "gamma_slider")
    for source in ("Breast cancer", "Circles"):
        program.choose("source_combo", source)
        program.settle()
        assert slider.mark() == pytest.approx(slider.maximum() / 2, abs=1)


def test_keys_separate_the_rings_too(program):
    program.focus(program.find(ValueSlider, "gamma_slider"))
    program.press(Qt.Key.Key_Home)
    program.settle()
    assert "Neither separates the classes" in program.verdict()
    for _ in range(6):
        program.press(Qt.Key.Key_PageUp)
    program.settle()
    assert 2 <= program.result.kernel.values["gamma"] <= 10
    assert ": kernel 100 %" in program.verdict()


def test_a_double_click_returns_to_the_suggested_gamma(program):
    suggested = program.result.suggested["gamma"]
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    program.qtbot.mouseDClick(
        program.find(ValueSlider, "gamma_slider"), Qt.MouseButton.LeftButton
    )
    program.settle()
    assert program.result.kernel.values["gamma"] == suggested
