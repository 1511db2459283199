"""The kernel matrix as a picture, sorted by class."""

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.kernel_matrix.text import NO_MATRIX, caption, pair_text
from kpca_viewer.widgets.plots.matrix_view import Matrix, MatrixView


class GramView(MatrixView):
    """The raw or the centred kernel matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("gram_view")
        self.setAccessibleName("Kernel matrix")
        self._words = NO_MATRIX
        self._result: AnalysisResult | None = None
        self._centred = True

    @property
    def result(self) -> AnalysisResult | None:
        return self._result

    def show_result(self, result: AnalysisResult, view: ViewSettings) -> None:
        before, centred = self._result, view.gram_centred
        same = before is not None and before.picture is result.picture
        same = same and self._centred == centred
        self._result, self._centred = result, centred
        if not same:
            picture = result.picture
            values = picture.centred if centred else picture.raw
            self.show_matrix(Matrix(values, picture.rows, result.dataset, centred))

    def show_nothing(self) -> None:
        self._result = None
        self.show_words(NO_MATRIX)

    def caption(self) -> str:
        if self._result is None:
            return ""
        return caption(self._result, centred=self._centred)

    def pair_text(self, pair: tuple[int, int], value: float) -> str:
        assert self._shown is not None
        return pair_text(self._shown.dataset, pair, value, centred=self._centred)
