"""How far rows and eigenvalues move when the rows are drawn anew.

Rows are drawn with replacement, the model is fitted to them, and all rows are projected
onto it. A row that was drawn w times is one row of weight w: with ``p = w/n`` the
centred kernel is ``(I − 1pᵀ) K (I − p1ᵀ)``, and the eigenvectors are those of its rows
and columns that were drawn, times √w on both sides. So every fit is that of some two
thirds of the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.orientation import SPARE, procrustes
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

DRAWS = 99
"""Models that are fitted: spreads are right to a tenth, in a second."""

MOST_ROWS = 500
"""Rows of a model; of more a fixed sample is fitted and shown."""

FEWEST_ROWS = 4

Z95 = 1.96
"""Standard errors on both sides that cover 95 % of a normal distribution."""

RADIUS95 = {1: Z95, 2: 2.4477, 3: 2.7955}
"""The same for the distance from the middle in one, two and three dimensions."""

FAINT = 1.0
"""Spreads of the picture beyond which the 95 % ellipse of a row reaches: it may then
lie anywhere."""

NOISE = 1e-12
"""Part of the largest below which an eigenvalue is rounding."""


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """What is known of moves after many fits.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Whose moves.
    axes : tuple of int
        Components of the picture, from 0.
    spreads : ndarray of shape (m, k, k)
        Mean square move of every row around its place in the picture.
    extent : float
        Spread of the picture itself: the root of its total variance.
    errors : ndarray of shape (c,)
        Standard errors of the shares of the leading components.
    draws : int
    """

    rows: Array
    axes: tuple[int, ...]
    spreads: Array
    extent: float
    errors: Array
    draws: int

    @cached_property
    def reach(self) -> Array:
        """Longest half axis of the 95 % ellipse of every row, shape (m,)."""
        largest = np.linalg.eigvalsh(self.spreads)[:, -1]
        reach: Array = RADIUS95[len(self.axes)] * np.sqrt(np.maximum(largest, 0.0))
        return reach

    def roots(self, axes: Sequence[int]) -> Array:
        """Matrices (m, a, a) that turn the unit ball into the 95 % ellipsoids.

        Parameters
        ----------
        axes : sequence of int
            Components of a picture; one that it lacks has no extent.
        """
        roots = np.zeros((len(self.rows), len(axes), len(axes)))
        known = [place for place, axis in enumerate(axes) if axis in self.axes]
        taken = [self.axes.index(axes[place]) for place in known]
        values, vectors = np.linalg.eigh(self.spreads[:, taken][:, :, taken])
        scale = RADIUS95[len(known)] * np.sqrt(np.maximum(values, 0.0))
        roots[np.ix_(range(len(roots)), known, known)] = vectors * scale[:, None, :]
        return roots

    @property
    def is_faint(self) -> Array:
        """Which rows move more than they mean, shape (m,)."""
        # Equal rows have no picture to be lost in.
        faint: Array = (self.reach > FAINT * self.extent) & (self.extent > 0)
        return faint


def bootstrap(
    K: Array,
    rows: Array,
    picture: Array,
    axes: Sequence[int],
    *,
    components: int,
    center: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Bootstrap:
    """Fit the model to rows that are drawn anew, and lay every picture over the first.

    Parameters
    ----------
    K : ndarray of shape (m, m)
        The kernel of the rows, not centred.
    rows : ndarray of shape (m,)
        Which ones these are.
    picture : ndarray of shape (m, k)
        Their scores as they are shown.
    axes : sequence of int
        Which components these are, from 0. Of every fit they and some to spare are
        turned onto the picture as a whole: where a row lies among the others is what
        counts, and which axis of a tied pair is shown is no move of the rows.
    components : int
        Whose shares get an error.

    Raises
    ------
    Cancelled
    """
    m, k = picture.shape
    count = min(components, m)
    fitted = _with_spare(axes, m)
    K = np.asarray(K, dtype=np.float64)
    moves = np.zeros((m, k, k))
    shares = np.zeros((draws, count))
    middle = picture.mean(axis=0)
    with one_blas_thread():
        for draw, child in enumerate(np.random.SeedSequence(seed).spawn(draws)):
            check(should_stop)
            drawn = np.random.default_rng(child).integers(0, m, m)
            weights = np.bincount(drawn, minlength=m).astype(np.float64)
            scores, shares[draw] = _refitted(K, weights, fitted, count, center=center)
            away = procrustes(scores - scores.mean(axis=0), picture - middle)
            away -= picture - middle
            moves += away[:, :, None] * away[:, None, :]
            progress("bootstrap", (draw + 1) / draws)
    extent = float(np.sqrt(picture.var(axis=0).sum()))
    return Bootstrap(
        rows,
        tuple(axes),
        moves / draws,
        extent,
        shares.std(axis=0, ddof=1) if draws > 1 else np.zeros(count),
        draws,
    )


def _with_spare(axes: Sequence[int], m: int) -> list[int]:
    """Return components with some beyond the last of them, of m rows."""
    last = max(axes) + 1
    return [*axes, *range(last, min(last + SPARE, m))]


def _refitted(
    K: Array, weights: Array, axes: Sequence[int], count: int, *, center: bool
) -> tuple[Array, Array]:
    """Return scores (m, len(axes)) of all rows by those drawn, and leading shares."""
    if center:
        p = weights / weights.sum()
        means = K @ p
        K = K - means - (means - p @ means)[:, None]
    drawn = np.flatnonzero(weights)
    roots = np.sqrt(weights[drawn])
    values, vectors = np.linalg.eigh(K[np.ix_(drawn, drawn)] * roots * roots[:, None])
    values, vectors = values[::-1], vectors[:, ::-1]
    scores = np.zeros((len(K), len(axes)))
    for place, axis in enumerate(axes):
        if axis < len(values) and values[axis] > NOISE * values[0]:
            alpha = roots * vectors[:, axis] / np.sqrt(values[axis])
            scores[:, place] = K[:, drawn] @ alpha
    shares = np.zeros(count)
    total = float(np.abs(values).sum())
    if total > 0:
        shares[: len(values)] = values[:count] / total
    return scores, shares
