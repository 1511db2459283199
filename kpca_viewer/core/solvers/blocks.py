"""Blocks of rows, and who works on them.

A block knows where its rows are; it is read where the work on it is done. Whatever does
that work (threads, processes, workers of a cluster) gives the answers back in the
order of the blocks, so that sums have the same digits whichever was faster.

The first look at all rows: how many, where they lie, and a sample of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np

from kpca_viewer.core.solvers.landmarks import HELD_OUT, ROWS
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import cores, in_order, one_blas_thread

T = TypeVar("T")
B = TypeVar("B")

BLOCK_ROWS = 65_536
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
"""``work(block, number)``; it can be sent to another process, and so can its answer."""


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
        return np.asarray(self.array[self.rows])


def random_of(seed: int, number: int) -> np.random.Generator:
    """Return the random numbers of a block, which depend on nothing but its number."""
    return np.random.default_rng((seed, number, SALT))


def array_blocks(X: Array, rows: int = BLOCK_ROWS) -> list[ArrayBlock]:
    """Cut an array (n, d) into blocks of so many rows."""
    n = len(X)
    starts = range(0, n, rows)
    return [
        ArrayBlock(X, slice(start, min(start + rows, n)), f"rows {start:,} …")
        for start in starts
    ]


def each_block(
    work: Callable[[B, int], T],
    blocks: Sequence[B],
    should_stop: ShouldStop = never,
    threads: int | None = None,
) -> Iterator[T]:
    """Work on every block in this process, on all of its cores or so many threads."""

    def job(number: int, _should_stop: ShouldStop) -> T:
        return work(blocks[number], number)

    with one_blas_thread():
        threads = min(threads or min(MOST_THREADS, cores()), len(blocks))
        yield from in_order(job, range(len(blocks)), threads, should_stop)


SAMPLE = ROWS + HELD_OUT
"""Rows that landmarks are chosen from and seen on."""


@dataclass(frozen=True, eq=False)
class Look:
    """What one look at rows tells; looks at parts of them can be joined."""

    n: int
    mean: Array
    """Shape (d,)."""
    squares: Array
    """Shape (d,). Sum of the squared distances from the mean."""
    low: Array
    high: Array
    """Shape (d,). The smallest and the largest value."""
    keys: Array = field(repr=False)
    """Shape (s,). Random, ascending: of all rows those with the smallest are kept."""
    sample: Array = field(repr=False)
    """Shape (s, d). These rows."""
    places: Array = field(repr=False)
    """Shape (s, 2). Their blocks, and which rows of these they are, from 0."""

    @classmethod
    def of(cls, X: Array, number: int, seed: int, most: int) -> "Look":
        # Sums along a column are faster, and lose less, where it lies in one piece.
        columns = np.array(X.T, dtype=np.float64, order="C")
        mean = columns.mean(axis=1)
        keys = random_of(seed, number).random(len(X))
        kept = _smallest(keys, most)
        low, high = columns.min(axis=1), columns.max(axis=1)
        sample = columns.T[kept]
        columns -= mean[:, None]
        squares = np.einsum("ij,ij->i", columns, columns)
        places = np.column_stack((np.full(len(kept), number), kept))
        return cls(len(X), mean, squares, low, high, keys[kept], sample, places)

    def joined(self, other: "Look", most: int) -> "Look":
        """Return the look at both sets (Chan, Golub and LeVeque, 1983)."""
        n = self.n + other.n
        away = other.mean - self.mean
        keys = np.concatenate((self.keys, other.keys))
        kept = _smallest(keys, most)
        sample = np.concatenate((self.sample, other.sample))
        return Look(
            n,
            self.mean + away * (other.n / n),
            self.squares + other.squares + np.square(away) * (self.n * other.n / n),
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
            keys[kept],
            sample[kept],
            np.concatenate((self.places, other.places))[kept],
        )

    @property
    def in_order(self) -> Array:
        """Where the rows of the sample are in it, in the order of the table, (s,)."""
        return np.lexsort(self.places.T[::-1])

    @property
    def spread(self) -> Array:
        """Standard deviation of every column, shape (d,), exactly 0 for a constant."""
        return np.where(self.low < self.high, np.sqrt(self.squares / self.n), 0.0)


def look(
    blocks: Blocks,
    *,
    seed: int = 0,
    each: Each = each_block,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Look:
    """Look at all rows once.

    Raises
    ------
    DataError
        If there are none, if blocks have different columns, or if a value is missing:
        which block, and which row of it.
    """
    if not len(blocks):
        raise DataError("There is no block of rows; give one at least.")
    # From blocks of similar size few are enough. Were one far larger than the others,
    # the sample would have too few of its rows: the bounds say what that costs.
    most = min(SAMPLE, 4 * SAMPLE // len(blocks) + 64)
    found: Look | None = None
    for number, seen in enumerate(each(_Looking(seed, most), blocks, should_stop)):
        if seen is not None:
            if found is not None and len(seen.mean) != len(found.mean):
                raise DataError(
                    f"{_called(blocks, number)} has {len(seen.mean)} columns, those "
                    f"before it have {len(found.mean)}; give blocks of the same table."
                )
            found = seen if found is None else found.joined(seen, SAMPLE)
        progress("first look", (number + 1) / len(blocks))
    if found is None:
        raise DataError("No block has any row; give one row at least.")
    return found


@dataclass(frozen=True)
class _Looking:
    seed: int
    most: int

    def __call__(self, block: Block, number: int) -> Look | None:
        X = checked(block)
        return Look.of(X, number, self.seed, self.most) if len(X) else None


def checked(block: Block) -> Array:
    """Read a block, shape (m, d); refuse what is no table of numbers."""
    X = np.asarray(block.read())
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise DataError(
            f"{_upper(block.title)} is no table of numbers (shape {X.shape}, "
            f"{X.dtype}); every block needs a row per point and a column per feature."
        )
    if X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    bad = ~np.isfinite(X).all(axis=1)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        column = int(np.flatnonzero(~np.isfinite(X[row]))[0])
        raise DataError(
            f"{_upper(block.title)} has no finite number in row {row + 1:,}, column "
            f"{column + 1}; fill or drop such rows first."
        )
    return X


def _smallest(keys: Array, most: int) -> Array:
    """Return where the smallest keys are, ascending; the others are not sorted."""
    if most >= len(keys):
        return np.argsort(keys, kind="stable")
    kept = np.argpartition(keys, most)[:most]
    return np.asarray(kept[np.argsort(keys[kept], kind="stable")])


def _called(blocks: Blocks, number: int) -> str:
    return _upper(blocks[number].title or f"block {number + 1}")


def _upper(title: str) -> str:
    return title[:1].upper() + title[1:] if title else "A block"
