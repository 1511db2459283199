"""Jobs, and what runs them: threads, processes of this machine, or a Dask cluster.

A job is a plain value. The work on it is a callable, ``work(job, number)``, that can be
sent away with what it holds; its answer is made of arrays and plain values. No digit of
an answer depends on where it was computed.
"""

import os
import pickle
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kpca_viewer.core.solvers.blocks import MOST_THREADS, each_block
from kpca_viewer.engine.executors.answers import answer_in, worked
from kpca_viewer.support.errors import ClusterError
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import cores

if TYPE_CHECKING:
    from kpca_viewer.engine.executors.dask_connection import Encryption

T = TypeVar("T")
Work = Callable[[Any, int], T]

MOST_DEATHS = 3
"""After so many processes have died of one job, it is given up."""

AHEAD = 2
"""Jobs for each process that are begun before their answers are due."""

LOOK_EVERY = 0.1
"""Seconds between two looks whether to stop, while an answer is waited for."""

FEW_BYTES = 50_000_000
"""Of files: starting processes would take longer than reading these on threads."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Executor(Protocol):
    """Runs jobs; work that still runs when an iteration ends is stopped."""

    @property
    def workers(self) -> int:
        """How many threads, processes or machines there are."""

    @property
    def bytes_moved(self) -> int:
        """Of all answers that have come from other processes so far."""

    def __call__(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[T]:
        """Yield the answers in the order of the jobs.

        Raises `ClusterError` if the cluster is lost, or workers die of a job again and
        again, `KpcaError` as the work raises it, after the answers before it.
        """

    def completed(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[tuple[int, T | None]]:
        """Yield number and answer of every job, as they come.

        None is the answer of a job that `MOST_DEATHS` workers have died of; errors are
        as above.
        """


@contextmanager
def open_executor(
    address: str | None = None,
    *,
    encryption: "Encryption | None" = None,
    tell: Callable[[str], None] = lambda text: None,
    size: int | None = None,
) -> Iterator[Executor]:
    """Open what runs jobs, for as long as it is used; raises as `connected` does.

    ``address``: of the scheduler of a Dask cluster; else this machine; ``tell``: given
    a few words on what a cluster waits for, where that is not the work; ``size``: bytes
    of the files that jobs read; few of them need no processes.
    """
    if address is None:
        if size is not None and size < FEW_BYTES:
            yield ThreadExecutor()
            return
        with ProcessExecutor() as processes:
            yield processes
        return
    from kpca_viewer.engine.executors.dask_connection import connected
    from kpca_viewer.engine.executors.dask_executor import DaskExecutor

    with connected(address, encryption=encryption) as cluster:
        yield DaskExecutor(cluster, tell)


class ThreadExecutor:
    """Runs jobs on threads of this process, each with one BLAS thread."""

    bytes_moved = 0

    def __init__(self, count: int | None = None) -> None:
        self.workers = count or min(MOST_THREADS, cores())

    def __call__(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[T]:
        return each_block(work, jobs, should_stop, self.workers)

    def completed(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[tuple[int, T | None]]:
        yield from enumerate(self(work, jobs, should_stop))


class PackedAnswers:
    """Answers of jobs that run outside of this process: in order, or as they come."""

    bytes_moved = 0

    def __call__(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[T]:
        early: dict[int, bytes | None] = {}
        following = 0

        def next_due() -> int:
            return following

        for number, content in self._answers(work, jobs, should_stop, next_due):
            early[number] = content
            while following in early:
                check(should_stop)
                answer = early.pop(following)
                if answer is None:
                    raise ClusterError(
                        f"{MOST_DEATHS} processes have died of "
                        f"{getattr(jobs[following], 'title', 'one job')}, perhaps for "
                        "lack of memory; close other programs, or use a larger cluster."
                    )
                following += 1
                yield answer_in(answer)

    def completed(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[tuple[int, T | None]]:
        for number, answer in self._answers(work, jobs, should_stop):
            yield number, None if answer is None else answer_in(answer)

    def _answers(
        self,
        work: Work[Any],
        jobs: Sequence[Any],
        should_stop: ShouldStop,
        following: Callable[[], int] | None = None,
    ) -> Iterator[tuple[int, bytes | None]]:
        """Yield number and packed answer of every job, as they come.

        None is the answer of a job that `MOST_DEATHS` workers have died of. Only so
        many jobs are begun ahead of the one whose answer is ``following``.
        """
        raise NotImplementedError


class ProcessExecutor(PackedAnswers):
    """Runs jobs on processes of this machine, each with one BLAS thread.

    Every process is given one job at a time, so that it is known what a process that
    dies was at: that job, and no other, is given to another one. Processes are started
    when they are needed and kept until the end.
    """

    def __init__(self, count: int | None = None) -> None:
        self.workers = count or cores()
        self._idle: list[_Process] = []

    def __enter__(self) -> "ProcessExecutor":
        return self

    def __exit__(self, *error: object) -> None:
        while self._idle:
            self._idle.pop().end()

    def _answers(
        self,
        work: Work[Any],
        jobs: Sequence[Any],
        should_stop: ShouldStop,
        following: Callable[[], int] | None = None,
    ) -> Iterator[tuple[int, bytes | None]]:
        sent = pickle.dumps(work, protocol=5)
        waiting = deque(range(len(jobs)))
        deaths: Counter[int] = Counter()
        busy: list[_Process] = []
        ahead = AHEAD * self.workers

        def give() -> None:
            most = len(jobs) if following is None else following() + ahead
            while waiting and waiting[0] < most and len(busy) < self.workers:
                process = self._idle.pop() if self._idle else _Process()
                number = waiting.popleft()
                self.bytes_moved += process.give(sent, jobs[number], number)
                busy.append(process)

        try:
            while waiting or busy:
                check(should_stop)
                give()
                ready = wait([end for p in busy for end in p.ends], LOOK_EVERY)
                for process in [p for p in busy if any(end in ready for end in p.ends)]:
                    busy.remove(process)
                    number, content = process.number, process.answer()
                    if content is None:
                        process.end()
                        deaths[number] += 1
                        if deaths[number] < MOST_DEATHS:
                            waiting.appendleft(number)
                            continue
                    else:
                        self._idle.append(process)
                        self.bytes_moved += len(content)
                    # Before the answer is taken, which may take its time.
                    give()
                    yield number, content
        finally:
            for process in busy:
                process.end()


class _Process:
    """One process, and the job that it works on."""

    def __init__(self) -> None:
        # A fresh interpreter: a fork of one with threads (BLAS, Qt) may hang.
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_serve, args=(theirs,), daemon=True
        )
        with _one_thread_each():
            self._process.start()
        # Only the other end keeps it open now: it closes when the process dies.
        theirs.close()
        self.ends = self._pipe, self._process.sentinel
        self.number = -1
        self._work: bytes | None = None

    def give(self, work: bytes, job: Any, number: int) -> int:
        """Send a job, and the work if it is another one; returns the bytes of that."""
        self.number, is_known = number, work is self._work
        # A process that has died just now says so by its next answer.
        with suppress(OSError):
            self._pipe.send((None if is_known else work, job, number))
        self._work = work
        return 0 if is_known else len(work)

    def answer(self) -> bytes | None:
        """Return the packed answer, or None of a process that has died."""
        try:
            return self._pipe.recv_bytes() if self._pipe.poll() else None
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        self._pipe.close()
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """Run inside the process: an answer for every job, until no more come."""
    # Ctrl-C reaches every process of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work: Work[Any] | None = None
    while True:
        # The other end may have been killed, also while this was computing.
        try:
            sent, job, number = pipe.recv()
            work = work if sent is None else pickle.loads(sent)
            assert work is not None
            pipe.send_bytes(worked(work, job, number))
        except (EOFError, OSError):
            return


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let processes that start now have one BLAS thread; they read it only once."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
