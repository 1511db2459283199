"""Influence of columns: PCA's loadings, signs, shares, and the estimator's answer."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import StandardScaler

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels import gradients as gradients_module
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.influence import Influence, ScoreFunction, measure
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.support import memory
from kpca_viewer.support.errors import (
    Cancelled,
    DataError,
    KernelError,
    TooLargeError,
)
from tests.core.test_cancellation import StopAfter

WINE = StandardScaler().fit_transform(load_wine().data)


def model(X, kernel=None, k=2):
    kernel = kernel or Kernel("rbf", gamma=0.1)
    points = kernel.points(X, center=True)
    found = solve(Problem(PointsGram(points, kernel), k))
    return ScoreFunction.of(found, kernel, points)


@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_of_the_linear_kernel_it_is_the_loadings_of_pca(offset):
    X = WINE + offset
    loadings = PCA(4).fit(X).components_
    found = KernelPCA(4, kernel="linear").fit(X).influence()
    assert found.rms == pytest.approx(np.abs(loadings), abs=1e-8)
    assert found.shares == pytest.approx(loadings**2, abs=1e-8)
    assert found.together == pytest.approx(np.sqrt((loadings**2).sum(axis=0)))
    # A plane has the same slope everywhere.
    assert found.steadiness == pytest.approx(np.ones((4, 13)))
    assert (found.agreement == 1).all()
    signs = np.sign((found.mean * loadings).sum(axis=1))[:, None]
    assert found.mean * signs == pytest.approx(loadings, abs=1e-8)
    assert (found.directions == np.sign(found.mean)).all()


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cosine"])
def test_the_sums_are_those_of_all_gradients(kernel, monkeypatch):
    fitted = KernelPCA(3, kernel=kernel, gamma=0.05).fit(WINE)
    G = fitted.score_gradients()
    assert G.shape == (178, 3, 13)
    monkeypatch.setattr(gradients_module, "BLOCK_BYTES", 8 * 3 * 14 * 10)
    found = fitted.influence()
    assert found.rms == pytest.approx(np.sqrt((G**2).mean(axis=0)))
    assert found.mean == pytest.approx(G.mean(axis=0))
    assert found.rising == pytest.approx((G > 0).mean(axis=0))
    assert found.falling == pytest.approx((G < 0).mean(axis=0))
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(3))
    assert found.shares_together.sum() == pytest.approx(1)
    squares = (G**2).sum(axis=1).mean(axis=0)
    assert found.together == pytest.approx(np.sqrt(squares))
    assert found.rows == 178
    assert found.has_kinks == (kernel == "laplacian")


def test_components_and_rows_can_be_chosen():
    fitted = KernelPCA(3, kernel="rbf", gamma=0.05).fit(WINE)
    some = fitted.influence(WINE[:9], components=[2])
    G = fitted.score_gradients(WINE[:9])
    assert some.rms == pytest.approx(np.sqrt((G[:, 2:] ** 2).mean(axis=0)))
    assert some.rows == 9
    with pytest.raises(DataError, match="no component 3"):
        fitted.influence(components=[3])
    with pytest.raises(DataError, match="no row"):
        measure(model(WINE), WINE[:0])
    with pytest.raises(ValueError, match="13 features"):
        fitted.influence(WINE[:, :3])


def test_components_that_were_dropped_are_not_counted():
    X = np.outer(np.arange(6.0), [1, 2])
    fitted = KernelPCA(4, kernel="linear", remove_zero_eig=True).fit(X)
    assert fitted.influence().rms.shape == (1, 2)
    assert fitted.influence().rms[0] == pytest.approx(np.array([1, 2]) / 5**0.5)
    # One that is kept without any variance is moved by nothing.
    kept = KernelPCA(2, kernel="linear").fit(X).influence()
    assert kept.rms[1] == pytest.approx([0, 0])
    assert kept.shares[1] == pytest.approx([0, 0])
    assert kept.steadiness[1] == pytest.approx([0, 0])
    assert (kept.directions[1] == 0).all()


def test_what_has_no_columns_has_no_influence():
    K = WINE @ WINE.T
    with pytest.raises(KernelError, match="a matrix that is given has no columns"):
        KernelPCA(2, kernel="precomputed").fit(K).influence()
    with pytest.raises(KernelError, match="derivative of a function"):
        KernelPCA(2, kernel=np.dot).fit(WINE[:9]).score_gradients()
    with pytest.raises(NotFittedError):
        KernelPCA(2).influence()


def test_sparse_and_single_precision_rows_have_influence_too():
    wanted = KernelPCA(2, kernel="rbf", gamma=0.05).fit(WINE).influence()
    for X in (sp.csr_matrix(WINE), WINE.astype(np.float32)):
        found = KernelPCA(2, kernel="rbf", gamma=0.05).fit(X).influence()
        assert found.rms == pytest.approx(wanted.rms, abs=1e-5)


def test_a_saved_model_has_the_same_influence(tmp_path):
    fitted = KernelPCA(2, kernel="rbf", gamma=0.05).fit(WINE)
    fitted.save(tmp_path / "model.npz")
    again = KernelPCA.load(tmp_path / "model.npz").influence()
    assert again.rms == pytest.approx(fitted.influence().rms)


def test_the_example_of_the_documentation():
    fitted = KernelPCA(2, kernel="rbf", gamma=0.1).fit(load_iris().data)
    assert fitted.influence().shares[0].round(2).tolist() == [0.15, 0.03, 0.68, 0.13]


def test_many_columns_and_many_rows():
    random = np.random.default_rng(0)
    wide = random.normal(size=(60, 5000))
    found = measure(model(wide, Kernel("rbf", gamma=1e-4)), wide)
    assert found.rms.shape == (2, 5000)
    assert found.shares.sum(axis=1) == pytest.approx([1, 1])
    # A hundred times as many rows as the anchors, in more than one block.
    long = random.normal(size=(20_000, 20))
    told = []
    found = measure(
        model(long[:200]), long, progress=lambda stage, part: told.append(part)
    )
    assert len(told) > 1
    assert told[-1] == 1
    assert found.rows == 20_000


def test_what_does_not_fit_is_refused_and_what_is_unwanted_stops(monkeypatch):
    function = model(WINE)
    with pytest.raises(Cancelled):
        measure(function, WINE, should_stop=StopAfter(0))
    monkeypatch.setattr(memory, "available", lambda: 1000)
    with pytest.raises(TooLargeError, match="2 components by 13 columns at 178 rows"):
        function.gradients(WINE)


def test_another_unit_is_taken_row_by_row():
    function = model(WINE)

    def doubled(rows, gradient):
        return gradient * (np.arange(178)[rows, None, None] % 2 + 1)

    found = measure(function, WINE, change=doubled)
    G = function.gradients(WINE) * (np.arange(178)[:, None, None] % 2 + 1)
    assert found.rms == pytest.approx(np.sqrt((G**2).mean(axis=0)))


def test_a_sign_that_changes_from_row_to_row_is_said():
    found = Influence(
        rms=np.array([[2.0, 1.0, 0.0]]),
        mean=np.array([[-1.0, 0.0, 0.0]]),
        rising=np.array([[0.1, 0.5, 0.0]]),
        falling=np.array([[0.9, 0.5, 0.0]]),
        rows=10,
    )
    assert found.directions.tolist() == [[-1, 0, 0]]
    assert found.agreement.tolist() == [[0.9, 0.5, 0.0]]
    assert found.steadiness.tolist() == [[0.5, 0.0, 0.0]]
