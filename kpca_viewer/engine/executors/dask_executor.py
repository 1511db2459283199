"""Jobs, blocks of rows and passes over rows, on the workers of a Dask cluster.

Dask would do the jobs of a dead worker again as well, but a job that kills workers
would take as many as the scheduler happens to allow, and be blamed together with those
that only waited behind it. So every job is given to one worker, and it is known which
ones a worker that dies was at.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from itertools import cycle
from time import monotonic, sleep
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.solvers.blocks import BLOCK_ROWS, ArrayBlock, Block, array_blocks
from kpca_viewer.engine.executors.answers import packed, worked
from kpca_viewer.engine.executors.dask_connection import (
    MOST_LOSSES,
    PATIENCE,
    SLOW,
    Cluster,
)
from kpca_viewer.engine.executors.executor import (
    AHEAD,
    LOOK_EVERY,
    MOST_DEATHS,
    PackedAnswers,
    Work,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import ClusterError, KpcaError
from kpca_viewer.support.progress import ShouldStop, check

T = TypeVar("T")
Watch = Callable[[], AbstractContextManager[None]]
"""What goes wrong in such a context is told to the owner of the connection."""

GLANCE_EVERY = 0.005
"""Seconds between two glances at what is known here of the answers."""

WORKERS_BACK = 60.0
"""Seconds in which a cluster that has lost all its workers may get new ones."""

LOOK_AT_WORKERS = 0.5
"""Seconds between two looks at who is there."""

ALONE = 2.0
"""Seconds without a worker after which that is told."""

BLOCKS_EACH = 2
"""For every thread at least, so that none waits long for the others."""

LEAST_ROWS = 8192
"""Of a block: what it gives back does not shrink with it."""


class DaskExecutor(PackedAnswers):
    """An `Executor` on a cluster.

    A worker that is lost changes nothing: what it had is done again by another one.

    ``tell``: given a few words on what is waited for, where that is not the work;
    ``homes``: the addresses of the workers that hold the jobs; none where any can do
    them.
    """

    def __init__(
        self,
        cluster: Cluster,
        tell: Callable[[str], None] = lambda text: None,
        watched: Watch = nullcontext,
        homes: Sequence[str] = (),
    ) -> None:
        self._cluster, self._tell, self._watched = cluster, tell, watched
        self._homes = homes
        self.place = ""
        """Where the last jobs were done, in words."""

    @property
    def workers(self) -> int:
        return len(self._cluster.workers)

    def _answers(
        self,
        work: Work[Any],
        jobs: Sequence[Any],
        should_stop: ShouldStop,
        following: Callable[[], int] | None = None,
    ) -> Iterator[tuple[int, bytes | None]]:
        with self._watched():
            self.place = _place(self.workers)
            run = _Run(self._cluster, work, jobs, should_stop, self._homes, self._tell)
            for number, content in run.answers(following):
                self.bytes_moved += run.bytes_sent + len(content or b"")
                run.bytes_sent = 0
                yield number, content


@dataclass(frozen=True, eq=False)
class _Given:
    """A job that a worker is at."""

    future: Any
    worker: str
    """Its address."""


class _Run:
    """Lets a cluster do jobs; the work is sent to every worker once."""

    def __init__(
        self,
        cluster: Cluster,
        work: Work[Any],
        jobs: Sequence[Any],
        should_stop: ShouldStop,
        homes: Sequence[str],
        tell: Callable[[str], None],
    ) -> None:
        self._cluster, self._client = cluster, cluster.client
        self._work, self._jobs, self._should_stop = work, jobs, should_stop
        self._homes, self._tell = homes, tell
        self._waiting = deque(range(len(jobs)))
        self._running: dict[int, _Given] = {}
        self._deaths: Counter[int] = Counter()
        self._losses = 0
        self._threads: dict[str, int] = {}
        self._looked, self._seen = 0.0, monotonic()
        self._sent: Any = None
        self.bytes_sent = 0

    def answers(
        self, following: Callable[[], int] | None
    ) -> Iterator[tuple[int, bytes | None]]:
        """Yield number and packed answer of every job, as `PackedAnswers` has it."""
        try:
            while self._waiting or self._running:
                check(self._should_stop)
                if monotonic() - self._looked >= LOOK_AT_WORKERS:
                    self._look()
                self._give(following)
                self._wait()
                for number in list(self._running):
                    yield from self._answer(number)
                for number in [n for n in self._waiting if self._is_deadly(n)]:
                    self._waiting.remove(number)
                    yield number, None
        finally:
            self._cancel(list(self._running))

    def _look(self) -> None:
        """See which workers are there; others have died of what they were at."""
        workers = self._cluster.workers
        self._looked = monotonic()
        self._threads = {
            address: int(worker["nthreads"])
            for address, worker in workers.items()
            if worker["status"] == "running"
        }
        if workers:
            self._seen = self._looked
        alone = self._looked - self._seen
        if alone > WORKERS_BACK:
            raise ClusterError(
                f"All workers of {self._cluster.title} are gone; start some, and run "
                "the same again."
            )
        if alone > ALONE:
            left = round(WORKERS_BACK - alone)
            self._tell(f"no workers left; waiting for others, {left} s more")
        if not set(self._homes) <= set(workers):
            raise self._cluster.lost()
        for number, given in list(self._running.items()):
            if given.worker not in workers:
                self._cancel([number])
                self._deaths[number] += 1
                self._waiting.appendleft(number)

    def _is_deadly(self, number: int) -> bool:
        return self._deaths[number] >= MOST_DEATHS

    def _give(self, following: Callable[[], int] | None) -> None:
        """Give jobs to workers that have room."""
        # Answers that are due in order may wait beside the work, others may not.
        each = 1 if following is None else AHEAD
        room = {address: each * count for address, count in self._threads.items()}
        places = sum(room.values())
        most = len(self._jobs) if following is None else following() + places
        for number in [n for n in self._waiting if n < most]:
            if len(self._running) >= places:
                return
            worker = None if self._is_deadly(number) else self._free_for(number, room)
            if worker is None:
                continue
            self._waiting.remove(number)
            self._running[number] = _Given(self._submitted(number, worker), worker)

    def _submitted(self, number: int, worker: str) -> Any:
        client = self._client
        try:
            if self._sent is None:
                self._sent = self._cluster.send_to_all(self._work, self._should_stop)
                self.bytes_sent += len(packed(self._work)) * len(self._threads)
            return client.submit(
                worked,
                self._sent,
                self._jobs[number],
                number,
                key=f"kpca-{number}-{uuid4().hex}",
                workers=[worker],
                allow_other_workers=False,
                pure=False,
            )
        except (OSError, RuntimeError) as error:
            raise self._cluster.lost() from error

    def _free_for(self, number: int, room: dict[str, int]) -> str | None:
        """Return the worker with most room; what workers have died of is done alone."""
        free: dict[str, float] = {}
        for worker, most in room.items():
            others = [n for n, given in self._running.items() if given.worker == worker]
            suspects = self._deaths[number] or any(self._deaths[n] for n in others)
            if len(others) < (1 if suspects else most):
                free[worker] = len(others) / most
        if self._homes:
            home = self._homes[number]
            return home if home in free else None
        return min(free, key=free.__getitem__, default=None)

    def _wait(self) -> None:
        """Wait for an answer, but not for long."""
        if self._running:
            wait_for_one([given.future for given in self._running.values()])
        else:
            sleep(LOOK_EVERY)

    def _answer(self, number: int) -> Iterator[tuple[int, bytes | None]]:
        """Yield the answer of a job, if it is there."""
        from kpca_viewer.engine.executors.safe_client import DeadlyTaskError

        if number not in self._running:
            return  # A look at the workers has told that its own is gone.
        future = self._running[number].future
        if future.status == "finished":
            try:
                content = self._cluster.fetched(
                    future, self._should_stop, within=PATIENCE
                )
            except (OSError, CancelledError):
                # Its worker has died with it: the next look will tell.
                self._looked = 0.0
                return
            del self._running[number]
            yield number, content
        elif future.status == "error":
            error = self._cluster.answered(future.exception)
            if not isinstance(error, DeadlyTaskError):
                raise ClusterError(
                    f"The workers of {self._cluster.title} cannot do the work; check "
                    "that they have the same version of Python and of all packages."
                ) from error
            # A scheduler that allows fewer deaths than we do.
            self._deaths[number] = MOST_DEATHS
            self._again(number)
        elif future.status != "pending":
            # The work has vanished with the last worker that had it.
            self._losses += 1
            if self._losses > MOST_LOSSES * len(self._jobs):
                raise self._cluster.lost()
            self._sent = None
            self._look()
            if number in self._running:
                self._again(number)

    def _again(self, number: int) -> None:
        del self._running[number]
        self._waiting.appendleft(number)

    def _cancel(self, numbers: list[int]) -> None:
        futures = [self._running.pop(number).future for number in numbers]
        client = self._client
        if futures and client.status == "running":
            # A scheduler that is gone has nothing running.
            with suppress(ClusterError):
                self._cluster.answered(lambda: client.cancel(futures, force=True))


def wait_for_one(futures: list[Any]) -> None:
    """Wait until one of some futures has an answer, but not for long."""
    # Dask's own `wait` may wait for ever where the scheduler dies meanwhile.
    until = monotonic() + LOOK_EVERY
    while monotonic() < until and not any(future.done() for future in futures):
        sleep(GLANCE_EVERY)


def _place(workers: int) -> str:
    return f"on {workers} worker{'' if workers == 1 else 's'}"


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

    def __init__(self, cluster: Cluster, watched: Watch = nullcontext) -> None:
        self._cluster, self._watched = cluster, watched
        self._sent: Array | None = None
        self._cut: list[slice] = []
        self._held: list[Any] = []
        self._homes: list[str] = []
        self._workers = len(cluster.workers)

    @property
    def place(self) -> str:
        return _place(self._workers)

    def __call__(
        self, work: Callable[[Points], T], points: Points, should_stop: ShouldStop
    ) -> Iterator[tuple[slice, T]]:
        """Yield the rows of every block in their order, and the work on its points.

        Raises `ClusterError` if the cluster is lost, or rows vanish again and again.
        """
        sent = _OnPoints(work, points.take(slice(0, 0)))
        done = 0
        with self._watched():
            if self._sent is not points.X:
                self._send(points.X)
            for is_last in (False, True):
                each = DaskExecutor(self._cluster, homes=self._homes[done:])
                try:
                    for answer in each(sent, self._held[done:], should_stop):
                        yield self._cut[done], answer
                        done += 1
                    return
                except ClusterError:
                    # Rows are gone with the worker that had them; others take them.
                    if is_last or not self._cluster.workers:
                        raise
                    self._hold(points.X)

    def forget(self) -> None:
        self._sent, self._cut, self._held, self._homes = None, [], [], []

    def _send(self, X: Array) -> None:
        """Cut rows into blocks that keep all workers busy, and send them."""
        self.forget()
        most = -(-len(X) // (BLOCKS_EACH * max(self._cluster.threads, 1)))
        blocks = array_blocks(X, int(np.clip(most, LEAST_ROWS, BLOCK_ROWS)))
        self._cut = [block.rows for block in blocks]
        self._hold(X)

    def _hold(self, X: Array) -> None:
        """Let every worker have some of the blocks, as they are cut already."""
        client, self._sent = self._cluster.client, None
        for _ in range(MOST_LOSSES):
            known = self._cluster.workers.items()
            workers = [w for w, about in known if about["status"] == "running"]
            self._workers = len(workers)
            homes = [w for w, _ in zip(cycle(workers), self._cut, strict=False)]

            def scatter(homes: list[str] = homes) -> list[Any]:
                return [
                    client.scatter(ArrayBlock(X[rows], slice(None)), [home], hash=False)
                    for rows, home in zip(self._cut, homes, strict=True)
                ]

            try:
                self._held = self._cluster.answered(scatter, within=SLOW)
            except KpcaError:
                raise
            except Exception:  # noqa: BLE001 — whatever Dask calls a worker that is gone
                sleep(LOOK_AT_WORKERS)
                continue
            self._homes, self._sent = homes, X
            return
        raise self._cluster.lost()
