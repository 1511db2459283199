"""Python and the event loop of Qt: work in steps, Ctrl-C, overrides and garbage."""

import gc
import signal
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from functools import cache, wraps
from importlib import import_module
from types import FrameType, FunctionType, ModuleType
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal, Slot


class EventLoopSteps(QObject):
    """Runs steps one at a time; paint and mouse events are handled between two.

    Beginning again before the end goes on with the step that comes next, round and
    round until every step has been taken since: none is left out for ever, however
    often it begins.
    """

    ended = Signal()
    """Every step has been taken."""

    def __init__(self, steps: Sequence[Callable[[], None]], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = steps
        self._next = 0
        self._left = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._take)

    @property
    def running(self) -> bool:
        return self._left > 0

    def begin(self) -> None:
        """Take the first step now and the others soon."""
        running, self._left = self.running, len(self._steps)
        if not running:
            self._next = 0
            self._timer.start()
            self._take()

    def take_all(self) -> None:
        self._next, self._left = 0, len(self._steps)
        while self._left:
            self._take()

    def stop(self) -> None:
        self._left = 0
        self._timer.stop()

    @Slot()
    def _take(self) -> None:
        step = self._steps[self._next]
        self._next = (self._next + 1) % len(self._steps)
        self._left -= 1
        if not self._left:
            self._timer.stop()
        step()
        if not self._left:
            self.ended.emit()


class GeneratorSteps(QObject):
    """Runs a generator from one ``yield`` to the next; events have their turn there.

    ``result``: what the generator has returned, once it has ended without an error.
    """

    ended = Signal(object)
    """The error, or None."""

    def __init__(self, work: Generator[None, None, object], parent: QObject) -> None:
        super().__init__(parent)
        self.result: object = None
        self._work = work
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._take)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def begin(self) -> None:
        """Do the first portion now and the others soon."""
        self._timer.start()
        self._take()

    def take_all(self) -> None:
        while self.running:
            self._take()

    def stop(self) -> None:
        self._timer.stop()
        self._work.close()

    @Slot()
    def _take(self) -> None:
        try:
            next(self._work)
        except StopIteration as end:
            self._timer.stop()
            self.result = end.value
            self.ended.emit(None)
        except Exception as error:  # noqa: BLE001 — whatever it is, a person is told
            self._timer.stop()
            self.ended.emit(error)


def wait() -> None:
    """Be a step in which nothing is done: Qt paints what came with the one before."""


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


# What goes wrong in an override of Qt is an error, and not the end of the process.
#
# Up to Python 3.11 an exception that was raised in C, by numpy or by a list, is a type
# with a text until it is handled. PySide takes that text for the exception and crashes.
# A handler, even one that only raises again, makes it whole.


NEEDED = sys.version_info < (3, 12)


def make_errors_whole() -> None:
    """Guard the overrides of every class of Qt that is defined from now on."""
    if NEEDED:
        # Of items of a scene, icons and tasks as well, which are no QObject.
        shiboken6.Object.__init_subclass__ = classmethod(_guard)  # type: ignore


def _guard(cls: type) -> None:
    of_qt = [each for each in cls.__mro__ if each.__module__.startswith("PySide6.")]
    for name, member in list(cls.__dict__.items()):
        overrides = any(name in each.__dict__ for each in of_qt)
        if isinstance(member, FunctionType) and overrides and name[:2] != "__":
            setattr(cls, name, _whole(member))


def _whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(*args: Any, **options: Any) -> Any:
        try:
            return method(*args, **options)
        except BaseException:
            raise

    return call


# PySide reads the source of every module that is imported after it, to see whether it
# names PySide and so may have chosen snake_case: a thousand files at a start.


WITH_QT = {"kpca_viewer", "pyqtgraph"}
WITHOUT_QT = sys.stdlib_module_names | {"msgspec", "numpy", "scipy"}


@cache
def leave_sources_unread() -> None:
    """Tell PySide what it would look for in modules that are known; of others, it does.

    Where it does not look, or does so in another way, nothing is changed.
    """
    try:
        feature: Any = import_module("shibokensupport.feature")
    except ImportError:
        return
    look = getattr(feature, "_mod_uses_pyside", None)
    if not callable(look):
        return

    def uses(module: object, *more: Any) -> Any:
        if more or not isinstance(module, ModuleType):
            return look(module, *more)
        package = module.__name__.partition(".")[0]
        return package in WITH_QT or (package not in WITHOUT_QT and look(module))

    feature._mod_uses_pyside = uses


# Garbage is collected on the thread of the window only.
#
# Python looks for cycles on whatever thread happens to allocate. A widget that is
# part of one would then be destroyed by a worker, which ends the process.


LOOK_EVERY = 250
"""Milliseconds between two looks."""


class GarbageCollector(QObject):
    """Takes the collection of garbage over for as long as it runs.

    Several may run at once; the last one that stops gives it back to Python.
    """

    _running = 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        GarbageCollector._running += 1
        gc.disable()

    @Slot()
    def look(self) -> None:
        """Collect as deep as the counters ask for, as Python would have done."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    def stop(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            GarbageCollector._running -= 1
            if GarbageCollector._running == 0:
                gc.enable()
