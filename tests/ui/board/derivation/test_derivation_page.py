"""The page among the others: its key, its turn, what is saved and exported of it."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kpca_viewer.cli import main as cli
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.engine.views import Views
from kpca_viewer.widgets.picture_sources import board_sources
from kpca_viewer.widgets.theme import DARK, LIGHT
from kpca_viewer.window.board import Board
from kpca_viewer.window.poses import show_views, views_of
from tests.ui.board.boards import keep_new_points, new_board
from tests.ui.board.derivation.conftest import STAIRS, poly, rings

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
SQUARE = KernelSettings("poly", tuple(sorted(poly(1).items())))


def settings(kernel: KernelSettings = SQUARE) -> SessionSettings:
    return SessionSettings(DataSettings("some data"), kernel)


def show(board: Board, points, kernel: KernelSettings = SQUARE) -> None:
    data = Dataset(np.array(points, dtype=np.float64), name="some data")
    result = analyse(data, settings(kernel))
    scene = board.scene.changed(settings=settings(kernel), result=result)
    board.show_scene(scene)
    board.settle()


@pytest.fixture
def board(qtbot) -> Board:
    """A new one for every test: most are about what is made when."""
    board = new_board(qtbot, 1200, 800)
    keep_new_points(board)
    board.show()
    return board


def test_the_page_comes_with_its_workspace_and_gives_the_one_before_back(board):
    show(board, STAIRS)
    board.compare.show_page("table")
    board.toggle_page("derivation")
    assert (board.workspace, board.compare.pages.value()) == ("explain", "derivation")
    assert board.embedding.isVisible()
    assert board.data.isVisible()
    assert not board.spectrum.isVisible()
    board.toggle_page("derivation")
    assert (board.workspace, board.compare.pages.value()) == ("explore", "table")
    assert board.spectrum.isVisible()
    # A workspace that was turned to since stays.
    board.toggle_page("derivation")
    board.show_workspace("decide")
    board.toggle_page("derivation")
    board.toggle_page("derivation")
    assert board.workspace == "decide"


def test_nothing_is_made_or_derived_before_somebody_turns_to_it(board):
    view = board.compare.views["derivation"].view
    show(board, STAIRS)
    assert view.shown is None
    board.compare.show_page("derivation")
    first = view.shown
    assert first is not None
    board.compare.show_page("pca")
    show(board, STAIRS, KernelSettings("rbf", (("gamma", 1.0),)))
    board.linking.apply_selection(np.array([True, False, False]))
    board.linking.set_hovered(1)
    assert view.shown is first
    board.compare.show_page("derivation")
    assert view.shown is not first
    assert view.grid("kernel").text(0, 0) == "1"


def test_without_a_result_there_is_nothing_to_derive(board):
    board.toggle_page("derivation")
    view = board.compare.views["derivation"].view
    assert view.findChild(QLabel, "derivation_empty").isVisible()
    assert view.printed() == []
    assert board.compare.let_go() is False


def test_a_point_is_dropped_from_the_page(board):
    show(board, STAIRS)
    board.toggle_page("derivation")
    drop = board.compare.views["derivation"].view.steps.new_points.drop
    QTest.mouseClick(drop, LEFT, NO_KEY, drop.rect().center())
    (place,) = board.scene.notes.new_points
    kernel = board.compare.views["derivation"].view.grid("kernel").content
    assert kernel.values[3] == pytest.approx((1 + np.array(STAIRS) @ place) ** 2)
    # It follows a point that is dragged in the data.
    board.new_points.requested.emit(((5.0, 6.0),), "drag")
    kernel = board.compare.views["derivation"].view.grid("kernel").content
    assert kernel.values[3].tolist() == [324.0, 1600.0, 3844.0]


def test_folds_are_kept_in_a_session(board, tmp_path):
    show_views(board, Views(page="derivation", folded=("means", "primal")))
    show(board, STAIRS)
    assert board.compare.views["derivation"].view.steps.lines["means"].collapsed()
    views = views_of(board)
    assert (views.page, views.folded) == ("derivation", ("means", "primal"))
    save(Document(SessionSettings(), views=views), tmp_path / "a.kpca")
    assert load(tmp_path / "a.kpca").views == views
    show_views(board, replace(views, folded=()))
    assert board.compare.views["derivation"].view.folded() == ()


def test_workspace_and_stage_are_kept_in_a_session(board, tmp_path):
    show(board, STAIRS)
    assert views_of(board).filled is None
    board.bring_to_stage("data")
    on_stage = views_of(board)
    board.toggle_page("derivation")
    in_explain = views_of(board)
    assert (on_stage.workspace, on_stage.filled) == ("explore", "data")
    assert (in_explain.workspace, in_explain.page) == ("explain", "derivation")
    for views in (on_stage, in_explain, on_stage):
        save(Document(SessionSettings(), views=views), tmp_path / "a.kpca")
        show_views(board, load(tmp_path / "a.kpca").views)
        assert views_of(board) == views
    board.restore()
    show_views(board, replace(on_stage, filled="carpet"))
    assert board.on_stage == "embedding"


@pytest.mark.parametrize(
    ("page", "filled", "workspace", "on_stage"),
    [
        ("derivation", "compare", "explain", "embedding"),
        ("columns", None, "decide", "embedding"),
        ("table", "compare", "explore", "pages"),
        ("pca", "spectrum", "explore", "spectrum"),
    ],
)
def test_a_session_without_a_workspace_opens_where_its_page_is(
    board, page, filled, workspace, on_stage
):
    show(board, STAIRS)
    show_views(board, Views(page=page, filled=filled))
    assert (board.workspace, board.on_stage) == (workspace, on_stage)
    assert board.compare.pages.value() == page


def test_the_plot_in_front_is_that_on_the_stage_or_the_page_with_the_keys(board):
    show(board, STAIRS)
    assert board.front() is None
    board.toggle_page("derivation")
    assert board.front() == "derivation"
    board.show_workspace("explore")
    board.bring_to_stage("data")
    assert board.front() == "data"
    board.restore()
    board.compare.show_page("gram")
    board.compare.views["gram"].view.setFocus()
    assert board.front() == "gram"


def painted(board: Board, theme=LIGHT, size=(900, 700)) -> QImage:
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.card))
    source = board_sources(board)["derivation"]
    source.set_theme(theme)
    painter = QPainter(image)
    source.render_to(painter, QRectF(image.rect()), background=True)
    painter.end()
    source.set_theme(LIGHT)
    return image


def ink(image: QImage, theme=LIGHT) -> np.ndarray:
    """Return which pixels are no paper, shape (h, w)."""
    pixels = np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF
    paper = QColor(theme.card).rgb() & 0xFFFFFF
    return (pixels != paper).reshape(image.height(), image.width())


def test_on_paper_everything_is_inside(board):
    show(board, rings(1, 2), KernelSettings("rbf", (("gamma", 0.5),)))
    for theme, size in (
        (LIGHT, (900, 700)),
        (DARK, (1600, 500)),
        (LIGHT, (400, 900)),
    ):
        found = ink(painted(board, theme, size), theme)
        for edge in (found[:3], found[-3:], found[:, :3], found[:, -3:]):
            assert not edge.any()
        # As large as it fits: along one side it reaches nearly to the end.
        rows = np.flatnonzero(found.any(axis=1))
        columns = np.flatnonzero(found.any(axis=0))
        assert max(rows[-1] / size[1], columns[-1] / size[0]) > 0.85


def test_folded_lines_are_folded_on_paper(board):
    show(board, STAIRS)
    board.compare.show_page("derivation")
    lines = board.compare.views["derivation"].view.printed()
    # Without new points there is no line for them on paper.
    numbers = [int(line.title.split()[0]) for line in lines]
    assert numbers == [1, 2, 3, 4, 5, 6, 7, 9, 10]
    assert all(line.grids for line in lines)
    board.compare.views["derivation"].view.set_folded(("kernel", "scores"))
    folded = board.compare.views["derivation"].view.printed()
    assert [line.title for line in folded] == [line.title for line in lines]
    assert not folded[1].grids
    assert painted(board) != QImage()


def test_it_is_exported_from_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "render circles --samples 40 --what derivation --out a.svg"
    assert cli.main(words.split()) == 0
    assert "Kernel matrix" in (tmp_path / "a.svg").read_text("utf-8")
