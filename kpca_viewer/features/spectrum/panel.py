"""The eigenvalue spectrum with its scale and the cut."""

from dataclasses import replace
from operator import attrgetter

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import traded
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.spectrum.text import caption
from kpca_viewer.features.spectrum.view import SpectrumView
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.scene_panel import ScenePanel
from kpca_viewer.widgets.theme import Theme


class SpectrumPanel(ScenePanel):
    """Linear or logarithmic, with or without the cumulative line."""

    part = attrgetter("decomposition", "moves", "settings.view")

    def __init__(self, changes: Changes) -> None:
        self.view = SpectrumView()
        super().__init__("Spectrum", self.view, changes)
        self.setObjectName("spectrum_panel")
        self.set_about(tip("spectrum", "share"))
        self._scale = Segmented(
            [
                ("linear", "lin", "Shares on a linear scale"),
                ("log", "log", "Shares on a logarithmic scale"),
            ],
            "Scale of the spectrum",
        )
        self._scale.setObjectName("spectrum_scale")
        self._scale.value_changed.connect(self._on_scale_changed)
        self._sum = Segmented(
            [("bars", "bars", "Bars only"), ("cum", "cum", "With the cumulative line")],
            "Cumulative line",
        )
        self._sum.setObjectName("spectrum_cumulative")
        self._sum.value_changed.connect(self._on_sum_changed)
        self.add_tool(self._scale)
        self.add_tool(self._sum, 1)
        self.view.components_requested.connect(self._on_components_requested)
        self.view.cut_released.connect(changes.gesture_ended)
        self.view.component_clicked.connect(self._on_component_clicked)

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def draw(self, result: AnalysisResult) -> None:
        """Draw the eigenvalues of the result."""
        view = self.scene.settings.view
        self._scale.set_value(view.spectrum)
        self._sum.set_value("cum" if view.cumulative else "bars")
        self.view.show_result(result, view)
        terms = ["effective_rank"]
        if result.mass.share > 0:
            terms.append("negative_mass")
        self.set_caption(caption(result), tip=tip(*terms))

    def draw_nothing(self) -> None:
        self.view.show_nothing()

    def is_behind(self) -> bool:
        """Return whether a film plays: eigenvalues are of the kernel that is set."""
        return self.scene.played is not None

    def _on_scale_changed(self, key: str) -> None:
        self.change_view(spectrum=key)

    def _on_sum_changed(self, key: str) -> None:
        self.change_view(cumulative=key == "cum")

    def _on_components_requested(self, count: int) -> None:
        settings = self.scene.settings
        analysis = replace(settings.analysis, components=int(count))
        self.changes.request(replace(settings, analysis=analysis), "spectrum.cut")

    def _on_component_clicked(self, component: int) -> None:
        self.change_view(axes=traded(self.scene.settings.view.axes, 0, component))
