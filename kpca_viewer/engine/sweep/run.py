"""A parameter range → a sequence of analyses that share what they can.

Points are made on all cores, and take their places in the order of their usefulness:
the pictures are oriented as they come and once more, from left to right, at the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from kpca_viewer.core.orientation import Configuration, along, is_same
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.backend import MakePoints
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.stages import find_dataset, suggested_for
from kpca_viewer.engine.sweep.point_maker import (
    Judged,
    Made,
    PointMaker,
    with_coordinates,
)
from kpca_viewer.engine.sweep.parameters import current_value
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.sweep.sharing import thread_count
from kpca_viewer.engine.sweep.solving import nearest_in_grid
from kpca_viewer.support.errors import ClusterError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import in_order

__all__ = ["SweepPoint", "SweepResult", "SweepSettings", "Sweeper", "run_sweep"]

Publish = Callable[[SweepPoint], None]
Answer = TypeVar("Answer")


def _ignore(point: SweepPoint) -> None:
    """Nobody wants points before the end."""


def run_sweep(
    request: AnalysisRequest,
    sweep: SweepSettings,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
    publish: Publish = _ignore,
    threads: int | None = None,
    elsewhere: MakePoints | None = None,
) -> SweepResult:
    """Compute a sweep, the most useful values first.

    Parameters
    ----------
    request : AnalysisRequest
        What all values share.
    publish : callable
        Given every point as soon as it is there, once more those whose orientation
        is another at the end, and at the end all of them with all of their measures.
    threads : int, optional
        That points are made on; as many as there are cores and memory for. No number
        depends on it.
    elsewhere : MakePoints, optional
        Who makes points instead of threads. Those that it leaves with a `ClusterError`
        are made here.

    Returns
    -------
    SweepResult
        A value that fails is a point with an error; it ends nothing.

    Raises
    ------
    Cancelled
    DataError
        If there are no data at all.
    """
    sweeper = Sweeper(request, sweep, cache, should_stop)
    order = sweeper.order()
    count = threads or thread_count(request, sweep, cache, beside_window=True)
    made = _made(sweeper, order, count, should_stop, elsewhere)
    progress = _with_place(progress, elsewhere)
    # Elsewhere, points get their measures with them.
    part = 0.5 if elsewhere is None else 1.0
    for found in _told(made, "value", len(order), 0.0, part, progress):
        publish(sweeper.place(found))
    for point in sweeper.orient():
        publish(point)
    # All pictures first: to compare every row with every other one takes longer.
    unmeasured = sweeper.unmeasured(order)
    measured = in_order(sweeper.measured, unmeasured, count, should_stop)
    for point in _told(measured, "measures", len(unmeasured), 0.5, 0.5, progress):
        publish(sweeper.put(point))
    progress("sweep", 1.0)
    return sweeper.result()


def _made(
    sweeper: "Sweeper",
    order: Sequence[int],
    threads: int,
    should_stop: ShouldStop,
    elsewhere: MakePoints | None,
) -> Iterator[Made]:
    """Yield points in their order, made elsewhere as far as that goes."""
    done = 0
    if elsewhere is not None:
        try:
            for made in elsewhere(sweeper.request, sweeper.sweep, order, should_stop):
                yield made
                done += 1
        except ClusterError:
            pass
    yield from in_order(sweeper.maker.make, order[done:], threads, should_stop)


def _with_place(progress: Progress, elsewhere: MakePoints | None) -> Progress:
    """Return what also says where points are made, as long as that is elsewhere."""
    if elsewhere is None:
        return progress

    def told(stage: str, fraction: float | None) -> None:
        progress(f"{stage} {elsewhere.place}".rstrip(), fraction)

    return told


def _told(
    answers: Iterable[Answer],
    what: str,
    count: int,
    share: float,
    part: float,
    progress: Progress,
) -> Iterator[Answer]:
    """Yield answers; before each, say which one it is of a part of the work."""
    if count:
        progress(f"{what} 1 of {count}", share)
    for done, answer in enumerate(answers, start=1):
        yield answer
        if done < count:
            progress(f"{what} {done + 1} of {count}", share + part * done / count)


class Sweeper:
    """Gives the points of a sweep their places, in any order.

    Parameters
    ----------
    request : AnalysisRequest
        What all values share.

    Attributes
    ----------
    maker : PointMaker
        What makes them, on any thread.
    """

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
        self._points: dict[int, SweepPoint] = {}
        self._judged: dict[int, Judged] = {}
        self._first: int | None = None

    def order(self) -> list[int]:
        """Return the points in the order of their usefulness."""
        settings = self.request.settings
        dataset = find_dataset(self.request, self._cache, self._should_stop)
        suggested = suggested_for(dataset, settings, self._cache)
        now = tuple(
            current_value(settings, axis.parameter, suggested)
            for axis in self.sweep.axes
        )
        return self.sweep.order(now)

    def place(self, made: Made) -> SweepPoint:
        """Give a point its place, in step with the nearest picture that has one."""
        point, picture = made.point, made.picture
        if picture is not None:
            columns = self.sweep.shape[0]
            nearest = nearest_in_grid(made.index, self._pictures, columns)
            if nearest is None:
                self._first = made.index
            else:
                picture = picture.oriented(picture.towards(self._pictures[nearest]))
            self._pictures[made.index] = picture
            point = with_coordinates(point, picture.scores)
        if made.judged is not None:
            self._judged[made.index] = made.judged
        self._points[made.index] = point
        return point

    def unmeasured(self, order: Iterable[int]) -> list[int]:
        """Return which points have a picture that is not scored yet, in their order."""
        return [index for index in order if index in self._judged]

    def measured(self, index: int, should_stop: ShouldStop = never) -> SweepPoint:
        """Return a point that has its place, with all of its measures."""
        return self._judged[index].put_into(self._points[index], should_stop)

    def put(self, point: SweepPoint) -> SweepPoint:
        """Take a point with its measures in the place of the one without."""
        del self._judged[point.index]
        self._points[point.index] = point
        return point

    def orient(self) -> list[SweepPoint]:
        """Orient all points from left to right; return those that have changed."""
        changed = []
        found = along(self._pictures, self.sweep.shape[0], self._first)
        for index, orientation in found.items():
            if is_same(orientation):
                continue
            picture = self._pictures[index].oriented(orientation)
            self._pictures[index] = picture
            point = with_coordinates(self._points[index], picture.scores)
            self._points[index] = point
            changed.append(point)
        return changed

    def result(self) -> SweepResult:
        points = tuple(self._points[index] for index in sorted(self._points))
        return SweepResult(self.sweep, self.request.settings, points)
