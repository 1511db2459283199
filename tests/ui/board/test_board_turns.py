"""Panels follow a result one by one, and the picture is whole in the end."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QToolButton

from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.window.board import Board

WIDE, NARROW = (
    SessionSettings(
        data=DataSettings("circles", as_values({"samples": 60})),
        kernel=KernelSettings("rbf", as_values({"gamma": gamma})),
        view=ViewSettings(motion=False),
    )
    for gamma in (0.5, 8.0)
)


@pytest.fixture(scope="module")
def results():
    # The same rows for both, as when somebody moves γ.
    cache = StageCache()
    return {s: run(AnalysisRequest(s), cache) for s in (WIDE, NARROW)}


@pytest.fixture
def board(fresh_board, results):
    board = fresh_board(1000, 700)
    board.show_scene(Scene().changed(result=results[WIDE], settings=WIDE, stale=""))
    return board


def dimmed(board: Board) -> list[bool]:
    return [panel.is_dimmed() for panel in board.main_panels()]


def follow(board, result, settings) -> None:
    """Show a result that has just been computed."""
    board.show_scene(board.scene.changed(result=result, settings=settings, stale=None))


@pytest.mark.journey
def test_one_panel_after_the_other_comes_back(board, results, qtbot):
    with qtbot.waitSignal(board.shown) as shown:
        follow(board, results[NARROW], NARROW)
        assert dimmed(board) == [False, True, True, True]
        assert not board.is_settled()
    assert shown.args[0].result is results[NARROW]
    assert dimmed(board) == [False] * 4
    assert board.is_settled()


@pytest.mark.journey
def test_in_the_end_the_picture_is_the_one_that_is_shown_at_once(board, results, qtbot):
    with qtbot.waitSignal(board.shown):
        follow(board, results[NARROW], NARROW)
    placed = board.embedding.view.area.placed.copy()
    captions = [panel.caption() for panel in board.panels]
    again = Board()
    qtbot.addWidget(again)
    again.resize(board.size())
    follow(again, results[NARROW], NARROW)
    np.testing.assert_array_equal(placed, again.embedding.view.area.placed)
    assert captions == [panel.caption() for panel in again.panels]


def test_what_fails_meanwhile_leaves_the_picture_dimmed(board, results, qtbot):
    with qtbot.waitSignal(board.shown):
        follow(board, results[NARROW], NARROW)
        board.show_scene(board.scene.changed(stale=""))
    assert dimmed(board) == [True] * 4


@pytest.mark.journey
def test_another_view_meanwhile_is_shown_at_once(board, results, qtbot):
    follow(board, results[NARROW], NARROW)
    other = replace(NARROW, view=ViewSettings(spectrum="log"))
    with qtbot.waitSignal(board.shown):
        follow(board, results[NARROW], other)
        assert board.is_settled()
    assert dimmed(board) == [False] * 4
    with qtbot.assertNotEmitted(board.shown, wait=20):
        pass


@pytest.mark.journey
def test_a_plot_that_waits_does_not_answer_for_other_rows(board, qtbot, monkeypatch):
    monkeypatch.setattr("kpca_viewer.window.board.AT_ONCE", 100)
    iris = SessionSettings(data=DataSettings("iris"))
    other = run(AnalysisRequest(iris), StageCache())
    with qtbot.waitSignal(board.shown):
        follow(board, other, iris)
        assert board.embedding.view.point_count == 150
        assert board.data.view.point_count == board.compare.pca.point_count == 0
        # A selection meanwhile is one of the new rows, and every plot takes it.
        board.linking.apply_selection(np.arange(150) < 50, "replace")
    for view in (board.data.view, board.embedding.view, board.compare.pca):
        assert view.point_count == 150
        assert view.area.cloud.selected.sum() == 50


@pytest.mark.journey
def test_other_rows_are_known_at_once_and_painted_one_by_one(board, qtbot):
    more = replace(WIDE, data=WIDE.data.with_value("samples", 70.0))
    result = run(AnalysisRequest(more), StageCache())
    with qtbot.waitExposed(board):
        board.show()
    follow(board, result, more)
    # Whoever points at a row means the same one in every plot.
    views = (board.embedding.view, board.data.view, board.compare.pca)
    assert [view.point_count for view in views] == [70, 70, 70]
    assert dimmed(board) == [False] * 4
    assert not any(panel.updatesEnabled() for panel in board.panels)
    assert not board.is_settled()
    qtbot.waitUntil(board.is_settled)
    assert all(panel.updatesEnabled() for panel in board.panels)


@pytest.mark.journey
def test_the_first_picture_leaves_no_holes_in_its_window(fresh_board, results, qtbot):
    board = fresh_board(1000, 700)
    with qtbot.waitExposed(board):
        board.show()
    follow(board, results[WIDE], WIDE)
    assert all(panel.updatesEnabled() for panel in board.panels)
    assert board.is_settled()


@pytest.mark.journey
def test_what_follows_the_panels_waits_until_they_are_painted(board, qtbot):
    more = replace(WIDE, data=WIDE.data.with_value("samples", 70.0))
    result = run(AnalysisRequest(more), StageCache())
    with qtbot.waitExposed(board):
        board.show()
    followed = []

    def follow_up(shown) -> None:
        painted = [panel.updatesEnabled() for panel in board.panels]
        followed.append((shown.result, board.is_settled(), painted))

    board.shown.connect(follow_up)
    follow(board, result, more)
    assert followed == []
    qtbot.waitUntil(board.is_settled)
    assert followed == [(result, True, [True] * 4)]


@pytest.mark.journey
def test_isolines_come_once_behind_pictures_that_follow_each_other(
    board, results, qtbot, monkeypatch
):
    with qtbot.waitExposed(board):
        board.show()
    underlay, drawn = board.data.view.area.underlay, []
    lines, turn = underlay.set_isolines, board.data._lines_turn
    # However long the panels take.
    turn.setInterval(10**6)
    monkeypatch.setattr(
        underlay, "set_isolines", lambda found: (drawn.append(found), lines(found))
    )
    with qtbot.waitSignal(board.shown):
        follow(board, results[NARROW], NARROW)
    assert drawn == []
    assert board.has_shown()
    assert not board.is_settled()
    # As the same picture does with its measures and a finer grid.
    grid = replace(results[NARROW].grid)
    with qtbot.waitSignal(board.shown):
        follow(board, replace(results[NARROW], grid=grid), NARROW)
    assert drawn == []
    turn.start(0)
    qtbot.waitUntil(board.is_settled)
    assert len(drawn) == 1
    follow(board, results[WIDE], WIDE)
    board.settle()
    assert len(drawn) == 2


def test_axes_of_data_that_are_still_computed_are_no_axes_of_those_shown(
    board, results
):
    # Columns of a wider table, chosen or undone before its picture is there.
    early = replace(WIDE, view=ViewSettings(data_axes=(3, 4, 5)))
    board.show_scene(board.scene.changed(settings=early))
    assert board.data.view.point_count == 60


@pytest.mark.journey
def test_a_request_in_a_panel_that_waits_starts_from_what_is_set_now(board, results):
    requested = []
    board.changes.settings_requested.connect(
        lambda settings, _: requested.append(settings)
    )
    follow(board, results[NARROW], NARROW)
    assert not board.is_settled()
    board.spectrum.findChild(QToolButton, "spectrum_log_button").click()
    (request,) = requested
    assert request.view.spectrum == "log"
    assert request.kernel == NARROW.kernel
    board.settle()


def test_panels_that_wait_show_the_newest_of_several_results(board, results, qtbot):
    with qtbot.waitSignal(board.shown) as shown:
        follow(board, results[NARROW], NARROW)
        follow(board, results[WIDE], WIDE)
    assert shown.args[0].result is results[WIDE]
    placed, scores = board.embedding.view.area.placed, results[WIDE].scores
    np.testing.assert_array_equal(placed, scores[:, :2])
    rank = results[WIDE].effective_rank
    assert board.spectrum.caption().startswith(f"Effective rank {rank:.1f}")
