"""Points of sweeps on a cluster: the data are sent once, each point is a job."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kpca_viewer.engine.executors.connection import Cluster
from kpca_viewer.engine.executors.dask_jobs import ClusterJobs
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.point_maker import Job, Made, PointJobs, Sweep, alone
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.progress import ShouldStop, never


@dataclass(frozen=True, eq=False)
class _Whole:
    """Computes points by themselves."""

    points: PointJobs

    def __call__(self, job: Job, _number: int) -> SweepPoint:
        return self.points.whole(job)


@dataclass(frozen=True, eq=False)
class _Measured:
    """Computes points that are to have a place among others."""

    points: PointJobs

    def __call__(self, job: Job, _number: int) -> Made:
        return self.points.measured(job)


def on_cluster(
    cluster: Cluster, sweeps: Sequence[Sweep], jobs: Sequence[Job]
) -> Iterator[tuple[Job, SweepPoint]]:
    """Compute points on a cluster, in the order in which they are done.

    Raises
    ------
    ClusterError
        If it is lost.
    """
    points = PointJobs(sweeps)
    for number, point in ClusterJobs(cluster, _Whole(points), jobs).answers():
        job = jobs[number]
        yield job, points.given_up(job) if point is None else point


def made_on_cluster(
    cluster: Cluster,
    request: AnalysisRequest,
    sweep: SweepSettings,
    order: Sequence[int],
    should_stop: ShouldStop = never,
) -> Iterator[Made]:
    """Compute points of one sweep on a cluster, and give them in this order.

    Raises
    ------
    ClusterError
        If it is lost.
    Cancelled
    """
    points = PointJobs([Sweep(alone(request, should_stop), sweep)])
    jobs = [Job(0, index) for index in order]
    made = ClusterJobs(cluster, _Measured(points), jobs, should_stop).in_turn()
    for job, found in zip(jobs, made, strict=True):
        yield Made(points.given_up(job)) if found is None else found
