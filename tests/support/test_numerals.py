"""Numbers that stand in sentences."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpca_viewer.support.numerals import (
    as_it_is,
    byte_size,
    counted,
    data_value,
    fixed,
    percent,
    readable,
    small_percent,
    tick_labels,
    ungrouped,
    upper_bound,
    whole_percent,
    within,
)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0, 4, "0"),
        (0.0, 3, "0"),
        (1, 4, "1"),
        (-40123.4, 3, "−40,123"),
        (999_999.6, 4, "1·10⁶"),
        (123_456, 4, "123,456"),
        (0.5, 4, "0.5"),
        (-0.00012345, 3, "−0.000123"),
        (2.50, 4, "2.5"),
        (1234.56, 4, "1,235"),
        (12.3456, 4, "12.35"),
        (9.99996, 4, "10"),
        (-1.34e-9, 3, "−1.34·10⁻⁹"),
        (3e12, 4, "3·10¹²"),
        (-0.0, 4, "0"),
        (float("inf"), 4, "∞"),
        (float("-inf"), 4, "−∞"),
        (float("nan"), 4, "nan"),
    ],
)
def test_a_number_as_people_write_it(value, digits, text):
    assert readable(value, digits) == text


def test_plots_and_tables_have_no_commas():
    assert ungrouped(-123_456.7) == "−123457"
    assert ungrouped(1.5e-7, 3) == "1.5·10⁻⁷"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (20241105.0, "20241105"),
        (-3.0, "−3"),
        (-1.23456, "−1.235"),
        (2e15, "2·10¹⁵"),
        (float("inf"), "∞"),
        (float("nan"), "missing"),
    ],
)
def test_whole_values_of_data_keep_their_digits(value, text):
    assert data_value(value) == text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (0.0, "0"),
        (1e-7, "1·10⁻⁷"),
        (1.01e-7, "2·10⁻⁷"),
        (9.5e-8, "1·10⁻⁷"),
        (0.0021, "0.003"),
        (0.3, "0.3"),
    ],
)
def test_a_bound_is_rounded_up(error, text):
    assert upper_bound(error) == text


def test_what_is_counted_and_what_is_compared():
    assert counted(-1_234_567.0) == "−1,234,567"
    assert fixed(0.95, 3) == "0.950"
    assert fixed(-0.0001, 3) == "0.000"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.412, "41.2 %"), (-1e-17, "0.0 %"), (-0.031, "−3.1 %"), (1.0, "100.0 %")],
)
def test_shares_in_words(share, text):
    assert percent(share) == text


def test_shares_with_other_decimals():
    assert percent(0.534, 0) == "53 %"
    assert [whole_percent(p) for p in (0, 0.004, 0.005, 0.994, 0.996, 1)] == [
        "0 %",
        "< 1 %",
        "< 1 %",
        "99 %",
        "> 99 %",
        "100 %",
    ]
    assert small_percent(0.534) == "53.4 %"
    assert small_percent(0.00012) == "0.012 %"
    assert small_percent(-1e-9) == "−1·10⁻⁷ %"
    assert small_percent(0) == "0.0 %"


@pytest.mark.parametrize(
    ("ticks", "texts"),
    [
        ([-0.5, 0.0, 0.5], ["−0.5", "0.0", "0.5"]),
        ([0, 200, 400], ["0", "200", "400"]),
        ([0, 2e-5, 4e-5], ["0", "2·10⁻⁵", "4·10⁻⁵"]),
        ([-1e7, 0, 1e7], ["−1·10⁷", "0", "1·10⁷"]),
        ([0.15, 0.2, 0.25], ["0.15", "0.20", "0.25"]),
        ([], []),
    ],
)
def test_labels_share_their_decimals(ticks, texts):
    assert tick_labels(ticks) == texts


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (12, "12 bytes"),
        (1500, "1.5 kB"),
        (23e6, "23 MB"),
        (1.5e9, "1.5 GB"),
        (7e12, "7.0 TB"),
        (7e15, "7000 TB"),
        (999, "999 bytes"),
        (1e6, "1.0 MB"),
    ],
)
def test_sizes_a_person_reads(size, text):
    assert byte_size(size) == text


def test_what_is_nearly_whole_is_told_from_a_whole_number():
    assert as_it_is(11.0004) == "11.0004"
    assert as_it_is(75437 + 1 / 3) == "75437.3"
    assert as_it_is(-2 / 3 - 4000) == "−4000.7"
    assert as_it_is(11.0) == "11"
    # Rounding, not a number of its own.
    assert as_it_is(11 + 1e-13) == "11"


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ((12.3456789, 12.34491, 12.3461), ("12.3457", "12.3449", "12.3461")),
        ((0.0, 0.0, 0.0), ("0", "0", "0")),
        ((0.25, 0.25, 0.25), ("0.2500000000",) * 3),
        ((-3.2, -3.25, -3.12), ("−3.20", "−3.25", "−3.12")),
        ((5.0, 1.0, 899.0), ("0", "0", "900")),
        ((2e-9, 1.75e-9, 2.25e-9), ("2.0·10⁻⁹", "1.7·10⁻⁹", "2.3·10⁻⁹")),
        ((1.0, -float("inf"), 2.0), ("1", "−∞", "2")),
    ],
)
def test_bounds_leave_as_many_digits_as_are_known(numbers, texts):
    assert within(*numbers) == texts


@given(
    value=st.floats(-1e12, 1e12),
    below=st.floats(0, 1e9),
    above=st.floats(0, 1e9),
)
def test_rounded_bounds_still_hold(value, below, above):
    def read(text):
        digits, _, power = text.replace("−", "-").partition("·10")
        power = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)
        return Decimal(digits).scaleb(power)

    low, high = value - below, value + above
    _, least, most = within(value, low, high)
    assert read(least) <= Decimal(low)
    assert read(most) >= Decimal(high)
