"""Rows that are almost alike: what centring leaves of K is a difference of its digits.

For ``γ r² → 0`` an RBF kernel is ``1 − γ r²``, whose centred matrix is that of the
linear kernel times 2γ. The next term is smaller by ``γ r²``.
"""

import numpy as np
import pytest

from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers import Problem, lowrank, onepass
from kpca_viewer.core.streaming import array_blocks, decompose, look

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
