"""The Gram matrix: rows, blocks, products, refusals, and the pool that fills it."""

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import products
from kpca_viewer.core.linalg.gram import (
    MatrixGram,
    PointsGram,
    fits_single,
    pairwise_base,
)
from kpca_viewer.core.linalg.products import center_rows, dot, row_blocks, symmetric
from kpca_viewer.support.errors import Cancelled, KernelError
from kpca_viewer.support.threads import one_blas_thread
from tests.core.reference import ALL_KERNELS, gram_matrix, kernel_id

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
RBF = Kernel("rbf", gamma=0.5)
INDEX = np.array([3, 77, 0, 149])


def grams(kernel):
    """The same K: on demand, formed, from a shared base, and as a matrix."""
    points = kernel.points(X)
    formed = PointsGram(points, kernel)
    formed.matrix()
    based = PointsGram(points, kernel, pairwise_base(kernel, points))
    return PointsGram(points, kernel), formed, based, MatrixGram(formed.matrix())


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)
def test_every_way_to_the_same_matrix(kernel):
    K = gram_matrix(kernel, X)
    close = {"rtol": 1e-9, "atol": 1e-12}
    for gram in grams(kernel):
        np.testing.assert_allclose(gram.rows(INDEX), K[INDEX], **close)
        np.testing.assert_allclose(
            gram.block(INDEX, INDEX[:2]), K[np.ix_(INDEX, INDEX[:2])], **close
        )
        np.testing.assert_allclose(gram.diagonal(), np.diag(K), **close)
        np.testing.assert_allclose(dot(gram, X), K @ X, **close)
        np.testing.assert_allclose(gram.matrix(), K, **close)
        assert gram.has_matrix()
        single = gram.single()
        assert single.dtype == np.float32
        np.testing.assert_allclose(single.matrix(), K, rtol=3e-4, atol=3e-5)


def test_rows_belong_to_the_caller():
    for gram in grams(RBF):
        before = gram.diagonal().copy()
        gram.rows(INDEX)[:] = 7
        gram.block(INDEX, INDEX)[:] = 7
        gram.diagonal()[:] = 7
        np.testing.assert_array_equal(gram.diagonal(), before)
        np.testing.assert_array_less(gram.matrix(), 1.5)


def test_the_matrix_is_exactly_symmetric_and_kept():
    gram = PointsGram(RBF.points(X), RBF)
    assert not gram.has_matrix()
    K = gram.matrix()
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(np.diag(K), 1)
    assert gram.matrix() is K


@pytest.mark.parametrize("n", [1, 63, 64, 65, 300, 700])
@pytest.mark.parametrize("tile", [(64, 64), (64, 150), (128, 2048), (1, 1000)])
def test_symmetric_fill_covers_every_entry(n, tile, monkeypatch):
    monkeypatch.setattr(products, "TILE", tile)
    monkeypatch.setattr(products, "ALONE_UP_TO", 0)
    value = np.add.outer(np.arange(n), np.arange(n)).astype(float)

    def block(rows, columns):
        return value[rows, columns]

    seen = []
    pooled = symmetric(block, n, float, progress=lambda s, f: seen.append((s, f)))
    np.testing.assert_array_equal(pooled, value)
    assert seen[-1] == ("kernel matrix", 1.0)
    monkeypatch.setattr(products, "cores", lambda: 1)
    np.testing.assert_array_equal(symmetric(block, n, float), value)


@pytest.mark.parametrize("d", [3, 40])
def test_a_matrix_of_many_tiles_is_exactly_symmetric(d, monkeypatch):
    monkeypatch.setattr(products, "TILE", (32, 50))
    many = RNG.normal(size=(333, d))
    kernel = Kernel("rbf", gamma=1 / d)
    K = PointsGram(kernel.points(many), kernel).matrix()
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, gram_matrix(kernel, many), rtol=1e-11)


def test_a_tile_and_its_mirror_touch_little_memory(monkeypatch):
    """Fresh memory is slow to touch, and nothing stops a tile that has begun."""
    n = 300
    monkeypatch.setattr(products, "TILE", (16, 1000))
    monkeypatch.setattr(products, "TOUCHED_BYTES", 40 * 8 * n)
    value = np.add.outer(np.arange(n), np.arange(n)).astype(float)
    widths = []

    def block(rows, columns):
        widths.append(columns.stop - columns.start)
        return value[rows, columns]

    np.testing.assert_array_equal(symmetric(block, n, float), value)
    assert max(widths) == 40


def test_filling_stops_when_nobody_wants_it():
    calls = []

    def should_stop():
        calls.append(1)
        return len(calls) > 3

    with pytest.raises(Cancelled):
        symmetric(
            lambda r, c: np.zeros((r.stop - r.start, c.stop - c.start)),
            1000,
            float,
            should_stop,
        )


def test_products_stop_between_blocks(monkeypatch):
    monkeypatch.setattr(products, "BLOCK_BYTES", 1)
    for gram in grams(RBF)[:2]:
        with pytest.raises(Cancelled):
            dot(gram, X, lambda: True)


def test_row_blocks_cover_and_are_bounded():
    for n, row_bytes, target in ((10, 8, 24), (10, 0, 5), (10, 100, 8), (1, 1, 1)):
        slices = list(row_blocks(n, row_bytes, target))
        rows = [i for s in slices for i in range(s.start, s.stop)]
        assert rows == list(range(n))
        longest = max(s.stop - s.start for s in slices)
        assert longest == 1 or longest * row_bytes <= target
    assert list(row_blocks(0, 8)) == []


def test_centre_rows():
    np.testing.assert_allclose(center_rows(X).mean(axis=0), 0, atol=1e-15)


@pytest.mark.parametrize(
    ("K", "words"),
    [
        (np.ones((2, 3)), "kernel matrix must be square; this one is 2 × 3"),
        (np.ones(3), "must be square"),
        (np.array([[1, np.nan], [np.nan, 1]]), "NaN or infinite"),
        (np.array([[1, 2], [2.1, 1]]), "row 0, column 1 holds 2 but row 1.*2.1"),
        (np.eye(2) * 1e151, "too large; scale"),
    ],
)
def test_kernel_matrices_that_cannot_be(K, words):
    with pytest.raises(KernelError, match=words):
        MatrixGram.from_kernel(K)


@pytest.mark.parametrize(
    ("D", "words"),
    [
        (np.array([[0, -1.0], [-1, 0]]), "negative entry −1 at row 0, column 1"),
        (np.eye(2), r"1 on its diagonal \(row 0\).*Is this a kernel matrix"),
        (np.array([[0, 1e80], [1e80, 0]]), "too large to be squared"),
        (np.array([[0, 1], [2.0, 0]]), "distance matrix is not symmetric"),
    ],
)
def test_distance_matrices_that_cannot_be(D, words):
    with pytest.raises(KernelError, match=words):
        MatrixGram.from_distances(D)


def test_rounding_differences_are_averaged():
    K = np.array([[1, 0.5], [0.5 + 1e-12, 1]])
    made = MatrixGram.from_kernel(K).matrix()
    assert made[0, 1] == made[1, 0]
    loose = MatrixGram.from_kernel(np.array([[1, 0.5], [0.500001, 1]], np.float32))
    assert loose.dtype == np.float32


def test_matrices_take_the_precision_that_they_need():
    assert MatrixGram.from_kernel(np.eye(3, dtype=int)).dtype == np.float64
    assert MatrixGram.from_kernel(np.eye(3, dtype=np.float32) * 1e30).dtype == float
    D = (1 - np.eye(3, dtype=np.float32)) * np.float32(1e30)
    assert np.isfinite(MatrixGram.from_distances(D).matrix()).all()


def test_single_precision_only_where_it_holds_the_squares():
    assert fits_single(np.array([1.0]))
    assert not fits_single(np.array([1e20]))
    assert not fits_single(np.array([1e-20]))
    big = Kernel("poly", gamma=1, degree=10, coef0=1)
    gram = PointsGram(big.points(X * 100), big)
    assert gram.single() is gram
    matrix = MatrixGram(np.eye(2) * 1e30)
    assert matrix.single() is matrix


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)
@pytest.mark.parametrize("scale", [1, 30])
def test_rounding_of_the_entries_is_bounded(kernel, scale):
    """float32 shows what float64 hides: the promise must hold for a wide spread."""
    points = X * scale
    K = gram_matrix(kernel, points.astype(np.float32).astype(np.float64))
    gram = PointsGram(kernel.points(points.astype(np.float32)), kernel)
    norm = np.linalg.norm(K)
    error = np.linalg.norm(gram.matrix().astype(np.float64) - K, 2)
    own = np.finfo(np.float32).eps * norm
    assert error <= gram.rounding(norm) + 4 * own


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)
@pytest.mark.parametrize("scale", [0.1, 1, 30])
def test_a_base_in_float64_costs_float32_few_digits(kernel, scale):
    points = kernel.points(X * scale)
    wide = PointsGram(points, kernel, pairwise_base(kernel, points))
    single = wide.single()
    assert single.dtype == np.float32
    assert single.base is wide.base
    K = gram_matrix(kernel, X * scale)
    norm = np.linalg.norm(K)
    promised = single.rounding(norm)
    for found in (single.matrix(), single.rows(np.arange(len(X)))):
        assert found.dtype == np.float32
        error = np.linalg.norm(found.astype(np.float64) - K, 2)
        assert error <= promised + 4 * np.finfo(np.float32).eps * norm
    if kernel.family.base != "dot_products":
        assert promised <= 2e-5 * norm
    assert single.single() is single


def test_blas_threads_come_back():
    def count():
        return {i["num_threads"] for i in threadpool_info() if i["user_api"] == "blas"}

    with threadpool_limits(2, user_api="blas"):
        _check_that_threads_come_back(count)


def _check_that_threads_come_back(count):
    before = count()
    inside, leave = threading.Event(), threading.Event()

    def other():
        with one_blas_thread():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with one_blas_thread():
        thread.start()
        assert inside.wait(10)
        assert count() == {1}
    assert count() == {1}
    leave.set()
    thread.join(10)
    assert count() == before
