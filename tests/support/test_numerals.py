"""Numbers that stand in sentences."""

import pytest

from kpca_viewer.support.numerals import readable


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
        (float("inf"), 4, "inf"),
        (float("-inf"), 4, "−inf"),
    ],
)
def test_a_number_as_people_write_it(value, digits, text):
    assert readable(value, digits) == text
