"""How many points of a sweep are made at once."""

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.stages import find_dataset
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support import memory
from kpca_viewer.support.threads import MOST_THREADS, cores

BYTES_PER_PAIR = {"dense": 40}
"""Of the matrices that a solver has in memory for a point."""

ITERATIVE = 16
"""The same for the others: K in float32, once more in float64, and room to work."""


def thread_count(
    request: AnalysisRequest,
    sweep: SweepSettings,
    cache: StageCache,
    *,
    beside_window: bool = False,
) -> int:
    """Return on how many threads a sweep is computed: as many as have room.

    Beside a window one core is left to it, if there are more than two; of two, it takes
    what it needs.
    """
    n = _most_rows(request, sweep, cache)
    size = BYTES_PER_PAIR.get(request.settings.analysis.solver, ITERATIVE) * n * n
    free = cores() - 1 if beside_window and cores() > 2 else cores()
    most = min(free, MOST_THREADS, len(sweep.cells()))
    room = (count for count in range(most, 1, -1) if memory.fits(count * size))
    return next(room, 1)


def _most_rows(
    request: AnalysisRequest, sweep: SweepSettings, cache: StageCache
) -> int:
    """Return how many rows the largest data of a sweep have."""
    swept = [
        int(max(float(value) for value in axis.values()))
        for axis in sweep.axes
        if axis.parameter == "samples"
    ]
    return max(swept) if swept else find_dataset(request, cache).n
