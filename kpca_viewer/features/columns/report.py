"""What a report tells of columns: which of them move the picture, and how surely."""

from collections.abc import Iterator
from dataclasses import replace

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.export.document import Block, Paragraph, Section, Table
from kpca_viewer.export.text import one_line
from kpca_viewer.features.columns.claims import what_moves
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.features.columns.stages import finding_columns
from kpca_viewer.features.columns.text import (
    caveats,
    compared_words,
    noise_words,
    rule_words,
)
from kpca_viewer.support.numerals import counted, fixed, percent, ungrouped
from kpca_viewer.support.progress import Progress, ShouldStop

TITLE = "Influence of columns"

MOST_COLUMNS = 15
"""Of a table; how many there are beside is said."""

MOST_DEVIATIONS = 99.9
"""More are not told apart: draws that hardly differ have hardly a deviation."""


def section(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Section:
    # The page of columns may show one component; a report is about the picture.
    view = replace(
        result.settings.view,
        columns="influence",
        columns_of=None,
        column_units="spread",
    )
    result = replace(result, settings=replace(result.settings, view=view))
    *_, found = finding_columns(result, cache, should_stop, progress)
    if found.measured is None:
        return Section(TITLE, (Paragraph(found.refusal),))
    blocks = tuple(_columns(found.ranked(view)))
    return Section(TITLE, blocks, ("influence", "noise_band"))


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
