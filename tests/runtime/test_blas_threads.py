"""One BLAS thread, wherever products and eigenpairs are computed."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kpca_viewer import KernelPCA, analyse, generate
from kpca_viewer.core.kernels.kernel import Kernel


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
