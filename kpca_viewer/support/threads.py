"""BLAS threads, limited where several of our own threads share the cores."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from threadpoolctl import OpenBLASController, ThreadpoolController


class _SingleThreaded:
    """Counts who wants one BLAS thread: the first sets it, the last restores.

    The setting belongs to the process. Two threads that each saved and restored it on
    their own would leave it at one for ever.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._limit: Any = None

    def enter(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                _take_control()
                self._limit = _controller().limit(limits=1, user_api="blas")

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                _take_control()
                self._limit.restore_original_limits()
                self._limit = None
                _take_control()


_single_threaded = _SingleThreaded()


@cache
def _controller() -> ThreadpoolController:
    # Looking the libraries up takes milliseconds, so once is enough.
    return ThreadpoolController()


def _take_control() -> None:
    """Let this thread change the limit, or any other one afterwards.

    From 3.7 on, threadpoolctl listens to the first thread that has set a limit only:
    another one that restores it would be ignored without a word.
    """
    release = getattr(OpenBLASController, "clear_controlling_thread", _nothing)
    release(force=True)


def _nothing(force: bool) -> None:
    """Do what earlier versions, which listen to every thread, need."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let every BLAS call inside use a single thread."""
    _single_threaded.enter()
    try:
        yield
    finally:
        _single_threaded.leave()
