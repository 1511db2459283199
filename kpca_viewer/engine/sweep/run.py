"""A parameter range → a sequence of analyses that share what they can.

Points are made on all cores, and take their places in the order of their usefulness:
the pictures are oriented as they come and once more, from left to right, at the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from kpca_viewer.core.orientation import Configuration, along, is_same
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.backend import MakePoints
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.stages import find_dataset, suggested_for
from kpca_viewer.engine.sweep.parameters import current_value
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.point_maker import (
    Made,
    PendingScores,
    PointMaker,
    nearest_in_grid,
    with_coordinates,
)
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import ClusterError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import MOST_THREADS, cores, in_order, one_blas_thread

BYTES_PER_PAIR = {"dense": 40}
"""Of the matrices that a solver has in memory for a point."""

ITERATIVE = 16
"""The same for the others: K in float32, once more in float64, and room to work."""

Publish = Callable[[SweepPoint], None]
Answer = TypeVar("Answer")


def run_sweep(
    request: AnalysisRequest,
    sweep: SweepSettings,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
    publish: Publish = lambda _point: None,
    threads: int | None = None,
    make_points: MakePoints | None = None,
) -> SweepResult:
    """Compute a sweep, the most useful values first.

    ``request``: what all values share; ``publish``: given every point as soon as it is
    there, once more those whose orientation is another at the end, and at the end all
    of them with all of their measures; ``threads``: by default as many as there are
    cores and memory for. No number depends on it; ``make_points``: makes points instead
    of threads. Those that it leaves with a `ClusterError` are made here; Returns: a
    value that fails is a point with an error; it ends nothing.
    """
    sweeper = Sweeper(request, sweep, cache, should_stop)
    order = sweeper.order()
    count = threads or thread_count(request, sweep, cache, beside_window=True)

    def reported(
        answers: Iterable[Answer], what: str, total: int, share: float, part: float
    ) -> Iterator[Answer]:
        """Yield answers; before each, report which one it is of a part of the work."""

        def report(done: int) -> None:
            where = "" if make_points is None else f" {make_points.place}"
            text = f"{what} {done + 1} of {total}{where}".rstrip()
            progress(text, share + part * done / total)

        if total:
            report(0)
        for done, answer in enumerate(answers, start=1):
            yield answer
            if done < total:
                report(done)

    made = _made(sweeper, order, count, should_stop, make_points)
    # From a backend, points come with their measures.
    part = 0.5 if make_points is None else 1.0
    for found in reported(made, "value", len(order), 0.0, part):
        publish(sweeper.place(found))
    for point in sweeper.orient():
        publish(point)
    # All pictures first: to compare every row with every other one takes longer.
    unmeasured = [index for index in order if index in sweeper.pending]
    measured = in_order(sweeper.measured, unmeasured, count, should_stop)
    for point in reported(measured, "measures", len(unmeasured), 0.5, 0.5):
        publish(sweeper.put(point))
    progress("sweep", 1.0)
    return sweeper.result()


def _made(
    sweeper: "Sweeper",
    order: Sequence[int],
    threads: int,
    should_stop: ShouldStop,
    make_points: MakePoints | None,
) -> Iterator[Made]:
    """Yield points in their order, made by a backend as long as it can be reached."""
    done = 0
    if make_points is not None:
        try:
            for made in make_points(sweeper.request, sweeper.sweep, order, should_stop):
                yield made
                done += 1
        except ClusterError:
            pass
    yield from in_order(sweeper.maker.make, order[done:], threads, should_stop)


class Sweeper:
    """Gives the points of a sweep their places, in any order."""

    def __init__(
        self,
        request: AnalysisRequest,
        sweep: SweepSettings,
        cache: StageCache,
        should_stop: ShouldStop = never,
    ) -> None:
        self.maker = PointMaker(request, sweep, cache)
        self.request = request
        self.sweep = sweep
        self._cache = cache
        self._should_stop = should_stop
        self._pictures: dict[int, Configuration] = {}
        self._signs: dict[int, Array] = {}
        self._points: dict[int, SweepPoint] = {}
        self.pending: dict[int, PendingScores] = {}
        self._first: int | None = None

    def order(self) -> list[int]:
        settings = self.request.settings
        dataset = find_dataset(self.request, self._cache, self._should_stop)
        suggested = suggested_for(dataset, settings, self._cache)
        now = tuple(
            current_value(settings, axis.parameter, suggested)
            for axis in self.sweep.axes
        )
        return self.sweep.order(now)

    @one_blas_thread()
    def place(self, made: Made) -> SweepPoint:
        """Give a point its place, in step with the nearest picture that has one."""
        point, picture = made.point, made.picture
        if picture is not None:
            columns = self.sweep.shape[0]
            nearest = nearest_in_grid(made.index, self._pictures, columns)
            self._signs[made.index] = np.ones(picture.scores.shape[1])
            if nearest is None:
                self._first = made.index
            else:
                orientation = picture.towards(self._pictures[nearest])
                picture = self._turned(made.index, picture, orientation)
            self._pictures[made.index] = picture
            point = with_coordinates(point, picture.scores, self._signs[made.index])
        if made.pending is not None:
            self.pending[made.index] = made.pending
        self._points[made.index] = point
        return point

    def _turned(
        self, index: int, picture: Configuration, orientation: Array
    ) -> Configuration:
        """Turn a picture, and keep in mind which axes that has mirrored."""
        mirrored = np.diagonal(orientation) < 0
        self._signs[index] = np.where(mirrored, -1.0, 1.0) * self._signs[index]
        return picture.oriented(orientation)

    def measured(self, index: int, should_stop: ShouldStop = never) -> SweepPoint:
        return self.pending[index].put_into(self._points[index], should_stop)

    def put(self, point: SweepPoint) -> SweepPoint:
        del self.pending[point.index]
        self._points[point.index] = point
        return point

    @one_blas_thread()
    def orient(self) -> list[SweepPoint]:
        """Orient all points from left to right; return those that have changed."""
        changed = []
        found = along(self._pictures, self.sweep.shape[0], self._first)
        for index, orientation in found.items():
            if is_same(orientation):
                continue
            picture = self._turned(index, self._pictures[index], orientation)
            self._pictures[index] = picture
            point = self._points[index]
            point = with_coordinates(point, picture.scores, self._signs[index])
            self._points[index] = point
            changed.append(point)
        return changed

    def result(self) -> SweepResult:
        points = tuple(self._points[index] for index in sorted(self._points))
        return SweepResult(self.sweep, self.request.settings, points)


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
    swept = [
        int(max(float(value) for value in axis.values()))
        for axis in sweep.axes
        if axis.parameter == "samples"
    ]
    return max(swept) if swept else find_dataset(request, cache).n
