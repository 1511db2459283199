"""Places and walks for a picture alone: found at once, and not on a worker."""

from kpca_viewer.features.preimage.finder import Array, PlaceFinder, why_no_places
from kpca_viewer.features.preimage.view.cursor import Place
from kpca_viewer.features.preimage.view.tools import PreImageTools
from kpca_viewer.features.preimage.view.walking import Walking
from kpca_viewer.features.preimage.walk import WalkRequest, walked
from kpca_viewer.support.errors import KpcaError, sentence_of


def show_at_once(tools: PreImageTools, walking: Walking, at: Place | None) -> None:
    """Show what lies at a place; without one, a walk through the mean of the rows.

    Where there is nothing to find, the page says why.
    """
    result = tools.scene.result
    if result is None or why_no_places(result, tools.method):
        return
    try:
        finder = PlaceFinder(result, tools.method)
    except KpcaError as error:
        tools.set_finder(None, sentence_of(error))
        return

    def ask(scores: Array, axes: tuple[int, ...]) -> None:
        tools.show_found(finder.at(scores, axes))

    def walk(request: WalkRequest) -> None:
        walking.show_walk(walked(request))

    tools.asked.connect(ask)
    walking.requested.connect(walk)
    tools.set_finder(finder)
    shown = tools.scene.settings.view.shown_axes[:2]
    mean = result.scores.mean(axis=0)
    middle = tuple(float(mean[j]) if j < len(mean) else 0.0 for j in shown)
    tools.cursor.keep(at or (middle[0], middle[1]))
    if at is None:
        tools.page.modes.button("walk").click()
