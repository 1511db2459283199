"""Work in small portions, so that the window can answer in between."""

from collections.abc import Callable, Generator, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot


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
        """Take all steps now, in their order."""
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

    Attributes
    ----------
    result : object
        What the generator has returned, once it has ended without an error.
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
