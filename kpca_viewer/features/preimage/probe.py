"""The probe of the embedding: on or off, where it is, and what is shown of it."""

from operator import attrgetter

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from kpca_viewer.engine.notes import Place
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_pictures import row_pictures
from kpca_viewer.engine.settings import PreImageMethod
from kpca_viewer.engine.text.describe import row_name
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import (
    FoundPlace,
    PlaceFinder,
    compared_columns,
    why_no_places,
)
from kpca_viewer.features.preimage.cursor import PlaceCursor
from kpca_viewer.features.preimage.page import PreImagePage
from kpca_viewer.features.preimage.view import PlaceContent, PlaceView
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.contributions import Pages, Plots, PlotTool
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.pixels import row_image
from kpca_viewer.widgets.scene import Scene

PAGE = "preimage"
PROBE = PlotTool("probe", *text.PROBE_TOOL)
"""Points at places of the embedding."""

_FOUND_BY = attrgetter("decomposition", "settings.view.preimage")
"""All of a scene that trouble with a finder depends on."""


class PreImageTools(QObject):
    """Shows the pre-image of the place that is pointed at, live.

    While it is ``on``, places are pointed at; ``finder`` is that of the result that is
    shown, None until it is made; ``found`` is what is shown now.
    """

    requested = Signal(bool)
    """The person wants the cursor, or not any more."""
    finder_requested = Signal()
    """Whether a finder is needed may have changed."""
    changed = Signal()
    """Another place is kept, or another finder answers."""
    place_requested = Signal(object, object)
    """Scores of a place and the axes, for a finder that takes long."""

    def __init__(self, plots: Plots, pages: Pages) -> None:
        embedding = plots["embedding"]
        super().__init__(embedding)
        page = pages.views[PAGE]
        assert isinstance(page, PreImagePage)
        self.page = page
        self.on = False
        self.finder: PlaceFinder | None = None
        self.found: FoundPlace | None = None
        self.scene = Scene()
        self._trouble = ""
        self._place: Place | None = None
        self._axes: tuple[object, ...] = ()
        self._turned_from, self._selects = "", "lasso"
        self._data, self._embedding, self._pages = plots["data"], embedding, pages
        self.view: PlaceView = page.place
        page.let_go_requested = self.let_go
        self.cursor = PlaceCursor(embedding.view)
        self.cursor.pointed.connect(self._on_pointed)
        self.cursor.left.connect(self._on_left)
        self.cursor.kept_changed.connect(self._on_kept_changed)
        embedding.tool.value_changed.connect(self._on_tool_changed)
        pages.page_turned.connect(self._on_page_turned)

    @property
    def needed(self) -> bool:
        return self.on or self._pages.pages.value() == PAGE

    @property
    def method(self) -> PreImageMethod:
        return self.scene.settings.view.preimage

    def set_on(self, on: bool) -> None:
        """Take the cursor, or put it away. Requests nothing."""
        if on == self.on:
            return
        self.on = on
        tool = self._embedding.tool
        if on and tool.value() != "probe":
            self._selects = tool.value()
        if on or tool.value() == "probe":
            tool.set_value("probe" if on else self._selects)
        pages = self._pages.pages
        if on and pages.value() != PAGE:
            self._turned_from = pages.value()
            self._pages.show_page(PAGE)
        elif not on:
            self.cursor.forget()
            self._place = None
            if self._turned_from and pages.value() == PAGE:
                self._pages.show_page(self._turned_from)
            self._turned_from = ""
        self.cursor.set_on(on)
        # The page says all about the nearest row; a label would cover the place.
        view = self._embedding.view
        view.set_hover_texts(None if on else view.describe)
        self._show()
        self.finder_requested.emit()

    def let_go(self) -> bool:
        """Forget the place that is kept; returns whether there was one."""
        kept = self.cursor.kept is not None
        self.cursor.keep(None)
        return kept

    def show_scene(self, scene: Scene) -> None:
        """Look at another result; a place stays where it is on the same axes."""
        before, self.scene = self.scene, scene
        result = scene.result
        axes = scene.settings.view.shown_axes
        same = result is not None and result.has_rows_of(before.result)
        if not same or axes != self._axes:
            self._axes = axes
            self.cursor.forget()
            self._place = None
        stale = self.finder is not None and not self.fits(self.finder)
        if stale or _FOUND_BY(scene) != _FOUND_BY(before):
            self.finder, self._trouble = None, ""
        self._show()
        self.changed.emit()
        self.finder_requested.emit()

    def fits(self, finder: PlaceFinder) -> bool:
        """Return whether a finder answers for what is shown."""
        result, known = self.scene.result, finder.result
        return (
            result is not None
            and finder.method == self.method
            and result.decomposition is known.decomposition
            and result.has_rows_of(known)
            and result.scoring == known.scoring
        )

    def set_finder(self, finder: PlaceFinder | None, trouble: str = "") -> None:
        """Find places by this one; without one, say why there is none."""
        self.finder, self._trouble = finder, trouble
        self._show()
        self.changed.emit()

    def kept_scores(self) -> Array | None:
        if self.finder is None or self.cursor.kept is None:
            return None
        view = self.scene.settings.view
        return self.finder.scores_at(view.shown_axes[:2], self.cursor.kept, view.held)

    def show_found(self, found: FoundPlace) -> None:
        """Show what lies at the place that is pointed at or kept."""
        self.found = found
        result = self.scene.result
        if result is None or self._place is None or self.finder is None:
            return
        self._show_markers(result, found)
        view, dataset = self.scene.settings.view, result.dataset
        pictures = row_pictures(dataset, view)
        images: list[QImage | None] = [None, None]
        if pictures is not None:
            rows = found.values, dataset.points[found.row]
            images = [row_image(pictures.shades(row)) for row in rows]
        name = row_name(result, found.row)
        words = f"{text.reach_words(found, name)} {text.left_words(found)}".strip()
        columns = compared_columns(found, self.finder)
        self.view.show_place(
            PlaceContent(columns, name, *images), words, warns=not found.lies_here
        )

    def _show(self) -> None:
        why = self.why_nothing()
        if not why and self.on and not self._embedding.view.is_flat:
            why = text.FLAT_ONLY
        if why or self._place is None:
            self._show_nothing(why or (text.POINT if self.on else text.TAKE_PROBE))
        else:
            self._find()

    def why_nothing(self) -> str:
        """Return why no place can be found now; empty if one can."""
        result = self.scene.result
        if result is None:
            return text.TAKE_PROBE
        refused = self._trouble or why_no_places(result, self.method)
        if refused:
            return refused
        if not self.needed or self.finder is not None:
            return ""
        return text.COMPUTING if result.at_rest else text.RESTING

    def _show_nothing(self, words: str) -> None:
        self.found = None
        self.view.say(words)
        self._clear_markers()

    def _clear_markers(self) -> None:
        """Mark nothing but the place that is kept."""
        kept = self.cursor.kept
        here = [Marker(kept, text.KEPT_MARKER)] if kept is not None else []
        self._embedding.view.set_probes(here)
        self._data.view.set_probes([])

    def _find(self) -> None:
        finder, place = self.finder, self._place
        if finder is None or place is None:
            return
        view = self.scene.settings.view
        axes = view.shown_axes[:2]
        scores = finder.scores_at(axes, place, view.held)
        if finder.is_quick:
            self.show_found(finder.at(scores, axes))
        else:
            self.place_requested.emit(scores, axes)

    def _show_markers(self, result: AnalysisResult, found: FoundPlace) -> None:
        """Mark the pre-image in data and embedding; nothing while the mouse is away."""
        if not self.cursor.inside and self.cursor.kept is None:
            self._clear_markers()
            return
        view, dataset = self.scene.settings.view, result.dataset
        axes = (view.data_axes or dataset.telling_axes)[: 2 if dataset.d == 2 else 3]
        count = 3 if view.data_3d and dataset.d > 2 and not view.lift else 2
        position = [
            float(found.values[j]) if j < dataset.d else 0.0 for j in axes[:count]
        ]
        doubt = not found.lies_here
        label = text.NEAREST_MARKER if doubt else text.FOUND_MARKER
        self._data.view.set_probes([Marker(tuple(position), label, doubt)])
        shown = view.shown_axes[:2]
        probes = [Marker(_on_axes(found.own, shown), label, True)] if doubt else []
        kept = self.cursor.kept
        if kept is not None:
            probes.insert(0, Marker(kept, text.KEPT_MARKER))
        self._embedding.view.set_probes(probes)

    @Slot(object)
    def _on_pointed(self, place: Place) -> None:
        # A preview has its points at other places.
        if self._embedding.shows_preview:
            return
        self._place = place
        if not self.why_nothing():
            self._find()

    @Slot()
    def _on_left(self) -> None:
        # What the page says stays: the mouse may be on its way there.
        self._clear_markers()

    @Slot(object)
    def _on_kept_changed(self, place: Place | None) -> None:
        if place is not None:
            self._place = place
        self._show()
        self.changed.emit()

    @Slot(object)
    def _on_tool_changed(self, tool: str) -> None:
        if tool != "probe":
            self._selects = tool
        if (tool == "probe") != self.on:
            self.requested.emit(tool == "probe")

    @Slot(str)
    def _on_page_turned(self, _page: str) -> None:
        self._show()
        self.changed.emit()
        self.finder_requested.emit()


def _on_axes(scores: Array, axes: tuple[int, ...]) -> tuple[float, ...]:
    """Return where scores lie on the axes; 0 along a component that is not there."""
    return tuple(float(scores[j]) if j < len(scores) else 0.0 for j in axes)
