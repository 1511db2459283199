"""The picture of a result beside random data, and how far it moves with other rows.

The page asks for random data always. The caption of the embedding asks for them where a
person would see groups, once the picture is at rest and everything else is there.
"""

from collections.abc import Hashable, Iterator

import numpy as np

from kpca_viewer.core.methods.bootstrap import FEWEST_ROWS as FEWEST_DRAWN
from kpca_viewer.core.methods.bootstrap import MOST_ROWS as MOST_DRAWN
from kpca_viewer.core.methods.bootstrap import Bootstrap, bootstrap
from kpca_viewer.core.methods.gaps import find_gaps
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.methods.random_baseline import FEWEST_ROWS, MOST_ROWS, compare
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stage import Extra, Stage, StageInputs
from kpca_viewer.engine.stages import SameArray, centred, rows_matrix
from kpca_viewer.export.document import Paragraph, Section
from kpca_viewer.features.random_baseline.text import (
    FoundReality,
    explanation,
    group_claims,
    no_columns,
    summary,
    warning,
)
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

PAGE = "real"
"""The key of its page."""

NAME = "reality"

QUICK_CELLS = 500_000
"""Of the rows that are compared, up to which a caption asks for it: a second's work."""


def _is_wanted(request: AnalysisRequest, result: AnalysisResult) -> bool:
    """Return whether the page is in front, or the caption may have to warn.

    Where no page is in front there is no window, and no caption.
    """
    return request.page == PAGE or (bool(request.page) and sees_groups(result))


def sees_groups(result: AnalysisResult) -> bool:
    """Return whether a person would see a gap in a picture that is quickly compared."""
    n, d, axes = result.dataset.n, result.dataset.d, _axes(result)
    if result.kernel is None or n < FEWEST_ROWS:
        return False
    if min(n, MOST_ROWS) * d > QUICK_CELLS:
        return False
    scores = result.scores[sample_rows(n, MOST_ROWS)][:, axes]
    return any(gap.is_seen for gap in find_gaps(scores.astype(np.float64), axes))


def _known_reality(result: AnalysisResult, inputs: StageInputs) -> FoundReality | None:
    if not inputs.request.page:
        return None
    found: FoundReality | None = inputs.cache.peek(NAME, _key(result))
    return found


def find_reality(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> FoundReality:
    """Compare the picture with random data, or say why that cannot be.

    Raises
    ------
    Cancelled
    """
    found: FoundReality = cache.get(
        NAME, _key(result), lambda: _compared(result, should_stop, progress)
    )
    return found


def _compared(
    result: AnalysisResult, should_stop: ShouldStop, progress: Progress
) -> FoundReality:
    kernel, settings = result.kernel, result.settings
    if kernel is None:
        return FoundReality(None, no_columns(result.dataset.kind))
    progress("random data", None)
    # In the units of the data: some scalings look at rows, not at columns. Columns with
    # a logarithm are drawn as the kernel sees them: a normal column has values below 0.
    in_units = result.scaler.how != "columns"
    try:
        found = compare(
            result.dataset.points if in_units else result.points.dense(),
            kernel,
            _axes(result),
            scale=result.scaler.apply if in_units else np.asarray,
            center=centred(result.dataset, settings),
            should_stop=should_stop,
            progress=progress,
        )
    except (DataError, KernelError) as error:
        return FoundReality(None, str(error))
    claims = group_claims(found, result.dataset.feature_names)
    return FoundReality(found, claims=claims)


def _axes(result: AnalysisResult) -> list[int]:
    return result.settings.view.judged_axes(result.scores.shape[1])


def _key(result: AnalysisResult) -> Hashable:
    kernel, settings = result.kernel, result.settings
    return (
        result.points,
        SameArray(result.dataset.points),
        None if kernel is None else (kernel.family.name, *kernel.values.items()),
        centred(result.dataset, settings),
        tuple(_axes(result)),
    )


def _compute(result: AnalysisResult, inputs: StageInputs) -> Iterator[FoundReality]:
    yield find_reality(result, inputs.cache, inputs.should_stop, inputs.progress)


REALITY: Extra[FoundReality] = Extra("reality", sentences={"embedding": warning})

STAGE = Stage(REALITY, _known_reality, _compute, pages=(PAGE,), wanted=_is_wanted)


TITLE = "Groups and random data"


def report_section(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Section:
    found = find_reality(result, cache, should_stop, progress)
    if found.compared is None:
        return Section(TITLE, (Paragraph(found.refusal),))
    words = summary(found, result.settings.view.null, result.dataset.n)
    measured = " ".join(explanation(found.compared).split("\n"))
    return Section(TITLE, (Paragraph(words), Paragraph(measured, is_small=True)))


MOVES_NAME = "bootstrap"


def _are_possible(result: AnalysisResult) -> bool:
    """Return whether there are any: few rows have none, forgotten steps other units."""
    return result.dataset.n >= FEWEST_DRAWN and result.scoring.normalised


def _known_moves(result: AnalysisResult, inputs: StageInputs) -> Bootstrap | None:
    if not result.settings.view.bootstrap:
        return None
    found: Bootstrap | None = inputs.cache.peek(MOVES_NAME, _moves_key(result))
    return found


def _find_moves(result: AnalysisResult, inputs: StageInputs) -> Iterator[Bootstrap]:
    """Fit the model to rows drawn anew, and measure the moves in the picture.

    Raises
    ------
    Cancelled
    """

    def make() -> Bootstrap:
        inputs.progress("bootstrap", None)
        rows, axes = sample_rows(result.dataset.n, MOST_DRAWN), _axes(result)
        center = centred(result.dataset, result.settings)
        return bootstrap(
            rows_matrix(inputs.prepared, rows, center=center),
            rows,
            result.scores[rows][:, axes].astype(np.float64),
            axes,
            components=result.scores.shape[1],
            center=center,
            should_stop=inputs.should_stop,
            progress=inputs.progress,
        )

    yield inputs.cache.get(MOVES_NAME, _moves_key(result), make)


def _moves_key(result: AnalysisResult) -> tuple[object, ...]:
    return result.decomposition, tuple(_axes(result))


MOVES_STAGE = Stage(
    MOVES,
    _known_moves,
    _find_moves,
    in_view=lambda view: view.bootstrap,
    wanted=lambda request, result: (
        request.settings.view.bootstrap and _are_possible(result)
    ),
    view_inputs=lambda view: view.bootstrap,
)


ROUNDS = 2**31


def new_round() -> int:
    """Return the number of a round that was not to be foreseen."""
    return int(np.random.default_rng().integers(ROUNDS))
