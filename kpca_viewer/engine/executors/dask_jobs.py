"""Jobs on a cluster, each by itself: a worker that dies loses only its own.

Dask would do the jobs of a dead worker again as well, but a job that kills workers
would take as many as the scheduler happens to allow, and be blamed together with those
that only waited behind it. So every job is given to one worker, as many at a time as it
has threads, and it is known which ones a worker that dies was at.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, Generic, TypeVar
from uuid import uuid4

from kpca_viewer.engine.executors.answers import answer_in, worked
from kpca_viewer.engine.executors.dask_connection import Cluster
from kpca_viewer.engine.executors.executor import LOOK_EVERY, MOST_DEATHS
from kpca_viewer.engine.executors.time_limits import (
    PATIENCE,
    answered,
    fetched,
    lost,
    sent_to_all,
    workers_of,
)
from kpca_viewer.support.errors import ClusterError
from kpca_viewer.support.progress import ShouldStop, check, never

T = TypeVar("T")

GLANCE_EVERY = 0.005
"""Seconds between two glances at what is known here of the answers."""

WORKERS_BACK = 60.0
"""Seconds in which a cluster that has lost all its workers may get new ones."""

LOOK_AT_WORKERS = 0.5
"""Seconds between two looks at who is there."""


@dataclass(frozen=True, eq=False)
class _Given:
    """A job that a worker is at."""

    future: Any
    worker: str
    """Its address."""


class DaskJobs(Generic[T]):
    """Lets a cluster do jobs.

    Parameters
    ----------
    work : callable
        ``work(job, number)``; it is sent to every worker once, with what it holds.
    jobs : sequence
        Small things that can be sent.
    """

    def __init__(
        self,
        cluster: Cluster,
        work: Callable[[Any, int], T],
        jobs: Sequence[Any],
        should_stop: ShouldStop = never,
    ) -> None:
        self._client, self._title = cluster.client, cluster.title
        self._work, self._jobs, self._should_stop = work, jobs, should_stop
        self._waiting = deque(range(len(jobs)))
        self._running: dict[int, _Given] = {}
        self._deaths: Counter[int] = Counter()
        self._threads: dict[str, int] = {}
        self._looked, self._seen = 0.0, monotonic()
        self._sent: Any = None

    def answers(self) -> Iterator[tuple[int, T | None]]:
        """Yield number and answer of every job, as they come.

        None is the answer of a job that `MOST_DEATHS` workers have died of. Jobs
        that still run when the iteration ends are stopped.

        Raises
        ------
        ClusterError
            If the cluster is lost.
        KpcaError
            As the work raises it.
        Cancelled
        """
        try:
            while self._waiting or self._running:
                check(self._should_stop)
                if monotonic() - self._looked >= LOOK_AT_WORKERS:
                    self._look()
                self._give()
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
        workers = workers_of(self._client, self._title)
        self._looked = monotonic()
        self._threads = {
            address: int(worker["nthreads"])
            for address, worker in workers.items()
            if worker["status"] == "running"
        }
        if workers:
            self._seen = self._looked
        elif self._looked - self._seen > WORKERS_BACK:
            raise ClusterError(
                f"All workers of {self._title} are gone; start some, and run the same "
                "again."
            )
        for number, given in list(self._running.items()):
            if given.worker not in workers:
                self._cancel([number])
                self._deaths[number] += 1
                self._waiting.appendleft(number)

    def _is_deadly(self, number: int) -> bool:
        return self._deaths[number] >= MOST_DEATHS

    def _give(self) -> None:
        """Give jobs to workers that have room."""
        for number in list(self._waiting):
            if all(self._is_full(address) for address in self._threads):
                return
            worker = None if self._is_deadly(number) else self._free_for(number)
            if worker is None:
                continue
            self._waiting.remove(number)
            self._running[number] = _Given(self._submitted(number, worker), worker)

    def _submitted(self, number: int, worker: str) -> Any:
        client = self._client
        try:
            if self._sent is None:
                self._sent = sent_to_all(
                    client, self._title, self._work, self._should_stop
                )
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
            raise lost(self._title) from error

    def _at(self, worker: str) -> list[int]:
        return [n for n, given in self._running.items() if given.worker == worker]

    def _is_full(self, worker: str) -> bool:
        return len(self._at(worker)) >= self._threads[worker]

    def _free_for(self, number: int) -> str | None:
        """Return the worker with most room; what workers have died of is done alone."""
        free: dict[str, float] = {}
        for worker, threads in self._threads.items():
            others = self._at(worker)
            suspects = self._deaths[number] or any(self._deaths[n] for n in others)
            if len(others) < (1 if suspects else threads):
                free[worker] = len(others) / threads
        return min(free, key=free.__getitem__, default=None)

    def _wait(self) -> None:
        """Wait for an answer, but not for long."""
        if self._running:
            futures = [given.future for given in self._running.values()]
            wait_for_one(futures)
        else:
            sleep(LOOK_EVERY)

    def _answer(self, number: int) -> Iterator[tuple[int, T | None]]:
        """Yield the answer of a job, if it is there."""
        from kpca_viewer.engine.executors.safe_client import DeadlyTaskError

        client = self._client
        if number not in self._running:
            return  # A look at the workers has told that its own is gone.
        future = self._running[number].future
        if future.status == "finished":
            try:
                content = fetched(
                    client, self._title, future, self._should_stop, within=PATIENCE
                )
            except (OSError, CancelledError):
                # Its worker has died with it: the next look will tell.
                self._looked = 0.0
                return
            del self._running[number]
            yield number, answer_in(content)
        elif future.status == "error":
            error = answered(client, self._title, future.exception)
            if not isinstance(error, DeadlyTaskError):
                raise ClusterError(
                    f"The workers of {self._title} cannot do the work; check that they "
                    "have the same version of Python and of all packages."
                ) from error
            # A scheduler that allows fewer deaths than we do.
            self._deaths[number] = MOST_DEATHS
            self._again(number)
        elif future.status != "pending":
            # The work has vanished with the last worker that had it.
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
                answered(
                    client, self._title, lambda: client.cancel(futures, force=True)
                )


def wait_for_one(futures: list[Any]) -> None:
    """Wait until one of some futures has an answer, but not for long."""
    # Dask's own `wait` may wait for ever where the scheduler dies meanwhile.
    until = monotonic() + LOOK_EVERY
    while monotonic() < until and not any(future.done() for future in futures):
        sleep(GLANCE_EVERY)
