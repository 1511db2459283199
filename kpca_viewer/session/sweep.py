"""A parameter range → a sequence of analyses that share what they can.

Pairwise base, landmarks and eigenvectors of the neighbouring value are reused; the
pictures are aligned as they come and once more, from left to right, at the end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core import spectrum
from kpca_viewer.core.bases import Points
from kpca_viewer.core.errors import Cancelled, KernelError, KpcaError
from kpca_viewer.core.gram import Gram, PointsGram, pairwise_base
from kpca_viewer.core.kernels import Kernel
from kpca_viewer.core.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.quality import sample_rows
from kpca_viewer.core.solvers import Decomposition, Problem, WarmStart, solve
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session import analysis as stages
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.comparison import linear_pca
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.sweep_alignment import Picture, along, rotation
from kpca_viewer.session.sweep_measures import Scorer
from kpca_viewer.session.sweep_point import SweepPoint, SweepResult
from kpca_viewer.session.sweep_settings import SweepSettings, Value, current_value

__all__ = ["SweepPoint", "SweepResult", "SweepSettings", "Sweeper", "run_sweep"]

Array = NDArray[Any]
Publish = Callable[[SweepPoint], None]

TOLERANCE = 1e-3
"""Asked of the solvers: a thumbnail shows three digits. Bounds stay honest, and
adopting a value computes it to all digits."""

THUMBNAIL_ROWS = 2000
FILM_ROWS = 20_000
"""Up to this many rows, a point holds all of them, so that a film can glide."""

WARM_BYTES = 256 << 20
"""Room for eigenvectors of values already computed, where later ones start."""

SMALLEST_SINGLE = 1e-30
"""Below this, products of float32 become subnormal, and each costs a hundred others."""

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
    sweep : SweepSettings
    cache : StageCache
    should_stop, progress : callable
    publish : callable
        Given every point as soon as it is there, and at the end once more those that
        the last alignment has turned.

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
        progress(f"value {done + 1} of {len(order)}", done / len(order))
        publish(sweeper.compute(index))
    for point in sweeper.realign():
        publish(point)
    progress("sweep", 1.0)
    return sweeper.result()


@dataclass(frozen=True, eq=False)
class _Warm:
    """What a neighbour leaves behind."""

    points: Points
    start: WarmStart
    solver: str


class Sweeper:
    """Computes points of a sweep in any order."""

    def __init__(
        self,
        request: AnalysisRequest,
        sweep: SweepSettings,
        cache: StageCache,
        should_stop: ShouldStop = never,
    ) -> None:
        self._request = request
        self._sweep = sweep
        self._cache = cache
        self._should_stop = should_stop
        self._warm: dict[int, _Warm] = {}
        self._pictures: dict[int, Picture] = {}
        self._points: dict[int, SweepPoint] = {}
        self._first: int | None = None

    def order(self) -> list[int]:
        """Return the points in the order of their usefulness."""
        _, suggested = suggested_values_of(self._request, self._cache)
        now = tuple(
            current_value(self._request.settings, axis.parameter, suggested)
            for axis in self._sweep.axes
        )
        return self._sweep.order(now)

    def compute(self, index: int) -> SweepPoint:
        """Compute one point, aligned to its nearest neighbour."""
        settings = self._sweep.apply(self._request.settings, index)
        values = self._sweep.cells()[index]
        try:
            point = self._computed(index, values, settings)
        except Cancelled:
            raise
        except (KpcaError, MemoryError) as error:
            text = str(error) or "There is not enough memory; choose fewer points."
            point = SweepPoint(index, values, settings, error=text)
        except Exception as error:  # noqa: BLE001  # one value must not end the others
            text = f"Something went wrong inside ({type(error).__name__}: {error})."
            point = SweepPoint(index, values, settings, error=text)
        self._points[index] = point
        return point

    def realign(self) -> list[SweepPoint]:
        """Align all points from left to right; return those that have changed."""
        changed = []
        turns = along(self._pictures, self._sweep.shape[0], self._first)
        for index, R in turns.items():
            if np.allclose(R, np.eye(len(R)), atol=1e-9):
                continue
            picture = self._pictures[index]
            scores = picture.scores @ R.astype(picture.scores.dtype)
            self._pictures[index] = replace(picture, scores=scores)
            point = self._shown(self._points[index], scores)
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
        cache = self._cache
        request = replace(self._request, settings=settings)
        dataset = stages._dataset(request, cache)
        _, points = cache.get(
            "points",
            (dataset, settings.data.scaling),
            lambda: stages._points(dataset, settings),
        )
        check(self._should_stop)
        suggested = stages._suggestion(dataset, points, settings, cache)
        kernel = stages._kernel(dataset, settings, suggested)
        found = self._decomposition(index, dataset, points, kernel, settings)
        check(self._should_stop)
        mass = spectrum.negative_mass(
            found.spectrum,
            n=dataset.n,
            trace=found.trace,
            squares=found.squares,
            smallest=found.smallest,
            psd=found.psd,
            complete=found.complete,
        )
        shares = spectrum.explained_variance_ratio(found.eigenvalues, found.trace, mass)
        rank = spectrum.effective_rank(spectrum.total(found.trace, mass), found.squares)
        scores = training_scores(found)
        axes = settings.view.axes
        measures = self._scorer(dataset, points, settings).score(_columns(scores, axes))
        measures |= {
            "share_2": float(shares[:2].sum()),
            "share_3": float(shares[:3].sum()),
            "effective_rank": float(rank),
            "certificate": float(found.error),
        }
        scores = self._aligned(index, scores, found, dataset)
        point = SweepPoint(
            index,
            values,
            settings,
            eigenvalues=found.eigenvalues,
            bounds=found.bounds,
            shares=shares,
            measures=measures,
            labels=None
            if dataset.labels is None
            else dataset.labels[sample_rows(dataset.n, THUMBNAIL_ROWS)],
            n=dataset.n,
            solver=found.solver,
            seconds=perf_counter() - started,
        )
        return self._shown(point, scores)

    def _aligned(
        self, index: int, scores: Array, found: Decomposition, dataset: Dataset
    ) -> Array:
        """Return the kept rows of the scores, in step with the nearest picture."""
        whole = Picture.of(scores, found.eigenvalues, found.bounds, dataset.labels)
        kept = _shortened(whole.scores)
        if dataset.n > FILM_ROWS:
            kept = kept[sample_rows(dataset.n, THUMBNAIL_ROWS)]
        picture = replace(whole, scores=kept)
        nearest = self._nearest(index, self._pictures)
        if nearest is not None:
            R = rotation(picture, self._pictures[nearest])
            means = None if picture.means is None else picture.means @ R
            scores = kept @ R.astype(kept.dtype)
            picture = replace(picture, scores=scores, means=means)
        else:
            self._first = index
        self._pictures[index] = picture
        return picture.scores

    def _shown(self, point: SweepPoint, kept: Array) -> SweepPoint:
        """Put coordinates into a point: all rows, and a sample of them."""
        rows = sample_rows(point.n, THUMBNAIL_ROWS)
        axes = point.settings.view.axes
        film = None
        if len(kept) == point.n:
            film = _frozen(_columns(kept, axes, 3))
            thumbnail = film[rows, :2]
        else:
            thumbnail = _columns(kept, axes)
        return replace(point, rows=rows, thumbnail=_frozen(thumbnail), film=film)

    # What neighbours share

    def _decomposition(
        self,
        index: int,
        dataset: Dataset,
        points: Points,
        kernel: Kernel | None,
        settings: SessionSettings,
    ) -> Decomposition:
        chosen = settings.analysis
        warm = {i: w for i, w in self._warm.items() if w.points is points}
        nearest = self._nearest(index, warm)
        start = None if nearest is None else warm[nearest].start
        solver = chosen.solver
        flat = bool(warm) and all(
            warm[i].solver == "krylov" for i in self._beside(index, warm)
        )
        if solver == "auto" and flat and kernel is not None and kernel.psd:
            # Where low rank gave up on both sides, it would give up here too.
            solver = "krylov"
        gram, single = self._gram(dataset, points, kernel, settings, solver)
        found = solve(
            Problem(
                gram,
                max(1, min(chosen.components, gram.n)),
                center=chosen.center,
                tol=TOLERANCE,
                start=start,
                preview=single,
                should_stop=self._should_stop,
            ),
            solver,
        )
        self._warm[index] = _Warm(points, found.warm_start, found.solver)
        size = max(found.eigenvectors.nbytes, 1)
        while len(self._warm) > max(2, WARM_BYTES // size):
            del self._warm[next(iter(self._warm))]
        return found

    def _gram(
        self,
        dataset: Dataset,
        points: Points,
        kernel: Kernel | None,
        settings: SessionSettings,
        solver: str,
    ) -> tuple[Gram, bool]:
        """Return the kernel matrix, and whether float32 is good and fast enough."""
        cache, stop = self._cache, self._should_stop
        if kernel is None or (solver in ("auto", "lowrank") and kernel.psd):
            gram = stages._gram(dataset, points, kernel, settings, cache, stop, silent)
            return gram, False
        seen = points if not kernel.family.normalise else kernel.points(points.X)
        kernel.refuse_overflow(seen)
        if len(points) > stages.BASE_UP_TO:
            return PointsGram(seen, kernel), False
        key = (points, kernel.family.base, kernel.family.normalise)
        base = cache.get("base", key, lambda: pairwise_base(kernel, seen, stop))
        if not kernel.family.unit_diagonal:
            return PointsGram(seen, kernel, base), False
        largest = cache.get("largest", key, lambda: base.max(keepdims=True))
        smallest = float(kernel.of_base(largest.copy())[0, 0])
        return PointsGram(seen, kernel, base), smallest > SMALLEST_SINGLE

    def _scorer(
        self, dataset: Dataset, points: Points, settings: SessionSettings
    ) -> Scorer:
        cache = self._cache

        def make() -> Scorer:
            original = linear = None
            if dataset.kind == "points":
                original = points.dense()
                linear = cache.get(
                    "linear of two", points, lambda: linear_pca(original, 2)
                ).scores
            return Scorer(original, dataset.labels, linear, dataset.n)

        return cache.get("scorer", points, make)

    def _nearest(self, index: int, known: dict[int, Any]) -> int | None:
        """Return the known point next to another one in the grid."""
        if not known:
            return None
        columns = self._sweep.shape[0]
        y, x = divmod(index, columns)

        def away(other: int) -> int:
            row, column = divmod(other, columns)
            return (row - y) ** 2 + (column - x) ** 2

        return min(known, key=away)

    def _beside(self, index: int, known: dict[int, Any]) -> list[int]:
        """Return the nearest known points before and after another one."""
        before = max((i for i in known if i < index), default=None)
        after = min((i for i in known if i > index), default=None)
        return [i for i in (before, after) if i is not None]


def suggested_values_of(
    request: AnalysisRequest, cache: StageCache
) -> tuple[Dataset, dict[str, float]]:
    """Return the data of a request and the parameter values that suit them."""
    settings = request.settings
    dataset = stages._dataset(request, cache)
    _, points = cache.get(
        "points",
        (dataset, settings.data.scaling),
        lambda: stages._points(dataset, settings),
    )
    try:
        return dataset, stages._suggestion(dataset, points, settings, cache)
    except KernelError:
        return dataset, {}


def realigned(points: Sequence[SweepPoint], columns: int) -> tuple[SweepPoint, ...]:
    """Align points that were computed apart, by what their thumbnails show.

    Parameters
    ----------
    points : sequence of SweepPoint
    columns : int
        Of the grid.
    """
    pictures = {
        point.index: Picture.of(point.thumbnail, *_shown_spectrum(point), point.labels)
        for point in points
        if not point.error
    }
    turns = along(pictures, columns)
    aligned = []
    for point in points:
        if point.index in turns:
            R = turns[point.index].astype(point.thumbnail.dtype)
            point = replace(point, thumbnail=_frozen(point.thumbnail @ R))
        aligned.append(point)
    return tuple(aligned)


def _shown_spectrum(point: SweepPoint) -> tuple[Array, Array]:
    """Return eigenvalues (2,) and bounds (2, 2) of the two axes of a thumbnail."""
    values, bounds = np.zeros(2), np.zeros((2, 2))
    for position, axis in enumerate(point.settings.view.axes[:2]):
        if axis < len(point.eigenvalues):
            values[position] = point.eigenvalues[axis]
            bounds[position] = point.bounds[axis]
    return values, bounds


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
