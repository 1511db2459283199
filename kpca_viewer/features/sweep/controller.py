"""Sweeps in the window: their worker, their keys and their files."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from kpca_viewer.engine.messages import Message, trouble
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.export.film import dialog_entry
from kpca_viewer.features.sweep.export import ENDINGS, Kind, SweepExporter, SweepFile
from kpca_viewer.features.sweep.presenter import SweepPresenter
from kpca_viewer.features.sweep.runner import SweepRunner
from kpca_viewer.features.sweep.sheet import SheetSource, ShownSweep
from kpca_viewer.features.sweep.text import CANCEL, CHOOSE_SIZE, NO_SWEEP, pin_failed
from kpca_viewer.support.paths import unasked, with_ending
from kpca_viewer.support.picture_formats import picture_endings
from kpca_viewer.widgets.workbench import Workbench


def file_kinds() -> dict[str, Kind]:
    """Return the entries of the file dialog, and what each writes."""
    pictures = f"({' '.join(f'*{ending}' for ending in picture_endings())})"
    return {
        f"All pictures {pictures}": "grid",
        f"Strip with curve {pictures}": "strip",
        dialog_entry(): "film",
        "Table of measures (*.csv *.parquet *.xlsx)": "table",
    }


class SweepController(QObject):
    """Puts the presenter of sweeps into the window."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window, presenter = workbench.window, workbench.presenter
        self._workbench = workbench
        self._window = window
        self._presenter = presenter
        self._preferences = workbench.preferences
        self.strip = window.sweep_strip
        self.runner = SweepRunner(parent=self, place=workbench.backend)
        self.sweeps = SweepPresenter(
            self.strip,
            window.board,
            workbench.store,
            workbench.runner,
            self.runner,
            presenter.data.sources,
            self,
        )
        self.sweeps.export_requested.connect(self._on_export_requested)
        self.exporter = SweepExporter(self)
        self._said: Message | None = None
        self.exporter.reported.connect(self._show_message)
        self.sweeps.pins.failed.connect(self._on_pin_failed)
        self.sweeps.pinned.connect(self._on_pinned)
        self.sweeps.played.connect(self._on_played)
        self.runner.started.connect(self._on_started)
        workbench.more_sources.append(self.sources)
        workbench.preloads.append("kpca_viewer.features.sweep.sheet")

    def close(self) -> None:
        self.exporter.close()
        self.sweeps.close()

    @Slot()
    def _on_started(self) -> None:
        self._presenter.messages.withdraw(NO_SWEEP)

    @Slot()
    def step_back(self) -> None:
        self._step(-1)

    @Slot()
    def step_forward(self) -> None:
        self._step(1)

    def _step(self, by: int) -> None:
        self.strip.unfold()
        if self.strip.state() == "idle":
            self._presenter.messages.show(NO_SWEEP, self.strip.start)
        else:
            self.strip.step(by)

    @Slot(object)
    def _on_played(self, point: SweepPoint | None) -> None:
        """Let what can go along with a film; the rest is dimmed."""
        self._presenter.show_played(None if point is None else point.settings)

    def sources(self) -> dict[str, SheetSource]:
        """Return what the export panel can draw of the sweep; nothing without one."""
        if self.strip.result() is None:
            return {}
        return {
            "sweep_grid": SheetSource("grid", self._shown_sweep),
            "sweep_strip": SheetSource("strip", self._shown_sweep),
        }

    def _shown_sweep(self) -> ShownSweep | None:
        result, shown = self.strip.result(), self._presenter.result
        if result is None:
            return None
        return ShownSweep(
            result,
            self.strip.measure(),
            self.sweeps.shades(),
            "data" if shown is None else shown.dataset.name,
            self.strip.film.points.row,
        )

    @Slot(object)
    def _on_pinned(self, message: Message | None) -> None:
        messages = self._presenter.messages
        if message is not None:
            messages.show(message)
        elif self._said is not None:
            messages.withdraw(self._said)
        self._said = message

    @Slot(object)
    def _on_pin_failed(self, text: str) -> None:
        self._presenter.messages.show(pin_failed(text))

    @Slot(object)
    def _on_export_requested(self, _result: SweepResult) -> None:
        """Ask for a name; its kind and ending choose what is written."""
        kinds = file_kinds()
        start = str(self._preferences.folder("export") / "sweep.png")
        name, chosen = QFileDialog.getSaveFileName(
            self._window, "Export the sweep", start, ";;".join(kinds)
        )
        if not name:
            return
        self._preferences.keep_folder("export", Path(name))
        kind = kinds.get(chosen, "grid")
        path = Path(name)
        if not path.suffix:
            path = with_ending(path, ENDINGS[kind][0])
            taken = unasked(path, name)
            if taken:
                self._show_message(trouble(taken))
                return
        shown = self._shown_sweep()
        if shown is not None:
            theme = self._presenter.scene.theme
            self.exporter.save(SweepFile(path, kind, shown, theme))

    @Slot(object)
    def _show_message(self, message: Message) -> None:
        answers = {
            CANCEL: self.exporter.cancel,
            CHOOSE_SIZE: self._on_size_requested,
        }
        wanted = (answers[action] for action in message.actions)
        self._presenter.messages.show(message, *wanted)

    @Slot()
    def _on_size_requested(self) -> None:
        self._workbench.picture_requested.emit(f"sweep_{self.exporter.kind}")
