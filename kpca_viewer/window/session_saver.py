"""Saver: one writer of sessions, so that the newest is what stays."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kpca_viewer.engine.document.files import SessionFile, Stamp, save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.document.recovery import AbandonedCopy, Swap, abandoned_copies
from kpca_viewer.engine.messages import failure
from kpca_viewer.engine.runner import Task
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.window.message_queue import Messages
from kpca_viewer.window.messages import session_left_behind

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


Reopen = Callable[[SessionFile | None, Document, Callable[[], None]], None]
"""Shows a document as the session of a file, and then does something."""


def offer_abandoned(
    folder: Path, messages: Messages, reopen: Reopen, keep: Callable[[], bool]
) -> None:
    """Offer every session that ended without being closed, the newest first.

    Each stays on the disk until it was restored or is not wanted; one whose message is
    closed is offered again at the next start.

    Parameters
    ----------
    folder : Path
        Of the hidden copies.
    keep : callable
        Keeps a copy of what is shown; returns whether that is there.
    """
    for orphan in abandoned_copies(folder):
        _offer(orphan, messages, reopen, keep)


def _offer(
    orphan: AbandonedCopy, messages: Messages, reopen: Reopen, keep: Callable[[], bool]
) -> None:
    def restore() -> None:
        try:
            document = orphan.restore()
        except KpcaError as error:
            messages.show(failure(error))
            return
        reopen(orphan.file, document, restored)

    def restored() -> None:
        # Not before there is another copy of it.
        if keep():
            orphan.discard()

    message = session_left_behind(_named(orphan), orphan.saved, topic=str(orphan.swap))
    messages.show(message, restore, orphan.discard)


def _named(orphan: AbandonedCopy) -> str:
    if orphan.path is None:
        return "An unsaved session"
    return f"The session “{orphan.path.name}”"


SWAP_AFTER = 2000
"""Milliseconds from a change until the hidden copy is written, however many follow."""

AGAIN_AFTER = 10_000
"""Milliseconds until a copy that could not be written is tried again."""

State = Callable[[], tuple[Document, Path | None, Stamp | None]]


class HiddenCopy(QObject):
    """Keeps a copy of the session beside the window, against a crash.

    Parameters
    ----------
    folder : Path or None
        None keeps none.
    state : callable
        Returns the session as it is now, the person's own file, and which content of
        that file is known.
    """

    failed = Signal(object)
    """One sentence, once; the copy is tried again."""
    recovered = Signal()
    """A copy is there again."""

    def __init__(self, folder: Path | None, state: State, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self._swap = None if folder is None else Swap(folder)
        self._task: Task | None = None
        self._failing = False
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._on_time)

    @Slot()
    def want(self) -> None:
        """Write a copy soon; what changes meanwhile does not put it off."""
        if self._swap is not None and not self._later.isActive():
            self._later.start(SWAP_AFTER)

    def write(self) -> bool:
        """Write a copy now; returns whether it is there."""
        if self._swap is None:
            return False
        self._wait()
        self._later.stop()
        try:
            self._swap.write(*self._state())
        except KpcaError as error:
            self._on_ended(error)
            return False
        self._on_ended(None)
        return True

    def close(self, *, keep: bool = False) -> None:
        """End; the copy is not needed any more, unless it is the last one there is."""
        self._wait()
        self._later.stop()
        if self._swap is not None and not keep:
            self._swap.discard()
        self._swap = None

    def _wait(self) -> None:
        """Let the one that is being written be the old one."""
        if self._task is not None:
            self._task.ended.disconnect(self._on_task_ended)
            self._task.wait()
            self._task = None

    @Slot()
    def _on_time(self) -> None:
        """Write beside the window: a disk can take its time."""
        if self._swap is None:
            return
        if self._task is not None:
            self._later.start(SWAP_AFTER)
            return
        self._task = Task(partial(self._swap.write, *self._state()))
        self._task.ended.connect(self._on_task_ended)
        self._task.begin()

    @Slot(object)
    def _on_task_ended(self, error: Exception | None) -> None:
        self._task = None
        self._on_ended(error)

    def _on_ended(self, error: Exception | None) -> None:
        before, self._failing = self._failing, error is not None
        if error is not None:
            # A disk that was full need not be so for ever.
            self._later.start(AGAIN_AFTER)
            if not before:
                self.failed.emit(str(error))
        elif before:
            self.recovered.emit()
