"""From a request to a result: the whole analysis, without Qt, in cached stages.

dataset → points that the kernel sees → pairwise base → decomposition → scores. Moving
γ reuses the base; what only the view needs is not computed here at all.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.orientation import flips
from kpca_viewer.core.projection import RIGHT, training_scores
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.core.solvers.blocks import Each
from kpca_viewer.core.solvers.problem import EachRows
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.frames import of_arrays, scaling_of
from kpca_viewer.data.importing import Missing
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.comparison import (
    LINEAR_QUALITY,
    Comparison,
    LinearPCA,
    compare,
    linear_pca,
)
from kpca_viewer.engine.decomposition import (
    decompose,
    flip,
    follow_previous,
    forecast_refinement,
    rows_key,
    shown_components,
)
from kpca_viewer.engine.forecast import (
    LARGE_FROM,
    MOVING_FROM,
)
from kpca_viewer.engine.grid import grid_scores, has_fine_grid
from kpca_viewer.engine.initial_session import begun_with
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import (
    AnalysisResult,
    KernelPicture,
    Sketch,
    kernel_picture,
)
from kpca_viewer.engine.rows.new_rows import (
    joined,
    joined_data,
    new_accuracy,
    refuse_untaken,
)
from kpca_viewer.engine.settings import (
    DataSettings,
    SessionSettings,
)
from kpca_viewer.engine.sketch import sketch
from kpca_viewer.engine.stage import StageInputs, add_known, complete, is_put_off
from kpca_viewer.engine.stages import (
    Prepared,
    SameArray,
    centred,
    counts,
    find_pairs,
    find_rows,
    known_pairs,
    prepare,
)
from kpca_viewer.engine.text.remarks import pitfall_sentences
from kpca_viewer.engine.uncentred import mean_direction
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

Publish = Callable[[AnalysisResult], None]


def analyse(
    dataset: Any,
    settings: SessionSettings | None = None,
    *,
    y: Any = None,
    missing: Missing | None = None,
    kernel: Any = None,
    model: Any = None,
) -> AnalysisResult:
    """Analyse data as the window would, and wait for the result.

    Parameters
    ----------
    dataset : Dataset, data frame, array-like or sparse matrix of shape (n, d)
    y : array-like of shape (n,), optional
        Classes of any kind, or a quantity.
    missing : {"drop", "columns", "median", "nearest"}, optional
        What becomes of gaps; by default as in a file, which a warning says.
    kernel, model
        As for `show`: a kernel by name, with values, or that of an estimator.

    See Also
    --------
    KernelPCA : the estimator alone.

    Examples
    --------
    >>> from kpca_viewer import analyse, generate
    >>> analyse(generate("circles", samples=60)).scores.shape
    (60, 10)
    """
    given, dataset = dataset, of_arrays(dataset, y, missing=missing)
    if settings is None:
        data = DataSettings(scaling=scaling_of(given, dataset))
        settings = SessionSettings(data=data)
    if not isinstance(settings, SessionSettings):
        raise DataError("The second place is for settings; give classes as y=….")
    settings = begun_with(settings, model, kernel)
    data = replace(settings.data, source=dataset.name)
    request = AnalysisRequest(replace(settings, data=data), {dataset.name: dataset})
    return run(request, StageCache())


def _ignore(result: AnalysisResult) -> None:
    """Results before the last are not needed."""


@one_blas_thread()
def run(
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
    publish: Publish = _ignore,
    each_rows: EachRows | None = None,
    each_block: Each | None = None,
    publish_sketch: Callable[[Sketch], None] | None = None,
) -> AnalysisResult:
    """Compute everything that the views show.

    ``cache``: kept between calls; holds what the next request can reuse; ``publish``:
    given the result as soon as it can be drawn; the one returned has the slower scores
    of quality too; ``each_rows``: who passes over many rows, as long as no
    `ClusterError` says that they cannot. While a slider is dragged, they are passed
    over here; ``each_block``: who works on the blocks of a table in parts, likewise;
    ``publish_sketch``: given some of very many rows, before all are passed over.
    """
    settings = request.settings
    progress("data", None)
    whole, dataset = find_rows(request, cache, should_stop, progress)
    # Found here and remembered: the window must not look through a million rows.
    _ = dataset.telling_axes
    for column in dataset.columns.values():
        _ = column.categories is None or column.codes
    if dataset.kind == "points":
        _ = dataset.extents
    started = perf_counter()
    prepared = prepare(dataset, settings, cache, should_stop, moving=request.moving)
    inputs = StageInputs(request, prepared, cache, should_stop, progress)
    points, kernel = prepared.points, prepared.kernel
    linear = None
    if dataset.kind == "points":
        linear = _linear(points, inputs)

    def show(found: Decomposition) -> AnalysisResult:
        result = _result(settings, prepared, found, cache)
        beside = linear and _beside(result.scores, linear, request, cache)
        pairs = known_pairs(prepared, cache)
        return replace(result, linear=beside, before_exclusion=whole, pairs=pairs)

    def show_draft(draft: Decomposition) -> None:
        shown = flip(draft, settings).leading(counts(prepared, settings)[0])
        publish(replace(show(shown), seconds=perf_counter() - started))

    def begin() -> None:
        if publish_sketch is not None:
            some = sketch(prepared, settings, cache, should_stop)
            if some is not None:
                publish_sketch(some)

    passing = None if request.moving or dataset.n < LARGE_FROM else each_rows
    resting = decompose(inputs, show_draft, passing, begin)
    found = (
        follow_previous(prepared, settings, resting, cache)
        if request.moving
        else resting
    )
    cache.put("previous", rows_key(points, settings), found)
    decomposition = shown_components(found, prepared, settings, cache)
    check(should_stop)
    result = replace(
        show(decomposition),
        refinement=forecast_refinement(prepared, found, settings, cache),
    )
    if request.new_rows is not None and kernel is not None:
        progress("new rows", None)
        result = _with_new_rows(result, request.new_rows, cache, should_stop)
    if settings.view.isolines:
        progress("isolines", None)
        shown = decomposition, result.scoring
        grid = cache.peek("fine grid", shown) or cache.get(
            "grid", shown, lambda: grid_scores(result, should_stop)
        )
        result = replace(result, grid=grid)
    coarse = result.grid is not None and result.grid.is_coarse and has_fine_grid(result)
    rough = request.moving and dataset.n >= MOVING_FROM
    later = is_put_off(request, dataset.n)
    later = later or prepared.keeps_suggestion
    still = not (rough or later or (request.moving and coarse))
    result = replace(
        result,
        at_rest=found is resting and still,
        seconds=perf_counter() - started,
    )
    result = add_known(result, inputs)
    # The same picture with other classes has another verdict.
    classes = SameArray(dataset.labels)
    key = (decomposition, result.scoring, classes, settings.view.shown_axes)
    known = cache.peek("comparison", key)
    finer = coarse and not request.moving
    if known is None or finer:
        publish(replace(result, comparison=known))
        check(should_stop)
    if known is None:
        progress("quality", None)
        known = _comparison(dataset, points, result, linear, cache, should_stop)
        cache.put("comparison", key, known)
    if finer:
        progress("isolines", None)
        grid = cache.get(
            "fine grid",
            (decomposition, result.scoring),
            lambda: grid_scores(result, should_stop, fine=True),
        )
        result = replace(result, grid=grid)
    result = replace(result, comparison=known, pairs=find_pairs(prepared, cache))
    result = complete(result, inputs, publish)
    if (
        not (settings.analysis.fit_full_table and dataset.sampled_from)
        or request.moving
    ):
        return result
    publish(result)
    return _of_all_rows(result, inputs, publish, each_block)


def _with_new_rows(
    result: AnalysisResult, new: Dataset, cache: StageCache, should_stop: ShouldStop
) -> AnalysisResult:
    """Project the rows of a second file onto the model."""
    dataset = result.dataset
    refuse_untaken(result, new)
    scores = cache.get(
        "new",
        (result.decomposition, result.scoring, new),
        lambda: result.project(new.points, should_stop),
    )
    data = cache.get("joined", (dataset, new), lambda: joined_data(dataset, new))
    return replace(
        result,
        new_rows=new,
        new_scores=scores,
        new_accuracy=new_accuracy(result, new, scores),
        joined=joined(result, new, scores, data),
    )


def _of_all_rows(
    sample: AnalysisResult,
    inputs: StageInputs,
    publish: Publish,
    each_block: Each | None,
) -> AnalysisResult:
    """Return the result with the model of all rows; pages keep what the sample says."""
    # Imported here: most data are here as a whole.
    from kpca_viewer.engine.full_fit import FullFit, fitted_rows, with_density

    request, cache, should_stop = inputs.request, inputs.cache, inputs.should_stop
    started, settings, dataset = perf_counter(), request.settings, sample.dataset
    fitted = fitted_rows(inputs, sample.decomposition, each_block)
    # Scaled as all rows are; the values of the kernel stay those that were seen.
    prepared = replace(inputs.prepared, scaler=fitted.scaler, points=fitted.points)
    linear = _linear(fitted.points, inputs)
    found = shown_components(fitted.decomposition, prepared, settings, cache)
    made = _result(settings, prepared, found, cache)
    left_out = (dataset.sampled_from or 0) - fitted.n
    every = FullFit(fitted.n, left_out)
    result = replace(
        sample,
        scaler=made.scaler,
        points=made.points,
        decomposition=found,
        scores=made.scores,
        linear=_beside(made.scores, linear, request, cache),
        picture=made.picture,
        mean=made.mean,
        pitfalls=made.pitfalls,
        refinement=None,
        full_fit=every,
        of_sample=sample,
    )
    if request.new_rows is not None:
        result = _with_new_rows(result, request.new_rows, cache, should_stop)
        assert result.joined is not None
        extras = {} if sample.joined is None else sample.joined.extras
        result = replace(result, joined=replace(result.joined, extras=extras))
    if settings.view.isolines:
        grid = cache.get(
            "fine grid",
            (found, result.scoring),
            lambda: grid_scores(result, should_stop, fine=has_fine_grid(result)),
        )
        result = replace(result, grid=grid)
    known = _comparison(dataset, fitted.points, result, linear, cache, should_stop)
    result = replace(result, comparison=known, seconds=perf_counter() - started)
    axes = settings.view.shown_axes
    drawn = len(axes) == 2 and max(axes) < result.scores.shape[1]
    if not drawn or result.scoring != RIGHT:
        return result
    publish(result)
    plane = axes[0], axes[1]
    every = with_density(every, fitted, result, plane, inputs, each_block)
    return replace(result, full_fit=every)


def _linear(points: Points, inputs: StageInputs) -> LinearPCA:
    components = inputs.request.settings.analysis.components
    plain: LinearPCA = inputs.cache.get(
        "linear",
        (points, components),
        lambda: linear_pca(points.dense(), components, inputs.should_stop),
    )
    return plain


def _beside(
    scores: Array, plain: LinearPCA, request: AnalysisRequest, cache: StageCache
) -> LinearPCA:
    """Return linear PCA the way round that agrees with an embedding (n, k).

    Under a hand it stays as it was: signs that change while components pass each other
    would make it jump.
    """
    last = cache.peek("linear signs", plain)
    if request.moving and last is not None:
        signs = np.array(last)
    else:
        signs = plain.signs_towards(scores)
        cache.put("linear signs", plain, tuple(signs.tolist()))
    signs = signs * flips(request.settings.view.linear_flipped, len(plain.shares))
    if (signs > 0).all():
        return plain
    found: LinearPCA = cache.get(
        "linear oriented", (plain, tuple(signs.tolist())), lambda: plain.oriented(signs)
    )
    return found


def _result(
    settings: SessionSettings,
    prepared: Prepared,
    decomposition: Decomposition,
    cache: StageCache,
) -> AnalysisResult:
    dataset, points, kernel = prepared.dataset, prepared.points, prepared.kernel
    picture: KernelPicture = cache.get(
        "picture",
        (decomposition, SameArray(dataset.labels)),
        lambda: kernel_picture(dataset, points, kernel),
    )
    scores = training_scores(decomposition, settings.analysis.scoring)
    scores.flags.writeable = False
    mean = None
    if not centred(dataset, settings):
        mean = cache.get(
            "mean",
            decomposition,
            lambda: mean_direction(prepared, training_scores(decomposition)),
        )
    result = AnalysisResult(
        settings=settings,
        dataset=dataset,
        scaler=prepared.scaler,
        points=points,
        kernel=kernel,
        suggestion=prepared.suggestion,
        decomposition=decomposition,
        scores=scores,
        linear=None,
        picture=picture,
        mean=mean,
    )
    if result.scoring == RIGHT:
        return result
    told = cache.get(
        "pitfalls",
        (decomposition, result.scoring, settings.view.shown_axes),
        lambda: pitfall_sentences(result),
    )
    return replace(result, pitfalls=told)


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
