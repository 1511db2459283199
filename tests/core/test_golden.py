"""The numbers of docs/mathematics.md."""

from math import comb

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.support.errors import KernelError
from tests.core.reference import circles, same_up_to_sign

THREE = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])


def gram_of(kernel, X):
    points = kernel.points(np.asarray(X, dtype=float))
    return PointsGram(points, kernel).matrix()


def test_squared_dot_product_gram():
    K = gram_of(Kernel("poly", gamma=1, degree=2, coef0=0), THREE)
    np.testing.assert_array_equal(K, [[1, 0, 1], [0, 1, 0], [1, 0, 1]])


def test_squared_dot_product_not_centred():
    model = KernelPCA(3, kernel="poly", degree=2, gamma=1, coef0=0, center=False)
    Z = model.fit_transform(THREE)
    np.testing.assert_allclose(model.eigenvalues_, [2, 1, 0], atol=1e-14)
    np.testing.assert_allclose(np.abs(Z[:, :2]), [[1, 0], [0, 1], [1, 0]], atol=1e-14)
    assert not Z[:, 2].any()


def test_squared_dot_product_centred():
    model = KernelPCA(3, kernel="poly", degree=2, gamma=1, coef0=0)
    Z = model.fit_transform(THREE)
    np.testing.assert_allclose(model.eigenvalues_, [4 / 3, 0, 0], atol=1e-14)
    first = np.array([0.4714, -0.9428, 0.4714])
    assert min(np.abs(Z[:, 0] - first).max(), np.abs(Z[:, 0] + first).max()) < 1e-4
    assert not Z[:, 1:].any()


def test_gram_of_the_popular_guide():
    """(1,2), (3,4), (5,6) under (1 + xᵀy)²: not 1296 and 2401."""
    K = gram_of(Kernel("poly", gamma=1, degree=2, coef0=1), [[1, 2], [3, 4], [5, 6]])
    np.testing.assert_array_equal(
        K, [[36, 144, 324], [144, 676, 1600], [324, 1600, 3844]]
    )


@pytest.mark.parametrize("p", [1, 2, 3, 5, 10])
def test_explicit_map_has_the_root_of_the_binomial(p):
    """Coordinates ``√C(p,i) x^(p−i) y^i``: without the root the kernel is another."""
    X = np.random.default_rng(0).normal(size=(6, 2))
    phi = np.stack(
        [np.sqrt(comb(p, i)) * X[:, 0] ** (p - i) * X[:, 1] ** i for i in range(p + 1)],
        axis=1,
    )
    K = gram_of(Kernel("poly", gamma=1, degree=p, coef0=0), X)
    np.testing.assert_allclose(K, phi @ phi.T, rtol=1e-10, atol=1e-12)


def test_explicit_map_of_the_inhomogeneous_square():
    X = np.random.default_rng(1).normal(size=(7, 2))
    x, y = X.T
    r = np.sqrt(2)
    phi = np.stack((np.ones(7), r * x, r * y, x**2, y**2, r * x * y), axis=1)
    K = gram_of(Kernel("poly", gamma=1, degree=2, coef0=1), X)
    np.testing.assert_allclose(K, phi @ phi.T, rtol=1e-12)


def test_linear_kernel_is_pca_and_classical_scaling():
    X = np.random.default_rng(2).normal(size=(40, 4)) @ np.diag([4, 3, 2, 1]) + 5
    _, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    pca = (X - X.mean(axis=0)) @ Vt.T
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    linear = KernelPCA(4, kernel="linear")
    scaling = KernelPCA(4, kernel="precomputed_distances")
    for model, data in ((linear, X), (scaling, D)):
        assert same_up_to_sign(model.fit_transform(data), pca, 1e-10)
        np.testing.assert_allclose(model.eigenvalues_, s**2, rtol=1e-10)


def test_precomputed_two_by_two():
    model = KernelPCA(2, kernel="precomputed").fit([[9.0, -9.0], [-9.0, 9.0]])
    np.testing.assert_allclose(model.eigenvalues_, [18, 0], atol=1e-13)


def test_distances_that_no_space_has():
    D = np.array([[0.0, 1, 10], [1, 0, 1], [10, 1, 0]])
    model = KernelPCA(3, kernel="precomputed_distances")
    Z = model.fit_transform(D)
    np.testing.assert_allclose(model.eigenvalues_, [50, 0, -16], atol=1e-12)
    assert model.negative_mass_ == pytest.approx(16 / 66)
    np.testing.assert_allclose(
        model.explained_variance_ratio_, np.array([50, 0, -16]) / 66, atol=1e-14
    )
    assert np.isfinite(Z).all()
    assert not Z[:, 1:].any()


def test_circles_become_linearly_separable():
    X, y = circles()
    Z = KernelPCA(2, kernel="rbf", gamma=2).fit_transform(X)
    assert LogisticRegression().fit(X, y).score(X, y) < 0.8
    assert LogisticRegression().fit(Z, y).score(Z, y) == 1.0


def rings(inner, outer):
    angles = np.arange(4) * np.pi / 2
    ring = np.column_stack((np.cos(angles), np.sin(angles)))
    return np.vstack((inner * ring, outer * ring))


def test_two_rings_of_four():
    model = KernelPCA(8, kernel="rbf", gamma=0.5).fit(rings(1, 2))
    expected = [1.5314, 1.5314, 1.2157, 0.6722, 0.3329, 0.3329, 0.1476, 0]
    np.testing.assert_allclose(model.eigenvalues_, expected, atol=5e-5)


@pytest.mark.parametrize(
    ("gamma", "index", "value"), [(0.5, 3, 0.3952), (1, 2, 0.8590), (2, 0, 1.3241)]
)
def test_which_component_tells_the_rings_apart(gamma, index, value):
    model = KernelPCA(5, kernel="rbf", gamma=gamma)
    Z = model.fit_transform(rings(0.3, 1))
    apart = [np.ptp(z[:4]) < 1e-9 and np.ptp(z[4:]) < 1e-9 for z in Z.T]
    assert np.flatnonzero(apart).tolist() == [index]
    assert model.eigenvalues_[index] == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(("gamma", "gap"), [(0.5, 0.333), (2, 0.347)])
def test_a_gap_that_the_data_do_not_have(gamma, gap):
    line = np.arange(8.0)[:, None]
    z = np.sort(KernelPCA(1, kernel="rbf", gamma=gamma).fit_transform(line)[:, 0])
    assert np.diff(z).max() / np.ptp(z) == pytest.approx(gap, abs=5e-4)


@pytest.mark.parametrize("center", [True, False])
def test_all_points_as_landmarks_is_exact(center):
    X = np.random.default_rng(3).normal(size=(60, 5))
    exact = KernelPCA(6, kernel="rbf", gamma=1, center=center, eigen_solver="dense")
    low = KernelPCA(
        6, kernel="rbf", gamma=1, center=center, eigen_solver="lowrank", tol=1e-15
    )
    A, B = exact.fit_transform(X), low.fit_transform(X)
    assert sorted(low.landmarks_) == list(range(60))
    np.testing.assert_allclose(low.eigenvalues_, exact.eigenvalues_, rtol=1e-12)
    assert same_up_to_sign(B, A, 1e-12)
    new = np.random.default_rng(4).normal(size=(10, 5))
    assert same_up_to_sign(low.transform(new), exact.transform(new), 1e-12)


def test_thousandfold_inputs_of_degree_ten_say_so():
    X = np.random.default_rng(5).normal(size=(20, 100)) * 1e15
    with pytest.raises(KernelError, match=r"overflows: its largest entry.*Scale"):
        KernelPCA(2, kernel="poly", degree=10, gamma=1).fit(X)
    scaled = KernelPCA(2, kernel="poly", degree=10, gamma=1).fit(X / 1e15)
    assert np.isfinite(scaled.eigenvalues_).all()


def test_new_points_are_divided_by_the_root_and_centred():
    """Both are often forgotten: a training point must land on its own score."""
    X, _ = circles(80)
    model = KernelPCA(3, kernel="rbf", gamma=2)
    Z = model.fit_transform(X)
    np.testing.assert_allclose(model.transform(X), Z, atol=1e-12)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose((Z**2).sum(axis=0), model.eigenvalues_, rtol=1e-10)


def test_new_points_next_to_rounding_noise():
    """There v is not quite orthogonal to the constant, and α is large."""
    line = np.linspace(0, 1, 30)[:, None]
    model = KernelPCA(kernel="rbf", gamma=0.01)
    Z = model.fit_transform(line)
    assert model.eigenvalues_[-1] < 1e-9 * model.eigenvalues_[0]
    np.testing.assert_allclose(model.transform(line), Z, atol=1e-8)


def test_without_centring_new_points_are_not_centred_either():
    X, _ = circles(80)
    model = KernelPCA(3, kernel="rbf", gamma=2, center=False)
    Z = model.fit_transform(X)
    np.testing.assert_allclose(model.transform(X), Z, atol=1e-12)
    assert np.abs(Z[:, 0].mean()) > 0.1


def test_explained_variance_is_over_the_true_trace():
    """Over the kept eigenvalues it would be flattered to a sum of one."""
    X, _ = circles(100)
    few = KernelPCA(2, kernel="rbf", gamma=5).fit(X)
    everything = KernelPCA(kernel="rbf", gamma=5).fit(X)
    np.testing.assert_allclose(
        few.explained_variance_ratio_, everything.explained_variance_ratio_[:2]
    )
    assert everything.explained_variance_ratio_.sum() == pytest.approx(1)
    assert few.explained_variance_ratio_.sum() < 0.8


def test_signs_are_fixed():
    X, _ = circles(60)
    for solver in ("dense", "krylov", "arpack", "lowrank"):
        model = KernelPCA(3, kernel="laplacian", gamma=2, eigen_solver=solver).fit(X)
        V = model.eigenvectors_
        assert (V[np.abs(V).argmax(axis=0), range(3)] > 0).all()
