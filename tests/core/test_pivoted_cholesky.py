import numpy as np
import pytest
from scipy.linalg.lapack import dpstrf

from kpca_viewer.core.solvers.pivoted_cholesky import pivoted_cholesky


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


def test_no_more_pivots_than_wished():
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
