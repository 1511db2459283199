"""One point of a sweep by itself: it knows of no other, so any thread may make it.

What all points share is found in the cache, where the first one has put it. Nothing is
taken over from a neighbour: its eigenvectors would save a pass or two, but the last
digits would then depend on the order of the values, on interruptions and on the number
of workers; where eigenvalues are close to each other, digits of the scores too.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.orientation import Configuration, flips
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Decomposition, Problem, solve
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.comparison import linear_pca
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import (
    Prepared,
    SameArray,
    centred,
    counts,
    find_dataset,
    find_gram,
    prepare,
)
from kpca_viewer.engine.sweep.measures import SpectrumFacts, spectrum_measures
from kpca_viewer.engine.sweep.parameters import COMPONENTS
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.scoring import PictureScorer, ScoredRows
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import Cancelled, KpcaError, sentence_of
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import one_blas_thread

THUMBNAIL_ROWS = 2000
FILM_ROWS = 20_000
"""Up to this many rows, a point holds all of them, so that a film can glide."""

LARGEST_SINGLE = 1e15
"""Scores of a polynomial kernel on unscaled data can be larger than float32."""

TOLERANCE = 1e-3
"""Of the solvers: a thumbnail shows three digits. Bounds stay honest, and
adopting a value computes it to all digits."""


@dataclass(frozen=True, eq=False)
class PendingScores:
    """What is left to be scored of a picture."""

    scorer: PictureScorer
    taken: ScoredRows
    axes: list[int]

    def put_into(
        self, point: SweepPoint, should_stop: ShouldStop = never
    ) -> SweepPoint:
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
    pending: PendingScores | None = None

    @property
    def index(self) -> int:
        return self.point.index


class PointMaker:
    """Makes points of a sweep, in any order and on any thread."""

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
        made = self.make(index, should_stop)
        if made.pending is None:
            return made
        point = made.pending.put_into(made.point, should_stop)
        return replace(made, point=point, pending=None)

    def whole(self, index: int, should_stop: ShouldStop = never) -> SweepPoint:
        """Compute one point with all of its measures, oriented by the rule."""
        made = self.measured(index, should_stop)
        if made.picture is None:
            return made.point
        return with_coordinates(made.point, made.picture.scores)

    def _made(self, point: SweepPoint, should_stop: ShouldStop) -> Made:
        solved = _solve(point, self._request, self._cache, should_stop)
        point, scores = solved.point, solved.scores
        axes = self._sweep.judged_axes(point.settings, len(point.eigenvalues))
        scorer = self._scorer(solved.prepared)
        pending = PendingScores(scorer, scorer.take(scores[:, axes]), axes)
        measures = scorer.quick(pending.taken) | spectrum_measures(solved.facts)
        point = replace(point, measures=measures, is_measured=False)
        return Made(point, solved.picture, pending)

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
        counts = [
            int(max(float(value) for value in axis.values()))
            for axis in self._sweep.axes
            if axis.parameter == COMPONENTS.name
        ]
        return max(2, *counts, len(self._request.settings.view.shown_axes))


@dataclass(frozen=True, eq=False)
class _Solved:
    """A point with its spectrum, before it is measured and has its place."""

    point: SweepPoint
    prepared: Prepared
    scores: Array
    """Shape (n, k), with a few components to spare."""
    facts: SpectrumFacts
    picture: Configuration


def _solve(
    point: SweepPoint,
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
) -> _Solved:
    started, settings = perf_counter(), point.settings
    request = replace(request, settings=settings)
    dataset = find_dataset(request, cache, should_stop)
    prepared = prepare(dataset, settings, cache, should_stop)
    with_spare = solve_point(prepared, settings, cache, should_stop)
    signs = flips(settings.view.flipped, len(with_spare.eigenvalues))
    with_spare = with_spare.oriented(signs)
    found = with_spare.leading(counts(prepared, settings)[0])
    check(should_stop)
    scores = training_scores(with_spare, settings.analysis.scoring)
    rows = sample_rows(dataset.n, THUMBNAIL_ROWS)
    point = replace(
        point,
        eigenvalues=found.eigenvalues,
        bounds=found.bounds,
        shares=found.shares,
        labels=None if dataset.labels is None else dataset.labels[rows],
        n=dataset.n,
        solver=found.solver,
        seconds=perf_counter() - started,
    )
    facts = SpectrumFacts(found.shares, found.effective_rank, found.error)
    picture = picture_of(scores, with_spare, dataset)
    return _Solved(point, prepared, scores, facts, picture)


def make_pictures(
    request: AnalysisRequest,
    wanted: Sequence[SessionSettings],
    cache: StageCache,
    should_stop: ShouldStop,
    publish: Callable[[SweepPoint], None],
) -> None:
    """Compute pictures of settings one by one; one that fails says why instead."""
    for index, settings in enumerate(wanted):
        check(should_stop)
        point = SweepPoint(index, (), settings)
        try:
            with one_blas_thread():
                solved = _solve(point, request, cache, should_stop)
            point = with_coordinates(solved.point, solved.picture.scores)
        except Cancelled:
            raise
        except (KpcaError, MemoryError) as error:
            point = replace(point, error=sentence_of(error))
        publish(point)


def with_coordinates(
    point: SweepPoint, kept: Array, signs: Array | None = None
) -> SweepPoint:
    """Put scores (m, k) into a point: of all rows, or of a sample of many.

    ``signs`` (k,) are those by which they differ from the picture at rest.
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
    if signs is not None:
        turns = [signs[axis] if axis < len(signs) else 1.0 for axis in axes]
        point = replace(point, signs=np.array(turns))
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


def solve_point(
    prepared: Prepared,
    settings: SessionSettings,
    cache: StageCache,
    should_stop: ShouldStop = never,
) -> Decomposition:
    """Return the components of a point, with a few to spare for their orientation."""
    center = centred(prepared.dataset, settings)
    # All values share the pairwise base, so that it pays whatever the solver.
    gram = find_gram(prepared, "krylov", cache, should_stop, center=center)
    # A base in float64 and entries of at most 1: float32 is good enough.
    fits_single = (
        isinstance(gram, PointsGram)
        and gram.base is not None
        and gram.kernel.family.unit_diagonal
    )
    problem = Problem(
        gram,
        counts(prepared, settings)[1],
        center=center,
        tol=TOLERANCE,
        preview=fits_single,
        should_stop=should_stop,
    )
    return solve(problem, settings.analysis.solver)


def nearest_in_grid(index: int, known: Iterable[int], columns: int) -> int | None:
    """Return the known point next to another one in a grid, row by row."""
    y, x = divmod(index, columns)

    def away(other: int) -> int:
        row, column = divmod(other, columns)
        return (row - y) ** 2 + (column - x) ** 2

    return min(known, key=away, default=None)
