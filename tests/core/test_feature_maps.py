"""φ(x)ᵀφ(y) is k(x, y), coordinate by coordinate."""

from math import isfinite, sqrt

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from tests.core.reference import entry

KERNELS = [
    Kernel("linear"),
    Kernel("cosine"),
    Kernel("paraboloid"),
    Kernel("poly", gamma=1, degree=2, coef0=0),
    Kernel("poly", gamma=1, degree=2, coef0=1),
    Kernel("poly", gamma=0.5, degree=3, coef0=2),
    Kernel("poly", gamma=2, degree=1, coef0=0.25),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.plain_formula())
@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_products_of_features_are_the_kernel(kernel, d):
    X = np.random.default_rng(0).normal(size=(6, d))
    features = kernel.feature_map(d)
    assert len(features) == kernel.feature_dimension(d)
    wanted = [[entry(kernel, x, y) for y in X] for x in X]
    np.testing.assert_allclose(features(X) @ features(X).T, wanted, rtol=1e-12)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda f: f.name)
def test_every_finite_feature_space_has_a_map(family):
    kernel = Kernel(family.name)
    assert (kernel.feature_map(2) is not None) == isfinite(kernel.feature_dimension(2))


def test_coordinates_of_the_lecture_texts():
    square = Kernel("poly", gamma=1, degree=2, coef0=0).feature_map(2)
    assert square.plain("xy") == ["x²", "√2xy", "y²"]
    assert square.latex("xy") == ["x^{2}", r"\sqrt{2} x y", "y^{2}"]
    with_offset = Kernel("poly", gamma=1, degree=2, coef0=1).feature_map(2)
    assert with_offset.plain("xy") == ["1", "√2x", "√2y", "x²", "√2xy", "y²"]
    np.testing.assert_allclose(
        with_offset(np.array([[3.0, 4.0]]))[0],
        [1, 3 * sqrt(2), 4 * sqrt(2), 9, 12 * sqrt(2), 16],
    )
    cubic = Kernel("poly", gamma=1, degree=3, coef0=0).feature_map(2)
    assert cubic.plain("xy") == ["x³", "√3x²y", "√3xy²", "y³"]


def test_a_coordinate_can_be_a_sum():
    paraboloid = Kernel("paraboloid").feature_map(2)
    assert paraboloid.plain("xy") == ["x", "y", "x² + y²"]
    assert paraboloid.latex("xy") == ["x", "y", "x^{2}+y^{2}"]
    np.testing.assert_array_equal(paraboloid(np.array([[3.0, 4.0]])), [[3, 4, 25]])


def test_a_map_that_nobody_could_read_is_not_made():
    assert Kernel("poly", degree=3, coef0=1).feature_dimension(100) == 176_851
    assert Kernel("poly", degree=3, coef0=1).feature_map(100) is None
    assert Kernel("rbf").feature_map(2) is None
    assert Kernel("poly", degree=2.5).feature_map(2) is None


def test_products_that_a_map_takes():
    square = Kernel("poly", gamma=1, degree=2, coef0=0).feature_map(2)
    # x·x, x·y·√2, y·y
    assert (square.products, square.additions) == (4, 0)
    # x·x, y·y, and their sum
    paraboloid = Kernel("paraboloid").feature_map(2)
    assert (paraboloid.products, paraboloid.additions) == (2, 1)
