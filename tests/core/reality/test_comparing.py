"""Beyond chance where structure is real, in doubt where a kernel alone made groups."""

import numpy as np
import pytest
from sklearn.datasets import make_circles, make_moons

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.random_baseline import MOST_ROWS, Against, compare
from kpca_viewer.support.errors import Cancelled, DataError

LINE = np.column_stack([np.arange(8.0), np.zeros(8)])


def _compared(X, gamma):
    return compare(X, Kernel("rbf", gamma=gamma), (0, 1))


@pytest.mark.parametrize("gamma", [2.0, 10.0])
def test_rings_are_beyond_both_kinds_of_random_data(gamma):
    X = make_circles(300, factor=0.3, noise=0.05, random_state=0)[0]
    found = _compared(X, gamma)
    assert found.gap.is_seen
    assert [against.null for against in found.against] == ["permuted", "gaussian"]
    assert all(against.shares[found.place] < 0.05 for against in found.against)
    assert found.is_beyond[-1]


@pytest.mark.parametrize("gamma", [0.5, 4.0, 20.0])
def test_moons_are_beyond_both_whatever_the_picture(gamma):
    X = make_moons(150, noise=0.05, random_state=0)[0]
    assert _compared(X, gamma).is_beyond[-1]


def test_a_picture_counts_by_its_rarest_gap():
    measures = np.array([[4.0, 0.5, 1], [1.0, 2.0, 1], [2.0, 0.2, 1], [0.5, 0.1, 1]])
    found = Against("permuted", np.empty((4, 0, 2)), np.array([3.0, 1.0, 2]), measures)
    # Both gaps of the data are second of five; two draws have one that is first.
    assert found.as_rare == 0.5
    np.testing.assert_array_equal(found.shares, [0.25, 0.25, 0])
    assert found.makes_such_gaps


@pytest.mark.parametrize("gamma", [2.0, 3.0, 10.0])
def test_a_gaussian_has_the_gaps_of_points_on_a_line(gamma):
    found = _compared(LINE, gamma)
    (gaussian,) = found.against
    assert gaussian.null == "gaussian"
    assert gaussian.makes_such_gaps
    assert gaussian.shares[found.place] > 0.3
    # One kind alone carries no claim.
    assert not found.is_beyond.any()


def test_one_column_is_as_doubtful_as_a_line_in_a_plane():
    alone, in_plane = _compared(LINE[:, :1], 2.0), _compared(LINE, 2.0)
    # The column of zeros takes no part in either.
    np.testing.assert_array_equal(alone.against[0].shares, in_plane.against[0].shares)


def test_rank_among_random_data_is_even_where_there_is_nothing_else():
    shares = []
    for seed in range(30):
        X = np.random.default_rng(seed).normal(size=(24, 3))
        found = compare(X, Kernel("rbf", gamma=0.2), (0, 1), draws=39)
        shares.append([against.as_rare for against in found.against])
    assert (np.mean(np.array(shares) < 0.05, axis=0) < 0.12).all()
    assert (np.abs(np.mean(shares, axis=0) - 0.5) < 0.13).all()


def test_same_digits_every_time_and_others_for_another_seed():
    X = np.random.default_rng(1).normal(size=(50, 4))
    first, again, other = (
        compare(X, Kernel("rbf", gamma=0.2), (0, 1), draws=9, seed=seed)
        for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first.against[0].drawn, again.against[0].drawn)
    assert not np.array_equal(first.against[0].drawn, other.against[0].drawn)


def test_draws_are_scaled_as_the_data_were():
    X = np.random.default_rng(3).normal(size=(40, 2)) * (1, 1000)
    by_scale = compare(
        X, Kernel("rbf", gamma=1.0), (0, 1), scale=lambda T: T / (1, 1000)
    )
    before = compare(X / (1, 1000), Kernel("rbf", gamma=1.0), (0, 1))
    np.testing.assert_allclose(
        by_scale.against[0].drawn, before.against[0].drawn, atol=1e-9
    )


def test_many_rows_are_sampled():
    X = np.random.default_rng(0).normal(size=(MOST_ROWS + 50, 2))
    found = compare(X, Kernel("rbf", gamma=0.5), (0, 1), draws=2)
    assert len(found.rows) == MOST_ROWS
    assert found.picture.shape == (MOST_ROWS, 2)
    assert found.against[1].drawn.shape == (2, MOST_ROWS, 2)


def test_few_and_equal_rows_are_refused_in_a_sentence():
    with pytest.raises(DataError, match=r"^3 rows have no groups .* open 4 or more\.$"):
        _compared(LINE[:3], 1.0)
    with pytest.raises(DataError, match="All rows are equal"):
        _compared(np.ones((9, 2)), 1.0)


def test_stops_when_nobody_waits():
    with pytest.raises(Cancelled):
        compare(LINE, Kernel("rbf"), (0, 1), should_stop=lambda: True)


def test_stops_between_two_draws():
    told = []
    with pytest.raises(Cancelled):
        compare(
            LINE,
            Kernel("rbf"),
            (0, 1),
            should_stop=lambda: len(told) > 3,
            progress=lambda *done: told.append(done),
        )
    assert len(told) == 4
