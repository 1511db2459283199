"""What single columns make of a picture: groups of their own, or a grid of values."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.reality.dip import dip_p
from kpca_viewer.core.reality.gaps import widest_step
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]

LEVEL = 0.01
"""p of the dip test, times the number of columns, up to which a column has groups."""

MOST_VALUES = 20
"""Values of a column that make a grid; more are too close to be seen as one."""

MOST_COLUMNS = 500
"""A dip takes a millisecond."""


@dataclass(frozen=True, eq=False)
class ColumnGroups:
    """Groups in each of d columns.

    Attributes
    ----------
    groups : ndarray of shape (d,)
        1 where a column has none.
    p : ndarray of shape (d,)
        Of the dip test, corrected for all columns (Bonferroni).
    values : ndarray of shape (d,)
        How many a column has where they are a grid, else 0.
    places : int
        How many different rows there are.
    """

    groups: Array
    p: Array
    values: Array
    places: int


def grid_values(X: Array) -> Array:
    """Return how many values (d,) the columns of X (n, d) have; 0 if too many."""
    counts = 1 + (np.diff(np.sort(X, axis=0), axis=0) > 0).sum(axis=0)
    few = (counts > 1) & (counts <= min(MOST_VALUES, len(X) // 2))
    values: Array = np.where(few, counts, 0)
    return values


def spread_over_grid(X: Array, columns: Array, seed: int = 0) -> Array:
    """Return X (n, d) with chosen columns (d,) spread evenly over their smallest step.

    What a grid alone makes is gone then.
    """
    random, spread = np.random.default_rng(seed), X.copy()
    for j in np.flatnonzero(columns):
        steps = np.diff(np.unique(X[:, j]))
        if len(steps):
            spread[:, j] += steps.min() * (random.random(len(X)) - 0.5)
    return spread


def column_groups(X: Array, should_stop: ShouldStop = never) -> ColumnGroups:
    """Test each column of X (n, d) for more than one mode; a grid has none.

    Raises
    ------
    Cancelled
    """
    d, values = X.shape[1], grid_values(X)
    groups, p = np.ones(d, dtype=np.intp), np.ones(d)
    # Rounded values would be modes, each of them.
    smooth = spread_over_grid(X, values == 0)
    for j in np.flatnonzero(values == 0) if d <= MOST_COLUMNS else ():
        check(should_stop)
        if np.ptp(X[:, j]) > 0:
            p[j] = min(1.0, d * dip_p(smooth[:, j]))
            groups[j] = _count(smooth[:, j], LEVEL / d)
    return ColumnGroups(groups, p, values, len(np.unique(X, axis=0)))


def _count(values: Array, level: float) -> int:
    """Return how many groups values (n,) have: those on either side of a gap."""
    if dip_p(values) > level:
        return 1
    ordered = np.sort(values)
    at = widest_step(ordered)
    return _count(ordered[:at], level) + _count(ordered[at:], level)
