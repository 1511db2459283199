"""How far rows and eigenvalues move when the rows are drawn anew.

The rows are dealt into two halves, again and again. Each half has a model that knows
nothing of the other one: where a row lies in the picture of its own half, and where the
other half puts it, is as independent as a picture and a fresh fit. Rows that are drawn
with replacement come back to most of what the picture rests on, and their ellipses hold
too few of fresh fits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import scores_by_rows
from kpca_viewer.core.linalg.products import center_rows
from kpca_viewer.core.orientation import SPARE, procrustes
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

DRAWS = 50
"""Pairs of halves, with a model each: spreads are right to a tenth, in a second."""

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


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """What is known of moves after many fits.

    ``rows`` (m,): whose moves; ``axes``: components of the picture, from 0; ``spreads``
    (m, k, k): mean square move of every row, from the picture of its own half of the
    rows to where the other half puts it; ``extent``: spread of the picture itself: the
    root of its total variance; ``errors`` (c,): standard errors of the shares of the
    leading components; ``draws``: pairs of halves.
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

        ``axes``: components of a picture; one that it lacks has no extent.
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
    """Fit models to halves of the rows, and lay every picture over the first.

    ``K`` (m, m): the kernel of the rows, not centred; ``rows`` (m,): which ones these
    are; ``picture`` (m, k): their scores as they are shown; ``axes``: which components
    these are, from 0. Of every fit they and some to spare are turned onto the picture
    as a whole: where a row lies among the others is what counts, and which axis of a
    tied pair is shown is no move of the rows; ``components``: whose shares get an
    error.
    """
    m, k = picture.shape
    count = min(components, m)
    fitted = _with_spare(axes, m)
    K = np.asarray(K, dtype=np.float64)
    moves = np.zeros((m, k, k))
    shares = np.zeros((2 * draws, count))
    with one_blas_thread():
        for draw, child in enumerate(np.random.SeedSequence(seed).spawn(draws)):
            check(should_stop)
            dealt = np.random.default_rng(child).permutation(m)
            halves = np.sort(dealt[: m // 2]), np.sort(dealt[m // 2 :])
            fits = []
            for place, half in enumerate(halves):
                scores, shares[2 * draw + place] = _fitted(
                    K, half, fitted, count, center=center
                )
                fits.append(scores)
            for half, own, other in zip(halves, fits, fits[::-1], strict=True):
                shown = procrustes(center_rows(own[half]), center_rows(picture[half]))
                away = procrustes(center_rows(other[half]), shown) - shown
                moves[half] += away[:, :, None] * away[:, None, :]
            progress("bootstrap", (draw + 1) / draws)
    return Bootstrap(
        rows,
        tuple(axes),
        moves / draws,
        float(np.sqrt(picture.var(axis=0).sum())),
        # A statistic of half the rows varies around that of all as that of all does
        # around the truth.
        shares.std(axis=0, ddof=1),
        draws,
    )


def _with_spare(axes: Sequence[int], m: int) -> list[int]:
    """Return components with some beyond the last of them, of m rows."""
    last = max(axes) + 1
    return [*axes, *range(last, min(last + SPARE, m))]


def _fitted(
    K: Array, rows: Array, axes: Sequence[int], count: int, *, center: bool
) -> tuple[Array, Array]:
    """Return scores (m, len(axes)) of all rows by a model of some, and its shares."""
    found, values = scores_by_rows(K, rows, max(axes) + 1, center=center, exact=True)
    shares = np.zeros(count)
    total = float(np.abs(values).sum())
    if total > 0:
        shares[: len(values)] = values[:count] / total
    return found[:, list(axes)], shares
