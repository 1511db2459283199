"""DOC."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.core.choice.results import Choice
from kpca_viewer.core.orientation import flips
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.quality import sample_rows
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.pause import Hold
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import counts, find_dataset, numbers, prepare
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.point_maker import (
    THUMBNAIL_ROWS,
    picture_of,
    solve_point,
    with_coordinates,
)
from kpca_viewer.features.kernel_search.choose import choose
from kpca_viewer.support.errors import Cancelled, KpcaError, sentence_of
from kpca_viewer.support.progress import Progress, ShouldStop, check
from kpca_viewer.support.threads import one_blas_thread


class ChoiceRunner(QObject):
    """Compares kernels on the data of one request at a time; the latest wins."""

    choice_ready = Signal(object)
    """A `Choice`, complete or as far as it is known."""
    picture_ready = Signal(object)
    """A `SweepPoint`, whose settings say what it is a picture of."""
    pictures_done = Signal()
    failed = Signal(object)
    """The exception that ended the search."""
    cancelled = Signal()
    progressed = Signal(object, object)
    """What is done, in words, and the share that is done."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hold = Hold()
        self._cache = StageCache()
        self._search = Runner(self._find, self)
        self._search.result_ready.connect(self.choice_ready)
        self._search.failed.connect(self.failed)
        self._search.progressed.connect(self.progressed)
        self._search.cancelled.connect(self.cancelled)
        self._pictures = Runner(self._draw, self)
        self._pictures.result_ready.connect(self._on_picture_ready)
        self._pictures.busy_changed.connect(self._on_pictures_busy_changed)

    @property
    def busy(self) -> bool:
        return self._search.busy

    @property
    def draws(self) -> bool:
        return self._pictures.busy

    def start(self, request: AnalysisRequest) -> None:
        """Compare kernels; a search that runs is given up."""
        self._pictures.cancel()
        self._search.submit(request)

    def draw(
        self, request: AnalysisRequest, wanted: tuple[SessionSettings, ...]
    ) -> None:
        """Make pictures; others that are being made are given up."""
        self._pictures.submit((request, wanted))

    def cancel(self) -> None:
        self._search.cancel()

    @Slot(bool)
    def hold(self, held: bool) -> None:
        """Stand still while somebody else needs the processor, then go on."""
        self._hold.set(held)

    def close(self) -> None:
        """Stop and end the threads; waits until they are gone."""
        for runner in (self._search, self._pictures):
            runner.cancel()
        self._hold.set(False)
        for runner in (self._search, self._pictures):
            runner.close()

    def _find(
        self,
        request: AnalysisRequest,
        should_stop: ShouldStop,
        progress: Progress,
        publish: Callable[[Any], None],
    ) -> Choice:
        # Imported by the worker: it needs all of scipy.
        from kpca_viewer.features.kernel_search.runner import search

        stopped = self._hold.asked_by(should_stop)
        return search(request, self._cache, stopped, progress, publish)

    def _draw(
        self,
        order: tuple[AnalysisRequest, tuple[SessionSettings, ...]],
        should_stop: ShouldStop,
        _progress: Progress,
        publish: Callable[[Any], None],
    ) -> None:
        from kpca_viewer.features.kernel_search.runner import make_pictures

        stopped = self._hold.asked_by(should_stop)
        make_pictures(*order, self._cache, stopped, publish)

    @Slot(object)
    def _on_picture_ready(self, point: SweepPoint | None) -> None:
        # The last answer only says that all are there.
        if point is not None:
            self.picture_ready.emit(point)

    @Slot(bool)
    def _on_pictures_busy_changed(self, busy: bool) -> None:
        if not busy:
            self.pictures_done.emit()


def search(
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
    publish: Callable[[Choice], None],
) -> Choice:
    """Compare all kernels on the data of a request; the same as in Python.

    Raises
    ------
    KpcaError
        A sentence about what is wrong with the data.
    Cancelled
    """
    progress("Data", None)
    dataset = find_dataset(request, cache, should_stop)
    return choose(
        dataset,
        scaling=request.settings.data.scaling,
        publish=publish,
        should_stop=should_stop,
        progress=progress,
    )


def make_pictures(
    request: AnalysisRequest,
    wanted: Sequence[SessionSettings],
    cache: StageCache,
    should_stop: ShouldStop,
    publish: Callable[[SweepPoint], None],
) -> None:
    """Compute pictures one after the other; one that fails says why instead.

    Raises
    ------
    Cancelled
    """
    for index, settings in enumerate(wanted):
        check(should_stop)
        point = SweepPoint(index, (), settings)
        try:
            with one_blas_thread():
                point = _with_picture(point, request, cache, should_stop)
        except Cancelled:
            raise
        except (KpcaError, MemoryError) as error:
            point = replace(point, error=sentence_of(error))
        publish(point)


def _with_picture(
    point: SweepPoint,
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
) -> SweepPoint:
    started, settings = perf_counter(), point.settings
    request = replace(request, settings=settings)
    dataset = find_dataset(request, cache, should_stop)
    prepared = prepare(dataset, settings, cache, should_stop)
    found = solve_point(prepared, settings, cache, should_stop)
    found = found.oriented(flips(settings.view.flipped, len(found.eigenvalues)))
    shown = found.leading(counts(prepared, settings)[0])
    scores = training_scores(found, settings.analysis.scoring)
    rows = sample_rows(dataset.n, THUMBNAIL_ROWS)
    point = replace(
        point,
        eigenvalues=shown.eigenvalues,
        bounds=shown.bounds,
        shares=numbers(shown, dataset.n).shares,
        labels=None if dataset.labels is None else dataset.labels[rows],
        n=dataset.n,
        solver=found.solver,
        seconds=perf_counter() - started,
    )
    return with_coordinates(point, picture_of(scores, found, dataset).scores)
