"""Denoised rows, joined to the scene: asked for while somebody looks."""

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.preimage.denoised_rows import Denoised, DenoiseRequest
from kpca_viewer.features.preimage.images import row_pictures
from kpca_viewer.features.preimage.view.picture_pairs import MOST
from kpca_viewer.features.preimage.view.preimage_page import PreImagePage
from kpca_viewer.features.preimage.view.tools import PreImageTools
from kpca_viewer.widgets.plots.pixels import row_image

COMPUTING = "The rows are rebuilt …"


class DenoiseTools(QObject):
    """Shows rows from the first components beside the data."""

    requested = Signal(object)
    """A `DenoiseRequest`."""

    def __init__(self, tools: PreImageTools, page: PreImagePage) -> None:
        super().__init__(tools)
        self._tools, self._page, self._view = tools, page, page.denoise
        self._wanted: tuple[object, ...] = ()
        tools.changed.connect(self._look)
        page.modes.value_changed.connect(self._on_mode_changed)
        self._view.data_requested.connect(self._on_data_requested)

    @property
    def on(self) -> bool:
        return self._page.modes.value() == "denoise"

    def show_found(self, found: Denoised) -> None:
        """Show rows that were denoised, as pictures or on the axes of the data."""
        result = self._tools.scene.result
        if result is None or not self._tools.fits(found.request.finder):
            return
        pictures = row_pictures(result.dataset, self._tools.scene.settings.view)
        if pictures is None:
            self._show_scatter(result, found)
            self._view.show_found(self._view.scatter, found.words)
            return
        step = max(1, len(found.rows) // MOST)
        pairs = [
            (
                row_image(pictures.shades(result.dataset.points[found.rows[i]])),
                row_image(pictures.shades(found.points[i])),
            )
            for i in range(0, len(found.rows), step)
        ]
        self._view.pictures.show_pairs(pairs[:MOST])
        self._view.show_found(self._view.pictures, found.words)

    def _show_scatter(self, result: AnalysisResult, found: Denoised) -> None:
        dataset, scene = result.dataset, self._tools.scene
        axes = scene.settings.view.data_axes or dataset.telling_axes
        picked = [j if j < dataset.d else -1 for j in axes[:2]]
        # Rows that were not looked at are nowhere.
        places = np.full((result.all_rows.dataset.n, 2), np.nan)
        for position, j in enumerate(picked):
            places[found.rows, position] = found.points[:, j] if j >= 0 else 0.0
        names = [dataset.feature_names[j] if j >= 0 else "" for j in picked]
        scatter = self._view.scatter
        scatter.set_aspect_locked(dataset.d == 2)
        scatter.show_rows(scene, places, picked, names)

    @Slot()
    def _look(self) -> None:
        """Ask for the rows of now, if somebody looks and they are not there."""
        tools, scene = self._tools, self._tools.scene
        result, finder = scene.result, tools.finder
        if not self.on or not tools.needed or result is None:
            self._wanted = ()
            return
        why = tools.why_nothing()
        if why or finder is None:
            self._wanted = ()
            self._view.say(why)
            return
        view, most = scene.settings.view, result.scores.shape[1]
        self._view.show_components(view.denoised_from, most)
        k = min(view.denoised_from, most)
        wanted = finder, k, view.data_axes, view.image_size, scene.colors
        if wanted != self._wanted:
            self._wanted = wanted
            if not self._view.found_in_front:
                self._view.say(COMPUTING)
            self.requested.emit(DenoiseRequest(finder, k))

    @Slot(object)
    def _on_mode_changed(self, _mode: str) -> None:
        self._look()

    @Slot()
    def _on_data_requested(self) -> None:
        finder, k = self._tools.finder, int(self._view.row.value())
        if finder is not None:
            self.requested.emit(DenoiseRequest(finder, k, whole=True))
