"""Which points a lasso or a rectangle holds, and how selections combine."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt

from kpca_viewer.widgets.plots.frame import Floats

Mask = NDArray[np.bool_]
Mode = Literal["replace", "add", "remove"]


def points_in_polygon(points: Floats, polygon: Floats) -> Mask:
    """Tell which points lie inside a closed polygon.

    A lasso may cross itself; every point it winds around counts as inside.

    Parameters
    ----------
    points : array of shape (n, 2)
    polygon : array of shape (m, 2)
        The corners in order; the last one is joined to the first.

    Returns
    -------
    array of shape (n,)
    """
    inside = np.zeros(len(points), dtype=bool)
    if len(polygon) < 3:
        return inside
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    with np.errstate(invalid="ignore"):
        near = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
    # Sorted by height, an edge concerns one run of points instead of all of them:
    # the cost is n log n plus the crossings, not n times the length of the lasso.
    near = near[np.argsort(points[near, 1], kind="stable")]
    x, y = points[near, 0], points[near, 1]
    winding = np.zeros(len(near), dtype=np.int64)
    ends = np.roll(polygon, -1, axis=0)
    for (x0, y0), (x1, y1) in zip(polygon, ends, strict=True):
        first, last = np.searchsorted(y, (min(y0, y1), max(y0, y1)))
        if first == last:
            continue
        run = slice(first, last)
        crossing = x0 + (y[run] - y0) * ((x1 - x0) / (y1 - y0))
        winding[run] += np.where(x[run] < crossing, 1 if y1 > y0 else -1, 0)
    inside[near] = winding != 0
    return inside


def points_in_rectangle(points: Floats, corner: Floats, opposite: Floats) -> Mask:
    """Tell which points (n, 2) lie between two opposite corners, (2,) each."""
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    with np.errstate(invalid="ignore"):
        inside = (points >= low) & (points <= high)
    return inside[:, 0] & inside[:, 1]


def combined(current: Mask | None, mask: Mask, mode: Mode) -> Mask | None:
    """Return the selection after a gesture; None stands for no selection.

    Parameters
    ----------
    current : array of shape (n,) or None
        The selection before.
    mask : array of shape (n,)
        What the gesture held.
    mode : {"replace", "add", "remove"}
    """
    if mode == "replace" or current is None:
        # With nothing selected there is nothing to take away from.
        result = np.zeros_like(mask) if mode == "remove" else mask.copy()
    else:
        result = current | mask if mode == "add" else current & ~mask
    return result if result.any() else None


def mode_of(modifiers: Qt.KeyboardModifier) -> Mode:
    """Return what the held keys make of a gesture: Shift adds, Alt removes."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return "add"
    if modifiers & Qt.KeyboardModifier.AltModifier:
        return "remove"
    return "replace"
