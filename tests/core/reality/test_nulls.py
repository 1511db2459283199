"""Random data keep what they are said to keep, and nothing else."""

import numpy as np
import pytest

from kpca_viewer.core.methods.random_baseline import draws_of, nulls_of

X = np.random.default_rng(4).normal(size=(60, 3)) @ np.array(
    [[1.0, 0.9, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 2.0]]
)


def test_permuted_columns_keep_their_values_and_lose_each_other():
    (drawn,) = draws_of(X, "permuted", 1)
    np.testing.assert_array_equal(np.sort(drawn, axis=0), np.sort(X, axis=0))
    assert np.corrcoef(X.T)[0, 1] > 0.8
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.35


def test_gaussian_keeps_mean_and_covariance_on_average():
    drawn = list(draws_of(X, "gaussian", 400))
    means = np.array([table.mean(axis=0) for table in drawn])
    spread = np.cov(X.T, bias=True)
    error = np.sqrt(np.diagonal(spread) / len(X) / len(drawn))
    assert (np.abs(means.mean(axis=0) - X.mean(axis=0)) < 4 * error).all()
    around = [(t - X.mean(axis=0)).T @ (t - X.mean(axis=0)) / len(t) for t in drawn]
    np.testing.assert_allclose(np.mean(around, axis=0), spread, atol=0.1)


@pytest.mark.parametrize("null", ["permuted", "gaussian"])
def test_a_draw_is_the_same_however_many_there_are(null):
    few = list(draws_of(X, null, 2, seed=7))
    more = list(draws_of(X, null, 5, seed=7))
    np.testing.assert_array_equal(few[1], more[1])
    assert not np.array_equal(few[0], few[1])
    other = next(draws_of(X, null, 1, seed=8))
    assert not np.array_equal(few[0], other)


def test_one_column_that_varies_is_not_permuted():
    assert nulls_of(X) == ("permuted", "gaussian")
    assert nulls_of(X[:, :1]) == ("gaussian",)
    line = np.column_stack([np.arange(8.0), np.full(8, 1e6)])
    assert nulls_of(line) == ("gaussian",)


def test_a_gaussian_keeps_the_values_of_a_grid_and_what_goes_with_them():
    counts = np.column_stack([np.round(X[:, 0]), X[:, 1]])
    grid = np.array([True, False])
    drawn = next(draws_of(counts, "gaussian", 1, grid=grid))
    np.testing.assert_array_equal(np.sort(drawn[:, 0]), np.sort(counts[:, 0]))
    assert not np.isin(drawn[:, 1], counts[:, 1]).any()
    assert np.corrcoef(drawn.T)[0, 1] > 0.6
