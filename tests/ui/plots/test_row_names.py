"""Names of a few rows stand beside their points and cover nothing."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from kpca_viewer.ui.plots.point_size import roomy_size
from kpca_viewer.ui.plots.row_names import name_boxes

AREA = QRectF(0, 0, 300, 200)
DIAMETER = 10.0


@pytest.mark.parametrize(
    "pixels",
    [
        [(150.0, 100.0)],
        [(295.0, 100.0), (5.0, 5.0), (295.0, 195.0)],
        [(150.0, 100.0), (165.0, 100.0), (180.0, 100.0), (165.0, 112.0)],
    ],
    ids=["middle", "edges", "close together"],
)
def test_names_cover_neither_points_nor_each_other(pixels):
    boxes = name_boxes(np.array(pixels), [(30.0, 14.0)] * len(pixels), DIAMETER, AREA)
    points = [QRectF(x - 5, y - 5, DIAMETER, DIAMETER) for x, y in pixels]
    for box in boxes:
        assert AREA.contains(box)
        assert not any(box.intersects(point) for point in points)
    assert not any(a.intersects(b) for a, b in combinations(boxes, 2))


def test_points_that_are_hidden_have_no_name():
    pixels = np.array([(np.nan, np.nan), (50.0, 50.0), (90.0, 90.0)])
    boxes = name_boxes(pixels, [(30.0, 14.0), (30.0, 14.0)], DIAMETER, AREA)
    assert boxes[0].isNull()
    assert not boxes[1].isNull()
    assert len(boxes) == 2


def test_where_everything_is_taken_there_is_no_name():
    pixels = np.array([(x, y) for x in range(0, 300, 10) for y in range(0, 200, 10)])
    box = name_boxes(pixels.astype(float), [(30.0, 14.0)], DIAMETER, AREA)[0]
    assert box.isNull()


def test_a_handful_of_points_is_larger_than_a_crowd():
    sizes = [roomy_size(7.0, count) for count in (1, 3, 10, 50, 200, 400, 10_000)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[1] > 10
    assert sizes[-2] == sizes[-1] == 7.0
