"""The eigenvalue spectrum with its scale and the cut."""

from dataclasses import replace

from PySide6.QtCore import Signal

from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings, traded
from kpca_viewer.session.words.glossary import tip
from kpca_viewer.ui.controls import PlotPanel, Segmented
from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.spectrum.spectrum_view import SpectrumView


class SpectrumPanel(PlotPanel):
    """Linear or logarithmic, with or without the cumulative line.

    Attributes
    ----------
    settings_wished : Signal(object, object)
    gesture_ended : Signal
    """

    settings_wished = Signal(object, object)
    gesture_ended = Signal()

    def __init__(self) -> None:
        self.view = SpectrumView()
        super().__init__("Spectrum", self.view)
        self.setObjectName("spectrum_panel")
        self.set_about(tip("spectrum", "share"))
        self.settings = SessionSettings()
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
        self.view.cut_released.connect(self.gesture_ended)
        self.view.component_clicked.connect(self._on_component_clicked)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.view.set_theme(theme)

    def show_result(self, result: AnalysisResult, settings: SessionSettings) -> None:
        """Show the eigenvalues of a result."""
        self.settings = settings
        view = settings.view
        self._scale.set_value(view.spectrum)
        self._sum.set_value("cum" if view.cumulative else "bars")
        self.view.show_result(result, view)
        words = [f"Effective rank {result.effective_rank:.1f}"]
        if result.mass.share > 0:
            # From 2,000 rows on the negative end is estimated, and has no bars.
            bars = ", in amber" if (result.decomposition.spectrum < 0).any() else ""
            words.append(
                f"negative mass {result.mass.in_words}{bars}: the kernel is "
                "indefinite, shares are of all eigenvalues counted as positive"
            )
        terms = ["effective_rank"]
        if result.mass.share > 0:
            terms.append("negative_mass")
        self.set_caption("; ".join(words) + ".", tip=tip(*terms))

    def _wish_view(self, **changes: object) -> None:
        view = replace(self.settings.view, **changes)  # type: ignore[arg-type]
        self.settings_wished.emit(replace(self.settings, view=view), None)

    def _on_scale_changed(self, key: str) -> None:
        self._wish_view(spectrum=key)

    def _on_sum_changed(self, key: str) -> None:
        self._wish_view(cumulative=key == "cum")

    def _on_components_requested(self, count: int) -> None:
        analysis = replace(self.settings.analysis, components=int(count))
        self.settings_wished.emit(
            replace(self.settings, analysis=analysis), "spectrum.cut"
        )

    def _on_component_clicked(self, component: int) -> None:
        self._wish_view(axes=traded(self.settings.view.axes, 0, component))
