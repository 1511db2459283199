"""A file or a picture packed beside the window, which goes on answering."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QThread, Signal, Slot

_running: set["Task"] = set()
"""Kept alive until they are done: Qt ends the program if a running thread is gone."""


class Task(QThread):
    """Runs one function on a thread of its own.

    Attributes
    ----------
    error : Exception or None
        Once it has ended.
    result : object
        What the function has returned, once it has ended without an error.
    """

    ended = Signal(object)
    """The error, or None. Emitted on the thread of whoever made this."""

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
        """Do the work; called by Qt."""
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
