"""Round lines through the corners of a polyline."""

import numpy as np

from kpca_viewer.ui.plots.frame import Floats

PARTS = 3
"""Pieces that a side of the polyline becomes."""

_CLOSE = 0.3  # of the median side: where a line cuts the corner of a cell


def smoothed(line: Floats) -> Floats:
    """Return a polyline (m, 2) with its corners kept and its sides bent.

    The sides become cubic curves that meet without a corner. Where a line just touches
    the corner of a cell of its grid, two points lie so close that rounding decides how
    they lie to each other; one of them is left out.

    Parameters
    ----------
    line : array of shape (m, 2)
        Closed if its first point is repeated at its end.
    """
    points = _thinned(line) if len(line) > 3 else line
    if len(points) < 3:
        return line
    closed = bool((points[0] == points[-1]).all())
    sides = np.diff(points, axis=0)
    length = np.hypot(sides[:, 0], sides[:, 1])[:, None]
    direction = sides / length
    # At every corner the slope of the parabola through it and its neighbours.
    if closed:
        before, after = np.roll(length, 1, axis=0), length
        slope = (after * np.roll(direction, 1, axis=0) + before * direction) / (
            before + after
        )
        slope = np.vstack((slope, slope[:1]))
    else:
        before, after = length[:-1], length[1:]
        inner = (after * direction[:-1] + before * direction[1:]) / (before + after)
        slope = np.vstack((direction[:1], inner, direction[-1:]))
    start, end = points[:-1, None], points[1:, None]
    leaving, arriving = (length * slope[:-1])[:, None], (length * slope[1:])[:, None]
    t = (np.arange(PARTS) / PARTS)[:, None]
    bent = (
        start * (2 * t**3 - 3 * t**2 + 1)
        + leaving * (t**3 - 2 * t**2 + t)
        + end * (3 * t**2 - 2 * t**3)
        + arriving * (t**3 - t**2)
    )
    return np.vstack((bent.reshape(-1, 2), points[-1:]))


def _thinned(line: Floats) -> Floats:
    """Return a line without inner points that are much closer than the others."""
    sides = np.diff(line, axis=0)
    length = np.hypot(sides[:, 0], sides[:, 1])
    far = length > _CLOSE * np.median(length)
    keep = np.ones(len(line), dtype=bool)
    keep[1:-1] = far[:-1]
    keep[-2] &= far[-1]
    kept: Floats = line[keep]
    return kept
