"""xᵀy + ‖x‖²‖y‖²: the linear kernel of rows that are lifted onto a paraboloid."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.quality import linear_accuracy
from kpca_viewer.support.errors import KernelOverflowError
from tests.core.reference import centred, circles, same_up_to_sign

KERNEL = Kernel("paraboloid")
X = np.random.default_rng(3).normal(size=(40, 3))


def lifted(X):
    return np.column_stack((X, (X**2).sum(axis=1)))


@pytest.mark.parametrize("solver", ["dense", "krylov", "lowrank"])
def test_it_is_linear_pca_of_the_lifted_rows(solver):
    model = KernelPCA(4, kernel="paraboloid", eigen_solver=solver)
    scores = model.fit_transform(X)
    theirs = PCA(4).fit(lifted(X))
    assert same_up_to_sign(scores, theirs.transform(lifted(X)), 1e-6)
    new = X[:7] + 0.25
    assert same_up_to_sign(model.transform(new), theirs.transform(lifted(new)), 1e-6)
    np.testing.assert_allclose(
        model.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-6
    )


def test_without_centring_it_is_the_singular_values():
    model = KernelPCA(4, kernel="paraboloid", center=False).fit(X + 2)
    mu = np.linalg.svd(lifted(X + 2), compute_uv=False) ** 2
    np.testing.assert_allclose(model.eigenvalues_, mu, rtol=1e-10)


def test_sparse_rows_are_lifted_too():
    few = np.where(np.abs(X) > 1, X, 0)
    dense, sparse = (
        KernelPCA(3, kernel="paraboloid").fit(given)
        for given in (few, sp.csr_matrix(few))
    )
    np.testing.assert_allclose(sparse.eigenvalues_, dense.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(
        np.abs(sparse.transform(sp.csr_matrix(few))),
        np.abs(dense.transform(few)),
        atol=1e-9,
    )


def test_rows_are_lifted_once():
    points = KERNEL.points(X)
    assert KERNEL.prepare_training(points).d == points.d == 4
    assert KERNEL.prepare_training(Points.prepare(X)).d == 4


@pytest.mark.parametrize("far", [0.0, 1e2, 1e4, 1e6])
def test_bounds_hold_far_from_the_origin(far):
    """Heights of 10¹² are known to a ten-thousandth; the bounds have to say so."""
    given = (X + far).astype(np.longdouble)
    height = (given**2).sum(axis=1)
    exact = np.column_stack((given, height))
    exact = np.asarray(exact - exact.mean(axis=0), dtype=np.float64)
    mu = np.linalg.svd(exact, compute_uv=False) ** 2
    model = KernelPCA(4, kernel="paraboloid").fit(X + far)
    low, high = model.eigenvalue_bounds_.T
    slack = 1e-14 * mu[0]
    assert (low - slack <= mu).all()
    assert (mu <= high + slack).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("center", [True, False])
def test_rounding_is_bounded(dtype, scale, center):
    given = np.random.default_rng(5).normal(3, 1, size=(60, 5)) * scale
    points = KERNEL.points(given, center=center).astype(dtype)
    K = PointsGram(points, KERNEL).matrix().astype(np.float64)
    wide = given.astype(np.longdouble)
    height = (wide**2).sum(axis=1)
    truth = (wide @ wide.T + np.outer(height, height)).astype(np.longdouble)
    if center:
        truth = truth - truth.mean(axis=0)
        truth = truth - truth.mean(axis=1)[:, None]
        K = centred(K)
    off = np.linalg.norm(np.asarray(K - truth, dtype=np.float64), 2)
    bound = KERNEL.rounding(points, float(np.linalg.norm(K)))
    assert off <= bound
    # A bound that is far away says nothing.
    assert bound <= 1e4 * np.finfo(dtype).eps * np.trace(np.asarray(truth, float)) + off


def test_what_overflows():
    with pytest.raises(KernelOverflowError, match=r"paraboloid.*10\^160. Scale"):
        KERNEL.points([[1e40, 0.0]])
    with pytest.raises(KernelOverflowError, match=r"Scale the data\.$"):
        KERNEL.points([[1e40, 0.0]])
    with pytest.raises(KernelOverflowError, match="squares overflow"):
        KERNEL.points([[1e100, 0.0]])


def test_a_model_file_keeps_it(tmp_path):
    model = KernelPCA(3, kernel="paraboloid", fit_inverse_transform=True).fit(X)
    model.save(tmp_path / "model.kpcam")
    again = KernelPCA.load(tmp_path / "model.kpcam")
    np.testing.assert_array_equal(again.transform(X[:5]), model.transform(X[:5]))
    np.testing.assert_allclose(
        again.inverse_transform(again.transform(X[:5])),
        model.inverse_transform(model.transform(X[:5])),
    )


def test_the_usual_circles_separate_along_the_third_component():
    """Texts say the lift separates rings; the first two components do not."""
    given, labels = circles()
    scores = KernelPCA(3, kernel="paraboloid").fit_transform(given)
    alone = [linear_accuracy(scores[:, [j]], labels) for j in range(3)]
    assert alone[2] == 1.0
    assert max(alone[:2]) < 0.75
    shares = PCA(3).fit(lifted(given)).explained_variance_ratio_
    assert shares[2] == pytest.approx(0.278, abs=5e-4)
