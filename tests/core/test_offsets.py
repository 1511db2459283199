"""Far from the origin, or from each other: small differences of large numbers."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA

from kpca_viewer import KernelPCA, rational_quadratic, rbf
from kpca_viewer.core.kernels import bases
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    KernelSettings,
    SessionSettings,
)
from tests.core.reference import same_up_to_sign

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(150, 3))
TWINS = np.repeat(X[:30], 5, axis=0) + 1e-7 * X
DISTANT = X + 3e6 * (np.arange(150) % 3)[:, None]

INVARIANT = ("rbf", "laplacian", "matern", "rational_quadratic")


def by_hand(kernel, points):
    """Eigenvalues of the centred kernel matrix, from differences of points."""
    difference = points[:, None] - points
    squared = np.square(difference).sum(axis=2)
    root = np.sqrt(3 * squared)
    K = {
        "rbf": np.exp(-squared),
        "laplacian": np.exp(-np.abs(difference).sum(axis=2)),
        "matern": (1 + root) * np.exp(-root),
        "rational_quadratic": 1 / (1 + squared / 2),
    }[kernel]
    H = np.eye(len(K)) - 1 / len(K)
    return np.linalg.eigvalsh(H @ K @ H)[::-1]


@pytest.mark.parametrize("solver", ["lowrank", "dense", "krylov"])
@pytest.mark.parametrize("kernel", INVARIANT)
@pytest.mark.parametrize(
    "given", [X + 1e8, TWINS + 1e3, DISTANT], ids=["far", "twins", "distant"]
)
def test_transform_of_the_training_rows_gives_their_scores(given, kernel, solver):
    options = {"kernel": kernel, "gamma": 1, "eigen_solver": solver, "tol": 1e-10}
    model = KernelPCA(6, **options)
    scores = model.fit_transform(given)
    np.testing.assert_allclose(
        model.eigenvalues_, by_hand(kernel, given)[:6], rtol=1e-8
    )
    np.testing.assert_allclose(
        model.transform(given), scores, atol=1e-6 * np.abs(scores).max()
    )


@pytest.mark.parametrize("kernel", ["rbf", "rational_quadratic"])
def test_sparse_points_that_rounding_makes_alike(kernel):
    given = sp.csr_matrix(TWINS + 1e8)
    model = KernelPCA(4, kernel=kernel, gamma=1, eigen_solver="lowrank", tol=1e-10)
    scores = model.fit_transform(given)
    expected = by_hand(kernel, given.toarray())[:4]
    np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-6)
    np.testing.assert_allclose(model.transform(given), scores, atol=1e-5)


@pytest.mark.parametrize("solver", ["lowrank", "dense", "krylov"])
@pytest.mark.parametrize("offset", [1e3, 1e8])
def test_the_centred_linear_kernel_is_pca_wherever_the_points_are(offset, solver):
    given, new = X + offset, X[:20] * 0.5 + offset
    model = KernelPCA(3, eigen_solver=solver)
    scores = model.fit_transform(given)
    pca = PCA(3, svd_solver="full").fit(given)
    np.testing.assert_allclose(
        model.eigenvalues_, pca.singular_values_**2, rtol=1e-6 if offset > 1e6 else 1e-9
    )
    assert same_up_to_sign(scores, pca.transform(given), 1e-6)
    assert same_up_to_sign(model.transform(new), pca.transform(new), 1e-6)
    settings = SessionSettings(
        kernel=KernelSettings("linear"), analysis=AnalysisSettings(3, solver=solver)
    )
    result = analyse(Dataset(given), settings)
    assert same_up_to_sign(result.scores, scores, 1e-6)
    assert same_up_to_sign(result.project(new), model.transform(new), 1e-6)


@pytest.mark.parametrize("kernel", ["linear", "cosine", "paraboloid"])
def test_sparse_points_without_zeros_are_moved_too(kernel):
    dense, sparse = (
        KernelPCA(2, kernel=kernel).fit(given)
        for given in (X + 1e6, sp.csr_matrix(X + 1e6))
    )
    np.testing.assert_allclose(sparse.eigenvalues_, dense.eigenvalues_, rtol=1e-9)
    new = sp.csr_matrix(X[:5] + 1e6)
    np.testing.assert_allclose(
        sparse.transform(new), dense.transform(new.toarray()), rtol=1e-5
    )


def test_a_linear_kernel_that_is_not_centred_stays_where_it_is():
    given = X + 5
    model = KernelPCA(3, center=False).fit(given)
    mu = np.linalg.svd(given, compute_uv=False) ** 2
    np.testing.assert_allclose(model.eigenvalues_, mu)


def test_the_centred_cosine_of_distant_points():
    given = X + 1e6
    rows = given / np.linalg.norm(given, axis=1)[:, None]
    mu = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    model = KernelPCA(2, kernel="cosine")
    scores = model.fit_transform(given)
    np.testing.assert_allclose(model.eigenvalues_, mu[:2], rtol=1e-7)
    low, high = model.eigenvalue_bounds_.T
    assert (low <= mu[:2]).all()
    assert (mu[:2] <= high).all()
    np.testing.assert_allclose(model.transform(given), scores, atol=1e-12)
    opposite = np.vstack((X[:5], -X[:5]))
    np.testing.assert_allclose(
        KernelPCA(1, kernel="cosine").fit(opposite).eigenvalues_[0],
        np.linalg.svd(opposite / np.linalg.norm(opposite, axis=1)[:, None])[1][0] ** 2,
    )


@pytest.mark.parametrize("solver", ["dense", "krylov", "lowrank"])
@pytest.mark.parametrize("kernel", ["rbf", "matern", "poly"])
def test_points_that_are_all_alike_have_no_scores(kernel, solver):
    given = np.full((208, 3), 12345.678)
    model = KernelPCA(3, kernel=kernel, gamma=1e-8, eigen_solver=solver)
    assert np.abs(model.fit_transform(given)).max() < 1e-12
    assert np.abs(model.transform(given)).max() < 1e-12


def test_pre_images_far_from_the_origin():
    options = {"kernel": "rbf", "gamma": 2, "pre_image": "fixed_point"}
    near, far = (
        KernelPCA(8, fit_inverse_transform=True, **options).fit(X + offset)
        for offset in (0, 1e6)
    )
    back = near.inverse_transform(near.transform(X))
    far_back = far.inverse_transform(far.transform(X + 1e6)) - 1e6
    np.testing.assert_allclose(far_back, back, atol=1e-5)


@pytest.mark.parametrize("solver", ["auto", "lowrank", "krylov"])
def test_scores_beyond_float32_are_float64(solver):
    given = (3e4 * X).astype(np.float32)
    model = KernelPCA(2, kernel="poly", degree=9, gamma=1, eigen_solver=solver)
    scores = model.fit_transform(given)
    assert np.abs(scores).max() > 1e39
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(
        model.transform(given) / scores.max(), scores / scores.max(), atol=1e-5
    )
    small = KernelPCA(2, kernel="poly", degree=9, gamma=1).fit_transform(given / 3e4)
    assert small.dtype == np.float32


def far_rows(d):
    """Rows of which some are far outside, two of these near each other."""
    given = RANDOM.normal(size=(150, d))
    given[::15] *= 10.0 ** np.arange(10)[:, None]
    given[1] = given[135] + 0.5 * given[1]
    return given


def clusters(d):
    return RANDOM.normal(size=(150, d)) + 1e6 * np.sign(np.arange(150) - 75)[:, None]


@pytest.mark.parametrize("kernel", [rbf(0.01), rational_quadratic(9.0)], ids=repr)
@pytest.mark.parametrize("given", [far_rows(17), far_rows(80), clusters(40)])
def test_rows_that_are_far_outside_cost_no_digits(kernel, given):
    points = kernel.points(given)
    assert points.by_differences
    gram = PointsGram(points, kernel)
    K = gram.matrix()
    squares = np.square(given[:, None].astype(np.longdouble) - given).sum(axis=2)
    true = kernel.of_base(squares.astype(np.float64))
    assert np.abs(K - true).max() <= 1e-11
    off = np.linalg.norm(K - true, 2)
    assert off <= gram.rounding(float(np.linalg.norm(K))) <= 1e-9


def test_only_near_pairs_are_taken_from_differences(monkeypatch):
    kernel, given = rbf(0.01), far_rows(80)
    points = kernel.points(given)
    seen = []
    squared_norms = bases._squared_norms
    monkeypatch.setattr(
        bases, "_squared_norms", lambda X: seen.append(len(X)) or squared_norms(X)
    )
    monkeypatch.setattr(bases, "_by_differences", None)
    bases.pairwise("squared_distances", points, points)
    # Each row and itself, and the two in both orders.
    assert sum(seen) == len(given) + 2
