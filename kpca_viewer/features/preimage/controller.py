"""Joins the cursor of the embedding to actions and a worker of its own."""

from functools import partial

from PySide6.QtCore import QObject, Slot

from kpca_viewer.engine.notes import Place
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import PreImageMethod
from kpca_viewer.features.preimage.compute import (
    FoundPlace,
    PlaceFinder,
    Walk,
    WalkRequest,
    find_walk,
    why_no_places,
)
from kpca_viewer.features.preimage.probe import PreImageTools
from kpca_viewer.features.preimage.walk import WalkTools
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KpcaError, sentence_of
from kpca_viewer.widgets.page_view import Aside
from kpca_viewer.widgets.workbench import Workbench


class ProbeController(QObject):
    """Takes the cursor and puts it away, and sees to it that places are found."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._window = window = workbench.window
        self._tools = window.board.preimages
        self._wanted: tuple[AnalysisResult, PreImageMethod] | None = None
        self.runner, self.walks = Aside(self), Aside(self)
        self.runner.answered.connect(self._on_answered)
        self.walks.answered.connect(self._on_walk_answered)
        window.board.walk.requested.connect(self._on_walk_requested)
        self._tools.requested.connect(self.take_cursor)
        self._tools.finder_requested.connect(self._prepare)
        self._tools.place_requested.connect(self._on_place_requested)

    @Slot(bool)
    def take_cursor(self, on: bool) -> None:
        """Take the cursor, or put it away; a place needs a plane to lie in."""
        board = self._window.board
        if on and not board.embedding.view.is_flat:
            board.embedding.change_dimensions(False)
        self._tools.set_on(on)
        self._window.actions_table["probe"].setChecked(on)

    def close(self) -> None:
        self.runner.close()
        self.walks.close()

    @Slot()
    def _prepare(self) -> None:
        """Make a finder for what is shown, where it is looked at, and once."""
        tools, result = self._tools, self._tools.scene.result
        if not tools.needed or tools.finder is not None:
            return
        if result is None or not result.at_rest or why_no_places(result, tools.method):
            return
        if self._wanted is not None:
            known, method = self._wanted
            same = known.decomposition is result.decomposition
            if same and method == tools.method and known.scoring == result.scoring:
                return
        self._wanted = result, tools.method
        make = partial(PlaceFinder, result, tools.method)
        self.runner.ask(lambda _: make(), small=False)

    @Slot(object, object)
    def _on_place_requested(self, scores: Array, axes: tuple[int, ...]) -> None:
        if self._tools.finder is not None:
            find = partial(self._tools.finder.at, scores, axes)
            self.runner.ask(lambda _: find(), small=False)

    @Slot(object)
    def _on_answered(self, answer: PlaceFinder | FoundPlace | Exception) -> None:
        tools = self._tools
        if isinstance(answer, FoundPlace):
            if tools.finder is not None:
                tools.show_found(answer)
            return
        self._wanted = None
        if isinstance(answer, Exception):
            tools.set_finder(None, sentence_of(answer))
        elif tools.fits(answer):
            tools.set_finder(answer)
        else:
            self._prepare()

    @Slot(object)
    def _on_walk_requested(self, request: WalkRequest) -> None:
        self.walks.ask(partial(find_walk, request), small=False)

    @Slot(object)
    def _on_walk_answered(self, answer: Walk | Exception) -> None:
        if isinstance(answer, Exception):
            self._tools.page.walk.say(sentence_of(answer))
        else:
            self._window.board.walk.show_walk(answer)


def show_without_worker(
    tools: PreImageTools, walking: WalkTools, at: Place | None
) -> None:
    """Show what lies at a place, or a walk; where nothing is found, say why."""
    result = tools.scene.result
    if result is None or why_no_places(result, tools.method):
        return
    try:
        finder = PlaceFinder(result, tools.method)
    except KpcaError as error:
        tools.set_finder(None, sentence_of(error))
        return

    def find(scores: Array, axes: tuple[int, ...]) -> None:
        tools.show_found(finder.at(scores, axes))

    def walk(request: WalkRequest) -> None:
        walking.show_walk(find_walk(request))

    tools.place_requested.connect(find)
    walking.requested.connect(walk)
    tools.set_finder(finder)
    shown = tools.scene.settings.view.shown_axes[:2]
    mean = result.scores.mean(axis=0)
    middle = tuple(float(mean[j]) if j < len(mean) else 0.0 for j in shown)
    tools.cursor.keep(at or (middle[0], middle[1]))
    if at is None:
        tools.page.modes.button("walk").click()
