"""Products with a kernel matrix: tile by tile, in small parts, on several cores."""

import numpy as np
import pytest

from kpca_viewer.core.kernels import bases
from kpca_viewer.core.kernels.bases import WidenedTables
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import products
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram
from kpca_viewer.core.linalg.products import dot, multiply
from kpca_viewer.support.errors import Cancelled
from tests.core.reference import ALL_KERNELS, gram_matrix, kernel_id

RNG = np.random.default_rng(0)
X = RNG.normal(size=(701, 3))
V = RNG.normal(size=(701, 5))


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)
def test_a_pass_is_a_product(kernel):
    K = gram_matrix(kernel, X)
    seen = products.pass_over(PointsGram(kernel.points(X), kernel), V)
    scale = np.abs(K).max()
    np.testing.assert_allclose(seen.image, K @ V, atol=1e-11 * scale)
    np.testing.assert_allclose(seen.squares, np.square(K).sum(), rtol=1e-11)


@pytest.mark.parametrize("tile", [(1, 1), (7, 50), (50, 7), (701, 701), (96, 576)])
@pytest.mark.parametrize("rows", [1, 300, 10_000])
def test_tiles_and_threads_change_nothing(monkeypatch, tile, rows):
    monkeypatch.setattr(products, "PASS_TILE", tile)
    monkeypatch.setattr(products, "LEAST_PASS_ROWS", rows)
    A = RNG.normal(size=(40, 40))
    K = A + A.T
    seen = products.pass_over(MatrixGram(K), V[:40])
    np.testing.assert_allclose(seen.image, K @ V[:40], atol=1e-12)
    np.testing.assert_allclose(seen.squares, np.square(K).sum(), rtol=1e-12)


def test_every_run_gives_the_same_bits():
    kernel = Kernel("rbf", gamma=1)
    many = RNG.normal(size=(2100, 2))
    images = [
        products.pass_over(PointsGram(kernel.points(many), kernel), many).image
        for _ in range(3)
    ]
    assert (images[0] == images[1]).all()
    assert (images[0] == images[2]).all()


def test_a_pass_tells_how_far_it_is_and_can_be_stopped():
    kernel = Kernel("rbf", gamma=1)
    points = PointsGram(kernel.points(X), kernel)
    told = []
    products.pass_over(
        points, V, progress=lambda stage, part: told.append((stage, part))
    )
    assert told[-1] == ("exact pass", 1.0)
    assert all(0 < part <= 1 for _, part in told)
    with pytest.raises(Cancelled):
        products.pass_over(points, V, should_stop=lambda: True)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("rows", [1, 10, 128])
def test_products_in_parts_are_the_product(monkeypatch, rows, order, dtype):
    monkeypatch.setattr(products, "PRODUCT_ROWS", rows)
    A = RNG.normal(size=(37, 29)).astype(dtype)
    result = np.empty((37, 5), order=order)
    multiply(A, V[:29], result)
    np.testing.assert_allclose(result, A.astype(np.float64) @ V[:29], atol=1e-12)


def test_products_on_several_cores(monkeypatch):
    monkeypatch.setattr(
        products, "row_blocks", lambda n, *_: [slice(0, 9), slice(9, n)]
    )
    A = RNG.normal(size=(701, 701))
    np.testing.assert_allclose(dot(MatrixGram(A), V), A @ V, atol=1e-10)


def test_widened_tables_give_squared_distances():
    points = Kernel("rbf", gamma=1).points(X)
    tables = WidenedTables.of(points, "squared_distances")
    some = np.array([3, 50, 7])
    expected = np.square(X[some][:, None] - X[10:20]).sum(axis=2)
    np.testing.assert_allclose(tables.block(some, slice(10, 20)), expected, atol=1e-12)


def test_tables_are_kept_only_where_they_give_the_base(monkeypatch):
    points = Kernel("rbf", gamma=1).points(X)
    assert WidenedTables.of(points, "distances") is None
    exact = Kernel("rbf", gamma=1e9).points(X)
    assert exact.by_differences
    assert WidenedTables.of(exact, "squared_distances") is None
    wide = Kernel("rbf", gamma=1).points(RNG.normal(size=(5, 65)))
    assert WidenedTables.of(wide, "squared_distances") is None
    monkeypatch.setattr(bases, "LARGEST_TABLES", 1000)
    assert WidenedTables.of(points, "squared_distances") is None
    # Without them the entries are the same.
    kernel = Kernel("rbf", gamma=1)
    K = gram_matrix(kernel, X)
    rows = PointsGram(points, kernel).rows(np.arange(4))
    np.testing.assert_allclose(rows, K[:4], atol=1e-12)
