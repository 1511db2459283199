"""Ctrl+C where an exception must not come."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Ctrl+C wait for the end of a block in which Qt is at work, or imported.

    An exception that comes while Qt calls Python ends the process, and one during an
    import leaves half a module. Other threads hear of no signal.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or current_thread() is not main_thread():
        yield
        return
    heard = []
    signal.signal(signal.SIGINT, lambda *signalled: heard.append(signalled))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if heard:
        handler(*heard[0])
