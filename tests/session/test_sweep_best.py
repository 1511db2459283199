"""The best value of a sweep: marked where it stands out, and nowhere else."""

import numpy as np
import pytest

from kpca_viewer.engine.sweep.point import best_index, find_best


@pytest.mark.parametrize(
    ("values", "better", "best"),
    [
        ([1, 3, 2], "high", 1),
        ([1, 3, 2], "low", 0),
        ([1, 3, 2], "neither", None),
        ([None, None], "high", None),
        ([None, 5, None], "high", 1),
        ([0.5, 1, 1, 1, 0.4], "high", 2),
        ([1, 0, 1, 1, 1, 0], "high", 3),
        ([0.9, 0.9991, 1, 0.2], "high", 1),
    ],
)
def test_the_best_is_the_middle_of_a_plateau(values, better, best):
    assert best_index(values, better) == best


def test_a_grid_has_no_plateau():
    assert best_index([0, 1, 1, 1], "high", in_line=False) == 1


@pytest.mark.parametrize(
    ("values", "place", "why"),
    [
        ([0.5, 0.9, 0.6], 1, ""),
        ([0.5, 0.9, 0.9, 0.9, 0.6], 2, ""),
        # The highest of some noise.
        ([0.80, 0.82, 0.81, 0.79], None, "flat"),
        # Who knows what comes behind the range?
        ([0.5, 0.6, 0.7, 0.9], None, "edge"),
        ([0.9, 0.9, 0.9, 0.5], None, "open"),
        ([0.5, 0.9, 0.87, 0.88], None, "open"),
        ([0.5, 0.9, 0.87, np.nan, 0.6], 1, ""),
        ([0.2, 0.36, 0.1], None, "chance"),
        ([0.9], None, ""),
        ([np.nan, np.nan], None, ""),
    ],
)
def test_the_curve_leaves_the_error_band_of_the_best_on_either_side(values, place, why):
    line = np.array([values])
    assert find_best(line, np.full(line.shape, 0.05), "high", floor=1 / 3) == (
        place,
        why,
    )


def test_without_errors_a_difference_counts_that_can_be_read():
    nothing = np.zeros((1, 3))
    assert find_best(np.array([[2e-7, 1e-7, 3e-7]]), nothing, "low") == (1, "")
    assert find_best(np.array([[0.8, 0.8001, 0.8]]), nothing, "high") == (
        None,
        "flat",
    )
    assert find_best(np.array([[1.0, 2.0, 1.0]]), nothing, "neither") == (None, "")


def test_kernels_have_no_edge_but_have_to_be_clear_of_all_others():
    widths, beside = np.full((1, 3), 0.05), (True, False)
    assert find_best(np.array([[0.5, 0.6, 0.9]]), widths, "high", beside) == (2, "")
    assert find_best(np.array([[0.5, 0.88, 0.9]]), widths, "high", beside) == (
        None,
        "flat",
    )


def test_a_grid_stands_out_along_both_of_its_parameters():
    peak = np.array([[0.5, 0.5, 0.5], [0.5, 0.9, 0.5], [0.5, 0.5, 0.5]])
    widths = np.full(peak.shape, 0.05)
    assert find_best(peak, widths, "high") == (4, "")
    assert find_best(peak[:2], widths[:2], "high") == (None, "edge")
    ridge = np.tile(peak[1], (3, 1))
    assert find_best(ridge, widths, "high") == (None, "flat")
