"""A sweep on its way into a file: beside the window, with progress and Cancel."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.runtime.runner import Runner
from kpca_viewer.session.sweep.point import SweepResult
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.progress import Progress, ShouldStop
from kpca_viewer.ui.look.theme import LIGHT, Theme
from kpca_viewer.ui.sweep.thumbnails import Shades
from kpca_viewer.ui.words import catalogue

if TYPE_CHECKING:
    from kpca_viewer.ui.sweep.paper.saving import Kind

STEP = 10
"""Percent after which somebody is told again."""


@dataclass(frozen=True, eq=False)
class SweepFile:
    """What is to be written where."""

    path: Path
    kind: "Kind"
    result: SweepResult
    measure: str = ""
    name: str = ""
    """The measure that is shown, and the name of the data."""
    theme: Theme = LIGHT
    shades: Shades | None = None
    row: int = 0
    """Of a grid, for a strip or a film."""


class SweepExporter(QObject):
    """Writes one file at a time on a thread of its own."""

    told = Signal(object)
    """A `Message`: how far it is, that it is done, or what is wrong."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner: Runner | None = None
        self._file: SweepFile | None = None
        self._percent = 0

    @property
    def busy(self) -> bool:
        """Whether a file is being written."""
        return self._runner is not None and self._runner.busy

    @property
    def kind(self) -> "Kind | None":
        """What was written last."""
        return None if self._file is None else self._file.kind

    def save(self, file: SweepFile) -> None:
        """Write a file; `told` says what becomes of it."""
        from kpca_viewer.ui.sweep.paper.saving import kind_of

        if self.busy and self._file is not None:
            self.told.emit(catalogue.sweep_still_written(self._file.path))
            return
        try:
            file = replace(file, kind=kind_of(file.path, file.kind))
        except KpcaError as error:
            self.told.emit(catalogue.failure(error))
            return
        if self._runner is None:
            # Made on first use: most sweeps are only looked at.
            self._runner = Runner(_write, self)
            self._runner.result_ready.connect(self._on_written)
            self._runner.failed.connect(self._on_failed)
            self._runner.progressed.connect(self._on_progressed)
            self._runner.cancelled.connect(self._on_cancelled)
        self._file, self._percent = file, 0
        self.told.emit(catalogue.sweep_being_written(file.path))
        self._runner.submit(file)

    @Slot()
    def cancel(self) -> None:
        """Give up; a file that was there stays as it was."""
        if self._runner is not None:
            self._runner.cancel()

    def close(self) -> None:
        """Stop and end the thread."""
        if self._runner is not None:
            self._runner.close()

    @Slot(object)
    def _on_written(self, path: Path) -> None:
        has_size = self.kind in ("grid", "strip")
        self.told.emit(catalogue.sweep_written(path, has_size=has_size))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.told.emit(catalogue.failure(error))

    @Slot(object, object)
    def _on_progressed(self, _stage: str, share: float | None) -> None:
        percent = int(100 * (share or 0)) // STEP * STEP
        if self._file is not None and percent > self._percent:
            self._percent = percent
            self.told.emit(catalogue.sweep_being_written(self._file.path, percent))

    @Slot()
    def _on_cancelled(self) -> None:
        if self._file is not None:
            self.told.emit(catalogue.sweep_not_written(self._file.path))


def _write(
    file: SweepFile,
    should_stop: ShouldStop,
    progress: Progress,
    _publish: Callable[[Any], None],
) -> Path:
    # Imported by the worker: it brings the writers of films along.
    from kpca_viewer.ui.sweep.paper.saving import save_sweep

    save_sweep(
        file.path,
        file.kind,
        file.result,
        measure=file.measure,
        name=file.name,
        theme=file.theme,
        shades=file.shades,
        row=file.row,
        should_stop=should_stop,
        progress=progress,
    )
    return file.path
