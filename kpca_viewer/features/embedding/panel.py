"""The embedding: scores of the chosen components."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from kpca_viewer.engine.claims.filled import about_filled
from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.result import AnalysisResult, Sketch
from kpca_viewer.engine.text.describe import (
    NOTHING_DRAWN,
    about_pitfalls,
    axis_title,
    new_rows_words,
    quality_line,
    quality_tip,
)
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.engine.text.remarks import about_equal, about_separation
from kpca_viewer.features.embedding.text import moves_words
from kpca_viewer.widgets.contributions import PlotTool
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.docked_card import DockedCard, FittingCard
from kpca_viewer.widgets.joined_scatter import columns
from kpca_viewer.widgets.plots.legend import LINES_ABOVE, Legend
from kpca_viewer.widgets.plots.legend_parts import ShapeLegend, SizeLegend
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.moves import Ellipses, EllipsesItem
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.plots.underlay import density_image
from kpca_viewer.widgets.scatter_panel import ScatterPanel
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.theme import Theme, theme_of

if TYPE_CHECKING:
    from kpca_viewer.core.methods.density import Density

POINT_BEFORE_DENSITY, BEFORE_DENSITY = 2.5, 0.25
"""Diameter in pixels, and opacity, of points before a picture of all rows."""

SIDE = 148
"""Width in pixels of the column beside the plot, with type of the usual size."""

WIDE = 560
"""Width in pixels from which the panel has room for that column."""

MANY_LINES = 1000
"""Lines of a legend that has a column of its own: all that there is room for."""

LOW = 420
"""Height in pixels of a panel whose legend leaves a line more to the plot."""

CARD = 0.32
"""Share of the height of the panel that the card of the selection has there."""


class EmbeddingPanel(ScatterPanel):
    """Kernel PCA in two or three dimensions, with the legend of all plots."""

    def __init__(
        self, linking: Linking, changes: Changes, *pointer_tools: PlotTool
    ) -> None:
        self._linking = linking
        self._before: AnalysisResult | None = None
        self._sketch: Sketch | None = None
        self._shown_density: tuple[Density, Theme] | None = None
        self.legend = Legend()
        self.legend.setObjectName("legend")
        self.shape_legend, self.size_legend = ShapeLegend(), SizeLegend()
        self._side = QWidget()
        self._looks: QWidget | None = None
        self._beside = QWidget(self._side)
        beside = QVBoxLayout(self._beside)
        beside.setContentsMargins(0, 0, 0, 0)
        self._docked: DockedCard | None = None
        self._is_compact = True
        self._side_layout = QVBoxLayout(self._side)
        self._side_layout.setContentsMargins(0, 0, 0, 0)
        self._side_layout.setSpacing(4)
        for legend in (self.legend, self.shape_legend, self.size_legend):
            self._side_layout.addWidget(legend)
        super().__init__("Embedding", "embedding_view", linking, changes, self._side)
        self.setObjectName("embedding_panel")
        self.ellipses = EllipsesItem(self.view.area.cloud)
        self.view.area.add_framed(self.ellipses, below=True)
        self.set_about(tip("embedding", "component"))
        self.tool = Segmented(
            [
                ("lasso", "Lasso", "Draw around points to select them"),
                ("rectangle", "Box", "Drag a rectangle to select points"),
                *pointer_tools,
            ],
            "Selection tool",
        )
        self.tool.setObjectName("selection_tool")
        self.add_tool(self.tool, 1)
        self.add_dimension_tools("embedding")

    def add_looks(self, looks: QWidget) -> None:
        """Put what decides about colours and shapes beside the legend."""
        self._looks = looks
        self._side_layout.addWidget(looks)
        self._side_layout.addStretch(1)
        self._side_layout.addWidget(self._beside)
        self._fit_side()

    def add_beside(self, card: QWidget) -> None:
        """Put a card below them, where the legend has a column of its own."""
        layout = self._beside.layout()
        assert layout is not None
        layout.addWidget(card)

    def add_selection_card(self, card: FittingCard) -> None:
        """Put a card there as well; without that column, it lies over the plot."""
        self._docked = DockedCard(card, self.view)
        self._linking.selection_changed.connect(self._on_selection_changed)
        self._side_layout.insertWidget(self._side_layout.count() - 1, card)
        self._fit_side()

    def _on_selection_changed(self) -> None:
        if self._docked is not None:
            self._docked.place()

    def _dock(self, above: bool) -> None:
        assert self._docked is not None
        card = self._docked.card
        if above == (card.parent() is self.view):
            return
        hidden = card.isHidden()
        if above:
            self._side_layout.removeWidget(card)
            card.setParent(self.view)
            card.setMinimumWidth(round(SIDE * type_scale()))
        else:
            card.setMinimumWidth(0)
            self._side_layout.insertWidget(self._side_layout.count() - 1, card)
        card.setHidden(hidden)
        self._docked.place()

    def set_compact(self, compact: bool) -> None:
        """Put the legend above the plot, or beside it with all that it can show."""
        self._is_compact = compact
        self._fit_side()

    def _fit_side(self) -> None:
        above = self._is_compact or self.width() < WIDE * type_scale()
        directions = QBoxLayout.Direction
        self.body_layout.setDirection(
            directions.TopToBottom if above else directions.RightToLeft
        )
        low = self.height() < LOW * type_scale()
        self.legend.set_most_lines(LINES_ABOVE - low if above else MANY_LINES)
        wide = round(SIDE * type_scale())
        self._side.setMinimumWidth(0 if above else wide)
        self._side.setMaximumWidth(16_777_215 if above else wide)
        if self._looks is not None:
            self._looks.setVisible(not above)
        self._beside.setHidden(above or self._looks is None)
        if self._docked is not None:
            self._dock(above)
            if not above:
                self._docked.card.fit_height(round(CARD * self.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the legend beside the plot only where there is room for both."""
        super().resizeEvent(event)
        self._fit_side()

    def draw(self, result: AnalysisResult) -> None:
        """Draw the scores of the result; points glide there from other scores."""
        before, self._before = self._before, result
        same = before is not None and before.decomposition is result.decomposition
        wanted = replace(self.scene.settings, view=result.settings.view)
        if self._sketch is not None and same and result.settings != wanted:
            # Another view, of what is shown before its result comes.
            self.show_sketch(self._sketch)
            return
        # Rows without a place do not glide.
        moved = not self.view.is_partial and (
            self.shows_preview or (result.has_rows_of(before) and not same)
        )
        self._take_back()
        self._show_scores(result, animate=moved and self.scene.settings.view.motion)
        if self._docked is not None:
            self._docked.place()

    def show_sketch(self, sketch: Sketch) -> None:
        """Show some rows until all are there; these can be selected then."""
        result, colors = self.scene.result, self.scene.colors
        view = self.scene.settings.view
        if result is None or result.joined is not None or result.full_fit is not None:
            return
        assert colors is not None
        self._sketch = sketch
        count, axes = len(view.shown_axes), view.axes
        found, picked = columns(sketch.scores, axes, count)
        # Rows without a place are neither drawn nor found under the mouse.
        places = np.full((sketch.dataset.n, count), np.nan)
        places[sketch.rows] = found
        # So that the view does not copy them.
        places.flags.writeable = False
        self.view.area.show_markers(False)
        self.ellipses.set_ellipses(None)
        self.view.set_aspect_locked(not view.fills)
        names = [f"PC {j + 1}" if j >= 0 else "–" for j in picked]
        self.view.show_film(places, names, colors)
        self.show_dimensions(view.embedding_3d)
        self.view.is_partial = self.shows_preview = True
        some, every = f"{len(sketch.rows):,}", f"{sketch.dataset.n:,}"
        self.set_note(f"{some} of {every} rows")
        self.set_caption(
            f"A draft of {some} rows, of no known error; all {every} follow."
        )
        self.show_age()

    def end_sketch(self) -> None:
        """Show the result again, where some rows are shown instead."""
        if self._sketch is not None:
            self._sketch = None
            self.refresh()
            self.show_age()

    def show_age(self) -> None:
        """Dim what does not answer the settings; some rows do."""
        super().show_age()
        if self.view.is_partial:
            self.set_dimmed(False)

    def draw_nothing(self) -> None:
        """Show that there are no scores."""
        self._before = None
        self._take_back()
        self.ellipses.set_ellipses(None)
        theme = theme_of(self.palette())
        self._show_density(theme)
        self.legend.set_single(theme)
        self.view.show_nothing(NOTHING_DRAWN)

    def _take_back(self) -> None:
        self._sketch = None
        if self.shows_preview:
            self.shows_preview = False
            self.set_note("")
            self.view.area.show_markers(True)

    def _show_scores(self, result: AnalysisResult, *, animate: bool) -> None:
        view = self.scene.settings.view
        three = view.embedding_3d
        count = 3 if three else 2
        scores = result.all_rows.scores
        coordinates, picked = self.view.columns_of(scores, view.axes, count)
        self.view.set_aspect_locked(not view.fills)
        self.view.show_rows(
            self.scene,
            coordinates,
            picked,
            [axis_title(result, j) for j in picked],
            animate=animate,
            # As usual, they would cover what they were drawn from.
            diameter=None if self._density is None else POINT_BEFORE_DENSITY,
        )
        self._show_moves(result)
        self._show_density(theme_of(self.palette()))
        self.show_dimensions(three)
        quality = None if result.comparison is None else result.comparison.kernel
        share = float(sum(result.shares[j] for j in set(picked) if j >= 0))
        line = about_equal(result)
        is_equal = bool(line)
        line = line or quality_line(share, quality, result.mass.mark)
        if result.new_accuracy is not None and not is_equal:
            line += f" · {new_rows_words(result.new_accuracy, 'kernel')}"
        found = result.scores.shape[1]
        if found < count:
            how_many = "one component" if found == 1 else "two components"
            axis = "third" if three else "second"
            line += f". Only {how_many}: nothing on the {axis} axis."
        every = result.full_fit
        if every is not None and every.axes == view.shown_axes and every.density_words:
            line = f"{line.rstrip('.')}. {every.density_words}"
        if not is_equal and (apart := about_separation(result, tuple(picked))):
            line = f"{line.rstrip('.')}. {apart}"
        if pitfalls := about_pitfalls(result):
            line = f"{line.rstrip('.')}. {pitfalls}"
        if filled := about_filled(result):
            line = f"{line.rstrip('.')}. {filled.text}"
        for sentence in result.sentences("embedding"):
            line = f"{line.rstrip('.')}. {sentence}"
        self.set_caption(line, tip=quality_tip(quality), more_follows=quality is None)

    @property
    def _density(self) -> "Density | None":
        """Where all rows lie on the axes that are shown; None where unknown."""
        result, axes = self.scene.result, self.scene.settings.view.shown_axes
        every = None if result is None else result.full_fit
        return None if every is None or every.axes != axes else every.density

    def _show_density(self, theme: Theme) -> None:
        found = self._density
        shown = None if found is None else (found, theme)
        if shown == self._shown_density:
            return
        self._shown_density = shown
        self.view.area.cloud.setOpacity(1.0 if found is None else BEFORE_DENSITY)
        if found is None:
            self.view.area.underlay.set_image(None)
        else:
            self.view.area.underlay.set_image(*density_image(found, theme))

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._fit_side()
        self._show_density(theme)

    def _show_moves(self, result: AnalysisResult) -> None:
        """Show how far rows move where that was measured for these axes."""
        moves, axes = result.get(MOVES), self.scene.settings.view.shown_axes
        if moves is None or not set(moves.axes) <= set(axes):
            self.ellipses.set_ellipses(None)
            self.view.area.cloud.set_faint(None)
            return
        faint = np.zeros(self.view.point_count, dtype=bool)
        faint[moves.rows] = moves.is_faint
        self.view.area.cloud.set_faint(faint)
        if len(axes) > 2:
            self.ellipses.set_ellipses(None)
            return
        centres, _ = self.view.columns_of(result.all_rows.scores, axes, 2)
        words = moves_words(moves, result.dataset.n)
        roots = moves.roots(axes)
        self.ellipses.set_ellipses(
            Ellipses(moves.rows, centres[moves.rows], roots, words)
        )

    def change_dimensions(self, three: bool) -> None:
        self.change_view(embedding_3d=three)
