"""Which rows to look at first, and which columns make each of them odd."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.outliers import permutation_limits
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.features.outliers.compute import measure_new
from kpca_viewer.features.outliers.extras import ODD_ROWS
from kpca_viewer.features.outliers.values import (
    TRIED,
    Cause,
    OddList,
    OddRow,
    OddRows,
    oddness,
)
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent

Array = NDArray[Any]

LISTED = 50
"""Rows of the list at most; who wants more sorts the table."""

NEW_LISTED = 20
"""New rows that are listed too, however usual they are: the oddest of them."""

NAMED = 3
"""Columns that are named of a row."""

LEAST_FALL = 0.01
"""Share of the oddness that a column has to take away to be named."""


def list_rows(
    result: AnalysisResult,
    odd: OddRows,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> OddList:
    """Sort the rows by oddness, and find the columns behind the oddest.

    Parameters
    ----------
    odd : OddRows
        Of the data, and of new rows behind them.

    Raises
    ------
    Cancelled
    """
    progress("odd rows", None)
    order = _listed(odd)
    rows = [OddRow(int(row), float(odd.oddness[row])) for row in order]
    if result.kernel is None:
        what = "distances" if result.dataset.kind == "distances" else "kernel values"
        why = (
            f"A matrix of {what} has no columns: none can be shuffled for a limit, or "
            "be named."
        )
        return OddList(odd, tuple(rows), None, why)
    if result.dataset.n == 1:
        return OddList(odd, tuple(rows), None, "There is one row only.")
    try:
        # In the units of the data: some scalings look at rows, not at columns.
        shuffled = permutation_limits(
            result.dataset.points, lambda X: measure_new(result, X, should_stop)
        )
        check(should_stop)
        causes = _causes(result, odd, order, should_stop)
    except (DataError, KernelError) as error:
        # The cosine has no value where columns put back make a row of zeros.
        return OddList(odd, tuple(rows), None, str(error))
    named = (OddRow(r.row, r.oddness, c) for r, c in zip(rows, causes, strict=True))
    return OddList(odd, tuple(named), shuffled)


def _listed(odd: OddRows) -> Array:
    """Return the rows beyond a limit, the oddest first, and the oddest new rows."""
    order = np.argsort(-odd.oddness, kind="stable")
    count = min(LISTED, int((odd.oddness > 1).sum()))
    behind = order[count:]
    new = behind[behind >= odd.fitted]
    few = max(NEW_LISTED - int((order[:count] >= odd.fitted).sum()), 0)
    return np.concatenate((order[:count], new[:few]))


def with_dropped(
    result: AnalysisResult, listed: OddList, places: Sequence[tuple[float, float]]
) -> OddList:
    """Return a list with the points that were dropped into the data among its rows.

    Their numbers are those of the model, as of every new row; none is left out.
    """
    every = with_points(result, places)
    odd = every.all_rows.get(ODD_ROWS)
    first = len(listed.of.oddness)
    if odd is None or len(odd.oddness) == first:
        return listed
    dropped = np.arange(first, len(odd.oddness))
    causes: list[tuple[Cause, ...]] = [()] * len(dropped)
    if not listed.why_no_columns:
        with suppress(DataError, KernelError):
            causes = _causes(every, odd, dropped, never)
    added = (
        OddRow(int(row), float(odd.oddness[row]), causes[i])
        for i, row in enumerate(dropped)
    )
    rows = sorted((*listed.rows, *added), key=lambda each: -each.oddness)
    return replace(listed, of=odd, rows=tuple(rows))


def _causes(
    result: AnalysisResult, odd: OddRows, rows: Array, should_stop: ShouldStop
) -> list[tuple[Cause, ...]]:
    """Put columns of rows (m,) back to their median, one at a time, and measure."""
    if not len(rows):
        return []
    dataset = result.dataset
    typical = np.median(dataset.points, axis=0)
    spread = dataset.points.std(axis=0)
    X = result.all_rows.dataset.points[rows]
    away = np.zeros_like(X)
    np.divide(X - typical, spread, out=away, where=spread > 0)
    tried = np.argsort(-np.abs(away), axis=1, kind="stable")[:, :TRIED]
    m, count = tried.shape
    put_back = np.repeat(X, count, axis=0)
    put_back[np.arange(m * count), tried.ravel()] = typical[tried.ravel()]
    left = oddness(
        measure_new(result, put_back, should_stop), odd.t2_limit, odd.spe_limit
    ).reshape(m, count)
    before = odd.oddness[rows][:, None]
    fall = np.zeros_like(left)
    np.divide(before - left, before, out=fall, where=before > 0)
    found = []
    for i in range(m):
        falls = np.flatnonzero(fall[i] >= LEAST_FALL)
        # Where no column alone makes a difference, the farthest are looked at.
        best = falls[np.argsort(-fall[i, falls], kind="stable")]
        best = best[:NAMED] if len(best) else np.arange(min(NAMED, count))
        found.append(
            tuple(
                Cause(
                    int(f := tried[i, j]),
                    dataset.feature_names[f],
                    float(X[i, f]),
                    float(typical[f]),
                    float(away[i, f]),
                    float(fall[i, j]),
                    len(falls) > 0,
                )
                for j in best
                if away[i, tried[i, j]] != 0
            )
        )
    return found
