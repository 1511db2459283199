"""Ctrl+C waits while Qt is at work."""

import signal
from threading import Thread

import pytest

from kpca_viewer.support.interrupts import interrupts_held


def interrupted_twice(then):
    with interrupts_held():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        then()


def test_an_interrupt_comes_at_the_end_of_the_block():
    before, done = signal.getsignal(signal.SIGINT), []
    with pytest.raises(KeyboardInterrupt):
        interrupted_twice(lambda: done.append("all"))
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_of_the_block_is_what_is_told():
    with pytest.raises(ZeroDivisionError):
        interrupted_twice(lambda: 1 / 0)


def test_an_interrupt_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_hold_nothing():
    handlers = []

    def work():
        with interrupts_held():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]
