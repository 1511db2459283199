"""A map that a person types: read, refused, compared with kernels; sizes and costs."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.features.lift.both_sides import BothSides
from kpca_viewer.features.lift.costs import (
    Sizes,
    taylor_coordinates,
    taylor_value,
    taylor_words,
)
from kpca_viewer.features.lift.own_map import LONGEST, Comparison, OwnMap, compare, told
from kpca_viewer.features.lift.text import expansion
from kpca_viewer.support.errors import DataError

A, B = np.array([1.0, 2.0]), np.array([3.0, 4.0])
SQUARE = Kernel("poly", gamma=1, degree=2, coef0=1)
PLAIN = Kernel("poly", gamma=1, degree=2, coef0=0)


@pytest.mark.parametrize(
    "words",
    [
        "1, √2 x1, √2 x2, x1², x2², √2 x1 x2",
        "(1, sqrt(2)*x1, √2·x₂, x1^2, x2**2, √2x1x2)",
        "1; -√2 x; √2 (0 − y); x x; y²; √(1+1)·x·y",
    ],
)
def test_all_ways_to_write_the_same_map(words):
    found = compare(OwnMap.read(words), SQUARE, A, B)
    assert found.value == 144
    assert found.product == pytest.approx(144, abs=1e-12)
    assert found.equal
    assert found.counterexample is None


def test_the_common_slips_are_found():
    # C(p, i) instead of its root, and the root of the product of a point.
    lost_root = compare(OwnMap.read("x1², 2 x1 x2, x2²"), PLAIN, A, B)
    assert (lost_root.product, lost_root.value) == (9 + 4 * 24 + 64, 121)
    slipped = compare(OwnMap.read("x1², √(x1 x2), x2²"), PLAIN, A, B)
    assert not slipped.equal
    right = compare(OwnMap.read("x1², √2 x1 x2, x2²"), PLAIN, A, B)
    assert right.equal
    assert right.counterexample is None


def test_equal_by_chance_is_not_right():
    # 12² = 144 for this pair alone.
    found = compare(OwnMap.read("12"), SQUARE, A, B)
    assert found.equal
    assert found.counterexample == ((1, 2), (1, 2), 144, 36)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "At character 1: there is no coordinate"),
        ("x1 & x2", "At character 4: “&” is not read"),
        ("import os", "At character 1: “i” is not read"),
        ("x1^x2", "At character 4: a power is a whole number"),
        ("x1^99", "At character 4: powers go up to 12"),
        ("(x1, x2", "At character 1: this bracket is not closed"),
        ("x1) + 2", "At character 3: “)” cannot stand here"),
        ("x1,,x2", "At character 4: a number, x1, x2, √ or a bracket is missing"),
        ("x1 +", "At character 5: a number"),
        ("(" * 60 + "1" + ")" * 60, "nested too deeply"),
        ("√" * 60 + "1", "nested too deeply"),
        (",".join(["1"] * 41), "at most 40 coordinates"),
        ("1" * (LONGEST + 1), "at most 400 characters"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(words, why):
    with pytest.raises(DataError) as refused:
        OwnMap.read(words)
    assert why in str(refused.value)


def test_random_texts_are_read_or_refused():
    random = np.random.default_rng(5)
    signs = np.array([*"x12√+-*^(),.² ", "x1", "x2", "sqrt"])
    for _ in range(2000):
        words = "".join(random.choice(signs, random.integers(1, 14)))
        found = told(words, SQUARE, A, B)
        assert isinstance(found, Comparison) or found.endswith(".")


def test_a_root_without_value_is_said():
    assert "no value" in told("√(0 − x1)", SQUARE, A, B)


def test_the_expansion_has_six_products_with_numbers():
    words = expansion(BothSides.of(SQUARE, A, B))
    assert words == (
        "1 + 2a₁b₁ + 2a₂b₂ + a₁²b₁² + 2a₁a₂b₁b₂ + a₂²b₂²\n"
        "= 1 + 6 + 16 + 9 + 48 + 64 = 144"
    )
    assert expansion(BothSides.of(Kernel("rbf", gamma=1), A, B)) == ""
    assert expansion(BothSides.of(Kernel("cosine"), A, B)) == ""
    negative = expansion(BothSides.of(PLAIN, A, np.array([-3.0, 4.0])))
    assert negative.endswith("= 9 − 48 + 64 = 25")


def test_sizes_of_feature_spaces_and_their_costs():
    assert Sizes(2, 2, 1, 1).coordinates == 6
    assert Sizes(100, 3, 1, 1).coordinates == 176_851
    size, _ = Sizes(1000, 5, 1, 1).sentences()
    assert "8,459,043,543,951 coordinates (8.46·10¹²)" in size
    practice = Sizes(10_000, 1, 10_000, 50)
    assert practice.by_map[0] == 10**8
    assert practice.by_kernel == (2_500, 2_500 * 10_000 + 125_000)
    assert "40,000 times fewer" in practice.sentences()[1]
    _, cost = Sizes(2, 2, 6, 10**6).sentences()
    assert "1,000,000,000,000 entries (8 TB)" in cost
    assert "1·10¹⁸ operations (3.2 years)" in cost


@pytest.mark.parametrize("d", [1, 2, 3])
def test_taylor_coordinates_and_sums_of_the_rbf_map(d):
    random = np.random.default_rng(d)
    a, b = random.normal(size=(2, d))
    gamma, k = 0.7, np.exp(-0.7 * np.square(a - b).sum())
    assert taylor_value(gamma, a, b, 60) == pytest.approx(k, rel=1e-12)
    first = np.dot(taylor_coordinates(gamma, a), taylor_coordinates(gamma, b))
    if d == 2:
        # With two columns the first three are all of degree up to 1.
        assert first == pytest.approx(taylor_value(gamma, a, b, 1), rel=1e-12)
    if d == 1:
        assert first == pytest.approx(taylor_value(gamma, a, b, 2), rel=1e-12)
    words = taylor_words(Kernel("rbf", gamma=gamma), a, b, ["x₁", "x₂", "x₃"])
    assert words.count("coordinates:") == 5
    assert "The first three" in words


def test_far_points_have_no_taylor_sums_that_overflow():
    kernel = Kernel("rbf", gamma=1e6)
    words = taylor_words(kernel, np.array([1e70, 0.0]), A, ["x₁", "x₂"])
    assert words
