"""From data to the plane of the picture: nothing in 2-D, box and camera in 3-D."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.plots.frame import Floats, Range, fitted_range

_HALF_DIAGONAL = math.sqrt(3.0)
_USUAL = (1.0, 1.0, 0.75)
"""Half the sides where axes share no unit: panels are wider than they are high."""


@dataclass(frozen=True)
class Bounds:
    """The data ranges of the three axes, and how they fill the box at the origin."""

    ranges: tuple[Range, Range, Range] = ((-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0))
    locked: bool = False
    """Whether one unit is equally long on every axis."""

    @classmethod
    def of(cls, points: Floats, *, locked: bool = False) -> "Bounds":
        """Return bounds that hold points (n, 3) with a little air."""
        x, y, z = (fitted_range(points[:, axis], 0.04) for axis in range(3))
        return cls((x, y, z), locked)

    def half_sides(self) -> Floats:
        """Return half the sides of the box, (3,); the longest is one."""
        if not self.locked:
            return np.array(_USUAL)
        extents = np.array([high - low for low, high in self.ranges])
        sides: Floats = extents / extents.max()
        return sides

    def to_box(self, points: Floats) -> Floats:
        """Map data (n, 3) into the box."""
        low, high = np.array(self.ranges).T
        placed: Floats = (2 * (points - low) / (high - low) - 1) * self.half_sides()
        return placed


@dataclass(frozen=True)
class Projection:
    """How the columns of the data become the plane of the picture."""

    flat: bool = True
    """Whether the data have two columns and are the plane."""
    bounds: Bounds = field(default_factory=Bounds)
    camera: Camera = field(default_factory=Camera)

    def seen_from(self, camera: Camera) -> "Projection":
        return replace(self, camera=camera)

    def place(self, points: Floats) -> Floats:
        """Return the places (n, 2) or (n, 3) of data, before any camera."""
        return points if self.flat else self.bounds.to_box(points)

    def project(self, placed: Floats) -> tuple[Floats, Floats | None]:
        """Return places in the plane (n, 2), and in 3-D their nearness from 0 to 1."""
        if self.flat:
            return placed, None
        plane, depth = self.camera.project(placed)
        return plane, 0.5 + depth / (2 * _HALF_DIAGONAL)


FLAT = Projection()
