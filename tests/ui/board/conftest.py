"""Boards that are kept, and rows for the tests of the table."""

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.lifts import FIRST
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.theme import LIGHT
from tests.left_over import discard
from tests.ui.board.boards import new_board
from tests.ui.board.lifting import SMALL, Window


@pytest.fixture
def small():
    """Four rows with everything that a table can meet."""
    data = Dataset(
        np.array([[3.0, 1e-9], [1.0, np.pi], [2.0, -1234567.0], [2.0, 0.5]]),
        labels=np.array([1, 0, -1, 1]),
        label_names=("zebra", "<b>ape</b>"),
        feature_names=("x", "a very long name of a feature that cannot fit anywhere"),
        row_names=("=cmd()", "beta", "alpha\tx", "Gamma"),
        columns={"age": np.array([5.0, np.nan, 7.0, 6.0])},
    )
    return replace(
        analyse(data), scores=np.array([[0.1, 1.0], [0.4, 2.0], [0.3, 3.0], [0.2, 4.0]])
    )


@pytest.fixture
def fresh_board(qtbot):
    """Give a board of some size that has shown nothing yet."""
    made = []

    def make(width, height):
        made.append(new_board(qtbot, width, height))
        return made[-1]

    yield make
    for board in made:
        board.close_asides()


@pytest.fixture(scope="module")
def shared(request, qapp, answer):
    """One board for all tests of a module."""
    known = {}

    def plain(settings):
        # Only what is computed for: the view is not.
        key = replace(settings, view=ViewSettings())
        if key not in known:
            known[key] = answer(key)
        return known[key]

    board = new_board(QtBot(request), 1100, 760)
    board.show()
    yield Window(board, plain)
    discard(board)


@pytest.fixture
def window(shared, settled):
    board = shared.board
    board.set_theme(LIGHT)
    board.show_workspace("explore")
    board.compare.show_page("pca")
    board.linking.clear()
    board.lift._last = FIRST
    board.data.view.reset_view()
    board.data.view.set_camera(Camera())
    board.show_scene(board.scene.changed(notes=Notes()))
    shared.show(SMALL)
    shared.steps.clear()
    shared.refusals.clear()
    return shared
