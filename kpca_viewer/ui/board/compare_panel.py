"""Linear PCA, the kernel matrix and the table, one at a time."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from kpca_viewer.session.notes import Place
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.rows.new_rows import with_points
from kpca_viewer.session.words.glossary import tip
from kpca_viewer.session.words.verdict import verdict
from kpca_viewer.support.numerals import percent
from kpca_viewer.ui.board.joined_scatter import JoinedScatter
from kpca_viewer.ui.board.scene_panel import ScenePanel
from kpca_viewer.ui.board.table.table_view import TableView
from kpca_viewer.ui.controls import Segmented
from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.linking import Linking
from kpca_viewer.ui.plots.matrix.matrix_view import GramView
from kpca_viewer.ui.scene import Scene, Wishes
from kpca_viewer.ui.words.components import components_text
from kpca_viewer.ui.words.describe import (
    about_mean,
    new_rows_words,
    quality_line,
    quality_tip,
)

PAGES = [
    ("pca", "Linear PCA", "The same rows by ordinary PCA", "PCA"),
    ("gram", "Kernel matrix", "How alike every pair of points is", "Matrix"),
    ("table", "Table", "The selected rows with all their values"),
]


ABOUT = {"pca": tip("linear_pca"), "gram": tip("kernel_matrix", "centring")}
"""What the pages show."""


class ComparePanel(ScenePanel):
    """Three ways to look at the same rows beside the embedding.

    Attributes
    ----------
    name_wished : Signal(object, object)
        A row, and what the person wants to call it.
    page_turned : Signal(str)
        "pca", "gram" or "table" is shown now.
    """

    page_turned = Signal(str)
    name_wished = Signal(object, object)

    def __init__(self, linking: Linking, wishes: Wishes) -> None:
        self.pca = JoinedScatter("pca_view", "Linear PCA", linking)
        self.gram = GramView()
        self.table = TableView()
        self._stack = QStackedWidget()
        for page in (self.pca, self.gram, self.table):
            self._stack.addWidget(page)
        super().__init__("Compare", self._stack, wishes)
        self.setObjectName("compare_panel")
        self._stale: set[str] = set()
        self._points: tuple[Place, ...] = ()
        self._centring = Segmented(
            [
                ("raw", "Raw", "The values of the kernel itself"),
                ("centred", "Centred", "What kernel PCA decomposes"),
            ],
            "Kernel matrix",
        )
        self._centring.setObjectName("gram_centring")
        self._centring.value_changed.connect(self._on_centring_changed)
        self.add_tool(self._centring, 1)
        self.pages = Segmented(PAGES, "Compare")
        self.pages.setObjectName("compare_pages")
        self.pages.value_changed.connect(self.show_page)
        self.add_tool(self.pages)
        self.let_title_go()
        self.table.hovered.connect(linking.set_hovered)
        self.table.rows_chosen.connect(linking.apply_selection)
        self.gram.selected.connect(linking.apply_selection)
        linking.selection_changed.connect(self.gram.set_selected)
        self.table.name_wished.connect(self.name_wished)
        linking.names_changed.connect(self.table.set_names)
        self.gram.pair_hovered.connect(self._on_pair_hovered)
        linking.hovered_changed.connect(self._on_hovered_changed)
        linking.selection_changed.connect(self.table.set_selected)
        linking.hidden_changed.connect(self.table.set_hidden)
        self._linking = linking
        self.show_page("pca")

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for page in (self.pca, self.gram, self.table):
            page.set_theme(theme)

    def show_page(self, key: str) -> None:
        """Turn to "pca", "gram" or "table"."""
        keys = [page[0] for page in PAGES]
        self.pages.set_value(key)
        self._stack.setCurrentIndex(keys.index(key))
        self.set_title(PAGES[keys.index(key)][1])
        self.set_about(ABOUT.get(key, ""))
        self.set_tool_wanted(self._centring, key == "gram")
        self._show_pages()
        self.show_age()
        self.page_turned.emit(key)

    def show_scene(self, scene: Scene) -> None:
        """Draw a scene; points that were dropped into the data are in the table."""
        super().show_scene(scene)
        if scene.notes.new_points != self._points:
            self._points = scene.notes.new_points
            self._stale.add("table")
            self._show_pages()

    def draw(self, _result: AnalysisResult) -> None:
        """Draw the result; the hidden pages follow when they are turned to."""
        centred = self.scene.settings.view.gram_centred
        self._centring.set_value("centred" if centred else "raw")
        self._points = self.scene.notes.new_points
        self._stale = {key for key, *_ in PAGES}
        self._show_pages()

    def is_behind(self) -> bool:
        """Return whether a film plays that is of other data or another matrix."""
        matrix = self.scene.played is not None and self.pages.value() == "gram"
        return matrix or self.scene.plays_other_data

    def has_caption_behind(self) -> bool:
        """Return whether a film plays; linear PCA knows no kernel, its verdict does."""
        return self.scene.played is not None

    def _show_pages(self) -> None:
        result, key = self.scene.result, self.pages.value()
        if result is None:
            return
        if key in self._stale:
            self._stale.discard(key)
            if key == "gram":
                self.gram.show_result(result, self.scene.settings.view)
                self.gram.set_selected(self._linking.selection)
            elif key == "table":
                self.table.show_result(with_points(result, self._points))
                self.table.set_selected(self._linking.selection)
                self.table.set_hidden(self._linking.hidden)
            else:
                self._show_linear(result)
        if key != "pca":
            words = about_mean(result) if key == "gram" else ""
            self.set_caption(words, tip=tip("centring") if words else "")
            return
        comparison = result.comparison
        self.set_caption(
            self._verdict(result),
            tip=quality_tip(None if comparison is None else comparison.linear),
            more_follows=comparison is None,
        )

    def _show_linear(self, result: AnalysisResult) -> None:
        linear = result.linear
        if linear is None:
            self.pca.show_nothing("A given matrix has no linear PCA")
            return
        view = self.scene.settings.view
        plane = linear.plane_beside(view)
        everything = result.all_rows.linear or linear
        coordinates, picked = self.pca.columns_of(everything.scores, plane, 2)
        names = [
            f"PC {j + 1} ({percent(linear.shares[j])})" if j >= 0 else "–"
            for j in picked
        ]
        self.pca.set_aspect_locked(not view.fills)
        self.pca.show_rows(self.scene, coordinates, names)

    def _verdict(self, result: AnalysisResult) -> str:
        linear, comparison = result.linear, result.comparison
        if linear is None:
            return ""
        view = self.scene.settings.view
        axes = linear.axes_beside(view)
        share = float(linear.shares[axes].sum())
        quality = None if comparison is None else comparison.linear
        line = quality_line(share, quality, view=view)
        if len(axes) > 2:
            # Only two of them can be seen here; the numbers are of all.
            line = f"{components_text(axes)}: {line}"
        if result.new_accuracy is not None:
            line += f" · {new_rows_words(result.new_accuracy, 'linear')}"
        if comparison is None:
            return line
        return f"{line}. {verdict(comparison, share)}".strip()

    def _on_centring_changed(self, key: str) -> None:
        self.wish_view(gram_centred=key == "centred")

    def _on_pair_hovered(self, pair: tuple[int, int] | None) -> None:
        self._linking.set_hovered(*(pair or (None,)))

    def _on_hovered_changed(self, row: int | None) -> None:
        self.gram.set_highlight([] if row is None else [row])
        self.table.set_hovered(row)
