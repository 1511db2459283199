"""Round lines through the corners of polylines."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.ui.plots.frame import Floats

Ints = NDArray[np.intp]

PARTS = 3
"""Pieces that a side of a polyline becomes."""

_CLOSE = 0.3  # of the median side: where a line cuts the corner of a cell


def smoothed(lines: Sequence[Floats]) -> list[Floats]:
    """Return polylines (m, 2) with their corners kept and their sides bent.

    The sides become cubic curves that meet without a corner. Where a line just touches
    the corner of a cell of its grid, two points lie so close that rounding decides how
    they lie to each other; one of them is left out. All lines are bent in one go, which
    takes as long as one of them would.

    Parameters
    ----------
    lines : sequence of arrays of shape (m, 2), m at least 2
        Closed if the first point is repeated at the end.
    """
    if not lines:
        return []
    points, counts = _thinned(np.concatenate(lines), np.array([len(x) for x in lines]))
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    # A side begins at every point but the last one of a line.
    begins = np.delete(np.arange(len(points)), last)
    sides = points[begins + 1] - points[begins]
    # A line can have shrunk to a point, which has a direction all the same.
    length = np.maximum(np.hypot(sides[:, 0], sides[:, 1]), 1e-300)[:, None]
    direction = sides / length
    before, after = _neighbours(points, first, last)
    # At every corner the slope of the parabola through it and its neighbours.
    shares = length[after] / (length[before] + length[after])
    slope = shares * direction[before] + (1 - shares) * direction[after]
    start, end = points[begins, None], points[begins + 1, None]
    leaving = (length * slope[begins])[:, None]
    arriving = (length * slope[begins + 1])[:, None]
    t = (np.arange(PARTS) / PARTS)[:, None]
    bent = (
        start * (2 * t**3 - 3 * t**2 + 1)
        + leaving * (t**3 - 2 * t**2 + t)
        + end * (3 * t**2 - 2 * t**3)
        + arriving * (t**3 - t**2)
    )
    # Of every line its last point too.
    sizes = PARTS * (counts - 1)
    whole = np.insert(bent.reshape(-1, 2), np.cumsum(sizes), points[last], axis=0)
    return np.split(whole, np.cumsum(sizes + 1)[:-1])


def _thinned(points: Floats, counts: Ints) -> tuple[Floats, Ints]:
    """Return lines without inner points that are much closer than the others.

    Parameters
    ----------
    points : array of shape (p, 2)
        One line after the other.
    counts : array of shape (l,)
        Of the points of every line.

    Returns
    -------
    points, counts
        As before, but fewer.
    """
    last = np.cumsum(counts) - 1
    is_end = np.zeros(len(points), dtype=bool)
    is_end[last] = is_end[last - counts + 1] = True
    steps = np.diff(points, axis=0)
    length = np.hypot(steps[:, 0], steps[:, 1])
    far = length > _CLOSE * np.median(np.delete(length, last[:-1]))
    keep = is_end.copy()
    keep[1:] |= far
    # The last side of a line has an end that cannot go: the point before it goes.
    keep[last - 1] &= far[last - 1] | is_end[last - 1]
    line = np.repeat(np.arange(len(counts)), counts)
    return points[keep], np.bincount(line[keep], minlength=len(counts))


def _neighbours(points: Floats, first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Return for every point the side before and the side after it.

    Those of a closed line go around; the ends of an open one have a side only.
    """
    number = np.arange(len(points))
    # Every line has one side less than points.
    line = np.repeat(np.arange(len(first)), last - first + 1)
    before, after = number - 1 - line, number - line
    closed = (points[first] == points[last]).all(axis=1)
    first_side, last_side = (
        first - np.arange(len(first)),
        last - 1 - np.arange(len(first)),
    )
    before[first] = np.where(closed, last_side, first_side)
    after[last] = np.where(closed, first_side, last_side)
    return before, after
