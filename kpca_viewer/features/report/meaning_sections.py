"""Groups that are there, columns that move the picture, rows that are odd to it."""

from collections.abc import Iterator

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.export.text import one_line
from kpca_viewer.features.columns.claims import what_moves
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.features.columns.text import (
    caveats,
    compared_words,
    noise_words,
    rule_words,
)
from kpca_viewer.features.outliers.extras import ODD_LIST, ODD_ROWS
from kpca_viewer.features.outliers.text import (
    ONE_ROW,
    cause_text,
    explanation,
    summary,
)
from kpca_viewer.features.outliers.values import OddList
from kpca_viewer.features.random_baseline.compute import REALITY
from kpca_viewer.features.random_baseline.text import explanation as measures
from kpca_viewer.features.random_baseline.text import summary as groups_summary
from kpca_viewer.features.report.blocks import Block, Paragraph, Section, Table
from kpca_viewer.features.report.gathering import Gathered
from kpca_viewer.support.numerals import counted, fixed, percent, ungrouped

MOST_COLUMNS = 15
MOST_ROWS = 10
"""Of a table; how many there are beside is said."""

MOST_DEVIATIONS = 99.9
"""More are not told apart: draws that hardly differ have hardly a deviation."""


def columns_section(gathered: Gathered) -> Section:
    """Return the section about the influence of columns."""
    if gathered.columns is None:
        return Section("Influence of columns", (Paragraph(gathered.why_no_columns),))
    return Section("Influence of columns", tuple(_columns(gathered.columns)))


def groups_section(gathered: Gathered) -> Section:
    """Return the section about groups beside random data."""
    result = gathered.subject.result
    found = result.get(REALITY)
    if found is None or found.compared is None:
        said = "" if found is None else found.refusal
        return Section("Groups and random data", (Paragraph(said),))
    null = result.settings.view.null
    told = Paragraph(groups_summary(found, null, result.dataset.n))
    measured = Paragraph(" ".join(measures(found.compared).split("\n")), is_small=True)
    return Section("Groups and random data", (told, measured))


def odd_rows_section(gathered: Gathered) -> Section:
    """Return the section about rows that the model does not represent."""
    return Section("Odd rows", tuple(_odd_rows(gathered.subject.result)))


def _columns(ranked: RankedColumns) -> Iterator[Block]:
    yield Paragraph(what_moves(ranked).text)
    if not ranked.moves:
        return
    listed = ranked.columns[:MOST_COLUMNS]
    what = component_words(ranked.components)
    caption = f"Columns by their influence on {what}"
    if len(listed) < len(ranked.columns):
        caption += (
            f"; the first {counted(len(listed))} of {counted(len(ranked.columns))}"
        )
    related = tuple(f"r with PC {component + 1}" for component in ranked.components)
    titles = ("column", "share", "strength", "of noise at most", *related, "deviations")
    yield Table(
        caption,
        (*titles, "more than noise"),
        tuple(_influence(column, ranked) for column in listed),
        frozenset({0, len(titles)}),
    )
    said = (
        rule_words(ranked),
        compared_words(ranked, is_complete=True),
        *caveats(ranked),
    )
    yield Paragraph(" ".join(filter(None, said)), is_small=True)


def _influence(column: ColumnInfluence, ranked: RankedColumns) -> tuple[str, ...]:
    error = "" if column.error is None else f" ± {ungrouped(column.error, 1)}"
    known = column.noise is not None and not column.constant
    return (
        one_line(column.name, 60),
        percent(column.share),
        f"{ungrouped(column.strength, 3)}{error}",
        "–" if column.noise is None else ungrouped(column.noise, 3),
        *(fixed(r, 2) for r in column.correlations),
        fixed(min(column.deviations, MOST_DEVIATIONS), 1) if known else "–",
        noise_words(column, ranked),
    )


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
