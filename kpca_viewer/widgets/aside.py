"""Work that one view alone waits for: at once where it is small, else on a thread."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.engine.runner import Runner
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.progress import Progress, ShouldStop, never

Job = Callable[[ShouldStop], Any]
"""Answers, or raises what a person is told."""


class Aside(QObject):
    """Answers the newest question only. The thread begins with the first large one."""

    answered = Signal(object)
    """What a job has returned, or the error that it has raised."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner: Runner | None = None

    @property
    def busy(self) -> bool:
        return self._runner is not None and self._runner.busy

    def ask(self, job: Job, *, small: bool) -> None:
        """Let a job answer; one that was asked before is not waited for any more."""
        self.forget()
        if small:
            try:
                answer = job(never)
            except KpcaError as error:
                answer = error
            self.answered.emit(answer)
            return
        if self._runner is None:
            self._runner = Runner(_work, self)
            self._runner.result_ready.connect(self._on_answered)
            self._runner.failed.connect(self._on_answered)
        self._runner.submit(job)

    def forget(self) -> None:
        if self._runner is not None:
            self._runner.cancel()

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    @Slot(object)
    def _on_answered(self, answer: object) -> None:
        self.answered.emit(answer)


def _work(
    job: Job,
    should_stop: ShouldStop,
    _progress: Progress,
    _publish: Callable[[Any], None],
) -> Any:
    return job(should_stop)
