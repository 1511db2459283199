"""The page of the kernel matrix."""

from dataclasses import replace
from operator import attrgetter

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.engine.kernel_function import FUNCTION, has_functions
from kpca_viewer.engine.result import AnalysisResult, kernel_picture
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.text.describe import about_mean
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.kernel_matrix import text
from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes


class MatrixPage(PageView):
    """The raw or the centred kernel matrix."""

    part = attrgetter("result", "colors", "settings.view", "film")

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: GramView = GramView()
        self.menu_widgets: tuple[QWidget, ...] = (self.view,)
        self._linking = linking
        self._changes = changes
        self.centring = Segmented(
            [
                ("raw", "Raw", "The values of the kernel itself", "K"),
                ("centred", "Centred", "What kernel PCA decomposes", "K̃"),
            ],
            "Kernel matrix",
        )
        self.centring.setObjectName("gram_centring")
        self.centring.value_changed.connect(self._on_centring_changed)
        self.function = QPushButton(text.FUNCTION)
        self.function.setObjectName("kernel_function_button")
        self.function.setAccessibleName(text.FUNCTION)
        self.function.setToolTip(
            plain_tip(f"{text.FUNCTION_TIP}\n{tip('kernel_function')}")
        )
        self.function.setCheckable(True)
        self.tool: QWidget = QWidget()
        row = QHBoxLayout(self.tool)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.centring)
        row.addWidget(self.function)
        self.view.selected.connect(linking.apply_selection)
        self.view.pair_hovered.connect(self._on_pair_hovered)
        linking.selection_changed.connect(self.view.set_selected)
        linking.hovered_changed.connect(self._on_hovered_changed)

    def draw(self, result: AnalysisResult) -> None:
        view, film = self.scene.settings.view, self.scene.film
        if film is not None:
            result = at_film(result, film.settings)
        self.centring.set_value("centred" if view.gram_centred else "raw")
        self.function.setEnabled(has_functions(result))
        self.function.setChecked(view.color_by.startswith(FUNCTION))
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


def at_film(result: AnalysisResult, played: SessionSettings) -> AnalysisResult:
    """Return a result with the matrix of the kernel that a film of its rows is at."""
    if played.data != result.settings.data or result.kernel is None:
        return result
    kernel = played.kernel
    same = result.kernel.family.name == kernel.family
    known = dict(result.kernel.values) if same else {}
    at = Kernel(kernel.family, **{**known, **dict(kernel.values)})
    return replace(result, picture=kernel_picture(result.dataset, result.points, at))
