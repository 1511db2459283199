"""Blocks of rows, and who works on them.

A block knows where its rows are; it is read where the work on it is done. Whoever does
that work (threads here, workers elsewhere) gives the answers back in the order of the
blocks, so that sums have the same digits whoever was faster.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.support.progress import ShouldStop, never
from kpca_viewer.support.threads import cores, in_order, one_blas_thread

Array = NDArray[Any]
T = TypeVar("T")

ROWS = 65_536
"""Of a block of an array that has none of its own."""

SALT = 0x726F7773
"""Beside the seed: rows that the same generator has made would be drawn by what they
are."""

MOST_THREADS = 4
"""Each holds a block and what is made of it."""


class Block(Protocol):
    """Some rows, which are there when they are read."""

    @property
    def title(self) -> str:
        """What a person calls it: "part 17 (measured.parquet)"."""

    def read(self) -> Array:
        """Return the rows, shape (m, d), the same whenever they are asked for."""


Blocks = Sequence[Block]

Work = Callable[[Block, int], T]
"""``work(block, number)``; it can be sent elsewhere, and so can its answer."""


class Each(Protocol):
    """Does some work on every block."""

    def __call__(
        self, work: Work[T], blocks: Blocks, /, should_stop: ShouldStop = never
    ) -> Iterator[T]:
        """Yield the answers in the order of the blocks."""


@dataclass(frozen=True, eq=False)
class ArrayBlock:
    """Rows of an array that is in memory, or in a file that is mapped into it."""

    array: Array
    rows: slice
    title: str = ""

    def read(self) -> Array:
        """Return the rows, shape (m, d)."""
        return np.asarray(self.array[self.rows])


def random_of(seed: int, number: int) -> np.random.Generator:
    """Return the random numbers of a block, which depend on nothing but its number."""
    return np.random.default_rng((seed, number, SALT))


def array_blocks(X: Array, rows: int = ROWS) -> list[ArrayBlock]:
    """Cut an array (n, d) into blocks of so many rows."""
    n = len(X)
    starts = range(0, n, rows)
    return [
        ArrayBlock(X, slice(start, min(start + rows, n)), f"rows {start:,} …")
        for start in starts
    ]


def each_block(
    work: Work[T], blocks: Blocks, should_stop: ShouldStop = never
) -> Iterator[T]:
    """Work on every block in this process, on all of its cores."""

    def job(number: int, _should_stop: ShouldStop) -> T:
        return work(blocks[number], number)

    with one_blas_thread():
        threads = min(MOST_THREADS, cores(), len(blocks))
        yield from in_order(job, range(len(blocks)), threads, should_stop)
