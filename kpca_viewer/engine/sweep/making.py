"""One point of a sweep by itself: it knows of no other, so any thread may make it.

What all points share is found in the cache, where the first one has put it.
"""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.orientation import Configuration, flips
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.comparison import linear_pca
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.stages import (
    Prepared,
    SameArray,
    counts,
    find_dataset,
    numbers,
    prepare,
)
from kpca_viewer.engine.sweep.measures import SpectrumFacts, spectrum_measures
from kpca_viewer.engine.sweep.parameters import COMPONENTS
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.scoring import PictureScorer, Taken
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.sweep.solving import solve_point
from kpca_viewer.support.errors import Cancelled, KpcaError, sentence_of
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

THUMBNAIL_ROWS = 2000
FILM_ROWS = 20_000
"""Up to this many rows, a point holds all of them, so that a film can glide."""

LARGEST_SINGLE = 1e15
"""Scores of a polynomial kernel on unscaled data can be larger than float32."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What is left to be scored of a picture."""

    scorer: PictureScorer
    taken: Taken
    axes: list[int]

    def put_into(
        self, point: SweepPoint, should_stop: ShouldStop = never
    ) -> SweepPoint:
        """Return a point with all of its measures."""
        with one_blas_thread():
            scores, yardstick = self.scorer.score(self.taken, self.axes, should_stop)
        return replace(
            point,
            measures={**point.measures, **scores},
            yardstick=yardstick,
            is_measured=True,
        )


@dataclass(frozen=True, eq=False)
class Made:
    """A point as it is made, before it has its place among the others."""

    point: SweepPoint
    """Without coordinates."""
    picture: Configuration | None = None
    """In the orientation of the rule; None where there is no picture."""
    judged: Judged | None = None

    @property
    def index(self) -> int:
        """Place in `SweepSettings.cells`."""
        return self.point.index


class PointMaker:
    """Makes points of a sweep, in any order and on any thread.

    Parameters
    ----------
    request : AnalysisRequest
        What all values share.
    """

    def __init__(
        self, request: AnalysisRequest, sweep: SweepSettings, cache: StageCache
    ) -> None:
        self._request = request
        self._sweep = sweep
        self._cache = cache

    def make(self, index: int, should_stop: ShouldStop = never) -> Made:
        """Compute one point; one that fails has a sentence instead of a picture."""
        point = SweepPoint(
            index,
            self._sweep.cells()[index],
            self._sweep.apply(self._request.settings, index),
        )
        absent = self._sweep.why_absent(index)
        if absent:
            return Made(replace(point, error=absent, applies=False))
        try:
            # However many there are, the last digits are those of one.
            with one_blas_thread():
                return self._made(point, should_stop)
        except Cancelled:
            raise
        except (KpcaError, MemoryError) as error:
            text = str(error) or "There is not enough memory; choose fewer points."
        except Exception as error:  # noqa: BLE001  # one value must not end the others
            text = sentence_of(error)
        return Made(replace(point, error=text))

    def measured(self, index: int, should_stop: ShouldStop = never) -> Made:
        """Compute one point with all of its measures."""
        made = self.make(index, should_stop)
        if made.judged is None:
            return made
        point = made.judged.put_into(made.point, should_stop)
        return replace(made, point=point, judged=None)

    def whole(self, index: int, should_stop: ShouldStop = never) -> SweepPoint:
        """Compute one point with all of its measures, oriented by the rule."""
        made = self.measured(index, should_stop)
        if made.picture is None:
            return made.point
        return with_coordinates(made.point, made.picture.scores)

    def _made(self, point: SweepPoint, should_stop: ShouldStop) -> Made:
        started = perf_counter()
        settings = point.settings
        request = replace(self._request, settings=settings)
        dataset = find_dataset(request, self._cache, should_stop)
        prepared = prepare(dataset, settings, self._cache, should_stop)
        with_spare = solve_point(prepared, settings, self._cache, should_stop)
        signs = flips(settings.view.flipped, len(with_spare.eigenvalues))
        with_spare = with_spare.oriented(signs)
        found = with_spare.leading(counts(prepared, settings)[0])
        check(should_stop)
        known = numbers(found, dataset.n)
        scores = training_scores(with_spare, settings.analysis.scoring)
        axes = self._sweep.judged_axes(settings, len(found.eigenvalues))
        scorer = self._scorer(prepared)
        judged = Judged(scorer, scorer.take(scores[:, axes]), axes)
        facts = SpectrumFacts(known.shares, known.effective_rank, found.error)
        point = replace(
            point,
            eigenvalues=found.eigenvalues,
            bounds=found.bounds,
            shares=known.shares,
            measures=scorer.quick(judged.taken) | spectrum_measures(facts),
            labels=None
            if dataset.labels is None
            else dataset.labels[sample_rows(dataset.n, THUMBNAIL_ROWS)],
            n=dataset.n,
            solver=found.solver,
            seconds=perf_counter() - started,
            is_measured=False,
        )
        return Made(point, picture_of(scores, with_spare, dataset), judged)

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


def with_coordinates(point: SweepPoint, kept: Array) -> SweepPoint:
    """Put scores into a point: of all rows, and of a sample of them.

    Parameters
    ----------
    kept : ndarray of shape (m, k)
        Of all rows, or of the sample where there are too many for a film.
    """
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


def picture_of(scores: Array, found: Decomposition, dataset: Dataset) -> Configuration:
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
