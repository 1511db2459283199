"""Saver: one writer of sessions, so that the newest is what stays."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.engine.document.files import Stamp, save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.runner import Task
from kpca_viewer.support.errors import KpcaError

SLOW = 4 << 20
"""Bytes of numbers beyond which writing them would block the window."""


@dataclass(frozen=True, eq=False)
class Order:
    """A session that is to be written."""

    document: Document
    path: Path
    replaces: bool = False
    """Whether the person wants it in the place of whatever is there."""

    @property
    def is_slow(self) -> bool:
        """Whether it takes so long that the window must not wait for it."""
        return self.document.data.size > SLOW


class Saver(QObject):
    """Writes one session after the other; of several for one file only the newest.

    Small ones are written at once, large ones beside the window.
    """

    saved = Signal(object)
    """The order."""
    failed = Signal(object, object)
    """The order and the error."""
    busy_changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stamps: dict[Path, Stamp | None] = {}
        self._waiting: dict[Path, Order] = {}
        self._running: tuple[Order, Task] | None = None
        self._new_stamp: Stamp | None = None

    @property
    def busy(self) -> bool:
        return self._running is not None

    def stamp(self, path: Path | None) -> Stamp | None:
        """Return the content of a file that is known here, if there is one."""
        return None if path is None else self._stamps.get(path)

    def know(self, path: Path, stamp: Stamp | None) -> None:
        """Learn which content of a file was read."""
        self._stamps[path] = stamp

    def write(self, order: Order) -> bool:
        """Write a session, now or after the one that is being written.

        Returns whether it is there, or on its way.
        """
        if self._running is None and not order.is_slow:
            return self._write_now(order)
        self._waiting[order.path] = order
        self._begin_next()
        return True

    def finish(self) -> bool:
        """Write all that is left; returns whether everything was written."""
        sound = True
        if self._running is not None:
            order, task = self._running
            task.ended.disconnect(self._on_task_ended)
            task.wait()
            self._running = None
            sound = self._tell(order, task.error)
            self.busy_changed.emit(False)
        for path in list(self._waiting):
            sound = self._write_now(self._waiting.pop(path)) and sound
        return sound

    def _write_now(self, order: Order) -> bool:
        try:
            self._write(order, self._known(order))
        except KpcaError as error:
            return self._tell(order, error)
        return self._tell(order, None)

    def _begin_next(self) -> None:
        if self._running is not None or not self._waiting:
            return
        # The oldest request first; what is known of its file is known by now.
        order = self._waiting.pop(next(iter(self._waiting)))
        task = Task(partial(self._write, order, self._known(order)))
        task.ended.connect(self._on_task_ended)
        self._running = order, task
        self.busy_changed.emit(True)
        task.begin()

    def _known(self, order: Order) -> Stamp | None:
        return None if order.replaces else self._stamps.get(order.path)

    def _write(self, order: Order, known: Stamp | None) -> None:
        self._new_stamp = save(order.document, order.path, known=known)

    def _tell(self, order: Order, error: Exception | None) -> bool:
        if error is not None:
            self.failed.emit(order, error)
            return False
        self._stamps[order.path] = self._new_stamp
        self.saved.emit(order)
        return True

    @Slot(object)
    def _on_task_ended(self, error: Exception | None) -> None:
        assert self._running is not None
        order, _ = self._running
        self._running = None
        self._tell(order, error)
        self.busy_changed.emit(False)
        self._begin_next()
