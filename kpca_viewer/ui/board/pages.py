"""The pages of the comparison: what each shows of a scene, and what it says below."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
from PySide6.QtWidgets import QWidget

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.rows.new_rows import with_points
from kpca_viewer.session.words.glossary import tip
from kpca_viewer.session.words.rebuilding import (
    OF_DISTANCES,
    matrix_caption,
    ways_caption,
)
from kpca_viewer.session.words.verdict import verdict
from kpca_viewer.support.numerals import percent
from kpca_viewer.ui.board.derivation.derivation_view import DerivationView
from kpca_viewer.ui.board.derivation.notes import checks_text
from kpca_viewer.ui.board.derivation.showing import shown_derivation
from kpca_viewer.ui.board.joined_scatter import JoinedScatter
from kpca_viewer.ui.board.rebuild_view import RebuildView
from kpca_viewer.ui.board.scene_panel import PICTURE
from kpca_viewer.ui.board.table.table_view import TableView
from kpca_viewer.ui.controls import Segmented
from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.linking import Linking
from kpca_viewer.ui.plots.matrix.matrix_view import GramView
from kpca_viewer.ui.plots.selection import Mode
from kpca_viewer.ui.scene import Scene, ShowsScene, Wishes
from kpca_viewer.ui.words.describe import (
    NOTHING_DRAWN,
    about_mean,
    components_text,
    new_rows_words,
    quality_line,
    quality_tip,
)


@dataclass(frozen=True)
class CaptionWords:
    """The line below a page.

    Attributes
    ----------
    text, tip : str
    more_follows : bool
        Whether the line will be longer in a moment.
    """

    text: str = ""
    tip: str = ""
    more_follows: bool = False


class PageView(ShowsScene):
    """Draws one page.

    Attributes
    ----------
    view : QWidget
        Takes themes by ``set_theme``. That of a page which becomes a picture paints
        itself by ``render_to``.
    tool : QWidget or None
        A control beside the title while the page is in front.
    is_of_kernel : bool
        Whether it shows something of the kernel, and does not follow a film.
    """

    part = PICTURE
    view: QWidget
    tool: QWidget | None = None
    is_of_kernel = False

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.view.set_theme(theme)  # type: ignore[attr-defined]

    def refresh(self) -> None:
        """Draw the result of the scene, once there is one."""
        if self.scene.result is not None:
            self.draw(self.scene.result)

    def draw(self, result: AnalysisResult) -> None:
        """Draw the result of the scene."""
        raise NotImplementedError

    def show_empty(self, scene: Scene) -> None:
        """Show that there are no rows; any result that comes is drawn anew."""
        self.scene, self._shown_part = scene, None
        self.draw_nothing()

    def draw_nothing(self) -> None:
        """Forget what was drawn; a sheet covers the page while there are no rows."""

    def caption(self, _result: AnalysisResult) -> CaptionWords:
        """Return what is said below."""
        return CaptionWords()

    def let_go(self) -> bool:
        """Forget what is kept until Escape; returns whether there was anything."""
        return False

    def is_late(self) -> bool:
        """Return whether the page still shows numbers of a result before."""
        return False


class LinearPage(PageView):
    """The same rows by linear PCA, and the verdict on the kernel."""

    part = attrgetter("linear", "all_rows", "colors", "settings.view")

    def __init__(self, linking: Linking, _wishes: Wishes) -> None:
        self.view: JoinedScatter = JoinedScatter("pca_view", "Linear PCA", linking)

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
        self.view.show_rows(self.scene, coordinates, picked, names)

    def draw_nothing(self) -> None:
        """Show that there are no scores."""
        self.view.show_nothing(NOTHING_DRAWN)

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return shares, scores and the verdict."""
        linear, comparison = result.linear, result.comparison
        quality = None if comparison is None else comparison.linear
        about, more_follows = quality_tip(quality), comparison is None
        if linear is None:
            return CaptionWords("", about, more_follows)
        view = self.scene.settings.view
        axes = linear.axes_beside(view)
        share = float(linear.shares[axes].sum())
        line = quality_line(share, quality, view=view)
        if len(axes) > 2:
            # Only two of them can be seen here; the numbers are of all.
            line = f"{components_text(axes)}: {line}"
        if result.new_accuracy is not None:
            line += f" · {new_rows_words(result.new_accuracy, 'linear')}"
        if comparison is not None:
            line = f"{line}. {verdict(comparison, share)}".strip()
        return CaptionWords(line, about, more_follows)


class MatrixPage(PageView):
    """The raw or the centred kernel matrix."""

    is_of_kernel = True

    def __init__(self, linking: Linking, wishes: Wishes) -> None:
        self.view: GramView = GramView()
        self._linking = linking
        self._wishes = wishes
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
        """Show that there is no matrix."""
        self.view.show_nothing()

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return what follows where K is not centred."""
        words = about_mean(result)
        return CaptionWords(words, tip("centring") if words else "")

    def _on_centring_changed(self, key: str) -> None:
        settings = self.scene.settings
        view = replace(settings.view, gram_centred=key == "centred")
        self._wishes.wish(replace(settings, view=view))

    def _on_pair_hovered(self, pair: tuple[int, int] | None) -> None:
        self._linking.set_hovered(*(pair or (None,)))

    def _on_hovered_changed(self, row: int | None) -> None:
        self.view.set_highlight([] if row is None else [row])


class TablePage(PageView):
    """All rows with their values, and the points that were dropped into the data."""

    part = attrgetter("result", "colors", "settings.view", "notes.new_points")

    def __init__(self, linking: Linking, _wishes: Wishes) -> None:
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
        self.view.show_result(with_points(result, self.scene.notes.new_points))
        self.view.set_selected(self._linking.selection)
        self.view.set_hidden(self._linking.hidden)

    def draw_nothing(self) -> None:
        """Show that there are no rows."""
        self.view.show_nothing()


class DerivationPage(PageView):
    """Every step of kernel PCA, on the rows that are selected or on the first."""

    part = attrgetter("result", "settings.analysis", "notes.new_points")
    is_of_kernel = True

    def __init__(self, linking: Linking, wishes: Wishes) -> None:
        self.view: DerivationView = DerivationView()
        self.tool: QWidget = self.view.copying.tool
        self._linking = linking
        self._wishes = wishes
        self._drawn: tuple[object, ...] = ()
        self.view.rows_pointed.connect(linking.set_hovered)
        self.view.pitfall_wished.connect(self._on_pitfall_wished)
        self.view.refused.connect(wishes.refused)
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
        """Return how many of the checks hold."""
        shown = self.view.shown
        return CaptionWords("" if shown is None else checks_text(shown.checks))

    def let_go(self) -> bool:
        """Let the explanation go that is kept."""
        return self.view.let_go()

    def _rows(self) -> tuple[object, ...]:
        return id(self._linking.selection), dict(self._linking.names)

    def _on_rows_changed(self, _rows: object) -> None:
        # Behind another page it waits until somebody turns to it.
        if self.view.isVisible():
            self.show_scene(self.scene)

    def _on_hovered_changed(self, _row: object) -> None:
        self.view.mark_rows(self._linking.hovered, self._linking.partner)

    def _on_pitfall_wished(self, key: str, done: bool) -> None:
        settings = self.scene.settings
        with_step = {
            "center": settings.with_center,
            "normalised": settings.with_normalisation,
            "centers_new": settings.with_centred_new_rows,
        }
        self._wishes.wish(with_step[key](done))


class RebuildPage(PageView):
    """The kernel matrix from some of its parts, or classical MDS beside PCA."""

    is_of_kernel = True

    def __init__(self, linking: Linking, wishes: Wishes) -> None:
        self.view: RebuildView = RebuildView()
        self._linking = linking
        self._wishes = wishes
        self._about: Dataset | None = None
        self.tool: Segmented = Segmented(
            [
                ("matrix", "K̃ₚ", "The kernel matrix from some of its parts"),
                (
                    "ways",
                    "MDS = PCA",
                    "Classical MDS, PCA and the linear kernel over each other",
                    "MDS",
                ),
            ],
            "Rebuild",
        )
        self.tool.setObjectName("rebuild_tool")
        self.tool.value_changed.connect(self._on_tool_changed)
        view = self.view
        view.parts_edited.connect(self._on_parts_edited)
        view.parts_committed.connect(wishes.gesture_ended)
        view.refused.connect(wishes.refused)
        view.row_hovered.connect(linking.set_hovered)
        view.row_selected.connect(self._on_row_selected)
        view.matrices.selected.connect(linking.apply_selection)
        view.matrices.pair_hovered.connect(self._on_pair_hovered)
        linking.selection_changed.connect(view.set_selected)
        linking.hovered_changed.connect(view.set_highlight)

    def draw(self, result: AnalysisResult) -> None:
        """Draw what was computed; while a slider moves, what was before."""
        settings = self.scene.settings
        self.tool.set_value(settings.view.rebuild)
        found = result.rebuilding
        if found is not None:
            self.view.show_rebuilding(result, found, settings.view)
            self.view.set_selected(self._linking.selection)
        elif self._about is not result.dataset:
            self.view.wait("All parts of the matrix are computed for this page …")
        self._about = result.dataset

    def is_late(self) -> bool:
        """Return whether other parts than those shown are on their way."""
        result = self.scene.result
        waits = result is not None and result.rebuilding is None
        return waits and self.view.found is not None

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return what is rebuilt, or how far the three ways differ."""
        found, view = result.rebuilding, self.scene.settings.view
        if found is None:
            words = "" if result.at_rest else "It follows as soon as the slider rests."
            return CaptionWords(words, more_follows=True)
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
        self._wish(rebuild=key)

    def _on_parts_edited(self, count: int) -> None:
        self._wish("rebuild.parts", rebuilt_from=count)

    def _wish(self, gesture: str | None = None, **changes: object) -> None:
        settings = self.scene.settings
        view = replace(settings.view, **changes)  # type: ignore[arg-type]
        self._wishes.wish(replace(settings, view=view), gesture)

    def _on_pair_hovered(self, pair: tuple[int, int] | None) -> None:
        self._linking.set_hovered(*(pair or (None,)))

    def _on_row_selected(self, row: int, mode: Mode) -> None:
        mask = np.zeros(self._linking.count, dtype=bool)
        mask[row] = True
        self._linking.apply_selection(mask, mode)


PAGE_VIEWS: dict[str, Callable[[Linking, Wishes], PageView]] = {
    "pca": LinearPage,
    "gram": MatrixPage,
    "table": TablePage,
    "derivation": DerivationPage,
    "rebuild": RebuildPage,
}
"""What draws the pages of `session.plots.PAGES`, by their keys."""
