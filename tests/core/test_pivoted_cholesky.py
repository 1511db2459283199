import numpy as np
import pytest
from scipy.linalg.lapack import dpstrf

from kpca_viewer.core.solvers.lowrank_factor import pivoted_cholesky, sampled_cholesky


def kernel(m, gamma, seed=0):
    X = np.random.default_rng(seed).standard_normal((m, 3))
    return np.exp(-gamma * ((X[:, None] - X) ** 2).sum(axis=2))


@pytest.mark.parametrize("gamma", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("smallest", [1e-9, 1e-3, 0.5])
def test_it_is_that_of_lapack(gamma, smallest):
    A = kernel(60, gamma)
    theirs, order, q, _ = dpstrf(A, lower=1, tol=smallest)
    L, pivots = pivoted_cholesky(A, 60, smallest)
    assert pivots.tolist() == (order[:q] - 1).tolist()
    np.testing.assert_allclose(L, np.tril(theirs[:q, :q]), atol=1e-6)
    np.testing.assert_allclose(L @ L.T, A[np.ix_(pivots, pivots)], atol=1e-14)


def test_no_more_pivots_than_requested():
    A = kernel(20, 10.0)
    L, pivots = pivoted_cholesky(A, 7, 0.0)
    _, all_of_them = pivoted_cholesky(A, 20, 0.0)
    assert L.shape == (7, 7)
    assert pivots.tolist() == all_of_them[:7].tolist()


def test_a_row_that_another_one_repeats_is_no_pivot():
    A = kernel(6, 1.0)[np.ix_([0, 1, 1, 2, 2, 2], [0, 1, 1, 2, 2, 2])]
    _, pivots = pivoted_cholesky(A, 6, 1e-9)
    assert sorted(pivots.tolist()) == [0, 1, 3]


@pytest.mark.parametrize("A", [np.zeros((3, 3)), np.full((3, 3), np.nan)])
def test_nothing_is_left_where_nothing_is(A):
    L, pivots = pivoted_cholesky(A, 3, 0.0)
    assert L.shape == (0, 0)
    assert pivots.shape == (0,)


def test_drawn_pivots_have_their_factor_and_leave_near_twins_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    X[20:] = X[:20] + 1e-9
    A = np.exp(-np.square(X[:, None] - X).sum(axis=2))
    L, order = sampled_cholesky(A, 40, 1e-6, rng)
    np.testing.assert_allclose(L @ L.T, A[np.ix_(order, order)], atol=1e-12)
    assert len(set(order % 20)) == len(order) <= 20
    assert len(sampled_cholesky(A, 5, 1e-6, rng)[1]) == 5


def test_pivots_are_drawn_in_proportion_to_what_is_left():
    rng = np.random.default_rng(0)
    A = np.array([[1.0, 0.8, 0.0], [0.8, 1.0, 0.0], [0.0, 0.0, 1.0]])
    draws = [tuple(sampled_cholesky(A, 3, 0.0, rng)[1]) for _ in range(4000)]
    # After the first, 0.36 of the second is left; the third is as it was.
    assert all(0 in order and 2 in order for order in draws)
    share = np.mean([1 in order for order in draws])
    assert share == pytest.approx(0.36, abs=0.03)
