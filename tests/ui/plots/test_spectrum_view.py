"""How a spectrum looks."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import Problem, lowrank
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.spectrum.chart import bar_kind, kind_color
from kpca_viewer.features.spectrum.layout import (
    mark_box,
    negative_box,
    slot_ticks,
)
from kpca_viewer.widgets.plots.text import plot_font, set_type_scale, text_width
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.core.reference import centred
from tests.ui.plots.results import equal_points, indefinite_distances, result_of
from tests.ui.plots.spectrum import LEFT, PLAIN, over_bar

LOG = ViewSettings(spectrum="log")


def color_in(view, bar) -> QColor:
    """Return the colour of a bar near its foot, left of the cumulative line."""
    rect = view.plan().bar_rects()[bar]
    at = rect.bottomLeft() if view.bars.values[bar] > 0 else rect.topLeft()
    inward = -2 if view.bars.values[bar] > 0 else 2
    return view.grab().toImage().pixelColor(at + QPoint(1, inward))


def test_without_a_result_it_says_so(shown):
    view = shown()
    image = view.grab().toImage()
    colors = {image.pixel(x, 150) for x in range(150, 370)}
    assert len(colors) > 5  # letters in the middle
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.mouseClick(view, LEFT, PLAIN, QPoint(100, 100))
    assert view.focused_bar is None


def test_bars_are_as_high_as_their_shares(shown):
    result = result_of()
    view = shown(result)
    plan = view.plan()
    rects = plan.bar_rects()
    per_cent = plan.y(0.0) - plan.y(1.0)
    for bar in range(10):
        expected = 100 * result.shares[bar] * per_cent
        assert rects[bar].height() == pytest.approx(max(expected, 1), abs=1.01)
    assert len(rects) == min(60, len(result.decomposition.spectrum))


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.2])
def test_an_axis_has_its_name_beside_it_only_where_all_of_it_fits(shown, scale):
    view = shown(result_of())
    view.resize(880, 250)
    set_type_scale(scale)
    try:
        plan = view.plan()
        assert plan.named == (scale == 1.0)
        name = text_width("cumulative", plot_font())
        assert not plan.named or name <= plan.frame.height
    finally:
        set_type_scale(1.0)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_tell_axes_kept_and_known_apart(shown, theme):
    view = shown(result_of(), ViewSettings(axes=(0, 3, 1)), theme=theme)
    colors = [color_in(view, bar) for bar in (0, 1, 2, 3)]
    assert colors[0] == colors[3] == QColor(theme.accent)
    assert colors[1] == colors[2] != QColor(theme.accent)
    lighter = kind_color(bar_kind(view.bars, 12), theme)
    card = QColor(theme.card).lightness()
    assert abs(lighter.lightness() - card) < abs(colors[1].lightness() - card)
    assert kind_color(bar_kind(view.bars, 10), theme) == lighter
    assert kind_color(bar_kind(view.bars, 9), theme) == colors[1]


def test_third_axis_counts_only_in_three_dimensions(shown):
    view = shown(result_of(), ViewSettings(axes=(0, 1, 4), embedding_3d=True))
    assert np.flatnonzero(view.bars.on_axes).tolist() == [0, 1, 4]
    view.show_result(result_of(), ViewSettings(axes=(0, 1, 4)))
    assert np.flatnonzero(view.bars.on_axes).tolist() == [0, 1]


def test_negative_eigenvalues_hang_below_in_the_warning_colour(shown):
    view = shown(indefinite_distances())
    np.testing.assert_allclose(view.bars.values, [50, 0, -16], atol=1e-9)
    plan, rects = view.plan(), view.plan().bar_rects()
    zero = round(plan.y(0.0))
    assert rects[0].bottom() + 1 == zero
    assert rects[1].height() == 0
    assert rects[2].top() == zero
    assert color_in(view, 2) == QColor(LIGHT.warning)
    assert view.bars.mark_text == "95 % never reached: 24.2 % is negative"
    # Both axes have the same zero, also when there is something below it.
    assert plan.cumulative_y(0.0) == pytest.approx(plan.y(0.0))


def test_negative_end_of_a_long_spectrum_is_shown_behind_a_gap(shown):
    result = result_of(family="sigmoid")
    assert len(result.decomposition.spectrum) == 400
    view = shown(result)
    bars = view.bars
    assert len(bars.values) == 60
    assert bars.components[-1] == 399
    assert bars.values[-1] == result.decomposition.spectrum[-1] < 0
    assert bars.slots[bars.head] - bars.slots[bars.head - 1] == 2
    assert bars.last_cut == bars.head


def test_mark_counts_components(shown):
    result = result_of(gamma=1.2)
    assert result.shares.sum() > 0.95
    view = shown(result)
    number = int(np.searchsorted(np.cumsum(result.shares), 0.95)) + 1
    assert view.bars.mark_text == f"95 % with {number} components"
    x, y = view.plan().cumulative_points()[number - 1]
    dot = view.grab().toImage().pixelColor(round(x), round(y))
    assert dot == QColor(LIGHT.text)


def test_mark_that_is_not_reached(shown):
    result = result_of("digits")
    assert result.shares.sum() < 0.95
    view = shown(result)
    assert view.bars.mark_text == "95 % needs more than 10"


def test_one_component_is_singular(shown):
    view = shown(result_of("moons", "linear", components=1))
    assert view.plan().cut_grip(1)[1] == "1 component"


@pytest.mark.parametrize(
    ("size", "result", "settings"),
    [
        ((300, 180), result_of, LOG),
        ((160, 110), result_of, ViewSettings()),
        ((520, 300), indefinite_distances, LOG),
        ((160, 110), indefinite_distances, ViewSettings()),
        ((300, 180), equal_points, ViewSettings()),
        ((160, 110), lambda: result_of("digits"), LOG),
    ],
    ids=["rbf", "rbf small", "negative", "negative small", "zero", "flat"],
)
def test_nothing_leaves_the_view(shown, size, result, settings):
    view = shown(result(), settings, size=size)
    plan = view.plan()
    area = QRectF(0, 0, *size)
    mark, grip = mark_box(plan, view.cut)[0], plan.cut_grip(view.cut)[0]
    assert area.contains(grip)
    assert area.united(mark) == area
    # Above bars and lines, and beside the grip.
    assert mark.bottom() <= plan.frame.top
    assert not mark.intersects(grip)
    for rect in plan.bar_rects():
        assert area.contains(QRectF(rect).topLeft())
        assert area.contains(QRectF(rect).bottomRight())
    view.grab()


@pytest.mark.parametrize("cut", [1, 4, 8, 12])
def test_words_about_the_mark_make_way_for_the_cut(shown, cut):
    view = shown(result_of(components=12), size=(440, 180))
    plan = view.plan()
    box, text, _ = mark_box(plan, cut)
    assert text.startswith("95 % with")
    assert "…" not in text
    assert not box.intersects(plan.cut_grip(cut)[0])


def test_long_words_shrink_before_they_are_cut_off(shown):
    view = shown(indefinite_distances(), size=(300, 180))
    assert mark_box(view.plan(), 1)[1] == "95 % never reached"


@pytest.mark.parametrize(
    ("width", "settings"), [(520, LOG), (300, ViewSettings()), (240, LOG)]
)
def test_missing_bars_are_marked_at_every_width(shown, width, settings):
    view = shown(result_of(family="sigmoid"), settings, size=(width, 180))
    texts = [text for _, text in slot_ticks(view.plan())]
    assert any("…" in text for text in texts)
    assert texts[-1].endswith("400")


@pytest.mark.parametrize("settings", [ViewSettings(), LOG], ids=["linear", "log"])
def test_negative_bars_are_named_where_nothing_is_covered(shown, settings):
    view = shown(result_of(family="sigmoid"), settings)
    box = negative_box(view.plan())
    assert box is not None
    for rect in view.plan().bar_rects():
        assert not box.intersects(QRectF(rect))
    view.show_result(result_of(), settings)
    assert negative_box(view.plan()) is None


def test_whiskers_are_drawn_only_where_they_can_be_seen(shown):
    result = result_of("moons", "linear")
    view = shown(result)
    before = view.grab().toImage()
    values = result.decomposition.eigenvalues
    bounds = np.column_stack([values, values + 0.1 * values[0]])
    wide = replace(result.decomposition, bounds=bounds)
    view.show_result(replace(result, decomposition=wide), ViewSettings())
    plan = view.plan()
    x = round(plan.x(2.0))
    top = plan.y(float(100 * bounds[1, 1] / values.sum()))
    ink = QColor(LIGHT.text)
    assert view.grab().toImage().pixelColor(x, round(top) + 3) == ink
    assert before.pixelColor(x, round(top) + 3) != ink


def test_log_scale_orders_bars_and_survives_zeros_and_negatives(shown):
    view = shown(result_of(), LOG)
    heights = [rect.height() for rect in view.plan().bar_rects()]
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] >= 1
    assert any("⁻" in text for _, text in view.plan().ticks)
    view.show_result(indefinite_distances(), LOG)
    rects, zero = view.plan().bar_rects(), round(view.plan().y(0.0))
    assert rects[0].bottom() + 1 == zero
    assert rects[1].height() == 0
    assert rects[2].top() == zero
    # A decade is a decade on both sides.
    decades = np.log10(50 / 16)
    per_decade = view.plan().y(0.0) - view.plan().y(1.0)
    difference = rects[0].height() - rects[2].height()
    assert difference == pytest.approx(decades * per_decade, abs=2)


def test_all_zero_is_said(shown):
    view = shown(equal_points(), LOG)
    assert view.bars.mark_text == "all eigenvalues are zero"
    assert all(rect.height() == 0 for rect in view.plan().bar_rects())
    QTest.mouseMove(view, over_bar(view, 0))
    assert view.label_lines()[0] == "component 1: μ = 0"


def test_single_eigenvalue(shown, listen):
    view = shown(result_of("three_points", "poly", components=1))
    heard = listen(view)
    QTest.mouseClick(view, LEFT, PLAIN, over_bar(view, 0))
    assert heard == [("click", 0)]


def test_thousands_of_eigenvalues_stay_readable(shown):
    result = result_of()
    values = np.sort(np.random.default_rng(0).gamma(1.0, size=5000))[::-1].copy()
    many = replace(
        result.decomposition,
        eigenvalues=values[:3000],
        bounds=np.column_stack([values[:3000]] * 2),
        angles=None,
        spectrum=values,
        trace=float(values.sum()),
        complete=True,
    )
    dataset = Dataset(np.zeros((5000, 1)))
    view = shown(replace(result, dataset=dataset, decomposition=many))
    assert view.cut == 3000
    assert view.bars.last_slot >= 3000
    right = view.plan().frame.left + view.plan().frame.width
    assert view.plan().cut_x(3000) <= right
    view.grab()


def test_cumulative_line_and_its_axis_can_be_left_out(shown):
    view = shown(result_of())
    wide = view.plan().frame.width
    view.show_result(result_of(), ViewSettings(cumulative=False))
    assert view.plan().frame.width > wide + 20


def test_setting_results_emits_nothing(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    view.show_result(result_of(components=4), LOG)
    view.set_theme(DARK)
    assert heard == []
    assert view.cut == 4


def test_paper_has_the_same_bars_without_the_mouse(shown):
    view = shown(result_of())
    QTest.mouseMove(view, over_bar(view, 1))
    images = []
    for _ in range(2):
        image = QImage(1040, 600, QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        view.render_to(painter, QRectF(0, 0, 1040, 600))
        painter.end()
        images.append(image)
        QTest.mouseMove(view, QPoint(2, 2))
    assert images[0] == images[1]
    rect = view.plan().bar_rects()[0]
    at = 2 * (rect.bottomLeft() + QPoint(1, -3))
    assert images[0].pixelColor(at) == QColor(LIGHT.accent)


def test_mark_of_a_low_rank_says_what_its_bounds_allow(shown):
    """Landmarks that leave a part of the matrix tell eigenvalues from below."""
    exact = result_of("digits")
    gram = PointsGram(exact.kernel.points(exact.points.X[::4]), exact.kernel)
    few = lowrank.solve(Problem(gram, 10), 60, may_give_up=False)
    truth = np.linalg.eigvalsh(centred(gram.matrix()))[::-1]
    needed = int(np.searchsorted(np.cumsum(truth) / truth.sum(), 0.95)) + 1
    words = shown(replace(exact, decomposition=few)).bars.mark_text
    assert 0 < int(words.removeprefix("95 % needs more than ")) < needed
    many = lowrank.solve(Problem(gram, 10), 400, may_give_up=False)
    words = shown(replace(exact, decomposition=many)).bars.mark_text
    most = int(words.removeprefix("95 % with at most ").removesuffix(" components"))
    assert needed <= most
