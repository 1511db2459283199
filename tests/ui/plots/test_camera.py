import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.plots.frame import Bounds, Projection

angles = st.floats(-180, 179)
heights = st.floats(-80, 80)


@given(angles, heights)
def test_rotation_is_orthonormal_and_right_handed(azimuth, elevation):
    rotation = Camera(azimuth, elevation).rotation()
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1.0)


def test_axis_points_land_where_the_eye_expects_them():
    # From the negative second axis: the first axis points right, the third up, and
    # the second away from the eye.
    camera = Camera(azimuth=-90.0, elevation=0.0)
    picture, depth = camera.project(np.eye(3))
    np.testing.assert_allclose(picture[0], [1, 0], atol=1e-12)
    np.testing.assert_allclose(picture[1], [0, 0], atol=1e-12)
    np.testing.assert_allclose(picture[2], [0, 1], atol=1e-12)
    np.testing.assert_allclose(depth, [0, -1, 0], atol=1e-12)


def test_nearer_things_look_larger():
    camera = Camera(azimuth=-90.0, elevation=0.0)
    picture, depth = camera.project(np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]]))
    assert depth[0] > depth[1]
    assert picture[0, 0] > 1.0 > picture[1, 0]


@given(angles, heights, st.floats(-300, 300), st.floats(-9, 9))
def test_orbit_and_back_is_home(azimuth, elevation, around, over):
    there = Camera(azimuth, elevation).orbit(around, over)
    back = there.orbit(-around, -over)
    assert back.azimuth == pytest.approx(azimuth, abs=1e-9)
    assert back.elevation == pytest.approx(elevation, abs=1e-9)


def test_orbit_stops_short_of_the_poles():
    assert Camera().orbit(0, 500).elevation < 90
    assert Camera().orbit(0, -500).elevation > -90


def test_zoom_keeps_the_anchor_in_place():
    points = np.array([[0.3, 0.2, -0.4]])
    camera = Camera()
    anchor = camera.project(points)[0][0]
    zoomed = camera.zoom_by(1.7, tuple(anchor)).project(points)[0][0]
    np.testing.assert_allclose(zoomed, anchor, atol=1e-12)


def test_zoom_has_limits():
    camera = Camera()
    for _ in range(200):
        camera = camera.zoom_by(2.0)
    assert np.isfinite(camera.project(np.eye(3))[0]).all()
    assert camera.zoom <= 20


def test_pan_shifts_the_picture_only():
    points = np.random.default_rng(0).normal(size=(20, 3))
    before, depth = Camera().project(points)
    after, same = Camera().pan_by(0.5, -0.25).project(points)
    np.testing.assert_allclose(after - before, np.tile([0.5, -0.25], (20, 1)))
    np.testing.assert_array_equal(depth, same)


def test_bounds_fill_the_box_and_keep_proportions_when_locked():
    points = np.array([[0.0, 0, 0], [10, 1, 5]])
    free = Bounds.of(points).to_box(points)
    # Lower than wide, whatever the units are.
    expected = np.abs(free)[0, 0] * np.array([[1, 1, 0.75], [1, 1, 0.75]])
    np.testing.assert_allclose(np.abs(free), expected)
    assert np.abs(free).max() <= 1
    locked = Bounds.of(points, locked=True).to_box(points)
    steps = (locked[1] - locked[0]) / [10, 1, 5]
    np.testing.assert_allclose(steps, 2 / 10.8)


def test_nearness_stays_between_zero_and_one():
    corners = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    for azimuth in range(-180, 180, 15):
        projection = Projection(flat=False, camera=Camera(azimuth, 35.26))
        nearness = projection.project(corners.astype(float))[1]
        assert nearness.min() >= 0
        assert nearness.max() <= 1
