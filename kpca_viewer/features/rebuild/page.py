"""The page that rebuilds the kernel matrix, joined to scene and linking."""

from dataclasses import replace

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.rebuild.compute import REBUILDING
from kpca_viewer.features.rebuild.text import (
    AFTER_SLIDER,
    COMPUTED_NOW,
    OF_DISTANCES,
    matrix_caption,
    ways_caption,
)
from kpca_viewer.features.rebuild.view import RebuildView
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes


class RebuildPage(PageView):
    """The kernel matrix from some of its parts, or classical MDS beside PCA."""

    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: RebuildView = RebuildView(linking)
        self._linking = linking
        self._changes = changes
        self._about: Dataset | None = None
        self.tool: Segmented = Segmented(
            [
                ("matrix", "K̃ₚ", "The kernel matrix from some of its parts"),
                (
                    "ways",
                    "MDS = PCA",
                    "Classical MDS, PCA and the linear kernel beside each other",
                    "MDS",
                ),
            ],
            "Rebuild",
        )
        self.tool.setObjectName("rebuild_tool")
        self.tool.value_changed.connect(self._on_tool_changed)
        view = self.view
        view.parts_edited.connect(self._on_parts_edited)
        view.parts_committed.connect(changes.gesture_ended)
        view.refused.connect(changes.refused)
        view.matrices.selected.connect(linking.apply_selection)
        view.matrices.pair_hovered.connect(self._on_pair_hovered)
        linking.selection_changed.connect(view.matrices.set_selected)
        linking.hovered_changed.connect(view.set_highlight)

    def draw(self, result: AnalysisResult) -> None:
        """Draw what was computed; while a slider moves, what was before."""
        settings = self.scene.settings
        self.tool.set_value(settings.view.rebuild)
        found = result.get(REBUILDING)
        if found is not None:
            self.view.show_rebuilding(self.scene, found)
            self.scatters = self.view.ways.plots
            self.view.matrices.set_selected(self._linking.selection)
        elif self._about is not result.dataset:
            self.view.wait(COMPUTED_NOW)
        self._about = result.dataset

    def is_late(self) -> bool:
        """Return whether other parts than those shown are on their way."""
        result = self.scene.result
        waits = result is not None and result.get(REBUILDING) is None
        return waits and self.view.found is not None

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return what is rebuilt, or how far the three ways differ."""
        found, view = result.get(REBUILDING), self.scene.settings.view
        if found is None:
            words = "" if result.at_rest else AFTER_SLIDER
            return CaptionWords(words, more_follows=True)
        if view.rebuild == "ways" and found.ways_follow:
            return CaptionWords(more_follows=True)
        if view.rebuild == "ways":
            kind = result.dataset.kind
            about = [OF_DISTANCES] if kind == "distances" else []
            return CaptionWords(
                ways_caption(found, kind, len(view.shown_axes)),
                "\n".join([*about, tip("classical_mds", "strain")]),
            )
        p = min(view.rebuilt_from, found.parts.rank)
        return CaptionWords(matrix_caption(found, p), tip("eckart_young"))

    def _on_tool_changed(self, key: str) -> None:
        self._change(rebuild=key)

    def _on_parts_edited(self, count: int) -> None:
        self._change("rebuild.parts", rebuilt_from=count)

    def _change(self, gesture: str | None = None, **changes: object) -> None:
        settings = self.scene.settings
        view = replace(settings.view, **changes)  # type: ignore[arg-type]
        self._changes.request(replace(settings, view=view), gesture)

    def _on_pair_hovered(self, pair: tuple[int, int] | None) -> None:
        self._linking.set_hovered(*(pair or (None,)))
