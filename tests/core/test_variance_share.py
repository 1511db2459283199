"""n_components as a share of the variance."""

from functools import cache

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from kpca_viewer import KernelPCA
from kpca_viewer.core.solvers import lowrank
from kpca_viewer.support.errors import KernelError, SolverError
from tests.core.reference import circles

X, Y = circles(300)
MANY, _ = circles(1200)


@cache
def spectrum(center):
    """Return the share of every component of the rings."""
    return shares(X, kernel="rbf", gamma=2, center=center)


def shares(points, **options):
    return KernelPCA(**options).fit(points).explained_variance_ratio_


@pytest.mark.parametrize("solver", ["auto", "lowrank", "krylov", "dense"])
@pytest.mark.parametrize("share", [0.5, 0.95, 0.99999])
def test_it_is_the_smallest_number_that_reaches_it(share, solver):
    center = (share == 0.95) != (solver in ("auto", "krylov"))
    options = {"kernel": "rbf", "gamma": 2, "center": center}
    needed = int(np.argmax(np.cumsum(spectrum(center)) >= share)) + 1
    model = KernelPCA(share, eigen_solver=solver, **options).fit(X)
    assert model.n_components_ == needed
    assert model.transform(X).shape == (300, needed)
    lower = model.eigenvalue_bounds_[:, 0].sum()
    assert lower / model.eigenvalues_.sum() > 1 - 1e-6
    assert model.explained_variance_ratio_.sum() >= share - 1e-9
    assert model.get_params()["n_components"] == share


def test_many_points_are_not_decomposed_as_a_whole():
    model = KernelPCA(0.9, kernel="rbf", gamma=2).fit(MANY)
    assert model.solver_ == "lowrank"
    known = shares(MANY, n_components=40, kernel="rbf", gamma=2)
    assert model.n_components_ == int(np.argmax(np.cumsum(known) >= 0.9)) + 1


def test_a_flat_spectrum_is_followed_as_far_as_it_takes():
    points = np.random.default_rng(0).normal(size=(1100, 30))
    model = KernelPCA(0.05, kernel="rbf", gamma=1 / 60).fit(points)
    assert model.solver_ == "krylov"
    few = model.explained_variance_ratio_
    assert few.sum() >= 0.05 > few[:-1].sum()


@pytest.mark.parametrize("solver", ["krylov", "lowrank"])
def test_a_handful_of_points(solver):
    few = X[::30]
    needed = KernelPCA(0.95, kernel="rbf").fit(few).n_components_
    model = KernelPCA(0.95, kernel="rbf", eigen_solver=solver).fit(few)
    assert model.n_components_ == needed


def test_ties_count_once():
    square = np.array([[1, 0], [-1, 0], [0, 1], [0, -1.0]])
    assert KernelPCA(0.5).fit(square).n_components_ == 1
    assert KernelPCA(0.51).fit(square).n_components_ == 2
    assert KernelPCA(0.9).fit(np.ones((5, 2))).n_components_ == 1


def test_an_indefinite_kernel_reaches_what_is_positive():
    points = np.random.default_rng(0).normal(size=(60, 3))
    options = {"kernel": "sigmoid", "gamma": 1, "coef0": 0.5}
    everything = KernelPCA(60, **options).fit(points)
    positive = np.cumsum(np.maximum(everything.explained_variance_ratio_, 0))
    model = KernelPCA(0.4, eigen_solver="krylov", **options).fit(points)
    assert model.n_components_ == int(np.argmax(positive >= 0.4)) + 1
    with pytest.raises(
        KernelError, match=rf"hold {positive[-1]:.1%} .* reaches 99\.0%"
    ):
        KernelPCA(0.99, **options).fit(points)
    with pytest.raises(ValueError, match="no solver 'qr'"):
        KernelPCA(0.4, eigen_solver="qr", **options).fit(points)


def test_what_low_rank_cannot_show_is_said(monkeypatch):
    original = lowrank.solve
    monkeypatch.setattr(
        lowrank, "solve", lambda problem, capacity, **rest: original(problem, 5, **rest)
    )
    with pytest.raises(SolverError, match=r"accounts for .* not for 99\.0000%"):
        KernelPCA(0.99, kernel="rbf", gamma=5, eigen_solver="lowrank").fit(X)


def test_it_can_be_searched_and_saved(tmp_path):
    pipeline = make_pipeline(KernelPCA(kernel="rbf", gamma=0.5), LogisticRegression())
    search = GridSearchCV(pipeline, {"kernelpca__n_components": [0.1, 0.9]}, cv=3)
    search.fit(X, Y)
    assert search.best_params_ == {"kernelpca__n_components": 0.9}
    model = search.best_estimator_[0]
    model.save(tmp_path / "model.npz")
    again = KernelPCA.load(tmp_path / "model.npz")
    assert again.n_components == 0.9
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
