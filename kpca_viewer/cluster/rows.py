"""Passes over many rows of a window's data by the workers of a cluster."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.cluster.connecting import Cluster, lost
from kpca_viewer.cluster.each import ClusterEach
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.streaming.blocks import ROWS, Block, array_blocks
from kpca_viewer.support.errors import ClusterError
from kpca_viewer.support.progress import ShouldStop

Array = NDArray[Any]
T = TypeVar("T")

BLOCKS_EACH = 2
"""For every thread at least, so that none waits long for the others."""

LEAST_ROWS = 8192
"""Of a block: what it gives back does not shrink with it."""


@dataclass(frozen=True, eq=False)
class _OnPoints:
    """Makes points of the rows of a block, and does some work on them."""

    work: Callable[[Points], Any]
    known: Points
    """Which the rows are like; none of its own."""

    def __call__(self, block: Block, _number: int) -> Any:
        return self.work(self.known.beside(block.read()))


class ClusterRows:
    """An `EachRows`: the rows are sent once, and stay for the next value of γ."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._sent: Array | None = None
        self._blocks: list[tuple[slice, Any]] = []
        self._workers = len(cluster.workers)

    @property
    def place(self) -> str:
        """Where it is, in words."""
        workers = self._workers
        return f"on {workers} worker{'' if workers == 1 else 's'}"

    def __call__(
        self, work: Callable[[Points], T], points: Points, should_stop: ShouldStop
    ) -> Iterator[tuple[slice, T]]:
        """Yield the rows of every block in their order, and the work on its points.

        Raises
        ------
        ClusterError
            If the cluster is lost, or rows vanish again and again.
        Cancelled
        """
        each = ClusterEach(self._cluster.client, self._cluster.title)
        sent = _OnPoints(work, points.take(slice(0, 0)))
        done = 0
        for again in (True, False):
            blocks = self._held(points)
            futures: Any = [future for _, future in blocks[done:]]
            try:
                for answer in each(sent, futures, should_stop):
                    yield blocks[done][0], answer
                    done += 1
                return
            except ClusterError:
                # Rows are gone with the worker that had them; others take them.
                if not (again and self._cluster.workers):
                    raise
                self.forget()

    def forget(self) -> None:
        """Let the cluster have no rows any more."""
        self._sent, self._blocks = None, []

    def _held(self, points: Points) -> list[tuple[slice, Any]]:
        """Return blocks of rows, and what the cluster knows them by."""
        X = points.X
        if self._sent is not X:
            self.forget()
            workers = self._cluster.workers
            self._workers = len(workers)
            threads = sum(int(worker["nthreads"]) for worker in workers.values())
            most = -(-len(X) // (BLOCKS_EACH * max(threads, 1)))
            blocks = array_blocks(X, int(np.clip(most, LEAST_ROWS, ROWS)))
            rows = [block.rows for block in blocks]
            try:
                futures = self._cluster.client.scatter(
                    [array_blocks(block.read(), ROWS)[0] for block in blocks],
                    hash=False,
                )
            except (OSError, RuntimeError) as error:
                raise lost(self._cluster.title) from error
            self._blocks = list(zip(rows, futures, strict=True))
            self._sent = X
        return self._blocks
