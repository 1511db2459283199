"""From a request to a result: the whole analysis, without Qt, in cached stages.

dataset → points that the kernel sees → pairwise base → decomposition → scores. Moving
γ reuses the base; what only the view needs is not computed here at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core import spectrum
from kpca_viewer.core.alignment import rotate, rotation_to, signed_identity
from kpca_viewer.core.bases import Points
from kpca_viewer.core.errors import DataError, KernelError
from kpca_viewer.core.gram import Gram, MatrixGram, PointsGram, pairwise_base
from kpca_viewer.core.kernels import FAMILIES, Kernel, suggested_values
from kpca_viewer.core.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Decomposition, Problem, WarmStart, solve
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import GENERATORS, generate
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.comparison import Comparison, LinearPCA, compare, linear_pca
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.result import AnalysisResult, KernelPicture, kernel_picture
from kpca_viewer.session.settings import SessionSettings

# Only the worker imports this module, and it loads now what the solvers will want: the
# first result is then timed for its own work.
for _module in ("scipy.linalg.lapack", "scipy.spatial.distance"):
    import_module(_module)

Array = NDArray[Any]
Publish = Callable[[AnalysisResult], None]

TOLERANCE = 1e-6
"""Asked of the solvers: below a pixel, and quick enough for a drag."""

BASE_UP_TO = 3000
"""Points up to which the pairwise base is kept for the next value of γ."""

LARGEST_VALUE = 1e100
"""Beyond, squares of many such values overflow, those inside the scaling too."""


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
    dataset = _dataset(request, cache)
    started = perf_counter()
    scaler, points = cache.get(
        "points",
        (dataset, settings.data.scaling),
        lambda: _points(dataset, settings),
    )
    check(should_stop)
    suggested = _suggestion(dataset, points, settings, cache)
    kernel = _kernel(dataset, settings, suggested)
    decomposition = _decomposition(
        dataset, points, kernel, settings, request.signs, cache, should_stop, progress
    )
    linear = cache.get(
        "linear",
        (points, settings.analysis.components),
        lambda: (
            linear_pca(points.dense(), settings.analysis.components)
            if dataset.kind == "points"
            else None
        ),
    )
    check(should_stop)
    result = _result(
        request,
        dataset,
        scaler,
        points,
        kernel,
        suggested,
        decomposition,
        linear,
        cache,
    )
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
    key = (decomposition, settings.view.axes)
    known = cache.peek("comparison", key)
    if known is None:
        publish(result)
        check(should_stop)
        progress("quality", None)
        known = _comparison(dataset, points, result, linear, should_stop)
        cache.put("comparison", key, known)
    return replace(result, comparison=known)


def _dataset(request: AnalysisRequest, cache: StageCache) -> Dataset:
    data = request.settings.data
    if data.source in request.opened:
        source = request.opened[data.source]
        if isinstance(source, Dataset):
            return source
        importing = data.importing or guess_import(source)
        return cache.get(
            "imported", (source, importing), lambda: to_dataset(source, importing)
        )
    if data.source not in GENERATORS:
        raise DataError(
            f"The data set “{data.source}” is not open; open it again or choose "
            "another."
        )
    key = (data.source, data.values, data.seed)
    return cache.get(
        "dataset",
        key,
        lambda: generate(data.source, seed=data.seed, **dict(data.values)),
    )


def _points(dataset: Dataset, settings: SessionSettings) -> tuple[Scaler, Points]:
    if dataset.kind != "points":
        nothing = np.empty((dataset.n, 0))
        return Scaler.learn(nothing, "none"), Points.prepare(nothing)
    largest = float(np.abs(dataset.points).max())
    if largest > LARGEST_VALUE:
        raise DataError(
            f"The values reach {largest:.0e}, too large to be squared; divide them by "
            "a power of ten, or remove the rows that hold them."
        )
    scaler = Scaler.learn(dataset.points, settings.data.scaling)
    return scaler, Points.prepare(scaler.apply(dataset.points))


def _suggestion(
    dataset: Dataset, points: Points, settings: SessionSettings, cache: StageCache
) -> dict[str, float]:
    if dataset.kind != "points":
        return {}
    family = settings.kernel.family
    if family not in FAMILIES:
        raise KernelError(
            f"There is no kernel “{family}”; choose one of {', '.join(FAMILIES)}."
        )
    return cache.get(
        "suggestion",
        (points, family),
        lambda: suggested_values(family, points.X),
    )


def _kernel(
    dataset: Dataset, settings: SessionSettings, suggested: Mapping[str, float]
) -> Kernel | None:
    if dataset.kind != "points":
        return None
    return Kernel(
        settings.kernel.family, **{**suggested, **dict(settings.kernel.values)}
    )


def _decomposition(
    dataset: Dataset,
    points: Points,
    kernel: Kernel | None,
    settings: SessionSettings,
    signs: tuple[int, ...] | None,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Decomposition:
    analysis = settings.analysis
    shape = None if kernel is None else (kernel.family.name, *kernel.values.items())

    def make() -> Decomposition:
        gram = _gram(dataset, points, kernel, settings, cache, should_stop, progress)
        previous: Decomposition | None = cache.peek("previous", points)
        problem = Problem(
            gram,
            max(1, min(analysis.components, gram.n)),
            # Classical scaling of distances is centred by its definition.
            center=analysis.center or dataset.kind == "distances",
            tol=TOLERANCE,
            start=_warm(previous),
            should_stop=should_stop,
            progress=progress,
        )
        result = solve(problem, analysis.solver)
        if signs is not None:
            result = rotate(result, signed_identity(signs, len(result.eigenvalues)))
        elif previous is not None:
            R = rotation_to(
                result.eigenvectors,
                result.eigenvalues,
                previous.eigenvectors,
                result.bounds,
            )
            result = rotate(result, R)
        return result

    key = (points, shape, analysis, signs)
    result = cache.get("decomposition", key, make)
    cache.put("previous", points, result)
    return result


def _warm(previous: Decomposition | None) -> WarmStart | None:
    return None if previous is None else previous.warm_start


def _gram(
    dataset: Dataset,
    points: Points,
    kernel: Kernel | None,
    settings: SessionSettings,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Gram:
    if kernel is None:
        make = (
            MatrixGram.from_kernel
            if dataset.kind == "kernel"
            else MatrixGram.from_distances
        )
        return cache.get("gram", dataset, lambda: make(dataset.points))
    seen = points if not kernel.family.normalise else kernel.points(points.X)
    kernel.refuse_overflow(seen)
    base = None
    # Low rank asks for a few hundred rows only; a base would cost more than it saves.
    whole = settings.analysis.solver not in ("auto", "lowrank") or not kernel.psd
    if whole and len(points) <= BASE_UP_TO:
        base = cache.get(
            "base",
            (points, kernel.family.base, kernel.family.normalise),
            lambda: pairwise_base(kernel, seen, should_stop, progress),
        )
    return PointsGram(seen, kernel, base)


def _result(
    request: AnalysisRequest,
    dataset: Dataset,
    scaler: Scaler,
    points: Points,
    kernel: Kernel | None,
    suggested: Mapping[str, float],
    decomposition: Decomposition,
    linear: LinearPCA | None,
    cache: StageCache,
) -> AnalysisResult:
    settings = request.settings
    mass = spectrum.negative_mass(
        decomposition.spectrum,
        n=dataset.n,
        trace=decomposition.trace,
        squares=decomposition.squares,
        smallest=decomposition.smallest,
        psd=decomposition.psd,
        complete=decomposition.complete,
    )
    picture: KernelPicture = cache.get(
        "picture",
        decomposition,
        lambda: kernel_picture(dataset, points, kernel),
    )
    scores = training_scores(decomposition)
    scores.flags.writeable = False
    return AnalysisResult(
        settings=settings,
        dataset=dataset,
        scaler=scaler,
        points=points,
        kernel=kernel,
        suggested=dict(suggested),
        decomposition=decomposition,
        scores=scores,
        shares=spectrum.explained_variance_ratio(
            decomposition.eigenvalues, decomposition.trace, mass
        ),
        mass=mass,
        effective_rank=spectrum.effective_rank(
            spectrum.total(decomposition.trace, mass), decomposition.squares
        ),
        linear=linear,
        picture=picture,
    )


def _comparison(
    dataset: Dataset,
    points: Points,
    result: AnalysisResult,
    linear: LinearPCA | None,
    should_stop: ShouldStop,
) -> Comparison:
    known = result.scores.shape[1]
    # With fewer components than the axes ask for, the first is still there to judge.
    axes = [a for a in result.settings.view.axes[:2] if a < known] or [0]
    return compare(
        result.scores[:, axes],
        None if linear is None else linear.scores[:, :2],
        points.dense() if dataset.kind == "points" else None,
        dataset.labels,
        should_stop,
    )
