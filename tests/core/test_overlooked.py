"""Every bound is that of the eigenvalue of its index: none is passed over."""

import numpy as np
import pytest
from scipy.stats import chi

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers import Problem, WarmStart, missed_eigenpairs, solve
from kpca_viewer.core.solvers.centred_operator import Centred
from tests.core.reference import circles, decompose, eigenvalues, gram_matrix, outside


def repeated(m, rng):
    return np.repeat(np.eye(m), rng.poisson(8, m) + 1, axis=0)


@pytest.mark.journey
def test_repeated_rows_not_centred():
    """Low rank hands over exact eigenvectors, but not those of the leading values."""
    X = repeated(120, np.random.default_rng(0))
    model = KernelPCA(9, kernel="rbf", gamma=50, center=False).fit(X)
    assert model.solver_ == "krylov"
    np.testing.assert_allclose(
        model.eigenvalues_, [19, 17, 16, 16, 15, 14, 14, 14, 14], atol=1e-9
    )
    low, high = model.eigenvalue_bounds_.T
    assert (high - low).max() <= 2e-6 * 19


def clusters(rng):
    centres = 3 * rng.normal(size=(60, 4))
    return centres[rng.integers(0, 60, 400)] + 1e-5 * rng.normal(size=(400, 4))


CLOUDS = {
    "duplicates": (lambda rng: repeated(70, rng), Kernel("rbf", gamma=20)),
    "tight clusters": (clusters, Kernel("rbf", gamma=5)),
    "near-duplicates": (
        lambda rng: (
            np.repeat(rng.normal(size=(140, 5)), 3, axis=0)
            + 1e-6 * rng.normal(size=(420, 5))
        ),
        Kernel("laplacian", gamma=4),
    ),
    "integer grid": (
        lambda rng: np.argwhere(np.ones((20, 20))).astype(float),
        Kernel("rbf", gamma=2.5),
    ),
}


@pytest.fixture(scope="module", params=CLOUDS)
def cloud(request):
    make, kernel = CLOUDS[request.param]
    X = make(np.random.default_rng(1))
    K = gram_matrix(kernel, X)
    return X, kernel, {c: eigenvalues(K, center=c) for c in (True, False)}


@pytest.mark.journey
@pytest.mark.parametrize("center", [True, False])
def test_multiple_and_clustered_eigenvalues(cloud, center):
    X, kernel, truths = cloud
    far = Kernel(kernel.family.name, gamma=4000 * kernel.values["gamma"])
    options = {"center": center, "tol": 1e-6}
    jumped = decompose(X, far, 8, "krylov", **options).warm_start
    for start, preview in ((None, False), (jumped, False), (jumped, True)):
        options.update(start=start, preview=preview)
        found = decompose(X, kernel, 8, "krylov", **options)
        assert outside(found, truths[center]) <= 1e-14 * np.linalg.norm(truths[center])
        assert preview or found.error <= 1.01e-6


def test_more_copies_than_the_block_has_vectors():
    """An eigenvalue thirty times, and a start that knows only smaller ones exactly."""
    rng = np.random.default_rng(3)
    mu = np.concatenate((np.full(30, 9.0), np.full(40, 5.0), rng.uniform(0, 1, 130)))
    Q, _ = np.linalg.qr(rng.normal(size=(200, 200)))
    K = (Q * mu) @ Q.T
    gram = MatrixGram((K + K.T) / 2, psd=True)
    start = WarmStart(Q[:, 30:70])
    found = solve(Problem(gram, 20, center=False, tol=1e-6, start=start), "krylov")
    np.testing.assert_allclose(found.eigenvalues, 9.0, rtol=1e-9)
    assert outside(found, np.sort(mu)[::-1]) == 0
    assert found.error <= 1.01e-6


@pytest.mark.journey
def test_a_start_from_far_away():
    X, _ = circles(819)
    start = decompose(X, Kernel("laplacian", gamma=8000), 3, "krylov", tol=1e-6)
    near = Kernel("laplacian", gamma=1)
    found = decompose(X, near, 3, "krylov", tol=1e-6, start=start.warm_start)
    assert outside(found, eigenvalues(gram_matrix(near, X))) == 0
    assert found.error <= 1.01e-6


def test_no_pass_left_for_the_check_leaves_the_bounds_wide():
    X = repeated(70, np.random.default_rng(1))
    kernel = Kernel("rbf", gamma=20)
    lacking = decompose(X, kernel, 30, "dense", center=False)
    found = decompose(
        X,
        kernel,
        5,
        "krylov",
        center=False,
        start=WarmStart(lacking.eigenvectors[:, 8:]),
        max_iter=2,
    )
    assert outside(found, lacking.eigenvalues) == 0


@pytest.mark.parametrize("width", [1, 2, 10])
def test_short_gaussian_vectors_are_as_rare_as_is_said(width):
    delta = missed_eigenpairs.smallest_length(width)
    assert chi(width).cdf(delta) <= missed_eigenpairs.FAILURE * (1 + 1e-9)


@pytest.mark.journey
def test_a_check_fails_no_oftener_than_is_said(monkeypatch):
    """With a failure probability of 30 % it does fail, but not in more cases."""
    monkeypatch.setattr(missed_eigenpairs, "FAILURE", 0.3)
    monkeypatch.setattr(missed_eigenpairs, "WIDTH", 1)
    n, wrong, claims = 40, 0, 0
    mu = np.concatenate(([1.0], np.linspace(0.9, 0.2, n - 1)))
    gram = MatrixGram(np.diag(mu), psd=True)
    problem = Problem(gram, 1, center=False)
    centred = Centred.of(gram, problem)
    for seed in range(80):
        outcome = missed_eigenpairs.look(
            problem, centred, np.zeros((n, 0)), 0.999, 10.0, [seed], 6
        )
        claims += outcome.bound < 10
        wrong += outcome.bound < 1
    assert claims > 50
    assert 0 < wrong <= 0.3 * 80
