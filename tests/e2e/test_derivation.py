"""A class follows kernel PCA step by step, with mouse and keys on the real window."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.features.export_panel.panel import ExportPanel
from kpca_viewer.widgets.controls import Switch
from tests.e2e.program import CTRL, LEFT, NO_KEY

STAIRS = Dataset(
    np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    feature_names=("x", "y"),
    name="stairs",
)
SQUARE = KernelSettings("poly", (("coef0", 1.0), ("degree", 2.0), ("gamma", 1.0)))


@pytest.fixture
def program(start):
    """Three points with the kernel of their text."""
    settings = SessionSettings(DataSettings("stairs"), SQUARE)
    return start(settings, opened={"stairs": STAIRS})


def body(program):
    return program.board.compare.views["derivation"].view


def point(program, key: str, cell) -> QPoint:
    """Move the mouse to a number; returns where it is in its grid."""
    grid, away = body(program).grid(key), 0

    def is_there() -> bool:
        nonlocal away
        away = 1 - away
        body(program).scrolled.ensureWidgetVisible(grid)
        at = grid.layout_of_cells.rect(cell).center().toPoint()
        QTest.mouseMove(grid, at + QPoint(away, 0))
        return grid.pointed == cell and grid.size() == grid.sizeHint()

    program.until(is_there)
    return grid.layout_of_cells.rect(cell).center().toPoint()


def test_one_key_shows_all_steps_and_why_an_entry_is_1600(program):
    program.press(Qt.Key.Key_F8)
    assert program.board.compare.views["derivation"].view.isVisible()
    assert program.board.workspace == "explain"
    assert program.action("page_derivation").isChecked()
    at = point(program, "kernel", (1, 2))
    assert body(program).explanation.title() == "K₂₃ = 1600"
    assert "= 40² = 1600" in body(program).explanation.text()
    QTest.mouseClick(body(program).grid("kernel"), LEFT, NO_KEY, at)
    point(program, "kernel", (0, 0))
    assert body(program).explanation.title() == "K₂₃ = 1600"
    program.press(Qt.Key.Key_Escape)
    assert body(program).explainer.kept is None
    assert program.board.workspace == "explain"
    program.press(Qt.Key.Key_F8)
    assert program.board.workspace == "explore"


def test_the_export_of_a_page_with_the_keys_is_of_that_page(program):
    program.press(Qt.Key.Key_F8)
    program.action("export").trigger()
    panel = program.window.findChild(ExportPanel)
    assert panel.image.source_key() == "derivation"
    panel.close()


def test_a_forgotten_step_is_one_step_of_the_history(program):
    program.press(Qt.Key.Key_F8)
    right = program.result.scores
    switch = program.find(Switch, "derivation_normalised_switch")
    body(program).scrolled.ensureWidgetVisible(switch)
    program.click(switch)
    program.settle()
    assert not program.settings.analysis.normalised
    mu = program.result.decomposition.eigenvalues
    assert program.result.scores == pytest.approx(right * np.sqrt(mu), rel=1e-6)
    words = body(program).steps.lines["coefficients"].pitfall.words.text()
    assert words.startswith("1/√μ is forgotten: αᵀK̃α = 1,657 instead of 1")
    assert "do not hold" in program.caption("page")
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.settings.analysis.normalised
    assert not switch.isChecked()
    assert program.caption("page") == "All 11 checks hold."


def test_a_new_point_is_dropped_moved_by_typing_and_undone(program):
    program.press(Qt.Key.Key_F8)
    drop = body(program).steps.new_points.drop
    body(program).scrolled.ensureWidgetVisible(drop)
    program.click(drop)
    field = body(program).steps.new_points.fields[0].fields[0]
    field.setFocus()
    field.selectAll()
    program.type("five")
    program.press(Qt.Key.Key_Return)
    assert "“five” is not a number; x of new 1 stays 3." in program.message()
    field.selectAll()
    program.type("5")
    program.press(Qt.Key.Key_Return)
    assert program.board.new_points.positions == ((5.0, 4.0),)
    # (1 + 5·5 + 6·4)²
    assert body(program).grid("kernel").text(3, 2) == "2500"
    program.press(Qt.Key.Key_Z, CTRL)
    assert program.board.new_points.positions[0] == pytest.approx((3.0, 4.0))
    assert field.value() == pytest.approx(3.0)
    assert body(program).grid("kernel").text(3, 2) == "1600"


def test_what_is_copied_is_said(program):
    program.press(Qt.Key.Key_F8)
    program.board.compare.views["derivation"].view.copy_button.copy("latex")
    assert program.message() == "On the clipboard: the derivation as LaTeX."


def test_the_page_follows_a_dragged_slider_and_rows_that_light_up(program):
    program.board.compare.show_page("derivation")
    before = body(program).grid("kernel").content.values
    program.drag_slider("coef0_slider", 0.6)
    program.settle()
    c = program.result.kernel.values["coef0"]
    wanted = (c + STAIRS.points @ STAIRS.points.T) ** 2
    assert body(program).grid("kernel").content.values == pytest.approx(wanted)
    assert not np.allclose(before, wanted)
    program.hover(program.board.data.view, 1)
    assert body(program).grid("points").marked == ([1], [])
