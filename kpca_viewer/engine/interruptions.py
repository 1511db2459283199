"""Interruptions: signals of the system as a signal of Qt."""

import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
"""Ctrl+C, the end of the session, and the terminal that was closed."""

Handler = Callable[[int, FrameType | None], Any] | int | None


class Interruptions(QObject):
    """Hears of signals while Qt's loop runs.

    Python looks for signals between its own instructions only, and Qt's loop has none
    of them. The system therefore writes the number into a socket to which Qt listens.
    """

    received = Signal(int)
    """The number of a signal."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before: dict[int, Handler] = {}
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(
            self._reader.fileno(), QSocketNotifier.Type.Read, self
        )
        self._notifier.activated.connect(self._on_activated)
        self._wakeup = signal.set_wakeup_fd(
            self._writer.fileno(), warn_on_full_buffer=False
        )
        for number in _numbers():
            self._before[number] = signal.signal(number, _heard)

    def close(self) -> None:
        """Leave everything as it was."""
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(self._wakeup)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    @Slot()
    def _on_activated(self) -> None:
        for number in self._reader.recv(64):
            if number in self._before:
                self.received.emit(number)


def _numbers() -> list[int]:
    """Return the signals to hear of.

    SIGHUP that is ignored is so on purpose (nohup); SIGINT is ignored by every job that
    a script has put into the background, which must be able to end as well.
    """
    known = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    hangup = getattr(signal, "SIGHUP", None)
    ignored = hangup is not None and signal.getsignal(hangup) == signal.SIG_IGN
    return [number for number in known if number != hangup or not ignored]


def _heard(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: the socket tells Qt."""
