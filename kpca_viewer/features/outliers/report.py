"""What a report tells of rows that the model does not represent."""

from collections.abc import Iterator

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.export.document import Block, Paragraph, Section, Table
from kpca_viewer.export.text import one_line
from kpca_viewer.features.outliers.extras import ODD_LIST, ODD_ROWS
from kpca_viewer.features.outliers.stages import find_odd_list, find_odd_rows
from kpca_viewer.features.outliers.text import (
    ONE_ROW,
    cause_text,
    explanation,
    summary,
)
from kpca_viewer.features.outliers.values import OddList
from kpca_viewer.support.numerals import counted, fixed, ungrouped
from kpca_viewer.support.progress import Progress, ShouldStop

MOST_ROWS = 10
"""Of a table; how many there are beside is said."""


def section(
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
    return Section("Odd rows", tuple(_odd_rows(result)), terms)


def _odd_rows(result: AnalysisResult) -> Iterator[Block]:
    odd, listed = result.all_rows.get(ODD_ROWS), result.get(ODD_LIST)
    assert odd is not None and listed is not None  # noqa: PT018
    if result.dataset.n == 1:
        yield Paragraph(f"{ONE_ROW}.")
        return
    yield Paragraph(summary(odd))
    if listed.rows:
        yield _list(result, listed)
    yield Paragraph(" ".join(explanation(odd, listed).split("\n")), is_small=True)


def _list(result: AnalysisResult, listed: OddList) -> Table:
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
    return Table(
        f"The first {counted(len(rows))} of {counted(len(listed.rows))} listed rows"
        if len(rows) < len(listed.rows)
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
