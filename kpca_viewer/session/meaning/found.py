"""What the page Columns shows: influence, and how much of it noise would have."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.null_influence import MOST_ROWS, NullInfluence
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.meaning.columns import (
    MeasuredColumns,
    RankedColumns,
    asked_for,
    evidence,
    measure_columns,
)
from kpca_viewer.session.meaning.refusals import why_no_columns
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import ViewSettings
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.progress import Progress, ShouldStop, check

Array = NDArray[Any]

PAGE = "columns"
"""The key of the page in `session.plots.PAGES`."""

COMPARED = 24
"""Strongest columns that are compared with noise: each takes some tens of fits."""

AT_A_TIME = 3
"""Columns whose comparison is shown together, every half second or so."""

FEWEST_ROWS = 3
"""With fewer, everything fits and nothing can be told from chance."""

FIRST = 10
"""Components that are measured at once: one can be looked at after the other."""


@dataclass(frozen=True, eq=False)
class FoundColumns:
    """The influence of all columns on some components, with what noise would have.

    Attributes
    ----------
    measured : MeasuredColumns or None
        None where nothing can be said.
    refusal : str
        Why not, in one sentence.
    noise : mapping of int to ndarray of shape (draws, k)
        By column, of those compared so far.
    noise_rows : int
        Rows of which that was measured.
    is_complete : bool
        Whether all columns that will be compared have been.
    """

    measured: MeasuredColumns | None = None
    refusal: str = ""
    noise: dict[int, Array] = field(default_factory=dict)
    noise_rows: int = 0
    is_complete: bool = True

    def ranked(self, view: ViewSettings) -> RankedColumns:
        """Return the columns as they move what the view asks about."""
        assert self.measured is not None
        wanted = _components_of(self.measured, view)
        part = self.measured.of_components(wanted)
        if not self.noise:
            return part.ranked()
        places = [self.measured.components.index(j) for j in wanted]
        columns = np.array(sorted(self.noise))
        rms = np.stack([self.noise[f][:, places] for f in columns.tolist()])
        return part.ranked(None, NullInfluence(columns, rms, self.noise_rows))


def is_wanted(request: AnalysisRequest) -> bool:
    """Return whether anybody looks at influence on the page."""
    return request.page == PAGE and request.settings.view.columns == "influence"


def known_columns(result: AnalysisResult, cache: StageCache) -> FoundColumns | None:
    """Return what was found before, if it was, with the noise known so far."""
    if why := why_no_columns(result):
        return FoundColumns(refusal=why)
    measured = cache.peek("columns", _key(result))
    return None if measured is None else _found(result, measured, cache)


def finding_columns(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Iterator[FoundColumns]:
    """Yield the influence, and then again and again with more columns compared.

    Raises
    ------
    Cancelled
    """
    if why := why_no_columns(result):
        yield FoundColumns(refusal=why)
        return
    progress("influence of columns", None)
    try:
        measured = cache.get(
            "columns",
            _key(result),
            lambda: measure_columns(
                result,
                _measured(result),
                units=result.settings.view.column_units,
                should_stop=should_stop,
                progress=progress,
            ),
        )
    except (DataError, KernelError) as error:
        yield FoundColumns(refusal=str(error))
        return
    found = _found(result, measured, cache)
    yield found
    missing = _missing(result, found)
    noise = _noise(result, cache)
    for start in range(0, len(missing), AT_A_TIME):
        check(should_stop)

        def report(stage: str, part: float | None, start: int = start) -> None:
            done = start + AT_A_TIME * (part or 0.0)
            progress(stage, min(done / len(missing), 1.0))

        columns = missing[start : start + AT_A_TIME]
        null = evidence(measured, columns, should_stop=should_stop, progress=report)
        noise.update(zip(null.columns.tolist(), null.rms, strict=True))
        yield _found(result, measured, cache)


def _found(
    result: AnalysisResult, measured: MeasuredColumns, cache: StageCache
) -> FoundColumns:
    # A copy: the window reads it while more is added here.
    noise = dict(_noise(result, cache))
    rows = min(result.dataset.n, MOST_ROWS)
    found = FoundColumns(measured, "", noise, rows)
    return replace(found, is_complete=not _missing(result, found))


def _noise(result: AnalysisResult, cache: StageCache) -> dict[int, Array]:
    key = result.decomposition, _measured(result)
    noise: dict[int, Array] = cache.get("noise of columns", key, dict)
    return noise


def _missing(result: AnalysisResult, found: FoundColumns) -> list[int]:
    """Return the strongest columns that nobody has compared with noise yet."""
    view = result.settings.view
    if view.column_units == "original":
        return []
    if result.dataset.n < FEWEST_ROWS:
        return []
    strongest = found.ranked(view).columns[:COMPARED]
    return [
        c.column
        for c in strongest
        if c.column not in found.noise and not c.constant and c.strength > 0
    ]


def _measured(result: AnalysisResult) -> tuple[int, ...]:
    """Return the components that are measured: the first, and those asked for."""
    count, view = result.scores.shape[1], result.settings.view
    wanted = {*range(min(count, FIRST)), *asked_for(result, None)}
    if view.columns_of is not None and view.columns_of < count:
        wanted.add(view.columns_of)
    return tuple(sorted(wanted))


def _components_of(measured: MeasuredColumns, view: ViewSettings) -> tuple[int, ...]:
    if view.columns_of in measured.components:
        return (view.columns_of,)
    axes = [axis for axis in view.shown_axes if axis in measured.components]
    return tuple(axes) or measured.components[:1]


def _key(result: AnalysisResult) -> tuple[object, ...]:
    # The names of its columns are told too.
    return (
        result.decomposition,
        result.dataset.feature_names,
        _measured(result),
        result.settings.view.column_units,
    )
