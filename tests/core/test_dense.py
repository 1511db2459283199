"""How far all eigenpairs are from exact, by random vectors."""

import numpy as np
import pytest

from kpca_viewer import KernelPCA
from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers import dense
from kpca_viewer.core.solvers.centred_operator import Centred
from kpca_viewer.core.solvers.problem import Problem

N = 150


def _errors(A, values, V):
    problem = Problem(MatrixGram(A), len(A), center=False)
    return dense.backward_errors(problem, Centred.of(problem.gram, problem), values, V)


@pytest.mark.parametrize("rank", [1, 5, N])
def test_errors_of_all_pairs_are_bounded_by_random_vectors(rank):
    """Whatever is wrong: one pair or all of them, length or direction."""
    rng = np.random.default_rng(rank)
    for _ in range(20):
        A = rng.standard_normal((N, N))
        A += A.T
        values, V = np.linalg.eigh(A)
        values, V = values[::-1], V[:, ::-1].copy()
        wrong = rng.choice(N, rank, replace=False)
        V[:, wrong] += 1e-3 * rng.standard_normal((N, rank))
        values = values + 1e-2 * np.isin(np.arange(N), wrong)
        moved, skew = _errors(A, values, V)
        true = np.linalg.norm(A - (V * values) @ V.T, 2)
        assert true <= moved <= 15 * true
        true = np.linalg.norm(V.T @ V - np.eye(N), 2)
        assert true <= skew <= 15 * true


def test_vectors_that_are_kept_do_not_hold_on_to_all_others(monkeypatch):
    A = np.random.default_rng(0).standard_normal((N, N))
    monkeypatch.setattr(dense, "FEW_ROWS", 0)
    found = dense.solve_dense(Problem(MatrixGram(A + A.T), 70), "asked for")
    V = found.eigenvectors
    assert (V if V.base is None else V.base).size == V.size == 70 * N


def test_bounds_of_all_components_hold_without_their_residuals():
    """Of a kernel whose eigenvalues are known: copies of a circulant matrix."""
    n = 600
    steps = np.minimum(np.arange(n), n - np.arange(n))
    row = np.exp(-((steps / 12.0) ** 2)) + (steps == 0)
    K = row[(np.arange(n)[:, None] - np.arange(n)) % n]
    true = np.sort(np.fft.fft(row).real)[::-1]
    model = KernelPCA(kernel="precomputed", center=False).fit(K)
    low, high = model.eigenvalue_bounds_.T
    assert len(low) == n
    assert ((low <= true + 1e-15) & (true <= high + 1e-15)).all()
    assert (high - low).max() <= 1e-11 * true[0]
