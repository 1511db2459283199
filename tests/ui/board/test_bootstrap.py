"""Ellipses of points and whiskers of eigenvalues: where they are, and when not."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.features import registry
from kpca_viewer.features.spectrum.text import bar_text
from tests.analyses import analysed
from tests.ui.board.boards import paper

IRIS = SessionSettings(DataSettings("iris"))
LINE = SessionSettings(
    DataSettings("points_on_a_line"), KernelSettings("rbf", as_values({"gamma": 2.0}))
)
STAGES = StageCache()


@pytest.fixture
def board(qtbot, fresh_board):
    board = fresh_board(1200, 800)
    with qtbot.waitExposed(board):
        board.show()
    return board


def show(board, settings=IRIS, *, bootstrap=True, **view):
    settings = replace(settings, view=ViewSettings(bootstrap=bootstrap, **view))
    result = analysed(settings, cache=STAGES)
    board.show_scene(board.scene.changed(result=result, settings=settings))
    board.settle()
    return result


def test_every_point_has_its_ellipse(board):
    result = show(board)
    rows, outlines = board.embedding.ellipses.outlines()
    np.testing.assert_array_equal(rows, np.arange(150))
    middles = outlines.mean(axis=1)
    np.testing.assert_allclose(middles, board.embedding.view.pixels(), atol=0.1)
    frame = board.embedding.view.area.frame
    unit = frame.width / (frame.x_range[1] - frame.x_range[0])
    away = np.linalg.norm(outlines - middles[:, None], axis=2).max(axis=1)
    np.testing.assert_allclose(away, unit * result.get(MOVES).reach, rtol=0.02)


def test_nobody_who_has_not_asked_sees_any(board):
    show(board)
    with_them = paper(board.embedding.view)
    show(board, bootstrap=False)
    assert board.embedding.ellipses.ellipses is None
    assert board.spectrum.view.bars.moves is None
    assert paper(board.embedding.view) != with_them


def test_points_that_may_lie_anywhere_are_faint(board):
    show(board, LINE)
    assert board.embedding.view.area.cloud.faint.all()
    faint = paper(board.embedding.view)
    show(board)
    assert not board.embedding.view.area.cloud.faint.any()
    show(board, LINE, bootstrap=False)
    assert board.embedding.view.area.cloud.faint is None
    assert paper(board.embedding.view) != faint


def test_a_hidden_class_has_no_ellipses(board):
    show(board)
    board.set_hidden([0])
    rows, _ = board.embedding.ellipses.outlines()
    assert len(rows) == 100
    assert (board.scene.result.dataset.labels[rows] != 0).all()


def test_other_axes_have_other_ellipses(board):
    show(board)
    before = board.embedding.ellipses.ellipses
    result = show(board, axes=(1, 0, 2))
    after = board.embedding.ellipses.ellipses
    assert result.get(MOVES).axes == (1, 0)
    np.testing.assert_allclose(
        before.centres[:, ::-1], after.centres, rtol=1e-9, atol=1e-12
    )


def test_in_space_points_are_faint_without_ellipses(board):
    result = show(board, LINE, embedding_3d=True)
    assert result.get(MOVES).axes == (0, 1, 2)
    assert board.embedding.ellipses.ellipses is None
    assert board.embedding.view.area.cloud.faint is not None


def test_bars_have_whiskers_of_two_standard_errors(board):
    result = show(board)
    bars = board.spectrum.view.bars
    errors = result.get(MOVES).errors
    kept = len(errors)
    np.testing.assert_allclose(
        bars.moves[:kept, 1], result.shares + 1.96 * errors, rtol=1e-9
    )
    assert np.isnan(bars.moves[kept:]).all()
    assert "bootstrap ±" in bar_text(bars, 0)
    assert "bootstrap" not in bar_text(bars, kept)
    image = board.spectrum.view.grab().toImage()
    show(board, bootstrap=False)
    assert board.spectrum.view.grab().toImage() != image


def test_the_switch_asks_for_them(qtbot):
    from kpca_viewer.widgets.scene import Changes, Scene
    from kpca_viewer.window.sidebar.appearance_card import AppearanceCard

    changes, requested = Changes(), []
    changes.settings_requested.connect(lambda settings, _: requested.append(settings))
    card = AppearanceCard(changes)
    qtbot.addWidget(card)
    card.show_scene(Scene(settings=IRIS))
    card.findChild(object, "bootstrap_switch").click()
    assert requested[-1].view.bootstrap
    assert requested[-1].needs_analysis(IRIS, registry.stages())
