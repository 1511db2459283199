"""Joins the cursor of the embedding to actions and a worker of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Slot

from kpca_viewer.runtime.runner import Runner
from kpca_viewer.session.preimages.finder import (
    Array,
    FoundPlace,
    PlaceFinder,
    why_no_places,
)
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import PreImageMethod
from kpca_viewer.support.errors import sentence_of
from kpca_viewer.support.progress import Progress, ShouldStop
from kpca_viewer.ui.presenter import Presenter
from kpca_viewer.ui.window.main_window import MainWindow


@dataclass(frozen=True, eq=False)
class _Prepare:
    """A finder is wanted."""

    result: AnalysisResult
    method: PreImageMethod


@dataclass(frozen=True, eq=False)
class _Ask:
    """A place is asked for that takes longer than a frame."""

    finder: PlaceFinder
    scores: Array
    axes: tuple[int, ...]


def _work(
    request: _Prepare | _Ask,
    _should_stop: ShouldStop,
    _progress: Progress,
    _publish: Callable[[Any], None],
) -> PlaceFinder | FoundPlace:
    if isinstance(request, _Prepare):
        return PlaceFinder(request.result, request.method)
    return request.finder.at(request.scores, request.axes)


class Probing(QObject):
    """Takes the cursor and puts it away, and sees to it that places are found."""

    def __init__(
        self, window: MainWindow, presenter: Presenter, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self._tools = window.board.preimages
        self._wanted: _Prepare | None = None
        self.runner = Runner(_work, self)
        self.runner.result_ready.connect(self._on_answered)
        self.runner.failed.connect(self._on_failed)
        window.actions_table["probe"].triggered.connect(self.take_cursor)
        self._tools.wished.connect(self.take_cursor)
        self._tools.finder_wished.connect(self._prepare)
        self._tools.asked.connect(self._on_asked)

    @Slot(bool)
    def take_cursor(self, on: bool) -> None:
        """Take the cursor, or put it away; a place needs a plane to lie in."""
        board = self._window.board
        if on and not board.embedding.view.is_flat:
            board.embedding.wish_dimensions(False)
        self._tools.set_on(on)
        self._window.actions_table["probe"].setChecked(on)

    def close(self) -> None:
        """End the work."""
        self.runner.close()

    @Slot()
    def _prepare(self) -> None:
        """Make a finder for what is shown, if anybody looks, and once."""
        tools, result = self._tools, self._tools.scene.result
        if not tools.needed or tools.finder is not None:
            return
        if result is None or not result.at_rest or why_no_places(result, tools.method):
            return
        wanted = self._wanted
        if (
            wanted is not None
            and wanted.method == tools.method
            and wanted.result.decomposition is result.decomposition
            and wanted.result.scoring == result.scoring
        ):
            return
        self._wanted = _Prepare(result, tools.method)
        self.runner.submit(self._wanted)

    @Slot(object, object)
    def _on_asked(self, scores: Array, axes: tuple[int, ...]) -> None:
        if self._tools.finder is not None:
            self.runner.submit(_Ask(self._tools.finder, scores, axes))

    @Slot(object)
    def _on_answered(self, answer: PlaceFinder | FoundPlace) -> None:
        tools = self._tools
        if isinstance(answer, FoundPlace):
            if tools.finder is not None:
                tools.show_found(answer)
            return
        self._wanted = None
        if tools.fits(answer):
            tools.set_finder(answer)
        else:
            self._prepare()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._tools.set_finder(None, sentence_of(error))
