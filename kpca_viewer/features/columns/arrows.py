"""Where a row would move in the embedding if one of its columns grew.

An arrow is no slope but a place: the row is projected anew with the column one standard
deviation larger. Kernels bend, and a slope that is followed so far would often end
where no row can be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.columns.compute import (
    asked_for,
    refuse_without_columns,
    score_function,
)
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]

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
