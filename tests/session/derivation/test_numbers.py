"""Numbers as people write them, as far as they are known."""

from math import inf, nan

import numpy as np
import pytest

from kpca_viewer.features.derivation.numbers import (
    adding_up,
    latex,
    latex_table,
    plain,
    plain_table,
)


@pytest.mark.parametrize(
    ("value", "text", "typeset"),
    [
        (4 / 3, "4/3", r"\frac{4}{3}"),
        (-(0.5**0.5), "−1/√2", r"-\frac{1}{\sqrt{2}}"),
        (8**0.5 / 3, "2√2/3", r"\frac{2\sqrt{2}}{3}"),
        (1600.0, "1600", "1600"),
        (0.02, "0.02", "0.02"),
        (1 / 11, "1/11", r"\frac{1}{11}"),
        (2420 / 3, "806.7", "806.7"),
        (0.123456, "0.123456", "0.123456"),
        (np.pi, "3.142", "3.142"),
        (-2.345678e-9, "−2.345678·10⁻⁹", r"-2.345678\cdot 10^{-9}"),
        (1e-16, "0", "0"),
    ],
)
def test_a_number_that_is_known_well(value, text, typeset):
    error = 1e-14 if text == "0" else 1e-9 * abs(value)
    assert plain(value, error) == text
    assert latex(value, error) == typeset


def test_what_is_known_badly_is_no_fraction_and_no_zero():
    assert plain(4 / 3, 1e-3) == "1.333"
    assert plain(4 / 3, inf) == "1.333"
    assert plain(0.001, 0.01) == "0.001"
    assert plain(0.001, inf) == "0.001"


def test_zero_is_a_matter_of_scale():
    assert plain(1e-9, 1e-8, scale=1e6) == "0"
    assert plain(1e-9, 1e-8, scale=1e-3) == "1·10⁻⁹"


def test_what_nobody_has_computed_is_unknown():
    assert plain(nan) == "unknown"
    assert latex(nan) == r"\text{unknown}"


def test_a_sum_is_that_of_what_is_printed():
    terms = (1600, -806 - 2 / 3, -1922 - 2 / 3, 965 + 7 / 9)
    assert adding_up(terms, sum(terms), inf, 4000.0) == (
        ["1600", "−806.7", "−1922.7", "965.8"],
        "−163.6",
    )
    near = (1.0, -1 + 4e-6, -1 + 4e-6, 1 - 2e-6)
    numbers, total = adding_up(near, sum(near), 1e-16, 1.0)
    values = [float(text.replace("−", "-")) for text in numbers]
    assert sum(values) == pytest.approx(float(total), abs=1e-12)
    fractions = adding_up((1, -2 / 3, -2 / 3, 5 / 9), 2 / 9, 1e-15, 1.0)
    assert fractions == (["1", "−2/3", "−2/3", "5/9"], "2/9")


def test_tables_have_an_error_for_every_column():
    values = np.array([[1 / 3, 1 / 3], [1e-15, 0.5]])
    errors = np.array([1e-14, inf])
    # One matrix has fractions or decimals, not both.
    assert plain_table(values, errors) == [["0.3333", "0.3333"], ["0", "0.5"]]
    assert latex_table(values, 1e-14) == [
        [r"\frac{1}{3}", r"\frac{1}{3}"],
        ["0", r"\frac{1}{2}"],
    ]
