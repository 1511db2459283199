"""Certificates: the true eigenvalues lie within the bounds, for whatever comes in."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, make_swiss_roll

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.support.errors import SolverError
from tests.core.reference import circles, decompose, eigenvalues, gram_matrix, outside

SOLVERS = ("auto", "dense", "arpack", "randomized", "krylov", "lowrank")
EPS = np.finfo(np.float64).eps


def powers(low, high):
    return st.floats(low, high).map(lambda e: 10.0**e)


@st.composite
def kernels(draw):
    gamma, length = draw(powers(-4, 3)), draw(powers(-2, 2))
    return draw(
        st.one_of(
            st.just(Kernel("linear")),
            st.just(Kernel("cosine")),
            st.just(Kernel("paraboloid")),
            st.builds(
                lambda p, c: Kernel("poly", gamma=min(gamma, 1), degree=p, coef0=c),
                st.integers(1, 6),
                st.sampled_from([0.0, 1.0]),
            ),
            st.just(Kernel("rbf", gamma=gamma)),
            st.just(Kernel("laplacian", gamma=gamma)),
            st.builds(
                lambda nu: Kernel("matern", nu=nu, length_scale=length),
                st.sampled_from([0.5, 1.5, 2.5]),
            ),
            st.builds(
                lambda a: Kernel("rational_quadratic", mixture=a, length_scale=length),
                powers(-1, 2),
            ),
            st.builds(
                lambda c: Kernel("sigmoid", gamma=gamma, coef0=c), st.floats(-2, 2)
            ),
        )
    )


@st.composite
def points(draw):
    """Clouds, clusters, duplicates and lines; near the origin and far from it."""
    n, d = draw(st.integers(2, 150)), draw(st.integers(1, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.standard_normal((n, d))
    match draw(st.sampled_from(["cloud", "clusters", "duplicates", "line"])):
        case "clusters":
            X = 1e-3 * X + rng.standard_normal((4, d))[rng.integers(0, 4, n)]
        case "duplicates":
            X = X[rng.integers(0, max(1, n // 3), n)]
        case "line":
            X = np.linspace(0, 1, n)[:, None] * np.ones(d) + 1e-9
    return X * draw(powers(-2, 2)) + draw(st.sampled_from([0.0, 0.0, 100.0]))


@pytest.mark.journey
@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    X=points(),
    kernel=kernels(),
    solver=st.sampled_from(SOLVERS),
    k=st.integers(1, 12),
    center=st.booleans(),
    tol=st.sampled_from([0.0, 1e-8, 1e-3]),
    preview=st.booleans(),
)
def test_true_eigenvalues_are_within_the_bounds(
    X, kernel, solver, k, center, tol, preview
):
    options = {"center": center, "tol": tol, "preview": preview}
    k = min(k, len(X))
    try:
        result = decompose(X, kernel, k, solver, **options)
    except SolverError:
        assert solver == "lowrank"
        assert not kernel.psd
        return
    assert result.eigenvalues.shape == (k,)
    assert np.isfinite(result.eigenvectors).all()
    assert (np.diff(result.eigenvalues) <= 0).all()
    assert (result.bounds[:, 0] <= result.eigenvalues).all()
    assert (result.eigenvalues <= result.bounds[:, 1]).all()
    K = gram_matrix(kernel, X)
    # The reference rounds as well.
    own = 20 * EPS * np.linalg.norm(K)
    assert outside(result, eigenvalues(K, center=center)) <= own


@pytest.mark.journey
@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    n=st.integers(2, 60),
    seed=st.integers(0, 2**32 - 1),
    solver=st.sampled_from(["auto", "dense", "arpack", "krylov"]),
    single=st.booleans(),
    center=st.booleans(),
)
def test_given_matrices_of_any_kind(n, seed, solver, single, center):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((n, n)) * 10 ** rng.uniform(-3, 3)
    K = (A + A.T) / 2
    gram = MatrixGram.from_kernel(K.astype(np.float32) if single else K)
    k = min(3, n - 1)
    result = solve(Problem(gram, k, center=center), solver)
    truth = eigenvalues(gram.matrix().astype(np.float64), center=center)
    assert outside(result, truth) <= 20 * EPS * np.linalg.norm(K)
    definite = truth[-1] >= -1e-12 * np.abs(truth).max()
    assert definite or not result.psd
    assert result.psd == definite or not result.complete


LARGE = {
    "circles": (circles(1050)[0], Kernel("rbf", gamma=10)),
    "twins": (np.repeat(circles(300)[0], 4, axis=0), Kernel("rbf", gamma=300)),
    "swiss roll": (
        make_swiss_roll(1050, random_state=0)[0],
        Kernel("rbf", gamma=0.02),
    ),
    "rough": (circles(1050)[0], Kernel("matern", nu=0.5)),
    "flat": (load_digits().data[:1050], Kernel("rbf", gamma=1e-3)),
    "polynomial": (load_digits().data[:1050, 20:24], Kernel("poly", gamma=0.01)),
    "identity": (
        np.random.default_rng(0).normal(size=(1050, 5)),
        Kernel("rbf", gamma=100),
    ),
}


@cache
def true_eigenvalues(name):
    X, kernel = LARGE[name]
    return eigenvalues(gram_matrix(kernel, X))


@pytest.fixture(params=LARGE)
def large(request):
    return *LARGE[request.param], true_eigenvalues(request.param)


@pytest.mark.journey
def test_bounds_above_a_thousand_points(large):
    X, kernel, truth = large
    largest = truth[0]
    for solver in ("auto", "krylov"):
        result = decompose(X, kernel, 8, solver)
        assert outside(result, truth) <= 20 * EPS * largest
        low, high = result.bounds.T
        # Both ends are certified, and each may use up the tolerance.
        assert (high - low).max() <= 2e-6 * largest
        assert result.error <= 1.01e-6
    preview = decompose(X, kernel, 8, "auto", preview=True)
    assert outside(preview, truth) == 0
    assert preview.eigenvectors.dtype == np.float32
    np.testing.assert_allclose(preview.eigenvalues, truth[:8], atol=1e-4 * largest)


@pytest.mark.parametrize("tol", [1e-3, 1e-5, 1e-8])
def test_the_tolerance_is_kept(tol):
    X, kernel = LARGE["circles"]
    truth = true_eigenvalues("circles")
    for solver in ("lowrank", "krylov"):
        result = decompose(X, kernel, 8, solver, tol=tol)
        assert result.error <= 1.01 * tol
        assert outside(result, truth) == 0


def test_lowrank_bounds_shrink_with_the_rank():
    X, kernel = LARGE["circles"]
    ranks = [decompose(X, kernel, 5, "lowrank", tol=t).rank for t in (1e-2, 1e-4, 1e-6)]
    assert ranks == sorted(ranks)
    assert ranks[0] < ranks[-1]


@pytest.mark.parametrize("solver", SOLVERS)
def test_two_rows_have_one_eigenvalue(solver):
    X = np.array([[0.125], [-0.132]])
    found = decompose(X, Kernel("linear"), 1, solver)
    np.testing.assert_allclose(found.eigenvalues, [0.257**2 / 2], rtol=1e-9)
