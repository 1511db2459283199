"""Odd rows as stages of an analysis: which to look at first, and why."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from kpca_viewer.core.methods.outliers import permutation_limits
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_numbers import COLOR
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.stage import Extra, RowValues, Stage, StageInputs
from kpca_viewer.export.document import Block, Paragraph, Section, Table
from kpca_viewer.export.text import one_line
from kpca_viewer.features.outliers.compute import (
    LISTED,
    MOVING_ROWS,
    PAGE,
    TABLE,
    TRIED,
    Cause,
    OddList,
    OddRow,
    OddRows,
    components_of,
    measure_new,
    measure_rows,
    oddness,
    with_new,
)
from kpca_viewer.features.outliers.text import (
    ONE_ROW,
    cause_text,
    explanation,
    oddness_text,
    summary,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import counted, fixed, ungrouped
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent


def _row_values(odd: OddRows) -> list[RowValues]:
    return [
        RowValues(f"{COLOR}{numeral.key}", numeral.symbol, values)
        for numeral, values in odd.known()
    ]


def _row_text(odd: OddRows, row: int) -> str:
    return oddness_text(odd, row) if row < len(odd.numbers.t2) else ""


ODD_ROWS: Extra[OddRows] = Extra(
    "odd rows",
    extend=with_new,
    measure=measure_rows,
    row_values=_row_values,
    row_text=_row_text,
)
ODD_LIST: Extra[OddList] = Extra("odd list")


NEW_LISTED = 20
"""New rows that are listed too, however usual they are: the oddest of them."""

NAMED = 3
"""Columns that are named of a row."""

LIKE = 5
"""Rows like a row, whose values take the place of its own."""

MOST_LIKE, MOST_CELLS = (100, 1000), 2_000_000
"""Rows among which these are looked for; of more, a sample, smaller of many columns."""

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
        # The cosine has no value where other values make a row of zeros.
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
    """Give columns of rows (m,) the values of rows like them, one at a time."""
    dataset = result.dataset
    X = result.all_rows.dataset.points[rows]
    tried, typical = _of_rows_like(X, odd, dataset.points)
    m, count = tried.shape
    if not tried.size:
        return [()] * m
    changed = np.repeat(X, count, axis=0)
    changed[np.arange(m * count), tried.ravel()] = typical.ravel()
    left = oddness(
        measure_new(result, changed, should_stop), odd.t2_limit, odd.spe_limit
    ).reshape(m, count)
    before = odd.oddness[rows][:, None]
    fall = np.zeros_like(left)
    np.divide(before - left, before, out=fall, where=before > 0)
    spread = dataset.points.std(axis=0)
    found = []
    for i in range(m):
        best = np.argsort(-fall[i], kind="stable")[:NAMED]
        found.append(
            tuple(
                Cause(
                    int(f := tried[i, j]),
                    dataset.feature_names[f],
                    float(X[i, f]),
                    float(typical[i, j]),
                    float((X[i, f] - typical[i, j]) / spread[f]),
                    float(fall[i, j]),
                )
                for j in best
                if fall[i, j] >= LEAST_FALL
            )
        )
    return found


def _of_rows_like(X: Array, odd: OddRows, points: Array) -> tuple[Array, Array]:
    """Return columns of rows X (m, d) to be tried, and what rows like them have there.

    Rows like one are the nearest inside of the limits, by all columns but the one that
    is tried, in standard deviations. Of their values the nearest to its own is taken:
    a mean or a median may lie where no row is, between two lumps.

    Returns
    -------
    tuple of ndarray of shape (m, c)
        Empty where there is one column, or no row inside.
    """
    d = points.shape[1]
    usual = np.flatnonzero(odd.oddness[: odd.fitted] <= 1)
    most = int(np.clip(MOST_CELLS // d, *MOST_LIKE))
    points = points[usual[sample_rows(len(usual), most)]]
    spread = points.std(axis=0)
    count = min(TRIED, d) if d > 1 and len(points) else 0
    tried = np.empty((len(X), count), dtype=np.intp)
    typical = np.empty((len(X), count))
    if not count:
        return tried, typical
    unit = np.where(spread > 0, spread, 1.0)
    middle = points.mean(axis=0)
    A, B = (X - middle) / unit, (points - middle) / unit
    all_columns = np.square(B).sum(axis=1) - 2 * A @ B.T
    for i, row in enumerate(A):
        away = np.abs(row - B[_nearest(all_columns[i])]).min(axis=0)
        tried[i] = np.argsort(-away, kind="stable")[:count]
        for j, f in enumerate(tried[i]):
            others = all_columns[i] - np.square(B[:, f]) + 2 * row[f] * B[:, f]
            values = points[_nearest(others), f]
            typical[i, j] = values[np.abs(values - X[i, f]).argmin()]
    return tried, typical


def _nearest(squares: Array) -> Array:
    """Return where the `LIKE` smallest numbers (n,) are, in any order."""
    count = min(LIKE, len(squares))
    return np.argpartition(squares, count - 1)[:count]


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


MOST_ROWS = 10
"""Of a table; how many there are beside is said."""


def report_section(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Section:
    odd = find_odd_rows(result, cache, should_stop)
    result = result.with_extra(ODD_ROWS, odd)
    listed = find_odd_list(result, cache, should_stop, progress)
    result = result.with_extra(ODD_LIST, listed)
    terms: tuple[str, ...] = ("leverage",)
    if odd is not None and odd.numbers.spe is not None:
        terms = ("representation_quality", "leverage", "distance_to_model")
    return Section("Odd rows", tuple(_blocks(result)), terms)


def _blocks(result: AnalysisResult) -> Iterator[Block]:
    odd, listed = result.all_rows.get(ODD_ROWS), result.get(ODD_LIST)
    assert odd is not None and listed is not None  # noqa: PT018
    if result.dataset.n == 1:
        yield Paragraph(f"{ONE_ROW}.")
        return
    yield Paragraph(summary(odd))
    if listed.rows:
        yield _table(result, listed)
    lines = explanation(odd, listed, MOST_ROWS).split("\n")
    yield Paragraph(" ".join(lines), is_small=True)


def _table(result: AnalysisResult, listed: OddList) -> Table:
    known, rows = listed.of.known(), listed.rows[:MOST_ROWS]
    titles = ["row", "times its limit", *(n.symbol for n, _ in known)]
    words = {0}
    if not listed.why_no_columns:
        words.add(len(titles))
        titles.append("columns behind it")
    cells = []
    for each in rows:
        numbers = (ungrouped(float(values[each.row]), 3) for _, values in known)
        line = [_name(result, each.row), fixed(each.oddness, 2), *numbers]
        if not listed.why_no_columns:
            line.append("; ".join(map(cause_text, each.causes)) or "–")
        cells.append(tuple(line))
    beyond = int((listed.of.oddness > 1).sum())
    return Table(
        f"The {counted(len(rows))} oddest of {counted(beyond)} rows beyond a limit"
        if len(rows) < beyond
        else "These rows",
        tuple(titles),
        tuple(cells),
        frozenset(words),
    )


def _name(result: AnalysisResult, row: int) -> str:
    fitted, new = result.dataset, result.new_rows
    if row >= fitted.n and new is not None:
        return f"new {one_line(new.row_text(row - fitted.n), 60)}"
    return one_line(fitted.row_text(row), 60)
