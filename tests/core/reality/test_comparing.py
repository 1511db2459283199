"""Quiet where groups are real, in doubt where the kernel alone has made them."""

import numpy as np
import pytest
from sklearn.datasets import make_circles, make_moons

from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.reality.comparing import MOST_ROWS, Reality, compare
from kpca_viewer.core.reality.gaps import Gap
from kpca_viewer.support.errors import Cancelled, DataError

LINE = np.column_stack([np.arange(8.0), np.zeros(8)])


def _compared(X, gamma, null="permuted"):
    return compare(X, Kernel("rbf", gamma=gamma), (0, 1), null)


@pytest.mark.parametrize("null", ["permuted", "gaussian"])
@pytest.mark.parametrize("gamma", [2.0, 10.0])
def test_quiet_on_rings(gamma, null):
    X = make_circles(300, factor=0.3, noise=0.05, random_state=0)[0]
    found = _compared(X, gamma, null)
    assert found.gap.is_seen
    assert found.as_wide < 0.05
    assert found.doubted is None


@pytest.mark.parametrize("null", ["permuted", "gaussian"])
@pytest.mark.parametrize("gamma", [0.5, 4.0, 20.0])
def test_quiet_on_moons(gamma, null):
    X = make_moons(300, noise=0.05, random_state=0)[0]
    assert _compared(X, gamma, null).doubted is None


def test_bands_of_moons_lie_farther_apart_than_in_random_data():
    X = make_moons(300, noise=0.05, random_state=0)[0]
    found = _compared(X, 4.0, "gaussian")
    between, widths = found.gaps[-1], found.widths[:, -1]
    assert (widths >= between.width).mean() < 0.05


def test_a_picture_counts_by_its_rarest_gap():
    gaps = (Gap(0, 3.0, True), Gap(1, 1.0, False))
    widths = np.array([[4.0, 0.5], [1.0, 2.0], [2.0, 0.2], [0.5, 0.1]])
    nothing = np.empty((4, 0, 2))
    found = Reality("permuted", (0, 1), nothing, nothing, nothing, gaps, widths)
    # Both gaps of the data are second of five; two draws have one that is first.
    assert found.as_rare == 0.5
    assert found.as_wide == 0.25
    assert found.is_chance
    assert found.doubted is gaps[0]
    assert found.gap is gaps[0]


@pytest.mark.parametrize("gamma", [2.0, 3.0, 10.0])
def test_in_doubt_about_points_on_a_line(gamma):
    found = _compared(LINE, gamma)
    assert found.null == "gaussian"
    assert found.doubted is not None
    assert found.as_wide > 0.3


def test_one_column_is_as_doubtful_as_a_line_in_a_plane():
    alone, in_plane = _compared(LINE[:, :1], 2.0), _compared(LINE, 2.0)
    assert alone.doubted is not None
    # The column of zeros takes no part in either.
    assert alone.as_wide == in_plane.as_wide


@pytest.mark.parametrize("seed", range(4))
def test_in_doubt_about_uniform_squares(seed):
    X = np.random.default_rng(seed).random((30, 2))
    found = _compared(X, 40.0)
    assert found.doubted is not None
    assert found.as_rare > 0.05


def test_in_doubt_about_noise_but_for_one_table_in_twenty():
    seen = quiet = 0
    for seed in range(80):
        X = np.random.default_rng(seed).normal(size=(24, 5))
        found = compare(X, Kernel("rbf", **suggested_values("rbf", X)), (0, 1))
        seen += found.gap.is_seen
        quiet += found.gap.is_seen and found.doubted is None
    assert seen > 40
    # 5 % of 80, and at most two standard deviations more.
    assert quiet <= 8


def test_rank_among_random_data_is_even_where_there_is_nothing_else():
    shares = []
    for seed in range(80):
        X = np.random.default_rng(seed).normal(size=(40, 3))
        found = compare(X, Kernel("rbf", gamma=0.2), (0, 1), draws=39)
        shares.append(found.as_rare)
    assert np.mean(np.array(shares) < 0.05) < 0.12
    assert abs(np.mean(shares) - 0.5) < 0.13


def test_same_digits_every_time_and_others_for_another_seed():
    X = np.random.default_rng(1).normal(size=(50, 4))
    first, again = _compared(X, 0.2), _compared(X, 0.2)
    np.testing.assert_array_equal(first.drawn, again.drawn)
    other = compare(X, Kernel("rbf", gamma=0.2), (0, 1), seed=1)
    assert not np.array_equal(first.drawn, other.drawn)


def test_draws_are_scaled_as_the_data_were():
    X = np.random.default_rng(3).normal(size=(40, 2)) * (1, 1000)
    by_scale = compare(
        X, Kernel("rbf", gamma=1.0), (0, 1), scale=lambda T: T / (1, 1000)
    )
    before = compare(X / (1, 1000), Kernel("rbf", gamma=1.0), (0, 1))
    np.testing.assert_allclose(by_scale.drawn, before.drawn, atol=1e-9)


def test_many_rows_are_sampled():
    X = np.random.default_rng(0).normal(size=(MOST_ROWS + 50, 2))
    found = compare(X, Kernel("rbf", gamma=0.5), (0, 1), draws=2)
    assert len(found.rows) == MOST_ROWS
    assert found.picture.shape == (MOST_ROWS, 2)
    assert found.drawn.shape == (2, MOST_ROWS, 2)


def test_few_and_equal_rows_are_refused_in_a_sentence():
    with pytest.raises(DataError, match=r"^3 rows have no groups .* open 4 or more\.$"):
        _compared(LINE[:3], 1.0)
    with pytest.raises(DataError, match="All rows are equal"):
        _compared(np.ones((9, 2)), 1.0)


def test_stops_when_nobody_waits():
    with pytest.raises(Cancelled):
        compare(LINE, Kernel("rbf"), (0, 1), should_stop=lambda: True)
