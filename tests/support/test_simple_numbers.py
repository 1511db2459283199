"""Fractions and roots are recognised where the error allows nothing else."""

from math import sqrt

import pytest

from kpca_viewer.support.numerals import simple_number


@pytest.mark.parametrize(
    ("value", "plain", "latex"),
    [
        (4 / 3, "4/3", r"\frac{4}{3}"),
        (2 / 9, "2/9", r"\frac{2}{9}"),
        (-5.0, "−5", "-5"),
        (1 / sqrt(2), "1/√2", r"\frac{1}{\sqrt{2}}"),
        (-sqrt(2) / 3, "−√2/3", r"-\frac{\sqrt{2}}{3}"),
        (2 * sqrt(2) / 3, "2√2/3", r"\frac{2\sqrt{2}}{3}"),
        (sqrt(3), "√3", r"\sqrt{3}"),
        (sqrt(8), "2√2", r"2\sqrt{2}"),
        (1600.0, "1600", "1600"),
        (1 / sqrt(6), "1/√6", r"\frac{1}{\sqrt{6}}"),
    ],
)
def test_numbers_that_people_write(value, plain, latex):
    found = simple_number(value, 1e-14 * abs(value))
    assert found is not None
    assert (found.plain(), found.latex()) == (plain, latex)
    assert found.value == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("value", [0.0183, 1.5314, 2**0.5 + 3**0.5, 1e-9, 12345.5])
def test_others_stay_decimals(value):
    assert simple_number(value, 1e-12 * value) is None


def test_a_number_that_is_not_known_well_is_no_fraction():
    assert simple_number(1 / 3, 1e-3) is None
    assert simple_number(1 / 3 + 1e-9, 1e-12) is None
    assert simple_number(float("nan"), 0.0) is None


def test_zero_is_simple_only_where_it_is_certain():
    assert simple_number(0.0, 0.0).plain() == "0"
    assert simple_number(0.0, 1e-15) is None
    assert simple_number(1e-17, 1e-15) is None
