"""Widths in other notations give the same kernel."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel


def test_both_sigmas_of_a_gaussian():
    half, full = (each.value for each in Kernel("rbf", gamma=0.4).conventions())
    r = 1.7
    expected = np.exp(-0.4 * r**2)
    assert np.exp(-(r**2) / (2 * half**2)) == pytest.approx(expected)
    assert np.exp(-(r**2) / full**2) == pytest.approx(expected)


def test_lengths_of_the_laplacian_and_rates_of_the_matern():
    (length,) = Kernel("laplacian", gamma=0.4).conventions()
    assert np.exp(-1.7 / length.value) == pytest.approx(np.exp(-0.4 * 1.7))
    kernel = Kernel("matern", nu=0.5, length_scale=2.0)
    (rate,) = kernel.conventions()
    points = kernel.points(np.array([[0.0], [1.7]]))
    found = kernel.block(points, points)[0, 1]
    assert np.exp(-rate.value * 1.7) == pytest.approx(found)


def test_kernels_without_a_width_have_none():
    assert Kernel("poly").conventions() == Kernel("linear").conventions() == ()


@pytest.mark.parametrize("name", FAMILIES)
def test_general_formulas_have_symbols_in_all_places(name):
    kernel = Kernel(name)
    formula = kernel.general_formula()
    assert "{" not in formula
    symbols = {p.symbol for p in kernel.family.parameters}
    assert all(symbol in formula for symbol in symbols)
