"""The page that derives the picture, joined to scene and linking."""

from operator import attrgetter

from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import SameArray
from kpca_viewer.features.derivation.view.derivation_view import DerivationView
from kpca_viewer.features.derivation.view.notes import checks_text
from kpca_viewer.features.derivation.view.showing import shown_derivation
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene


class DerivationPage(PageView):
    """Every step of kernel PCA, on the rows that are selected or on the first."""

    part = attrgetter("result", "settings.analysis", "notes.new_points")
    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: DerivationView = DerivationView()
        self.tool: QWidget = self.view.copying.tool
        self._linking = linking
        self._changes = changes
        self._drawn: tuple[object, ...] = ()
        self.view.rows_pointed.connect(linking.set_hovered)
        self.view.pitfall_requested.connect(self._on_pitfall_requested)
        self.view.refused.connect(changes.refused)
        linking.hovered_changed.connect(self._on_hovered_changed)
        linking.partner_changed.connect(self._on_hovered_changed)
        linking.selection_changed.connect(self._on_rows_changed)
        linking.names_changed.connect(self._on_rows_changed)

    def show_scene(self, scene: Scene) -> None:
        """Show a scene, unless it and the selected rows are the same here."""
        super().show_scene(scene)
        if self._drawn != self._rows():
            self.refresh()

    def draw(self, result: AnalysisResult) -> None:
        """Derive the result on the rows that are selected."""
        self._drawn = self._rows()
        linking = self._linking
        self.view.show_derivation(
            shown_derivation(
                self.scene, result, linking.selection, linking.names, self.view.shown
            )
        )

    def caption(self, _result: AnalysisResult) -> CaptionWords:
        shown = self.view.shown
        return CaptionWords("" if shown is None else checks_text(shown.checks))

    def let_go(self) -> bool:
        return self.view.let_go()

    def _rows(self) -> tuple[object, ...]:
        return SameArray(self._linking.selection), dict(self._linking.names)

    def _on_rows_changed(self, _rows: object) -> None:
        # Behind another page it waits until somebody turns to it.
        if self.view.isVisible():
            self.show_scene(self.scene)

    def _on_hovered_changed(self, _row: object) -> None:
        self.view.mark_rows(self._linking.hovered, self._linking.partner)

    def _on_pitfall_requested(self, key: str, done: bool) -> None:
        settings = self.scene.settings
        with_step = {
            "center": settings.with_center,
            "normalised": settings.with_normalisation,
            "centers_new": settings.with_centred_new_rows,
        }
        self._changes.request(with_step[key](done))
