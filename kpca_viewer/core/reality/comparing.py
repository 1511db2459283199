"""A picture of data beside pictures of random data by the same kernel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.quality import sample_rows
from kpca_viewer.core.reality.fitting import leading_scores
from kpca_viewer.core.reality.gaps import Gap, find_gaps
from kpca_viewer.core.reality.nulls import Null, draws_of, usable, varying_columns
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]
Scale = Callable[[Array], Array]

DRAWS = 99
"""Of random data. What chance alone makes is wider than 95 of them once in twenty."""

MOST_ROWS = 400
"""Rows of every picture; of more a fixed sample: all draws take half a second."""

FEWEST_ROWS = 4
"""Two groups of two."""

LEVEL = 0.05
"""Part of random data that may have as wide a gap before it counts as chance."""


@dataclass(frozen=True, eq=False)
class Reality:
    """What the same kernel shows of data and of random data.

    Attributes
    ----------
    null : {"permuted", "gaussian"}
        What was drawn.
    axes : tuple of int
        Components, from 0.
    rows : ndarray of shape (m,)
        Which ones the pictures are of.
    picture : ndarray of shape (m, k)
    drawn : ndarray of shape (draws, m, k)
        Scores of the data, and of every draw, all oriented by one rule.
    gaps : tuple of Gap
        Along each axis, and in the picture.
    widths : ndarray of shape (draws, g)
        Of the same gaps in every draw.
    """

    null: Null
    axes: tuple[int, ...]
    rows: Array
    picture: Array
    drawn: Array
    gaps: tuple[Gap, ...]
    widths: Array

    @cached_property
    def _rarity(self) -> Array:
        """Part of all tables in which each gap is as wide as in one of them.

        Shape (1 + draws, g); the data are the first table.
        """
        own = [gap.width for gap in self.gaps]
        widths = np.vstack([own, self.widths])
        as_wide = widths >= widths[:, None] * (1 - 1e-9)
        rarity: Array = as_wide.mean(axis=1)
        return rarity

    @property
    def gap(self) -> Gap:
        """The rarest gap of those that are seen, or of all where none is."""
        rarity = self._rarity[0]
        order = sorted(
            range(len(self.gaps)), key=lambda j: (not self.gaps[j].is_seen, rarity[j])
        )
        return self.gaps[order[0]]

    @property
    def as_wide(self) -> float:
        """Part of random data in which that gap is as wide."""
        j = self.gaps.index(self.gap)
        return float((self.widths[:, j] >= self.gap.width * (1 - 1e-9)).mean())

    @property
    def as_rare(self) -> float:
        """Part of random data that has any gap as rare as the rarest of the data.

        Of several gaps one is rare by chance; in random data as well.
        """
        rarest = self._rarity.min(axis=1)
        return float((rarest[1:] <= rarest[0] * (1 + 1e-9)).mean())

    @property
    def is_chance(self) -> bool:
        """Whether chance makes gaps as rare; the data are one more draw."""
        draws = len(self.widths)
        return (1 + draws * self.as_rare) / (1 + draws) > LEVEL + 1e-9

    @property
    def doubted(self) -> Gap | None:
        """The gap that is seen, where chance makes such gaps as well."""
        return self.gap if self.gap.is_seen and self.is_chance else None


def refuse_to_compare(X: Array) -> None:
    """Raise a `DataError` for a table (n, d) that no random data can be like."""
    if len(X) < FEWEST_ROWS:
        rows = "One row has" if len(X) == 1 else f"{len(X)} rows have"
        raise DataError(
            f"{rows} no groups that chance could make; open {FEWEST_ROWS} or more."
        )
    if not varying_columns(X).any():
        raise DataError("All rows are equal: random data like them are the same.")


def compare(
    X: Array,
    kernel: Kernel,
    axes: Sequence[int],
    null: Null = "permuted",
    *,
    scale: Scale | None = None,
    center: bool = True,
    draws: int = DRAWS,
    most_rows: int = MOST_ROWS,
    seed: int = 0,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Reality:
    """Fit a kernel to data and to random data like them, and measure all gaps.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    axes : sequence of int
        Components, from 0.
    null : {"permuted", "gaussian"}
        One column alone is compared with a Gaussian whatever is asked for.
    scale : callable, optional
        Turns rows (m, d) into those that the kernel sees.
    most_rows : int
        More are sampled.

    Raises
    ------
    DataError
        Of fewer than four rows, or of equal ones.
    KernelError, Cancelled
    """
    refuse_to_compare(X)
    rows = sample_rows(len(X), most_rows)
    X = np.asarray(X[rows], dtype=np.float64)
    null = usable(null, X)

    def fitted(table: Array, *, exact: bool = False) -> Array:
        seen = table if scale is None else scale(table)
        return leading_scores(seen, kernel, axes, center=center, exact=exact)

    drawn = np.empty((draws, len(rows), len(axes)))
    widths = []
    # One thread: matrices as small as these are not worth sharing.
    with one_blas_thread():
        picture = fitted(X, exact=True)
        for draw, table in enumerate(draws_of(X, null, draws, seed)):
            check(should_stop)
            drawn[draw] = fitted(table)
            widths.append([gap.width for gap in find_gaps(drawn[draw], axes)])
            progress("random data", (draw + 1) / draws)
    gaps = find_gaps(picture, axes)
    return Reality(null, tuple(axes), rows, picture, drawn, gaps, np.array(widths))
