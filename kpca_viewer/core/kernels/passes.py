"""One pass over a kernel matrix that is never stored.

Every entry above the diagonal is computed once and used twice, for itself and for its
mirror image. The cores share the tiles.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.gram import MOST_WORKERS, SMALL_PRODUCT, Gram
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

TILE = 96, 576
"""Rows and columns of a tile: with two or three features, the product that gives its
distances is one of those that BLAS does best."""

LEAST_ROWS = 500
"""For each thread; with fewer, starting it takes longer than it saves."""


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
    tiles, threads = _tiles(gram.n), workers(gram.n)

    def work(first: int) -> Passed:
        # Who takes which tile is settled beforehand: sums are the same in every run.
        own = tiles[first::threads]
        image, squares = np.zeros(V.shape), 0.0
        for done, (rows, columns) in enumerate(own, 1):
            check(should_stop)
            squares += _add(gram.tile(rows, columns), V, rows, columns, image)
            if first == 0:
                progress("exact pass", done / len(own))
        return Passed(image, squares)

    with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
        others = [pool.submit(work, first) for first in range(1, threads)]
        # The first part is done here: progress is told by the thread that asked.
        parts = [work(0), *(other.result() for other in others)]
    image = parts[0].image
    for part in parts[1:]:
        image += part.image
    return Passed(image, sum(part.squares for part in parts))


def workers(n: int) -> int:
    """How many threads share a pass over so many rows."""
    return max(1, min(MOST_WORKERS, cpu_count() or 1, n // LEAST_ROWS))


def _tiles(n: int) -> list[tuple[slice, slice]]:
    """Cut the upper triangle; a tile that begins on the diagonal holds its square."""
    height, width = TILE
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
