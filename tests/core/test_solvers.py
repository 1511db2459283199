"""Which solver, why, in which words; warm starts, hand-overs and odd inputs."""

import warnings

import numpy as np
import pytest
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence
from sklearn.datasets import load_digits

from kpca_viewer.core import memory
from kpca_viewer.core.errors import SolverError
from kpca_viewer.core.gram import MatrixGram, PointsGram
from kpca_viewer.core.kernels import Kernel
from kpca_viewer.core.solvers import (
    Problem,
    WarmStart,
    choose,
    dense,
    krylov,
    lowrank,
    solve,
)
from kpca_viewer.core.solvers.problem import column_signs
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
        assert solver in ("auto", found.solver)


def test_unknown_solver():
    with pytest.raises(SolverError, match="no solver 'qr'; choose one of auto, dense"):
        decompose(np.eye(3), RBF, 1, "qr")


def test_lowrank_refuses_indefinite_kernels():
    with pytest.raises(SolverError, match=r"semi-definite.*dense or the Krylov"):
        decompose(np.eye(3), Kernel("sigmoid"), 1, "lowrank")


def test_arpack_refuses_all_components():
    with pytest.raises(SolverError, match=r"fewer than n = 3.*choose the dense"):
        decompose(np.eye(3), RBF, 3, "arpack")


def test_arpack_within_max_iter():
    X = RNG.normal(size=(200, 5))
    with pytest.raises(SolverError, match=r"of 20 components within max_iter"):
        decompose(X, Kernel("rbf", gamma=1), 20, "arpack", max_iter=1)


def test_arpack_that_does_not_converge_is_finished(monkeypatch):
    X, _ = circles(60)
    truth = eigenvalues(gram_matrix(RBF, X))
    found = np.empty(0), np.empty((60, 0))
    for error in (ArpackNoConvergence("late", *found), ArpackError(-9)):

        def fail(*args, error=error, **options):
            raise error

        monkeypatch.setattr("scipy.sparse.linalg.eigsh", fail)
        result = decompose(X, RBF, 4, "arpack")
        assert result.solver == "arpack"
        np.testing.assert_allclose(result.eigenvalues, truth[:4], rtol=1e-10)


def test_arpack_finds_every_copy_of_an_eigenvalue():
    """Lanczos starts from one vector; of equal eigenvalues it may see only one."""
    X = np.repeat(np.arange(12.0)[:, None] * 100, 5, axis=0)
    found = decompose(X, Kernel("rbf", gamma=1), 10, "arpack")
    np.testing.assert_allclose(found.eigenvalues, 5, rtol=1e-12)


@pytest.mark.parametrize("solver", ["dense", "arpack", "randomized", "krylov"])
@pytest.mark.parametrize("center", [True, False])
def test_a_matrix_of_zeros(solver, center):
    K = np.ones((12, 12)) if center else np.zeros((12, 12))
    result = solve(Problem(MatrixGram(K), 3, center=center), solver)
    np.testing.assert_allclose(result.eigenvalues, 0, atol=1e-14)
    assert np.isfinite(result.eigenvectors).all()
    assert np.isfinite(result.bounds).all()
    assert result.error >= 0


@pytest.mark.parametrize("solver", ["dense", "lowrank", "krylov", "randomized"])
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


def test_randomized_says_when_it_did_not_get_there():
    X = RNG.normal(size=(400, 8))
    narrow = Kernel("rbf", gamma=1)
    with pytest.warns(UserWarning, match=r"error of .*raise iterated_power or choose"):
        decompose(X, narrow, 5, "randomized")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        decompose(X, narrow, 5, "randomized", power=1)


def test_randomized_of_many_components_needs_fewer_passes():
    X, _ = circles(60)
    seen = []
    decompose(X, RBF, 20, "randomized", progress=lambda s, f: seen.append(s))
    assert seen[-1] == "randomized pass 5"


class TestKrylov:
    def test_a_warm_start_without_the_leading_vector_still_finds_it(self):
        X, _ = circles(500)
        truth = decompose(X, RBF, 6, "dense")
        lacking = WarmStart(eigenvectors=truth.eigenvectors[:, 1:])
        found = decompose(X, RBF, 4, "krylov", start=lacking)
        np.testing.assert_allclose(found.eigenvalues, truth.eigenvalues[:4], rtol=1e-6)

    def test_a_good_warm_start_saves_passes(self):
        X = load_digits().data[:600]
        kernel = Kernel("rbf", gamma=1e-3)

        def passes(start):
            seen = []
            watch = {"progress": lambda stage, _: seen.append(stage)}
            decompose(X, kernel, 5, "krylov", start=start, tol=1e-10, **watch)
            return sum(stage.startswith("Krylov") for stage in seen)

        near = decompose(X, Kernel("rbf", gamma=1.01e-3), 5, "krylov").warm_start
        assert passes(near) < passes(None)

    def test_zero_columns_of_a_warm_start_are_no_directions(self):
        X = RNG.normal(size=(150, 40))
        start = WarmStart(eigenvectors=np.zeros((150, 60)))
        found = decompose(X, Kernel("rbf", gamma=0.01), 60, "krylov", start=start)
        assert found.eigenvectors.shape == (150, 60)
        truth = eigenvalues(gram_matrix(Kernel("rbf", gamma=0.01), X))
        assert outside(found, truth) == 0

    def test_a_warm_start_of_other_points_is_ignored(self):
        X, _ = circles(300)
        start = WarmStart(eigenvectors=np.ones((5, 2)))
        found = decompose(X, RBF, 3, "krylov", start=start)
        truth = eigenvalues(gram_matrix(RBF, X))
        np.testing.assert_allclose(found.eigenvalues, truth[:3], rtol=1e-6)

    def test_the_limit_on_passes_widens_the_bounds(self):
        X = RNG.normal(size=(600, 6))
        kernel = Kernel("rbf", gamma=1)
        truth = eigenvalues(gram_matrix(kernel, X))
        early = decompose(X, kernel, 5, "krylov", max_iter=2)
        assert early.error > 1e-3
        assert outside(early, truth) == 0

    def test_a_long_iteration_condenses_its_basis(self, monkeypatch):
        monkeypatch.setattr(krylov, "LARGEST_BASIS", 4)
        X = RNG.normal(size=(400, 6))
        kernel = Kernel("laplacian", gamma=0.5)
        truth = eigenvalues(gram_matrix(kernel, X))
        found = decompose(X, kernel, 4, "krylov", tol=1e-9)
        np.testing.assert_allclose(found.eigenvalues, truth[:4], rtol=1e-9)
        assert outside(found, truth) == 0

    def test_small_eigenvalues_below_a_large_one(self):
        """Nearly parallel images must not be taken for dependent ones."""
        X = RNG.normal(size=(120, 5)) * 0.02 + 100
        kernel = Kernel("poly", gamma=0.8, degree=2, coef0=1)
        truth = eigenvalues(gram_matrix(kernel, X), center=False)
        found = decompose(X, kernel, 6, "krylov", tol=1e-8, center=False)
        assert truth[1] < 1e-6 * truth[0]
        np.testing.assert_allclose(found.eigenvalues[1:], truth[1:6], rtol=1e-4)

    def test_products_without_the_matrix(self, monkeypatch):
        X, _ = circles(200)
        truth = eigenvalues(gram_matrix(RBF, X))
        with_matrix = decompose(X, RBF, 4, "krylov")
        monkeypatch.setattr(krylov, "fits", lambda size: False)
        gram = PointsGram(RBF.points(X), RBF)
        found = solve(Problem(gram, 4), "krylov")
        assert not gram.has_matrix()
        assert np.isnan(found.squares)
        np.testing.assert_allclose(found.eigenvalues, with_matrix.eigenvalues)
        assert outside(found, truth) == 0


class TestLowRank:
    def test_a_flat_spectrum_is_handed_over(self):
        X = load_digits().data
        seen = []
        result = decompose(
            X, Kernel("rbf", gamma=1e-3), progress=lambda s, f: seen.append((s, f))
        )
        assert result.solver == "krylov"
        assert result.reason.startswith("flat spectrum: ")
        assert "landmarks leave" in result.reason
        given_up = max(int(s.split()[2]) for s, _ in seen if s.startswith("low rank"))
        assert given_up < 200
        assert all(f is None or 0 <= f <= 1 for _, f in seen)

    def test_a_smooth_kernel_stays(self):
        X, _ = circles(1200)
        result = decompose(X, RBF)
        assert result.solver == "lowrank"
        assert result.rank < 200
        assert "landmarks leave" in result.reason

    def test_it_hands_over_at_the_end_of_its_capacity(self):
        X, _ = circles(1100)
        gram = PointsGram(RBF.points(X), RBF)
        outcome = lowrank.solve(Problem(gram, 5), 12, may_give_up=True)
        assert isinstance(outcome, lowrank.GaveUp)
        assert outcome.rank <= 12
        assert 0 < outcome.residual < 1

    def test_forced_it_reports_what_it_reached(self):
        X, _ = circles(300)
        gram = PointsGram(RBF.points(X), RBF)
        result = lowrank.solve(Problem(gram, 5), 12, may_give_up=False)
        assert result.rank == 12
        truth = eigenvalues(gram_matrix(RBF, X))
        assert result.error > 1e-6
        assert outside(result, truth) == 0

    def test_no_room_for_krylov_means_low_rank_to_the_end(self, monkeypatch):
        X = RNG.normal(size=(1100, 10))
        monkeypatch.setattr(memory, "fits", lambda size: False)
        monkeypatch.setattr(lowrank, "OVERSAMPLING", 10)
        result = decompose(X, Kernel("rbf", gamma=0.001), tol=1e-3)
        assert result.solver == "lowrank"

    def test_landmarks_of_a_neighbour_are_tried_first(self):
        X, _ = circles(400)
        first = decompose(X, Kernel("rbf", gamma=2.1), solver="lowrank")
        second = decompose(X, RBF, start=first.warm_start, solver="lowrank")
        shared = set(second.landmark_map.landmarks) & set(first.landmark_map.landmarks)
        assert len(shared) > 0.5 * first.rank
        assert outside(second, eigenvalues(gram_matrix(RBF, X))) == 0

    def test_useless_landmarks_are_tried_once(self):
        X = RNG.normal(size=(50, 3))
        X[:5] = 0
        start = WarmStart(landmarks=np.arange(5))
        result = decompose(X, Kernel("linear"), 3, "lowrank", start=start)
        truth = eigenvalues(X @ X.T)
        np.testing.assert_allclose(result.eigenvalues, truth[:3], rtol=1e-10)
        X[:5] = 1e-9
        result = decompose(X, Kernel("linear"), 3, "lowrank", start=start)
        assert outside(result, eigenvalues(X @ X.T)) == 0
        for landmarks in (np.arange(0), np.arange(1000, 1010)):
            start = WarmStart(landmarks=landmarks)
            result = decompose(X, Kernel("linear"), 3, "lowrank", start=start)
            np.testing.assert_allclose(result.eigenvalues, truth[:3], rtol=1e-10)

    def test_rows_that_are_given_up_on_stay_in_the_bound(self):
        """Where rounding hides what the diagonal promises, it ends and says so."""

        class Hidden(MatrixGram):
            def block(self, rows, columns):
                return np.zeros((len(rows), len(columns)))

        gram = Hidden(np.eye(40), psd=True)
        result = lowrank.solve(Problem(gram, 3), 40, may_give_up=False)
        assert result.rank == 0
        assert outside(result, eigenvalues(np.eye(40))) == 0
        assert isinstance(
            lowrank.solve(Problem(gram, 3), 40, may_give_up=True), lowrank.GaveUp
        )

    def test_a_draw_at_the_very_end_takes_the_largest(self):
        class Last:
            def random(self, size):
                return np.ones(size)

        factor = lowrank.Factor(MatrixGram(np.diag([1.0, 3, 2])), 3, np.float64)
        index, _, _ = lowrank._candidates(Problem(None, 1), factor, 6, 0, Last())
        assert list(index) == [1]

    def test_a_residual_that_does_not_fall_is_hopeless(self):
        assert lowrank._hopeless([(0, 5.0), (32, 4.0), (64, 4.0)], 1e-3, 500)
        assert not lowrank._hopeless([(0, 5.0), (32, 1e-1), (64, 2e-3)], 1e-3, 500)

    def test_more_components_than_rank(self):
        result = decompose(RNG.normal(size=(40, 2)), Kernel("linear"), 6, "lowrank")
        assert result.eigenvectors.shape == (40, 6)
        assert not result.eigenvalues[2:].any()
        assert not result.eigenvectors[:, 2:].any()

    def test_never_all_rows_at_once(self, monkeypatch):
        X, _ = circles(2000)
        largest = []
        rows = PointsGram.rows

        def spy(self, index):
            largest.append(len(index))
            return rows(self, index)

        monkeypatch.setattr(PointsGram, "rows", spy)
        monkeypatch.setattr(PointsGram, "matrix", None)
        result = decompose(X, RBF, solver="lowrank")
        assert max(largest) <= 96
        assert sum(largest) == result.rank

    def test_loose_tolerance_on_many_rows_is_single_precision(self, monkeypatch):
        monkeypatch.setattr(lowrank, "SINGLE_FROM", 400)
        X, _ = circles(400)
        result = decompose(X, RBF, tol=1e-3, solver="lowrank")
        assert result.eigenvectors.dtype == np.float32
        assert outside(result, eigenvalues(gram_matrix(RBF, X))) == 0


def test_dense_in_its_own_process_agrees(monkeypatch):
    X, _ = circles(300)
    monkeypatch.setattr(dense, "OWN_PROCESS_FROM", 300)
    truth = eigenvalues(gram_matrix(RBF, X))
    result = decompose(X, RBF, 3, "dense")
    np.testing.assert_allclose(result.spectrum[:20], truth[:20], rtol=1e-9)
    assert outside(result, truth) == 0


def test_dense_says_why_its_process_ended(monkeypatch):
    X, _ = circles(40)
    monkeypatch.setattr(dense, "OWN_PROCESS_FROM", 0)
    truth = eigenvalues(gram_matrix(RBF, X))
    monkeypatch.setattr(dense, "_fast_folder", lambda: None)
    np.testing.assert_allclose(
        decompose(X, RBF, 3, "dense").eigenvalues, truth[:3], rtol=1e-10
    )
    monkeypatch.setattr(dense, "_PROGRAM", "raise MemoryError('no room')")
    with pytest.raises(SolverError, match=r"MemoryError: no room.*low-rank"):
        decompose(X, RBF, 3, "dense")
    monkeypatch.setattr(dense, "_PROGRAM", "import sys; sys.exit(3)")
    with pytest.raises(SolverError, match="no reason"):
        decompose(X, RBF, 3, "dense")


def test_signs_of_nothing():
    assert column_signs(np.empty((0, 3))).shape == (3,)
    np.testing.assert_array_equal(column_signs(np.array([[1, -3], [-2, 1]])), [-1, -1])


def test_problem_defaults():
    assert Problem(Sized(5), 1).wanted == 1e-6
    assert Problem(Sized(5), 1, tol=1e-3).wanted == 1e-3
    warm = decompose(np.eye(4), RBF, 2, "dense").warm_start
    assert warm.landmarks is None
    assert warm.eigenvectors.shape == (4, 2)
