"""Jobs, blocks of rows and passes over rows, on the workers of a Dask cluster."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.solvers.blocks import BLOCK_ROWS, ArrayBlock, Block, array_blocks
from kpca_viewer.engine.executors.answers import answer_in, packed, worked
from kpca_viewer.engine.executors.dask_connection import Cluster
from kpca_viewer.engine.executors.dask_jobs import (
    WORKERS_BACK,
    DaskJobs,
    wait_for_one,
)
from kpca_viewer.engine.executors.executor import AHEAD, LOOK_EVERY, Work
from kpca_viewer.engine.executors.time_limits import (
    MOST_LOSSES,
    SLOW,
    answered,
    fetched,
    lost,
    sent_to_all,
)
from kpca_viewer.support.errors import ClusterError, KpcaError
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]
T = TypeVar("T")

ASK_EVERY = 2.0
"""Seconds after which it is asked whether there are still workers."""

BLOCKS_EACH = 2
"""For every thread at least, so that none waits long for the others."""

LEAST_ROWS = 8192
"""Of a block: what it gives back does not shrink with it."""


class DaskExecutor:
    """An `Executor` on a cluster.

    A worker that is lost changes nothing: what it had is done again by another one.

    Parameters
    ----------
    tell : callable
        Given a few words on what is waited for, where that is not the work.
    """

    def __init__(
        self, cluster: Cluster, tell: Callable[[str], None] = lambda text: None
    ) -> None:
        self._cluster, self._tell = cluster, tell
        self._client, self._title = cluster.client, cluster.title
        self.bytes_moved = 0
        """Of all answers so far, and of the work that every worker was sent."""

    @property
    def workers(self) -> int:
        return len(self._cluster.workers)

    def completed(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[tuple[int, T | None]]:
        yield from DaskJobs(self._cluster, work, jobs, should_stop).answers()

    def __call__(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[T]:
        done, losses = 0, 0
        while done < len(jobs):
            try:
                for answer in self._from(done, work, jobs, should_stop):
                    done += 1
                    yield answer
            except CancelledError as error:
                # With the last worker that held the work, it has vanished as well.
                losses += 1
                if losses > MOST_LOSSES or self._client.status != "running":
                    raise lost(self._title) from error

    def _from(
        self, start: int, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop
    ) -> Iterator[T]:
        threads = self._threads(should_stop)
        self.bytes_moved += len(packed(work)) * len(self._cluster.workers)
        carried = sent_to_all(self._client, self._title, work, should_stop)
        name = uuid4().hex
        waiting: deque[Any] = deque()
        try:
            for number in range(start, len(jobs)):
                key = f"kpca-{name}-{number}"
                job = jobs[number]
                waiting.append(
                    self._client.submit(worked, carried, job, number, key=key)
                )
                if len(waiting) > AHEAD * threads:
                    yield self._answer(waiting.popleft(), should_stop)
            while waiting:
                yield self._answer(waiting.popleft(), should_stop)
        finally:
            if waiting and self._client.status == "running":
                # A scheduler that is gone has nothing running.
                with suppress(ClusterError):
                    answered(
                        self._client,
                        self._title,
                        lambda: self._client.cancel(waiting, force=True),
                    )

    def _threads(self, should_stop: ShouldStop) -> int:
        """Return how many blocks are worked on at once; wait until there is one."""
        since = monotonic()
        while True:
            check(should_stop)
            workers = self._cluster.workers.values()
            if workers:
                return sum(int(worker["nthreads"]) for worker in workers)
            self._check_alone(since)
            sleep(LOOK_EVERY)

    def _check_alone(self, since: float) -> None:
        alone = monotonic() - since
        if alone > ASK_EVERY:
            left = round(max(WORKERS_BACK - alone, 0))
            self._tell(f"no workers left; waiting for others, {left} s more")
        if alone > WORKERS_BACK:
            raise ClusterError(
                f"All workers of {self._title} are gone; start some, and run the same "
                "again."
            )

    def _answer(self, future: Any, should_stop: ShouldStop) -> Any:
        self._wait(future, should_stop)
        try:
            content = fetched(self._client, self._title, future, should_stop)
        except (CancelledError, KpcaError):
            raise
        except OSError as error:
            raise lost(self._title) from error
        except Exception as error:
            raise ClusterError(
                f"{self._title[:1].upper()}{self._title[1:]} has given up a block: "
                f"{error}; its workers may lack memory."
            ) from error
        self.bytes_moved += len(content)
        return answer_in(content)

    def _wait(self, future: Any, should_stop: ShouldStop) -> None:
        check(should_stop)
        seen = looked = monotonic()
        while not future.done():
            check(should_stop)
            wait_for_one([future])
            if monotonic() - looked > ASK_EVERY:
                looked = monotonic()
                if self._cluster.workers:
                    seen = looked
                self._check_alone(seen)


@dataclass(frozen=True, eq=False)
class _OnPoints:
    """Makes points of the rows of a block, and does some work on them."""

    work: Callable[[Points], Any]
    known: Points
    """Which the rows are like; none of its own."""

    def __call__(self, block: Block, _number: int) -> Any:
        return self.work(self.known.beside(block.read()))


class DaskRows:
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
        each = DaskExecutor(self._cluster)
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
