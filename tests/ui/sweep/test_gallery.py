"""The gallery: all pictures fit, a map of two parameters, pointer and keys."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.features.sweep.cells import SMALLEST, SweepPage
from kpca_viewer.features.sweep.gallery import GalleryPage
from kpca_viewer.features.sweep.text import gallery_title
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.theme import DARK, LIGHT

LEFT = Qt.MouseButton.LeftButton
SILHOUETTE = MEASURES["silhouette"]


@pytest.fixture
def page(qtbot, linking):
    """A gallery on the screen, and what it says."""
    page = GalleryPage(linking, Changes())
    view = page.view
    qtbot.addWidget(view)
    view.resize(600, 480)
    view.show()
    qtbot.waitExposed(view)
    page.taken, page.pointed, page.walked = [], [], []
    view.adopted.connect(page.taken.append)
    view.pointed.connect(page.pointed.append)
    view.walked.connect(lambda across, up: page.walked.append((across, up)))
    yield page
    view.close()


def click(page, place):
    at = page.view.cell_rect(place).center().toPoint()
    QTest.mouseMove(page.view, at)
    QTest.mouseClick(page.view, LEFT, pos=at)


@pytest.mark.journey
def test_the_pointer_previews_a_picture_and_a_click_takes_it(page, swept):
    page.show_result(swept, "silhouette")
    click(page, 2)
    assert page.pointed == page.taken == [swept.points[2]]
    assert page.view.label_lines()[0] == "γ = 0.316"
    QTest.mouseMove(page.view, page.view.cell_rect(3).center().toPoint())
    assert page.pointed[-1] is swept.points[3]


@pytest.mark.parametrize("size", [(300, 240), (600, 480), (1000, 300)])
@pytest.mark.parametrize("which", ["swept", "grid"])
def test_all_pictures_fit_and_are_found_again(request, qapp, which, size):
    shown = SweepPage(request.getfixturevalue(which), SILHOUETTE)
    layout = shown.layout(QSizeF(*size))
    for place in range(len(shown.places)):
        rect = layout.rect(place)
        assert layout.place_under(rect.center()) == place
        assert rect.right() <= size[0]
        assert rect.bottom() + layout.caption <= size[1]
        below = rect.bottomLeft() + QPointF(2, layout.caption / 2)
        assert layout.place_under(below) == place
    assert layout.place_under(QPointF(size[0] + 20, 5)) is None
    words = layout.caption > 0
    assert words == (min(layout.rect(0).width(), layout.rect(0).height()) >= SMALLEST)


def test_a_grid_grows_upwards_and_is_a_map_too(page, grid):
    page.show_result(grid, "silhouette")
    assert [p.index for p in page.view.page.places] == [
        8,
        9,
        10,
        11,
        4,
        5,
        6,
        7,
        *range(4),
    ]
    pictures = page.view.grab().toImage()
    page.mode.button("map").click()
    assert page.view.grab().toImage() != pictures
    click(page, 4)
    assert page.taken == [grid.points[4]]
    assert page.view.label_lines()[0] == "γ = 0.1, p = 2"


def test_only_two_parameters_have_a_map(page, swept, grid):
    page.show_result(grid, "silhouette")
    page.mode.button("map").click()
    page.show_result(swept)
    assert page.mode.isHidden()
    assert not page.view.page.is_map
    page.show_result(None)
    assert page.view.page is None
    assert not page.view.grab().isNull()
    page.show_result(grid, "silhouette")
    assert page.view.page.is_map


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_current_cell_of_a_map_stands_out_on_every_colour(page, grid, theme):
    page.view.set_theme(theme)
    page.view.set_as_map(True)
    page.show_result(grid, "share_2")
    for place, point in enumerate(page.view.page.places):
        page.view.set_current(point.index)
        rect, image = page.view.cell_rect(place), page.view.grab().toImage()
        y = round(rect.bottom()) - 8
        near = range(round(rect.left()) - 4, round(rect.left()) + 6)
        along = [image.pixelColor(x, y).lightness() for x in near]
        # A light line beside a dark one: one of them is seen on any colour.
        assert max(along) > 200
        assert min(along) < 40


def test_kernels_without_the_parameter_are_not_applicable(page, settings):
    kernels = SweepAxis("kernel", kernels=("linear", "rbf"))
    sweep = SweepSettings("gamma", 0.1, 10, 3, second=kernels)
    result = run_sweep(AnalysisRequest(settings), sweep, StageCache())
    page.show_result(result, "share_2")
    title = gallery_title(result, MEASURES["share_2"])
    assert title == "γ Gamma × Kernel: 3 pictures, 3 not applicable"
    click(page, 3)
    assert page.view.label_lines() == ["γ = 0.1, Linear", "Linear has no γ."]
    assert page.taken == []
    assert page.pointed == [None]


def test_a_sweep_that_runs_or_fails_leaves_places_empty(page, swept):
    failed = SweepPoint(0, (0.1,), swept.base, error="Too large.")
    page.show_result(replace(swept, points=(failed, *swept.points[2:])), "share_2")
    for place in (0, 1):
        click(page, place)
    assert page.taken == []
    assert gallery_title(page.view.page.result, SILHOUETTE) == (
        "γ Gamma: 8 of 9 pictures"
    )


def test_keys_ask_for_steps(page, swept, grid):
    page.show_result(grid, "silhouette")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(page.view, key)
    assert page.walked == [(-1, 0), (1, 0), (0, 1), (0, -1)]
    page.show_result(swept)
    columns = page.view.page.layout(QSizeF(page.view.size())).columns
    QTest.keyClick(page.view, Qt.Key.Key_Down)
    assert page.walked[-1] == (columns, 0)


def test_a_row_that_is_pointed_at_or_selected_is_seen_in_all(page, linking, swept):
    page.show_result(swept, "silhouette")
    plain = page.view.grab().toImage()

    def differ():
        image = page.view.grab().toImage()
        rects = [page.view.cell_rect(place).toRect() for place in range(9)]
        return [image.copy(rect) != plain.copy(rect) for rect in rects]

    linking.set_hovered(7)
    assert all(differ())
    linking.set_hovered(None)
    assert not any(differ())
    linking.apply_selection(np.arange(80) < 10, "replace")
    assert all(differ())
    # Another number of samples are other rows.
    linking.reset(50)
    linking.set_hovered(7)
    assert not any(differ())


def test_a_sample_of_the_rows_is_named(swept):
    held = Yardstick((0, 1), 50, 60)
    sampled = tuple(replace(point, yardstick=held) for point in swept.points)
    result = replace(swept, points=sampled)
    assert gallery_title(result, SILHOUETTE) == (
        "γ Gamma: 9 pictures · silhouette of 60 of 80 rows"
    )
    assert gallery_title(result, MEASURES["share_2"]) == "γ Gamma: 9 pictures"


def test_themes_repaint(page, swept):
    page.show_result(swept, "silhouette")
    page.view.set_theme(DARK)
    assert page.view.grab().toImage().pixelColor(1, 1) == QColor(DARK.card)
