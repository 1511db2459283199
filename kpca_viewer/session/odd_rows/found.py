"""Odd rows of a result, remembered between requests."""

from dataclasses import replace

from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.odd_rows.listing import list_rows
from kpca_viewer.session.odd_rows.measuring import (
    components_of,
    measure_new,
    measure_rows,
)
from kpca_viewer.session.odd_rows.values import OddList
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.support.progress import Progress, ShouldStop


def known_list(result: AnalysisResult, cache: StageCache) -> OddList | None:
    """Return the list of rows to look at first, if it was made before."""
    found: OddList | None = cache.peek("odd list", result.all_rows.odd)
    return found


def find_odd_rows(
    result: AnalysisResult, cache: StageCache, should_stop: ShouldStop
) -> AnalysisResult:
    """Return a result that says how odd its rows are, and new ones."""
    about = result.decomposition, components_of(result)
    odd = cache.get("odd rows", about, lambda: measure_rows(result, should_stop))
    joined, new = result.joined, result.new_rows
    if joined is not None and new is not None:
        all_odd = cache.get(
            "odd new rows",
            (*about, new),
            lambda: odd.followed_by(measure_new(result, new.points, should_stop)),
        )
        joined = replace(joined, odd=all_odd)
    return replace(result, odd=odd, joined=joined)


def find_list(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> OddList:
    """Return which rows to look at first, and why."""
    odd = result.all_rows.odd
    assert odd is not None
    found: OddList = cache.get(
        "odd list", odd, lambda: list_rows(result, odd, should_stop, progress)
    )
    return found
