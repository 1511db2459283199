"""Block Krylov: warm starts, float32 before float64, odd matrices, its limits."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram
from kpca_viewer.core.solvers import Problem, WarmStart, krylov, krylov_basis, solve
from kpca_viewer.core.solvers.centred_operator import Centred
from tests.core.reference import circles, decompose, eigenvalues, gram_matrix, outside

RBF = Kernel("rbf", gamma=2)
RNG = np.random.default_rng(0)


def passes_of(X, kernel, k, **options):
    """How many passes it took until the residual was as small as is wanted."""
    seen = []
    options["progress"] = lambda stage, _: seen.append(stage)
    decompose(X, kernel, k, "krylov", **options)
    passes = [stage for stage in seen if stage.startswith("eigenvalues, pass ")]
    return int(passes[-1].removeprefix("eigenvalues, pass "))


def test_a_warm_start_without_the_leading_vector_still_finds_it():
    X, _ = circles(500)
    truth = decompose(X, RBF, 6, "dense")
    lacking = WarmStart(eigenvectors=truth.eigenvectors[:, 1:])
    found = decompose(X, RBF, 4, "krylov", start=lacking)
    np.testing.assert_allclose(found.eigenvalues, truth.eigenvalues[:4], rtol=1e-6)


def test_a_good_warm_start_saves_passes():
    X = load_digits().data[:600]
    kernel = Kernel("rbf", gamma=1e-3)

    def passes(start):
        return passes_of(X, kernel, 5, start=start, tol=1e-10)

    near = decompose(X, Kernel("rbf", gamma=1.01e-3), 5, "krylov").warm_start
    assert passes(near) < passes(None)


def test_zero_columns_of_a_warm_start_are_no_directions():
    X = RNG.normal(size=(150, 40))
    start = WarmStart(eigenvectors=np.zeros((150, 60)))
    found = decompose(X, Kernel("rbf", gamma=0.01), 60, "krylov", start=start)
    assert found.eigenvectors.shape == (150, 60)
    truth = eigenvalues(gram_matrix(Kernel("rbf", gamma=0.01), X))
    assert outside(found, truth) == 0


def test_a_warm_start_of_other_points_is_ignored():
    X, _ = circles(300)
    start = WarmStart(eigenvectors=np.ones((5, 2)))
    found = decompose(X, RBF, 3, "krylov", start=start)
    truth = eigenvalues(gram_matrix(RBF, X))
    np.testing.assert_allclose(found.eigenvalues, truth[:3], rtol=1e-6)


def test_the_limit_on_passes_widens_the_bounds():
    X = RNG.normal(size=(600, 6))
    kernel = Kernel("rbf", gamma=1)
    truth = eigenvalues(gram_matrix(kernel, X))
    early = decompose(X, kernel, 5, "krylov", max_iter=2)
    assert early.error > 1e-3
    assert outside(early, truth) == 0


def test_a_long_iteration_condenses_its_basis(monkeypatch):
    monkeypatch.setattr(krylov_basis, "LARGEST_BASIS", 4)
    X = RNG.normal(size=(400, 6))
    kernel = Kernel("laplacian", gamma=0.5)
    truth = eigenvalues(gram_matrix(kernel, X))
    found = decompose(X, kernel, 4, "krylov", tol=1e-9)
    np.testing.assert_allclose(found.eigenvalues, truth[:4], rtol=1e-9)
    assert outside(found, truth) == 0


def test_small_eigenvalues_below_a_large_one():
    """Nearly parallel images must not be taken for dependent ones."""
    X = RNG.normal(size=(120, 5)) * 0.02 + 100
    kernel = Kernel("poly", gamma=0.8, degree=2, coef0=1)
    truth = eigenvalues(gram_matrix(kernel, X), center=False)
    found = decompose(X, kernel, 6, "krylov", tol=1e-8, center=False)
    assert truth[1] < 1e-6 * truth[0]
    np.testing.assert_allclose(found.eigenvalues[1:], truth[1:6], rtol=1e-4)


def test_products_without_the_matrix(monkeypatch):
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


DIGITS = load_digits().data
FLAT = Kernel("rbf", gamma=1e-3)


@pytest.fixture
def looked_at(monkeypatch):
    """The precision of every basis that was looked at, and how large it was."""
    looks = []
    ritz = krylov.Basis.ritz

    def spy(self, k):
        looks.append((self.operator.dtype.itemsize, self.size))
        return ritz(self, k)

    monkeypatch.setattr(krylov.Basis, "ritz", spy)
    return looks


def test_float32_goes_ahead_and_float64_certifies(looked_at):
    X = DIGITS[:700]
    found = decompose(X, FLAT, 6, "krylov", tol=1e-6)
    assert [item for item, _ in looked_at][-2:] == [4, 8]
    # One block in float64: nothing was left to do for it but to measure.
    assert looked_at[-1] == (8, krylov.block_width(6))
    truth = eigenvalues(gram_matrix(FLAT, X))
    assert outside(found, truth) == 0
    assert found.error <= 1e-6
    assert found.eigenvectors.dtype == np.float64
    np.testing.assert_allclose(found.eigenvalues, truth[:6], atol=1e-11 * truth[0])


@pytest.mark.parametrize(
    "options", [{"tol": 1e-8}, {"tol": 1e-6, "max_iter": 30}, {"n": 499}]
)
def test_float64_from_the_first_pass_on(options, looked_at):
    X = DIGITS[: options.pop("n", 600)]
    found = decompose(X, FLAT, 4, "krylov", **options)
    assert {item for item, _ in looked_at} == {8}
    assert outside(found, eigenvalues(gram_matrix(FLAT, X))) == 0


def test_a_matrix_that_may_be_indefinite_stays_in_float64(looked_at):
    K = gram_matrix(FLAT, DIGITS[:600])
    found = solve(Problem(MatrixGram.from_kernel(K), 4, tol=1e-6), "krylov")
    assert {item for item, _ in looked_at} == {8}
    assert outside(found, eigenvalues(K)) == 0


def test_no_room_for_a_copy_means_no_copy(looked_at, monkeypatch):
    monkeypatch.setattr(krylov, "fits", lambda size: size > 4 * 600**2)
    decompose(DIGITS[:600], FLAT, 4, "krylov", tol=1e-6)
    assert {item for item, _ in looked_at} == {8}


def test_what_float32_cannot_see_float64_finds(looked_at):
    """Entries that differ in their seventh digit: float32 gives up, float64 ends it."""
    X = RNG.normal(size=(600, 5))
    wide = Kernel("rbf", gamma=1e-6)
    found = decompose(X, wide, 4, "krylov", tol=1e-6)
    assert {item for item, _ in looked_at} == {4, 8}
    truth = eigenvalues(gram_matrix(wide, X))
    assert outside(found, truth) == 0
    np.testing.assert_allclose(found.eigenvalues, truth[:4], rtol=1e-5)


@pytest.mark.journey
def test_far_away_points_cost_no_digits():
    """Entries that float32 cannot hold: many of them, next to nothing each."""
    X = RNG.normal(size=(700, 3)) * 3
    narrow = Kernel("rbf", gamma=8)
    truth = eigenvalues(gram_matrix(narrow, X))
    for center in (True, False):
        found = decompose(X, narrow, 4, "krylov", tol=1e-6, center=center)
        truth = eigenvalues(gram_matrix(narrow, X), center=center)
        assert outside(found, truth) == 0
        assert found.error <= 1.01e-6


def test_rounding_noise_is_no_negative_eigenvalue():
    K = gram_matrix(RBF, RNG.normal(size=(60, 2)))
    for k in (2, 5, 9):
        found = solve(Problem(MatrixGram.from_kernel(K), k), "krylov")
        assert not found.psd
        assert found.smallest == 0


@pytest.mark.parametrize("first_look", [1, 9])
def test_a_basis_that_cannot_grow_ends_the_iteration(first_look, monkeypatch):
    """More digits are wanted than there are, and no direction is left to look in."""
    monkeypatch.setattr(krylov, "FASTEST", 1e308)
    A = RNG.normal(size=(30, 2))
    problem = Problem(MatrixGram(A @ A.T, psd=True), 1)
    found = krylov.iterate(
        problem,
        Centred.of(problem.gram, problem),
        RNG.normal(size=(30, 5)),
        1,
        goal=1e-300,
        limit=200,
        first_look=first_look,
    )
    truth = eigenvalues(A @ A.T)
    np.testing.assert_allclose(found.values[0], truth[0], rtol=1e-13)
    assert len(found.values) <= 10


@pytest.mark.parametrize(
    ("k", "width"), [(1, 8), (2, 8), (3, 16), (10, 16), (11, 24), (12, 24), (40, 56)]
)
def test_a_block_has_as_many_vectors_as_are_multiplied_at_once(k, width):
    assert krylov.block_width(k) == width


def test_a_whole_block_is_left_to_a_neighbour():
    """Vectors beyond the wanted ones save passes, as they speed up the slowest pair."""
    X = DIGITS[:600]
    near = decompose(X, Kernel("rbf", gamma=1.02e-3), 5, "krylov", tol=1e-8)
    start = near.warm_start
    assert start.eigenvectors.shape == (600, krylov.block_width(5))
    np.testing.assert_allclose(
        start.eigenvectors.T @ start.eigenvectors,
        np.eye(krylov.block_width(5)),
        atol=1e-10,
    )

    def passes(eigenvectors):
        return passes_of(X, FLAT, 5, start=WarmStart(eigenvectors), tol=1e-8)

    assert passes(start.eigenvectors) < passes(near.eigenvectors)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("preview", [True, False])
def test_numbers_whose_squares_are_zero(center, preview):
    """Bounds rest on squares of residuals, which must not vanish."""
    X = RNG.normal(size=(90, 5))
    usual, tiny = (
        decompose(
            scale * X, Kernel("linear"), 7, "krylov", center=center, preview=preview
        )
        for scale in (1.0, 1e-90)
    )
    same = {"rtol": 1e-4, "atol": 1e-4} if preview else {"atol": 1e-9}
    np.testing.assert_allclose(1e180 * tiny.eigenvalues, usual.eigenvalues, **same)
    assert (tiny.bounds[:, 0] <= tiny.eigenvalues).all()
    assert (tiny.eigenvalues <= tiny.bounds[:, 1]).all()
    assert preview or tiny.error < 1e-6
    truth = eigenvalues(X @ X.T, center=center)[:7]
    assert (1e180 * tiny.bounds[:, 0] <= truth + 1e-12).all()
    assert (truth <= 1e180 * tiny.bounds[:, 1] + 1e-12).all()
    np.testing.assert_allclose(1e180 * tiny.trace, usual.trace, **same)
    np.testing.assert_allclose(1e180 * tiny.row_means, usual.row_means, **same)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("name", ["cosine", "linear"])
def test_sparse_rows_are_multiplied_without_forming_k(name, center):
    X = sp.random(600, 900, density=0.004, format="csr", random_state=0)
    X = X[X.getnnz(axis=1) > 0]
    kernel = Kernel(name)
    gram = PointsGram(kernel.points(X, center=center), kernel)
    found = krylov.solve(Problem(gram, 6, center=center), "")
    assert gram.factor is not None
    assert not gram.has_matrix()
    K = gram_matrix(kernel, X.toarray())
    assert outside(found, eigenvalues(K, center=center)) == 0
    assert found.squares == pytest.approx((eigenvalues(K, center=center) ** 2).sum())


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("name", ["cosine", "linear", "paraboloid"])
def test_few_columns_are_multiplied_without_forming_k(name, center):
    X = RNG.normal(size=(700, 90)) + 2
    kernel = Kernel(name)
    gram = PointsGram(kernel.points(X, center=center), kernel)
    found = krylov.solve(Problem(gram, 6, center=center), "")
    assert not gram.has_matrix()
    K = gram_matrix(kernel, X)
    assert outside(found, eigenvalues(K, center=center)) == 0
    assert found.squares == pytest.approx((eigenvalues(K, center=center) ** 2).sum())
