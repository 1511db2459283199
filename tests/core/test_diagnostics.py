"""Representation quality, leverage and distance to the model, against numpy."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM

from kpca_viewer import KernelPCA
from kpca_viewer.core.methods.outliers import (
    diagnosed,
    empirical_limit,
    permutation_limits,
)
from kpca_viewer.core.projection import FeatureSpace, training_scores
from kpca_viewer.support.errors import DataError, KernelError
from tests.core.reference import circles

X, _ = circles(90)
NEW, _ = circles(30, seed=5)


def by_numpy(center, k, new=None):
    """Return cos², T² and SPE from full centred matrices."""
    n = len(X)
    K = rbf_kernel(X, gamma=2)
    H = np.eye(n) - (1 / n if center else 0)
    values, V = np.linalg.eigh(H @ K @ H)
    values, V = values[::-1][:k], V[:, ::-1][:, :k]
    cross = K if new is None else rbf_kernel(new, X, gamma=2)
    if center:
        lengths = 1 - 2 * cross.mean(axis=1) + K.mean()
        cross = cross - K.mean(axis=0)
    else:
        lengths = np.ones(len(cross))
    Z = cross @ H @ V / np.sqrt(values)
    inside = np.square(Z).sum(axis=1)
    t2 = (np.square(Z) / (values / n)).sum(axis=1)
    return inside / lengths, t2, lengths - inside


@pytest.mark.parametrize("solver", ["dense", "krylov", "lowrank"])
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("new", [None, NEW], ids=["training", "new"])
def test_three_numbers_for_every_row(solver, center, new):
    model = KernelPCA(
        4, kernel="rbf", gamma=2, center=center, eigen_solver=solver, tol=1e-10
    ).fit(X)
    told = model.diagnostics(new)
    cos2, t2, spe = by_numpy(center, 4, new)
    np.testing.assert_allclose(told.cos2, cos2, atol=1e-6)
    np.testing.assert_allclose(told.t2, t2, rtol=1e-5)
    np.testing.assert_allclose(told.spe, spe, atol=1e-6)
    assert told.why_not == ""


def test_training_rows_as_new_rows_get_the_same_numbers():
    model = KernelPCA(3, kernel="rbf", gamma=2).fit(X)
    own, again = model.diagnostics(), model.diagnostics(X)
    for name in ("cos2", "t2", "spe", "lengths"):
        np.testing.assert_allclose(getattr(own, name), getattr(again, name), atol=1e-10)
    assert own.t2.mean() == pytest.approx(3)
    assert own.spe.sum() + model.eigenvalues_.sum() == pytest.approx(own.lengths.sum())


def test_linear_diagnostics_are_those_of_pca():
    points = np.random.default_rng(1).normal(size=(50, 4)) * [5, 2, 1, 1] + 30
    pca = PCA(2).fit(points)
    left = points - pca.inverse_transform(pca.transform(points))
    told = KernelPCA(2).fit(points).diagnostics()
    np.testing.assert_allclose(told.spe, np.square(left).sum(axis=1), atol=1e-9)


def test_components_that_are_asked_for():
    model = KernelPCA(4, kernel="rbf", gamma=2).fit(X)
    found, lengths = model._decomposition, model.diagnostics().lengths
    Z = training_scores(found)
    told = diagnosed(found, Z, lengths, np.array([1, 3]))
    np.testing.assert_allclose(told.cos2, np.square(Z[:, [1, 3]]).sum(axis=1) / lengths)
    assert (diagnosed(found, Z, lengths, np.array([], int)).cos2 == 0).all()
    with pytest.raises(DataError, match="Component 5 is not there: the model has 4"):
        diagnosed(found, Z, lengths, np.array([4]))


def test_few_landmarks_say_how_far_the_mean_may_be_off():
    model = KernelPCA(4, kernel="rbf", gamma=9, eigen_solver="lowrank", tol=0.3).fit(X)
    space = FeatureSpace.of(model._decomposition)
    assert model.rank_ < len(X)
    told = np.sqrt(model.diagnostics().lengths)
    K = rbf_kernel(X, gamma=9)
    exact = np.sqrt(1 - 2 * K.mean(axis=1) + K.mean())
    assert 0 < np.abs(told - exact).max() <= space.mean_error


def test_points_that_are_all_alike_are_represented():
    told = KernelPCA(2, kernel="rbf", gamma=1).fit(np.ones((5, 2))).diagnostics()
    assert (told.cos2 == 1).all()
    assert (told.spe < 1e-12).all()
    assert (told.t2 == 0).all()


def test_matrices_know_their_own_rows():
    K = rbf_kernel(X, gamma=2)
    told = KernelPCA(4, kernel="precomputed").fit(K).diagnostics()
    cos2, _, spe = by_numpy(True, 4)
    np.testing.assert_allclose(told.cos2, cos2, atol=1e-9)
    np.testing.assert_allclose(told.spe, spe, atol=1e-9)
    model = KernelPCA(4, kernel="precomputed").fit(K)
    with pytest.raises(KernelError, match=r"do not say k\(x, x\) of a new row"):
        model.score_samples(rbf_kernel(NEW, X, gamma=2))


def test_distances_and_callables():
    from scipy.spatial.distance import cdist

    expected = KernelPCA(1).fit(X).score_samples(NEW)
    model = KernelPCA(1, kernel="precomputed_distances").fit(cdist(X, X))
    np.testing.assert_allclose(model.score_samples(cdist(NEW, X)), expected, atol=1e-9)
    model = KernelPCA(1, kernel=lambda x, y: x @ y).fit(X)
    np.testing.assert_allclose(model.score_samples(NEW), expected, atol=1e-9)


def test_indefinite_kernels_have_leverage_only():
    model = KernelPCA(3, kernel="sigmoid", gamma=2, coef0=-1).fit(X)
    told = model.diagnostics(NEW)
    assert told.cos2 is None
    assert told.spe is None
    assert np.isfinite(told.t2).all()
    assert not hasattr(model, "score_samples")
    with pytest.raises(AttributeError) as refused:
        model.score_samples(NEW)
    assert isinstance(refused.value.__cause__, KernelError)
    assert "there is no cos²" in str(refused.value.__cause__)


def test_limits_say_how_they_were_found():
    limit = empirical_limit(np.arange(101.0), 0.9)
    assert limit.value == 90
    assert limit.sentence == "91 of the 101 rows do not exceed 90"
    few = empirical_limit(np.arange(8.0))
    assert few.sentence == "7 of the 8 rows do not exceed 6.65"
    with pytest.raises(DataError, match="between 0 and 1"):
        empirical_limit(np.arange(3.0), 1.0)
    with pytest.raises(DataError, match="no row"):
        empirical_limit(np.empty(0))


def test_shuffled_columns_lie_off_a_line():
    t = np.linspace(-1, 1, 200)
    line = np.column_stack((t, t**2, -t))
    model = KernelPCA(5, kernel="rbf", gamma=2).fit(line)
    _, spe = permutation_limits(line, model.diagnostics)
    assert spe.how == "permutation"
    assert "rows whose columns were shuffled" in spe.sentence
    # Rows on the line are nearer than the shuffled ones.
    assert model.diagnostics().spe.max() < spe.value
    again = permutation_limits(line, model.diagnostics)[1]
    assert again.value == spe.value
    some = permutation_limits(line, model.diagnostics, rows=50)[0]
    assert some.rows == 50


def test_indefinite_kernels_have_no_limit_of_distances():
    model = KernelPCA(3, kernel="sigmoid", gamma=2, coef0=-1).fit(X)
    assert permutation_limits(X, model.diagnostics)[1] is None


def test_malignant_rows_are_odd_to_a_model_of_benign_ones():
    """As odd as to a one-class SVM, with γ of each the best of the same few."""
    data, benign = load_breast_cancer(return_X_y=True)
    rows = np.random.default_rng(0).choice(np.flatnonzero(benign), 200, replace=False)
    others = np.setdiff1d(np.arange(len(data)), rows)
    scaler = StandardScaler().fit(data[rows])
    train, test = scaler.transform(data[rows]), scaler.transform(data[others])
    normal = benign[others]

    def best(make):
        scores = (make(gamma).fit(train).score_samples(test) for gamma in GAMMAS)
        return max(roc_auc_score(normal, score) for score in scores)

    ours = best(lambda gamma: KernelPCA(20, kernel="rbf", gamma=gamma))
    assert ours >= best(lambda gamma: OneClassSVM(gamma=gamma))
    assert ours > 0.95


GAMMAS = (1e-4, 1e-3, 1e-2, 1e-1)
