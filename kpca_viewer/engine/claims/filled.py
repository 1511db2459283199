"""Structure that filled gaps may have made: components and columns that know of them.

The rows whose gaps were filled have the same values in the same columns, which is a
pattern that no measurement has made.
"""

from collections.abc import Sequence
from math import erfc, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.linalg.eigenpairs import eigenpairs
from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.support.numerals import counted, fixed, percent

Array = NDArray[Any]

LEAST_AUC = 0.75
"""Of a component as a test for filled rows; 0.5 is chance."""

LEVEL = 0.01
"""Of the test against rows dealt out at random, over all components together."""

FEWEST = 5
"""Rows with filled cells, and without, of which something can be said."""

MOST_ROWS = 50_000
"""Of more, evenly spread ones are ranked: a caption must not take a moment."""

LEAST_SHARE = 0.2
"""Of a column that components hold, below which nothing can be lost."""

FEWEST_COMPLETE = 20
"""Rows without filled cells on which components are worth a word."""

MOST_FITTED = 500
"""Rows on which components are computed anew."""

DRAWS = 79
"""Of rows left out at random: one chance in eighty to be beyond all of them."""

NAMED = 3
"""Columns that a sentence names."""


def about_filled(result: AnalysisResult) -> Claim | None:
    """Say which shown component tells filled rows from others; None where none does."""
    cells, scores = result.dataset.filled_cells, result.scores
    if cells is None or len(cells) != len(scores):
        return None
    axes = result.settings.view.judged_axes(scores.shape[1])
    return filled_rows(scores, axes, cells)


def filled_rows(scores: Array, axes: Sequence[int], cells: Array) -> Claim | None:
    """Say which component tells rows with filled cells from the others.

    Parameters
    ----------
    scores : ndarray of shape (n, k)
    axes : sequence of int
        The components that are shown, from 0.
    cells : ndarray of shape (n,)
        How many cells of each row are filled.
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
    )


def about_columns(result: AnalysisResult) -> Claim | None:
    """Say which columns the shown components hold by filled rows alone.

    Fits the kernel some eighty times to a few hundred rows: about a second.
    """
    dataset, kernel, cells = result.dataset, result.kernel, result.dataset.filled_cells
    if cells is None or kernel is None or len(cells) != len(result.scores):
        return None
    rows = np.arange(0, len(cells), -(-len(cells) // MOST_FITTED))
    points = kernel.prepare_training(result.points.take(rows))
    return columns_by_filled(
        np.asarray(kernel.block(points, points), dtype=np.float64),
        dataset.points[rows],
        dataset.feature_names,
        result.settings.view.judged_axes(result.scores.shape[1]),
        cells[rows] > 0,
        center=centred(dataset, result.settings),
    )


def columns_by_filled(
    K: Array,
    X: Array,
    names: Sequence[str],
    axes: Sequence[int],
    filled: NDArray[np.bool_],
    *,
    center: bool = True,
) -> Claim | None:
    """Say of which columns components lose most once filled rows are left out.

    Were these rows like the others, it would matter as little as to leave out as many
    others at random: what a column loses by them has to be more than any column loses
    in any of `DRAWS` such trials.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    X : ndarray of shape (n, d)
        The same rows, filled.
    axes : sequence of int
        The components that are shown, from 0.
    filled : ndarray of shape (n,)
        Whether a row has filled cells.
    """
    count = int(filled.sum())
    if count < FEWEST or len(filled) - count < FEWEST_COMPLETE:
        return None

    def held(rows: NDArray[np.bool_]) -> Array:
        return _held(K[np.ix_(rows, rows)], X[rows], axes, center)

    every, without = held(np.ones(len(filled), dtype=bool)), held(~filled)
    lost = every - without
    told = (every >= LEAST_SHARE) & (without <= every / 2)
    if not told.any():
        return None
    random = np.random.default_rng(0)
    # The largest of all columns: then many columns are no more luck than one.
    most = max(
        float((every - held(~random.permutation(filled))).max()) for _ in range(DRAWS)
    )
    found = np.flatnonzero(told & (lost > most))
    if not len(found):
        return None
    found = found[np.argsort(-lost[found], kind="stable")]
    parts = [
        f"“{names[j]}” ({percent(without[j], 0)} of it, with them "
        f"{percent(every[j], 0)})"
        for j in found[:NAMED].tolist()
    ]
    more = len(found) - len(parts)
    listed = ", ".join(parts) + (f" and {counted(more)} more" if more else "")
    return Claim(
        "columns by filled rows",
        f"Without the rows with filled cells {component_words(tuple(axes))} "
        f"{'holds' if len(axes) == 1 else 'hold'} less of {listed}.",
    )


def _held(K: Array, X: Array, axes: Sequence[int], center: bool) -> Array:
    """Return the share of the variance of every column that components hold, (d,)."""
    if center:
        K = double_center(K.copy())
    last = min(max(axes), len(K) - 1)
    shown = [axis for axis in axes if axis <= last]
    scores = eigenpairs(K)[1][:, shown]
    scores = np.linalg.qr(scores - scores.mean(axis=0))[0]
    deviations = X - X.mean(axis=0)
    total = (deviations**2).sum(axis=0)
    held = ((scores.T @ deviations) ** 2).sum(axis=0)
    return np.divide(held, total, out=np.zeros(len(total)), where=total > 0)


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
