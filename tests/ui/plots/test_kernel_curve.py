"""The kernel over the pairs of the data."""

from itertools import cycle

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFontMetricsF

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.core.kernels.pair_values import PairValues
from kpca_viewer.features.kernel_curve.text import MarkedPair
from kpca_viewer.features.kernel_curve.view import HEIGHT, KernelCurve
from kpca_viewer.widgets.plots.text import plot_font, set_type_scale, text_width
from kpca_viewer.widgets.theme import DARK, LIGHT

X = np.random.default_rng(2).normal(size=(40, 2))


@pytest.fixture
def shown(qtbot):
    def make(kernel, points=X, theme=LIGHT):
        plot = KernelCurve()
        qtbot.addWidget(plot)
        plot.set_theme(theme)
        plot.resize(260, HEIGHT)
        plot.show_kernel(kernel, PairValues.of(kernel, Points.prepare(points)))
        return plot

    return make


def test_the_line_is_the_formula(shown):
    plot = shown(Kernel("rbf", gamma=0.7))
    r, k = plot.points
    np.testing.assert_allclose(k, np.exp(-0.7 * r * r))
    assert (plot.frame().x_range[0], plot.value_range()) == (0, (0, 1))
    plot = shown(Kernel("sigmoid", gamma=0.5, coef0=-1))
    t, k = plot.points
    np.testing.assert_allclose(k, np.tanh(0.5 * t - 1))
    assert plot.value_range()[0] == pytest.approx(k.min())


@pytest.mark.parametrize(
    ("family", "theme"), list(zip(FAMILIES, cycle((LIGHT, DARK)), strict=False))
)
def test_every_family_is_drawn(shown, family, theme):
    plot = shown(Kernel(family), theme=theme)
    image = plot.grab().toImage()
    seen = {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
    }
    assert QColor(theme.groove).name() in seen  # bars
    assert QColor(theme.accent).name() in seen  # line
    assert plot.toolTip().startswith("Line: the kernel against the ")


@pytest.fixture(params=[1.0, 1.4, 2.0, 3.0])
def type_of(request):
    set_type_scale(request.param)
    yield request.param
    set_type_scale(1.0)


def test_numbers_and_words_of_the_axes_have_room_in_any_type(shown, type_of):
    plot = shown(Kernel("rbf", gamma=0.7))
    plot.resize(260, plot.sizeHint().height())
    font = plot_font(pixels=11)
    assert plot.frame().height >= 2 * QFontMetricsF(font).height()
    full, symbol = text_width("distance r", font), text_width("r", font)
    assert plot.axis_words(full + 20) == "distance r"
    assert plot.axis_words(full - 1) == "r"
    assert plot.axis_words(symbol - 1) == ""


def test_small_and_large_gamma_are_a_flat_line_and_a_spike(shown):
    _, flat = shown(Kernel("rbf", gamma=1e-6)).points
    assert flat.min() > 0.999
    _, spike = shown(Kernel("rbf", gamma=1e6)).points
    assert spike[0] == 1
    assert spike[1:].max() < 1e-12


def test_the_median_pair_is_said_with_its_value(shown):
    plot = shown(Kernel("rbf", gamma=0.7))
    away = np.sqrt(np.square(X[:, None] - X).sum(axis=2))[np.triu_indices(40, 1)]
    r = np.median(away)
    assert plot.words() == f"Median pair: r = {r:.3g}, k = {np.exp(-0.7 * r * r):.3g}"


def test_a_marked_pair_takes_its_place(shown):
    plot = shown(Kernel("cosine"))
    before = plot.grab().toImage()
    plot.mark(MarkedPair(("row 1", "row 2"), 60.0, 0.5))
    assert plot.words() == "row 1 and row 2: angle = 60°, k = 0.5"
    assert plot.grab().toImage() != before
    x, y = plot.frame().to_pixels(np.array([[60.0, 0.5]]))[0]
    ink = plot.grab().toImage().pixelColor(round(x), round(y))
    assert ink.name() == QColor(LIGHT.text).name()
    plot.mark(None)
    assert plot.grab().toImage() == before


def test_one_row_and_rows_in_one_place_have_a_picture(shown):
    assert shown(Kernel("rbf"), [[1.0, 2.0]]).words() == "One row has no pairs"
    plot = shown(Kernel("rbf"), np.ones((3, 2)))
    assert plot.words() == "Median pair: r = 0, k = 1"
    plot.grab()


def test_without_pairs_there_is_nothing_yet(qtbot):
    plot = KernelCurve()
    qtbot.addWidget(plot)
    plot.show_kernel(Kernel("rbf"), None)
    assert plot.frame() is None
    assert plot.words() == ""
    plot.grab()


def test_values_that_overflow_are_left_out(shown):
    plot = shown(Kernel("poly", degree=10, gamma=1e40, coef0=1))
    plot.grab()
    assert np.isnan(plot.points[1]).any()
