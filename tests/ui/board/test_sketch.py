"""Some of very many rows stand for all of them for a moment."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from kpca_viewer.engine.result import Sketch
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.widgets.plots.cloud_layer import AT_ONCE
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from tests.analyses import analysed
from tests.ui.board.boards import show

ROWS = np.arange(0, 150, 3)


@pytest.fixture
def board(qtbot, fresh_board):
    board = fresh_board(1200, 800)
    show(board, analysed(SessionSettings(DataSettings("iris"))))
    with qtbot.waitExposed(board):
        board.show()
    return board


def sketch(board, dataset=None) -> Sketch:
    result = board.scene.result
    return Sketch(dataset or result.dataset, ROWS, 2 * result.scores[ROWS])


def test_rows_without_a_place_are_neither_drawn_nor_found(board):
    panel, exact = board.embedding, board.scene.result.scores
    board.show_sketch(sketch(board))
    assert np.flatnonzero(panel.view.area.cloud.shown).tolist() == ROWS.tolist()
    np.testing.assert_array_equal(panel.view.area.placed[ROWS], 2 * exact[ROWS, :2])
    assert panel.note() == "50 of 150 rows"
    assert panel.caption() == "A draft of 50 rows, of no known error; all 150 follow."


def test_what_was_selected_stays_and_nothing_is_drawn_around(board):
    mask = np.arange(150) < 30
    board.linking.apply_selection(mask, "replace")
    board.show_sketch(sketch(board))
    board.embedding.view.selected.emit(np.arange(150) < 5, "replace")
    np.testing.assert_array_equal(board.linking.selection, mask)
    board.embedding.end_sketch()
    board.embedding.view.selected.emit(np.arange(150) < 5, "replace")
    assert board.linking.selection.sum() == 5


def test_a_sketch_is_not_dimmed_while_everything_else_is(board):
    board.show_scene(board.scene.changed(stale="computing γ = 5 …"))
    board.show_sketch(sketch(board))
    board.show_scene(board.scene.changed(stale="computing γ = 6 …"))
    assert board.spectrum.is_dimmed()
    assert not board.embedding.is_dimmed()
    board.embedding.end_sketch()
    assert board.embedding.is_dimmed()


@pytest.mark.parametrize("ends", ["result", "cancelled"])
def test_all_rows_come_back(board, ends):
    result, panel = board.scene.result, board.embedding
    caption = panel.caption()
    board.show_sketch(sketch(board))
    if ends == "result":
        show(board, replace(result, scores=result.scores.copy()))
    else:
        panel.end_sketch()
    assert panel.view.area.cloud.shown.all()
    assert (panel.note(), panel.caption()) == ("", caption)
    assert not panel.shows_preview


def other_gamma(board, **view):
    """Show what a change of γ, and then of the view, leaves until it is computed."""
    settings = board.scene.settings
    kernel = settings.kernel.with_value("gamma", 0.123)
    settings = replace(settings, kernel=kernel, view=replace(settings.view, **view))
    # The scores are there, the verdict on other axes is not.
    result = replace(board.scene.result, comparison=None)
    board.show_scene(board.scene.changed(settings=settings, result=result))


def test_another_view_during_a_draft_is_one_of_the_draft(board):
    panel = board.embedding
    other_gamma(board)
    board.show_sketch(sketch(board))
    said = panel.note(), panel.caption()
    other_gamma(board, embedding_3d=True)
    assert (panel.note(), panel.caption()) == said
    assert panel.view.is_partial
    assert not panel.view.is_flat
    assert panel.dimensions.value() == "3d"
    assert np.flatnonzero(panel.view.area.cloud.shown).tolist() == ROWS.tolist()
    result = board.scene.result
    shown = replace(result, decomposition=replace(result.decomposition))
    show(board, shown)
    assert not panel.view.is_partial
    assert panel.note() == ""


def test_the_settings_of_before_bring_their_picture_back(board):
    panel, scene = board.embedding, board.scene
    caption = panel.caption()
    other_gamma(board)
    board.show_sketch(sketch(board))
    # From what is known already: nothing of it is new.
    show(board, replace(scene.result, comparison=scene.result.comparison))
    assert not panel.view.is_partial
    assert (panel.note(), panel.caption()) == ("", caption)


def test_few_of_very_many_rows_are_drawn_at_once(qtbot):
    view = ScatterView()
    qtbot.addWidget(view)
    view.resize(400, 400)
    n, some = AT_ONCE + 5000, np.arange(0, AT_ONCE, 2)
    places = np.random.default_rng(0).standard_normal((n, 2))
    view.set_points(places, ["x", "y"])
    with qtbot.waitExposed(view):
        view.show()
    qtbot.waitUntil(lambda: view.area.cloud.density_count > AT_ONCE)
    draft = np.full((n, 2), np.nan)
    draft[some] = places[some]
    view.set_points(draft, ["x", "y"])
    view.canvas.viewport().repaint()
    assert not view.area.cloud.busy
    assert view.caption() == f"density of {len(some):,} points"
    # They are found under the mouse as well.
    at = view.area.frame.to_pixels(places[some[:1]])[0]
    assert view.area.row_at(QPointF(*at)) % 2 == 0
