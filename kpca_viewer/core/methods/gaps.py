"""How wide the gaps of a picture are: along its components, and anywhere in it.

A gap leaves a tenth of the rows on either side, and two at least: one row far out makes
no groups.

What single columns make of a picture: groups of their own, or a grid of values.

Hartigan's dip test: whether one column alone has more than one mode.

The dip is the distance from the distribution of the values to the nearest one with a
single mode; p is the part of uniform samples, the hardest of those, with a larger one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

LEAST_SIDE = 0.1
"""Share of the rows that a group has."""

FEWEST = 2
"""Rows that a group has at least."""

SEEN_ALONG = 0.5
"""Standard deviations of a component from which a gap along it is seen as one."""

SEEN_BETWEEN, SEEN_SPREAD = 2.0, 0.25
"""How many times the distance between neighbours a gap of the picture has to be, and
which part of the spread of the picture, to be seen as one."""

NEIGHBOURS = 0.9
"""Of the distances between neighbours, so many are shorter than the one that gaps are
compared with."""

MIDDLE = 0.05
"""Share of the rows that the middle of data would have."""

ROWS_A_COLUMN = 10
"""Fewer do not tell which columns go together."""

NO_SPREAD = 1e-6
"""Part of the largest score of a picture below which a spread is rounding: that of a
component whose eigenvalue is 0 but for it."""


@dataclass(frozen=True)
class Gap:
    """The widest gap of one kind in a picture."""

    component: int | None
    """Along which it lies, from 0; None for a gap anywhere in the picture."""
    width: float
    """In standard deviations of the component; in the picture, in distances between
    neighbours (what nine tenths of them are shorter than). 0 where there is none."""
    is_seen: bool
    """Whether a person would see two groups there."""


def find_gaps(scores: Array, axes: Sequence[int]) -> tuple[Gap, ...]:
    """Measure a picture (m, k): along each of its components, and as a whole."""
    dust = NO_SPREAD * float(np.abs(scores).max(initial=0.0))
    found = [_along(scores[:, j], axis, dust) for j, axis in enumerate(axes)]
    if len(axes) > 1:
        found.append(_in_picture(scores, dust))
    return tuple(found)


def widest_step(ordered: Array) -> int:
    """Return where the upper of two groups begins in ascending values (m,)."""
    side = _side(len(ordered))
    steps = np.diff(ordered)[side - 1 : len(ordered) - side]
    return side + int(np.argmax(steps))


def is_uncorrelated(m: int, d: int) -> bool:
    """Return whether the middle is that of m rows whose d columns are uncorrelated."""
    return m >= ROWS_A_COLUMN * d


def empty_middle(X: Array) -> float:
    """Return how empty the middle of rows (m, d) is.

    It is the mean distance of the nearest twentieth of the rows to their mean, in terms
    of their spread: larger between groups and inside of rings than where rows crowd.
    Columns are made uncorrelated, so that a long middle is as good as a round one.
    """
    away = X - X.mean(axis=0)
    if is_uncorrelated(*X.shape):
        U, sizes, _ = np.linalg.svd(away, full_matrices=False)
        away = U[:, sizes > NO_SPREAD * sizes.max(initial=0.0)]
    squares = np.sort(np.einsum("ij,ij->i", away, away))
    spread = float(np.sqrt(squares.mean()))
    if not spread:
        return 0.0
    near = np.sqrt(squares[: max(1, round(MIDDLE * len(X)))])
    return float(near.mean()) / spread


def _side(m: int) -> int:
    """Return how many of m rows a group has at least."""
    return max(FEWEST, int(np.ceil(LEAST_SIDE * m)))


def _along(scores: Array, component: int, dust: float) -> Gap:
    ordered = np.sort(scores)
    spread = float(ordered.std())
    if spread <= dust or len(ordered) < 2 * FEWEST:
        return Gap(component, 0.0, False)
    at = widest_step(ordered)
    width = float(ordered[at] - ordered[at - 1]) / spread
    return Gap(component, width, width >= SEEN_ALONG)


def _in_picture(scores: Array, dust: float) -> Gap:
    """Join rows by their nearest neighbours; the last join of two groups is the gap."""
    from scipy.cluster.hierarchy import linkage

    spread = float(np.sqrt(scores.var(axis=0).sum()))
    m = len(scores)
    if m < 2 * FEWEST or spread <= dust:
        return Gap(None, 0.0, False)
    joins = linkage(scores, "single")
    sizes = np.append(np.ones(m), joins[:, 3])
    smaller = sizes[joins[:, :2].astype(np.intp)].min(axis=1)
    lengths = joins[:, 2]
    gap = float(lengths[smaller >= _side(m)].max(initial=0.0))
    near = float(np.quantile(lengths, NEIGHBOURS))
    # Rows in a few places only have no distance between neighbours.
    width = gap / max(near, NO_SPREAD * spread)
    is_seen = width >= SEEN_BETWEEN and gap >= SEEN_SPREAD * spread
    return Gap(None, width, is_seen)


LEVEL = 0.01
"""p of the dip test, times the number of columns, up to which a column has groups."""

MOST_VALUES = 20
"""Values of a column that make a grid; more are too close to be seen as one."""

MOST_COLUMNS = 500
"""A dip takes a millisecond."""


@dataclass(frozen=True, eq=False)
class ColumnGroups:
    """Groups in each of d columns.

    ``groups`` (d,): 1 where a column has none; ``p`` (d,): of the dip test, corrected
    for all columns (Bonferroni); ``values`` (d,): how many a column has where they are
    a grid, else 0; ``places``: how many different rows there are.
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
    """Test each column of X (n, d) for more than one mode; a grid has none."""
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


SIZES = (4, 8, 16, 32, 64, 128, 256, 512)
"""Numbers of values for which quantiles are tabulated."""

P_VALUES = (0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-5)
"""Parts of uniform samples with a larger dip."""

QUANTILES = (
    (0.250, 0.314, 0.325, 0.338, 0.349, 0.357, 0.364, 0.368),
    (0.376, 0.401, 0.428, 0.448, 0.464, 0.475, 0.483, 0.489),
    (0.415, 0.436, 0.462, 0.485, 0.502, 0.515, 0.524, 0.530),
    (0.464, 0.489, 0.530, 0.558, 0.580, 0.596, 0.607, 0.614),
    (0.489, 0.546, 0.608, 0.644, 0.673, 0.693, 0.714, 0.720),
    (0.497, 0.604, 0.669, 0.714, 0.753, 0.771, 0.804, 0.803),
    (0.499, 0.635, 0.711, 0.755, 0.816, 0.833, 0.873, 0.865),
)
"""Of √n times the dip of 200,000 uniform samples: a line for each p, along it sizes."""


def dip(values: Array) -> float:
    """Return the dip of values (n,), two or more and all different."""
    x = np.sort(values)
    n = len(x)
    low, high, found = 0, n - 1, 1.0
    while True:
        index = np.arange(low, high + 1)
        at = x[index]
        below, above = _hull(at, 1), _hull(at, -1)
        minorant = np.interp(at, at[below], index[below])
        majorant = np.interp(at, at[above], index[above])
        apart = majorant - minorant + 1
        knots = np.union1d(below, above)
        widest = int(knots[np.argmax(apart[knots])])
        if len(knots) == 2 or apart[widest] <= found:
            break
        # The mode lies between the last knot below and the first knot above.
        left = int(below[below <= widest][-1])
        right = int(above[above >= widest][0])
        rise = (index - minorant)[: left + 1].max() + 1
        fall = (majorant - index)[right:].max() + 1
        found = max(found, float(rise), float(fall))
        if (left, right) == (0, len(at) - 1):
            break
        low, high = low + left, low + right
    return found / (2 * n)


def dip_p(values: Array) -> float:
    """Return the part of uniform samples with as large a dip, by the table.

    What is beyond the table has its smallest p.
    """
    n = len(values)
    if n < SIZES[0]:
        return 1.0
    quantiles = [np.interp(np.log(n), np.log(SIZES), column) for column in QUANTILES]
    found = float(np.sqrt(n)) * dip(values)
    p: float = np.exp(np.interp(found, [0.0, *quantiles], np.log([1.0, *P_VALUES])))
    return float(p)


def _hull(x: Array, sign: int) -> Array:
    """Return the knots of the convex hull of (x, 0 … n − 1), below for 1."""
    knots: list[int] = []
    for k in range(len(x)):
        while len(knots) > 1:
            i, j = knots[-2], knots[-1]
            if sign * ((j - i) * (x[k] - x[j]) - (k - j) * (x[j] - x[i])) < 0:
                break
            knots.pop()
        knots.append(k)
    return np.array(knots)
