"""One BLAS thread wherever products and eigenpairs are computed; threads of our own."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kpca_viewer import KernelPCA, analyse, generate
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import products
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import lowrank_factor


def blas_threads():
    return {i["num_threads"] for i in threadpool_info() if i["user_api"] == "blas"}


@pytest.fixture
def threads_seen(monkeypatch):
    """How many BLAS threads there are where products and eigenpairs are computed."""
    seen = set()

    def watched(function):
        def watching(*args, **named):
            seen.update(blas_threads())
            return function(*args, **named)

        return watching

    monkeypatch.setattr(Kernel, "of_base", watched(Kernel.of_base))
    monkeypatch.setattr(np.linalg, "eigh", watched(np.linalg.eigh))
    with threadpool_limits(2, user_api="blas"):
        yield seen
        assert blas_threads() == {2}


@pytest.mark.parametrize("solver", ["auto", "dense", "krylov", "lowrank"])
def test_solvers_have_one_blas_thread(threads_seen, solver):
    X = np.random.default_rng(0).normal(size=(510, 3))
    KernelPCA(4, kernel="rbf", gamma=0.1, tol=1e-4, eigen_solver=solver).fit(X)
    assert threads_seen == {1}


def test_a_factor_of_many_rows_has_one_blas_thread(threads_seen):
    X = np.random.default_rng(0).normal(size=(20_100, 2))
    KernelPCA(2, kernel="rbf", gamma=0.01, tol=1e-2).fit(X)
    assert threads_seen == {1}


@pytest.mark.parametrize(
    "ask",
    ["transform", "score_samples", "denoise", "reconstruction_error", "influence"],
)
def test_what_is_asked_of_a_model_has_one_blas_thread(threads_seen, ask):
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = KernelPCA(3, kernel="rbf", gamma=0.2, fit_inverse_transform=True).fit(X)
    getattr(model, ask)(X[:20] + 0.1)
    assert threads_seen == {1}


def test_an_analysis_has_one_blas_thread(threads_seen):
    analyse(generate("circles", samples=60))
    assert threads_seen == {1}


@pytest.mark.parametrize("tol", [1e-2, 0.0])
def test_digits_do_not_depend_on_the_number_of_cores(monkeypatch, tol):
    monkeypatch.setattr(lowrank_factor, "SHARED_FROM", 1000)
    X = np.random.default_rng(0).normal(size=(2100, 2))
    found = []
    for count in (1, 2, 5):
        monkeypatch.setattr(products, "cores", lambda count=count: count)
        model = KernelPCA(3, kernel="rbf", gamma=0.02, tol=tol).fit(X)
        found.append((model.eigenvalue_bounds_, model.transform(X[:9])))
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("width", [1, 12])
def test_a_pass_has_the_same_digits_on_any_number_of_cores(monkeypatch, width):
    rng = np.random.default_rng(0)
    kernel = Kernel("rbf", gamma=0.5)
    gram = PointsGram(kernel.points(rng.normal(size=(2100, 3))), kernel)
    V, passed = rng.normal(size=(2100, width)), []
    for count in (1, 2, 5):
        monkeypatch.setattr(products, "cores", lambda count=count: count)
        passed.append(products.pass_over(gram, V))
    for other in passed[1:]:
        np.testing.assert_array_equal(other.image, passed[0].image)
        assert other.squares == passed[0].squares
