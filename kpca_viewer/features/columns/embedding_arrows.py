"""Arrows in the embedding: where rows would go if one of their columns grew."""

from operator import attrgetter

import numpy as np
from PySide6.QtCore import QObject

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.columns.arrows import ARROWS, DrawnArrows, arrows_at
from kpca_viewer.support.progress import ShouldStop
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.page_view import Aside
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.moves import Moves
from kpca_viewer.widgets.scene import Scene, ShowsScene

SMALL = 150_000
"""Cells of a table for which the arrows of one row are found at once."""


class EmbeddingArrows(ShowsScene, QObject):
    """Shows the arrows of a result, or of the row that is pointed at or selected."""

    part = attrgetter("result", "settings.view", "played")

    def __init__(self, view: JoinedScatter, linking: Linking) -> None:
        super().__init__(view)
        self._view = view
        self._linking = linking
        self._asked: tuple[AnalysisResult, int, bool] | None = None
        self.aside = Aside(self)
        self.aside.answered.connect(self._on_answered)
        linking.hovered_changed.connect(self._on_row_changed)
        linking.selection_changed.connect(self._on_row_changed)

    @property
    def shown(self) -> Moves | None:
        return self._view.area.moves.moves

    def refresh(self) -> None:
        """Show what the view settings want, or nothing."""
        result, wanted = self.scene.result, self.scene.settings.view.arrows
        self._asked = None
        self.aside.forget()
        if result is None or self.scene.played is not None or wanted == "off":
            self._show(None)
        elif wanted == "point":
            self._show_row(result)
        else:
            found = result.get(ARROWS)
            same = found is not None and found.kind == wanted
            self._show(found if same else None)

    def show_empty(self, scene: Scene) -> None:
        """Show nothing; any result that comes is drawn anew."""
        self.scene, self._shown_part = scene, None
        self.refresh()

    def _on_row_changed(self, _row: object) -> None:
        scene = self.scene
        by_row = scene.settings.view.arrows == "point" and scene.played is None
        if scene.result is not None and by_row:
            self._show_row(scene.result)

    def _show_row(self, result: AnalysisResult) -> None:
        row, transient = self._linking.hovered, True
        selection = self._linking.selection
        if row is None and selection is not None and selection.sum() == 1:
            row, transient = int(np.argmax(selection)), False
        asked = None if row is None else (result, row, transient)
        if asked == self._asked and asked is not None:
            return
        self._asked = asked
        if asked is None:
            self.aside.forget()
            self._show(None)
            return
        at = asked[1]

        def find(should_stop: ShouldStop) -> DrawnArrows | None:
            return arrows_at(result, at, should_stop)

        self.aside.ask(find, small=result.dataset.n * result.dataset.d <= SMALL)

    def _on_answered(self, answer: DrawnArrows | Exception | None) -> None:
        if self._asked is not None:
            found = answer if isinstance(answer, DrawnArrows) else None
            self._show(found, transient=self._asked[2])

    def _show(self, found: DrawnArrows | None, *, transient: bool = False) -> None:
        axes = tuple(self.scene.settings.view.shown_axes)
        if found is None or not set(found.axes) <= set(axes):
            self._view.area.moves.set_moves(None)
            return
        # On an axis that has no component, nothing moves.
        starts, ends = np.zeros((2, len(found.starts), len(axes)))
        for place, axis in enumerate(axes):
            if axis in found.axes:
                column = found.axes.index(axis)
                starts[:, place] = found.starts[:, column]
                ends[:, place] = found.ends[:, column]
        moves = Moves(starts, ends, found.names, found.words, transient)
        self._view.area.moves.set_moves(moves)
