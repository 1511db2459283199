"""Passes over many rows of a window's data by the workers of a cluster."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.solvers.blocks import BLOCK_ROWS, ArrayBlock, Block, array_blocks
from kpca_viewer.engine.executors.block_worker import ClusterEach
from kpca_viewer.engine.executors.connection import Cluster
from kpca_viewer.engine.executors.time_limits import SLOW, answered, lost
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
        self._cut: list[slice] = []
        self._held: list[Any] = []
        self._workers = len(cluster.workers)

    @property
    def place(self) -> str:
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
        if self._sent is not points.X:
            self._send(points.X)
        cut, done = self._cut, 0
        for is_last in (False, True):
            try:
                for answer in each(sent, self._held[done:], should_stop):
                    yield cut[done], answer
                    done += 1
                return
            except ClusterError:
                # Rows are gone with the worker that had them; others take them.
                if is_last or not self._cluster.workers:
                    raise
                self._hold(points.X)

    def forget(self) -> None:
        self._sent, self._cut, self._held = None, [], []

    def _send(self, X: Array) -> None:
        """Cut rows into blocks that keep all workers busy, and send them."""
        self.forget()
        workers = self._cluster.workers
        self._workers = len(workers)
        threads = sum(int(worker["nthreads"]) for worker in workers.values())
        most = -(-len(X) // (BLOCKS_EACH * max(threads, 1)))
        blocks = array_blocks(X, int(np.clip(most, LEAST_ROWS, BLOCK_ROWS)))
        self._cut = [block.rows for block in blocks]
        self._hold(X)

    def _hold(self, X: Array) -> None:
        """Let the cluster have the blocks, as they are cut already."""
        blocks = [ArrayBlock(X[rows], slice(None)) for rows in self._cut]
        client = self._cluster.client
        self._sent = None
        try:
            self._held = answered(
                client,
                self._cluster.title,
                lambda: client.scatter(blocks, hash=False),
                within=SLOW,
            )
        except (OSError, RuntimeError) as error:
            raise lost(self._cluster.title) from error
        self._sent = X
