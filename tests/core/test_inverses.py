"""From kernel values back to distances and dot products."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel

DISTANCES = np.array([1e-3, 0.1, 0.7, 1.0, 3.0, 12.0])

CASES = [
    ("rbf", {"gamma": 0.7}),
    ("laplacian", {"gamma": 0.7}),
    ("matern", {"nu": 0.5, "length_scale": 2.0}),
    ("matern", {"nu": 1.5, "length_scale": 2.0}),
    ("matern", {"nu": 2.5, "length_scale": 2.0}),
    ("rational_quadratic", {"length_scale": 1.5, "mixture": 0.4}),
    ("rational_quadratic", {"length_scale": 1.5, "mixture": 50.0}),
    ("poly", {"gamma": 0.5, "degree": 2, "coef0": 1}),
    ("poly", {"gamma": 0.5, "degree": 2.5, "coef0": 1}),
]


@pytest.mark.parametrize(("name", "values"), CASES)
def test_a_base_comes_back(name, values):
    kernel = Kernel(name, **values)
    entries = kernel.of_base(DISTANCES.copy())
    back = kernel.family.inverse(entries, kernel.values)
    np.testing.assert_allclose(back, DISTANCES, rtol=1e-6, atol=1e-7)


def test_odd_degrees_keep_signs():
    kernel = Kernel("poly", gamma=2, degree=3, coef0=1)
    products = np.array([-4.0, -0.5, 0.0, 0.3, 5.0])
    entries = kernel.of_base(products.copy())
    back = kernel.family.inverse(entries, kernel.values)
    np.testing.assert_allclose(back, products, atol=1e-12)


def test_a_distance_of_zero_comes_back_as_zero():
    for nu in (0.5, 1.5, 2.5):
        kernel = Kernel("matern", nu=nu)
        back = kernel.family.inverse(np.ones(2), kernel.values)
        np.testing.assert_allclose(back, 0, atol=1e-4)


def test_the_sigmoid_has_no_way_back():
    assert Kernel("sigmoid").family.inverse is None
