"""KernelPCA as a scikit-learn estimator, and what it offers beyond."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError, SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import kpca_viewer
from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.support.errors import KernelError, SolverError
from tests.core.reference import circles, eigenvalues, gram_matrix, same_up_to_sign

X, Y = circles(120)


@pytest.mark.journey
@pytest.mark.parametrize(
    "model",
    [
        KernelPCA(),
        KernelPCA(2, kernel="rbf", gamma=0.5),
        KernelPCA(2, kernel="poly", degree=2, center=False),
        KernelPCA(2, kernel="rbf", gamma=0.1, fit_inverse_transform=True),
        KernelPCA(2, kernel="laplacian", eigen_solver="lowrank"),
        KernelPCA(2, kernel="matern", eigen_solver="krylov"),
        KernelPCA(1, kernel="sigmoid", gamma=0.01),
        KernelPCA(2, kernel="rational_quadratic", remove_zero_eig=True),
        KernelPCA(0.9, kernel="rbf", gamma=0.5),
    ],
    ids=lambda model: str(model).removeprefix("KernelPCA").replace("\n", ""),
)
def test_scikit_learns_own_checks(model):
    with warnings.catch_warnings():
        # The check of other array libraries is left out without them.
        warnings.simplefilter("ignore", SkipTestWarning)
        check_estimator(model)


def test_it_is_found_where_people_look():
    assert "KernelPCA" in dir(kpca_viewer)
    with pytest.raises(AttributeError, match="no attribute 'Kernels'"):
        _ = kpca_viewer.Kernels


def test_pandas_out_and_feature_names():
    frame = pd.DataFrame(X, columns=["east", "north"], index=range(5, 125))
    model = KernelPCA(3, kernel="rbf").set_output(transform="pandas")
    scores = model.fit_transform(frame)
    assert list(scores.columns) == ["kernelpca0", "kernelpca1", "kernelpca2"]
    assert list(scores.index) == list(frame.index)
    assert list(model.feature_names_in_) == ["east", "north"]
    assert list(model.get_feature_names_out()) == list(scores.columns)
    assert list(model.transform(frame[:4]).columns) == list(scores.columns)
    with pytest.raises(ValueError, match="feature names"):
        model.transform(frame.rename(columns={"east": "west"}))


@pytest.mark.parametrize("solver", ["dense", "krylov", "lowrank"])
@pytest.mark.parametrize("options", [{}, {"pre_image": "fixed_point"}])
def test_pickles_and_clones(solver, options):
    model = KernelPCA(
        2,
        kernel="rbf",
        gamma=2,
        eigen_solver=solver,
        fit_inverse_transform=True,
        **options,
    ).fit(X)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(X[:9]), model.transform(X[:9]))
    Z = model.transform(X[:9])
    np.testing.assert_array_equal(
        again.inverse_transform(Z), model.inverse_transform(Z)
    )
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert not hasattr(fresh, "eigenvalues_")


def test_pipeline_and_grid_search():
    pipeline = make_pipeline(KernelPCA(2, kernel="rbf"), LogisticRegression())
    search = GridSearchCV(pipeline, {"kernelpca__gamma": [1e-4, 2.0]}, cv=3)
    search.fit(X, Y)
    assert search.best_params_ == {"kernelpca__gamma": 2.0}
    assert search.best_score_ == 1.0


def test_grid_search_cuts_kernel_matrices_on_both_sides():
    pipeline = make_pipeline(KernelPCA(kernel="precomputed"), LogisticRegression())
    assert pipeline.__sklearn_tags__().input_tags.pairwise
    search = GridSearchCV(pipeline, {"kernelpca__n_components": [1, 2]}, cv=3)
    search.fit(rbf_kernel(X, gamma=2), Y)
    assert search.best_score_ == 1.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": 0}, "n_components is 0; it must be None or 1 or more"),
        ({"n_components": 1.5}, "n_components is 1.5.*share of the variance"),
        ({"n_components": 1.0}, "n_components is 1.0"),
        ({"n_components": True}, "n_components is True"),
        ({"n_components": np.nan}, "n_components is nan"),
        ({"center": "no"}, "center is 'no'; it must be True or False"),
        ({"copy_X": 1}, "copy_X is 1; it must be True or False"),
        ({"degree": "3"}, "degree is '3'; it must be a number greater than 0"),
        ({"coef0": None}, "coef0 is None; it must be a number"),
        ({"gamma": "wide"}, 'gamma is \'wide\'; it must be None, "median", "scale" or'),
        (
            {"gamma": 10**400},
            r'gamma is 1000+\.\.\.0+; it must be None, "median", "scale" or a finite',
        ),
        ({"gamma": np.inf}, 'gamma is inf; it must be None, "median", "scale" or'),
        ({"n_jobs": "a"}, "n_jobs is 'a'; it must be None or a whole number"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"kernel_params": {"a": 1}}, "takes none; gamma and others are keywords"),
        ({"kernel": len, "kernel_params": 3}, "kernel_params is 3; it must be None or"),
        ({"random_state": -1}, "random_state is -1; it must be None, 0 or more"),
        ({"alpha": np.nan}, "alpha is nan; it must be 0 or more"),
        ({"tol": -1}, "tol is -1; it must be between 0 and 1"),
        ({"tol": "small"}, "tol is 'small'"),
        ({"alpha": -1}, "alpha is -1; it must be 0 or more"),
        (
            {"iterated_power": -1},
            "iterated_power is -1; it must be 'auto' or 0 or more",
        ),
        ({"iterated_power": "many"}, "iterated_power is 'many'"),
        ({"max_iter": 0}, "max_iter is 0; it must be None or 1 or more"),
        ({"pre_image": "exact"}, "pre_image is 'exact'; it must be 'ridge', 'fix"),
        ({"certificate": "sure"}, "certificate is 'sure'; it must be 'auto', 'proven'"),
        ({"kernel": "gauss"}, "no kernel 'gauss'; choose one of linear.*function"),
        ({"kernel": 3}, "no kernel 3"),
        ({"eigen_solver": "qr"}, "no solver 'qr'"),
        ({"kernel": "rbf", "gamma": 0}, "greater than 0"),
        ({"kernel": "matern", "nu": 1}, "one of 0.5, 1.5, 2.5"),
        (
            {"kernel": "precomputed", "fit_inverse_transform": True},
            "Cannot fit_inverse_transform with a precomputed kernel",
        ),
        (
            {
                "kernel": "precomputed_distances",
                "fit_inverse_transform": True,
            },
            "Cannot fit_inverse_transform",
        ),
    ],
)
def test_parameters_that_cannot_be(options, words):
    with pytest.raises(ValueError, match=words):
        KernelPCA(**options).fit(X)


def test_inverse_must_have_been_asked_for():
    model = KernelPCA(2).fit(X)
    with pytest.raises(NotFittedError, match="fit_inverse_transform"):
        model.inverse_transform(np.zeros((1, 2)))


def test_input_is_copied_unless_told():
    data = X.copy()
    kept = KernelPCA(1, copy_X=False).fit(data)
    copied = KernelPCA(1).fit(data)
    assert np.shares_memory(kept.X_fit_, data)
    assert not np.shares_memory(copied.X_fit_, data)


def test_seeds():
    options = {"kernel": "laplacian", "eigen_solver": "krylov", "tol": 1e-2}
    fits = [
        KernelPCA(2, random_state=seed, **options).fit(X).eigenvalues_
        for seed in (None, 0, 7, np.random.RandomState(7), np.random.RandomState(7))
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    np.testing.assert_array_equal(fits[3], fits[4])
    assert (fits[1] != fits[2]).any()


def test_every_run_of_the_default_agrees():
    data, _ = circles(1100)
    runs = [KernelPCA(3, kernel="rbf").fit_transform(data) for _ in range(2)]
    np.testing.assert_array_equal(*runs)


@pytest.mark.parametrize("solver", ["dense", "krylov", "lowrank"])
@pytest.mark.parametrize("center", [True, False])
def test_fitted_attributes(solver, center):
    model = KernelPCA(3, kernel="rbf", gamma=2, eigen_solver=solver, center=center)
    Z = model.fit_transform(X)
    n = len(X)
    K = rbf_kernel(X, gamma=2)
    trace = n - (K.mean() * n if center else 0)
    assert model.solver_ == solver
    assert model.solver_reason_
    assert (model.landmarks_ is None) == (solver != "lowrank")
    assert model.rank_ == (n if model.landmarks_ is None else len(model.landmarks_))
    assert model.eigenvalue_bounds_.shape == (3, 2)
    assert model.negative_mass_ == 0
    np.testing.assert_array_equal(model.negative_mass_bounds_, 0)
    np.testing.assert_allclose(
        model.explained_variance_ratio_, model.eigenvalues_ / trace, rtol=1e-5
    )
    assert 1 < model.effective_rank_ < n
    np.testing.assert_allclose(np.linalg.norm(model.eigenvectors_, axis=0), 1)
    np.testing.assert_allclose(model.transform(X), Z, atol=1e-5)


def test_effective_rank_is_that_of_the_whole_spectrum():
    everything = KernelPCA(kernel="rbf", gamma=2).fit(X)
    mu = everything.eigenvalues_
    expected = mu.sum() ** 2 / (mu**2).sum()
    for solver in ("dense", "krylov", "lowrank"):
        few = KernelPCA(2, kernel="rbf", gamma=2, eigen_solver=solver).fit(X)
        assert few.effective_rank_ == pytest.approx(expected, rel=1e-4)


def test_indefinite_kernel_keeps_the_positive_part():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(60, 3))
    model = KernelPCA(60, kernel="sigmoid", gamma=1, coef0=0.5)
    Z = model.fit_transform(data)
    assert np.isfinite(Z).all()
    negative = model.eigenvalues_ < 0
    assert negative.any()
    assert not Z[:, negative].any()
    assert not model.transform(data[:5])[:, negative].any()
    share = -model.eigenvalues_[negative].sum() / np.abs(model.eigenvalues_).sum()
    assert model.negative_mass_ == pytest.approx(share)
    assert np.abs(model.explained_variance_ratio_).sum() == pytest.approx(1)
    positive = KernelPCA(kernel="sigmoid", gamma=1, coef0=0.5).fit(data)
    assert (positive.eigenvalues_ > 0).all()


def test_a_negative_trace_is_shared_out_truly():
    """−K is all negative mass; the kept eigenvalues must not be the denominator."""
    K = -rbf_kernel(X, gamma=2)
    model = KernelPCA(3, kernel="precomputed", center=False).fit(K)
    assert model.negative_mass_ == pytest.approx(1)
    total = len(X)
    np.testing.assert_allclose(
        model.explained_variance_ratio_, model.eigenvalues_ / total, atol=1e-12
    )
    assert model.effective_rank_ == pytest.approx(total**2 / (K**2).sum())


def test_distances_are_always_centred():
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    a = KernelPCA(2, kernel="precomputed_distances").fit_transform(D)
    b = KernelPCA(2, kernel="precomputed_distances", center=False).fit_transform(D)
    np.testing.assert_array_equal(a, b)


def test_errors_keep_their_family():
    assert issubclass(KernelError, ValueError)
    assert issubclass(SolverError, ValueError)


def test_constant_data():
    model = KernelPCA(2, kernel="rbf")
    Z = model.fit_transform(np.ones((10, 3)))
    assert not Z.any()
    assert np.isnan(model.explained_variance_ratio_).all()
    assert model.effective_rank_ == 0


def test_one_more_solver_for_new_points():
    """Low rank needs the kernel against its landmarks only, and agrees."""
    data, _ = circles(400)
    new, _ = circles(50, seed=1)
    exact = KernelPCA(4, kernel="rbf", gamma=2).fit(data)
    low = KernelPCA(4, kernel="rbf", gamma=2, eigen_solver="lowrank", tol=1e-10)
    low.fit(data)
    assert same_up_to_sign(low.transform(new), exact.transform(new), 1e-4)


def test_a_fitted_model_carries_nothing_for_a_neighbour():
    X = np.random.default_rng(0).normal(size=(300, 4))
    sizes = [
        len(pickle.dumps(KernelPCA(3, kernel="rbf", eigen_solver=solver).fit(X)))
        for solver in ("krylov", "dense")
    ]
    # With a single vector more it would be larger.
    assert sizes[0] <= sizes[1]


def test_a_tolerance_that_is_missed_is_said():
    X = np.random.default_rng(0).normal(size=(600, 6))
    flat = {"kernel": "rbf", "gamma": 1.0, "eigen_solver": "krylov"}
    with pytest.warns(ConvergenceWarning, match="of the largest, not to 1e-06"):
        model = KernelPCA(5, max_iter=2, tol=1e-6, **flat).fit(X)
    # A bound beyond what the trace leaves would say nothing.
    low, high = model.eigenvalue_bounds_.T
    trace = model.eigenvalues_[0] / model.explained_variance_ratio_[0]
    assert (high <= (trace - np.cumsum(low) + low) * (1 + 1e-9)).all()
    assert (high <= trace / np.arange(1, 6) * (1 + 1e-9)).all()


@pytest.mark.parametrize("solver", ["dense", "lowrank", "krylov"])
def test_an_eigenvalue_that_is_set_to_zero_is_within_its_bounds(solver):
    """Three points that are one, and a fourth that is nearly that."""
    X = np.array([[0.0], [0.0], [1.0], [1.0 + 3e-7]] * 5)
    model = KernelPCA(6, kernel="rbf", gamma=1.0, eigen_solver=solver).fit(X)
    assert (model.eigenvalues_ == 0).any()
    low, high = model.eigenvalue_bounds_.T
    assert (low <= model.eigenvalues_).all()
    assert (model.eigenvalues_ <= high).all()
    truth = eigenvalues(gram_matrix(Kernel("rbf", gamma=1.0), X))[:6]
    assert (truth <= high + 1e-15).all()


def test_components_and_scores_have_bounds():
    X = np.random.default_rng(0).normal(size=(60, 3)) * [3, 2, 1]
    model = KernelPCA(4, kernel="linear").fit(X)
    Z = model.transform(X)
    U, singular, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    away = np.linalg.norm(np.abs(Z[:, :3]) - np.abs(U * singular), axis=0)
    assert (away <= model.score_bounds_[:3] + 1e-13).all()
    assert (model.score_bounds_[:3] < 1e-11).all()
    assert (model.component_angle_bounds_[:3] < 1e-11).all()
    # Of a component without variance only the length of its scores is known.
    assert np.isinf(model.component_angle_bounds_[3])
    assert model.score_bounds_[3] < 1e-5
    # A square has two equal eigenvalues: one plane, and no direction in it.
    square = KernelPCA(2).fit([[1.0, 0], [0, 1], [-1, 0], [0, -1]])
    assert np.isinf(square.component_angle_bounds_).all()
    assert np.isinf(square.score_bounds_).all()


@pytest.mark.parametrize("kernel", ["linear", "poly"])
def test_all_components_are_no_more_than_the_dimensions_of_feature_space(kernel):
    # The last column is so small that a tolerance of 1e-6 would miss it.
    X = np.random.default_rng(0).standard_normal((1100, 3)) * [1.0, 1e-2, 1e-4]
    model = KernelPCA(kernel=kernel, degree=2, gamma=0.5).fit(X)
    K = X @ X.T if kernel == "linear" else (0.5 * X @ X.T + 1) ** 2
    H = np.eye(len(X)) - 1 / len(X)
    k, true = len(model.eigenvalues_), np.linalg.eigvalsh(H @ K @ H)[::-1]
    assert 3 <= k <= (3 if kernel == "linear" else 10)
    low, high = model.eigenvalue_bounds_.T
    noise = 1e-13 * true[0]
    assert (low - noise <= true[:k]).all()
    assert (true[:k] <= high + noise).all()
    assert abs(model.explained_variance_ratio_.sum() - 1) < 1e-9
    assert model.solver_reason_ == "few dimensions"
