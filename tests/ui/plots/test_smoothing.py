"""Lines that are round where the polyline through the same points has corners."""

import numpy as np
import pytest

from kpca_viewer.ui.plots.scatter.isolines import contours
from kpca_viewer.ui.plots.scatter.smoothing import smoothed

X, Y = np.linspace(-2.0, 2.0, 40), np.linspace(-1.2, 1.2, 25)
PLANE_X, PLANE_Y = np.meshgrid(X, Y)


def sagging(line, radius):
    """How far a polyline leaves its circle, in the middle of its sides too."""
    dense = np.vstack((line, (line[:-1] + line[1:]) / 2))
    return np.abs(np.hypot(*dense.T) - radius).max()


def corners(line):
    """The angles by which a line turns from side to side."""
    sides = np.diff(line, axis=0)
    angle = np.unwrap(np.arctan2(sides[:, 1], sides[:, 0]))
    return np.abs(np.diff(angle))


def test_a_ring_of_few_points_becomes_round():
    angle = np.linspace(0, 2 * np.pi, 13)
    ring = np.column_stack((np.cos(angle), np.sin(angle)))
    ring[-1] = ring[0]
    [bent] = smoothed([ring])
    np.testing.assert_array_equal(bent[0], bent[-1])
    assert sagging(bent, 1.0) < sagging(ring, 1.0) / 4
    assert corners(bent).max() < corners(ring).max() / 2


@pytest.mark.parametrize("radius", [0.3, 0.55, 0.9])
def test_isolines_of_a_smooth_field_are_truer_and_rounder(radius):
    # A bell is what most kernels make of a point.
    bell, level = np.exp(-3 * (PLANE_X**2 + PLANE_Y**2)), np.exp(-3 * radius**2)
    [(_, [straight])] = contours(bell, X, Y, [level])
    [(_, [curved])] = contours(bell, X, Y, [level], curved=True)
    np.testing.assert_array_equal(curved[0], curved[-1])
    assert sagging(curved, radius) < sagging(straight, radius) / 3
    assert corners(curved).max() < corners(straight).max() / 2


def test_lines_beside_missing_values_are_straight_there_and_stay():
    bell = np.exp(-3 * (PLANE_X**2 + PLANE_Y**2))
    bell[12, 20] = np.nan
    [(_, lines)] = contours(bell, X, Y, [0.8], curved=True)
    assert lines
    assert all(np.isfinite(line).all() for line in lines)


def test_the_ends_of_an_open_line_stay_and_a_straight_one_stays_straight():
    line = np.column_stack((np.linspace(0, 1, 7) ** 2, np.linspace(0, 2, 7) ** 2))
    [bent] = smoothed([line])
    np.testing.assert_array_equal(bent[[0, -1]], line[[0, -1]])
    np.testing.assert_allclose(bent[:, 1], 2 * 2 * bent[:, 0], atol=1e-12)
    assert (np.diff(bent[:, 0]) > 0).all()


def test_points_that_nearly_coincide_make_no_knot():
    line = np.array([[0, 0], [1, 0], [1 + 1e-9, 1e-9], [2, 0.2], [3, 0.5], [3, 0.5]])
    [bent] = smoothed([line])
    assert np.isfinite(bent).all()
    assert corners(bent[:-1]).max() < 0.3


def test_lines_are_bent_each_for_itself():
    angle = np.linspace(0, 2 * np.pi, 9)
    ring = np.column_stack((np.cos(angle), np.sin(angle)))
    ring[-1] = ring[0]
    arc, side = ring[:4] + 5, np.array([[0.0, 9.0], [1.0, 9.0]])
    together = smoothed([arc, ring, side, ring + 3])
    for line, bent in zip((arc, ring, side, ring + 3), together, strict=True):
        [alone] = smoothed([line])
        np.testing.assert_allclose(bent, alone, atol=1e-12)
    assert smoothed([]) == []


def test_a_line_that_is_a_point_stays_one():
    line = np.full((5, 2), 0.25)
    [bent] = smoothed([line])
    np.testing.assert_array_equal(bent, np.full((len(bent), 2), 0.25))
