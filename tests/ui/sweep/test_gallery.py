"""Gallery and comparison: linked lassos, sorting, heat map, pins."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.features.sweep.compare import CompareView
from kpca_viewer.features.sweep.compare_text import apart_text, describe_kernel
from kpca_viewer.features.sweep.compute import difference, overlay
from kpca_viewer.features.sweep.gallery import Gallery, PageArea
from kpca_viewer.features.sweep.heat_map import CURRENT, INK
from kpca_viewer.features.sweep.pins import Pin
from kpca_viewer.widgets.controls import IconButton, Segmented, Switch
from kpca_viewer.widgets.plots.coloring import coloring
from kpca_viewer.widgets.theme import DARK, LIGHT
from kpca_viewer.widgets.thumbnails import Shades
from tests.ui.sweep.windows import choose_measure, choose_size, title, views, words

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def gallery(qtbot, linking, swept, analysis, settings):
    gallery = Gallery(linking)
    qtbot.addWidget(gallery)
    gallery.set_shades(Shades.of(coloring(analysis, settings.view)))
    gallery.show_result(swept, "silhouette")
    gallery.show()
    qtbot.waitExposed(gallery)
    yield gallery
    gallery.close()


def drag_around(multiples, place, modifier=Qt.KeyboardModifier.NoModifier):
    """Draw a lasso along the edge of the left half of a picture."""
    rect = multiples.cell_rect(place)
    corners = [
        rect.topLeft() + QPointF(1, 1),
        QPointF(rect.center().x(), rect.top() + 1),
        QPointF(rect.center().x(), rect.bottom() - 1),
        rect.bottomLeft() + QPointF(1, -1),
    ]
    QTest.mousePress(multiples, LEFT, modifier, corners[0].toPoint())
    for corner in corners[1:]:
        QTest.mouseMove(multiples, corner.toPoint())
    QTest.mouseRelease(multiples, LEFT, modifier, corners[-1].toPoint())


def test_a_lasso_in_one_is_seen_in_all(gallery, linking, swept):
    before = gallery.multiples.grab().toImage()
    drag_around(gallery.multiples, 0)
    film = swept.points[0].film[:, 0]
    middle = (film.min() + film.max()) / 2
    np.testing.assert_array_equal(linking.selection, film < middle)
    assert gallery.multiples.grab().toImage() != before
    drag_around(gallery.multiples, 0, Qt.KeyboardModifier.AltModifier)
    assert linking.selection is None


def test_best_first(gallery, swept):
    assert gallery.multiples.shown_points() == list(swept.points)
    gallery.findChild(Switch, "gallery_sorted_switch").setChecked(True)
    values = [p.measures["silhouette"] for p in gallery.multiples.shown_points()]
    assert values == sorted(values, reverse=True)
    choose_measure(gallery, "certificate")
    values = [p.measures["certificate"] for p in gallery.multiples.shown_points()]
    assert values == sorted(values)


def test_clicks_mark_and_take(gallery, swept):
    taken, pinned = [], []
    gallery.adopted.connect(taken.append)
    gallery.pin_requested.connect(pinned.append)
    assert not gallery.findChild(IconButton, "gallery_pin_button").isEnabled()
    at = gallery.multiples.cell_rect(2).center().toPoint()
    QTest.mouseClick(gallery.multiples, LEFT, pos=at)
    gallery.findChild(IconButton, "gallery_pin_button").click()
    assert pinned == [swept.points[2]]
    QTest.mouseDClick(gallery.multiples, LEFT, pos=at)
    assert taken == [swept.points[2]]


def test_sizes_and_themes(gallery, qtbot):
    small = gallery.multiples.heightForWidth(600)
    choose_size(gallery, "large")
    assert gallery.multiples.heightForWidth(600) > small
    gallery.set_theme(DARK)
    gallery.set_current(3)
    assert not gallery.grab().isNull()
    assert not gallery.heat_map.isVisible()


def test_a_grid_has_a_heat_map(gallery, grid, qtbot):
    gallery.show_result(grid, "linear_accuracy")
    heat = gallery.heat_map
    assert heat.isVisible()
    qtbot.waitUntil(lambda: heat.width() >= 200)
    taken = []
    gallery.adopted.connect(taken.append)
    at = heat.cell_rect(5).center().toPoint()
    QTest.mouseMove(heat, at)
    assert heat.label_lines()[0] == "γ = 0.464, p = 2"
    QTest.mouseClick(heat, LEFT, pos=at)
    assert taken == [grid.points[5]]
    assert heat.cell_rect(0).top() > heat.cell_rect(4).top()
    rects = [gallery.multiples.cell_rect(place) for place in (0, 4)]
    assert rects[0].left() == rects[1].left()


def test_values_of_the_map_are_at_regular_steps(gallery, grid, qtbot):
    gallery.show_result(grid, "share_2")
    heat = gallery.heat_map
    heat.resize(heat.minimumSizeHint())
    across, up = heat.steps()
    assert across * heat.cell_rect(0).width() > 30
    assert up * heat.cell_rect(0).height() > 10
    heat.resize(900, 400)
    assert heat.steps() == (1, 1)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_best_and_the_current_cell_stand_out_on_every_colour(gallery, grid, theme):
    gallery.set_theme(theme)
    gallery.show_result(grid, "share_2")
    heat = gallery.heat_map
    heat.resize(400, 400)
    for point in grid.points:
        gallery.set_current(point.index)
        rect, image = heat.cell_rect(point.index), heat.grab().toImage()
        inside = image.pixelColor(rect.center().toPoint())
        y = round(rect.center().y())
        along = [image.pixelColor(x, y) for x in range(*around(rect.left()))]
        # A light line beside a dark one: one of them is seen on any colour.
        assert max(c.lightness() for c in along) > 200
        assert min(c.lightness() for c in along) < 40
        assert inside not in (QColor(CURRENT), QColor(INK))


def around(edge):
    return round(edge) - 5, round(edge) + 5


def test_kernels_without_the_parameter_are_not_applicable(gallery, settings):
    kernels = SweepAxis("kernel", kernels=("linear", "rbf"))
    sweep = SweepSettings("gamma", 0.1, 10, 3, second=kernels)
    result = run_sweep(AnalysisRequest(settings), sweep, StageCache())
    gallery.show_result(result, "share_2")
    title = next(x for x in gallery.findChildren(QLabel) if "pictures" in x.text())
    assert title.text() == "γ Gamma × Kernel: 3 pictures, 3 not applicable"
    heat = gallery.heat_map
    at = heat.cell_rect(0).center().toPoint()
    QTest.mouseMove(heat, at)
    assert heat.label_lines() == ["γ = 0.1, Linear", "Linear has no γ."]
    taken = []
    gallery.adopted.connect(taken.append)
    QTest.mouseClick(heat, LEFT, pos=at)
    assert taken == []


def test_the_values_of_rows_stay_in_sight(gallery, grid, qtbot):
    gallery.show_result(grid, "share_2")
    # Whatever its controls need, the largest pictures need more.
    choose_size(gallery, "large")
    gallery.resize(420, 400)
    area = gallery.findChild(PageArea)
    bar = area.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    view, margin = area.viewport(), gallery.multiples.margin

    def names():
        return view.grab(QRect(0, 0, margin, view.height())).toImage()

    bar.setValue(0)
    before = names()
    bar.setValue(bar.maximum())
    assert names() == before


def test_failed_values_have_a_place_but_no_picture(gallery, swept):
    failed = SweepPoint(0, (0.1,), swept.base, error="Too large.")
    broken = type(swept)(swept.sweep, swept.base, (failed, *swept.points[1:]))
    gallery.show_result(broken)
    marked = []
    gallery.multiples.marked.connect(marked.append)
    at = gallery.multiples.cell_rect(0).center().toPoint()
    QTest.mouseClick(gallery.multiples, LEFT, pos=at)
    drag_around(gallery.multiples, 0)
    assert marked == []
    assert not gallery.grab().isNull()


@pytest.fixture
def compare(qtbot, linking, analysis, settings):
    view = CompareView(linking)
    qtbot.addWidget(view)
    view.set_shades(Shades.of(coloring(analysis, settings.view)))
    view.show()
    qtbot.waitExposed(view)
    yield view
    view.close()


def test_two_pins_have_a_difference(compare, analysis, swept):
    assert compare.difference() is None
    empty = [view.area.overlay.empty_text for view in views(compare)]
    assert empty == ["Pin a first value"] * 2
    pins = [Pin.of_result(analysis)]
    compare.set_pins(pins)
    assert views(compare)[1].area.overlay.empty_text == "Pin a second value"
    assert compare.difference() is None
    assert "Pin two values" in words(compare)
    pins.append(Pin.of_point(swept.points[4]))
    compare.set_pins(pins)
    # The same γ: only the tolerance of the sweep lies between them.
    assert compare.difference().residual < 1e-3
    assert words(compare).startswith("The pictures are the same.")
    # Sizes can be compared only on one scale.
    assert len({view.view_range() for view in views(compare)}) == 1
    large = replace(pins[1], coordinates=40 * pins[1].coordinates)
    compare.set_pins([pins[0], large])
    assert "Each has its own scale: the right is 40 times as wide." in words(compare)
    assert len({view.view_range() for view in views(compare)}) == 2
    compare.set_pins([*pins, Pin.of_point(swept.points[8])])
    assert compare.difference().residual > 0.1
    assert [view.point_count for view in views(compare)] == [80, 80]
    compare.findChild(Segmented, "compare_mode").button("overlay").click()
    assert compare.overlay.isVisible()
    compare.set_theme(DARK)
    assert not compare.grab().isNull()


def test_selection_reaches_the_comparison_and_comes_from_it(compare, linking, swept):
    compare.set_pins([Pin.of_point(swept.points[place]) for place in (0, 8)])
    mask = np.zeros(80, dtype=bool)
    mask[3] = True
    views(compare)[1].selected.emit(mask, "replace")
    np.testing.assert_array_equal(linking.selection, mask)
    views(compare)[0].hovered.emit(5)
    assert linking.hovered == 5
    assert views(compare)[1].area.cloud.hovered == 5


def test_pins_are_taken_back_and_removed(compare, swept):
    said = []
    compare.adopted.connect(lambda settings, gesture: said.append(settings))
    compare.set_pins([Pin.of_point(swept.points[place]) for place in (0, 8)])
    compare.findChild(IconButton, "compare_take_button").click()
    assert said == [swept.points[8].settings]
    for _ in range(3):
        compare.findChild(IconButton, "compare_remove_button").click()
    assert compare.pins() == []


def test_other_rows_are_not_overlay(compare, swept):
    few = Pin("few", swept.base, np.zeros((5, 2)), np.arange(5), 5)
    compare.set_pins([Pin.of_point(swept.points[0]), few])
    assert compare.difference() is None
    assert "Not the same rows: 80 rows on the left, 5 on the right" in words(compare)


def test_settings_in_words(swept):
    text = describe_kernel(swept.points[0].settings)
    assert text == "RBF (Gaussian), γ = 0.1"


def test_an_overlay_undoes_rotation_mirror_and_scale():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    turn = np.array([[0.6, 0.8], [0.8, -0.6]])
    moved, fixed = overlay(5 * X @ turn + 3, X)
    np.testing.assert_allclose(moved, fixed, atol=1e-9)
    same = difference(5 * X @ turn + 3, X)
    assert (same.residual, same.neighbours) == pytest.approx((0, 1), abs=1e-9)
    other = difference(rng.normal(size=(60, 2)), X)
    assert other.residual > 0.8
    assert apart_text(other) == (
        "The pictures show different things: 15 % of nearest neighbours are the same."
    )
    assert difference(np.zeros((1, 2)), np.zeros((1, 2))).neighbours == 1


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        (0.0, "The pictures are the same."),
        (0.04, "details only: 8"),
        (0.1, "alike at large, not in detail: 62 %"),
        (0.35, "alike in part: 20 %"),
    ],
)
def test_differences_in_words(noise, words):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    assert words in apart_text(difference(X + noise * rng.normal(size=X.shape), X))


def test_no_window_size_lets_the_scroll_bar_come_and_go_for_ever(gallery, swept):
    """At these sizes the page needs a bar, and with the bar it needs none."""
    thirty = replace(swept, points=(swept.points * 4)[:30])
    gallery.show_result(thirty)
    choose_size(gallery, "small")
    area, page = gallery.findChild(PageArea), gallery.multiples
    bar = area.verticalScrollBar().sizeHint().width()
    around = gallery.size() - area.maximumViewportSize()
    narrow = {w: page.heightForWidth(w - bar) for w in range(600, 1400, 3)}
    sizes = [
        QSize(width, (low + page.heightForWidth(width)) // 2)
        for width, low in narrow.items()
        if low < page.heightForWidth(width) and 400 < low < 900
    ]
    assert len(sizes) > 20
    for wanted in sizes[:: len(sizes) // 12]:
        gallery.resize(wanted + around)
        assert area.maximumViewportSize() == wanted
        assert page.width() == wanted.width() - bar
        assert page.height() == wanted.height()
        assert area.verticalScrollBar().maximum() == 0


def test_a_page_fills_the_width_and_scrolls_in_full(gallery, grid, qtbot):
    area, page = gallery.findChild(PageArea), gallery.multiples
    gallery.resize(700, 300)
    qtbot.waitUntil(lambda: page.width() == area.viewport().width())
    assert page.height() == page.heightForWidth(page.width())
    assert (
        area.verticalScrollBar().maximum() == page.height() - area.viewport().height()
    )
    choose_size(gallery, "large")
    gallery.show_result(grid)
    assert page.width() == page.minimumSizeHint().width() > area.viewport().width()
    assert area.horizontalScrollBar().maximum() > 0


def test_a_sample_of_the_rows_is_named_above_the_pictures(gallery, swept):
    assert title(gallery) == "γ Gamma: 9 pictures"
    held = Yardstick((0, 1), 50, 60)
    sampled = tuple(replace(point, yardstick=held) for point in swept.points)
    gallery.show_result(replace(swept, points=sampled))
    assert title(gallery) == "γ Gamma: 9 pictures · silhouette of 60 of 80 rows"
    gallery.show_result(replace(swept, points=sampled), "trustworthiness")
    assert "trustworthiness of 50 of 80 rows" in title(gallery)
    gallery.show_result(replace(swept, points=sampled), "share_2")
    assert title(gallery) == "γ Gamma: 9 pictures"
