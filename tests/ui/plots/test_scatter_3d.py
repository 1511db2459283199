import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.plots import box3d
from kpca_viewer.widgets.plots.box3d import far_faces
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.text import draw_text
from tests.ui.plots.helpers import RIGHT, drag, pixel_of, rgb, shown_view
from tests.ui.plots.test_export import svg_of

CORNERS = np.array(np.meshgrid([0.0, 1.0], [0.0, 2.0], [0.0, 3.0])).reshape(3, -1).T

WHITE = 0xFFFFFFFF


@pytest.fixture
def view(qtbot):
    return shown_view(qtbot, CORNERS)


def test_drag_orbits_and_selects_nothing(view, qtbot):
    before = view.camera
    with qtbot.assertNotEmitted(view.selected):
        drag(view, [(200, 200), (230, 200), (260, 220)])
    assert view.camera.azimuth != before.azimuth
    assert view.camera.elevation > before.elevation
    drag(view, [(260, 220), (230, 200), (200, 200)])
    assert view.camera.azimuth == pytest.approx(before.azimuth)
    assert view.camera.elevation == pytest.approx(before.elevation)


def test_points_follow_the_hand(view):
    front = int(np.argmax(view.area.projection.project(view.area.placed)[1]))
    before = view.pixels()[front]
    drag(view, [(200, 200), (215, 200), (230, 200)])
    assert view.pixels()[front, 0] > before[0] + 5


def test_control_drag_is_a_lasso_in_the_picture(view):
    heard = []
    view.selected.connect(lambda mask, mode: heard.append((mask.tolist(), mode)))
    row = int(np.argmin(view.pixels()[:, 0]))
    camera, at = view.camera, pixel_of(view, row)
    path = [
        at + QPoint(20 * x, 20 * y) for x, y in [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    ]
    keys = Qt.KeyboardModifier
    drag(view, path, keys=keys.ControlModifier | keys.ShiftModifier)
    assert heard == [([index == row for index in range(8)], "add")]
    assert view.camera == camera


def test_a_zoomed_camera_can_be_written_to_a_session(view):
    view.zoom(2.0, QPoint(90, 70).toPointF())
    view.pan(QPoint(3, 4).toPointF())
    camera = view.camera
    assert camera.pan != (0, 0)
    assert {type(number) for number in (camera.zoom, *camera.pan)} == {float}


def test_right_drag_pans_and_wheel_zooms(view):
    before = view.pixels()
    drag(view, [(200, 200), (220, 190), (240, 180)], button=RIGHT)
    np.testing.assert_allclose(
        view.pixels() - before, np.tile([40, -20], (8, 1)), atol=1
    )
    spread = np.ptp(view.pixels(), axis=0)
    view.zoom(2.0, view.rect().center().toPointF())
    np.testing.assert_allclose(np.ptp(view.pixels(), axis=0), 2 * spread, rtol=1e-6)
    view.reset_view()
    np.testing.assert_allclose(view.pixels(), before, atol=1e-6)


def test_hover_picks_the_nearer_of_two_points_in_line(qtbot):
    view = shown_view(qtbot, [[0.0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]])
    view.set_camera(Camera(azimuth=-90.0, elevation=0.0, distance=1e6))
    near, far = view.pixels()[:2]
    np.testing.assert_allclose(near, far, atol=1e-2)
    rows = []
    view.hovered.connect(rows.append)
    QTest.mouseMove(view.canvas.viewport(), pixel_of(view, 0))
    assert rows == [0]


def test_click_drops_nothing(view, qtbot):
    view.findChild(QTimer, "click_timer").setInterval(0)
    with qtbot.assertNotEmitted(view.background_clicked, wait=20):
        QTest.mouseClick(
            view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, 10)
        )


def test_only_far_walls_are_shown():
    far = far_faces(Camera(azimuth=-60, elevation=20), np.ones(3))
    # The eye is at +x, −y, +z: the walls at low x, high y and low z are behind.
    np.testing.assert_array_equal(far, [[True, False], [False, True], [True, False]])
    for azimuth in range(-180, 180, 30):
        assert (far_faces(Camera(azimuth, 10), np.ones(3)).sum(axis=1) >= 1).all()


def test_turning_runs_only_while_visible(view, qtbot):
    before = view.camera
    view.set_auto_turn(True)
    qtbot.waitUntil(lambda: view.camera.azimuth != before.azimuth)
    assert view.camera.elevation == before.elevation
    view.hide()
    assert not view.turning
    view.show()
    assert view.turning
    view.set_auto_turn(False)
    assert not view.turning


def test_box_and_cloud_are_painted_inside_the_view(view):
    view.set_colors(np.zeros(8, dtype=int))
    for azimuth, elevation in [(-58, 22), (45, -30), (0, 0), (170, 60), (90, 89)]:
        view.set_camera(Camera(azimuth, elevation))
        pixels = view.pixels()
        assert (pixels > 0).all()
        assert (pixels < (view.width(), view.height())).all()
        front = int(np.argmax(view.area.projection.project(view.area.placed)[1]))
        red, _, blue = rgb(view.grab().toImage(), pixel_of(view, front))
        assert blue > red + 60


def test_flat_and_deep_views_follow_the_columns(view):
    assert not view.is_flat
    view.set_markers([Marker((0.5, 1.0, 1.5), "inside"), Marker((0.0, 0.0), "flat")])
    view.set_points(CORNERS[:, :2], ["x", "y"])
    assert view.is_flat
    (x0, x1), _ = view.view_range()
    assert x0 < 0 < 1 < x1 < 1.2
    view.set_points(CORNERS, ["x", "y", "z"], animate=True)
    assert not view.is_flat
    np.testing.assert_allclose(np.abs(view.area.placed).max(), 1 / 1.08, rtol=1e-6)


def test_equal_units_make_a_box_of_unequal_sides(view):
    view.set_aspect_locked(True)
    extents = np.ptp(view.area.placed, axis=0)
    np.testing.assert_allclose(extents / extents[0], [1, 2, 3], rtol=1e-6)


def test_a_small_figure_names_all_three_axes(qtbot):
    view = shown_view(qtbot, np.random.default_rng(0).normal(size=(30, 3)))
    view.resize(200, 160)
    view.set_points(view.area.placed, ["first", "second", "third"])
    svg = svg_of(view)
    for name in ("first", "second", "third"):
        assert f">{name}<" in svg


@pytest.mark.journey
@pytest.mark.parametrize("size", [(200, 160), (280, 240), (555, 190)])
def test_names_of_axes_are_over_no_number_and_no_point(qtbot, monkeypatch, size):
    points = np.random.default_rng(0).uniform(-1, 1, size=(40, 3)) * (1, 0.7, 0.3)
    names = ["PC 1 (19.6 %)", "PC 2 (12.2 %)", "PC 3 (11.2 %)"]
    view = shown_view(qtbot, points, names, size)
    boxes = []

    def drawn(painter, at, text, *args, **kwargs):
        boxes.append((text, draw_text(painter, at, text, *args, **kwargs)))
        return boxes[-1][1]

    monkeypatch.setattr(box3d, "draw_text", drawn)
    named = 0
    for elevation in (-60, 0, 22, 75):
        for azimuth in range(-180, 180, 30):
            view.set_camera(Camera(azimuth + 1.5, elevation))
            for paint in (view.grab, lambda: svg_of(view)):
                boxes.clear()
                paint()
                for text, box in boxes:
                    others = [other for _, other in boxes if other is not box]
                    if text.startswith("PC"):
                        named += 1
                        assert not any(box.intersects(other) for other in others)
    # An axis that is seen end-on has none.
    assert named > 0.6 * 3 * 2 * 48


def around(view, margin: int = 80) -> np.ndarray:
    """Return the picture with some room around the view, where nothing belongs."""
    width, height = view.width() + 2 * margin, view.height() + 2 * margin
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    source = QRectF(-margin, -margin, width, height)
    view.canvas.scene().render(painter, QRectF(image.rect()), source)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(height, width)
    drawn = pixels != WHITE
    drawn[margin:-margin, margin:-margin] = False
    return drawn


@pytest.mark.journey
@pytest.mark.parametrize(
    ("size", "locked"),
    [
        ((555, 190), False),
        ((470, 300), True),
        ((300, 400), False),
        ((240, 180), True),
    ],
)
def test_no_label_is_cut_from_any_side(qtbot, size, locked):
    points = np.random.default_rng(0).uniform(-1, 1, size=(40, 3)) * (1, 0.7, 0.3)
    names = ["PC 1 (9.6 %)", "PC 2 (9.2 %)", "PC 3 (7.2 %)"]
    view = shown_view(qtbot, points, names, size)
    view.set_aspect_locked(locked)
    for elevation in (-80, 0, 22, 89):
        for azimuth in range(-180, 180, 60):
            view.set_camera(Camera(azimuth + 1.5, elevation))
            assert not around(view).any(), (azimuth, elevation)


def test_a_box_fills_its_panel(qtbot):
    # A ring that lies flat, as a torus does, in a panel above an open sweep.
    angles = np.linspace(0, 2 * np.pi, 40)
    ring = np.column_stack([np.cos(angles), np.sin(angles), 0.3 * np.sin(9 * angles)])
    view = shown_view(qtbot, ring, ["x1", "x2", "x3"], (470, 260))
    view.set_aspect_locked(True)
    assert np.ptp(view.pixels()[:, 0]) > 0.44 * view.width()
    cube = shown_view(qtbot, CORNERS, ["PC 1", "PC 2", "PC 3"], (555, 190))
    assert np.ptp(cube.pixels()[:, 0]) > 0.28 * cube.width()
    assert np.ptp(cube.pixels()[:, 1]) > 0.7 * cube.height()
    # Turning it does not make it breathe.
    ranges = cube.view_range()
    cube.set_camera(cube.camera.orbit(40, 0))
    assert cube.view_range() == ranges
