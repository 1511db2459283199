"""How many of all rows lie where in a plane of two components."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers.blocks import Block, Blocks, Each, checked, each_block
from kpca_viewer.core.solvers.landmarks import row_steps
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


@dataclass(frozen=True, eq=False)
class Plane:
    """What turns rows into their places on two axes.

    ``landmarks``: as the kernel sees them; ``weights`` (r, 2); ``offset`` (2,): scores
    are ``k(x, S) weights − offset``.
    """

    kernel: Kernel
    landmarks: Points
    weights: Array
    offset: Array

    def places(self, X: Array) -> Array:
        """Return the scores of rows (m, d) on both axes, shape (m, 2)."""
        rows = self.kernel.prepare_new(self.landmarks, X.astype(np.float64, copy=False))
        K = self.kernel.block(rows, self.landmarks)
        return np.asarray(K @ self.weights - self.offset)


@dataclass(frozen=True, eq=False)
class Density:
    """A histogram of the scores of all rows on two axes."""

    counts: Array
    """Shape (by, bx). ``counts[i, j]`` rows between ``y[i]`` and ``y[i + 1]``."""
    x: Array
    """Shape (bx + 1,)."""
    y: Array
    """Shape (by + 1,). Edges of the cells."""
    outside: int
    """Rows beyond them."""

    @property
    def rows(self) -> int:
        return int(self.counts.sum()) + self.outside


def density(
    blocks: Blocks,
    plane: Plane,
    x: Array,
    y: Array,
    *,
    each: Each = each_block,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Density:
    """Count all rows in the cells between edges, in one pass."""
    counts, rows = np.zeros((len(y) - 1, len(x) - 1), dtype=np.int64), 0
    answers = each(_Counting(plane, x, y), blocks, should_stop)
    for number, (found, count) in enumerate(answers, start=1):
        progress("density of all rows", number / len(blocks))
        counts += found
        rows += count
    return Density(counts, x, y, rows - int(counts.sum()))


@dataclass(frozen=True, eq=False)
class _Counting:
    """The work on one block: its counts (by, bx), and how many rows it has."""

    plane: Plane
    x: Array
    y: Array

    def __call__(self, block: Block, _number: int) -> tuple[Array, int]:
        X = checked(block)
        counts = np.zeros((len(self.y) - 1, len(self.x) - 1), dtype=np.int64)
        for rows in row_steps(len(X), len(self.plane.weights), np.float64):
            Z = self.plane.places(X[rows])
            found = np.histogram2d(Z[:, 1], Z[:, 0], bins=(self.y, self.x))[0]
            counts += found.astype(np.int64)
        return counts.astype(np.uint32), len(X)
