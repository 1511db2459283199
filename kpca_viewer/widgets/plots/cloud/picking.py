"""The point under the mouse."""

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.widgets.plots.frame import Floats

Ints = NDArray[np.int64]

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
    rows : array of shape (m,)
        The points that can be seen, each once.
    pixels : array of shape (m, 2)
        Where they stand on the screen.
    depth : array of shape (m,) or None
        Nearness to the eye; without it, later rows lie on top.
    """

    def __init__(self, rows: Ints, pixels: Floats, depth: Floats | None) -> None:
        from scipy.spatial import cKDTree

        step = max(1, -(-len(rows) // _LARGEST_TREE))
        self._rows = rows[::step]
        self._depth = None if depth is None else depth[::step]
        # Unbalanced trees build twice as fast, and a tree serves only a few queries.
        self._tree = cKDTree(pixels[::step], balanced_tree=False, compact_nodes=False)

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
        near = found[close & np.isfinite(distances)]
        height = self._rows[near] if self._depth is None else self._depth[near]
        return int(self._rows[near[np.argmax(height)]])
