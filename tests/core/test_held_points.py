"""Large tables that are prepared block by block, and models of them."""

import numpy as np
import pytest

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.kernels.large_tables import HeldPoints, held_points
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import Problem, onepass
from kpca_viewer.support.errors import KernelError, KernelOverflowError
from tests.core.reference import ALL_KERNELS, circles, kernel_id

PARTS = "X", "squared_norms", "shifted", "shifted_norms"
FAR = Kernel("rbf", gamma=1e9)


def table(n=300, dtype=np.float32):
    return (np.random.default_rng(0).normal(size=(n, 4)) + 2).astype(dtype)


@pytest.mark.parametrize("kernel", [*ALL_KERNELS, FAR], ids=kernel_id)
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_that_are_taken_are_those_of_prepared_points(kernel, center, dtype):
    X = table(dtype=dtype)
    wanted = kernel.points(X.astype(np.float64), center=center)
    held = held_points(kernel, X, center=center)
    assert (held.moved, held.by_differences) == (wanted.moved, wanted.by_differences)
    assert held.largest_squared_norm == pytest.approx(wanted.largest_squared_norm)
    for rows in (slice(3, 70), np.array([5, 2, 200]), slice(None)):
        for kind in (np.float64, np.float32):
            taken, same = (p.astype(kind).take(rows) for p in (held, wanted))
            for part in PARTS:
                given = getattr(taken, part)
                assert given.dtype == kind
                np.testing.assert_allclose(given, getattr(same, part), atol=1e-6)
    np.testing.assert_allclose(held.squared_norms, wanted.squared_norms, atol=1e-12)
    bounds = [kernel.rounding(points, 10.0) for points in (held, wanted)]
    assert bounds[0] == pytest.approx(bounds[1], rel=1e-6)


def test_a_precision_has_its_own_extent():
    held = held_points(Kernel("rbf", gamma=1), table(), center=True)
    wide, narrow = (held.astype(kind).measure() for kind in (float, np.float32))
    assert narrow.eps == pytest.approx(1e9 * wide.eps, rel=0.5)
    assert (narrow.count, narrow.largest) == (wide.count, wide.largest)


def test_values_that_no_kernel_can_take_are_refused():
    with pytest.raises(KernelError, match="NaN"):
        held_points(Kernel("rbf", gamma=1), np.full((5, 2), np.nan), center=True)
    with pytest.raises(KernelOverflowError):
        held_points(Kernel("poly", degree=9), table() * 1e18, center=True)


class Watched:
    """A table that notes how many rows of it are asked for at once."""

    def __init__(self, X):
        self._X, self.shape, self.most = X, X.shape, 0

    def __len__(self):
        return len(self._X)

    def __getitem__(self, rows):
        taken = self._X[rows]
        self.most = max(self.most, len(taken))
        return taken


def test_a_pass_never_asks_for_all_rows(monkeypatch):
    monkeypatch.setattr("kpca_viewer.core.solvers.landmarks.ROWS", 600)
    monkeypatch.setattr("kpca_viewer.core.solvers.landmarks.HELD_OUT", 200)
    monkeypatch.setattr("kpca_viewer.core.kernels.large_tables.BLOCK_BYTES", 1 << 14)
    X, _ = circles(30_000)
    watched, kernel = Watched(X), Kernel("rbf", gamma=2)
    points = held_points(kernel, watched, center=True)
    problem = Problem(PointsGram(points, kernel), 5, tol=1e-3, vectors_later=True)
    found = onepass.solve(problem, 400)
    assert found.error <= 1e-3
    assert (found.n, len(found.eigenvectors)) == (30_000, found.rank)
    assert 0 < watched.most < 15_000


@pytest.fixture(scope="module")
def model():
    X, _ = circles(50_000)
    options = {"kernel": "rbf", "gamma": 2, "tol": 1e-3}
    return KernelPCA(3, **options).fit(X.astype(np.float32))


def test_an_array_is_held_as_it_is(model):
    assert isinstance(model._points, HeldPoints)
    assert model.X_fit_.dtype == np.float32


def test_eigenvectors_come_when_they_are_asked_for(model):
    scores = model.transform(model.X_fit_)
    V = model.eigenvectors_
    assert (V.shape, V.dtype) == ((50_000, 3), np.float32)
    np.testing.assert_allclose(V * np.sqrt(model.eigenvalues_), scores, atol=1e-5)
    np.testing.assert_allclose(V.T @ V, np.eye(3), atol=1e-3)
    np.testing.assert_allclose(model._training_scores(), scores, atol=1e-5)


def test_landmarks_are_rows_of_the_array(model):
    assert len(model.landmarks_) == model.rank_ == len(set(model.landmarks_))
    known = model._points.take(model.landmarks_).X
    np.testing.assert_array_equal(known, model.X_fit_[model.landmarks_])


def test_what_needs_all_rows_has_them(model, tmp_path):
    found = model.diagnostics()
    assert found.t2.shape == (50_000,)
    assert found.t2.mean() == pytest.approx(3, rel=1e-2)
    model.save(tmp_path / "model.npz")
    again = KernelPCA.load(tmp_path / "model.npz")
    some = model.X_fit_[:100]
    np.testing.assert_array_equal(again.transform(some), model.transform(some))
    np.testing.assert_array_equal(again.eigenvectors_, model.eigenvectors_)


def test_many_new_rows_are_projected_block_by_block(model, monkeypatch):
    wanted = model.transform(model.X_fit_)
    monkeypatch.setattr("kpca_viewer.core.estimator.parameters.FEW_NUMBERS", 0)
    monkeypatch.setattr("kpca_viewer.core.linalg.products.BLOCK_BYTES", 1 << 16)
    np.testing.assert_allclose(model.transform(model.X_fit_), wanted, atol=1e-7)


def test_there_are_no_eigenvectors_before_fit():
    assert not hasattr(KernelPCA(), "eigenvectors_")
