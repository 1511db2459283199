"""Sweeps in the window: the strip, its worker, the gallery and the pins."""

from typing import Any

from PySide6.QtCore import QObject, Qt, Slot

from kpca_viewer.runtime.runner import Runner
from kpca_viewer.runtime.sweep_runner import SweepRunner
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.sweep_point import SweepPoint
from kpca_viewer.session.sweep_settings import SweepSettings
from kpca_viewer.ui.coloring import coloring
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.presenter import Presenter
from kpca_viewer.ui.sweep.compare import CompareView, Pin
from kpca_viewer.ui.sweep.gallery import Gallery
from kpca_viewer.ui.sweep.strip import SweepStrip
from kpca_viewer.ui.sweep.thumbnails import Shades
from kpca_viewer.ui.theme import LIGHT, Theme


class Sweeping(QObject):
    """Connects the strip with a worker that steps back for the interactive one."""

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        interactive: Runner,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self._theme = LIGHT
        self.strip: SweepStrip = window.sweep_strip
        self.runner = SweepRunner(parent=self)
        self._gallery: Gallery | None = None
        self._compare: CompareView | None = None
        self._dataset: object = None
        strip, runner = self.strip, self.runner
        strip.start_requested.connect(self._on_start_requested)
        strip.cancel_requested.connect(runner.cancel)
        strip.value_wished.connect(presenter.wish)
        strip.gallery_requested.connect(self._on_gallery_requested)
        strip.pin_requested.connect(self._on_pin_requested)
        strip.preview.connect(self._on_preview)
        runner.point_ready.connect(strip.show_point)
        runner.finished.connect(self._on_finished)
        runner.failed.connect(self._on_failed)
        runner.cancelled.connect(self._on_cancelled)
        interactive.busy_changed.connect(runner.hold)
        presenter.result_shown.connect(self._on_result_shown)
        window.board.linking.selection_changed.connect(strip.set_selected)
        actions = window.actions_table
        actions["play"].triggered.connect(strip.toggle_play)
        actions["sweep_back"].triggered.connect(self._on_back)
        actions["sweep_forward"].triggered.connect(self._on_forward)
        actions["pin"].triggered.connect(self._on_pin_present)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for view in (self.strip, self._gallery, self._compare):
            if view is not None:
                view.set_theme(theme)

    def close(self) -> None:
        """Stop and end the thread."""
        self.runner.close()

    @Slot(object)
    def _on_start_requested(self, sweep: SweepSettings) -> None:
        self.strip.show_sweep(sweep)
        self.strip.show_state("running")
        self.runner.start(self._presenter.request(), sweep)

    @Slot(object)
    def _on_finished(self, result: Any) -> None:
        self.strip.show_result(result)
        self.strip.show_state("done")
        if self._gallery is not None:
            self._gallery.show_result(result, self.strip.measure())

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.strip.show_state("failed", str(error))

    @Slot()
    def _on_cancelled(self) -> None:
        self.strip.show_state("done")

    @Slot(object)
    def _on_result_shown(self, result: AnalysisResult) -> None:
        self.strip.show_context(result, self._presenter.settings)
        shades = Shades.of(coloring(result, self._presenter.settings.view))
        for view in (self._gallery, self._compare):
            if view is not None:
                view.set_shades(shades)
        if self._dataset is not None and self._dataset is not result.dataset:
            self._restart()
        self._dataset = result.dataset

    def _restart(self) -> None:
        """Other data: a sweep of the old ones would be a lie."""
        sweep = self.runner.sweep
        if sweep is not None:
            self._on_start_requested(sweep)

    @Slot(object)
    def _on_preview(self, point: SweepPoint | None) -> None:
        film = None if point is None else point.film
        self._presenter.preview(None if film is None else film[:, :2])

    @Slot()
    def _on_back(self) -> None:
        self.strip.step(-1)

    @Slot()
    def _on_forward(self) -> None:
        self.strip.step(1)

    @Slot()
    def _on_gallery_requested(self) -> None:
        if self._gallery is None:
            self._gallery = Gallery(self._window.board.linking)
            self._gallery.adopted.connect(self.strip.adopt)
            self._gallery.pin_requested.connect(self._on_pin_requested)
            self._show_as_window(self._gallery)
        result = self.strip.result()
        if result is not None:
            self._gallery.show_result(result, self.strip.measure())
        self._gallery.show()

    @Slot(object)
    def _on_pin_requested(self, point: SweepPoint) -> None:
        result = self._presenter.result
        if result is not None:
            self._add_pin(Pin.of_point(point, result.suggested))

    @Slot()
    def _on_pin_present(self) -> None:
        result = self._presenter.result
        if result is not None:
            self._add_pin(Pin.of_result(result))

    def _add_pin(self, pin: Pin) -> None:
        if self._compare is None:
            self._compare = CompareView(self._window.board.linking)
            self._compare.adopted.connect(self._presenter.wish)
            self._show_as_window(self._compare)
        self._compare.add_pin(pin)
        self._compare.show()

    def _show_as_window(self, widget: Any) -> None:
        """Make a view a window of its own that closes with the main one."""
        widget.setParent(self._window, Qt.WindowType.Window)
        widget.set_theme(self._theme)
        result = self._presenter.result
        if result is not None:
            shades = Shades.of(coloring(result, self._presenter.settings.view))
            widget.set_shades(shades)
