"""The point under the mouse."""

import numpy as np

from kpca_viewer.ui.plots.frame import Floats
from kpca_viewer.ui.plots.selection import Mask

REACH = 12.0
"""How far, in pixels, the mouse may be from a point."""

# A tree of more points costs a noticeable pause; in such a crowd every k-th point is
# as good an answer as the nearest one.
_LARGEST_TREE = 100_000
# Points nearly as close as the nearest: among them the one drawn on top is meant.
_SLACK = 2.0


class Picker:
    """Finds the point nearest to a pixel.

    Parameters
    ----------
    pixels : array of shape (n, 2)
        Where the points stand on the screen.
    pickable : array of shape (n,)
        Points that can be seen.
    depth : array of shape (n,) or None
        Nearness to the eye; without it, later points lie on top.
    """

    def __init__(self, pixels: Floats, pickable: Mask, depth: Floats | None) -> None:
        from scipy.spatial import cKDTree

        rows = np.flatnonzero(pickable)
        self._rows = rows[:: max(1, -(-len(rows) // _LARGEST_TREE))]
        self._depth = depth
        # Unbalanced trees build twice as fast, and a tree serves only a few queries.
        self._tree = cKDTree(
            pixels[self._rows], balanced_tree=False, compact_nodes=False
        )

    def nearest(self, x: float, y: float) -> int | None:
        """Return the row of the point at a pixel, or None."""
        if not len(self._rows):
            return None
        distances, found = self._tree.query(
            (x, y), k=min(8, len(self._rows)), distance_upper_bound=REACH
        )
        distances, found = np.atleast_1d(distances), np.atleast_1d(found)
        close = distances <= distances[0] + _SLACK
        if not np.isfinite(distances[0]):
            return None
        rows = self._rows[found[close & np.isfinite(distances)]]
        height = rows if self._depth is None else self._depth[rows]
        return int(rows[np.argmax(height)])
