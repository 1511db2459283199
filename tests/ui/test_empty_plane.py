"""A plane without points: every part of the window says so, and none fails."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from kpca_viewer.data.drawn import NOTHING_YET, SOURCE, Drawn
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, SessionSettings, as_values
from tests.ui.stage import Stage, makers

SMALL = SessionSettings(data=DataSettings("circles", as_values({"samples": 40})))
EMPTY = replace(SMALL, data=DataSettings.of_source(SOURCE))
TWO = replace(
    SMALL, data=DataSettings(SOURCE, drawn=Drawn().added([(0, 0), (3, 1)], [0, 1]))
)


class Started(Stage):
    def __init__(self, qtbot, settings):
        super().__init__(qtbot, settings)
        self.settle()


@pytest.fixture
def stage(qtbot, tmp_path):
    yield from makers(Started, qtbot, tmp_path)


def assert_empty(stage):
    board, window = stage.board, stage.window
    assert stage.presenter.result is None
    for view in (board.data.view, board.embedding.view, board.compare.pca):
        assert view.point_count == 0
        assert not view.area.markers
    assert board.spectrum.view.bars is None
    assert board.compare.views["gram"].view.caption() == ""
    assert board.linking.selection is None
    assert not any(panel.is_dimmed() for panel in board.panels)
    assert not any(panel.caption() for panel in board.panels if panel is not board.data)
    assert window.status_text() == "Nothing drawn yet"
    assert window.windowTitle() == "Drawn points – kpca_viewer"
    assert window.message_bar.text() == ""
    x, y = board.data.view.view_range()
    assert x[0] < x[1]
    assert y[0] < y[1]


@pytest.mark.parametrize("page", ["pca", "gram", "table"])
def test_a_start_without_points(stage, page):
    stage = stage(EMPTY)
    assert_empty(stage)
    stage.board.compare.show_page(page)
    nothing = stage.window.findChild(QLabel, "page_empty")
    assert not nothing.isHidden()
    assert not stage.window.grab().isNull()
    stage.store.update(TWO)
    stage.settle()
    assert nothing.isHidden()
    assert not stage.board.compare.views[page].view.isHidden()
    assert stage.presenter.result.dataset.n == 2
    assert stage.window.status_text().startswith("2 × 2")


def test_from_a_picture_to_nothing_and_back(stage):
    stage = stage(SMALL)
    stage.store.note(Notes(new_points=((0.1, 0.1),)))
    stage.board.compare.show_page("table")
    mask = stage.presenter.result.scores[:, 0] > 0
    stage.board.linking.apply_selection(mask, "replace")
    stage.store.update(EMPTY)
    stage.settle()
    assert_empty(stage)
    for page in ("pca", "gram", "table"):
        stage.board.compare.show_page(page)
        assert not stage.window.grab().isNull()
    stage.store.undo()
    stage.settle()
    assert stage.presenter.result.dataset.n == 40
    assert stage.board.data.view.point_count == 40
    assert stage.board.spectrum.view.bars is not None
    assert stage.board.linking.selection.tolist() == mask.tolist()


def test_what_is_computed_for_points_that_are_gone_is_not_shown(stage):
    stage = stage(SMALL)
    stage.store.update(TWO)
    assert stage.runner.busy
    stage.store.update(EMPTY)
    stage.settle()
    assert_empty(stage)


def test_other_views_and_kernels_of_nothing(stage):
    stage = stage(EMPTY)
    actions = stage.window.actions_table
    for key in ("kernel_poly", "toggle_center", "embedding_3d", "fill_panel", "flip_x"):
        actions[key].trigger()
        stage.settle()
        assert_empty(stage)
    stage.board.linking.apply_selection([], "replace")
    assert_empty(stage)


@pytest.mark.parametrize(
    ("kernel", "dimension"), [("linear", 2), ("cosine", 2), ("paraboloid", 3)]
)
def test_the_feature_space_of_a_plane_is_known_before_it_has_points(
    stage, kernel, dimension
):
    stage = stage(EMPTY)
    stage.window.actions_table[f"kernel_{kernel}"].trigger()
    stage.settle()
    formula = stage.window.findChild(QWidget, "kernel_formula")
    assert formula.toolTip() == f"Feature space: {dimension}-dimensional"


def test_the_verdict_says_that_nothing_is_drawn(stage):
    stage = stage(EMPTY)
    words = stage.window.findChild(QLabel, "verdict_label")
    chip = stage.window.findChild(QLabel, "certificate_chip")
    assert words.text() == "Nothing drawn yet"
    assert chip.isHidden()
    stage.store.update(TWO)
    stage.settle()
    assert words.text() not in ("", "Nothing drawn yet")
    assert not chip.isHidden()


def test_a_sweep_of_nothing_is_refused_in_a_sentence(stage):
    stage = stage(EMPTY)
    stage.board.show_workspace("sweep")
    strip = stage.window.sweep_strip
    started = []
    strip.start_requested.connect(started.append)
    stage.board.shown.connect(strip.show_scene)
    strip.show_scene(stage.presenter.scene)
    strip.start()
    assert strip.setup.trouble() == NOTHING_YET
    strip.toggle_play()
    assert started == []
    stage.store.update(TWO)
    stage.settle()
    assert strip.setup.trouble() == ""
    strip.start()
    assert len(started) == 1
