"""Threads of our own, and BLAS threads, limited where both share the cores."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from threading import Event, Lock
from typing import Any, TypeVar

from threadpoolctl import OpenBLASController, ThreadpoolController

from kpca_viewer.support.progress import ShouldStop, check, never

Job = TypeVar("Job")
Answer = TypeVar("Answer")

WITH_BLAS = ("scipy.linalg._fblas", "scipy.linalg._flapack")
"""scipy is loaded when it is needed, perhaps while BLAS is limited to one thread."""

MOST_THREADS = 8
"""Of one piece of work. Beyond, they wait for the interpreter and for memory more than
they compute."""

LOOK_EVERY = 0.02
"""Seconds between two looks whether to stop, while an answer is waited for."""


Libraries = tuple[str, ...]


class _SingleThreaded:
    """Counts who wants one BLAS thread: the first sets it, the last restores.

    The setting belongs to the process. Two threads that each saved and restored it on
    their own would leave it at one for ever.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._before: list[tuple[Any, int]] = []
        self._limited: Libraries = ()

    def enter(self) -> None:
        with self._lock:
            self._users += 1
            libraries = tuple(name for name in WITH_BLAS if name in sys.modules)
            if self._users == 1 or libraries != self._limited:
                self._limit(libraries)

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                _take_control()
                while self._before:
                    library, threads = self._before.pop()
                    library.set_num_threads(threads)
                _take_control()

    def _limit(self, libraries: Libraries) -> None:
        _take_control()
        # Their own way to do that describes every library, which takes longer than a
        # small matrix.
        for library in _controller(libraries).lib_controllers:
            if library.user_api == "blas":
                threads = library.get_num_threads()
                if threads not in (None, 1):
                    library.set_num_threads(1)
                    self._before.append((library, threads))
        self._limited = libraries


_single_threaded = _SingleThreaded()


@cache
def _controller(libraries: Libraries) -> ThreadpoolController:
    # Looking them up takes milliseconds, so once is enough until there are more.
    return ThreadpoolController()


def _take_control() -> None:
    """Let this thread change the limit, or any other one afterwards.

    From 3.7 on, threadpoolctl listens to the first thread that has set a limit only:
    another one that restores it would be ignored without a word.
    """
    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let every BLAS call inside use a single thread."""
    _single_threaded.enter()
    try:
        yield
    finally:
        _single_threaded.leave()


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    work: Callable[[Job, ShouldStop], Answer],
    jobs: Iterable[Job],
    count: int,
    should_stop: ShouldStop = never,
) -> Iterator[Answer]:
    """Yield ``work(job, should_stop)`` of every job in turn, on ``count`` threads.

    An answer waits for those before it, so that it makes no difference how many threads
    there are. Whatever ends the iteration also stops the work that still runs, and
    waits for it. The work sees to it that BLAS has no threads of its own meanwhile.
    """
    if count <= 1:
        for job in jobs:
            check(should_stop)
            yield work(job, should_stop)
        return
    ended = Event()

    def stopped() -> bool:
        return ended.is_set() or should_stop()

    waiting: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(count) as pool:
        try:
            for job in jobs:
                waiting.append(pool.submit(work, job, stopped))
                # A few ahead: a long job keeps one thread from going on, not all.
                if len(waiting) >= 2 * count:
                    yield _answer(waiting.popleft(), should_stop)
            while waiting:
                yield _answer(waiting.popleft(), should_stop)
        finally:
            ended.set()
            for future in waiting:
                future.cancel()


def _answer(future: Future[Answer], should_stop: ShouldStop) -> Answer:
    check(should_stop)
    while not wait([future], LOOK_EVERY).done:
        check(should_stop)
    return future.result()
