"""φ(a)·φ(b) and k(a, b), with their operations and digits."""

from math import inf, sqrt

import numpy as np
import pytest

from kpca_viewer.core.kernels.family import Operations
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.lift.both_sides import (
    BothSides,
    first_pair,
    written_alike,
)
from kpca_viewer.features.lift.text import (
    agreement,
    coordinates,
    formula_of_map,
    operations_words,
    size_of_map,
)
from kpca_viewer.support.errors import KernelError
from tests.core.reference import entry
from tests.session.derivation.conftest import kernels_with

SQUARE = Kernel("poly", gamma=1, degree=2, coef0=0)
OFFSET = Kernel("poly", gamma=1, degree=2, coef0=1)


def sides(kernel=SQUARE, a=(1.0, 2.0), b=(3.0, 4.0)):
    return BothSides.of(kernel, np.array(a), np.array(b))


def test_whole_numbers_of_the_lecture_texts():
    both = sides(OFFSET, (3.0, 4.0), (5.0, 6.0))
    # (1 + 3·5 + 4·6)² = 40²
    assert both.value == 1600
    assert both.product == pytest.approx(1600, rel=1e-15)
    assert coordinates(both, 0) == "(1, 4.243, 5.657, 9, 16.97, 16)"
    assert formula_of_map(both, ["x", "y"]) == "(1, √2x, √2y, x², √2xy, y²)"
    np.testing.assert_allclose(both.images[1, 1:3], [5 * sqrt(2), 6 * sqrt(2)])


@pytest.mark.parametrize(("kernel", "d"), kernels_with((1, 2, 5)))
def test_both_ways_are_the_formula(kernel, d):
    a, b = np.random.default_rng(d).normal(size=(2, d))
    both = sides(kernel, a, b)
    assert both.value == pytest.approx(entry(kernel, a, b), rel=1e-12)
    if both.product is None:
        assert both.dimension == inf
        assert agreement(both) == ""
    else:
        assert both.product == pytest.approx(entry(kernel, a, b), rel=1e-10)
        assert both.is_rounding
        assert "Equal in" in agreement(both)


def test_a_difference_that_is_no_rounding_is_not_called_so():
    both = sides()
    wrong = BothSides(SQUARE, both.a, both.b, 1.0001 * both.value, *_rest(both))
    assert not wrong.is_rounding
    assert agreement(wrong) == "Equal in the first 4 digits; they differ by 0.0121."


def _rest(both):
    return both.features, both.images


def test_numbers_beside_each_other_that_share_no_digit():
    both = sides(Kernel("linear"), (1.0, 0.0), (1.0, 0.0))
    beside = BothSides(both.kernel, both.a, both.b, np.nextafter(1.0, 0), *_rest(both))
    assert agreement(beside) == "Equal up to rounding: they differ by 1.11·10⁻¹⁶."


@pytest.mark.parametrize(
    ("kernel", "d", "said"),
    [
        (OFFSET, 2, "φ has C(2 + 2, 2) = 6 coordinates."),
        (SQUARE, 2, "φ has C(2 + 2 − 1, 2) = 3 coordinates."),
        (
            Kernel("poly", degree=3, coef0=1),
            100,
            "φ has C(100 + 3, 3) = 176,851 coordinates; too many to be written out.",
        ),
        (Kernel("paraboloid"), 2, "φ has 3 coordinates."),
        (
            Kernel("rbf"),
            2,
            "φ has infinitely many coordinates.",
        ),
        (
            Kernel("sigmoid"),
            2,
            "The sigmoid kernel is not positive semi-definite for all rows: it has no "
            "map φ.",
        ),
    ],
)
def test_how_large_the_feature_space_is(kernel, d, said):
    assert size_of_map(sides(kernel, np.ones(d), np.ones(d))) == said


def test_a_map_that_is_too_long_is_left_out_or_cut():
    cubic = sides(Kernel("poly", degree=3, coef0=1), np.ones(100), np.ones(100))
    assert cubic.product is None
    assert cubic.by_map is None
    assert cubic.by_kernel.total > 200
    many = sides(Kernel("linear"), np.arange(12.0), np.ones(12))
    assert coordinates(many, 0).endswith("9, … 2 more)")
    assert formula_of_map(many, [f"x{j}" for j in range(12)]).endswith("x9, …)")


def test_counts_in_words():
    assert operations_words(Operations(11, 2)) == "13 operations: 11 ×, 2 +"
    assert operations_words(Operations(1)) == "1 operation: 1 ×"
    assert operations_words(Operations(3, 3, 1)) == "7 operations: 3 ×, 3 +, 1 function"
    both = sides()
    assert (both.by_map.total, both.by_kernel.total) == (13, 4)


@pytest.mark.parametrize(
    ("x", "y", "written"),
    [
        (1600.0, 1600.0, ("1600.0000000000000", "1600.0000000000000", "")),
        (0.1, -0.2, ("0.10000000000000001", "−0.20000000000000001", "")),
        (0.0, -0.0, ("0.0000000000000000", "0.0000000000000000", "")),
        (1e20, 2e20, ("1.0000000000000000", "2.0000000000000000", "·10²⁰")),
        (
            1e-9,
            1e-9,
            ("1.0000000000000001", "1.0000000000000001", "·10⁻⁹"),
        ),
    ],
)
def test_all_digits_one_below_the_other(x, y, written):
    assert written_alike(x, y) == written


def test_what_cancels_has_no_digits_beyond_its_terms():
    both = sides(OFFSET, (1.0, 2.0), (3.0, -2.0))
    assert both.value == 0
    one, other, power = written_alike(both.product, both.value, both.largest)
    assert (other, power) == ("0.000000000000000", "")
    assert float(one.replace("−", "-")) == pytest.approx(0, abs=2e-14)


def test_neighbours_among_doubles_differ_in_a_digit():
    x = 12.345
    first, second, _ = written_alike(x, np.nextafter(x, 13))
    assert len(first) == len(second)
    assert first != second
    assert first[:15] == second[:15]


def test_where_the_kernel_has_no_value():
    with pytest.raises(KernelError, match="not defined for a, which is all zeros"):
        sides(Kernel("cosine"), (0.0, 0.0))


@pytest.mark.parametrize("size", [5e-324, 3e-320, 1e-300, 1.0, 1e300])
def test_places_to_begin_with_are_rows_of_any_size(size):
    points = np.array([[0.0, size], [size, 0.0]])
    assert first_pair(Dataset(points)) == ((0, size), (size, 0))
