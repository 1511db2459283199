"""The Dask cluster that a window is connected to."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock, Thread

from kpca_viewer.engine.executors.dask_connection import Cluster, Encryption, connected
from kpca_viewer.engine.executors.dask_executor import DaskExecutor, DaskRows
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.jobs import make_on
from kpca_viewer.engine.sweep.point_maker import Made
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.errors import ClusterError, KpcaError
from kpca_viewer.support.progress import ShouldStop, check, never

Told = Callable[[ClusterError], None]


@dataclass(frozen=True)
class ClusterState:
    """How a cluster is now."""

    address: str
    workers: int
    threads: int
    memory: int
    """Bytes that all workers may use."""
    used: int
    """Bytes that they use."""
    dashboard: str
    """The address of its web page; empty where it has none."""

    @classmethod
    def of(cls, cluster: Cluster, dashboard: str) -> "ClusterState":
        workers = cluster.workers.values()
        return cls(
            cluster.address,
            len(workers),
            sum(int(worker["nthreads"]) for worker in workers),
            sum(int(worker["memory_limit"] or 0) for worker in workers),
            sum(int(worker["metrics"].get("memory", 0)) for worker in workers),
            dashboard,
        )


class DaskBackend:
    """A connection that is kept until it is ended or lost.

    ``told``: called once when it is lost, on the thread that notices it; no work is
    sent there from then on.
    """

    def __init__(
        self,
        address: str,
        encryption: Encryption | None = None,
        told: Told = lambda error: None,
        should_stop: ShouldStop = never,
    ) -> None:
        self._told = told
        self._lock = Lock()
        self._is_open, self._has_ended = True, False
        self._users = 0
        self._stack = ExitStack()
        cluster = self._stack.enter_context(connected(address, encryption=encryption))
        try:
            check(should_stop)
            self._cluster = cluster
            # Asked once: without its other end, the client would wait for it.
            self._dashboard = cluster.dashboard
            self._rows = DaskRows(cluster, self.watched)
            self.executor = DaskExecutor(cluster, watched=self.watched)
        except BaseException:
            self._stack.close()
            raise

    def state(self) -> ClusterState | None:
        """Return how it is now; None once it is closed or lost."""
        if not self._is_open:
            return None
        try:
            with self.watched():
                return ClusterState.of(self._cluster, self._dashboard)
        except ClusterError:
            return None

    def close(self) -> None:
        """Send no work there any more; what runs there comes to an end."""
        self._leave()
        ending = self._ending()
        if ending is not None:
            ending.join()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice by an error that the connection is lost; raise `ClusterError`."""
        with self._lock:
            self._users += 1
        try:
            yield
        except ClusterError as error:
            self._lose(error)
            raise
        except KpcaError:
            raise
        except Exception as error:
            if self._cluster.client.status == "running":
                raise
            told = self._cluster.lost()
            self._lose(told)
            raise told from error
        finally:
            with self._lock:
                self._users -= 1
            self._ending()

    def _lose(self, error: ClusterError) -> None:
        if self._leave():
            self._told(error)

    def _leave(self) -> bool:
        """Send no work there any more; returns whether it was open."""
        with self._lock:
            was_open, self._is_open = self._is_open, False
        return was_open

    def _ending(self) -> Thread | None:
        """End a connection that was left, unless it is used or has ended.

        A client that is closed while another thread waits for it never wakes that up.
        Only `close` waits for the end: the other side may be gone.
        """
        with self._lock:
            if self._is_open or self._users or self._has_ended:
                return None
            self._has_ended = True
        ending = Thread(target=self._end, name="kpca-cluster-end", daemon=True)
        ending.start()
        return ending

    def _end(self) -> None:
        self._rows.forget()
        self._stack.close()

    def each_rows(self) -> DaskRows | None:
        """Return what passes over many rows; None once it is closed or lost."""
        return self._rows if self._is_open else None

    def each_block(self) -> DaskExecutor | None:
        """Return what runs jobs; None once it is closed or lost."""
        return self.executor if self._is_open else None

    def make_points(self) -> "PointExecutor | None":
        """Return what makes points of sweeps; None once it is closed or lost."""
        return PointExecutor(self) if self._is_open else None

    @property
    def place(self) -> str:
        return self._rows.place if self._is_open else ""


@dataclass(frozen=True, eq=False)
class PointExecutor:
    """A `MakePoints` that tells when it fails."""

    backend: DaskBackend

    @property
    def place(self) -> str:
        return self.backend.place

    def __call__(
        self,
        request: AnalysisRequest,
        sweep: SweepSettings,
        order: Sequence[int],
        should_stop: ShouldStop,
    ) -> Iterator[Made]:
        executor = self.backend.executor
        yield from make_on(executor, request, sweep, order, should_stop)
