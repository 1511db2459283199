"""Worker threads: one with a mailbox of one request, of which the latest wins."""

import atexit
import os
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Event, Lock
from time import monotonic
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, QTimer, Signal, Slot
from shiboken6 import isValid

from kpca_viewer.engine.result import Sketch
from kpca_viewer.support.errors import Cancelled
from kpca_viewer.support.progress import Progress, ShouldStop


class Hold:
    """Lets threads wait at the next block, and go on."""

    def __init__(self) -> None:
        self._may_go_on = Event()
        self._may_go_on.set()

    def set(self, held: bool) -> None:
        if held:
            self._may_go_on.clear()
        else:
            self._may_go_on.set()

    def asked_by(self, should_stop: ShouldStop) -> ShouldStop:
        """Return the question that work asks between two blocks, and waits at."""

        def stopped() -> bool:
            if not should_stop() and not self._may_go_on.is_set():
                self._may_go_on.wait()
            return should_stop()

        return stopped


Work = Callable[[Any, ShouldStop, Progress, Callable[[Any], None]], Any]
"""``work(request, should_stop, progress, publish) -> result``"""


REPORT_EVERY = 0.03
"""Seconds between two reports of progress."""

PATIENCE = 0.25
"""Seconds for which closing waits for work that was told to stop."""

_abandoned: "list[tuple[QThread, _Worker]]" = []
"""Threads that did not stop in time: a disk that does not answer, a long product. They
must live as long as they run."""


def still_running() -> bool:
    return any(thread.isRunning() for thread, _ in _abandoned)


def leave(code: int = 0) -> None:
    """End the process at once if something still runs, for Qt would abort it."""
    if still_running():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class _Mailbox:
    """At most one request that waits and one that runs, shared by the two threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: tuple[int, Any] | None = None
        self._stop = Event()
        self.newest = 0

    def put(self, request: Any) -> int:
        """Replace what waits and tell what runs to stop."""
        with self._lock:
            self.newest += 1
            self._waiting = (self.newest, request)
            self._stop.set()
            return self.newest

    def take(self) -> tuple[int, Any, Event] | None:
        with self._lock:
            if self._waiting is None:
                return None
            number, request = self._waiting
            self._waiting = None
            self._stop = Event()
            return number, request, self._stop

    def clear(self) -> None:
        """Forget what waits and tell what runs to stop; its answer is stale."""
        with self._lock:
            self.newest += 1
            self._waiting = None
            self._stop.set()


class _Worker(QObject):
    """Lives on the worker thread; touches nothing but the mailbox and its signals."""

    answered = Signal(object, object)  # number, result; more may follow
    failed = Signal(object, object)  # number, error
    finished = Signal(object)  # number
    progressed = Signal(object, object, object)  # number, stage, fraction

    def __init__(self, work: Work, mailbox: _Mailbox) -> None:
        super().__init__()
        self._work = work
        self._mailbox = mailbox

    @Slot()
    def run_next(self) -> None:
        taken = self._mailbox.take()
        if taken is None:
            return
        number, request, stop = taken

        told, named = 0.0, ""

        def progress(stage: str, fraction: float | None) -> None:
            nonlocal told, named
            now, name = monotonic(), stage.rstrip("0123456789")
            # Blocks end by the hundred; a person sees a few reports a second. What
            # comes next is always told, or what is done would stand there.
            due = name != named or now - told >= REPORT_EVERY
            if due and not stop.is_set():
                told, named = now, name
                self.progressed.emit(number, stage, fraction)

        def publish(result: Any) -> None:
            self.answered.emit(number, result)

        try:
            self.answered.emit(
                number, self._work(request, stop.is_set, progress, publish)
            )
        except Cancelled:
            pass
        except Exception as error:  # noqa: BLE001  # a bug must not end the thread
            self.failed.emit(number, error)
        self.finished.emit(number)


class Runner(QObject):
    """Runs the newest request; answers to older ones are dropped before anyone sees."""

    result_ready = Signal(object)
    sketched = Signal(object)
    """Some of the rows are there."""
    failed = Signal(object)
    progressed = Signal(object, object)  # stage, fraction or None
    busy_changed = Signal(bool)
    cancelled = Signal()
    _wake = Signal()

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mailbox = _Mailbox()
        self._busy = False
        self._closed = False
        # Qt handles everything that is posted, paint included, before it looks at the
        # mouse: an answer comes by a timer, and so in a turn of its own.
        self._answers: deque[tuple[int, Callable[[Any], None], Any]] = deque()
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._tell_next)
        self._thread = QThread(self)
        self._thread.setObjectName("kpca-worker")
        self._worker = _Worker(work, self._mailbox)
        self._worker.moveToThread(self._thread)
        queued = Qt.ConnectionType.QueuedConnection
        self._wake.connect(self._worker.run_next, queued)
        self._worker.answered.connect(self._on_worker_answered, queued)
        self._worker.failed.connect(self._on_worker_failed, queued)
        self._worker.finished.connect(self._on_worker_finished, queued)
        self._worker.progressed.connect(self._on_worker_progressed, queued)
        self._end = partial(_end, self._mailbox, self._thread, self._worker)
        # A start that fails closes nothing.
        self.destroyed.connect(self._end)
        self._thread.start()

    @property
    def busy(self) -> bool:
        return self._busy

    def submit(self, request: Any) -> None:
        """Make this the newest request and stop what runs; after `close`, nothing."""
        if self._closed:
            return
        self._mailbox.put(request)
        self._set_busy(True)
        self._wake.emit()

    def cancel(self) -> None:
        """Want nothing any more; the last result stays."""
        if self._busy:
            self._mailbox.clear()
            self._set_busy(False)
            self.cancelled.emit()

    def close(self) -> None:
        """Stop the work and end the thread; one that does not stop is left alone."""
        self._closed = True
        self._answers.clear()
        self._turn.stop()
        self._end()
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)

    def _is_newest(self, number: int) -> bool:
        return number == self._mailbox.newest

    @Slot(object, object)
    def _on_worker_answered(self, number: int, result: Any) -> None:
        tells = self.sketched if isinstance(result, Sketch) else self.result_ready
        self._line_up(number, tells.emit, result)

    @Slot(object, object)
    def _on_worker_failed(self, number: int, error: Exception) -> None:
        self._line_up(number, self.failed.emit, error)

    @Slot(object)
    def _on_worker_finished(self, number: int) -> None:
        self._line_up(number, self._set_busy, False)

    def _line_up(self, number: int, tell: Callable[[Any], None], what: Any) -> None:
        self._answers.append((number, tell, what))
        self._turn.start()

    @Slot()
    def _tell_next(self) -> None:
        """Tell one answer, and that it was the last one if that is known."""
        if not self._answers:
            return
        number, tell, what = self._answers.popleft()
        if self._answers:
            self._turn.start()
        if self._is_newest(number):
            tell(what)
        if self._answers and self._answers[0][1] == self._set_busy:
            self._tell_next()

    @Slot(object, object, object)
    def _on_worker_progressed(
        self, number: int, stage: str, fraction: float | None
    ) -> None:
        if self._is_newest(number):
            self.progressed.emit(stage, fraction)


def _end(mailbox: _Mailbox, thread: QThread, worker: _Worker, *_: object) -> None:
    """Stop the work and end its thread: Qt aborts where one that runs is destroyed.

    One that does not stop is left alone: it ends by itself, whatever becomes of its
    runner.
    """
    mailbox.clear()
    if not isValid(thread):
        return  # with the application, at the end of the process
    thread.quit()
    if thread.parent() is None or thread.wait(round(1000 * PATIENCE)):
        return
    if not _abandoned:
        atexit.register(leave)
    thread.setParent(None)
    _abandoned.append((thread, worker))


_running: set["Task"] = set()
"""Kept alive until they are done: Qt ends the program if a running thread is gone."""


class Task(QThread):
    """Runs one function on its own thread; then it has a ``result`` or ``error``."""

    ended = Signal(object)
    """The error, or None. Emitted on the thread that made this."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__()
        self._work = work
        self.error: Exception | None = None
        self.result: object = None
        self.finished.connect(self._on_finished)

    def begin(self) -> None:
        """Start, and see to it that the program waits for the end."""
        _running.add(self)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._on_quit)
        self.start(QThread.Priority.LowPriority)

    def run(self) -> None:
        try:
            self.result = self._work()
        except Exception as error:  # noqa: BLE001 — whatever it is, a person is told
            self.error = error

    @Slot()
    def _on_quit(self) -> None:
        self.wait()

    @Slot()
    def _on_finished(self) -> None:
        self.wait()
        _running.discard(self)
        self.ended.emit(self.error)


# Pacing of a drag: every picture is finished before the next is asked for.
#
# A slider moves faster than a decomposition ends. If every move stopped the one
# before, nothing would be seen until the drag ends. So while a gesture lasts, the
# newest request waits until the runner has drawn the last one, though never longer
# than `PATIENCE_MS`.


PATIENCE_MS = 1000


class Pacer(QObject):
    """Limits how often requests reach the runner."""

    def __init__(self, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._waiting: Any = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE_MS)
        self._timer.timeout.connect(self._send)
        runner.busy_changed.connect(self._on_runner_busy_changed)
        runner.result_ready.connect(self._on_runner_result_ready)
        runner.sketched.connect(self._on_runner_result_ready)

    @property
    def holds(self) -> bool:
        """Whether a request waits for the picture before it."""
        return self._timer.isActive()

    def submit(self, request: Any, *, in_gesture: bool = False) -> None:
        """Ask for a result: at once, or in a gesture as soon as the last is drawn."""
        self._waiting = request
        if not in_gesture or not self._runner.busy:
            self._send()
        elif not self.holds:
            self._timer.start()

    def flush(self) -> None:
        self._send()

    def cancel(self) -> None:
        """Forget the waiting request and stop the running one."""
        self._timer.stop()
        self._waiting = None
        self._runner.cancel()

    @Slot()
    def _send(self) -> None:
        self._timer.stop()
        request, self._waiting = self._waiting, None
        if request is not None:
            self._runner.submit(request)

    @Slot(bool)
    def _on_runner_busy_changed(self, busy: bool) -> None:
        if not busy:
            self._send()

    @Slot(object)
    def _on_runner_result_ready(self, result: Any) -> None:
        # A first picture has been drawn; its slower scores need not be waited for.
        self._send()
