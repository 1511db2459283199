"""Odd rows as stages of an analysis, remembered by what they are made of."""

from collections.abc import Iterator

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_numbers import COLOR
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.stage import Stage, StageInputs
from kpca_viewer.features.outliers.compute import (
    MOVING_ROWS,
    PAGE,
    TABLE,
    components_of,
    measure_rows,
)
from kpca_viewer.features.outliers.extras import ODD_LIST, ODD_ROWS
from kpca_viewer.features.outliers.ranking import list_rows
from kpca_viewer.features.outliers.values import OddList, OddRows
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


def find_odd_rows(
    result: AnalysisResult, cache: StageCache, should_stop: ShouldStop = never
) -> OddRows:
    """Return how odd the rows of a result are.

    Raises
    ------
    Cancelled
    """
    about = result.decomposition, components_of(result)
    found: OddRows = cache.get(
        "odd rows", about, lambda: measure_rows(result, should_stop)
    )
    return found


def find_odd_list(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> OddList:
    """Return which rows of a result with odd rows to look at first.

    Raises
    ------
    Cancelled
    """
    odd = result.all_rows.get(ODD_ROWS)
    assert odd is not None
    found: OddList = cache.get(
        "odd list", odd, lambda: list_rows(result, odd, should_stop, progress)
    )
    return found


def _colours_show_them(view: ViewSettings) -> bool:
    return view.shows_values(COLOR)


def _odd_rows(result: AnalysisResult, inputs: StageInputs) -> OddRows | None:
    if not ROWS_STAGE.is_shown(inputs.request):
        return None
    return find_odd_rows(result, inputs.cache, inputs.should_stop)


def _known_list(result: AnalysisResult, inputs: StageInputs) -> OddList | None:
    odd = result.all_rows.get(ODD_ROWS)
    if odd is None or not LIST_STAGE.is_shown(inputs.request):
        return None
    found: OddList | None = inputs.cache.peek("odd list", odd)
    return found


def _compute_list(result: AnalysisResult, inputs: StageInputs) -> Iterator[OddList]:
    yield find_odd_list(result, inputs.cache, inputs.should_stop, inputs.progress)


ROWS_STAGE = Stage(
    ODD_ROWS,
    _odd_rows,
    pages=(PAGE, TABLE),
    in_view=_colours_show_them,
    view_inputs=lambda view: view.odd_by,
)
LIST_STAGE = Stage(
    ODD_LIST, _known_list, _compute_list, pages=(PAGE,), follows=MOVING_ROWS
)
