"""Numbers are read as people write them and written as people read them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.support.numerals import editable
from kpca_viewer.widgets.controls.number_field import parse_number
from kpca_viewer.widgets.controls.value_slider import SliderScale

GAMMA = Parameter("gamma", "γ", "Gamma", 1e-4, 1e4, 1.0, "log")
SAMPLES = Parameter("samples", "n", "Samples", 3, 20_000, 400, "integer")
DEGREE = Parameter("degree", "p", "Degree", 1, 10, 3, "integer")
NOISE = Parameter("noise", "", "Noise", 0.0, 0.5, 0.05)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (10, "10"),
        (2.5, "2.5"),
        (0.30000000000000004, "0.3"),
        (0.123456, "0.1235"),
        (123456, "123456"),
        (12345.678, "12350"),
        (0.001, "0.001"),
        (0.00012345, "1.234e-4"),
        (1e-7, "1e-7"),
        (-1.5e-7, "-1.5e-7"),
        (2e6, "2e6"),
        (999_999.9, "1e6"),
        (float("inf"), "inf"),
    ],
)
def test_format(value, text):
    assert editable(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("0.5", 0.5),
        ("0,5", 0.5),
        (",5", 0.5),
        ("1,5e-3", 0.0015),
        ("1.234,5", 1234.5),
        ("1,234.5", 1234.5),
        ("1,234,567", 1_234_567),
        ("1.234.567", 1_234_567),
        ("2 000", 2000),
        ("−3", -3),
        ("1,000", 1.0),
        ("1E5", 1e5),
    ],
)
def test_parse(text, value):
    assert parse_number(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "-", "1e", "abc", "nan", "inf", "1..2", "1e999"])
def test_what_is_no_number(text):
    assert parse_number(text) is None


@pytest.mark.parametrize(
    ("text", "value"), [("2,000", 2000), ("2.000", 2000), ("400", 400), ("1e3", 1000)]
)
def test_whole_numbers_have_thousands(text, value):
    assert parse_number(text, integer=True) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_shown_can_be_typed(value):
    text = editable(value)
    if abs(value) < 1e308:
        assert parse_number(text) == pytest.approx(value, rel=1e-3, abs=1e-300)


@pytest.mark.parametrize("parameter", [GAMMA, SAMPLES, DEGREE, NOISE])
def test_scale_there_and_back(parameter):
    scale = SliderScale(parameter)
    values = [scale.value(position) for position in range(scale.last + 1)]
    assert values[0] == parameter.low
    assert values[-1] == parameter.high
    assert values == sorted(values)
    assert scale.position(parameter.low - 1) == 0
    assert scale.position(parameter.high + 1) == scale.last
    for position, value in enumerate(values):
        again = scale.value(scale.position(value))
        if parameter.scale == "integer":
            assert again == pytest.approx(value, rel=0.01)
            assert value == int(value)
        else:
            assert abs(scale.position(value) - position) <= 1


def test_logarithmic_middle():
    assert SliderScale(GAMMA).value(500) == pytest.approx(1.0)
    assert SliderScale(SAMPLES).value(500) == pytest.approx(math.sqrt(3 * 20_000), 0.01)


def test_small_whole_ranges_have_a_position_each():
    scale = SliderScale(DEGREE)
    assert [scale.value(position) for position in range(scale.last + 1)] == [
        *range(1, 11)
    ]


@pytest.mark.parametrize("parameter", [GAMMA, SAMPLES, DEGREE, NOISE])
def test_a_step_always_moves(parameter):
    scale = SliderScale(parameter)
    value = parameter.low
    for _ in range(20):
        following = scale.stepped(value, 1)
        assert following > value
        assert scale.stepped(following, -1) < following
        value = following


def test_a_step_is_two_percent_of_the_range():
    assert SliderScale(NOISE).stepped(0.1, 1) == pytest.approx(0.11)
    assert SliderScale(GAMMA).stepped(1.0, 1) == pytest.approx(1e8**0.02, rel=0.01)
