"""The page of the kernel matrix."""

from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import about_mean
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes


class MatrixPage(PageView):
    """The raw or the centred kernel matrix."""

    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: GramView = GramView()
        self.menu_widgets: tuple[QWidget, ...] = (self.view,)
        self._linking = linking
        self._changes = changes
        self.tool: Segmented = Segmented(
            [
                ("raw", "Raw", "The values of the kernel itself", "K"),
                ("centred", "Centred", "What kernel PCA decomposes", "K̃"),
            ],
            "Kernel matrix",
        )
        self.tool.setObjectName("gram_centring")
        self.tool.value_changed.connect(self._on_centring_changed)
        self.view.selected.connect(linking.apply_selection)
        self.view.pair_hovered.connect(self._on_pair_hovered)
        linking.selection_changed.connect(self.view.set_selected)
        linking.hovered_changed.connect(self._on_hovered_changed)

    def draw(self, result: AnalysisResult) -> None:
        """Draw the matrix with the selected rows."""
        view = self.scene.settings.view
        self.tool.set_value("centred" if view.gram_centred else "raw")
        self.view.show_result(result, view)
        self.view.set_selected(self._linking.selection)

    def draw_nothing(self) -> None:
        self.view.show_nothing()

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return what follows where K is not centred."""
        words = about_mean(result)
        return CaptionWords(words, tip("centring") if words else "")

    def _on_centring_changed(self, key: str) -> None:
        centred = key == "centred"
        self._changes.request(self.scene.settings.with_view(gram_centred=centred))

    def _on_pair_hovered(self, pair: tuple[int, int] | None) -> None:
        self._linking.set_hovered(*(pair or (None,)))

    def _on_hovered_changed(self, row: int | None) -> None:
        self.view.set_highlight([] if row is None else [row])
