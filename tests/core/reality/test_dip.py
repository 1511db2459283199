"""The dip test, and the groups that columns have on their own."""

import numpy as np
import pytest

from kpca_viewer.core.methods.gaps import column_groups, dip, dip_p, spread_over_grid


def test_dip_is_that_of_the_package_diptest():
    random = np.random.default_rng(5)
    two = random.random(30), random.normal(size=101)
    bumps = np.r_[random.normal(size=25), 4 + random.normal(size=40)]
    tables = *two, bumps, random.exponential(size=64)
    known = 0.080632316, 0.041938745, 0.041293671, 0.036854545
    assert [dip(values) for values in tables] == pytest.approx(known, abs=1e-9)


def test_p_is_uniform_at_the_level_and_small_for_two_modes():
    random = np.random.default_rng(0)
    even = [dip_p(random.random(60)) for _ in range(200)]
    assert 0.01 <= np.mean(np.array(even) < 0.05) <= 0.1
    normal = [dip_p(random.normal(size=60)) for _ in range(50)]
    assert np.mean(np.array(normal) < 0.05) <= 0.05
    two = np.r_[random.normal(size=20), 10 + random.normal(size=20)]
    assert dip_p(two) == pytest.approx(1e-5)
    assert dip_p(np.arange(3.0)) == 1


def test_groups_of_columns_are_counted_and_grids_have_none():
    random = np.random.default_rng(1)
    X = random.normal(size=(90, 4))
    X[:45, 0] += 10
    X[:30, 1] += 20
    X[30:60, 1] += 10
    X[:, 3] = random.integers(0, 2, 90)
    found = column_groups(X)
    assert found.groups.tolist() == [2, 3, 1, 1]
    assert found.p[0] < 1e-3 < found.p[2]
    assert found.values.tolist() == [0, 0, 0, 2]
    assert found.places == 90
    # Rounding makes no groups.
    rounded = np.round(random.normal(size=(400, 1)), 1)
    assert column_groups(rounded).groups.tolist() == [1]


def test_a_grid_that_is_spread_has_as_many_rows_everywhere():
    X = np.repeat([[0.0, 5.0], [1.0, 6.0]], 50, axis=0)
    spread = spread_over_grid(X, np.array([True, False]))
    assert np.ptp(np.diff(np.sort(spread[:, 0]))) < 0.2
    np.testing.assert_array_equal(spread[:, 1], X[:, 1])
