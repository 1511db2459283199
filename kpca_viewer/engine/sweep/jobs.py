"""Points of sweeps as jobs that can be done anywhere: threads, processes, a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kpca_viewer.data.evicted_table import EvictedTable
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.making import Made, PointMaker
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.progress import ShouldStop, never

MOST_DEATHS = 3
"""After so many processes have died of one point, it is given up with a sentence."""


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

    What they share is remembered where it is computed: sent elsewhere, this begins with
    nothing but the data.
    """

    def __init__(
        self, sweeps: Sequence[Sweep], cache: StageCache | None = None
    ) -> None:
        self._sweeps = tuple(sweeps)
        cache = cache or StageCache()
        self._makers = [PointMaker(s.request, s.settings, cache) for s in sweeps]

    def whole(self, job: Job, should_stop: ShouldStop = never) -> SweepPoint:
        """Compute a point with all of its measures, oriented by the rule."""
        return self._makers[job.sweep].whole(job.index, should_stop)

    def measured(self, job: Job, should_stop: ShouldStop = never) -> Made:
        """Compute a point with all of its measures, before it has its place."""
        return self._makers[job.sweep].measured(job.index, should_stop)

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
    """Return a request with the data that it names and no others, to be sent away.

    Cells that were released from memory are read again: their file is here.
    """
    name = request.settings.data.source
    source = request.opened.get(name)
    if isinstance(source, EvictedTable):
        source = source.read(should_stop)
    return replace(
        request, opened={} if source is None else {name: source}, new_rows=None
    )
