"""Points of a sweep on several processes; one that dies loses only its own point."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.point_maker import MOST_DEATHS, Job, PointJobs, Sweep
from kpca_viewer.engine.sweep.run import thread_count
from kpca_viewer.support.threads import in_order

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

Compute = Callable[[Job], SweepPoint]
Prepare = Callable[[Sequence[Sweep]], Compute]


def prepare(sweeps: Sequence[Sweep]) -> Compute:
    """Return what computes points and remembers what the next ones can reuse."""
    return PointJobs(sweeps).whole


def in_this_process(
    sweeps: Sequence[Sweep], jobs: Sequence[Job]
) -> Iterator[tuple[Job, SweepPoint]]:
    """Compute points in their order, on as many threads as have room."""
    cache = StageCache()
    count = min(thread_count(s.request, s.settings, cache) for s in sweeps)
    points = in_order(PointJobs(sweeps, cache).whole, jobs, count)
    yield from zip(jobs, points, strict=True)


def on_processes(
    sweeps: Sequence[Sweep], jobs: Sequence[Job], count: int, make: Prepare = prepare
) -> Iterator[tuple[Job, SweepPoint]]:
    """Compute points on several processes, each with one BLAS thread.

    Every process is given one point at a time, so that it is known what a process that
    dies was working on: that point, and no other, is given to the next one.
    """
    waiting = deque(jobs)
    deaths: dict[Job, int] = {}
    workers: list[_Worker] = []
    try:
        for _ in range(min(count, len(jobs))):
            workers.append(_Worker(sweeps, make, waiting.popleft()))
        while workers:
            ready = wait(
                [item for w in workers for item in (w.pipe, w.process.sentinel)]
            )
            for worker in [w for w in workers if w.is_among(ready)]:
                job, point = worker.job, worker.answer()
                if point is None:
                    workers.remove(worker)
                    worker.end()
                    deaths[job] = deaths.get(job, 0) + 1
                    if deaths[job] < MOST_DEATHS:
                        workers.append(_Worker(sweeps, make, job))
                        continue
                    point = PointJobs(sweeps).given_up(job)
                    if waiting:
                        workers.append(_Worker(sweeps, make, waiting.popleft()))
                elif waiting:
                    worker.give(waiting.popleft())
                else:
                    workers.remove(worker)
                    worker.end()
                yield job, point
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """One process, and the point that it works on."""

    def __init__(self, sweeps: Sequence[Sweep], make: Prepare, job: Job) -> None:
        # A fresh interpreter: a fork of one with threads (BLAS, Qt) may hang.
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_serve, args=(theirs, tuple(sweeps), make), daemon=True
        )
        with _one_thread_each():
            self.process.start()
        # Only the other end keeps it open now: it closes when the process dies.
        theirs.close()
        self.give(job)

    def give(self, job: Job) -> None:
        self.job = job
        # A process that has died just now says so by its next answer.
        with suppress(OSError):
            self.pipe.send(job)

    def is_among(self, ready: list[Any]) -> bool:
        return self.pipe in ready or self.process.sentinel in ready

    def answer(self) -> SweepPoint | None:
        """Return the finished point, or None of a process that has died."""
        try:
            return self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def _serve(pipe: Connection, sweeps: Sequence[Sweep], make: Prepare) -> None:
    """Run inside the process: a point for every job, until nobody asks any more."""
    # Ctrl-C reaches every process of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    compute = make(sweeps)
    while True:
        # Whoever asked may have been killed, also while this was computing.
        try:
            pipe.send(compute(pipe.recv()))
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
