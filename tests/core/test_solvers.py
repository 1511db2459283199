"""Which solver, why, in which words; warm starts, hand-overs and odd inputs."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import eigenpairs
from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers import (
    Problem,
    choice,
    choose,
    dense,
    solve,
)
from kpca_viewer.support.errors import SolverError
from tests.core.reference import (
    circles,
    decompose,
    eigenvalues,
    gram_matrix,
    outside,
    same_up_to_sign,
)

RBF = Kernel("rbf", gamma=2)
RNG = np.random.default_rng(0)


class Sized:
    """A Gram matrix of which only the outside is looked at."""

    dtype = np.dtype(np.float64)

    def __init__(self, n, psd=True, formed=False):
        self.n, self.psd, self._formed = n, psd, formed

    def has_matrix(self):
        return self._formed


@pytest.mark.parametrize(
    ("gram", "options", "solver", "words"),
    [
        (Sized(200), {}, "dense", "few points"),
        (Sized(999), {}, "dense", "few points"),
        (Sized(200), {"tol": 1e-3}, "dense", "few points"),
        (Sized(999), {"tol": 1e-6}, "lowrank", "smooth kernel"),
        (Sized(1000), {}, "lowrank", "smooth kernel"),
        (Sized(1000), {"k": 500}, "dense", "many components"),
        (Sized(100_000), {"k": 50_000}, "lowrank", "smooth kernel"),
        (Sized(1500, psd=False), {}, "dense", "may be indefinite"),
        (Sized(1500, psd=False), {"preview": True}, "krylov", "may be indefinite"),
        (Sized(3000, psd=False), {}, "krylov", "may be indefinite"),
        (Sized(3000, formed=True), {}, "krylov", "matrix is given"),
    ],
)
def test_choice(gram, options, solver, words):
    name, reason = choose(Problem(gram, **{"k": 5, **options}))
    assert name == solver
    assert words in reason


def test_every_solver_finds_the_same():
    X, _ = circles(300)
    truth = decompose(X, RBF, solver="dense")
    for solver in ("auto", "arpack", "randomized", "krylov", "lowrank"):
        found = decompose(X, RBF, solver=solver, tol=1e-10)
        np.testing.assert_allclose(found.eigenvalues, truth.eigenvalues, rtol=1e-7)
        assert same_up_to_sign(found.eigenvectors, truth.eigenvectors, 1e-4)
        own = "krylov" if solver in choice.IN_PLACE_OF else solver
        assert own in ("auto", found.solver)


def test_unknown_solver():
    with pytest.raises(SolverError, match="no solver 'qr'; choose one of auto, dense"):
        decompose(np.eye(3), RBF, 1, "qr")


def test_lowrank_refuses_indefinite_kernels():
    with pytest.raises(SolverError, match=r"semi-definite.*dense or the Krylov"):
        decompose(np.eye(3), Kernel("sigmoid"), 1, "lowrank")


def test_arpack_finds_every_copy_of_an_eigenvalue():
    X = np.repeat(np.arange(12.0)[:, None] * 100, 5, axis=0)
    found = decompose(X, Kernel("rbf", gamma=1), 10, "arpack")
    np.testing.assert_allclose(found.eigenvalues, 5, rtol=1e-12)


@pytest.mark.parametrize("solver", ["dense", "krylov"])
@pytest.mark.parametrize("center", [True, False])
def test_a_matrix_of_zeros(solver, center):
    K = np.ones((12, 12)) if center else np.zeros((12, 12))
    result = solve(Problem(MatrixGram(K), 3, center=center), solver)
    np.testing.assert_allclose(result.eigenvalues, 0, atol=1e-14)
    assert np.isfinite(result.eigenvectors).all()
    assert np.isfinite(result.bounds).all()
    assert result.error >= 0


@pytest.mark.parametrize("solver", ["dense", "lowrank", "krylov"])
def test_identical_points(solver):
    result = decompose(np.ones((20, 2)), RBF, 3, solver)
    np.testing.assert_allclose(result.eigenvalues, 0, atol=1e-12)
    assert outside(result, np.zeros(3)) == 0


def test_lowrank_of_points_at_the_origin():
    result = decompose(np.zeros((20, 2)), Kernel("linear"), 3, "lowrank")
    assert result.rank == 0
    assert not result.eigenvalues.any()
    assert result.error == 0
    assert "0 landmarks" in result.reason


def test_krylov_that_would_be_the_whole_space_is_dense():
    result = decompose(RNG.normal(size=(20, 3)), RBF, 15, "krylov")
    assert result.solver == "dense"
    assert "whole space" in result.reason


def test_dense_in_its_own_process_agrees(monkeypatch):
    X, _ = circles(300)
    monkeypatch.setattr(eigenpairs, "OWN_PROCESS_FROM", 300)
    monkeypatch.setattr(dense, "FEW_ROWS", 0)
    truth = eigenvalues(gram_matrix(RBF, X))
    result = decompose(X, RBF, 3, "dense")
    np.testing.assert_allclose(result.spectrum[:20], truth[:20], rtol=1e-9)
    assert outside(result, truth) == 0


def test_dense_says_why_its_process_ended(monkeypatch, tmp_path):
    X, _ = circles(40)
    monkeypatch.setattr(eigenpairs, "OWN_PROCESS_FROM", 0)
    monkeypatch.setattr(dense, "FEW_ROWS", 0)
    truth = eigenvalues(gram_matrix(RBF, X))
    monkeypatch.setattr(eigenpairs, "fast_folder", lambda: None)
    np.testing.assert_allclose(
        decompose(X, RBF, 3, "dense").eigenvalues, truth[:3], rtol=1e-10
    )
    program = tmp_path / "program.py"
    monkeypatch.setattr(eigenpairs.eigh_child, "__file__", str(program))
    program.write_text("raise MemoryError('no room')")
    with pytest.raises(SolverError, match=r"MemoryError: no room.*low-rank"):
        decompose(X, RBF, 3, "dense")
    program.write_text("import sys; sys.exit(3)")
    with pytest.raises(SolverError, match="no reason"):
        decompose(X, RBF, 3, "dense")


def test_problem_defaults():
    assert Problem(Sized(5), 1).wanted == 1e-6
    assert Problem(Sized(5), 1, tol=1e-3).wanted == 1e-3
    warm = decompose(np.eye(4), RBF, 2, "dense").warm_start
    assert warm.landmarks is None
    assert warm.eigenvectors.shape == (4, 2)
