"""A plane that is curved into a 3-D view: from a place in it to the screen and back."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kpca_viewer.widgets.plots.cloud.projection import Projection
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.scatter.space3d import SpaceDrawing

_NODES = 33
"""Along each side of the plane; from the nearest one the search begins."""

_STEPS = 6
_SMALL = 1e-4
"""Of the sides of the plane, how far aside the slope is measured."""

_NEAR = 12.0
"""Pixels from the pointer within which the part that is nearer to the eye is meant."""


_HIT = 1.0
"""Pixels by which a place may miss the pointer."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Where places of the plane are drawn."""

    place: Callable[[Floats], Floats]
    """Places in the plane (m, 2) → data coordinates (m, 3)."""
    low: Floats
    high: Floats
    """Shape (2,). The part of the plane that is drawn."""

    def raised(self, marker: Marker) -> Marker:
        """Return a marker of the plane where it is drawn."""
        if len(marker.position) != 2:
            return marker
        place = self.place(np.array([marker.position]))[0]
        return replace(marker, position=tuple(map(float, place)))

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats]:
        x, y = (np.linspace(self.low[j], self.high[j], _NODES) for j in (0, 1))
        nodes = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        return nodes, self.place(nodes)

    def under(
        self, pixel: Floats, projection: Projection, frame: Frame
    ) -> tuple[float, float]:
        """Return the place of the plane that is drawn at a pixel (2,), or nearest it.

        Where the surface covers itself, the part that is nearer to the eye is meant.
        """
        nodes, places = self._nodes
        plane, depth = projection.project(projection.place(places))
        away = np.linalg.norm(frame.to_pixels(plane) - pixel, axis=1)
        assert depth is not None
        candidates = np.flatnonzero(away <= away.min() + _NEAR)
        nearer = candidates[np.argmax(depth[candidates])]
        found = self._refined(nodes[nearer], pixel, projection, frame)
        if found[1] > _HIT:
            # Its edge is near the pixel, and what lies behind it at the pixel.
            other = nodes[np.argmin(away)]
            ends = found, self._refined(other, pixel, projection, frame)
            found = min(ends, key=lambda end: end[1])
        return found[0]

    def _refined(
        self, start: Floats, pixel: Floats, projection: Projection, frame: Frame
    ) -> tuple[tuple[float, float], float]:
        """Follow the slope of the picture from a place to a pixel.

        Returns
        -------
        place : (float, float)
        miss : float
            Pixels that are left between them.
        """
        extent = np.where(self.high > self.low, self.high - self.low, 1.0)
        aside = np.diag(_SMALL * extent)
        at, shortest = start, np.inf
        found = start
        for _ in range(_STEPS):
            placed = projection.place(self.place(np.vstack((at, at + aside))))
            pixels = frame.to_pixels(projection.project(placed)[0])
            miss = pixel - pixels[0]
            if not np.hypot(*miss) < shortest:
                break
            found, shortest = at, float(np.hypot(*miss))
            slope = (pixels[1:] - pixels[0]).T / (_SMALL * extent)
            step = np.linalg.lstsq(slope, miss, rcond=1e-6)[0]
            # Not further than the nodes are apart: beyond, the slope is another.
            step = np.clip(step, -extent / _NODES * 2, extent / _NODES * 2)
            at = np.clip(at + step, self.low, self.high)
        return (float(found[0]), float(found[1])), shortest


@dataclass(frozen=True, eq=False)
class Space:
    """What a 3-D view shows beside its points."""

    drawing: SpaceDrawing
    reach: Floats
    """Shape (2, 3). Ends of the box, whatever the points are now."""
    surface: Surface | None = None
    """Where markers are put that have a place in a plane."""
