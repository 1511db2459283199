"""A search over kernels and the pictures of its rows, behind the interactive runner.

Each has a thread of its own: pictures come while the search goes on.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Slot

from kpca_viewer.core.methods.kernel_ranking import Choice
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Hold, Runner
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.support.progress import Progress, ShouldStop


class ChoiceRunner(QObject):
    """Compares kernels on the data of one request at a time; the latest wins.

    ``search`` answers with a `Choice`, complete or as far as it is known, ``pictures``
    with a `SweepPoint`, whose settings say what it shows, and with None at the end.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hold = Hold()
        self._cache = StageCache()
        self.search = Runner(self._find, self)
        self.pictures = Runner(self._draw, self)

    @property
    def busy(self) -> bool:
        return self.search.busy

    def start(self, request: AnalysisRequest) -> None:
        self.pictures.cancel()
        self.search.submit(request)

    @Slot(bool)
    def hold(self, held: bool) -> None:
        """Stand still while the interactive runner needs the processor, then go on."""
        self._hold.set(held)

    def close(self) -> None:
        """Stop and end the threads; waits until they are gone."""
        for runner in (self.search, self.pictures):
            runner.cancel()
        self._hold.set(False)
        for runner in (self.search, self.pictures):
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
