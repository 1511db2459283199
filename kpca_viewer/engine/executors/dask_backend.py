"""A cluster that a window is connected to, lent to whoever has large work."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TypeVar

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.solvers.blocks import Blocks, Work
from kpca_viewer.engine.executors.block_worker import ClusterEach
from kpca_viewer.engine.executors.connection import Cluster, Encryption, connected
from kpca_viewer.engine.executors.row_passes import ClusterRows
from kpca_viewer.engine.executors.sweep_points import made_on_cluster
from kpca_viewer.engine.executors.time_limits import lost
from kpca_viewer.engine.request import AnalysisRequest
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
        Told once that it is lost, by whichever thread notices it; from then on nobody
        is sent there.
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
            self._rows = ClusterRows(cluster)
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
        """Send nobody there any more; whoever is at work there comes to an end."""
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
        """Send nobody there any more; returns whether anybody was sent before."""
        with self._lock:
            was_open, self._is_open = self._is_open, False
        return was_open

    def _ending(self) -> Thread | None:
        """End a connection that was left, unless somebody uses it or it has ended.

        A client that is closed while another thread waits for it never wakes that up.
        Nobody but `close` waits for the end: the other side may be gone.
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

    def each_rows(self) -> "RowExecutor | None":
        """Return who passes over many rows; None once it is closed or lost."""
        return RowExecutor(self, self._rows) if self._is_open else None

    def each_block(self) -> "BlockExecutor | None":
        """Return who works on blocks; None once it is closed or lost."""
        if not self._is_open:
            return None
        return BlockExecutor(
            self, ClusterEach(self._cluster.client, self._cluster.title)
        )

    def make_points(self) -> "PointExecutor | None":
        """Return who makes points of sweeps; None once it is closed or lost."""
        return PointExecutor(self, self._cluster) if self._is_open else None

    @property
    def place(self) -> str:
        """Where it is, in words; empty once it is closed or lost."""
        return self._rows.place if self._is_open else ""


@dataclass(frozen=True, eq=False)
class RowExecutor:
    """An `EachRows` that tells when it fails."""

    backend: DaskBackend
    rows: ClusterRows

    @property
    def place(self) -> str:
        return self.rows.place

    def __call__(
        self, work: Callable[[Points], T], points: Points, should_stop: ShouldStop
    ) -> Iterator[tuple[slice, T]]:
        """Do the work as `ClusterRows` does."""
        with self.backend.watched():
            yield from self.rows(work, points, should_stop)


@dataclass(frozen=True, eq=False)
class BlockExecutor:
    """An `Each` that tells when it fails."""

    backend: DaskBackend
    each: ClusterEach

    @property
    def place(self) -> str:
        return self.backend.place

    def __call__(
        self, work: Work[T], blocks: Blocks, should_stop: ShouldStop = never
    ) -> Iterator[T]:
        """Do the work as `ClusterEach` does."""
        with self.backend.watched():
            yield from self.each(work, blocks, should_stop)


@dataclass(frozen=True, eq=False)
class PointExecutor:
    """A `MakePoints` that tells when it fails."""

    backend: DaskBackend
    cluster: Cluster

    @property
    def place(self) -> str:
        """Where it is, in words; empty once it has failed."""
        return self.backend.place

    def __call__(
        self,
        request: AnalysisRequest,
        sweep: SweepSettings,
        order: Sequence[int],
        should_stop: ShouldStop,
    ) -> Iterator[Made]:
        """Make the points as `made_on_cluster` does."""
        with self.backend.watched():
            yield from made_on_cluster(self.cluster, request, sweep, order, should_stop)
