"""Sweeps in the window: their worker, their keys and their files."""

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from kpca_viewer.core.errors import KpcaError
from kpca_viewer.runtime.runner import Runner
from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.runtime.sweep_runner import SweepRunner
from kpca_viewer.session.sweep_point import SweepResult
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.presenter import Presenter
from kpca_viewer.ui.sweep.presenter import SweepPresenter
from kpca_viewer.ui.theme import Theme

Kind = Literal["grid", "strip", "film", "table"]

FILES: dict[str, Kind] = {
    "All pictures (*.png *.svg *.pdf)": "grid",
    "Strip with curve (*.png *.svg *.pdf)": "strip",
    "Film (*.gif *.apng *.mp4)": "film",
    "Table of measures (*.csv *.parquet *.xlsx)": "table",
}


class Sweeping(QObject):
    """Puts the presenter of sweeps into the window."""

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        store: SessionStore,
        interactive: Runner,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self.strip = window.sweep_strip
        self.runner = SweepRunner(parent=self)
        self.sweeps = SweepPresenter(
            self.strip,
            window.board,
            store,
            interactive,
            self.runner,
            presenter.opened,
            self,
        )
        self.sweeps.settings_wished.connect(presenter.wish)
        self.sweeps.export_requested.connect(self._on_export_requested)
        self.sweeps.pins.failed.connect(self._on_pin_failed)
        actions = window.actions_table
        actions["play"].triggered.connect(self.strip.toggle_play)
        actions["sweep_back"].triggered.connect(self._on_back)
        actions["sweep_forward"].triggered.connect(self._on_forward)
        actions["pin"].triggered.connect(self.sweeps.pin_current)
        actions["compare"].triggered.connect(self.sweeps.show_compare)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.sweeps.set_theme(theme)

    def close(self) -> None:
        """Stop and end the thread."""
        self.sweeps.close()

    @Slot()
    def _on_back(self) -> None:
        self.strip.step(-1)

    @Slot()
    def _on_forward(self) -> None:
        self.strip.step(1)

    @Slot(object)
    def _on_pin_failed(self, text: str) -> None:
        self._presenter.say("warning", text)

    @Slot(object)
    def _on_export_requested(self, result: SweepResult) -> None:
        """Ask for a name; its kind and ending choose what is written."""
        name, chosen = QFileDialog.getSaveFileName(
            self._window, "Export the sweep", "sweep.png", ";;".join(FILES)
        )
        if not name:
            return
        # Imported on first use: it brings the writers of films along.
        from kpca_viewer.ui.sweep.saving import save_sweep

        shown = self._presenter.result
        try:
            save_sweep(
                name,
                FILES.get(chosen, "grid"),
                result,
                measure=self.strip.measure(),
                name="" if shown is None else shown.dataset.name,
                theme=self._window.board.theme,
            )
        except KpcaError as error:
            self._presenter.say("error", str(error))
            return
        self._presenter.say("info", f"Saved {Path(name).name}.")
