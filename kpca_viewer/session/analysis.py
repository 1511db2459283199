"""From a request to a result: the whole analysis, without Qt, in cached stages.

dataset → points that the kernel sees → pairwise base → decomposition → scores. Moving
γ reuses the base; what only the view needs is not computed here at all.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from time import perf_counter
from typing import Any

from kpca_viewer.core.alignment import (
    leading,
    orientation,
    rotate,
    rotation_to,
    signed_identity,
)
from kpca_viewer.core.bases import Points
from kpca_viewer.core.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Decomposition, Problem, WarmStart, solve
from kpca_viewer.core.solvers.lowrank import SINGLE_FROM
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.comparison import (
    LINEAR_QUALITY,
    Comparison,
    LinearPCA,
    compare,
    linear_pca,
)
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.result import AnalysisResult, KernelPicture, kernel_picture
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.stages import (
    Prepared,
    SameArray,
    centred,
    counts,
    find_dataset,
    find_gram,
    numbers,
    prepare,
)
from kpca_viewer.session.uncentred import mean_direction

# Only the worker imports this module, and it loads now what the solvers will want: the
# first result is then timed for its own work.
import_module("scipy.linalg.lapack")

Publish = Callable[[AnalysisResult], None]

TOLERANCE = 1e-6
"""Asked of the solvers: below a pixel, and quick enough for a drag."""

LARGE_TOLERANCE = 1e-3
"""Asked for large data: still below a pixel of a density picture, at a third of the
rank, in single precision. Cost grows with the square of the rank."""


MOST_ORIENTED = 100_000
"""Rows up to which it takes no time to see which way round a picture is."""

MOST_WAYS = 500
"""Pictures of which that is remembered: more than there are steps to undo."""


def tolerance(n: int) -> float:
    """Return the error of the eigenvalues, relative to the largest, to ask for."""
    return TOLERANCE if n < SINGLE_FROM else LARGE_TOLERANCE


def analyse(
    dataset: Dataset, settings: SessionSettings | None = None
) -> AnalysisResult:
    """Analyse a data set as the window would, and wait for the result."""
    settings = settings or SessionSettings()
    data = replace(settings.data, source=dataset.name)
    request = AnalysisRequest(replace(settings, data=data), {dataset.name: dataset})
    return run(request, StageCache())


def _ignore(result: AnalysisResult) -> None:
    """Nobody wants results before the last."""


def run(
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
    publish: Publish = _ignore,
) -> AnalysisResult:
    """Compute everything that the views show.

    Parameters
    ----------
    request : AnalysisRequest
    cache : StageCache
        Kept between calls; holds what the next request can reuse.
    should_stop, progress : callable
    publish : callable
        Given the result as soon as it can be drawn; the one returned has the slower
        scores of quality too.

    Raises
    ------
    KpcaError
        With one sentence that says what is wrong and what to do.
    """
    settings = request.settings
    progress("data", None)
    dataset = find_dataset(request, cache)
    # Found here and remembered: the window must not look through a million rows.
    _ = dataset.telling_axes
    if dataset.kind == "points":
        _ = dataset.extents
    started = perf_counter()
    prepared = prepare(dataset, settings, cache, should_stop)
    points, kernel = prepared.points, prepared.kernel
    decomposition = _decomposition(
        prepared, settings, request.signs, cache, should_stop, progress
    )
    linear = None
    if dataset.kind == "points":
        linear = _linear(points, request, decomposition, cache)
    check(should_stop)
    result = _result(settings, prepared, decomposition, linear, cache)
    if request.new_rows is not None and kernel is not None:
        progress("new rows", None)
        new = request.new_rows
        scores = cache.get(
            "new",
            (decomposition, new),
            lambda: result.project(new.points, should_stop),
        )
        result = replace(result, new_rows=new, new_scores=scores)
    if settings.view.isolines:
        progress("isolines", None)
        grid = cache.get("grid", decomposition, lambda: result.grid_scores(should_stop))
        result = replace(result, grid=grid)
    result = replace(result, seconds=perf_counter() - started)
    # The same picture with other classes has another verdict.
    classes = SameArray(dataset.labels)
    key = (decomposition, classes, settings.view.shown_axes)
    known = cache.peek("comparison", key)
    if known is None:
        publish(result)
        check(should_stop)
        progress("quality", None)
        known = _comparison(dataset, points, result, linear, cache, should_stop)
        cache.put("comparison", key, known)
    return replace(result, comparison=known)


def _linear(
    points: Points,
    request: AnalysisRequest,
    decomposition: Decomposition,
    cache: StageCache,
) -> LinearPCA:
    """Return linear PCA, the same way round as the embedding at the first look.

    From then on it stays as it is: only the embedding moves with its kernel.
    """
    components, wanted = request.settings.analysis.components, request.linear_signs

    def make() -> LinearPCA:
        plain = linear_pca(points.dense(), components)
        known = wanted or cache.peek("linear signs", points) or ()
        signs = known + plain.signs_towards(decomposition.eigenvectors)[len(known) :]
        cache.put("linear signs", points, signs)
        return plain.turned(signs)

    key = points, components
    if wanted:
        # What was turned otherwise is forgotten.
        cache.put("linear", key, make())
    found: LinearPCA = cache.get("linear", key, make)
    return found


def _decomposition(
    prepared: Prepared,
    settings: SessionSettings,
    signs: tuple[int, ...] | None,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Decomposition:
    analysis = settings.analysis
    points, kernel = prepared.points, prepared.kernel
    shape = None if kernel is None else (kernel.family.name, *kernel.values.items())
    # Other data and back, or undo: the picture is the same way round as it was.
    place = (settings.data, shape, analysis)

    def make() -> tuple[Decomposition, Decomposition]:
        center = centred(prepared.dataset, settings)
        gram = find_gram(
            prepared, analysis.solver, cache, should_stop, progress, center=center
        )
        shown, computed = counts(prepared, settings)
        previous: Decomposition | None = cache.peek("previous", points)
        problem = Problem(
            gram,
            computed,
            center=center,
            tol=tolerance(gram.n),
            start=_warm(previous),
            should_stop=should_stop,
            progress=progress,
        )
        result = solve(problem, analysis.solver)
        before = cache.peek("ways", place) if previous is None else None
        known = before if signs is None else signs
        if known is not None:
            result = rotate(result, signed_identity(known, len(result.eigenvalues)))
        elif previous is not None:
            R = rotation_to(
                result.eigenvectors,
                result.eigenvalues,
                previous.eigenvectors,
                result.bounds,
            )
            result = rotate(result, R)
        return result, leading(result, shown)

    key = (points, shape, analysis, signs)
    with_spare, result = cache.get("decomposition", key, make)
    cache.put("previous", points, with_spare)
    if len(result.eigenvectors) <= MOST_ORIENTED:
        cache.add("ways", place, orientation(result.eigenvectors), MOST_WAYS)
    return result


def _warm(previous: Decomposition | None) -> WarmStart | None:
    return None if previous is None else previous.warm_start


def _result(
    settings: SessionSettings,
    prepared: Prepared,
    decomposition: Decomposition,
    linear: LinearPCA | None,
    cache: StageCache,
) -> AnalysisResult:
    dataset, points, kernel = prepared.dataset, prepared.points, prepared.kernel
    found = numbers(decomposition, dataset.n)
    picture: KernelPicture = cache.get(
        "picture",
        (decomposition, SameArray(dataset.labels)),
        lambda: kernel_picture(dataset, points, kernel),
    )
    scores = training_scores(decomposition)
    scores.flags.writeable = False
    mean = None
    if not centred(dataset, settings):
        mean = cache.get(
            "mean",
            decomposition,
            lambda: mean_direction(dataset, points, kernel, scores),
        )
    return AnalysisResult(
        settings=settings,
        dataset=dataset,
        scaler=prepared.scaler,
        points=points,
        kernel=kernel,
        suggested=dict(prepared.suggested),
        decomposition=decomposition,
        scores=scores,
        shares=found.shares,
        mass=found.mass,
        effective_rank=found.effective_rank,
        linear=linear,
        picture=picture,
        mean=mean,
    )


def _comparison(
    dataset: Dataset,
    points: Points,
    result: AnalysisResult,
    linear: LinearPCA | None,
    cache: StageCache,
    should_stop: ShouldStop,
) -> Comparison:
    view = result.settings.view
    axes = view.judged_axes(result.scores.shape[1])
    beside = [] if linear is None else sorted(linear.axes_beside(view))

    def keep(name: str, make: Callable[[], Any]) -> Any:
        about = (linear, *beside) if name == LINEAR_QUALITY else ()
        return cache.get(name, (dataset, points, *about), make)

    return compare(
        result.scores[:, axes],
        None if linear is None else linear.scores[:, beside],
        points.dense() if dataset.kind == "points" else None,
        dataset.labels,
        should_stop,
        keep,
    )
