"""Products with matrices in blocks that stay in the cache, on all cores.

One pass over a kernel matrix that is never stored.

Every entry above the diagonal is computed once and used twice, for itself and for its
mirror image. The cores share the tiles.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import cores, one_blas_thread

BLOCK_BYTES = 16 << 20
"""Blocks of about this size keep memory bounded and cancellation prompt."""

TILE = 128, 2048
"""Rows and columns of a part of K that is made at once: it stays in the cache."""

TOUCHED_BYTES = 32 << 20
"""Memory that the mirror image of a tile may touch: all of its rows of K. Touching it
for the first time takes long, and nothing stops a tile that has begun."""

SMALL_PRODUCT = 1_000_000
"""Multiplications of a product up to which OpenBLAS does not rearrange the factors
first, which takes as long as a product with a few columns itself."""

PRODUCT_ROWS = 128
"""Rows of a product with a few columns that are multiplied at once: a copy of them in
float64 stays in the cache."""

MOST_WORKERS = 4
"""Threads that share a matrix: more of them wait for memory, not for a core."""

ALONE_UP_TO = 2500
"""Rows up to which one thread fills K as fast as several that wait for each other."""


def row_blocks(n: int, row_bytes: int, target: int = BLOCK_BYTES) -> Iterator[slice]:
    """Cut n rows into slices of about ``target`` bytes each."""
    step = max(1, min(n, target // max(row_bytes, 1)))
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def symmetric(
    block: Callable[[slice, slice], Array],
    n: int,
    dtype: Any,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Array:
    """Fill a symmetric n × n matrix from blocks on and above the diagonal.

    Half the work of filling all of it, shared by the cores: the elementwise functions
    of numpy run on one core each and let go of the interpreter lock.
    """
    K = np.empty((n, n), dtype=dtype)
    least, most = TILE
    height = int(np.clip(n // 32, least, 2 * least))
    width = int(np.clip(TOUCHED_BYTES // (n * K.itemsize), height, max(height, most)))
    tiles = [
        (slice(i, min(i + height, n)), slice(j, min(j + width, n)))
        for i in range(0, n, height)
        for j in range(i, n, width)
    ]

    def fill(tile: tuple[slice, slice]) -> None:
        check(should_stop)
        rows, columns = tile
        values = block(rows, columns)
        K[rows, columns] = values
        # What is right of the diagonal block has its mirror image below it.
        beyond = max(rows.stop, columns.start)
        K[beyond : columns.stop, rows] = values[:, beyond - columns.start :].T
        if columns.start == rows.start:
            # BLAS rounds the two halves of a product differently.
            square = values[:, : len(values)]
            K[rows, rows] = (square + square.T) / 2

    workers = 1 if n <= ALONE_UP_TO else min(MOST_WORKERS, cores())
    # One BLAS thread for each of ours; both at once would fight for the cores.
    with one_blas_thread(), ThreadPoolExecutor(workers) as pool:
        filled = pool.map(fill, tiles) if workers > 1 else map(fill, tiles)
        for done, _ in enumerate(filled, 1):
            progress("kernel matrix", done / len(tiles))
    return K


def in_parallel(
    work: Callable[[Any], None], parts: list[Any], pool: ThreadPoolExecutor
) -> None:
    """Work on every part, the first of them here, on those threads that get a core."""
    first, *others = parts
    left = iter(others)

    def work_off() -> None:
        for part in left:
            work(part)

    helpers = [pool.submit(work_off) for _ in others[: min(MOST_WORKERS, cores()) - 1]]
    work(first)
    work_off()
    for helper in helpers:
        # One that has not begun before all is done is not waited for.
        if not helper.cancel():
            helper.result()


def multiply(A: Array, V: Array, result: Array) -> None:
    """Write ``A V`` into a result, for a V of few columns.

    As ``VᵀAᵀ``, which BLAS computes in half the time where the columns of the result
    lie one after another.
    """
    for start in range(0, len(A), PRODUCT_ROWS):
        part = slice(start, start + PRODUCT_ROWS)
        rows = A[part].astype(result.dtype, copy=False)
        np.matmul(V.T, rows.T, out=result[part].T)


def center_rows(V: Array) -> Array:
    return V - V.mean(axis=0)


class Gram(Protocol):
    """A symmetric kernel matrix K of n training points."""

    n: int
    dtype: np.dtype[Any]
    psd: bool

    @property
    def factor(self) -> Any:
        """Sparse Z (n, d) with ``K = ZZᵀ`` where it is far quicker to multiply by."""

    def diagonal(self) -> Array:
        """``K[i, i]``, shape (n,)."""

    def rows(self, index: Array) -> Array:
        """``K[index, :]``, shape (len(index), n), owned by the caller."""

    def block(self, rows: Array, columns: Array) -> Array:
        """``K[rows][:, columns]``, owned by the caller."""

    def tile(self, rows: slice, columns: slice) -> Array:
        """``K[rows, columns]``, not to be changed."""

    def matrix(
        self, should_stop: ShouldStop = never, progress: Progress = silent
    ) -> Array:
        """Return all of K, shape (n, n), kept for the next call; not to be changed."""

    def has_matrix(self) -> bool:
        """Whether `matrix` costs nothing."""

    def single(self) -> "Gram":
        """Return the same matrix in float32, or itself if that over- or underflows."""

    def rounding(self, norm: float) -> float:
        """Bound ``‖δK‖₂`` by rounding of the entries, given a bound on ``‖K‖_F``."""


def dot(gram: Gram, V: Array, should_stop: ShouldStop = never) -> Array:
    """``K V`` for V of shape (n, k), in row blocks; K is used if it exists."""
    if (Z := gram.factor) is not None:
        check(should_stop)
        return np.asarray(Z @ (Z.T @ np.ascontiguousarray(V)))
    dtype = np.result_type(gram.dtype, V.dtype)
    result = np.empty((gram.n, V.shape[1]), dtype=dtype, order="F")
    row_bytes = gram.n * gram.dtype.itemsize
    if gram.has_matrix():
        K = gram.matrix()

        def fill(rows: slice) -> None:
            check(should_stop)
            multiply(K[rows], V, result[rows])

        # Blocks of 32 MB: one product of this size ends in some ten milliseconds.
        with one_blas_thread(), ThreadPoolExecutor(MOST_WORKERS) as pool:
            in_parallel(fill, list(row_blocks(gram.n, row_bytes, 32 << 20)), pool)
    else:
        for rows in row_blocks(gram.n, row_bytes):
            check(should_stop)
            index = np.arange(rows.start, rows.stop)
            np.matmul(gram.rows(index), V, out=result[rows])
    return result


PASS_TILE = 96, 576
"""Rows and columns of a tile: with two or three features, the product that gives its
distances is one of those that BLAS does best."""

LEAST_PASS_ROWS = 500
"""For each part; with fewer, starting a thread takes longer than it saves."""


@dataclass(frozen=True, eq=False)
class Passed:
    """What one pass over K has seen."""

    image: Array
    """Shape (n, c). ``K V``."""
    squares: float
    """``‖K‖²_F``."""


def pass_over(
    gram: Gram,
    V: Array,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Passed:
    """Multiply K by V of shape (n, c), tile by tile, in float64."""
    tiles, count = _pass_tiles(gram.n), _pass_parts(gram.n)
    parts, workers = [Passed(V, 0.0)] * count, pass_workers(gram.n)

    def work(first: int) -> None:
        # Parts depend on n alone: sums are the same in every run, on any machine.
        own = tiles[first::count]
        image, squares = np.zeros(V.shape), 0.0
        for done, (rows, columns) in enumerate(own, 1):
            check(should_stop)
            squares += _add(gram.tile(rows, columns), V, rows, columns, image)
            if first == 0:
                progress("exact pass", min(1.0, done * workers / len(tiles)))
        parts[first] = Passed(image, squares)

    # The first part is done here: progress is told by the thread that asked.
    with one_blas_thread(), ThreadPoolExecutor(MOST_WORKERS) as pool:
        in_parallel(work, list(range(count)), pool)
    progress("exact pass", 1.0)
    image = parts[0].image
    for part in parts[1:]:
        image += part.image
    return Passed(image, sum(part.squares for part in parts))


def pass_workers(n: int) -> int:
    """How many threads share a pass over so many rows."""
    return min(cores(), _pass_parts(n))


def _pass_parts(n: int) -> int:
    return max(1, min(MOST_WORKERS, n // LEAST_PASS_ROWS))


def _pass_tiles(n: int) -> list[tuple[slice, slice]]:
    """Cut the upper triangle; a tile that begins on the diagonal holds its square."""
    height, width = PASS_TILE
    return [
        (slice(i, min(i + height, n)), slice(j, min(j + width, n)))
        for i in range(0, n, height)
        for j in range(i, n, width)
    ]


def _add(K: Array, V: Array, rows: slice, columns: slice, image: Array) -> float:
    """Add the products of a tile and of its mirror image; returns their squares."""
    height, width = K.shape
    step = max(32, SMALL_PRODUCT // (height * V.shape[1]))
    for start in range(0, width, step):
        part = K[:, start : start + step]
        stop = columns.start + start + part.shape[1]
        image[rows] += part @ V[columns.start + start : stop]
        beyond = max(columns.start + start, rows.stop)
        if beyond < stop:
            mirrored = part[:, beyond - columns.start - start :]
            image[beyond:stop] += mirrored.T @ V[rows]
    squares = float(np.vdot(K, K))
    # What is right of the square on the diagonal counts twice.
    inner = K[:, : max(rows.stop - columns.start, 0)]
    return 2 * squares - float(np.square(inner).sum())


def double_center(K: Array) -> Array:
    """Return ``HKH``, in the place of K (…, n, n)."""
    K -= K.mean(axis=-2, keepdims=True)
    K -= K.mean(axis=-1, keepdims=True)
    return K
