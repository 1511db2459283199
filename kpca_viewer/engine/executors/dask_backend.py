"""The Dask cluster that a window is connected to."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any, TypeVar

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.engine.executors.dask_connection import Cluster, Encryption, connected
from kpca_viewer.engine.executors.dask_executor import DaskExecutor, DaskRows
from kpca_viewer.engine.executors.executor import Work
from kpca_viewer.engine.executors.time_limits import lost
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.jobs import make_on
from kpca_viewer.engine.sweep.point_maker import Made
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.errors import ClusterError, KpcaError
from kpca_viewer.support.progress import ShouldStop, check, never

T = TypeVar("T")

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
        """Ask a cluster.

        Raises
        ------
        ClusterError
            If it does not answer.
        """
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
    """A `RemoteBackend`: a connection that is kept until it is ended or lost.

    Parameters
    ----------
    told : callable
        Called once when it is lost, on the thread that notices it; no work is sent
        there from then on.
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
            self._rows = DaskRows(cluster)
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

    def lose(self, error: ClusterError) -> None:
        """Give the connection up, and tell that it is lost."""
        if self._leave():
            self._told(error)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice that the connection is lost by what goes wrong inside.

        Raises
        ------
        ClusterError
            Whatever it is that a connection without its other end has raised.
        """
        with self._lock:
            self._users += 1
        try:
            yield
        except ClusterError as error:
            self.lose(error)
            raise
        except KpcaError:
            raise
        except Exception as error:
            if self._cluster.client.status == "running":
                raise
            told = lost(self._cluster.title)
            self.lose(told)
            raise told from error
        finally:
            with self._lock:
                self._users -= 1
            self._ending()

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

    def each_rows(self) -> "WatchedRows | None":
        """Return what passes over many rows; None once it is closed or lost."""
        return WatchedRows(self, self._rows) if self._is_open else None

    def each_block(self) -> "WatchedExecutor | None":
        """Return what runs jobs; None once it is closed or lost."""
        if not self._is_open:
            return None
        return WatchedExecutor(self, DaskExecutor(self._cluster))

    def make_points(self) -> "PointExecutor | None":
        """Return what makes points of sweeps; None once it is closed or lost."""
        executor = self.each_block()
        return None if executor is None else PointExecutor(executor)

    @property
    def place(self) -> str:
        """Where it is, in words; empty once it is closed or lost."""
        return self._rows.place if self._is_open else ""


@dataclass(frozen=True, eq=False)
class WatchedRows:
    """An `EachRows` that tells when it fails."""

    backend: DaskBackend
    rows: DaskRows

    @property
    def place(self) -> str:
        return self.rows.place

    def __call__(
        self, work: Callable[[Points], T], points: Points, should_stop: ShouldStop
    ) -> Iterator[tuple[slice, T]]:
        """Do the work as `DaskRows` does."""
        with self.backend.watched():
            yield from self.rows(work, points, should_stop)


@dataclass(frozen=True, eq=False)
class WatchedExecutor:
    """An `Executor` that tells when it fails."""

    backend: DaskBackend
    executor: DaskExecutor

    @property
    def place(self) -> str:
        """Where it is, in words; empty once it has failed."""
        return self.backend.place

    @property
    def workers(self) -> int:
        return self.executor.workers

    @property
    def bytes_moved(self) -> int:
        return self.executor.bytes_moved

    def __call__(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[T]:
        with self.backend.watched():
            yield from self.executor(work, jobs, should_stop)

    def completed(
        self, work: Work[T], jobs: Sequence[Any], should_stop: ShouldStop = never
    ) -> Iterator[tuple[int, T | None]]:
        with self.backend.watched():
            yield from self.executor.completed(work, jobs, should_stop)


@dataclass(frozen=True, eq=False)
class PointExecutor:
    """A `MakePoints` that tells when it fails."""

    executor: WatchedExecutor

    @property
    def place(self) -> str:
        """Where it is, in words; empty once it has failed."""
        return self.executor.place

    def __call__(
        self,
        request: AnalysisRequest,
        sweep: SweepSettings,
        order: Sequence[int],
        should_stop: ShouldStop,
    ) -> Iterator[Made]:
        """Make the points as `make_on` does."""
        yield from make_on(self.executor, request, sweep, order, should_stop)
