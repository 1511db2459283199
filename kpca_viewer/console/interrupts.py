"""Ctrl+C between imports: inside of one, something else would become of it."""

import signal
from types import FrameType

SOON = 0.02
"""Seconds after which an import is looked at again."""


def stop_after_imports() -> None:
    """Let Ctrl+C raise a KeyboardInterrupt as soon as no module is being loaded.

    Inside of an import, Qt's modules abort the process, or go on without some of their
    names. Where there is no timer, the interrupt is raised at once.
    """
    signal.signal(signal.SIGINT, _stop)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _stop)


def _stop(_number: int, frame: FrameType | None) -> None:
    while frame is not None and hasattr(signal, "setitimer"):
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            signal.setitimer(signal.ITIMER_REAL, SOON)
            return
        frame = frame.f_back
    raise KeyboardInterrupt
