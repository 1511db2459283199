"""Operations are counted as a person computes a kernel value, or by way of φ."""

import pytest

from kpca_viewer.core.kernels.family import Operations, by_map
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel


@pytest.mark.parametrize(
    ("kernel", "counted"),
    [
        # x₁y₁ + x₂y₂
        (Kernel("linear"), Operations(2, 1)),
        # (x₁y₁ + x₂y₂)², and one more for γ, c
        (Kernel("poly", gamma=1, degree=2, coef0=0), Operations(3, 1)),
        (Kernel("poly", gamma=1, degree=2, coef0=1), Operations(3, 2)),
        (Kernel("poly", gamma=2, degree=5, coef0=1), Operations(7, 2)),
        # two differences, two squares, one sum, γ, e
        (Kernel("rbf", gamma=0.5), Operations(3, 3, 1)),
        (Kernel("rbf", gamma=1), Operations(2, 3, 1)),
        # xᵀy, ‖x‖², ‖y‖², the product of the last two, one sum
        (Kernel("paraboloid"), Operations(7, 4)),
        # three products, two roots, one product and one division
        (Kernel("cosine"), Operations(8, 3, 2)),
    ],
)
def test_of_two_points_in_the_plane(kernel, counted):
    assert kernel.operations(2) == counted


def test_by_way_of_the_map():
    # x², √2xy, y² take 4 products each, the dot product 3 and 2 sums
    square = Kernel("poly", gamma=1, degree=2, coef0=0).feature_map(2)
    assert by_map(square) == Operations(4 + 4 + 3, 2)
    assert by_map(Kernel("paraboloid").feature_map(2)) == Operations(2 + 2 + 3, 4)
    # a length: 2 products, a sum, a root, and 2 divisions, for each point
    assert by_map(Kernel("cosine").feature_map(2)) == Operations(10, 3, 2)
    assert by_map(Kernel("linear").feature_map(7)) == Operations(7, 6)


def test_the_kernel_is_the_shorter_way_when_the_degree_is_high():
    kernel = Kernel("poly", gamma=1, degree=5, coef0=1)
    assert kernel.operations(5).total < by_map(kernel.feature_map(5)).total / 50


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_counted(name):
    few, many = Kernel(name).operations(2), Kernel(name).operations(100)
    assert few.total < many.total
    assert many.products + many.additions >= 199
