"""Pictures of the rows of a choice, as a sweep makes them of its values."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.orientation import flips
from kpca_viewer.core.projection import training_scores
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import counts, find_dataset, numbers, prepare
from kpca_viewer.engine.sweep.making import (
    THUMBNAIL_ROWS,
    picture_of,
    with_coordinates,
)
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.solving import solve_point
from kpca_viewer.support.errors import Cancelled, KpcaError, sentence_of
from kpca_viewer.support.progress import ShouldStop, check
from kpca_viewer.support.threads import one_blas_thread


def make_pictures(
    request: AnalysisRequest,
    wanted: Sequence[SessionSettings],
    cache: StageCache,
    should_stop: ShouldStop,
    publish: Callable[[SweepPoint], None],
) -> None:
    """Compute pictures one after the other; one that fails says why instead.

    Raises
    ------
    Cancelled
    """
    for index, settings in enumerate(wanted):
        check(should_stop)
        point = SweepPoint(index, (), settings)
        try:
            with one_blas_thread():
                point = _with_picture(point, request, cache, should_stop)
        except Cancelled:
            raise
        except (KpcaError, MemoryError) as error:
            point = replace(point, error=sentence_of(error))
        publish(point)


def _with_picture(
    point: SweepPoint,
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
) -> SweepPoint:
    started, settings = perf_counter(), point.settings
    request = replace(request, settings=settings)
    dataset = find_dataset(request, cache, should_stop)
    prepared = prepare(dataset, settings, cache, should_stop)
    found = solve_point(prepared, settings, cache, should_stop)
    found = found.oriented(flips(settings.view.flipped, len(found.eigenvalues)))
    shown = found.leading(counts(prepared, settings)[0])
    scores = training_scores(found, settings.analysis.scoring)
    rows = sample_rows(dataset.n, THUMBNAIL_ROWS)
    point = replace(
        point,
        eigenvalues=shown.eigenvalues,
        bounds=shown.bounds,
        shares=numbers(shown, dataset.n).shares,
        labels=None if dataset.labels is None else dataset.labels[rows],
        n=dataset.n,
        solver=found.solver,
        seconds=perf_counter() - started,
    )
    return with_coordinates(point, picture_of(scores, found, dataset).scores)
