"""The first minute: rings that the kernel tells apart, a hint, and one drag of γ."""

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.window.hint import what_happened
from tests.e2e.program import CTRL


def test_circles_and_their_embedding_are_there_and_an_exact_gamma_is_typed(program):
    assert program.result.dataset.name == "Circles"
    assert program.board.data.view.point_count == 400
    assert program.board.embedding.view.point_count == 400
    # The kernel does what linear PCA cannot, and the numbers are there to show it.
    assert "line accuracy 100 %" in program.caption("embedding")
    assert "line accuracy 48 %" in program.caption("compare")
    assert "The kernel separates what plain PCA cannot:" in program.caption("compare")
    assert "400 × 2" in program.find(QLabel, "status_label").text()
    assert program.window.windowTitle() == "Circles – kpca_viewer"

    field = program.find(QWidget, "gamma_field")
    program.focus(field)
    program.type("8,5")
    assert program.result.kernel.values["gamma"] == 4, "a half-typed number was taken"
    program.press(Qt.Key.Key_Return)
    program.settle()
    assert program.result.kernel.values["gamma"] == 8.5
    assert "line accuracy 100 %" in program.caption("embedding")


def test_a_drag_of_gamma_mixes_the_rings_and_separates_them_again(program):
    before = program.embedding.copy()
    seen = []
    program.viewer.runner.result_ready.connect(seen.append)
    program.drag_slider("gamma_slider", 0.3)
    program.settle()
    assert len(seen) > 1, "nothing moved before the hand came to rest"
    assert np.abs(program.embedding - before).max() > 0.1
    assert "line accuracy 48 %" in program.caption("embedding")
    assert "Neither separates the classes" in program.caption("compare")
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    assert "line accuracy 100 %" in program.caption("embedding")
    gamma = dict(program.settings.kernel.values)["gamma"]
    assert program.result.kernel.values["gamma"] == gamma
    assert f"γ = {gamma:.4g}" in program.window.status_text()
    assert "separates what plain PCA cannot" in program.caption("compare")


def test_six_pixels_do_not_leave_the_values_that_separate(program):
    slider = program.find(ValueSlider, "gamma_slider")
    first, last = slider.x_of(0), slider.x_of(slider.maximum())
    for pixels in (-6, 6):
        assert program.result.kernel.values["gamma"] == 4
        place = slider.x_of(slider.value()) + pixels
        program.drag_slider("gamma_slider", (place - first) / (last - first))
        program.settle()
        assert program.result.kernel.values["gamma"] != 4
        assert "line accuracy 100 %" in program.caption("embedding")
        program.press(Qt.Key.Key_Z, CTRL)
        program.settle()


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
    assert "line accuracy 48 %" in program.caption("embedding")
    for _ in range(6):
        program.press(Qt.Key.Key_PageUp)
    program.settle()
    assert 2 <= program.result.kernel.values["gamma"] <= 10
    assert "line accuracy 100 %" in program.caption("embedding")


def test_the_hint_goes_away_for_ever(program, restart):
    program.until(lambda: program.message().startswith("The rings are apart"))
    program.click(program.buttons()["Got it"])
    assert program.message() == ""
    assert restart(program).message() == ""


def test_the_hint_says_what_just_happened_and_which_way_to_go(program, restart):
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    assert program.message() == (
        "The rings are apart: a line is right for 100 % of the points, in linear PCA "
        "for 48 %. Drag γ and see where they mix."
    )
    for share, side in ((0.95, "left"), (0.05, "right")):
        program.drag_slider("gamma_slider", share)
        program.settle()
        assert re.match(r"γ = .*; with γ = [\d.]+ it was for 100 %", program.message())
        assert program.message().endswith(f"Go back to the {side}.")
    # Not put away, it is there again, and about the same γ.
    again = restart(program)
    again.until(lambda: again.message().endswith("Drag γ to the right."))
    assert "most points look alike" in again.message()


@pytest.mark.parametrize(
    ("gamma", "side"),
    [(0.1, "right"), (1.2, "right"), (26, "left"), (125, "left"), (419, "left")],
)
def test_the_hint_has_a_direction_before_anything_was_seen(gamma, side):
    kernel = KernelSettings("rbf", (("gamma", gamma),))
    result = run(AnalysisRequest(SessionSettings(kernel=kernel)), StageCache())
    text = what_happened(result, {})
    assert text.endswith(f"Drag γ to the {side}.")


def test_the_hint_says_nothing_of_gamma_where_there_is_none(program):
    program.press(Qt.Key.Key_1)
    program.settle()
    assert program.message() == "Linear kernel: a line is right for 48 % of the points."


def test_another_message_takes_the_place_of_the_hint(program):
    program.action("about").trigger()
    said = program.message()
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    assert program.message() == said


def test_the_cross_puts_the_hint_away_for_ever(program, restart):
    program.click(program.find(QWidget, "message_close"))
    assert program.message() == ""
    program.drag_slider("gamma_slider", 0.54)
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
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    program.qtbot.mouseDClick(
        program.find(ValueSlider, "gamma_slider"), Qt.MouseButton.LeftButton
    )
    program.settle()
    assert program.result.kernel.values["gamma"] == suggested
