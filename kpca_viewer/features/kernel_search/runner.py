"""A search over kernels and the pictures of its rows, behind the interactive runner.

Each has a thread of its own: pictures come while the search goes on.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.core.methods.kernel_ranking import Choice
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Hold, Runner
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.support.progress import Progress, ShouldStop


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
        """Stand still while the interactive runner needs the processor, then go on."""
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
        from kpca_viewer.features.kernel_search.choose import search

        stopped = self._hold.asked_by(should_stop)
        return search(request, self._cache, stopped, progress, publish)

    def _draw(
        self,
        order: tuple[AnalysisRequest, tuple[SessionSettings, ...]],
        should_stop: ShouldStop,
        _progress: Progress,
        publish: Callable[[Any], None],
    ) -> None:
        from kpca_viewer.engine.sweep.point_maker import make_pictures

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
