"""Sweeps in the window: their worker, their keys and their files."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from kpca_viewer.engine.messages import Message, trouble
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.sweep.gallery import GalleryPage
from kpca_viewer.features.sweep.presenter import SweepPresenter
from kpca_viewer.features.sweep.runner import SweepRunner
from kpca_viewer.features.sweep.text import NO_SWEEP
from kpca_viewer.support.paths import unasked, with_ending
from kpca_viewer.widgets.workbench import Workbench

if TYPE_CHECKING:
    from kpca_viewer.features.sweep.export import SweepExporter
    from kpca_viewer.features.sweep.sheet import SheetSource, ShownSweep


class SweepController(QObject):
    """Puts the presenter of sweeps into the window."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window, presenter = workbench.window, workbench.presenter
        self._workbench = workbench
        self._presenter = presenter
        self.strip = window.sweep_strip
        gallery = window.board.compare.views["gallery"]
        assert isinstance(gallery, GalleryPage)
        self.runner = SweepRunner(parent=self, backend=workbench.backend)
        self.sweeps = SweepPresenter(
            self.strip,
            gallery,
            window.board,
            workbench.store,
            workbench.runner,
            self.runner,
            presenter.data.sources,
            self,
        )
        self.strip.export_requested.connect(self.export)
        self.strip.pin_requested.connect(window.actions_table["pin"].trigger)
        self.sweeps.played.connect(self._on_played)
        self.sweeps.started.connect(self._on_started)
        workbench.more_sources.append(self.sources)
        workbench.preloads.append("kpca_viewer.features.sweep.sheet")

    @cached_property
    def exporter(self) -> "SweepExporter":
        """What writes films and tables; made for the first of them."""
        from kpca_viewer.features.sweep.export import SweepExporter

        exporter = SweepExporter(self)
        exporter.reported.connect(self._on_reported)
        return exporter

    def close(self) -> None:
        if "exporter" in vars(self):
            self.exporter.close()
        self.sweeps.close()

    @Slot()
    def _on_started(self) -> None:
        self._presenter.messages.withdraw(NO_SWEEP)

    @Slot()
    def start(self) -> None:
        """Compute what is set below the stage, and go there."""
        self._workbench.window.board.show_workspace("sweep")
        self.strip.start()

    @Slot()
    def play(self) -> None:
        """Play or stop where the film is seen."""
        self._workbench.window.board.show_workspace("sweep")
        self.strip.toggle_play()

    @Slot()
    def step_back(self) -> None:
        self._step(-1)

    @Slot()
    def step_forward(self) -> None:
        self._step(1)

    def _step(self, by: int) -> None:
        if self.strip.state() == "idle":
            self._presenter.messages.show(NO_SWEEP, self.start)
        else:
            self.strip.walk(by)

    @Slot(object)
    def _on_played(self, point: SweepPoint | None) -> None:
        """Let what can go along with a film; the rest is dimmed."""
        self._presenter.show_played(point)

    def sources(self) -> "dict[str, SheetSource]":
        """Return what the export panel can draw of the sweep; nothing without one."""
        if self.strip.result() is None:
            return {}
        from kpca_viewer.features.sweep.sheet import SheetSource

        return {
            "sweep_grid": SheetSource("grid", self._shown_sweep),
            "sweep_strip": SheetSource("strip", self._shown_sweep),
        }

    def _shown_sweep(self) -> "ShownSweep | None":
        from kpca_viewer.features.sweep.sheet import ShownSweep

        result, scene = self.strip.result(), self._presenter.scene
        if result is None:
            return None
        shades, row = self.strip.film.shades, self.strip.points.row
        name = "data" if scene.dataset is None else scene.dataset.name
        return ShownSweep(result, self.strip.measure(), shades, name, row)

    @Slot()
    def export(self) -> None:
        """Ask for a name; its ending chooses a film or the table of measures."""
        shown, preferences = self._shown_sweep(), self._workbench.preferences
        if shown is None:
            return
        kinds = [
            "Film (*.gif *.apng)",
            "Table of measures (*.csv *.parquet *.xlsx *.npz)",
        ]
        start = str(preferences.folder("export") / "sweep.gif")
        name, chosen = QFileDialog.getSaveFileName(
            self._workbench.window, "Export the sweep", start, ";;".join(kinds)
        )
        if not name:
            return
        from kpca_viewer.features.sweep.export import ENDINGS

        path = Path(name)
        preferences.keep_folder("export", path)
        if not path.suffix:
            path = with_ending(path, ENDINGS[kinds.index(chosen) if chosen else 0][0])
            taken = unasked(path, name)
            if taken:
                self._on_reported(trouble(taken))
                return
        self.exporter.save(path, shown, self._presenter.scene.theme)

    @Slot(object)
    def _on_reported(self, message: Message) -> None:
        answers = [self.exporter.cancel] * len(message.actions)
        self._presenter.messages.show(message, *answers)
