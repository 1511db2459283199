"""Leading eigenpairs of a few hundred rows, and that none of them is passed over."""

import numpy as np
import pytest
from scipy.linalg import lapack

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.eigenpairs import pairs_by_tridiagonal
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram
from kpca_viewer.core.solvers import Problem, choice, few_rows
from tests.core.reference import eigenvalues, gram_matrix, outside

EPS = np.finfo(np.float64).eps


def matrix(values, seed=0):
    n = len(values)
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0]
    A = (Q * values) @ Q.T
    return (A + A.T) / 2


SPECTRA = {
    "smooth": 0.7 ** np.arange(90.0),
    "flat": np.linspace(2, 1, 90),
    "ties": np.repeat([5.0, 4.0, 3.0, 1.0], [3, 4, 20, 63]),
    "of rank three": np.append([9.0, 8.0, 7.0], np.zeros(87)),
    "all alike": np.ones(90),
    "of both signs": np.linspace(3, -4, 90),
}


@pytest.mark.parametrize("values", SPECTRA.values(), ids=SPECTRA)
@pytest.mark.parametrize("size", [1e-80, 1.0, 1e80])
def test_the_leading_pairs_are_those_of_all(values, size):
    A = matrix(values) * size
    found, V = pairs_by_tridiagonal(A, 12)
    scale = 100 * EPS * np.abs(A).max() * len(A)
    np.testing.assert_allclose(found, size * np.sort(values)[:-13:-1], atol=scale)
    np.testing.assert_allclose(A @ V, V * found, atol=scale)
    np.testing.assert_allclose(V.T @ V, np.eye(12), atol=100 * EPS)


def test_a_diagonal_matrix_has_its_axes():
    found, V = pairs_by_tridiagonal(np.diag(np.arange(70.0)), 3)
    assert found.tolist() == [69, 68, 67]
    np.testing.assert_array_equal(np.abs(V[:-4:-1]), np.eye(3))


def test_without_vectors_there_is_nothing(monkeypatch):
    monkeypatch.setattr(lapack, "dstemr", lambda *_, **__: (0, None, None, 22))
    assert pairs_by_tridiagonal(np.eye(70), 3) is None


def solved(values, k, **options):
    gram = MatrixGram(matrix(values), psd=True)
    return few_rows.solve(Problem(gram, k, **options), "few")


@pytest.mark.parametrize("solver", ["dense", "krylov"])
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("k", [1, 3, 4, 12])
@pytest.mark.parametrize("name", ["smooth", "flat", "of rank three"])
def test_bounds_hold_and_are_as_narrow_as_rounding(
    name, k, center, solver, monkeypatch
):
    if solver == "krylov":
        monkeypatch.setattr(few_rows, "DIRECT_UP_TO", 0)
    values = SPECTRA[name]
    found = solved(values, k, center=center)
    assert found.solver == solver
    A = matrix(values)
    if center:
        A = A - A.mean(axis=0)
        A = A - A.mean(axis=1)[:, None]
    truth = np.linalg.eigvalsh((A + A.T) / 2)[::-1]
    assert outside(found, truth) <= 40 * EPS * np.linalg.norm(A)
    assert found.error < 1e-12


def test_what_follows_as_near_as_rounding_is_not_told_apart():
    rest = np.linspace(1, 0.1, 87)
    near = solved(np.append([3.0, 2.0, 2 - 2e-13], rest), 2, center=False)
    assert near is None or not np.isfinite(near.angles[1])
    apart = solved(np.append([3.0, 2.0, 2 - 2e-7], rest), 2, center=False)
    assert apart.error < 1e-12
    assert apart.angles[1] < 1e-5


@pytest.mark.parametrize("kernel", [Kernel("rbf", gamma=0.05), Kernel("laplacian")])
def test_a_flat_spectrum_of_hundreds_of_rows_is_not_decomposed_as_a_whole(kernel):
    X = np.random.default_rng(0).normal(size=(600, 10))
    gram = PointsGram(kernel.points(X), kernel)
    found = choice.solve(Problem(gram, 10, all_values=False))
    assert not found.complete
    assert found.error < 1e-11
    assert outside(found, eigenvalues(gram_matrix(kernel, X))) == 0


@pytest.mark.parametrize("n", [100, 700])
def test_a_kernel_of_few_columns_is_solved_in_its_range(n):
    X = np.random.default_rng(0).normal(size=(n, 4))
    kernel = Kernel("linear")
    gram = PointsGram(kernel.points(X), kernel)
    found = few_rows.solve(Problem(gram, 6), "few")
    assert found.solver == "dense"
    assert outside(found, eigenvalues(gram_matrix(kernel, X))) == 0
    assert found.error < 1e-11
