"""Places: where beside a point there is room for its label."""

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from kpca_viewer.ui.plots.frame import Floats

_SIDE = 2.0
_MOST_CELLS = 300_000
"""Points and labels are counted in cells of so many pixels, larger in a large plot."""

_AWAY = 3.0
"""Pixels between a point and its label, and those that letters leave free."""

_AROUND = (60.0, 24.0)
"""Width and height around a point in which others crowd it."""

# Right, left, above and below a point, then the corners: as shares of a box.
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


class Places:
    """Knows how many points every part of a plot holds, and which parts are taken.

    Parameters
    ----------
    pixels : ndarray of shape (m, 2)
        Of all points that are seen.
    diameter : float
        Of a point.
    area : QRectF
        Of the plot.
    """

    def __init__(self, pixels: Floats, diameter: float, area: QRectF) -> None:
        self._radius = diameter / 2
        self._corner = np.array([area.left(), area.top()])
        self._size = np.array([area.width(), area.height()])
        side = math.sqrt(area.width() * area.height() / _MOST_CELLS)
        self._side = max(side, _SIDE)
        across = max(int(np.ceil(area.width() / self._side)), 1)
        down = max(int(np.ceil(area.height() / self._side)), 1)
        self._x, self._y = (pixels - self._corner).T
        x, y = (np.floor(at / self._side).astype(np.int64) for at in (self._x, self._y))
        inside = (x >= 0) & (x < across) & (y >= 0) & (y < down)
        counts = np.bincount(y[inside] * across + x[inside], minlength=down * across)
        # Sums over everything above and to the left: any box is four look-ups.
        self._sums = np.zeros((down + 1, across + 1), dtype=np.int64)
        self._sums[1:, 1:] = counts.reshape(down, across).cumsum(0).cumsum(1)
        self._taken = np.zeros((down, across), dtype=bool)

    def crowd(self) -> NDArray[np.int64]:
        """Return how many points are about where every point (m,) is."""
        width, height = _AROUND
        x, y = (np.floor(self._x / width), np.floor(self._y / height))
        x, y = x - x.min(initial=0.0), y - y.min(initial=0.0)
        parts = (y * (x.max(initial=0.0) + 1) + x).astype(np.int64)
        crowd: NDArray[np.int64] = np.bincount(parts)[parts]
        return crowd

    def boxes(
        self, points: Floats, sizes: Floats, covers: NDArray[np.bool_]
    ) -> list[QRectF | None]:
        """Return a free box beside each of some points, the first ones first.

        Parameters
        ----------
        points, sizes : ndarray of shape (k, 2)
            Where they are, and width and height of their labels.
        covers : ndarray of shape (k,)
            Whether a label may lie over other points, where there is no better place.
        """
        # All places of all labels at once: one by one they would take a second.
        half = sizes[:, None] / 2
        away = half + np.array([self._radius + _AWAY, self._radius])
        low = points[:, None] + np.array(_SIDES) * away - half - self._corner
        high = low + 2 * half
        inside = ((low >= 0) & (high <= self._size)).all(axis=2)
        covered = self._covered(points[:, None] - self._corner, low, high)
        cells = np.floor(np.concatenate([low, high], axis=2) / self._side).astype(
            np.int64
        )
        found: list[QRectF | None] = []
        for k, best in enumerate(np.argsort(covered, axis=1, kind="stable")):
            sides = (
                side
                for side in best.tolist()
                if inside[k, side] and (covers[k] or not covered[k, side])
            )
            side = next((s for s in sides if self._take(*cells[k, s].tolist())), None)
            found.append(None if side is None else self._box(low[k, side], sizes[k]))
        return found

    def _take(self, left: int, top: int, right: int, bottom: int) -> bool:
        """Occupy some cells; returns whether they were free."""
        part = self._taken[top : bottom + 1, left : right + 1]
        if part.any():
            return False
        part[:] = True
        return True

    def _box(self, corner: Floats, size: Floats) -> QRectF:
        left, top = (corner + self._corner).tolist()
        return QRectF(left, top, *size.tolist())

    def _covered(self, own: Floats, low: Floats, high: Floats) -> NDArray[np.int64]:
        """Return how many points but their own (k, 1, 2) reach into boxes (k, 8, 2)."""
        # Above and below their line, letters leave some room.
        grow = np.array([self._radius, max(self._radius - _AWAY, 0.0)])
        first = np.floor((low - grow) / self._side).astype(np.int64)
        last = np.floor((high + grow) / self._side).astype(np.int64) + 1
        counts = self._count(first.reshape(-1, 2), last.reshape(-1, 2))
        cell = np.floor(own / self._side).astype(np.int64)
        itself = ((cell >= first) & (cell < last)).all(axis=2)
        return counts.reshape(itself.shape) - itself

    def _count(
        self, low: NDArray[np.int64], high: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the points in cells from ``low`` to before ``high``, both (m, 2)."""
        down, across = self._sums.shape
        last = np.array([across - 1, down - 1])
        (x0, y0), (x1, y1) = np.clip(low, 0, last).T, np.clip(high, 0, last).T
        sums = self._sums
        counted: NDArray[np.int64] = (
            sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
        )
        return counted
