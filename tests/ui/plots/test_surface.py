"""A curved plane in a 3-D view: drawn, turned, and found again under the pointer."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.plots.frame import Bounds, Frame, Projection
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.plots.space3d import Space, SpaceDrawing, Surface

REACH = np.array([[-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]])
FRAME = Frame(0, 0, 500, 400, (-1.6, 1.6), (-1.3, 1.3))


def bowl(X):
    return np.column_stack((X, (X**2).sum(axis=1)))


SURFACE = Surface(bowl, np.array([-1.0, -1.0]), np.array([1.0, 1.0]))


def drawing(shift=0.0, heads=2):
    line = np.linspace(-1, 1, 5)
    flat = np.stack(np.meshgrid(line, line), axis=-1)
    mesh = bowl(flat.reshape(-1, 2)).reshape(5, 5, 3) + shift
    mesh[0, 0] = np.nan
    patch = np.array([[0.0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]) + shift
    ends = np.array([[0.5, 0, 1], [0, 0.5, 1], [0, 0, 1.5]])[:heads] + shift
    foot = np.array([0.0, 0, 1]) + shift
    marks = [("mean", foot), ("0", np.zeros(3))]
    return SpaceDrawing.of(mesh, patch, foot, ("PC", ends), marks)


@pytest.fixture
def view(qtbot):
    view = ScatterView()
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.set_aspect_locked(True)
    return view


def show(view, space, shift=0.0, animate=False):
    view.space = space
    points = bowl(np.random.default_rng(0).uniform(-1, 1, size=(30, 2))) + shift
    view.set_points(points, "xyz", animate=animate)


def picture(view):
    image = QImage(500, 400, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, 500, 400))
    painter.end()
    return image


@pytest.mark.parametrize("azimuth", [-58.0, 10.0, 120.0])
@pytest.mark.parametrize("elevation", [-20.0, 22.0, 60.0])
def test_a_place_is_found_where_it_is_drawn(azimuth, elevation):
    bounds = Bounds.of(REACH, locked=True)
    projection = Projection(False, bounds, Camera(azimuth, elevation))

    def pixel(place):
        placed = projection.place(bowl(np.array([place])))
        return FRAME.to_pixels(projection.project(placed)[0])[0]

    for place in [(0.3, -0.4), (-0.77, 0.12), (0.0, 0.0), (0.9, 0.9)]:
        target = pixel(place)
        found = SURFACE.under(target, projection, FRAME)
        # It may be another place that covers this one, but at the same pixel.
        assert np.hypot(*(pixel(found) - target)) < 0.5
        assert np.abs(found).max() <= 1


def test_beside_the_surface_the_nearest_place_is_taken():
    projection = Projection(False, Bounds.of(REACH, locked=True), Camera())
    x, y = SURFACE.under(np.array([-900.0, 200.0]), projection, FRAME)
    assert np.isfinite([x, y]).all()
    assert max(abs(x), abs(y)) == pytest.approx(1)


def test_markers_of_the_plane_are_raised_and_others_left():
    assert SURFACE.raised(Marker((0.5, 0.5), "a")).position == (0.5, 0.5, 0.5)
    there = Marker((1.0, 2.0, 3.0))
    assert SURFACE.raised(there) is there


def test_places_are_cut_into_their_kinds():
    made = drawing()
    mesh, patch, foot, heads, marks = made.parts(made.vertices)
    shapes = [len(part) for part in (mesh, patch, foot, heads, marks)]
    assert shapes == [25, 4, 1, 2, 2]
    assert made.arrows == ("PC 1", "PC 2")
    np.testing.assert_array_equal(foot[0], [0, 0, 1])


def test_it_is_drawn_among_the_points_and_goes_with_them(view):
    show(view, None)
    alone = picture(view)
    show(view, Space(drawing(), REACH, SURFACE))
    with_surface = picture(view)
    assert with_surface != alone
    view.set_camera(view.camera.orbit(20, 0))
    assert picture(view) != with_surface
    # A flat view has no depth to draw it in.
    view.set_points(np.zeros((3, 2)), "xy")
    assert view.surface is None
    flat = picture(view)
    view.space = None
    view.set_points(np.zeros((3, 2)), "xy")
    assert picture(view) == flat


def test_the_box_is_as_large_as_it_is_said(view):
    show(view, Space(drawing(), 3 * REACH, SURFACE))
    wide = view.area.projection.bounds
    show(view, Space(drawing(), REACH, SURFACE))
    assert wide.ranges[0][1] == pytest.approx(
        3 * view.area.projection.bounds.ranges[0][1]
    )


def test_it_glides_with_the_points(view):
    show(view, Space(drawing(), REACH, SURFACE))
    before = view.area.all_placed.copy()
    show(view, Space(drawing(0.2), REACH, SURFACE), 0.2, animate=True)
    assert view.glide.running
    np.testing.assert_allclose(view.area.all_placed, before)
    view.glide.finish()
    moved = view.area.all_placed - before
    assert np.nanmin(np.abs(moved[:-1])) > 0.1
    # Another number of arrows has no way to glide.
    show(view, Space(drawing(0.2, heads=3), REACH, SURFACE), 0.0, animate=True)
    assert not view.glide.running


def test_an_arrow_of_no_length_is_left_out(view):
    made = drawing()
    vertices = made.vertices.copy()
    vertices[30:32] = vertices[29]
    nothing = SpaceDrawing(vertices, made.lines, made.corners, made.arrows, made.marks)
    show(view, Space(nothing, REACH, SURFACE))
    assert not picture(view).isNull()
