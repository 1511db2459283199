"""A sigmoid of large arguments: what is saturated, rounding cannot move."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.spectrum import in_words
from tests.core.reference import eigenvalues

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(("n", "solver"), [(100, "dense"), (500, "krylov")])
def test_shares_and_negative_mass_of_values_of_ten_million(n, solver):
    X = RNG.normal(size=(n, 3)) * 1e7
    model = KernelPCA(3, kernel="sigmoid", eigen_solver=solver).fit(X)
    truth = eigenvalues(np.tanh(X @ X.T / 3 + 1))
    mass = -truth[truth < 0].sum() / np.abs(truth).sum()
    low, high = model.negative_mass_bounds_
    assert low <= mass + 1e-12
    assert mass - 1e-12 <= high
    assert model.negative_mass_ == pytest.approx(mass, rel=1e-2)
    shares = truth[:3] / np.abs(truth).sum()
    np.testing.assert_allclose(model.explained_variance_ratio_, shares, rtol=1e-2)
    assert np.diff(model.eigenvalue_bounds_).max() < 1e-9 * truth[0]


def test_no_share_of_what_may_be_rounding():
    model = KernelPCA(3, kernel="sigmoid").fit(load_breast_cancer().data)
    assert np.isnan(model.explained_variance_ratio_).all()
    assert np.isnan(model.negative_mass_)
    assert model.negative_mass_bounds_.tolist() == [0, 1]
    assert model.effective_rank_ == 0
    assert in_words(model._found.error) == "no digit of the eigenvalues is certain"
    # And a kernel that is definite, of rows that differ by a rounding.
    alike = KernelPCA(2, kernel="rbf", gamma=1e-17).fit(RNG.normal(size=(50, 2)))
    assert np.isnan(alike.explained_variance_ratio_).all()
    assert alike.negative_mass_ == 0


@pytest.mark.parametrize("scale", [1e3, 1e6, 1e8, 1e10])
def test_the_bound_holds_against_longer_numbers(scale):
    X = RNG.normal(size=(80, 2)) * scale
    # Right angles, where the products cancel to nothing.
    X[40:] = X[:40][:, ::-1] * [1, -1] + RNG.normal(size=(40, 2)) / scale
    kernel = Kernel("sigmoid", gamma=0.5, coef0=1.0)
    gram = PointsGram(kernel.points(X), kernel)
    wide = X.astype(np.longdouble)
    exact = np.tanh(0.5 * (wide @ wide.T) + 1).astype(np.float64)
    away = np.linalg.norm(gram.matrix() - exact)
    assert away <= gram.rounding(np.linalg.norm(exact))
