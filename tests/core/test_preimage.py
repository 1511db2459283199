"""From scores back to points."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import rbf_kernel

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import products as gram_module
from kpca_viewer.core.methods import preimage as fixed_point_module
from kpca_viewer.core.methods.preimage_methods import FixedPoint, ridge_coefficients
from kpca_viewer.core.projection import training_scores
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError, KernelError, TooLargeError
from tests.core.reference import circles, decompose

X, _ = circles(150, noise=0)


def fixed_point(k=8, **options):
    options = {"kernel": "rbf", "gamma": 2, **options}
    return KernelPCA(k, fit_inverse_transform=True, pre_image="fixed_point", **options)


@pytest.mark.parametrize("solver", ["dense", "krylov", "lowrank"])
@pytest.mark.parametrize("center", [True, False])
def test_fixed_point_returns_to_the_points(solver, center):
    model = fixed_point(12, eigen_solver=solver, center=center, tol=1e-10).fit(X)
    back = model.inverse_transform(model.transform(X))
    assert np.abs(back - X).max() < 0.05
    assert model.reconstruction_error_ < 1e-3
    np.testing.assert_allclose(
        model.reconstruction_error(X), np.linalg.norm(X - back, axis=1)
    )


def test_fixed_point_removes_noise():
    """The purpose of pre-images (Mika et al.): noisy points come back to the curve."""
    noisy = X + np.random.default_rng(0).normal(scale=0.05, size=X.shape)
    model = fixed_point(20, gamma=5).fit(X)
    back = model.inverse_transform(model.transform(noisy))
    off = np.abs(np.linalg.norm(noisy, axis=1)[:, None] - [0.3, 1.0]).min(axis=1)
    left = np.abs(np.linalg.norm(back, axis=1)[:, None] - [0.3, 1.0]).min(axis=1)
    assert left.mean() < 0.5 * off.mean()


def test_fixed_point_climbs():
    """Each pre-image is at least as close in feature space as the start."""
    model = fixed_point(5).fit(X)
    Z = model.transform(X + 0.1)
    # Weights of the features of the training points: their sum has the scores Z.
    c = Z @ (model.eigenvectors_ / np.sqrt(model.eigenvalues_)).T + 1 / len(X)
    start = X[cdist(Z, model.transform(X)).argmin(axis=1)]

    def height(x):
        return (c * rbf_kernel(x, X, gamma=2)).sum(axis=1)

    assert (height(model.inverse_transform(Z)) >= height(start) - 1e-12).all()
    assert (height(model.inverse_transform(Z)) > height(start) + 1e-3).any()


def test_fixed_point_of_impossible_scores_stays_finite():
    model = fixed_point(3).fit(X)
    far = np.full((4, 3), -1e6)
    assert np.isfinite(model.inverse_transform(far)).all()


@pytest.mark.parametrize("how", ["ridge", "fixed_point"])
def test_scores_that_no_point_has(how):
    model = KernelPCA(
        3, kernel="rbf", gamma=2, fit_inverse_transform=True, pre_image=how
    ).fit(X)
    scores = model.transform(X[:4])
    scores[2, 1] = np.nan
    with pytest.raises(DataError, match="Row 2 of the scores holds NaN"):
        model.inverse_transform(scores)
    with pytest.raises(DataError, match=r"\(4, 2\); this model has 3 components"):
        model.inverse_transform(scores[:, :2])
    whole = model.inverse_transform(np.zeros((1, 3), dtype=int))
    assert np.isfinite(whole).all()


def test_an_inverse_that_overflows_says_what_does():
    model = KernelPCA(2, kernel="poly", degree=9, gamma=1, fit_inverse_transform=True)
    with pytest.raises(
        KernelError, match=r"cannot be learnt from the scores\. The pol"
    ):
        model.fit(30 * X)
    points = (2 * X).astype(np.float32)
    assert np.isfinite(model.fit(points).inverse_transform(model.transform(X))).all()


def test_fixed_point_stops_at_the_limit_of_iterations():
    kernel = Kernel("rbf", gamma=2)
    found = decompose(X, kernel, 3)
    finder = FixedPoint(found, kernel, kernel.points(X))
    Z = training_scores(found)[:5] + 0.1
    one, many = finder(Z, iterations=1), finder(Z)
    assert np.abs(one - many).max() > 1e-6


def test_fixed_point_in_blocks(monkeypatch):
    model = fixed_point(4).fit(X)
    Z = model.transform(X)
    whole = model.inverse_transform(Z)
    sizes = []

    def blocks_of_ten(n, size):
        for rows in gram_module.row_blocks(n, size, 10 * size):
            sizes.append(len(Z[rows]))
            yield rows

    monkeypatch.setattr(fixed_point_module, "row_blocks", blocks_of_ten)
    np.testing.assert_allclose(model.inverse_transform(Z), whole, atol=1e-9)
    assert max(sizes) == 10


def test_fixed_point_with_dropped_components():
    line = np.linspace(0, 1, 30)[:, None]
    model = fixed_point(29, gamma=0.01, remove_zero_eig=True).fit(line)
    Z = model.transform(line)
    assert Z.shape[1] < 29
    assert np.abs(model.inverse_transform(Z) - line).max() < 0.05


def test_fixed_point_keeps_float32():
    model = fixed_point(4).fit(X.astype(np.float32))
    Z = model.transform(X[:3].astype(np.float32))
    assert model.inverse_transform(Z).dtype == np.float32


def test_fixed_point_of_identical_points():
    model = fixed_point(1).fit(np.ones((6, 2)))
    np.testing.assert_allclose(model.inverse_transform(np.zeros((2, 1))), 1)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ("poly", "RBF kernel only, not for Polynomial; choose pre_image='ridge'"),
        (lambda x, y: x @ y, "needs the RBF kernel"),
    ],
)
def test_fixed_point_is_for_the_rbf(kernel, words):
    with pytest.raises(KernelError, match=words):
        fixed_point(2, kernel=kernel).fit(X)


def test_ridge_without_penalty_may_be_singular():
    model = KernelPCA(1, kernel="linear", fit_inverse_transform=True, alpha=0)
    with pytest.raises(KernelError, match=r"alpha = 0: .*singular; choose a larger"):
        model.fit(np.ones((5, 2)))


def test_ridge_by_hand():
    K = np.array([[2.0, 1.0], [1.0, 2.0]])
    points = np.array([[1.0], [3.0]])
    expected = np.linalg.inv(K + np.eye(2)) @ points
    np.testing.assert_allclose(ridge_coefficients(K.copy, points, 1.0), expected)


def test_ridge_is_refused_before_it_is_begun(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1000)

    def never():
        raise AssertionError("allocated before asking")

    with pytest.raises(TooLargeError, match="pre_image='fixed_point' or fewer"):
        ridge_coefficients(never, X, 1.0)


@pytest.mark.journey
def test_ridge_of_a_callable_kernel():
    model = KernelPCA(
        2,
        kernel=lambda x, y: np.exp(-((x - y) @ (x - y))),
        fit_inverse_transform=True,
        alpha=1e-3,
    ).fit(X)
    assert model.reconstruction_error_ < 0.1
