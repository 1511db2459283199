"""Structure that filled gaps may have made: components that know of them.

The rows whose gaps were filled have the same values in the same columns, which is a
pattern that no measurement has made.
"""

from collections.abc import Sequence
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import counted, fixed

LEAST_AUC = 0.75
"""Of a component as a test for filled rows; 0.5 is chance."""

LEVEL = 0.01
"""Of the test against rows dealt out at random, over all components together."""

FEWEST = 5
"""Rows with filled cells, and without, of which something can be said."""

MOST_ROWS = 50_000
"""Of more, evenly spread ones are ranked: a caption must not take a moment."""


def about_filled(
    result: AnalysisResult, axes: Sequence[int] | None = None
) -> Claim | None:
    """Say which component tells filled rows from others; None where none does.

    ``axes``: components, from 0; those that are shown if not given.
    """
    cells, scores = result.dataset.filled_cells, result.scores
    if cells is None or len(cells) != len(scores):
        return None
    if axes is None:
        axes = result.settings.view.judged_axes(scores.shape[1])
    return filled_rows(scores, axes, cells)


def filled_rows(scores: Array, axes: Sequence[int], cells: Array) -> Claim | None:
    """Say which component tells rows with filled cells from the others.

    ``scores`` (n, k); ``axes``: the components that are shown, from 0; ``cells`` (n,):
    how many cells of each row are filled.
    """
    filled = cells > 0
    step = -(-len(filled) // MOST_ROWS)
    some = filled[::step]
    if min(some.sum(), (~some).sum()) < FEWEST:
        return None
    shown = sorted(set(axes))
    found = [(*_tested(scores[::step, axis], some), axis) for axis in shown]
    auc, p, axis = max(found)
    if auc < LEAST_AUC or p * len(shown) >= LEVEL:
        return None
    count = int(filled.sum())
    return Claim(
        "filled rows",
        f"PC {axis + 1} tells the {counted(count)} rows with filled cells from the "
        f"others (AUC {fixed(auc, 2)}), so that gaps may have made this structure: "
        "colour by Filled cells, or leave those rows out.",
        axis,
    )


def _tested(score: Array, filled: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the area under the curve, from 0.5, and how probable it is by chance.

    Over all ways to deal out the filled rows the sum of their ranks is nearly normal,
    with a mean and a variance that are known (Mann and Whitney, 1947), also with ties.
    """
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    ranks = (last - (count - 1) / 2)[place]
    a, b = int(filled.sum()), int((~filled).sum())
    n = a + b
    area = (float(ranks[filled].sum()) - a * (a + 1) / 2) / (a * b)
    ties = float((count.astype(np.float64) ** 3 - count).sum())
    variance = (n + 1 - ties / (n * (n - 1))) / (12 * a * b)
    distance = abs(area - 0.5)
    if variance <= 0:
        return 0.5, 1.0
    return 0.5 + distance, erfc(distance / sqrt(2 * variance))
