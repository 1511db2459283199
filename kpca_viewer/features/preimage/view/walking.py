"""The walk along a component, joined to the place that is kept."""

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.features.preimage.images import RowPictures, row_pictures
from kpca_viewer.features.preimage.view.preimage_page import PreImagePage
from kpca_viewer.features.preimage.view.tools import PreImageTools
from kpca_viewer.features.preimage.view.walk_drawing import ShownWalk
from kpca_viewer.features.preimage.walk import Walk, WalkRequest, ends_of
from kpca_viewer.widgets.plots.pixels import row_image

KEEP_ONE = (
    "A walk leads through a place that is kept: take the probe (X), and click into the "
    "embedding."
)
COMPUTING = "The walk is computed …"


class Walking(QObject):
    """Asks for a walk when somebody looks at it, and shows it.

    Attributes
    ----------
    component : int
        Along which one, from 0.
    request : WalkRequest or None
        The walk that is shown or on its way.
    """

    requested = Signal(object)
    """A `WalkRequest`."""

    def __init__(self, tools: PreImageTools, page: PreImagePage) -> None:
        super().__init__(tools)
        self.component = 0
        self.request: WalkRequest | None = None
        self._tools, self._page, self._view = tools, page, page.walk
        tools.changed.connect(self._look)
        page.modes.value_changed.connect(self._on_mode_changed)
        self._view.component_chosen.connect(self._on_component_chosen)
        self._view.moved.connect(self._on_moved)

    @property
    def on(self) -> bool:
        return self._page.modes.value() == "walk"

    @property
    def pictures(self) -> RowPictures | None:
        """How rows are seen as pictures; None where they are none."""
        scene = self._tools.scene
        dataset = scene.dataset
        return None if dataset is None else row_pictures(dataset, scene.settings.view)

    @property
    def shown(self) -> ShownWalk | None:
        return self._view.strip.shown

    @Slot(object)
    def show_walk(self, walk: Walk) -> None:
        """Show a walk that was made."""
        dataset, pictures = self._tools.scene.dataset, self.pictures
        if dataset is None or self.request is None:
            return
        if pictures is None:
            shown = ShownWalk(walk, lines=walk.moving_columns(self.request.finder))
        else:
            rows = (place.values for place in walk.places)
            shown = ShownWalk(walk, [row_image(pictures.shades(row)) for row in rows])
        self._view.show_walk(shown)

    @Slot()
    def _look(self) -> None:
        """Ask for the walk through the place of now, if somebody looks."""
        if not self.on:
            return
        tools = self._tools
        why = tools.why_nothing()
        finder, scores = tools.finder, tools.kept_scores()
        if why or finder is None or scores is None:
            self.request = None
            self._view.say(why or KEEP_ONE)
            return
        count = len(scores)
        self.component = min(self.component, count - 1)
        axes = tools.scene.settings.view.shown_axes[:2]
        if self.request is None:
            self._view.say(COMPUTING)
        self._view.show_components(count, self.component)
        own = float(scores[self.component])
        self._view.set_ends(ends_of(finder, self.component), own)
        self.request = WalkRequest(finder, scores, self.component, axes)
        self.requested.emit(self.request)

    @Slot(object)
    def _on_mode_changed(self, _mode: str) -> None:
        self._tools.set_along(None)
        self._look()

    @Slot(int)
    def _on_component_chosen(self, component: int) -> None:
        self.component = component
        self._tools.set_along(None)
        self._look()

    @Slot(float)
    def _on_moved(self, value: float) -> None:
        self._tools.set_along((self.component, value))
