"""Mean pictures of classes, where rows are pictures."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.row_pictures import NO_PICTURES
from kpca_viewer.engine.settings import DataSettings, SessionSettings, ViewSettings
from kpca_viewer.features.data_plot import compute, text
from kpca_viewer.features.data_plot.class_pictures import ClassPictures
from kpca_viewer.features.data_plot.compute import class_means
from kpca_viewer.widgets.theme import DARK
from tests.analyses import analysed
from tests.ui.board.boards import new_board, show

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def pictures():
    """Four by four pixels: left halves, upper halves, and rows without a class."""
    left, upper = np.zeros((4, 4)), np.zeros((4, 4))
    left[:, :2] = upper[:2] = 16.0
    points = np.array([left.ravel(), upper.ravel(), 0 * left.ravel()])
    labels = np.repeat([0, 1, -1], 10)
    noise = np.random.default_rng(0).uniform(0, 0.1, (30, 16))
    names = tuple(f"pixel_{j // 4}_{j % 4}" for j in range(16))
    made = points[labels] + noise
    return Dataset(made, labels, ("left", "upper"), feature_names=names)


def test_means_are_those_of_the_rows(pictures):
    left, upper = class_means(pictures, ViewSettings())
    assert (left.code, left.name, left.rows, left.of) == (0, "left", 10, 10)
    assert (left.shades[:, :2] > 250).all()
    assert (left.shades[:, 2:] < 5).all()
    assert (upper.shades[:2] > 250).all()
    assert text.class_mean(left) == "Mean picture of class left (10 rows)."


def test_other_tables_have_none(pictures):
    assert class_means(pictures, ViewSettings(image_size=NO_PICTURES)) == []
    unlabelled = Dataset(pictures.points, feature_names=pictures.feature_names)
    assert class_means(unlabelled, ViewSettings()) == []


def test_of_many_rows_a_sample_is_taken_and_said(pictures, monkeypatch):
    monkeypatch.setattr(compute, "MOST_CELLS", 16 * 20)
    means = class_means(pictures, ViewSettings())
    assert sum(mean.rows for mean in means) < 20
    assert "a sample of 10" in text.class_mean(means[0])


def test_the_pointer_on_a_picture_lifts_its_class(pictures, qtbot):
    line = ClassPictures()
    qtbot.addWidget(line)
    line.resize(300, 80)
    line.show_means(class_means(pictures, ViewSettings()))
    assert line.isVisible()
    assert line.accessibleName() == "Mean pictures of the classes left, upper"
    place = next(x for x in range(300) if line.picture_at(QPointF(x, 20)) == 1)
    with qtbot.waitSignal(line.classes_hovered) as heard:
        QTest.mouseMove(line, QPoint(place + 3, 20))
    assert heard.args == [frozenset({1})]
    line.show_means([])
    assert not line.isVisible()


def test_means_without_a_plot_have_their_own_caption_in_the_dark(qtbot):
    board = new_board(qtbot, 1000, 560)
    with qtbot.waitExposed(board):
        board.show()
    # As at a start in the dark: the theme comes with the first rows.
    show(board, analysed(SessionSettings(DataSettings("digits"))), theme=DARK)
    panel = board.data
    assert panel.means.isVisible()
    assert not panel.view.isVisible()
    assert panel.caption() == text.MEANS_ALONE
    panel.resize(panel.width(), 800)
    assert panel.view.isVisible()
    assert panel.caption() != text.MEANS_ALONE
