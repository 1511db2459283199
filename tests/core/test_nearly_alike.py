"""Rows that are almost alike: what centring leaves of K is a difference of its digits.

For ``γ r² → 0`` an RBF kernel is ``1 − γ r²``, whose centred matrix is that of the
linear kernel times 2γ. The next term is smaller by ``γ r²``.
"""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import Problem, lowrank, onepass
from kpca_viewer.core.solvers.blocks import array_blocks, look
from kpca_viewer.core.solvers.row_stream import decompose

RBF = Kernel("rbf", gamma=1.0)
SCALES = [1e-5, 1e-6, 3e-7, 1e-7, 5e-8, 2e-8, 1e-9]


def rows_of(n, scale, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2)) * scale


def truth_of(X):
    exact = X.astype(np.longdouble)
    exact -= exact.mean(axis=0)
    return 2 * np.linalg.eigvalsh((exact.T @ exact).astype(np.float64))[::-1]


def streamed(X):
    blocks = array_blocks(X, len(X) // 4)
    seen = look(blocks)
    return decompose(blocks, seen.n, seen.sample, RBF, 2).decomposition


def of_problem(X, tol):
    return Problem(PointsGram(RBF.points(X, center=True), RBF), 2, tol=tol)


WAYS = {
    "blocks": streamed,
    "one pass": lambda X: onepass.solve(of_problem(X, 1e-3), 100),
    "factor": lambda X: lowrank.solve(of_problem(X, 1e-6), 100, may_give_up=False),
}


@pytest.mark.journey
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("way", WAYS)
def test_a_bound_knows_what_centring_has_cancelled(way, scale):
    X = rows_of(60_000, scale)
    truth = truth_of(X)
    found = WAYS[way](X)
    slack = 100 * scale**2
    assert (found.bounds[:, 0] <= truth * (1 + slack)).all()
    assert (truth * (1 - slack) <= found.bounds[:, 1]).all()
    assert found.eigenvalues.sum() <= found.trace * (1 + 1e-12)


def test_few_rows_that_rounding_makes_alike_are_decomposed():
    for scale in (3e-8, 1e-8, 3e-9):
        for n in (3, 10, 50):
            X = rows_of(n, scale, seed=3)
            found = streamed(np.concatenate((X, X)))
            assert np.isfinite(found.bounds).all()


def far_from_the_origin():
    X = np.random.default_rng(1).normal(size=(60, 5)) * 1e-4 + 1
    kernel = Kernel("poly", gamma=1e8, degree=2, coef0=10.0)
    product = 1e8 * (X.astype(np.longdouble) @ X.astype(np.longdouble).T) + 10
    K = product**2
    K -= K.mean(axis=0)
    K -= K.mean(axis=1, keepdims=True)
    return X, kernel, np.linalg.eigvalsh(K.astype(np.float64))[::-1]


def two_directions():
    X = np.where(np.arange(60) % 3 > 0, 2.0, -5.0)[:, None]
    # Cosines of 1 and −1, a third of the rows on one side.
    return X, Kernel("cosine"), np.array([60 * (1 - 1 / 9)])


@pytest.mark.journey
@pytest.mark.parametrize("rows", [far_from_the_origin, two_directions])
def test_sums_over_many_equal_rows_are_as_good_as_their_bounds(rows):
    # So many times the same rows, so many times the eigenvalues.
    X, kernel, truth = rows()
    times = 2000
    X, truth = np.tile(X, (times, 1)), times * truth
    problem = Problem(PointsGram(kernel.points(X, center=True), kernel), 1, tol=1e-3)
    found = onepass.solve(problem, 100)
    blocks = array_blocks(X, 30_000)
    seen = look(blocks)
    there = decompose(blocks, seen.n, seen.sample, kernel, 1).decomposition
    for low, high in (found.bounds[0], there.bounds[0]):
        assert low <= truth[0] * (1 + 1e-12)
        assert truth[0] * (1 - 1e-12) <= high
