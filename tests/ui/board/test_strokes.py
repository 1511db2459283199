"""What a hand does on the screen, as numbers."""

import numpy as np
import pytest

from kpca_viewer.features.drawing.pencil import (
    BRUSH,
    BURST,
    nearest,
    places,
    sprayed,
    within,
)
from kpca_viewer.widgets.plots.frame import Frame

PIXELS = np.array([[0.0, 0.0], [20.0, 0.0], [100.0, 50.0]])
FRAME = Frame(10, 20, 200, 100, (-2.0, 2.0), (-1.0, 1.0))


def test_the_pencil_takes_the_nearest_point_in_reach():
    assert nearest(PIXELS, np.array([13.0, 2.0])) == 1
    assert nearest(PIXELS, np.array([60.0, 30.0])) is None
    assert nearest(np.empty((0, 2)), np.zeros(2)) is None
    shown = np.array([True, False, True])
    assert nearest(PIXELS, np.array([20.0, 0.0]), shown) is None
    # Of other points, which are not shown yet, nothing is known.
    assert nearest(PIXELS, np.array([20.0, 0.0]), shown[:2]) == 1


def test_the_eraser_takes_what_its_way_passes():
    begin, end = np.array([-50.0, 5.0]), np.array([50.0, 5.0])
    assert within(PIXELS, begin, end, 6.0).tolist() == [True, True, False]
    assert within(PIXELS, begin, begin, 6.0).tolist() == [False] * 3
    assert within(PIXELS, PIXELS[2], PIXELS[2], 1.0).tolist() == [False, False, True]


def test_the_brush_sprays_around_its_way():
    random = np.random.default_rng(0)
    begin, end = np.array([0.0, 0.0]), np.array([400.0, 0.0])
    found = sprayed(random, begin, end)
    assert 60 < len(found) < 140
    assert (np.abs(found[:, 1]) <= BRUSH).all()
    burst = sprayed(random, begin, begin)
    assert len(burst) == BURST
    assert (np.hypot(*burst.T) <= BRUSH).all()


def test_places_have_no_more_digits_than_pixels():
    (place,) = places(FRAME, np.array([[110.0, 70.0]]))
    assert place == (0.0, 0.0)
    (place,) = places(FRAME, np.array([[77.0, 41.0]]))
    assert place == pytest.approx((-0.66, 0.58), abs=0.01)
    assert place == (round(place[0], 2), round(place[1], 2))


def test_places_beyond_the_plot_are_at_its_edge():
    found = places(FRAME, np.array([[-100.0, 500.0], [900.0, -50.0]]))
    assert found == [(-2.0, -1.0), (2.0, 1.0)]
