"""Joins *Compute on…* to a cluster: its sheet, its worker, and what is said of it."""

from functools import partial
from importlib.util import find_spec
from threading import Thread
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kpca_viewer.engine.messages import Message
from kpca_viewer.engine.runner import Runner
from kpca_viewer.features.large_tables import text
from kpca_viewer.features.large_tables.sheet import (
    ClusterAddress,
    ComputeSheet,
    ConnectionState,
)
from kpca_viewer.features.large_tables.text import NO_CLUSTER, cluster_lost
from kpca_viewer.support.errors import sentence_of
from kpca_viewer.support.progress import ShouldStop, check
from kpca_viewer.widgets.workbench import Workbench

if TYPE_CHECKING:
    from kpca_viewer.engine.executors.dask_backend import ClusterState, DaskBackend
    from kpca_viewer.support.errors import ClusterError

PATIENCE = 1.0
"""Seconds for which closing waits for a cluster."""

ASK_EVERY = 2000
"""Milliseconds between two questions how the cluster is."""


class ClusterController(QObject):
    """Connects, asks a cluster how it is on a worker, and notices its loss."""

    state_changed = Signal(object)
    """A `ConnectionState`."""
    _lost = Signal(object)

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window = workbench.window
        self._window = window
        self._presenter = workbench.presenter
        self._preferences = workbench.preferences
        self._backend = workbench.backend
        self._sheet: ComputeSheet | None = None
        self._cluster: DaskBackend | None = None
        self._said: Message | None = None
        self.state = ConnectionState()
        self._runner = Runner(lambda ask, should_stop, *_: ask(should_stop), self)
        self._runner.result_ready.connect(self._on_answered)
        self._runner.failed.connect(self._on_failed)
        self._clock = QTimer(self, interval=ASK_EVERY)
        self._clock.timeout.connect(self._on_time)
        self._lost.connect(self._on_lost)
        window.backend_button.clicked.connect(self.open)

    @Slot()
    def open(self) -> None:
        if find_spec("distributed") is None:
            self._presenter.messages.show(NO_CLUSTER)
            return
        if self._sheet is None:
            self._sheet = ComputeSheet(self._window)
            self._sheet.set_address(self._preferences.cluster())
            self._sheet.connect_requested.connect(self.connect_to)
            self._sheet.disconnect_requested.connect(self.disconnect_from)
            self._sheet.show_state(self.state)
        self._sheet.show()
        self._sheet.raise_()
        self._sheet.activateWindow()

    @Slot(object)
    def connect_to(self, address: ClusterAddress) -> None:
        """Connect; until that is done, everything is computed here."""
        self._preferences.keep_cluster(address)
        said = text.CONNECTING.format(scheduler=address.scheduler)
        self._show(ConnectionState("connecting", said))
        self._runner.submit(partial(self._connect, address))

    @Slot()
    def disconnect_from(self) -> None:
        """Compute everything here again."""
        cluster = self._let_go()
        self._runner.cancel()
        if cluster is not None:
            self._runner.submit(lambda _: cluster.close())
        self._show(ConnectionState())

    def close(self) -> None:
        """End the connection and the worker."""
        if self._sheet is not None:
            self._sheet.close()
        cluster = self._let_go()
        self._runner.close()
        if cluster is not None:
            # One that does not answer must not keep the window.
            ending = Thread(target=cluster.close, name="kpca-cluster-end", daemon=True)
            ending.start()
            ending.join(PATIENCE)

    def _let_go(self) -> "DaskBackend | None":
        self._clock.stop()
        cluster, self._cluster = self._cluster, None
        self._backend.remote = None
        return cluster

    def _show(self, state: ConnectionState) -> None:
        self.state = state
        if self._sheet is not None:
            self._sheet.show_state(state)
        self._window.show_backend(state.sign)
        self.state_changed.emit(state)

    def _connect(self, address: ClusterAddress, should_stop: ShouldStop) -> Any:
        """Run on the worker."""
        # Imported here: it takes long, and most people never connect.
        from kpca_viewer.engine.executors.dask_backend import DaskBackend
        from kpca_viewer.engine.executors.dask_connection import Encryption

        encryption = Encryption(*address.files) if address.files else None
        cluster = DaskBackend(
            address.scheduler, encryption, self._lost.emit, should_stop
        )
        self._cluster = cluster
        if should_stop():
            cluster.close()
        check(should_stop)
        return cluster, cluster.state()

    @Slot(object)
    def _on_answered(self, answer: Any) -> None:
        if isinstance(answer, tuple):
            self._backend.remote, answer = answer
            self._clock.start()
            if self._said is not None:
                self._presenter.messages.withdraw(self._said)
        if answer is not None and self._cluster is not None:
            self._show(_connected(answer))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._show(ConnectionState("lost", sentence_of(error)))

    @Slot()
    def _on_time(self) -> None:
        if self._cluster is not None and not self._runner.busy:
            cluster = self._cluster
            self._runner.submit(lambda _: cluster.state())

    @Slot(object)
    def _on_lost(self, error: "ClusterError") -> None:
        """Go on here; work that was there does so by itself."""
        if self._let_go() is not None:
            self._show(ConnectionState("lost", sentence_of(error)))
            self._said = cluster_lost(error)
            self._presenter.messages.show(self._said, self._connect_again)

    def _connect_again(self) -> None:
        """Go back to where it was computed last; the sheet says what comes of it."""
        self.open()
        self.connect_to(self._preferences.cluster())


def _connected(state: "ClusterState") -> ConnectionState:
    said = text.connected(state.workers, state.threads, state.used, state.memory)
    workers = text.workers_text(state.workers)
    return ConnectionState("on", said, state.dashboard, workers)
