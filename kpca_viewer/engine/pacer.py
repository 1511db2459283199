"""Pacing of a drag: every picture is finished before the next is asked for.

A slider moves faster than a decomposition ends. If every move stopped the one before,
nothing would be seen until the drag ends. So while a gesture lasts, the newest request
waits until the runner has drawn the last one, though never longer than `PATIENCE_MS`.
"""

from typing import Any

from PySide6.QtCore import QObject, QTimer, Slot

from kpca_viewer.engine.runner import Runner

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
