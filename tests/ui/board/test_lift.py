"""The data plot raised into feature space, with its controls, by mouse and keys."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from kpca_viewer.engine.lifts import LIFTS
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    as_values,
)
from kpca_viewer.widgets.theme import DARK
from tests.ui.board.lifting import IRIS, SMALL, drag_marker


def test_a_press_raises_the_plane_and_another_lays_it_down(window):
    assert window.plot.is_flat
    assert not window.bar.isVisible()
    window.press("lift")
    assert window.view.lift == "paraboloid"
    assert not window.plot.is_flat
    assert window.bar.isVisible()
    assert window.board.data.dimensions.value() == "lift"
    x, y = window.board.scene.result.dataset.points.T
    lifted = np.column_stack((x, y, x**2 + y**2))
    lifted -= lifted.mean(axis=0)
    placed = window.plot.area.projection.bounds.to_box(lifted)
    np.testing.assert_allclose(window.plot.area.placed, placed, atol=1e-12)
    window.press("2d")
    assert window.view.lift == ""
    assert window.plot.is_flat
    assert not window.bar.isVisible()
    assert window.board.data.caption().startswith("Isolines")


def test_data_that_are_no_plane_say_why(window):
    window.show(IRIS)
    button = window.board.data.dimensions.button("lift")
    assert not button.isEnabled()
    assert "these data have 4 features" in button.toolTip()
    assert window.board.data.dimensions.button("3d").isEnabled()
    # A lift that was on for other data leaves these as they are.
    window.with_view(IRIS, lift="square")
    assert window.board.data.dimensions.value() == "2d"
    assert not window.bar.isVisible()
    window.show(SMALL)
    assert button.isEnabled()
    assert not window.board.data.dimensions.button("3d").isEnabled()


def test_the_slider_raises_the_plane_in_one_gesture(window):
    window.with_view(lift="paraboloid")
    window.steps.clear()
    high = np.ptp(window.plot.area.placed[:, 2])
    bounds = window.plot.area.projection.bounds
    slider = window.bar.height_row.slider
    middle = slider.rect().center()
    there = QPoint(round(slider.x_of(slider.maximum())), middle.y())
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=there)
    for x in (there.x() - 10, there.x() - 20, middle.x()):
        QTest.mouseMove(slider, QPoint(x, middle.y()))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=middle)
    assert 0.4 < window.view.raised < 0.6
    assert set(window.steps[:-1]) == {"height of the lift"}
    assert window.steps[-1] is None
    # The box stays: what moves is the surface.
    assert window.plot.area.projection.bounds == bounds
    assert np.ptp(window.plot.area.placed[:, 2]) == pytest.approx(
        window.view.raised * high
    )
    assert "of the way from the plane" in window.board.data.caption()


def test_keys_raise_and_lower_it(window):
    window.with_view(lift="square")
    slider = window.bar.height_row.slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert window.view.raised == pytest.approx(0.98)
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert window.view.raised == 0
    assert not window.plot.area.placed[:, 2].std() > 1e-12


def test_a_map_is_chosen(window):
    window.with_view(lift="paraboloid")
    combo = window.bar.map
    assert [combo.itemText(i) for i in range(combo.count())] == [
        "(x₁, x₂, x₁² + x₂²)",
        "(x₁², √2x₁x₂, x₂²)",
        "(1, √2x₁, √2x₂, x₁², √2x₁x₂, x₂²)",
        "Directions of PC 1–3",
    ]
    combo.setCurrentIndex(2)
    assert window.view.lift == "offset_square"
    # Three of six coordinates are drawn, by default the first that differ.
    x = window.board.scene.result.dataset.points[:, 0]
    placed = window.plot.area.placed[:, 2]
    assert np.corrcoef(placed, x**2)[0, 1] == pytest.approx(1)


def test_another_kernel_is_named_and_can_be_replaced_by_the_map_s(window):
    window.show(replace(SMALL, kernel=KernelSettings("rbf")))
    window.press("lift")
    assert "RBF kernel has another map" in window.board.data.caption()
    button = window.bar.use_kernel
    assert button.isVisible()
    window.steps.clear()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.board.scene.settings.kernel == KernelSettings("paraboloid")
    assert window.steps == [None]
    assert not button.isVisible()
    assert "of the paraboloid kernel," in window.board.data.caption()


@pytest.mark.parametrize("key", [key for key in LIFTS if LIFTS[key].family])
def test_every_map_has_its_kernel_one_click_away(window, key):
    window.show(replace(SMALL, kernel=KernelSettings("rbf")))
    window.with_view(window.board.scene.settings, lift=key)
    QTest.mouseClick(window.bar.use_kernel, Qt.MouseButton.LeftButton)
    result = window.board.scene.result
    assert LIFTS[key].is_of(result.kernel)
    assert result.kernel.feature_map(2).plain("xy") == LIFTS[key].features.plain("xy")


def test_directions_of_any_kernel_need_no_other(window):
    window.with_view(replace(SMALL, kernel=KernelSettings("rbf")), lift="components")
    assert not window.bar.use_kernel.isVisible()
    assert "Three of infinitely many directions" in window.board.data.caption()
    result = window.board.scene.result
    placed = window.plot.area.projection.bounds.to_box(result.scores[:, :3])
    np.testing.assert_allclose(window.plot.area.placed, placed, atol=1e-9)


def test_centring_slides_the_cloud_to_its_mean(window):
    window.with_view(lift="paraboloid", motion=True)
    window.plot.glide.finish()
    bounds = window.plot.area.projection.bounds
    before = window.plot.area.placed.copy()
    off = window.board.scene.settings.with_center(False)
    window.show(off)
    assert window.plot.glide.running
    window.plot.glide.finish()
    after = window.plot.area.placed
    assert window.plot.area.projection.bounds == bounds
    shift = after - before
    np.testing.assert_allclose(shift, shift[[0]].repeat(len(shift), axis=0), atol=1e-12)
    assert np.abs(shift[0]).max() > 0.1
    window.show(replace(off, analysis=AnalysisSettings()))
    assert window.plot.glide.running
    # Without motion it is there at once.
    window.plot.glide.finish()
    window.with_view(off, lift="paraboloid", motion=False)
    assert not window.plot.glide.running


def test_the_plane_rises_when_it_is_lifted(window):
    window.with_view(motion=True)
    window.press("lift")
    assert window.plot.glide.running
    assert np.ptp(window.plot.area.placed[:, 2]) < 0.01
    window.plot.glide.finish()
    assert np.ptp(window.plot.area.placed[:, 2]) > 0.1


def test_a_drag_turns_it(window):
    window.with_view(lift="paraboloid")
    canvas = window.plot.canvas.viewport()
    before = window.plot.camera
    start = QPoint(20, canvas.height() - 20)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in (10, 30, 60):
        QTest.mouseMove(canvas, start + QPoint(step, 0))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(60, 0))
    assert window.plot.camera.azimuth != before.azimuth


def test_new_points_lie_on_the_surface_and_are_dragged_along_it(window):
    board = window.board
    board.show_scene(board.scene.changed(notes=Notes(new_points=((0.5, 0.25),))))
    window.with_view(lift="paraboloid")
    (marker,) = window.plot.area.markers
    mean = (board.scene.result.dataset.points**2).sum(axis=1).mean()
    assert marker.position[2] == pytest.approx(0.5**2 + 0.25**2 - mean)
    drag_marker(window, 0, QPoint(25, -15))
    (place,) = board.scene.notes.new_points
    assert place != (0.5, 0.25)
    (marker,) = window.plot.area.markers
    x, y = np.array(place)
    assert marker.position[2] == pytest.approx(x**2 + y**2 - mean)


def test_a_marker_stays_under_the_pointer(window):
    window.board.compare.show_page("both_sides")
    window.with_view(lift="paraboloid", pair=((0.5, -0.6), (-0.4, 0.2)))
    at = drag_marker(window, 0, QPoint(12, -8))
    area = window.plot.area
    found = area.frame.to_pixels(area.marker_places())[0]
    assert np.hypot(*(found - (at.x(), at.y()))) < 2


@pytest.mark.parametrize("key", LIFTS)
def test_it_is_painted_in_both_themes_and_as_a_file(window, key):
    window.with_view(lift=key)
    pictures = []
    for theme in (window.board.theme, DARK):
        window.board.set_theme(theme)
        image = QImage(500, 400, QImage.Format.Format_ARGB32_Premultiplied)
        painter = QPainter(image)
        window.plot.render_to(painter, QRectF(0, 0, 500, 400))
        painter.end()
        pictures.append(image)
    assert pictures[0] != pictures[1]
    window.with_view(lift="")
    assert window.plot.area.all_placed is window.plot.area.placed


def test_other_rows_are_lifted_too(window):
    window.with_view(lift="square")
    moons = replace(
        SMALL, data=DataSettings("moons", as_values({"samples": 50})), view=window.view
    )
    window.show(moons)
    assert len(window.plot.area.placed) == 50
    assert not window.plot.is_flat


def test_the_lift_keeps_the_kernel_that_was_set_meanwhile(window):
    window.with_view(isolines=False)
    settings = window.board.scene.settings
    window.show(replace(settings, kernel=KernelSettings("linear")))
    window.press("lift")
    assert not window.plot.is_flat
    assert window.board.scene.settings.kernel.family == "linear"
