"""How a command speaks in a terminal: lines, progress, and one sentence at the end."""

import os
import sys
from collections.abc import Callable
from typing import TextIO

from kpca_viewer.support.errors import Cancelled, KpcaError

INTERRUPTED = 130
"""What a shell expects of a command that Ctrl-C has ended."""


def say(text: str, stream: TextIO | None = None) -> None:
    """Write a line; letters that a terminal does not have are replaced."""
    target = sys.stdout if stream is None else stream
    try:
        target.write(f"{text}\n")
    except UnicodeEncodeError:
        encoding = target.encoding or "ascii"
        target.write(f"{text}\n".encode(encoding, "replace").decode(encoding))


class Watch:
    """Progress on the terminal; nothing at all where the output goes to a file."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._last = ""

    def __call__(self, stage: str, fraction: float | None = None) -> None:
        """Show a stage, with its share if that is known."""
        share = "" if fraction is None else f" {100 * fraction:3.0f} %"
        text = f"{stage} …{share}"
        if self._live and text != self._last:
            # One line that is written over: back to its start, and clear to its end.
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
            self._last = text

    def clear(self) -> None:
        """Leave the line empty for what comes next."""
        if self._last:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._last = ""


def guarded(name: str, work: Callable[[Watch], None]) -> int:
    """Run a command; what goes wrong is one line on stderr and an exit code.

    A KeyboardInterrupt may say what has become of the work.

    Returns
    -------
    int
        0, or 2 where something is wrong with what was asked for.
    """
    watch = Watch()
    try:
        work(watch)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, Cancelled) as error:
        watch.clear()
        told = str(error) if isinstance(error, KeyboardInterrupt) else ""
        say(f"kpca-viewer {name}: {told or 'stopped.'}", sys.stderr)
        return INTERRUPTED
    except (KpcaError, MemoryError) as error:
        watch.clear()
        text = " ".join(str(error).split()) or "There is not enough memory."
        say(f"kpca-viewer {name}: {text}", sys.stderr)
        return 2
    watch.clear()
    return 0
