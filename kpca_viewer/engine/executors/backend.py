"""Where a window lets large work run: in this process, or on a remote backend."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kpca_viewer.core.solvers.problem import EachRows
    from kpca_viewer.engine.executors.dask_backend import DaskBackend
    from kpca_viewer.engine.executors.executor import Executor
    from kpca_viewer.engine.request import AnalysisRequest
    from kpca_viewer.engine.sweep.point_maker import Made
    from kpca_viewer.engine.sweep.settings import SweepSettings
    from kpca_viewer.support.progress import ShouldStop


class MakePoints(Protocol):
    """Makes points of a sweep outside of this process."""

    @property
    def place(self) -> str:
        """Where that is, in words: "on 4 workers"; empty once it has failed."""

    def __call__(
        self,
        request: "AnalysisRequest",
        sweep: "SweepSettings",
        order: Sequence[int],
        should_stop: "ShouldStop",
    ) -> "Iterable[Made]":
        """Yield points with all measures, in this order, or raise `ClusterError`."""


class ComputeBackend:
    """Where the large work of a window runs; may be used on any thread."""

    remote: "DaskBackend | None" = None
    """None is this process."""

    def each_rows(self) -> "EachRows | None":
        """Return what passes over many rows; None is this process."""
        remote = self.remote
        return None if remote is None else remote.each_rows()

    def each_block(self) -> "Executor | None":
        """Return what runs work on blocks of a table in parts; None is this process."""
        remote = self.remote
        return None if remote is None else remote.each_block()

    def make_points(self) -> MakePoints | None:
        """Return what makes points of sweeps; None is this process."""
        remote = self.remote
        return None if remote is None else remote.make_points()
