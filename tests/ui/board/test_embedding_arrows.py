"""Arrows in the embedding: whose they are, where they are, and when they are not."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import DataSettings, SessionSettings, ViewSettings
from kpca_viewer.features.columns import embedding_arrows
from kpca_viewer.features.columns.arrows import ARROWS
from kpca_viewer.widgets.plots.frame import Frame
from kpca_viewer.widgets.plots.moves import Moves, MovesItem
from kpca_viewer.widgets.theme import LIGHT
from tests.analyses import analysed
from tests.ui.board.boards import paper

IRIS = SessionSettings(DataSettings("iris"))
STAGES = StageCache()


def answer(dataset=None, **view):
    settings = replace(IRIS, view=ViewSettings(**view))
    return analysed(settings, dataset, STAGES)


@pytest.fixture
def board(qtbot, fresh_board):
    board = fresh_board(1200, 800)
    with qtbot.waitExposed(board):
        board.show()
    return board


def show(board, **view):
    result = answer(**view)
    board.show_scene(board.scene.changed(result=result, settings=result.settings))
    board.settle()
    return result


def test_off_shows_none(board):
    show(board)
    assert board.arrows.shown is None
    board.linking.set_hovered(3)
    assert board.arrows.shown is None


def test_mean_arrows_begin_at_the_mean_of_all_rows(board):
    result = show(board, arrows="mean")
    moves = board.arrows.shown
    np.testing.assert_allclose(
        moves.starts[0], result.scores[:, :2].mean(axis=0), atol=1e-6
    )
    assert moves.names == result.get(ARROWS).names
    starts, ends = board.embedding.view.area.moves.pixels()
    expected = board.embedding.view.area.frame.to_pixels(moves.ends)
    np.testing.assert_allclose(ends, expected)
    assert len(starts) == len(moves.names)


def test_names_do_not_stand_on_each_other_and_stay_inside(board, qtbot):
    show(board, arrows="mean")
    view = board.embedding.view
    qtbot.waitUntil(board.is_settled)
    view.grab()
    boxes = view.area.moves.name_boxes
    assert len(boxes) >= 3
    for place, box in enumerate(boxes):
        assert view.area.moves.boundingRect().contains(box)
        assert not any(box.intersects(other) for other in boxes[:place])


def test_names_keep_clear_of_the_words_that_say_what_arrows_are(qapp):
    """In a low plot arrows end where these words stand."""
    item = MovesItem()
    item.set_theme(LIGHT)
    item.set_frame(Frame(0, 0, 400, 120, (-1, 1), (-1, 1)))
    ends = np.array([[-0.8, 0.8], [-0.7, 0.85], [-0.6, 0.8]])
    names = ("mean radius", "mean area", "mean texture")
    item.set_moves(Moves(np.zeros((3, 2)), ends, names, "mean move of all rows"))
    image = QImage(400, 120, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    item.paint(painter)
    painter.end()
    assert len(item.name_boxes) == 3
    assert item.words_box.width() > 40
    for box in item.name_boxes:
        assert not box.intersects(item.words_box)


def test_the_row_pointed_at_has_arrows_and_then_the_selected_one(board):
    result = show(board, arrows="point")
    assert board.arrows.shown is None
    board.linking.set_hovered(7)
    moves = board.arrows.shown
    np.testing.assert_allclose(moves.starts[0], result.scores[7, :2], atol=1e-6)
    assert moves.is_transient
    assert paper(board.embedding.view) == paper_without(board)
    mask = np.zeros(150, dtype=bool)
    mask[20] = True
    board.linking.apply_selection(mask)
    assert np.allclose(board.arrows.shown.starts[0], result.scores[7, :2], atol=1e-6)
    board.linking.set_hovered(None)
    moves = board.arrows.shown
    np.testing.assert_allclose(moves.starts[0], result.scores[20, :2], atol=1e-6)
    assert not moves.is_transient
    assert paper(board.embedding.view) != paper_without(board)
    board.linking.clear()
    assert board.arrows.shown is None


def paper_without(board):
    item = board.embedding.view.area.moves
    kept = item.moves
    item.set_moves(None)
    image = paper(board.embedding.view)
    item.set_moves(kept)
    return image


def test_large_tables_are_asked_beside_the_window(board, qtbot, monkeypatch):
    monkeypatch.setattr(embedding_arrows, "SMALL", 0)
    result = show(board, arrows="point")
    with qtbot.waitSignal(board.arrows.aside.answered):
        board.linking.set_hovered(7)
        assert board.arrows.shown is None
    found = board.arrows.shown
    np.testing.assert_allclose(found.starts[0], result.scores[7, :2], atol=1e-6)


def test_a_field_is_drawn_without_names(board):
    show(board, arrows="field", column=1)
    moves = board.arrows.shown
    assert len(moves.starts) > 20
    assert moves.names == ()
    assert "sepal width" in moves.words
    before = paper_without(board)
    assert paper(board.embedding.view) != before


def test_in_space_arrows_turn_with_the_camera(board):
    show(board, arrows="mean", embedding_3d=True)
    item, view = board.embedding.view.area.moves, board.embedding.view
    assert item.moves.starts.shape[1] == 3
    before = item.pixels()[1]
    view.set_camera(view.camera.orbit(40, 10))
    assert not np.allclose(before, item.pixels()[1])


def test_other_axes_other_arrows_and_none_for_a_matrix(board):
    result = show(board, arrows="mean", axes=(1, 0, 2))
    moves = board.arrows.shown
    np.testing.assert_allclose(
        moves.starts[0], result.scores[:, [1, 0]].mean(axis=0), atol=1e-6
    )
    show(board, arrows="mean", dataset=Dataset(np.eye(5), name="m", kind="kernel"))
    assert board.arrows.shown is None
    show(board, arrows="point", dataset=Dataset(np.eye(5), name="m", kind="kernel"))
    board.linking.set_hovered(1)
    assert board.arrows.shown is None


def test_a_film_of_other_pictures_has_no_arrows(board):
    show(board, arrows="mean")
    scene = board.scene
    board.show_scene(scene.changed(played=scene.settings))
    assert board.arrows.shown is None
    board.show_scene(scene.changed(played=None))
    assert board.arrows.shown is not None
