"""Where rows would move in the embedding if one of their columns grew.

An arrow is no slope but a place: the row is projected anew with the column one standard
deviation larger. Kernels bend, and a slope that is followed so far would often end
where no row can be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.stage import Extra, Stage, StageInputs
from kpca_viewer.features.columns.compute import (
    asked_for,
    measure_columns,
    refuse_without_columns,
    score_function,
    why_no_columns,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import readable
from kpca_viewer.support.progress import Progress, ShouldStop, check, never

MEAN_ROWS = 1000
"""Rows over which mean arrows are taken; more are sampled."""


@dataclass(frozen=True, eq=False)
class Arrows:
    """Moves in the embedding, each for one column that grows by one SD.

    Attributes
    ----------
    columns : tuple of int
    steps : ndarray of shape (c,)
        Standard deviations of the columns, in the units of the data.
    starts : ndarray of shape (m, k)
        Scores of the rows.
    moves : ndarray of shape (m, c, k)
        By how much each column moves each row. Zero for a constant column.
    """

    columns: tuple[int, ...]
    steps: Array
    starts: Array
    moves: Array


def arrows(
    result: AnalysisResult,
    points: Array,
    columns: Sequence[int],
    components: Sequence[int] | None = None,
    should_stop: ShouldStop = never,
) -> Arrows:
    """Return where rows would move, column by column.

    One column and many rows are a field of arrows; one row and the few strongest
    columns (`strongest_at`) are what a hovered point shows.

    Parameters
    ----------
    points : ndarray of shape (m, d)
        The rows, in the units of the data.
    components : sequence of int, optional
        Of the axes; those that the embedding shows if not given.

    Raises
    ------
    DataError, KernelError
        Where nothing can be said about columns.
    Cancelled
    """
    refuse_without_columns(result)
    axes = list(asked_for(result, components))
    points = np.asarray(points, dtype=np.float64)
    steps = result.dataset.points[:, list(columns)].std(axis=0)
    steps[result.dataset.extents[list(columns)] == 0] = 0.0
    starts = result.project(points, should_stop)[:, axes]
    moves = np.zeros((len(points), len(columns), len(axes)))
    for place, column in enumerate(columns):
        check(should_stop)
        if steps[place] == 0:
            continue
        grown = points.copy()
        grown[:, column] += steps[place]
        moves[:, place] = result.project(grown, should_stop)[:, axes] - starts
    return Arrows(tuple(columns), steps, starts, moves)


def mean_arrows(
    result: AnalysisResult,
    columns: Sequence[int],
    components: Sequence[int] | None = None,
    should_stop: ShouldStop = never,
) -> Arrows:
    """Return the mean move of all rows for each column, from their mean: a biplot.

    Of the linear kernel it is the loading times the standard deviation.
    """
    rows = sample_rows(result.dataset.n, MEAN_ROWS)
    found = arrows(
        result, result.dataset.points[rows], columns, components, should_stop
    )
    return Arrows(
        found.columns,
        found.steps,
        found.starts.mean(axis=0, keepdims=True),
        found.moves.mean(axis=0, keepdims=True),
    )


def strongest_at(
    result: AnalysisResult,
    point: Array,
    count: int,
    components: Sequence[int] | None = None,
    should_stop: ShouldStop = never,
) -> tuple[int, ...]:
    """Return the columns that move one row (d,) most, the strongest first.

    By the gradient there times one standard deviation: of thousands of columns that is
    one product, where arrows would be thousands of projections. Constant columns move
    nothing.
    """
    function = score_function(result, components)
    original = np.asarray(point, dtype=np.float64)[None]
    gradient = function.gradients(
        result.scaler.apply(original), should_stop=should_stop
    )
    gradient = result.scaler.unscaled_gradient(original, gradient)[0]
    steps = result.dataset.points.std(axis=0)
    steps[result.dataset.extents == 0] = 0.0
    strength = np.sqrt(np.square(gradient).sum(axis=0)) * steps
    order = np.argsort(-strength, kind="stable")[:count]
    return tuple(int(f) for f in order if strength[f] > 0)


STRONGEST = 5
"""Columns that have an arrow at one place."""

CELLS = 14
"""Rows of a field stand in a grid of so many cells each way, one in a cell."""

LONGEST = 1.6
"""Of a cell, what the longest arrow of a field may have; all are scaled alike."""

SEEN = 0.36
"""Of the embedding, what the longest of a few arrows may have where it is magnified."""

FACTORS = tuple(m * 10.0**p for p in range(6, -1, -1) for m in (5, 4, 3, 2, 1))
"""By which they are magnified, the largest first."""


@dataclass(frozen=True, eq=False)
class DrawnArrows:
    """Arrows from places of the embedding, on all axes that it shows.

    Attributes
    ----------
    kind : {"point", "mean", "field"}
    axes : tuple of int
        Components, from 0.
    starts, moves : ndarray of shape (a, k)
        Where each arrow begins, and how far a row moves.
    names : tuple of str
        Of every arrow; empty for a field, whose arrows are of one column.
    words : str
        What they are, in one line.
    factor : float
        How many times longer they are drawn than the moves are.
    """

    kind: Literal["point", "mean", "field"]
    axes: tuple[int, ...]
    starts: Array
    moves: Array
    names: tuple[str, ...]
    words: str
    factor: float = 1.0

    @property
    def ends(self) -> Array:
        """Where each arrow ends as it is drawn, (a, k)."""
        ends: Array = self.starts + self.factor * self.moves
        return ends


ARROWS: Extra[DrawnArrows] = Extra("arrows")


def _are_shown(view: ViewSettings) -> bool:
    """Return whether the embedding shows arrows that need no mouse."""
    return view.arrows in ("mean", "field")


def _known_arrows(result: AnalysisResult, inputs: StageInputs) -> DrawnArrows | None:
    if not _are_shown(result.settings.view):
        return None
    found: DrawnArrows | None = inputs.cache.peek("arrows", _key(result))
    return found


def _compute(result: AnalysisResult, inputs: StageInputs) -> Iterator[DrawnArrows]:
    found = find_arrows(result, inputs.cache, inputs.should_stop, inputs.progress)
    if found is not None:
        yield found


def _view_inputs(view: ViewSettings) -> tuple[object, ...]:
    drawn = view.arrows if _are_shown(view) else "off"
    return drawn, view.column if drawn == "field" else None


def find_arrows(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> DrawnArrows | None:
    """Find the arrows that the settings ask for; None where there are none.

    Raises
    ------
    Cancelled
    """
    if why_no_columns(result):
        return None
    progress("arrows", None)
    make = _mean if result.settings.view.arrows == "mean" else _field
    try:
        found: DrawnArrows = cache.get(
            "arrows", _key(result), lambda: make(result, should_stop)
        )
    except (DataError, KernelError):
        return None
    return found


def arrows_at(
    result: AnalysisResult, row: int, should_stop: ShouldStop = never
) -> DrawnArrows | None:
    """Return where one row would move, for the columns that move it most.

    Parameters
    ----------
    row : int
        Of all rows, new ones behind those of the data.
    """
    if why_no_columns(result):
        return None
    point = result.all_rows.dataset.points[row]
    try:
        columns = strongest_at(result, point, STRONGEST, should_stop=should_stop)
        found = arrows(result, point[None], columns, should_stop=should_stop)
    except (DataError, KernelError):
        return None
    return _at_one_place(
        result, found, "point", "move of this row for one SD more of a column"
    )


def _mean(result: AnalysisResult, should_stop: ShouldStop) -> DrawnArrows:
    columns = _strongest(result, STRONGEST, should_stop)
    found = mean_arrows(result, columns, should_stop=should_stop)
    words = "mean move of all rows for one SD more of a column"
    return _at_one_place(result, found, "mean", words)


def _field(result: AnalysisResult, should_stop: ShouldStop) -> DrawnArrows:
    column = result.settings.view.column
    if column is None or column >= result.dataset.d:
        strongest = _strongest(result, 1, should_stop)
        column = strongest[0] if strongest else 0
    axes = asked_for(result, None)
    rows, cell = field_rows(result.scores[:, axes])
    found = arrows(
        result, result.dataset.points[rows], [column], should_stop=should_stop
    )
    moves = found.moves[:, 0]
    longest, room = _longest(moves), LONGEST * cell
    factor = room / longest if longest > room else readable_factor(longest, room)
    words = f"moves for one SD more of “{result.dataset.feature_names[column]}”"
    words += _scale_words(factor)
    return DrawnArrows("field", axes, found.starts, moves, (), words, factor)


def field_rows(scores: Array) -> tuple[Array, float]:
    """Return rows (r,) that stand all over scores (n, k), and the width of a cell.

    Of every cell of a grid it is the row nearest to the middle.
    """
    low = scores.min(axis=0)
    cell = float(np.ptp(scores, axis=0).max()) / CELLS or 1.0
    cells = np.floor((scores - low) / cell)
    away = np.square((scores - low) / cell - cells - 0.5).sum(axis=1)
    order = np.argsort(away, kind="stable")
    _, first = np.unique(cells[order], axis=0, return_index=True)
    return np.sort(order[first]), cell


def _strongest(
    result: AnalysisResult, count: int, should_stop: ShouldStop
) -> Sequence[int]:
    measured = measure_columns(result, units="spread", should_stop=should_stop)
    strongest = measured.ranked(most=count).columns
    return [c.column for c in strongest if c.strength > 0 and not c.constant]


def _at_one_place(
    result: AnalysisResult,
    found: Arrows,
    kind: Literal["point", "mean"],
    words: str,
) -> DrawnArrows:
    names = tuple(result.dataset.feature_names[f] for f in found.columns)
    starts = np.repeat(found.starts, len(found.columns), axis=0)
    axes, moves = asked_for(result, None), found.moves[0]
    extent = float(np.ptp(result.scores[:, axes], axis=0).max())
    factor = readable_factor(_longest(moves), SEEN * extent)
    words += _scale_words(factor)
    return DrawnArrows(kind, axes, starts, moves, names, words, factor)


def readable_factor(longest: float, room: float) -> float:
    """Return how many times longer arrows are drawn, so that they can be told apart.

    A round number, with which the longest has nearly all of the room that there is; 1
    where it has more of itself.
    """
    if not longest > 0:
        return 1.0
    return next((f for f in FACTORS if f * longest <= room), 1.0)


def _scale_words(factor: float) -> str:
    return "" if factor == 1 else f" · drawn ×{readable(factor, 2)}"


def _longest(moves: Array) -> float:
    return float(np.sqrt(np.square(moves).sum(axis=1)).max(initial=0.0))


def _key(result: AnalysisResult) -> tuple[object, ...]:
    view = result.settings.view
    column = view.column if view.arrows == "field" else None
    shown = asked_for(result, None)
    names = result.dataset.feature_names
    return result.decomposition, result.scoring, names, view.arrows, column, shown


STAGE = Stage(
    ARROWS, _known_arrows, _compute, in_view=_are_shown, view_inputs=_view_inputs
)
