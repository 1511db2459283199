"""The covariance of φ(X) and K̃/n have the same eigenvalues."""

import numpy as np
import pytest

from kpca_viewer.features.derivation.primal import primal_beside_dual, why_not
from tests.session.derivation.conftest import GUIDE, SQUARE, THREE, derived


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize(
    ("family", "values", "size"),
    [
        ("linear", {}, 3),
        ("cosine", {}, 3),
        ("poly", SQUARE, 6),
        ("poly", {"gamma": 0.5, "degree": 3, "coef0": 1}, 20),
    ],
)
def test_both_ways_come_to_the_same(family, values, size, center):
    X = np.random.default_rng(0).normal(size=(12, 3)) + 1
    found = derived(X, family, analysis={"center": center}, **values)
    both = primal_beside_dual(found)
    assert (both.primal.size, both.dual.size) == (size, 12)
    common = min(size, 12)
    assert both.primal.eigenvalues[:common] == pytest.approx(
        both.dual.eigenvalues[:common], abs=1e-12 * both.primal.eigenvalues[0] * 100
    )
    assert both.agrees
    assert len(both.coordinates) == size


def test_the_difference_is_measured():
    both = primal_beside_dual(derived(GUIDE, "poly", gamma=1, degree=2, coef0=1))
    by_hand = np.abs(both.primal.eigenvalues[:3] - both.dual.eigenvalues).max()
    assert both.difference == by_hand
    assert both.coordinates == ("1", "√2x", "√2y", "x²", "√2xy", "y²")


def test_operations_are_counted():
    both = primal_beside_dual(derived(THREE, "poly", **SQUARE))
    # φ = (x², √2xy, y²): four products a row; six entries of three products each.
    assert both.primal.filling == 3 * 4 + 6 * 3
    # Six entries of two products for xᵀy and one for the square.
    assert both.dual.filling == 6 * 3
    assert (both.primal.solving, both.dual.solving) == (27, 27)
    assert both.primal.operations == 57


@pytest.mark.parametrize(
    ("family", "values", "words"),
    [
        ("rbf", {"gamma": 1}, "The feature space of the RBF kernel is infinite-dim"),
        ("matern", {}, "The feature space of the matérn kernel is infinite-dim"),
        (
            "sigmoid",
            {},
            "The sigmoid kernel is not positive semi-definite for all rows",
        ),
        ("poly", {"degree": 20}, "φ has 231 coordinates; up to 100"),
    ],
)
def test_why_there_is_no_primal_way(family, values, words):
    found = derived(GUIDE, family, **values)
    assert primal_beside_dual(found) is None
    assert why_not(found).startswith(words)


def test_a_given_matrix_has_no_map():
    assert "given" in why_not(derived([[1, 0], [0, 1]], kind="kernel"))


@pytest.mark.journey
def test_many_rows_are_left_alone():
    X = np.random.default_rng(0).normal(size=(5_001, 1))
    assert why_not(derived(X, "linear")) == (
        "There are 5,001 rows; both ways are compared for up to 5,000."
    )
