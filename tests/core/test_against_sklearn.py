"""Agreement with scikit-learn to 1e-8, up to sign and bases of equal eigenvalues."""

from itertools import cycle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import KernelPCA as Theirs
from sklearn.metrics.pairwise import chi2_kernel, rbf_kernel

from kpca_viewer import KernelPCA
from tests.core.reference import circles, same_up_to_sign

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4)) @ np.diag([3, 2, 1.3, 0.7]) + 0.5
NEW = RNG.normal(size=(30, 4))

KERNELS = [
    {"kernel": "linear"},
    {"kernel": "poly", "gamma": 0.1},
    {"kernel": "poly", "degree": 2, "coef0": 0.5},
    {"kernel": "rbf"},
    {"kernel": "rbf", "gamma": 0.03},
    {"kernel": "sigmoid", "gamma": 0.01, "coef0": 0.1},
    {"kernel": "cosine"},
    {"kernel": "laplacian", "gamma": 0.2},
]
each_kernel = pytest.mark.parametrize(
    "options", KERNELS, ids=lambda o: "-".join(map(str, o.values()))
)


def theirs(*args, **options):
    """scikit-learn has the Laplacian as a function only."""
    if options.get("kernel") == "laplacian":
        gamma = options.pop("gamma")
        options["kernel"] = lambda x, y: np.exp(-gamma * np.abs(x - y).sum())
    return Theirs(*args, **options)


@each_kernel
def test_scores_eigenvalues_and_new_points(options):
    a, b = KernelPCA(3, **options), theirs(3, eigen_solver="dense", **options)
    A, B = a.fit_transform(X), b.fit_transform(X)
    assert same_up_to_sign(A, B)
    np.testing.assert_allclose(a.eigenvalues_, b.eigenvalues_, rtol=1e-8)
    assert same_up_to_sign(a.eigenvectors_, b.eigenvectors_)
    assert same_up_to_sign(a.transform(NEW), b.transform(NEW))
    assert a.gamma_ == options.get("gamma", 0.25)


@pytest.mark.parametrize("solver", ["auto", "arpack"])
def test_just_below_a_thousand_points(solver):
    data, _ = circles(999)
    a = KernelPCA(5, kernel="rbf", gamma=3, eigen_solver=solver)
    b = Theirs(5, kernel="rbf", gamma=3, eigen_solver="arpack", random_state=0)
    assert same_up_to_sign(a.fit_transform(data), b.fit_transform(data), 1e-7)
    np.testing.assert_allclose(a.eigenvalues_, b.eigenvalues_, rtol=1e-8)


def test_above_a_thousand_points_within_the_certificate():
    data, _ = circles(1100)
    a = KernelPCA(5, kernel="rbf", gamma=3).fit(data)
    b = Theirs(5, kernel="rbf", gamma=3, eigen_solver="arpack").fit(data)
    assert a.solver_ == "lowrank"
    low, high = a.eigenvalue_bounds_.T
    assert (low <= b.eigenvalues_).all()
    assert (b.eigenvalues_ <= high).all()
    assert (high - low).max() <= 2e-6 * b.eigenvalues_[0]


def test_equal_eigenvalues_span_the_same_space():
    angle = 2 * np.pi * np.arange(40) / 40
    ring = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    A = KernelPCA(4, kernel="rbf", gamma=1).fit_transform(ring)
    B = Theirs(4, kernel="rbf", gamma=1, eigen_solver="dense").fit_transform(ring)
    for pair in (slice(0, 2), slice(2, 4)):
        mine, other = A[:, pair], B[:, pair]
        np.testing.assert_allclose(mine @ mine.T, other @ other.T, atol=1e-12)


@pytest.mark.parametrize(
    "options", [o for o in KERNELS if o["kernel"] != "sigmoid"], ids=str
)
def test_all_components(options):
    a, b = KernelPCA(**options), theirs(eigen_solver="dense", **options)
    few = X[:30]
    A, B = a.fit_transform(few), b.fit_transform(few)
    assert (a.eigenvalues_ > 0).all()
    # What is rounding noise to one may be just above it to the other.
    clear = int((b.eigenvalues_ > 1e-9 * b.eigenvalues_[0]).sum())
    assert A.shape[1] >= clear
    np.testing.assert_allclose(
        a.eigenvalues_[:clear], b.eigenvalues_[:clear], atol=1e-8 * b.eigenvalues_[0]
    )
    assert same_up_to_sign(A[:, :clear], B[:, :clear], 1e-6)


def test_zero_eigenvalues_removed_or_kept():
    flat = RNG.normal(size=(20, 2))
    a, b = KernelPCA(5, remove_zero_eig=True), Theirs(5, remove_zero_eig=True)
    A, B = a.fit_transform(flat), b.fit_transform(flat)
    assert A.shape == B.shape == (20, 2)
    assert same_up_to_sign(A, B)
    kept = KernelPCA(5).fit_transform(flat)
    theirs_kept = Theirs(5, eigen_solver="dense").fit_transform(flat)
    assert kept.shape == theirs_kept.shape == (20, 5)
    assert not kept[:, 2:].any()
    new = KernelPCA(5).fit(flat).transform(flat[:3])
    assert np.isfinite(new).all()
    assert not new[:, 2:].any()


@each_kernel
def test_learnt_inverse(options):
    a = KernelPCA(3, fit_inverse_transform=True, alpha=0.1, **options)
    b = theirs(
        3,
        fit_inverse_transform=True,
        alpha=0.1,
        eigen_solver="dense",
        **options,
    )
    A, B = a.fit_transform(X), b.fit_transform(X)
    back, theirs_back = a.inverse_transform(A), b.inverse_transform(B)
    scale = np.abs(theirs_back).max()
    np.testing.assert_allclose(back, theirs_back, atol=1e-7 * scale)
    expected = np.square(X - theirs_back).sum(axis=1).mean()
    assert a.reconstruction_error_ == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(
        a.reconstruction_error(X) ** 2, np.square(X - back).sum(axis=1), atol=1e-9
    )


@each_kernel
def test_float32(options):
    data = X.astype(np.float32)
    a, b = KernelPCA(3, **options), theirs(3, eigen_solver="dense", **options)
    A, B = a.fit_transform(data), b.fit_transform(data.astype(np.float64))
    assert A.dtype == np.float32
    assert same_up_to_sign(A, B, 1e-5)
    new = a.transform(NEW.astype(np.float32))
    assert new.dtype == np.float32
    assert same_up_to_sign(new, b.transform(NEW), 1e-4)


@pytest.mark.parametrize(
    ("options", "container"),
    list(
        zip(KERNELS, cycle([sp.csr_matrix, sp.csr_array, sp.csc_matrix]), strict=False)
    ),
    ids=str,
)
def test_sparse(options, container):
    data = np.where(X > 1, X, 0)
    data[:, 0] = X[:, 0]
    a, dense = KernelPCA(3, **options), KernelPCA(3, **options)
    A, B = a.fit_transform(container(data)), dense.fit_transform(data)
    assert same_up_to_sign(A, B)
    mixed = [a.transform(container(NEW)), a.transform(NEW)]
    mixed.append(dense.transform(container(NEW)))
    for scores in mixed:
        assert same_up_to_sign(scores, dense.transform(NEW))


def test_sparse_against_scikit_learn():
    data = sp.random(100, 20, density=0.2, format="csr", random_state=0)
    A = KernelPCA(3, kernel="rbf").fit_transform(data)
    B = Theirs(3, kernel="rbf", eigen_solver="dense").fit_transform(data)
    assert same_up_to_sign(A, B)


@pytest.mark.journey
def test_callable_kernel_with_parameters():
    def histogram(x, y, gamma=1.0):
        return np.exp(-gamma * np.sum((x - y) ** 2 / (x + y)))

    data = np.abs(X) + 0.1
    options = {"kernel": histogram, "kernel_params": {"gamma": 0.3}}
    a, b = KernelPCA(3, **options), Theirs(3, eigen_solver="dense", **options)
    assert same_up_to_sign(a.fit_transform(data), b.fit_transform(data))
    new = np.abs(NEW) + 0.1
    assert same_up_to_sign(a.transform(new), b.transform(new))
    given = KernelPCA(3, kernel="precomputed").fit(chi2_kernel(data, gamma=0.3))
    np.testing.assert_allclose(given.eigenvalues_, a.eigenvalues_, rtol=1e-10)


@pytest.mark.parametrize("container", [np.asarray, sp.csr_matrix])
def test_precomputed_kernel(container):
    K, cross = rbf_kernel(X, gamma=0.1), rbf_kernel(NEW, X, gamma=0.1)
    a, b = KernelPCA(3, kernel="precomputed"), Theirs(3, kernel="precomputed")
    A, B = a.fit_transform(container(K)), b.fit_transform(K)
    assert same_up_to_sign(A, B)
    assert same_up_to_sign(a.transform(container(cross)), b.transform(cross))
    assert a.negative_mass_ == 0


def test_precomputed_distances_of_new_points():
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    cross = np.linalg.norm(NEW[:, None] - X[None], axis=2)
    a, b = KernelPCA(4, kernel="precomputed_distances"), KernelPCA(4)
    assert same_up_to_sign(a.fit_transform(D), b.fit_transform(X))
    assert same_up_to_sign(a.transform(cross), b.transform(NEW))


@pytest.mark.parametrize("solver", ["dense", "arpack", "randomized"])
def test_solvers_by_their_names(solver):
    options = {"kernel": "poly", "gamma": 0.1, "eigen_solver": solver}
    a, b = KernelPCA(3, random_state=0, **options), Theirs(3, random_state=0, **options)
    assert same_up_to_sign(a.fit_transform(X), b.fit_transform(X), 1e-7)
    assert a.solver_ == ("dense" if solver == "dense" else "krylov")


def test_the_same_parameters_and_defaults():
    ours, original = KernelPCA().get_params(), Theirs().get_params()
    assert original.items() <= ours.items()
