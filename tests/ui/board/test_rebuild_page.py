"""The page Rebuild: a matrix from its parts, and three ways to one picture."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.features.rebuild import view as rebuild_view
from kpca_viewer.features.rebuild.compute import PAGE, REBUILDING
from kpca_viewer.features.rebuild.text import WAYS_FOLLOW
from kpca_viewer.features.rebuild.view import plane_of
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.analyses import analysed
from tests.left_over import discard
from tests.ui.board.boards import new_board, show_page

SMALL = SessionSettings(data=DataSettings("circles", as_values({"samples": 40})))
INDEFINITE = np.array([[0.0, 1, 10], [1, 0, 1], [10, 1, 0]])
STAGES = StageCache()


def answer(settings=SMALL, dataset=None, page=PAGE, *, moving=False):
    return analysed(settings, dataset, STAGES, page=page, moving=moving)


@pytest.fixture(scope="module")
def shared(request, qapp):
    """A board that makes the changes that it requests."""
    bot = QtBot(request)
    board = new_board(bot, 1000, 700)
    board.gestures = []

    def follow(settings, gesture):
        board.gestures.append(gesture)
        board.show_scene(board.scene.changed(settings=settings))

    board.changes.settings_requested.connect(follow)
    yield show_page(bot, board, PAGE, answer())
    discard(board)


@pytest.fixture
def board(shared, settled):
    shared.set_theme(LIGHT)
    shared.compare.show_page(PAGE)
    shared.linking.clear()
    shared.linking.set_hovered(None)
    show(shared, answer())
    shared.gestures.clear()
    return shared


def show(board, result, **view):
    settings = replace(result.settings, view=ViewSettings(**view))
    board.show_scene(board.scene.changed(result=result, settings=settings))
    board.settle()


def page(board):
    return board.compare.views[PAGE]


def hover(widget, at: QPointF):
    QTest.mouseMove(widget, at.toPoint())


def type_into(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


@pytest.mark.journey
def test_both_matrices_and_both_norms_are_those_of_numpy(board):
    view = page(board).view
    X = board.scene.result.dataset.points
    gamma = board.scene.result.kernel.values["gamma"]
    K = np.exp(-gamma * np.square(X[:, None] - X).sum(axis=2))
    H = np.eye(40) - 1 / 40
    values, V = np.linalg.eigh(H @ K @ H)
    order = board.scene.result.get(REBUILDING).shown_rows
    for p in (0, 1, 2, 7):
        type_into(view.row.field, str(p))
        assert board.scene.settings.view.rebuilt_from == p
        top = V[:, ::-1][:, :p]
        expected = (top * values[::-1][:p]) @ top.T
        np.testing.assert_allclose(
            view.matrices.right.rebuilt, expected[np.ix_(order, order)], atol=1e-12
        )
        measured, theorem, *_ = (line.value for line in view.matrices.lines)
        assert measured == theorem
        left = np.linalg.norm(H @ K @ H - expected)
        assert float(measured) == pytest.approx(left, rel=1e-10)
    assert f"{p} of its" in board.compare.caption()


def test_keys_and_mouse_move_the_slider_and_a_drag_is_one_gesture(board):
    view = page(board).view
    slider = view.row.slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert board.scene.settings.view.rebuilt_from == 3
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert board.scene.settings.view.rebuilt_from == 0
    assert not view.matrices.right.rebuilt.any()
    rank = view.found.parts.rank
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert board.scene.settings.view.rebuilt_from == rank
    np.testing.assert_allclose(
        view.matrices.right.rebuilt, view.found.shown_matrix, atol=1e-10
    )
    assert "nothing but rounding" in board.compare.caption()
    assert set(board.gestures) == {"rebuild.parts"}


def test_more_parts_than_there_are_is_refused_in_a_sentence(board):
    said = []
    board.changes.refused.connect(said.append)
    field = page(board).view.row.field
    type_into(field, "1000")
    assert len(said) == 1
    assert "rank" in said[0]
    assert board.scene.settings.view.rebuilt_from == 2


def test_a_cell_of_either_matrix_is_a_pair_of_rows(board):
    matrices = page(board).view.matrices.matrices
    rows = board.scene.result.get(REBUILDING).shown_rows
    for view, other in (matrices, matrices[::-1]):
        hover(view, view.plan().cell_rect(3, 8).center())
        assert board.linking.hovered == rows[3]
        assert board.linking.partner == rows[8]
        assert other.cell == (3, 8)
        value, rebuilt = matrices[0].matrix()[3, 8], matrices[1].matrix()[3, 8]
        assert f"= {value:.4g}".replace("-", "−") in view.label_lines()[0]
        assert f"{rebuilt:.4g}".replace("-", "−") in view.label_lines()[1]
        hover(view, QPointF(1, 1))
        assert board.linking.hovered is other.cell is None
    start, end = (
        view.plan().cell_rect(*cell).center().toPoint() for cell in ((2, 2), (4, 3))
    )
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view, end)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)
    assert set(np.flatnonzero(board.linking.selection)) == set(rows[[2, 3, 4]])
    assert [matrix.chosen for matrix in matrices] == [(2, 3, 4)] * 2


def test_both_matrices_share_their_colours(board):
    left, right = page(board).view.matrices.matrices
    assert left._colors.ticks() == right._colors.ticks()


def test_few_rows_have_names_and_numbers(board, qtbot):
    left, right = page(board).view.matrices.matrices
    data = Dataset(np.array([[0.0, 0], [1, 0], [0, 2]]), name="three")
    show(board, answer(dataset=data), rebuilt_from=1)
    assert right.names() == ["1", "2", "3"]
    assert (left.title, right.title) == ("K̃", "K̃₁, from 1 part")
    before = painted(board, (900, 600))
    show(board, board.scene.result, rebuilt_from=2)
    assert right.title == "K̃₂, from 2 parts"
    assert painted(board, (900, 600)) != before


def test_rows_from_elsewhere_are_marked_here(board):
    view = page(board).view
    board.linking.set_hovered(5)
    assert view.matrices.right.highlight == (
        int(np.flatnonzero(view.found.shown_rows == 5)[0]),
    )


def test_the_three_ways_lie_on_each_other_and_are_linked(board):
    tool = page(board).tool
    tool.button("ways").click()
    assert board.scene.settings.view.rebuild == "ways"
    view = page(board).view
    assert view.ways.isVisible()
    assert not view.row.isVisible()
    result = board.scene.result
    expected = result.linear.scores[:, :2]
    for plot in view.ways.plots:
        np.testing.assert_allclose(plot.area.placed, expected, atol=1e-12)
    words = board.compare.caption()
    assert words.startswith("The three ways differ by ")
    assert "0 but for rounding" in words
    board.linking.set_hovered(7)
    for plot in view.ways.plots:
        assert plot.area.cloud.hovered == 7


def test_without_its_numbers_the_page_says_that_they_come(board):
    other = replace(SMALL, data=DataSettings("moons", as_values({"samples": 30})))
    show(board, answer(other, page=""))
    view = page(board).view
    assert view.found is None
    assert not board.compare.is_dimmed()
    assert view.matrices.true.plan() is None
    assert not view.row.slider.isEnabled()
    show(board, answer(other))
    assert view.matrices.true.plan() is not None
    assert view.row.slider.isEnabled()


def test_parts_are_shown_while_the_ways_are_compared(board):
    whole = answer()
    found = replace(whole.get(REBUILDING), ways=None, ways_follow=True)
    early = whole.with_extra(REBUILDING, found)
    show(board, early)
    assert page(board).view.matrices.true.plan() is not None
    assert "no matrix of rank 2 comes nearer" in board.compare.caption()
    show(board, early, rebuild="ways")
    ways = page(board).view.ways
    assert ways.plots[0].area.overlay.empty_text == WAYS_FOLLOW
    assert board.compare.caption() == ""
    show(board, whole, rebuild="ways")
    assert ways.plots[0].point_count == 40
    assert "The three ways differ by" in board.compare.caption()


@pytest.mark.journey
def test_the_last_numbers_stay_dimmed_until_others_come(board):
    kernel = KernelSettings("rbf", as_values({"gamma": 3.0}))
    other = replace(SMALL, kernel=kernel)
    moving = replace(answer(other, page=""), at_rest=False)
    before = page(board).view.found
    show(board, moving)
    assert page(board).view.found is before
    assert board.compare.caption() == "It follows as soon as the slider rests."
    assert board.compare.is_dimmed()
    show(board, answer(other, page=""))
    assert page(board).view.found is before
    assert board.compare.is_dimmed()
    # Other pages are not late.
    board.compare.show_page("gram")
    assert not board.compare.is_dimmed()
    board.compare.show_page(PAGE)
    show(board, answer(other))
    assert page(board).view.found is not before
    assert not board.compare.is_dimmed()


def test_it_is_not_touched_while_another_page_is_in_front(board):
    board.compare.show_page("gram")
    before = page(board).view.found
    other = replace(SMALL, data=DataSettings("moons", as_values({"samples": 30})))
    show(board, answer(other))
    assert page(board).view.found is before


def test_of_many_rows_the_norm_is_measured_in_portions(board, qtbot, monkeypatch):
    monkeypatch.setattr(rebuild_view, "AT_ONCE", 10)
    view = page(board).view
    show(board, board.scene.result, rebuilt_from=4)
    qtbot.waitUntil(lambda: view.matrices.lines[0].value != "…")
    assert view.matrices.lines[0].value == view.matrices.lines[1].value
    # Another number of parts ends the measuring of the one before.
    show(board, board.scene.result, rebuilt_from=6)
    show(board, board.scene.result, rebuilt_from=3)
    view.settle()
    assert view.matrices.lines[0].value == view.matrices.lines[1].value
    # Paper does not wait for the event loop.
    show(board, board.scene.result, rebuilt_from=5)
    view.settle()
    assert view.matrices.lines[0].value == view.matrices.lines[1].value


def test_distances_that_no_points_have(board):
    data = Dataset(INDEFINITE, kind="distances", name="three")
    show(board, answer(dataset=data), rebuilt_from=1)
    view = page(board).view
    np.testing.assert_allclose(
        view.matrices.right.rebuilt, [[25, 0, -25], [0, 0, 0], [-25, 0, 25]], atol=1e-12
    )
    assert [line.value for line in view.matrices.lines[:2]] == ["16", "16"]
    page(board).tool.button("ways").click()
    np.testing.assert_allclose(
        np.abs(view.ways.plots[0].area.placed), [[5, 0], [0, 0], [5, 0]], atol=1e-12
    )
    assert "No points have these distances" in board.compare.caption()


def test_a_given_kernel_says_why_there_are_no_ways(board):
    data = Dataset(np.array([[9.0, -9], [-9, 9]]), kind="kernel", name="two")
    show(board, answer(dataset=data), rebuild="ways")
    assert "no points for PCA" in board.compare.caption()
    assert page(board).view.ways.plots[0].point_count == 0


@pytest.mark.journey
@pytest.mark.parametrize("points", [[[1.0, 2.0]], [[1.0, 1.0]] * 3, [[0.3, 0.7]] * 30])
def test_rows_without_differences(board, points):
    show(board, answer(dataset=Dataset(np.array(points), name="same")))
    assert "there is nothing to rebuild" in board.compare.caption()
    assert not page(board).view.row.slider.isEnabled()
    page(board).tool.button("ways").click()
    assert "in one place" in board.compare.caption()
    painted(board)
    board.show_workspace("explore")
    for panel in (board.embedding, board.spectrum):
        assert panel.caption().startswith("No variance: ")


def painted(board, size=(400, 300)):
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    page(board).view.render_to(painter, QRectF(0, 0, *size))
    painter.end()
    return image


@pytest.mark.parametrize("rebuild", ["matrix", "ways"])
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_it_becomes_a_picture_of_any_size(board, rebuild, theme):
    show(board, board.scene.result, rebuild=rebuild)
    page(board).set_theme(theme)
    before = page(board).view.plot().geometry()
    for size in ((300, 200), (900, 500)):
        image = painted(board, size)
        assert image.pixelColor(0, 0).name() == theme.card.lower()
        colors = {
            image.pixelColor(QPoint(x, y)).rgb()
            for x in range(0, size[0], 7)
            for y in range(0, size[1], 7)
        }
        assert len(colors) > 5
    assert page(board).view.plot().geometry() == before


def test_the_plane_is_that_of_the_embedding_as_far_as_it_goes():
    assert plane_of(ViewSettings(axes=(2, 0, 1)), 5) == [2, 0]
    assert plane_of(ViewSettings(axes=(7, 1, 2)), 3) == [1, 0]
    assert plane_of(ViewSettings(), 1) == [0]
