"""The eigenvalue spectrum with its scale and the cut."""

from dataclasses import replace
from operator import attrgetter

from PySide6.QtWidgets import QToolButton

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import traded
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.spectrum.text import caption
from kpca_viewer.features.spectrum.view import SpectrumView
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.scene_panel import ScenePanel
from kpca_viewer.widgets.theme import Theme

LOG_TIP = "Shares on a logarithmic scale"
SUM_TIP = "The cumulative line"


def _toggle(name: str, text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setCheckable(True)
    return button


class SpectrumPanel(ScenePanel):
    """Linear or logarithmic, with or without the cumulative line."""

    part = attrgetter("decomposition", "moves", "settings.view", "film")

    def __init__(self, changes: Changes) -> None:
        self.view = SpectrumView()
        super().__init__("Spectrum", self.view, changes)
        self.setObjectName("spectrum_panel")
        self.set_about(tip("spectrum", "share"))
        self._log = _toggle("spectrum_log_button", "log", LOG_TIP)
        self._log.clicked.connect(self._on_log_clicked)
        self._sum = _toggle("spectrum_sum_button", "Σ", SUM_TIP)
        self._sum.clicked.connect(self._on_sum_clicked)
        self.add_tool(self._log, 1)
        self.add_tool(self._sum, 1)
        self.view.components_requested.connect(self._on_components_requested)
        self.view.cut_released.connect(changes.gesture_ended)
        self.view.component_clicked.connect(self._on_component_clicked)

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def draw(self, result: AnalysisResult) -> None:
        """Draw the eigenvalues of the result."""
        view = self.scene.settings.view
        self._log.setChecked(view.spectrum == "log")
        self._sum.setChecked(view.cumulative)
        self.view.show_result(result, view)
        if self.scene.film is not None:
            self.view.show_film(self.scene.film)
        terms = ["effective_rank"]
        if result.mass.share > 0:
            terms.append("negative_mass")
        self.set_caption(caption(result), tip=tip(*terms))

    def draw_nothing(self) -> None:
        self.view.show_nothing()

    def has_caption_behind(self) -> bool:
        """Return whether a film plays: the words are about the kernel that is set."""
        return self.scene.film is not None

    def _on_log_clicked(self, on: bool) -> None:
        self.change_view(spectrum="log" if on else "linear")

    def _on_sum_clicked(self, on: bool) -> None:
        self.change_view(cumulative=on)

    def _on_components_requested(self, count: int) -> None:
        settings = self.scene.settings
        analysis = replace(settings.analysis, components=int(count))
        self.changes.request(replace(settings, analysis=analysis), "spectrum.cut")

    def _on_component_clicked(self, component: int) -> None:
        self.change_view(axes=traded(self.scene.settings.view.axes, 0, component))
