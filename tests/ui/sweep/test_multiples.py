"""Small multiples: grid layout, the hovered row in all, keys, partial sweeps."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.sweep.gallery import Gallery
from kpca_viewer.features.sweep.multiples import pixels_of
from kpca_viewer.features.sweep.page_layout import PageLayout
from kpca_viewer.widgets.controls import IconButton, Switch
from kpca_viewer.widgets.plots.text import set_type_scale
from kpca_viewer.widgets.thumbnails import Thumbnails
from tests.ui.sweep.windows import choose_measure, title

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def gallery(qtbot, linking):
    gallery = Gallery(linking)
    qtbot.addWidget(gallery)
    gallery.show()
    qtbot.waitExposed(gallery)
    gallery.said = []
    gallery.adopted.connect(gallery.said.append)
    yield gallery
    gallery.close()


def pixel_of(multiples, place, row):
    """Return where a row of the data is drawn in a picture."""
    point = multiples.shown_points()[place]
    pixels, rows = pixels_of(Thumbnails(), point, multiples.cell_rect(place))
    x, y = pixels[np.flatnonzero(rows == row)[0]]
    return QPointF(float(x), float(y)).toPoint()


def lonely_row(multiples, place):
    """Return the row that is farthest from its nearest neighbour in a picture."""
    point = multiples.shown_points()[place]
    pixels, _ = pixels_of(Thumbnails(), point, multiples.cell_rect(place))
    away = np.linalg.norm(pixels[:, None] - pixels, axis=2) + 1e9 * np.eye(len(pixels))
    return int(away.min(axis=1).argmax())


def test_a_row_is_pointed_at_in_all_pictures(gallery, linking, swept):
    gallery.show_result(swept, "silhouette")
    pictures = gallery.multiples
    row = lonely_row(pictures, 3)
    plain = pictures.grab().toImage()
    # The mouse may be there already, from a test before.
    QTest.mouseMove(pictures, pictures.cell_rect(3).topLeft().toPoint())
    QTest.mouseMove(pictures, pixel_of(pictures, 3, row))
    assert linking.hovered == row
    ringed = pictures.grab().toImage()
    for place in range(len(swept.points)):
        area = pictures.cell_rect(place).toRect()
        assert ringed.copy(area) != plain.copy(area)
    # The other way round: a plot of the board points at a row.
    linking.set_hovered(None)
    assert pictures.grab().toImage() == plain
    linking.set_hovered(row)
    assert pictures.grab().toImage() == ringed
    QTest.mouseMove(pictures, pictures.cell_rect(3).topLeft().toPoint())
    assert linking.hovered is None


def test_rows_of_other_samples_are_not_pointed_at(gallery, linking, swept):
    linking.reset(50)
    gallery.show_result(swept, "silhouette")
    pictures = gallery.multiples
    plain = pictures.grab().toImage()
    QTest.mouseMove(pictures, pixel_of(pictures, 3, lonely_row(pictures, 3)))
    assert linking.hovered is None
    linking.set_hovered(7)
    assert pictures.grab().toImage() == plain


def test_a_grid_stands_as_its_heat_map_does(gallery, grid, qtbot):
    gallery.show_result(grid, "silhouette")
    pictures, heat = gallery.multiples, gallery.heat_map
    qtbot.waitUntil(lambda: heat.width() >= 200)
    columns, rows = grid.sweep.shape
    for a in range(columns * rows):
        for b in range(columns * rows):
            here, there = (pictures.cell_rect(pictures.place_of(i)) for i in (a, b))
            mapped, other = (heat.cell_rect(i) for i in (a, b))
            assert (here.left() < there.left()) == (mapped.left() < other.left())
            assert (here.top() < there.top()) == (mapped.top() < other.top())
    # Sorted, it is a list like any other.
    gallery.findChild(Switch, "gallery_sorted_switch").setChecked(True)
    values = [p.measures["silhouette"] for p in pictures.shown_points()]
    assert values == sorted(values, reverse=True)


def test_every_measure_sorts(gallery, swept):
    gallery.show_result(swept, "silhouette")
    gallery.findChild(Switch, "gallery_sorted_switch").setChecked(True)
    for key, measure in MEASURES.items():
        choose_measure(gallery, key)
        values = [p.measures[key] for p in gallery.multiples.shown_points()]
        assert values == sorted(values, reverse=measure.better != "low")


def test_keys_walk_and_take(gallery, grid):
    gallery.show_result(grid, "silhouette")
    pictures = gallery.multiples
    gallery.set_current(None)
    pictures.setFocus()
    for key, reached in (
        (Qt.Key.Key_Right, 8),  # the first picture: the largest degree
        (Qt.Key.Key_Right, 9),
        (Qt.Key.Key_Down, 5),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_Up, 4),
        (Qt.Key.Key_Home, 8),
        (Qt.Key.Key_End, 3),
    ):
        QTest.keyClick(pictures, key)
        assert gallery.current == reached
    assert gallery.said == []
    QTest.keyClick(pictures, Qt.Key.Key_Return)
    assert gallery.said == [grid.points[3]]


def test_keys_walk_through_the_heat_map(gallery, grid):
    gallery.show_result(grid, "silhouette")
    gallery.set_current(0)
    heat = gallery.heat_map
    heat.setFocus()
    for key, reached in (
        (Qt.Key.Key_Up, 4),
        (Qt.Key.Key_Right, 5),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_Down, 1),
    ):
        QTest.keyClick(heat, key)
        assert gallery.current == reached
    QTest.keyClick(heat, Qt.Key.Key_Enter)
    assert gallery.said == [grid.points[1]]
    assert gallery.findChild(IconButton, "gallery_pin_button").isEnabled()


def test_a_failed_value_keeps_its_place_and_is_walked_over(gallery, grid):
    failed = SweepPoint(1, grid.points[1].values, grid.base, error="Too large.")
    points = tuple(failed if p.index == 1 else p for p in grid.points)
    gallery.show_result(replace(grid, points=points), "silhouette")
    gallery.set_current(0)
    for widget in (gallery.multiples, gallery.heat_map):
        gallery.set_current(0)
        QTest.keyClick(widget, Qt.Key.Key_Right)
        assert gallery.current == 2
    gallery.set_current(1)
    assert not gallery.findChild(IconButton, "gallery_pin_button").isEnabled()
    QTest.keyClick(gallery.multiples, Qt.Key.Key_Return)
    assert gallery.said == []


def test_a_sweep_that_still_runs_leaves_gaps(gallery, grid):
    gallery.show_result(replace(grid, points=grid.points[4:7]), "silhouette")
    assert "3 of 12" in title(gallery)
    assert gallery.multiples.place_of(6) == 6
    assert gallery.multiples.place_of(0) is None
    at = gallery.multiples.cell_rect(0).center().toPoint()
    QTest.mouseClick(gallery.multiples, LEFT, pos=at)
    QTest.mouseMove(gallery.multiples, at)
    assert gallery.current is None
    gallery.show_result(grid)
    assert title(gallery) == "γ Gamma × p Degree: 12 pictures"


@pytest.mark.parametrize("width", [300, 640, 1000])
@pytest.mark.parametrize("grid", [(0, 0), (5, 3)])
def test_every_place_of_a_page_is_found_again(width, grid):
    layout = PageLayout(width, 120, 13, *grid, margin=60 if grid[0] else 0)
    count = 15 if grid[0] else 13
    for place in range(count):
        rect = layout.rect(place)
        assert layout.place_under(rect.center()) == place
        assert layout.place_under(rect.bottomLeft() + QPointF(2, 4)) == place
        assert layout.place_under(rect.topLeft() - QPointF(3, 0)) != place
        assert rect.bottom() <= layout.height
    assert layout.rect(count - 1).right() <= max(width, layout.least_width)
    assert layout.place_under(QPointF(5, layout.height + 50)) is None


def test_captions_have_room_for_the_large_type_of_a_class():
    page = PageLayout(600, 120, 9)
    at_desk = page.caption, page.height
    set_type_scale(1.4)
    try:
        assert page.caption >= 1.35 * at_desk[0]
        assert page.height > at_desk[1]
    finally:
        set_type_scale(1.0)
