"""How wide the gaps of a picture are: along its components, and anywhere in it.

A gap leaves a tenth of the rows on either side, and two at least: one row far out makes
no groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

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


def empty_middle(X: Array) -> float:
    """Return how empty the middle of rows (m, d) is.

    It is the mean distance of the nearest twentieth of the rows to their mean, in terms
    of their spread: larger between groups and inside of rings than where rows crowd.
    """
    away = X - X.mean(axis=0)
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
