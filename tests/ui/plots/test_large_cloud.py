"""Clouds so large that their pictures are prepared beside the window."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest

from kpca_viewer.widgets.plots.cloud_layer import AT_ONCE
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.theme import LIGHT

MANY = AT_ONCE + 10_000


@pytest.fixture
def points():
    return np.random.default_rng(0).uniform(size=(MANY, 2))


@pytest.fixture
def view(qtbot):
    view = ScatterView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    with qtbot.waitExposed(view):
        view.show()
    return view


def ink(view) -> float:
    """Return the share of the plot's middle that is not background."""
    frame = view.area.frame
    image = view.canvas.grab().toImage()
    card = QColor(LIGHT.card)
    spots = [
        image.pixelColor(
            round(frame.left + x * frame.width), round(frame.top + y * frame.height)
        )
        != card
        for x in np.linspace(0.2, 0.8, 40)
        for y in np.linspace(0.2, 0.8, 40)
    ]
    return float(np.mean(spots))


def shown(qtbot, view, act) -> None:
    """Do something and wait for the picture of it."""
    with qtbot.waitSignal(view.area.cloud.layer_changed):
        act()
        view.canvas.viewport().repaint()
    cloud = view.area.cloud
    qtbot.waitUntil(lambda: cloud.picker() is not None)


def test_the_window_does_not_wait_for_the_picture(qtbot, view, points):
    view.set_points(points, ["x", "y"])
    view.canvas.viewport().repaint()
    assert view.caption() == ""
    assert ink(view) < 0.2, "a large picture was painted by the window itself"
    qtbot.waitUntil(lambda: view.caption() != "")
    assert view.caption() == f"density of {MANY:,} points"
    assert ink(view) > 0.9


def test_few_points_are_there_at_once(view, points):
    view.set_points(points[: AT_ONCE // 10], ["x", "y"])
    assert ink(view) > 0.15


def test_zooming_shows_the_old_picture_until_single_points_are_there(
    qtbot, view, points
):
    shown(qtbot, view, lambda: view.set_points(points, ["x", "y"]))
    assert ink(view) > 0.9
    middle = QPointF(view.area.frame.to_pixels(np.array([[0.5, 0.5]]))[0][0], 150)
    view.zoom(20.0, middle)
    # Nothing new has been computed: what is there is stretched.
    assert ink(view) > 0.9
    qtbot.waitUntil(lambda: view.caption() == "")
    assert view.area.cloud.density_count == 0
    qtbot.waitUntil(lambda: view.area.cloud.picker() is not None)
    # A single point answers to the mouse.
    pixels = view.pixels()
    inside = np.flatnonzero(np.hypot(*(pixels - (200, 140)).T) < 60)
    row = int(inside[0])
    # The mouse may be there already, and a mouse that rests tells nothing.
    QTest.mouseMove(view.canvas.viewport(), QPoint(1, 1))
    with qtbot.waitSignal(view.hovered):
        QTest.mouseMove(view.canvas.viewport(), QPointF(*pixels[row]).toPoint())
    found = view.area.row_at(QPointF(*pixels[row]))
    assert np.hypot(*(pixels[found] - pixels[row])) < 3


def test_the_old_picture_covers_no_axes(qtbot, view, points):
    shown(qtbot, view, lambda: view.set_points(points, ["x", "y"]))
    view.zoom(3.0, QPointF(200, 150))
    # Before the new picture is there, the stretched one is larger than the frame.
    image, frame = view.canvas.grab().toImage(), view.area.frame
    below = round(frame.top + frame.height) + 1
    spots = range(round(frame.left), round(frame.left + frame.width))
    inside = [image.pixelColor(x, below - 4) for x in spots]
    assert inside.count(QColor(LIGHT.card)) < len(inside) / 2
    beside = [image.pixelColor(x, below) for x in spots]
    assert beside.count(QColor(LIGHT.card)) > len(beside) / 2


def test_the_latest_of_many_requests_wins(qtbot, view, points):
    shown(qtbot, view, lambda: view.set_points(points, ["x", "y"]))
    for factor in (2.0, 2.0, 0.5, 0.5, 3.0):
        view.zoom(factor, QPointF(200, 150))
        view.canvas.viewport().repaint()
    qtbot.waitUntil(lambda: view.area.cloud.picker() is not None)
    # The picker belongs to the present range: the middle third of each axis.
    (x0, x1), _ = view.view_range()
    row = view.area.row_at(QPointF(200, 140))
    assert x1 - x0 < 0.5
    assert x0 < points[row, 0] < x1


def test_another_number_of_points_never_shows_the_old_ones(qtbot, view, points):
    shown(qtbot, view, lambda: view.set_points(points, ["x", "y"]))
    view.set_points(points[:-1] * 0 + 0.5, ["x", "y"])
    assert ink(view) < 0.2
    view.set_points(points[:50], ["x", "y"])
    # The answer about the larger cloud comes late, and to nobody.
    qtbot.waitUntil(lambda: not view.area.cloud.busy)
    assert view.caption() == ""
    assert view.area.cloud.picker() is None


def test_a_picture_for_a_file_is_painted_at_once(qtbot, view, points):
    view.set_points(points, ["x", "y"])
    image = QImage(400, 300, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, 400, 300))
    painter.end()
    assert image.pixelColor(200, 120) != QColor(LIGHT.card)
    assert view.caption().startswith("density of")
