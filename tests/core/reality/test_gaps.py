"""Widths of gaps, by pictures whose gaps are known."""

import numpy as np
import pytest

from kpca_viewer.core.methods.gaps import empty_middle, find_gaps


def _two_lumps(distance, count=20):
    """Two squares of points, ``distance`` apart along the first axis."""
    side = np.array([(x, y) for x in range(5) for y in range(count // 5)], dtype=float)
    return np.vstack([side, side + np.array([4 + distance, 0])])


def test_gap_along_a_component_is_in_its_standard_deviations():
    scores = np.array([0.0, 1, 2, 7, 8, 9])[:, None]
    (gap,) = find_gaps(scores, [3])
    assert gap.component == 3
    assert gap.width == pytest.approx(5 / scores.std())
    assert gap.is_seen


def test_gap_of_a_picture_is_in_distances_between_neighbours():
    *along, between = find_gaps(_two_lumps(6.0), [0, 1])
    assert [gap.component for gap in (*along, between)] == [0, 1, None]
    assert between.width == pytest.approx(6.0)
    assert between.is_seen


def test_evenly_spaced_points_have_no_gap_that_is_seen():
    grid = np.array([(x, y) for x in range(8) for y in range(8)], dtype=float)
    between = find_gaps(grid, [0, 1])[-1]
    assert between.width <= 1.0
    assert not between.is_seen


def test_one_row_far_out_makes_no_groups():
    scores = np.vstack([_two_lumps(1.0), [(500.0, 500.0)]])
    *along, between = find_gaps(scores, [0, 1])
    assert not any(gap.is_seen for gap in (*along, between))
    assert between.width < 2


def test_ring_around_a_lump_is_a_gap_in_no_direction():
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    *along, between = find_gaps(np.vstack([ring, 0.2 * ring]), [0, 1])
    assert not any(gap.is_seen for gap in along)
    assert between.is_seen


def test_equal_rows_have_no_gap():
    assert [gap.width for gap in find_gaps(np.ones((9, 2)), [0, 1])] == [0, 0, 0]


def test_rows_in_two_places_are_as_far_apart_as_can_be():
    scores = np.repeat([[0.0, 0.0], [1.0, 0.0]], 5, axis=0)
    between = find_gaps(scores, [0, 1])[-1]
    assert between.is_seen
    assert np.isfinite(between.width)


def test_a_component_that_is_rounding_has_no_gap():
    scores = np.column_stack([np.arange(8.0), 1e-9 * np.repeat([0.0, 1.0], 4)])
    assert find_gaps(scores, [0, 1])[1].width == 0


def test_the_middle_of_a_ring_is_empty_and_that_of_a_lump_is_not():
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    ring = 3 + np.column_stack([np.cos(angles), np.sin(angles)])
    assert empty_middle(ring) == pytest.approx(1.0)
    lump = np.random.default_rng(0).normal(size=(60, 2))
    assert empty_middle(lump) < 0.4
    assert empty_middle(np.ones((9, 2))) == 0
    assert empty_middle(np.ones((60, 2))) == 0
    # A long ring is as empty as a round one, unless rows are too few to tell that.
    long = ring @ [[5.0, 4.0], [0.0, 1.0]]
    assert empty_middle(long) == pytest.approx(1.0)
    assert empty_middle(long[::4]) < 0.5
    line = np.outer(np.arange(60.0), [1.0, 2.0])
    assert empty_middle(line) == pytest.approx(empty_middle(line[:, :1]))
