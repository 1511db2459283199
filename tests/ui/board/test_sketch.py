"""Some of very many rows stand for all of them for a moment."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.engine.result import Sketch
from kpca_viewer.engine.settings import DataSettings, SessionSettings
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
