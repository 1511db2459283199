"""Joins the cursor of the embedding to actions and a worker of its own."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from kpca_viewer.engine import messages
from kpca_viewer.engine.notes import Place
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import DataSettings, PreImageMethod
from kpca_viewer.export.file_saver import FileSaver
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import (
    Array,
    Denoised,
    DenoiseRequest,
    FoundPlace,
    PlaceFinder,
    Walk,
    WalkRequest,
    denoise_rows,
    find_walk,
    why_no_places,
)
from kpca_viewer.features.preimage.probe import PreImageTools
from kpca_viewer.features.preimage.text import DENOISING_CANCELLED, denoised_opened
from kpca_viewer.features.preimage.walk import WalkTools
from kpca_viewer.features.preimage.walk_file import (
    is_film,
    save_film,
    strip_painting,
    walk_kinds,
)
from kpca_viewer.support.errors import ExportError, KpcaError, sentence_of
from kpca_viewer.support.paths import unasked, with_ending
from kpca_viewer.support.progress import Progress, ShouldStop, silent
from kpca_viewer.widgets.workbench import Workbench


@dataclass(frozen=True, eq=False)
class _FinderRequest:
    """A finder is wanted."""

    result: AnalysisResult
    method: PreImageMethod


@dataclass(frozen=True, eq=False)
class _PlaceRequest:
    """A place that takes longer to find than a frame."""

    finder: PlaceFinder
    scores: Array
    axes: tuple[int, ...]


def _find_walk(request: WalkRequest, should_stop: ShouldStop, *_: object) -> Walk:
    return find_walk(request, should_stop)


def _denoise(
    request: DenoiseRequest, should_stop: ShouldStop, progress: Progress, *_: object
) -> Denoised:
    # What is only looked at comes in a moment, and needs no progress.
    report = progress if request.whole else silent
    return denoise_rows(request, should_stop, report)


def _find(
    request: _FinderRequest | _PlaceRequest, *_: object
) -> PlaceFinder | FoundPlace:
    if isinstance(request, _FinderRequest):
        return PlaceFinder(request.result, request.method)
    return request.finder.at(request.scores, request.axes)


class ProbeController(QObject):
    """Takes the cursor and puts it away, and sees to it that places are found."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window, presenter = workbench.window, workbench.presenter
        self._preferences = workbench.preferences
        self._window = window
        self._presenter = presenter
        self._tools = window.board.preimages
        self._wanted: _FinderRequest | None = None
        self.runner = Runner(_find, self)
        self.runner.result_ready.connect(self._on_answered)
        self.runner.failed.connect(self._on_failed)
        self.walks = Runner(_find_walk, self)
        self.walks.result_ready.connect(window.board.walk.show_walk)
        self.walks.failed.connect(self._on_walk_failed)
        self._walking = window.board.walk
        self._walking.requested.connect(self.walks.submit)
        self._tools.page.walk.save_requested.connect(self._on_save_requested)
        self.denoiser = Runner(_denoise, self)
        self.denoiser.result_ready.connect(self._on_denoised)
        self.denoiser.failed.connect(self._on_denoising_failed)
        self.denoiser.busy_changed.connect(self._on_denoiser_busy_changed)
        self.denoiser.progressed.connect(window.progress.report)
        window.progress.cancel_requested.connect(self._on_cancel_requested)
        self._adopts = False
        window.board.denoise.requested.connect(self._on_denoising_requested)
        self.saver = FileSaver(self)
        self.saver.ended.connect(self._on_saved)
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
        self.denoiser.close()

    @Slot()
    def _prepare(self) -> None:
        """Make a finder for what is shown, where it is looked at, and once."""
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
        self._wanted = _FinderRequest(result, tools.method)
        self.runner.submit(self._wanted)

    @Slot(object, object)
    def _on_place_requested(self, scores: Array, axes: tuple[int, ...]) -> None:
        if self._tools.finder is not None:
            self.runner.submit(_PlaceRequest(self._tools.finder, scores, axes))

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

    # Denoised rows

    @Slot(object)
    def _on_denoising_requested(self, request: DenoiseRequest) -> None:
        if self._adopts and not request.whole:
            # The new data set is on its way; the rest can wait for its result.
            return
        if request.whole and not self._adopts:
            self._adopts = True
            self._window.progress.begin(text.DENOISING)
        self.denoiser.submit(request)

    @Slot(bool)
    def _on_denoiser_busy_changed(self, busy: bool) -> None:
        if not busy:
            self._end_adopting()

    def _end_adopting(self) -> None:
        """Take the progress away, before another work reports some."""
        if self._adopts:
            self._adopts = False
            self._window.progress.end()

    @Slot(object)
    def _on_denoised(self, found: Denoised) -> None:
        if not found.request.whole:
            self._window.board.denoise.show_found(found)
            return
        self._end_adopting()
        dataset, data = found.dataset(), self._presenter.data
        key = data.sources.free_key(dataset.name, dataset)
        data.sources[key] = dataset
        old = self._presenter.settings
        settings = replace(
            old,
            data=DataSettings(source=key, scaling=old.data.scaling),
            view=replace(old.view.for_source(key), image_size=old.view.image_size),
        )
        self._presenter.change(settings)
        self._presenter.messages.show(
            denoised_opened(dataset.name, text.denoised_words(found))
        )

    @Slot(object)
    def _on_denoising_failed(self, error: Exception) -> None:
        self._tools.page.denoise.say(sentence_of(error))

    @Slot()
    def _on_cancel_requested(self) -> None:
        if not self._adopts:
            return
        self.denoiser.cancel()
        self._presenter.messages.show(DENOISING_CANCELLED)

    # A walk as a file

    @Slot()
    def _on_save_requested(self) -> None:
        """Ask for a name; its ending chooses between strip and film."""
        start = str(self._preferences.folder("export") / "walk.png")
        name, chosen = QFileDialog.getSaveFileName(
            self._window, text.SAVE_WALK, start, walk_kinds()
        )
        if not name:
            return
        self._preferences.keep_folder("export", Path(name))
        path, film = Path(name), chosen.startswith("Film")
        if not path.suffix:
            path = with_ending(path, ".gif" if film else ".png")
            taken = unasked(path, name)
            if taken:
                self._presenter.messages.show(messages.trouble(taken))
                return
        self.save_walk(path)

    def save_walk(self, path: Path) -> None:
        """Write the walk that is shown; says so when it is there."""
        shown, pictures = self._walking.shown, self._walking.pictures
        request = self._walking.request
        if shown is None or request is None:
            return
        try:
            film = is_film(path)
        except ExportError as error:
            self._presenter.messages.show(messages.failure(error))
            return
        if film:
            self.saver.write(path, partial(save_film, path, request, pictures))
        else:
            self.saver.paint(path, strip_painting(path, shown))

    @Slot(object, object)
    def _on_saved(self, path: Path, error: Exception | None) -> None:
        done = messages.exported(path)
        message = done if error is None else messages.failure(error)
        self._presenter.messages.show(message)

    @Slot(object)
    def _on_walk_failed(self, error: Exception) -> None:
        self._tools.page.walk.say(sentence_of(error))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._tools.set_finder(None, sentence_of(error))


def show_without_worker(
    tools: PreImageTools, walking: WalkTools, at: Place | None
) -> None:
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
