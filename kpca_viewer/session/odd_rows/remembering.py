"""Odd rows as stages of an analysis, remembered by what they are made of."""

from dataclasses import replace

from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.odd_rows.listing import list_rows
from kpca_viewer.session.odd_rows.measuring import (
    components_of,
    measure_rows,
    with_new,
)
from kpca_viewer.session.odd_rows.values import OddList
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


def with_odd_rows(
    result: AnalysisResult,
    cache: StageCache | None = None,
    should_stop: ShouldStop = never,
) -> AnalysisResult:
    """Return a result that says how odd its rows are, and new ones, if it does not.

    Raises
    ------
    Cancelled
    """
    if result.odd is not None:
        return result
    cache = StageCache() if cache is None else cache
    about = result.decomposition, components_of(result)
    odd = cache.get("odd rows", about, lambda: measure_rows(result, should_stop))
    joined, new = result.joined, result.new_rows
    if joined is not None and new is not None:
        every = cache.get(
            "odd new rows",
            (*about, new),
            lambda: with_new(odd, result, new.points, should_stop),
        )
        joined = replace(joined, odd=every)
    return replace(result, odd=odd, joined=joined)


def known_list(result: AnalysisResult, cache: StageCache) -> OddList | None:
    """Return the list that was made before, if it was."""
    found: OddList | None = cache.peek("odd list", result.all_rows.odd)
    return found


def odd_list(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> OddList:
    """Return which rows of a result to look at first.

    Raises
    ------
    Cancelled
    """
    odd = result.all_rows.odd
    assert odd is not None
    found: OddList = cache.get(
        "odd list", odd, lambda: list_rows(result, odd, should_stop, progress)
    )
    return found
