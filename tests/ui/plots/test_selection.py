import numpy as np
import pytest
from PySide6.QtCore import Qt

from kpca_viewer.widgets.plots.linking import (
    combined,
    mode_of,
    points_in_polygon,
    points_in_rectangle,
)


def crossings(point, polygon):
    """Winding number the slow way, as the sum of signed angles."""
    angles = np.unwrap(np.arctan2(*(np.vstack([polygon, polygon[:1]]) - point).T[::-1]))
    return round((angles[-1] - angles[0]) / (2 * np.pi))


def test_polygon_agrees_with_the_winding_number():
    random = np.random.default_rng(1)
    points = random.uniform(-2, 2, size=(400, 2))
    for corners in (3, 8, 40):
        polygon = random.normal(size=(corners, 2))
        expected = [crossings(point, polygon) != 0 for point in points]
        np.testing.assert_array_equal(points_in_polygon(points, polygon), expected)


def test_lasso_that_crosses_itself_keeps_what_it_winds_around_twice():
    turns = np.linspace(0, 4 * np.pi, 60)
    polygon = np.column_stack([np.cos(turns), np.sin(turns)]) * (
        1 + turns[:, None] / 20
    )
    assert points_in_polygon(np.zeros((1, 2)), polygon).all()


def test_points_without_place_and_degenerate_lassos_select_nothing():
    points = np.array([[np.nan, 0.0], [0.0, 0.0]])
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    np.testing.assert_array_equal(points_in_polygon(points, square), [False, True])
    assert not points_in_polygon(points, square[:2]).any()
    inside = points_in_rectangle(points, np.array([1.0, 1]), np.array([-1.0, -1]))
    np.testing.assert_array_equal(inside, [False, True])


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("replace", [False, True, True]),
        ("add", [True, True, True]),
        ("remove", [True, False, False]),
    ],
)
def test_modes(mode, expected):
    current, mask = np.array([True, True, False]), np.array([False, True, True])
    np.testing.assert_array_equal(combined(current, mask, mode), expected)


def test_an_empty_selection_is_no_selection():
    some, none = np.array([True, False]), np.zeros(2, dtype=bool)
    assert combined(some, none, "replace") is None
    assert combined(some, some, "remove") is None
    assert combined(None, some, "remove") is None
    np.testing.assert_array_equal(combined(None, some, "add"), some)


def test_keys_choose_the_mode():
    keys = Qt.KeyboardModifier
    assert mode_of(keys.NoModifier) == "replace"
    assert mode_of(keys.ShiftModifier | keys.ControlModifier) == "add"
    assert mode_of(keys.AltModifier) == "remove"
