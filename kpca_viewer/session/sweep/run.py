"""A parameter range → a sequence of analyses that share what they can.

The pairwise base is computed once; the pictures are oriented as they come and once
more, from left to right, at the end.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.orientation import Configuration, along, flips, is_same
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.quality import sample_rows
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.comparison import linear_pca
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.stages import (
    Prepared,
    SameArray,
    counts,
    find_dataset,
    numbers,
    prepare,
    suggested_for,
)
from kpca_viewer.session.sweep.measures import SpectrumFacts, spectrum_measures
from kpca_viewer.session.sweep.parameters import COMPONENTS, Value, current_value
from kpca_viewer.session.sweep.point import SweepPoint, SweepResult
from kpca_viewer.session.sweep.scoring import PictureScorer, Taken
from kpca_viewer.session.sweep.settings import SweepSettings
from kpca_viewer.session.sweep.solving import nearest_in_grid, solve_point
from kpca_viewer.support.errors import Cancelled, KpcaError, sentence_of
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent

__all__ = ["SweepPoint", "SweepResult", "SweepSettings", "Sweeper", "run_sweep"]

Array = NDArray[Any]
Publish = Callable[[SweepPoint], None]

THUMBNAIL_ROWS = 2000
FILM_ROWS = 20_000
"""Up to this many rows, a point holds all of them, so that a film can glide."""

LARGEST_SINGLE = 1e15
"""Scores of a polynomial kernel on unscaled data can be larger than float32."""


def _ignore(point: SweepPoint) -> None:
    """Nobody wants points before the end."""


def run_sweep(
    request: AnalysisRequest,
    sweep: SweepSettings,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
    publish: Publish = _ignore,
) -> SweepResult:
    """Compute a sweep, the most useful values first.

    Parameters
    ----------
    request : AnalysisRequest
        What all values share.
    publish : callable
        Given every point as soon as it is there, once more those whose orientation
        is another at the end, and at the end all of them with all of their measures.

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
    for done, index in enumerate(order):
        check(should_stop)
        progress(f"value {done + 1} of {len(order)}", done / (2 * len(order)))
        publish(sweeper.compute(index))
    for point in sweeper.orient():
        publish(point)
    # All pictures first: to compare every row with every other one takes longer.
    unmeasured = sweeper.unmeasured(order)
    for done, index in enumerate(unmeasured):
        check(should_stop)
        share = (1 + done / len(unmeasured)) / 2
        progress(f"measures {done + 1} of {len(unmeasured)}", share)
        publish(sweeper.measure(index))
    progress("sweep", 1.0)
    return sweeper.result()


class Sweeper:
    """Computes points of a sweep in any order.

    Parameters
    ----------
    request : AnalysisRequest
        What all values share.
    in_step : bool
        Whether every picture follows its neighbour. Where several sweepers share a
        sweep, each picture has its canonical orientation until all are there.
    """

    def __init__(
        self,
        request: AnalysisRequest,
        sweep: SweepSettings,
        cache: StageCache,
        should_stop: ShouldStop = never,
        *,
        in_step: bool = True,
    ) -> None:
        self._request = request
        self._in_step = in_step
        self._sweep = sweep
        self._cache = cache
        self._should_stop = should_stop
        self._pictures: dict[int, Configuration] = {}
        self._points: dict[int, SweepPoint] = {}
        self._taken: dict[int, tuple[PictureScorer, Taken, list[int]]] = {}
        self._first: int | None = None

    def order(self) -> list[int]:
        """Return the points in the order of their usefulness."""
        settings = self._request.settings
        dataset = find_dataset(self._request, self._cache, self._should_stop)
        suggested = suggested_for(dataset, settings, self._cache)
        now = tuple(
            current_value(settings, axis.parameter, suggested)
            for axis in self._sweep.axes
        )
        return self._sweep.order(now)

    def compute(self, index: int) -> SweepPoint:
        """Compute one point, oriented by its nearest neighbour."""
        settings = self._sweep.apply(self._request.settings, index)
        values = self._sweep.cells()[index]
        absent = self._sweep.why_absent(index)
        if absent:
            point = SweepPoint(index, values, settings, error=absent, applies=False)
            self._points[index] = point
            return point
        try:
            point = self._computed(index, values, settings)
        except Cancelled:
            raise
        except (KpcaError, MemoryError) as error:
            text = str(error) or "There is not enough memory; choose fewer points."
            point = SweepPoint(index, values, settings, error=text)
        except Exception as error:  # noqa: BLE001  # one value must not end the others
            point = SweepPoint(index, values, settings, error=sentence_of(error))
        self._points[index] = point
        return point

    def unmeasured(self, order: Iterable[int]) -> list[int]:
        """Return which points have a picture that is not scored yet, in their order."""
        return [index for index in order if index in self._taken]

    def measure(self, index: int) -> SweepPoint:
        """Score the picture of a point that was computed before."""
        point = self._points[index]
        if index not in self._taken:
            return point
        scorer, taken, axes = self._taken[index]
        scores, yardstick = scorer.score(taken, axes, self._should_stop)
        point = replace(
            point,
            measures={**point.measures, **scores},
            yardstick=yardstick,
            is_measured=True,
        )
        # Not before it is there: whoever is interrupted here may go on.
        del self._taken[index]
        self._points[index] = point
        return point

    def orient(self) -> list[SweepPoint]:
        """Orient all points from left to right; return those that have changed."""
        changed = []
        found = along(self._pictures, self._sweep.shape[0], self._first)
        for index, orientation in found.items():
            if is_same(orientation):
                continue
            picture = self._pictures[index].oriented(orientation)
            self._pictures[index] = picture
            point = self._shown(self._points[index], picture.scores)
            self._points[index] = point
            changed.append(point)
        return changed

    def result(self) -> SweepResult:
        """Return all points computed so far."""
        points = tuple(self._points[index] for index in sorted(self._points))
        return SweepResult(self._sweep, self._request.settings, points)

    # One point

    def _computed(
        self, index: int, values: tuple[Value, ...], settings: SessionSettings
    ) -> SweepPoint:
        started = perf_counter()
        request = replace(self._request, settings=settings)
        dataset = find_dataset(request, self._cache, self._should_stop)
        prepared = prepare(dataset, settings, self._cache, self._should_stop)
        with_spare = solve_point(prepared, settings, self._cache, self._should_stop)
        signs = flips(settings.view.flipped, len(with_spare.eigenvalues))
        with_spare = with_spare.oriented(signs)
        found = with_spare.leading(counts(prepared, settings)[0])
        check(self._should_stop)
        known = numbers(found, dataset.n)
        scores = training_scores(with_spare)
        axes = self._sweep.judged_axes(settings, len(found.eigenvalues))
        scorer = self._scorer(prepared)
        taken = scorer.take(scores[:, axes])
        self._taken[index] = scorer, taken, axes
        facts = SpectrumFacts(known.shares, known.effective_rank, found.error)
        measures = scorer.quick(taken) | spectrum_measures(facts)
        scores = self._oriented(index, scores, with_spare, dataset)
        point = SweepPoint(
            index,
            values,
            settings,
            eigenvalues=found.eigenvalues,
            bounds=found.bounds,
            shares=known.shares,
            measures=measures,
            labels=None
            if dataset.labels is None
            else dataset.labels[sample_rows(dataset.n, THUMBNAIL_ROWS)],
            n=dataset.n,
            solver=found.solver,
            seconds=perf_counter() - started,
            is_measured=False,
        )
        return self._shown(point, scores)

    def _oriented(
        self, index: int, scores: Array, found: Decomposition, dataset: Dataset
    ) -> Array:
        """Return the kept rows of the scores, in step with the nearest picture."""
        picture = _picture(scores, found, dataset)
        nearest = nearest_in_grid(index, self._pictures, self._sweep.shape[0])
        if nearest is None:
            self._first = index
        elif self._in_step:
            picture = picture.oriented(picture.towards(self._pictures[nearest]))
        self._pictures[index] = picture
        return picture.scores

    def _shown(self, point: SweepPoint, kept: Array) -> SweepPoint:
        """Put coordinates into a point: all rows, and a sample of them."""
        rows = sample_rows(point.n, THUMBNAIL_ROWS)
        axes = point.settings.view.axes
        kept = kept[:, : len(point.eigenvalues)]
        film = None
        if len(kept) == point.n:
            film = _frozen(_columns(kept, axes, 3))
            thumbnail = film[rows, :2]
        else:
            thumbnail = _columns(kept, axes)
        return replace(point, rows=rows, thumbnail=_frozen(thumbnail), film=film)

    def _scorer(self, prepared: Prepared) -> PictureScorer:
        cache, dataset, points = self._cache, prepared.dataset, prepared.points

        def make() -> PictureScorer:
            original = linear = None
            if dataset.kind == "points":
                original = points.dense()
                linear = linear_pca(original, self._most_judged()).scores
            return PictureScorer(original, dataset.labels, linear, dataset.n)

        key = points, SameArray(dataset.labels), self._most_judged()
        return cache.get("scorer", key, make)

    def _most_judged(self) -> int:
        """Return on how many components a picture of this sweep is scored at most."""
        counts = [
            int(max(float(value) for value in axis.values()))
            for axis in self._sweep.axes
            if axis.parameter == COMPONENTS.name
        ]
        return max(2, *counts, len(self._request.settings.view.shown_axes))


def _picture(scores: Array, found: Decomposition, dataset: Dataset) -> Configuration:
    """Describe the rows of scores that a sweep keeps."""
    whole = Configuration.of(scores, found.eigenvalues, found.bounds, dataset.labels)
    kept = _shortened(whole.scores)
    places = dataset.points if dataset.kind == "points" else None
    if dataset.n > FILM_ROWS:
        rows = sample_rows(dataset.n, THUMBNAIL_ROWS)
        kept = kept[rows]
        places = None if places is None else places[rows]
    return replace(whole, scores=kept, places=places)


def _columns(scores: Array, axes: tuple[int, ...], count: int = 2) -> Array:
    """Return the scores on the first axes; an axis that is missing is flat."""
    result = np.zeros((len(scores), count), dtype=scores.dtype)
    for position, axis in enumerate(axes[:count]):
        if axis < scores.shape[1]:
            result[:, position] = scores[:, axis]
    return result


def _shortened(scores: Array) -> Array:
    """Return scores as float32, or as they are where their squares would overflow."""
    fits = float(np.abs(scores).max(initial=0.0)) < LARGEST_SINGLE
    return scores.astype(np.float32) if fits else scores


def _frozen(array: Array) -> Array:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
