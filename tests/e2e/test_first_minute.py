"""The first minute: circles, a hint, one drag of γ, and the rings come apart."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from kpca_viewer.ui.controls.value_slider import ValueSlider


def test_circles_and_their_embedding_are_there(program):
    assert program.result.dataset.name == "Circles"
    assert program.board.data.view.point_count == 400
    assert program.board.embedding.view.point_count == 400
    assert "held-out accuracy 50 %" in program.caption("embedding")
    assert "400 × 2" in program.find(QLabel, "status_label").text()
    assert program.window.windowTitle() == "Circles – kpca_viewer"


def test_a_drag_of_gamma_separates_the_rings(program):
    before = program.embedding.copy()
    seen = []
    program.viewer.runner.result_ready.connect(seen.append)
    program.drag_slider("gamma_slider", 0.64)
    program.settle()
    assert len(seen) > 1, "nothing moved before the hand came to rest"
    assert np.abs(program.embedding - before).max() > 0.1
    assert "held-out accuracy 100 %" in program.caption("embedding")
    gamma = dict(program.settings.kernel.values)["gamma"]
    assert program.result.kernel.values["gamma"] == gamma
    assert f"γ = {gamma:.4g}" in program.window.status_text()
    assert "separates what plain PCA cannot" in program.caption("compare")


def test_keys_separate_the_rings_too(program):
    program.focus(program.find(ValueSlider, "gamma_slider"))
    program.press(Qt.Key.Key_PageUp)
    program.settle()
    assert 2 <= program.result.kernel.values["gamma"] <= 10
    assert "held-out accuracy 100 %" in program.caption("embedding")


def test_an_exact_gamma_is_typed(program):
    field = program.find(QWidget, "gamma_field")
    program.focus(field)
    program.type("8,5")
    assert program.settings.kernel.values == (), "a half-typed number was taken"
    program.press(Qt.Key.Key_Return)
    program.settle()
    assert program.result.kernel.values["gamma"] == 8.5
    assert "held-out accuracy 100 %" in program.caption("embedding")


def test_the_hint_goes_away_for_ever(program, restart):
    assert program.message().startswith("No straight line separates these rings.")
    program.click(program.buttons()["Got it"])
    assert program.message() == ""
    assert restart(program).message() == ""


def test_the_hint_says_what_just_happened(program, restart):
    program.drag_slider("gamma_slider", 0.64)
    program.settle()
    assert program.message().startswith("The rings separate: with γ = ")
    assert "Drag γ" not in program.message()
    program.drag_slider("gamma_slider", 0.05)
    program.settle()
    assert "the kernel is so wide" in program.message()
    # Not put away, it is there again, and about the same γ.
    again = restart(program)
    again.until(lambda: "the kernel is so wide" in again.message())


def test_another_message_takes_the_place_of_the_hint(program):
    program.action("about").trigger()
    said = program.message()
    program.drag_slider("gamma_slider", 0.64)
    program.settle()
    assert program.message() == said


def test_the_cross_puts_the_hint_away_for_ever(program, restart):
    program.click(program.find(QWidget, "message_close"))
    assert program.message() == ""
    program.drag_slider("gamma_slider", 0.64)
    program.settle()
    assert program.message() == ""
    assert restart(program).message() == ""


def test_keys_put_the_hint_away(program):
    program.focus(program.buttons()["Got it"])
    program.press(Qt.Key.Key_Space)
    assert program.message() == ""
    assert not program.viewer.preferences.wants_hint()


def test_a_double_click_returns_to_the_suggested_gamma(program):
    suggested = program.result.suggested["gamma"]
    program.drag_slider("gamma_slider", 0.64)
    program.settle()
    program.qtbot.mouseDClick(
        program.find(ValueSlider, "gamma_slider"), Qt.MouseButton.LeftButton
    )
    program.settle()
    assert program.result.kernel.values["gamma"] == suggested
