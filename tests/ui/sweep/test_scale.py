"""Pictures of a sweep have equal units both ways, or fill their room."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.widgets.plots.frame import equal_ranges
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails


def stretch(frame):
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    return (frame.height / (y1 - y0)) / (frame.width / (x1 - x0))


@pytest.mark.parametrize("size", [(90, 60), (40, 200)])
@pytest.mark.parametrize("spread", [(1, 1), (9, 1), (1e-3, 1), (0, 1e-4)])
def test_a_unit_is_equally_long_both_ways(size, spread):
    places = np.random.default_rng(0).normal(size=(50, 2)) * spread
    point = SweepPoint(0, (1.0,), SessionSettings(), thumbnail=places, n=50)
    area = QRectF(0, 0, *size)
    frame = Thumbnails().frame(point, area)
    assert stretch(frame) == pytest.approx(1)
    pixels = frame.to_pixels(places)
    assert (pixels >= 0).all()
    assert (pixels <= size).all()
    filled = Thumbnails(shades=Shades(fills=True)).frame(point, area)
    assert np.ptp(filled.to_pixels(places), axis=0)[1] > 0.75 * size[1]
    # However little it is: what there is to be seen is as large as the picture.
    assert np.ptp(pixels, axis=0).max() > 0.7 * min(size)


def test_equal_ranges_show_all_that_is_wanted():
    x, y = equal_ranges((0, 9), (1, 2), 90, 40)
    assert x == pytest.approx((0, 9))
    assert y == pytest.approx((-0.5, 3.5))
