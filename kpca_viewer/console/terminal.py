"""How a command speaks in a terminal: lines, progress, and one sentence at the end."""

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TextIO

from kpca_viewer.support import libraries
from kpca_viewer.support.atomic import of_system, remove_unfinished
from kpca_viewer.support.errors import (
    Cancelled,
    ExportError,
    KpcaError,
    with_short_values,
)

NO_MEMORY = "There is not enough memory for that; ask for less."

INTERRUPTED = 130
"""What a shell expects of a command that Ctrl-C has ended."""


def say(text: str, stream: TextIO | None = None) -> None:
    """Write a line; letters that a terminal does not have are replaced."""
    target = sys.stdout if stream is None else stream
    try:
        f"{text}\n".encode(target.encoding or "utf-8", target.errors or "strict")
    except UnicodeEncodeError:
        encoding = target.encoding or "ascii"
        text = text.encode(encoding, "replace").decode(encoding)
    if target is sys.stderr:
        target.write(f"{text}\n")
        return
    with stream_errors(target):
        target.write(f"{text}\n")


class Watch:
    """Progress on the terminal; nothing at all where the output goes to a file."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._last = ""

    def __call__(self, stage: str, fraction: float | None = None) -> None:
        """Show a stage, with its share if that is known."""
        share = "" if fraction is None else f" {100 * fraction:3.0f} %"
        # A line that is wrapped could not be written over.
        most = shutil.get_terminal_size().columns - len(share) - 3
        text = f"{stage[:most]} …{share}"
        if self._live and text != self._last:
            # One line that is written over: back to its start, and clear to its end.
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
            self._last = text

    def clear(self) -> None:
        if self._last:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._last = ""


def guarded(name: str, work: Callable[[Watch], int | None]) -> int:
    """Run a command; what goes wrong is one line on stderr and an exit code.

    A KeyboardInterrupt may say what has become of the work.

    ``name``: of the command; empty for the program itself; Returns: what the work
    returns, 0 without that, or 2 where something is wrong with what was asked for.
    """
    watch = Watch()
    program = f"kpca-viewer {name}".rstrip()
    try:
        code = work(watch) or 0
        with stream_errors(sys.stdout):
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python would complain at exit.
        _discard(sys.stdout)
        return 0
    except (KeyboardInterrupt, Cancelled) as error:
        told = str(error) if isinstance(error, KeyboardInterrupt) else ""
        code = _end(watch, program, told or "stopped.", INTERRUPTED)
    except (KpcaError, MemoryError) as error:
        told = str(error) if isinstance(error, KpcaError) else ""
        code = _end(watch, program, told or NO_MEMORY)
    except OSError as error:
        code = _end(watch, program, of_system(error))
    except ImportError as error:
        if not (packages := libraries.missing()):
            raise
        told = f"{error}; {libraries.what_to_install(packages)}"
        code = _end(watch, program, told)
    watch.clear()
    return code


def _end(watch: Watch, program: str, text: str, code: int = 2) -> int:
    """Say a last sentence, if there is anybody to hear it."""
    try:
        watch.clear()
        say(f"{program}: {with_short_values(' '.join(text.split()))}", sys.stderr)
    except OSError:
        _discard(sys.stderr)
    return code


@contextmanager
def stream_errors(stream: TextIO) -> Iterator[None]:
    """Say what is wrong with an output that is full, or that was closed."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        _discard(stream)
        raise ExportError(
            "Standard output is closed; send it to a file."
            if error.errno == errno.EBADF
            else f"Standard output takes no more ({error.strerror}); send it to a file "
            "on a disk that has room."
        ) from error


def _discard(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere: Python would complain at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def open_closed_streams() -> None:
    """Give streams that are closed a place: else the next file takes their number.

    What is written to standard output fails, as it should; stderr is silent.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            mode = "r" if number == 0 else "w"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def stop_on_interrupt() -> None:
    """Let Ctrl+C end the program with one line and the code `INTERRUPTED`."""
    signal.signal(signal.SIGINT, _stop)


def _stop(_number: int, frame: FrameType | None) -> None:
    """Raise a KeyboardInterrupt; where Qt or an import is under way, end at once.

    Modules of Qt that an exception interrupts abort the process, or go on without some
    of their names; later Qt swallows it, or crashes while the interpreter takes down
    what is alive. So nothing is unwound there: files that are being written are
    removed, and processes that work for this one end with it.
    """
    if "PySide6" not in sys.modules and not _is_importing(frame):
        raise KeyboardInterrupt
    remove_unfinished()
    with suppress(OSError):
        # Not by sys.stderr, which may be the one that was interrupted.
        clear = b"\r\x1b[K" if os.isatty(2) else b""
        os.write(2, clear + b"kpca-viewer: stopped.\n")
    os._exit(INTERRUPTED)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
