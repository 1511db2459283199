"""Points of sweeps as jobs, which any executor runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kpca_viewer.data.reading import EvictedTable
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.executor import MOST_DEATHS, Executor
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.point_maker import Made, PointMaker
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.progress import ShouldStop, never


@dataclass(frozen=True, eq=False)
class Sweep:
    """One of several sweeps that are computed together."""

    request: AnalysisRequest
    settings: SweepSettings


@dataclass(frozen=True)
class Job:
    """One point: which sweep, and its place in it."""

    sweep: int
    index: int


class PointJobs:
    """Computes points of several sweeps, on any thread.

    What they share is cached where it is computed: pickled, only the data are sent.
    """

    def __init__(
        self, sweeps: Sequence[Sweep], cache: StageCache | None = None
    ) -> None:
        self._sweeps = tuple(sweeps)
        cache = cache or StageCache()
        self._makers = [PointMaker(s.request, s.settings, cache) for s in sweeps]

    def whole(self, job: Job, _number: int = 0) -> SweepPoint:
        """Compute a point with all of its measures, oriented by the rule."""
        return self._makers[job.sweep].whole(job.index)

    def measured(self, job: Job, _number: int = 0) -> Made:
        """Compute a point with all of its measures, before it has its place."""
        return self._makers[job.sweep].measured(job.index)

    def given_up(self, job: Job) -> SweepPoint:
        """Return what stands for a point that too many processes have died of."""
        sweep = self._sweeps[job.sweep]
        return SweepPoint(
            job.index,
            sweep.settings.cells()[job.index],
            sweep.settings.apply(sweep.request.settings, job.index),
            error=f"{MOST_DEATHS} processes died at this value, perhaps for lack of "
            "memory; choose fewer points or fewer workers.",
        )

    def __reduce__(self) -> tuple[type["PointJobs"], tuple[tuple[Sweep, ...]]]:
        return PointJobs, (self._sweeps,)


def alone(request: AnalysisRequest, should_stop: ShouldStop = never) -> AnalysisRequest:
    """Return a request with the data that it names and no others, to be sent away."""
    name = request.settings.data.source
    source = request.opened.get(name)
    if isinstance(source, EvictedTable):
        # Cells that were released from memory: their file is here.
        source = source.read(should_stop)
    return replace(
        request, opened={} if source is None else {name: source}, new_rows=None
    )


def compute_points(
    executor: Executor, points: PointJobs, jobs: Sequence[Job]
) -> Iterator[tuple[Job, SweepPoint]]:
    """Compute points, in the order in which they are done."""
    for number, point in executor.completed(points.whole, jobs):
        job = jobs[number]
        yield job, points.given_up(job) if point is None else point


def make_on(
    executor: Executor,
    request: AnalysisRequest,
    sweep: SweepSettings,
    order: Sequence[int],
    should_stop: ShouldStop = never,
) -> Iterator[Made]:
    """Compute points of one sweep, and give them in this order."""
    points = PointJobs([Sweep(alone(request, should_stop), sweep)])
    jobs = [Job(0, index) for index in order]
    early: dict[int, Made] = {}
    following = 0
    for number, made in executor.completed(points.measured, jobs, should_stop):
        early[number] = Made(points.given_up(jobs[number])) if made is None else made
        while following in early:
            yield early.pop(following)
            following += 1
