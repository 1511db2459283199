"""LayerWorker: pictures of many points, prepared beside the window."""

from contextlib import suppress

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, Slot

from kpca_viewer.ui.plots.cloud.layer import LayerRequest, PreparedLayer, prepare
from kpca_viewer.ui.plots.cloud.picking import Picker


class _Delivery(QObject):
    done = Signal(object, object, object)


class _Job(QRunnable):
    def __init__(self, request: LayerRequest, delivery: _Delivery) -> None:
        super().__init__()
        self._request = request
        self._delivery = delivery

    def run(self) -> None:
        layer = prepare(self._request)
        # In the coordinates of the mouse, and ready when it comes.
        pixels = layer.points.pixels / self._request.scale + self._request.area[:2]
        picker = Picker(layer.rows, pixels, layer.nearness)
        # At the end of the program the window, and whom to tell, may be gone already.
        with suppress(RuntimeError):
            self._delivery.done.emit(self._request, layer, picker)


class LayerWorker(QObject):
    """Prepares one picture at a time; of those that wait, the latest."""

    prepared = Signal(object, object, object)
    """`LayerRequest`, `PreparedLayer`, and the `Picker` of its points."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._running: LayerRequest | None = None
        self._waiting: LayerRequest | None = None
        # Without a parent: a job that ends after this object still has one to tell.
        self._delivery = _Delivery()
        self._delivery.done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a picture is on its way."""
        return self._running is not None

    def submit(self, request: LayerRequest) -> None:
        """Prepare this next, instead of whatever waits."""
        newest = self._waiting or self._running
        if newest is not None and newest.key == request.key:
            return
        if self._running is None:
            self._start(request)
        else:
            self._waiting = request

    def _start(self, request: LayerRequest) -> None:
        self._running = request
        QThreadPool.globalInstance().start(_Job(request, self._delivery))

    @Slot(object, object, object)
    def _on_done(
        self, request: LayerRequest, layer: PreparedLayer, picker: Picker
    ) -> None:
        self._running, waiting = None, self._waiting
        self._waiting = None
        if waiting is not None:
            self._start(waiting)
        # Older than what is wanted now, but newer than what is shown.
        self.prepared.emit(request, layer, picker)
