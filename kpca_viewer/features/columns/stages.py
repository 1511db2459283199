"""Influence of columns and how much of it noise would have, for page and report."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import monotonic

import numpy as np

from kpca_viewer.core.methods.null_influence import NullInfluence
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.claims.filled import about_filled
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.stage import Extra, Stage, StageInputs
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.export.document import Block, Paragraph, Section, Table
from kpca_viewer.export.text import one_line
from kpca_viewer.features.columns.compute import (
    ColumnInfluence,
    MeasuredColumns,
    RankedColumns,
    asked_for,
    measure_columns,
    why_no_columns,
)
from kpca_viewer.features.columns.evidence import Comparison, Halves, halve
from kpca_viewer.features.columns.text import (
    BEYOND,
    NOISE,
    caveats,
    compared_words,
    noise_words,
    rule_words,
    what_moves,
)
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import counted, fixed, percent, ungrouped
from kpca_viewer.support.progress import Progress, ShouldStop

PAGE = "columns"
"""The key of its page."""

COMPARED = 64
"""Strongest columns that are compared with noise, by up to some tens of fits each."""

SHOWN_EVERY = 0.4
"""Seconds after which columns that were compared are shown."""

TOLD_APART = 2.5
"""Standard errors of their difference from which one bar is longer than another."""

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
    null : NullInfluence or None
        Noise in the place of those columns that were looked at so far.
    is_complete : bool
        Whether all columns that will be compared have been.
    halves : Halves or None
        The strongest columns in halves of the rows; None where that is not known.
    """

    measured: MeasuredColumns | None = None
    refusal: str = ""
    null: NullInfluence | None = None
    is_complete: bool = True
    halves: Halves | None = None
    _ranks: dict[tuple[int, ...], RankedColumns] = field(default_factory=dict)

    def ranked(self, view: ViewSettings) -> RankedColumns:
        """Return the columns as they move what the view asks about."""
        assert self.measured is not None
        asked = _components_of(self.measured, view)
        if asked not in self._ranks:
            ranked = self._with_noise(self.asked_for(view))
            # Of a component that is left out as well.
            filled = about_filled(self.measured.result, asked)
            self._ranks[asked] = replace(self._with_errors(ranked), filled=filled)
        return self._ranks[asked]

    def _with_noise(self, part: MeasuredColumns) -> RankedColumns:
        if self.null is None:
            return part.ranked()
        whole = self._ranked(part)
        # Noise on one axis would be louder than what the other one carries.
        carrying = {j for column in whole.columns for j in column.beyond}
        if not self.is_complete or not carrying:
            return whole
        kept = [j for j in part.components if j in carrying]
        rest = tuple(part.nearest(j) for j in part.components if j not in carrying)
        if not rest:
            return whole
        return replace(self._ranked(part.of_components(kept)), left_out=rest)

    def _with_errors(self, ranked: RankedColumns) -> RankedColumns:
        """Return columns with their errors, and how many may have the longest bar."""
        halves = self.halves
        if halves is None or not set(ranked.components) <= set(halves.components):
            return ranked
        errors, between = halves.errors(ranked.components, ranked.units)
        places = {column: place for place, column in enumerate(halves.columns.tolist())}
        columns = tuple(
            replace(c, error=float(errors[places[c.column]]))
            if c.column in places
            else c
            for c in ranked.columns
        )
        first, equal = columns[0], 1
        for c in columns[1:]:
            if c.column not in places or first.column not in places:
                break
            error = between[places[first.column], places[c.column]]
            if first.strength - c.strength >= TOLD_APART * error:
                break
            equal += 1
        return replace(ranked, columns=columns, equal=equal)

    def _ranked(self, part: MeasuredColumns) -> RankedColumns:
        assert self.measured is not None
        assert self.null is not None
        places = [self.measured.components.index(j) for j in part.components]
        return part.ranked(None, self.null.of_places(places))

    def asked_for(self, view: ViewSettings) -> MeasuredColumns:
        """Return the influence on the components that the view asks about."""
        assert self.measured is not None
        return self.measured.of_components(_components_of(self.measured, view))


def known_columns(result: AnalysisResult, cache: StageCache) -> FoundColumns | None:
    """Return what was found before, if it was, with the noise known so far."""
    if why := why_no_columns(result):
        return FoundColumns(refusal=why)
    measured = cache.peek("columns", _key(result))
    return None if measured is None else _found(result, measured, cache)


def find_columns(
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
    asked = found.asked_for(result.settings.view)
    if _can_be_compared(result):
        cache.get(
            "halves of columns",
            _halves_key(asked),
            lambda: _halves(asked, should_stop),
        )
        yield _found(result, measured, cache)
    missing = _missing(result, measured, cache)
    shown = monotonic()
    for place, column in enumerate(missing):

        def report(stage: str, part: float | None, place: int = place) -> None:
            progress(stage, (place + (part or 0.0)) / len(missing))

        comparison = _comparison(result, cache)
        comparison.settle(asked, column, should_stop, report)
        if place == len(missing) - 1 or monotonic() - shown > SHOWN_EVERY:
            yield _found(result, measured, cache)
            shown = monotonic()


def _found(
    result: AnalysisResult, measured: MeasuredColumns, cache: StageCache
) -> FoundColumns:
    null = None
    if _can_be_compared(result):
        null = _comparison(result, cache).null()
    asked = FoundColumns(measured).asked_for(result.settings.view)
    halves = cache.peek("halves of columns", _halves_key(asked))
    is_complete = not _missing(result, measured, cache)
    if _can_be_compared(result):
        is_complete = is_complete and halves is not None
    found = FoundColumns(measured, "", null, is_complete, halves)
    # Here, beside the window: thousands of columns take a while.
    what_moves(found.ranked(result.settings.view))
    return found


def _halves_key(asked: MeasuredColumns) -> tuple[object, ...]:
    return asked.result.decomposition, asked.components


def _halves(asked: MeasuredColumns, should_stop: ShouldStop) -> Halves:
    strongest = [c.column for c in asked.ranked(most=COMPARED).columns]
    columns = np.array(strongest)
    try:
        found = halve(asked.result, asked.components, columns, should_stop)
    except KernelError:
        # Defined for the rows as they are, and not for others.
        found = None
    if found is not None:
        return found
    shape = (0, 2, 0, len(columns))
    return Halves(columns, (), np.empty(shape), np.empty((0, 2, len(columns))), 0.0)


def _can_be_compared(result: AnalysisResult) -> bool:
    """Return whether columns have a common measure with noise, and rows enough."""
    units = result.settings.view.column_units
    return units != "original" and result.dataset.n >= FEWEST_ROWS


def _comparison(result: AnalysisResult, cache: StageCache) -> Comparison:
    components = _measured(result)
    made: Comparison = cache.get(
        "noise of columns",
        (result.decomposition, components),
        lambda: Comparison(result, components),
    )
    return made


def _missing(
    result: AnalysisResult, measured: MeasuredColumns, cache: StageCache
) -> list[int]:
    """Return the strongest columns of which noise might still tell something."""
    if not _can_be_compared(result):
        return []
    comparison = _comparison(result, cache)
    asked = FoundColumns(measured).asked_for(result.settings.view)
    return [
        c.column
        for c in asked.ranked(most=COMPARED).columns
        if not c.constant
        and c.strength > 0
        and not comparison.is_settled(asked, c.column)
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
    # The names of its columns are shown too.
    return (
        result.decomposition,
        result.dataset.feature_names,
        _measured(result),
        result.settings.view.column_units,
    )


COLUMNS: Extra[FoundColumns] = Extra("columns")


def _shows_influence(view: ViewSettings) -> bool:
    return view.columns == "influence"


def _known(result: AnalysisResult, inputs: StageInputs) -> FoundColumns | None:
    return (
        known_columns(result, inputs.cache) if STAGE.is_shown(inputs.request) else None
    )


def _compute(result: AnalysisResult, inputs: StageInputs) -> Iterator[FoundColumns]:
    return find_columns(result, inputs.cache, inputs.should_stop, inputs.progress)


def _view_inputs(view: ViewSettings) -> tuple[object, ...]:
    units = view.column_units if _shows_influence(view) else None
    return view.columns, view.columns_of, units


STAGE = Stage(
    COLUMNS,
    _known,
    _compute,
    pages=(PAGE,),
    on_page=_shows_influence,
    view_inputs=_view_inputs,
    is_complete=lambda found: found.is_complete,
)


TITLE = "Influence of columns"

MOST_COLUMNS = 15
"""Of a table; how many there are beside is said."""

MOST_DEVIATIONS = 99.9
"""More are not told apart: draws that hardly differ have hardly a deviation."""


def report_section(
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
    # Nor do draws need the components that it does not show.
    count = 1 + max(asked_for(result, None))
    result = replace(
        result,
        settings=replace(result.settings, view=view),
        decomposition=result.decomposition.leading(count),
        scores=result.scores[:, :count],
    )
    *_, found = find_columns(result, cache, should_stop, progress)
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
    titles = ("column", "share", "strength", NOISE[0], *related, "deviations")
    yield Table(
        caption,
        (*titles, BEYOND),
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
