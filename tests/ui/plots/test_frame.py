import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpca_viewer.widgets.plots.frame import (
    Frame,
    fitted_range,
    nice_ticks,
    unit_of,
)


def test_corners_of_the_range_are_corners_of_the_rectangle():
    frame = Frame(10, 20, 300, 200, (-1.0, 2.0), (0.0, 4.0))
    pixels = frame.to_pixels(np.array([[-1.0, 0.0], [2.0, 4.0]]))
    np.testing.assert_allclose(pixels, [[10, 220], [310, 20]])
    np.testing.assert_allclose(frame.to_data(pixels), [[-1, 0], [2, 4]])


@given(
    st.floats(-1e6, 1e6),
    st.floats(1e-6, 1e6),
    st.integers(2, 8),
)
def test_ticks_are_round_inside_and_about_as_many_as_requested(low, extent, count):
    high = low + extent
    if high - low < 1e-6 * abs(low):
        return
    ticks = nice_ticks(low, high, count)
    assert max(2, count / 2 - 1) <= len(ticks) <= 2 * count + 2
    assert (ticks >= low - 1e-6 * extent).all()
    assert (ticks <= high + 1e-6 * extent).all()
    mantissa = float(f"{ticks[1] - ticks[0]:.3e}".split("e")[0])
    assert mantissa in (1.0, 2.0, 5.0)


def test_ranges_leave_air_and_survive_poor_data():
    low, high = fitted_range(np.array([0.0, 10.0, np.nan, np.inf]))
    assert low < 0 < 10 < high < 12
    low, high = fitted_range(np.array([3.0, 3.0]))
    assert low < 3 < high
    assert fitted_range(np.array([np.nan])) == (-1.0, 1.0)
    assert fitted_range(np.zeros(4))[0] < 0


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ([0.0], 1),
        ([3.0, -900.0], 1),
        ([2e15, -3e7], 1e15),
        ([4e-9], 1e-9),
        # No digits are left for a unit, and the axis is that of one value.
        ([4e-319], 1),
    ],
)
def test_only_extreme_values_are_drawn_in_a_unit_of_their_own(values, unit):
    assert unit_of(np.array([*values, np.nan])) == pytest.approx(unit)
