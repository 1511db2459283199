"""Rows for the tests of the table."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import ViewSettings
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
def window(qtbot, answer):
    known = {}

    def plain(settings):
        # Only what is computed for: the view is not.
        key = replace(settings, view=ViewSettings())
        if key not in known:
            known[key] = answer(key)
        return known[key]

    board = new_board(qtbot, 1100, 760)
    board.show()
    window = Window(board, plain)
    window.show(SMALL)
    return window
