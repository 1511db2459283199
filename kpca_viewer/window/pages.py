"""The pages of the comparison: linear PCA, kernel matrix and table, and all by key."""

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

import numpy as np
from PySide6.QtGui import QPixmap

from kpca_viewer.engine.claims.verdict import verdict
from kpca_viewer.engine.comparison import LinearPCA
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_pictures import RowPictures, row_pictures
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.text.describe import (
    NOTHING_DRAWN,
    about_mean,
    components_text,
    new_rows_words,
    quality_line,
    quality_tip,
)
from kpca_viewer.engine.text.few_points import about_equal_linear
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.columns.page import ColumnsPage
from kpca_viewer.features.derivation.page import DerivationPage
from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.features.outliers.page import OddRowsPage
from kpca_viewer.features.preimage.page import PreImagePage
from kpca_viewer.features.random_baseline.page import RealityPage
from kpca_viewer.features.rebuild.page import RebuildPage
from kpca_viewer.features.table.cells import THUMBNAIL
from kpca_viewer.features.table.table_view import TableView
from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.pixels import thumbnail
from kpca_viewer.widgets.scene import Changes


class LinearPage(PageView):
    """The same rows by linear PCA, and the verdict on the kernel."""

    part = attrgetter("linear", "all_rows", "colors", "settings.view")

    def __init__(self, linking: Linking, _changes: Changes) -> None:
        self.view: JoinedScatter = JoinedScatter("pca_view", "Linear PCA", linking)
        self._drawn: LinearPCA | None = None

    def draw(self, result: AnalysisResult) -> None:
        """Draw linear PCA on as many components as the embedding shows, two of them."""
        linear = result.linear
        if linear is None:
            self.view.show_nothing("A given matrix has no linear PCA")
            return
        view = self.scene.settings.view
        plane = linear.plane_beside(view)
        everything = result.all_rows.linear or linear
        coordinates, picked = self.view.columns_of(everything.scores, plane, 2)
        names = [
            f"PC {j + 1} ({percent(linear.shares[j])})" if j >= 0 else "–"
            for j in picked
        ]
        self.view.set_aspect_locked(not view.fills)
        before, self._drawn = self._drawn, linear
        zoomed = self.view.view_range() if self.view.zoomed else None
        self.view.show_rows(self.scene, coordinates, picked, names)
        if zoomed is not None and before is not None and before.shares is linear.shares:
            # The same components, some the other way round: so is what is looked at.
            signs = np.sign((before.directions * linear.directions).sum(axis=0))
            ranges = [
                (low, high) if j < 0 or signs[j] >= 0 else (-high, -low)
                for (low, high), j in zip(zoomed, picked, strict=True)
            ]
            self.view.set_view_range(ranges[0], ranges[1])

    def draw_nothing(self) -> None:
        self.view.show_nothing(NOTHING_DRAWN)

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return shares, scores and the verdict."""
        linear, comparison = result.linear, result.comparison
        quality = None if comparison is None else comparison.linear
        about, more_follows = quality_tip(quality), comparison is None
        if linear is None:
            return CaptionWords("", about, more_follows)
        view = self.scene.settings.view
        if nothing := about_equal_linear(linear):
            return CaptionWords(nothing, about, more_follows)
        axes = linear.axes_beside(view)
        share = float(linear.shares[axes].sum())
        line = quality_line(share, quality, view=view)
        if len(axes) > 2:
            # Only two of them can be seen here; the numbers are of all.
            line = f"{components_text(axes)}: {line}"
        if result.new_accuracy is not None:
            line += f" · {new_rows_words(result.new_accuracy, 'linear')}"
        if comparison is not None:
            said = verdict(comparison, result.dataset.label_names)
            line += "" if said is None else f". {said.text}"
        return CaptionWords(line, about, more_follows)


class MatrixPage(PageView):
    """The raw or the centred kernel matrix."""

    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: GramView = GramView()
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
        settings = self.scene.settings
        view = replace(settings.view, gram_centred=key == "centred")
        self._changes.request(replace(settings, view=view))

    def _on_pair_hovered(self, pair: tuple[int, int] | None) -> None:
        self._linking.set_hovered(*(pair or (None,)))

    def _on_hovered_changed(self, row: int | None) -> None:
        self.view.set_highlight([] if row is None else [row])


class TablePage(PageView):
    """All rows with their values, and the points that were dropped into the data."""

    part = attrgetter("result", "colors", "settings.view", "notes.new_points")

    def __init__(self, linking: Linking, _changes: Changes) -> None:
        self.view: TableView = TableView()
        self._linking = linking
        self.view.hovered.connect(linking.set_hovered)
        self.view.rows_chosen.connect(linking.apply_selection)
        linking.names_changed.connect(self.view.set_names)
        linking.hovered_changed.connect(self.view.set_hovered)
        linking.selection_changed.connect(self.view.set_selected)
        linking.hidden_changed.connect(self.view.set_hidden)

    def draw(self, result: AnalysisResult) -> None:
        """List the rows with what is selected and hidden of them."""
        self.view.set_thumbnails(self._thumbnail if self._pictures else None)
        self.view.show_result(with_points(result, self.scene.notes.new_points))
        self.view.set_selected(self._linking.selection)
        self.view.set_hidden(self._linking.hidden)

    @property
    def _pictures(self) -> RowPictures | None:
        dataset = self.scene.dataset
        view = self.scene.settings.view
        return None if dataset is None else row_pictures(dataset, view)

    def _thumbnail(self, row: int) -> QPixmap:
        rows, pictures = self.scene.all_rows, self._pictures
        if rows is None or pictures is None or row >= rows.n:
            return QPixmap()
        ratio = self.view.devicePixelRatioF()
        return thumbnail(pictures.shades(rows.points[row]), THUMBNAIL, ratio)

    def draw_nothing(self) -> None:
        self.view.show_nothing()


PAGE_VIEWS: dict[str, Callable[[Linking, Changes], PageView]] = {
    "pca": LinearPage,
    "gram": MatrixPage,
    "table": TablePage,
    "derivation": DerivationPage,
    "rebuild": RebuildPage,
    "columns": ColumnsPage,
    "odd": OddRowsPage,
    "real": RealityPage,
    "preimage": PreImagePage,
}
"""What draws the pages of `session.plots.PAGES`, by their keys."""
