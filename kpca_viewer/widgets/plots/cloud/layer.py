"""What a picture of many points needs before it can be painted; no Qt but numbers.

A million points take a tenth of a second to be placed and counted, far too long for the
thread of the window. All of that happens here, on values that nobody changes, so that
another thread can do it.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.widgets.plots.cloud.drawing import Bytes, DrawnPoints, density_pictures
from kpca_viewer.widgets.plots.cloud.projection import Projection
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.selection import Mask, points_in_rectangle
from kpca_viewer.widgets.plots.sprites import (
    DEPTHS,
    FADED,
    NORMAL,
    ONE_LEVEL,
    SELECTED,
    SIZES,
    STATES,
    Levels,
    Palette,
)

Ints = NDArray[np.int64]

_BLOCK = 1 << 16
"""Rows at a time: they stay in the cache, and the interpreter is free in between."""


@dataclass(frozen=True, eq=False)
class CloudState:
    """The points and their looks at one moment; arrays are never written to."""

    places: Floats
    """Shape (n, 2) or (n, 3)."""
    projection: Projection
    """From places to the plane of the picture."""
    finite: Mask
    """Shape (n,)."""
    hidden: Mask | None
    """Shape (n,)."""
    selected: Mask | None
    """Shape (n,)."""
    columns: Ints
    """Shape (n,). Column of the palette."""
    palette: Palette
    size: float
    """Diameter in logical pixels."""
    faint: Mask | None = None
    """Shape (n,). Points that mean little; a selection says more than that."""
    sizes: Ints | None = None
    """Shape (n,). Levels of `SIZES`, where sizes mean something; nearer points are not
    larger then."""

    @property
    def steps(self) -> Levels:
        """The levels that points come in."""
        if self.sizes is not None:
            return SIZES
        return ONE_LEVEL if self.projection.flat else DEPTHS

    def levels(self, rows: Ints, depth: Floats | None) -> Ints | None:
        """Return the levels of rows (m,) with their nearness; None for none."""
        if self.sizes is not None:
            return self.sizes[rows]
        return None if depth is None else DEPTHS.of(depth)

    def drawn(
        self, affine: Floats, low: Floats, high: Floats, limit: int
    ) -> tuple[Ints, Floats | None, DrawnPoints]:
        """Return rows between two corners (2,), their nearness, and what is drawn.

        The last one is on top.

        Parameters
        ----------
        affine : array of shape (3, 2)
            From the plane of the picture to pixels.
        low, high : array of shape (2,)
            In pixels.
        limit : int
            More points become a density picture, which has no order.
        """
        rows, pixels, depth = self._inside(affine, low, high)
        if len(rows) <= limit:
            order = np.arange(len(rows))
            if depth is not None:
                order = np.argsort(depth, kind="stable")
            elif self.sizes is not None:
                # Large points would hide small ones.
                order = np.argsort(-self.sizes[rows], kind="stable")
            if self.selected is not None:
                chosen = self.selected[rows[order]]
                order = np.concatenate([order[~chosen], order[chosen]])
            rows, pixels = rows[order], pixels[order]
            depth = None if depth is None else depth[order]
        if self.selected is None:
            states = np.full(len(rows), STATES.index(NORMAL))
            if self.faint is not None:
                states[self.faint[rows]] = STATES.index(FADED)
        else:
            faded, selected = STATES.index(FADED), STATES.index(SELECTED)
            states = np.where(self.selected[rows], selected, faded)
        points = DrawnPoints(
            pixels=pixels,
            columns=self.columns[rows],
            states=states,
            levels=self.levels(rows, depth),
            steps=self.steps,
            palette=self.palette,
            size=self.size,
            # Tiny points have no edge, it would eat them.
            rim=0.8 if self.size >= 4.5 else 0.0,
        )
        return rows, depth, points

    def _inside(
        self, affine: Floats, low: Floats, high: Floats
    ) -> tuple[Ints, Floats, Floats | None]:
        """Return the rows that can be seen, their pixels (m, 2) and nearness."""
        rows, places, depths = [], [], []
        for start in range(0, max(len(self.places), 1), _BLOCK):
            part = slice(start, start + _BLOCK)
            plane, depth = self.projection.project(self.places[part])
            pixels = plane @ affine[:2] + affine[2]
            seen = points_in_rectangle(pixels, low, high) & self.finite[part]
            if self.hidden is not None:
                seen &= ~self.hidden[part]
            found = np.flatnonzero(seen)
            rows.append(found + start)
            places.append(pixels[found])
            if depth is not None:
                depths.append(depth[found])
        nearness = np.concatenate(depths) if depths else None
        return np.concatenate(rows), np.concatenate(places), nearness


@dataclass(frozen=True, eq=False)
class LayerRequest:
    """A picture that is wanted."""

    version: int
    """Of the points and their looks."""
    to_scene: tuple[float, ...]
    """Six numbers: the linear part, row by row, and the shift of row vectors."""
    area: tuple[float, float, float, float]
    """Left, top, width and height in the scene."""
    scale: float
    """Device pixels per pixel of the scene."""
    state: CloudState
    cell: float
    """Side of a density cell in the scene."""
    limit: int
    """More visible points than this are shown as density."""

    @property
    def key(self) -> tuple[object, ...]:
        return self.version, self.to_scene, self.area, self.scale

    @property
    def width(self) -> int:
        return math.ceil(self.area[2] * self.scale)

    @property
    def height(self) -> int:
        return math.ceil(self.area[3] * self.scale)

    def affine(self) -> Floats:
        """Return the way from the plane to device pixels of the picture, (3, 2)."""
        affine = np.reshape(self.to_scene, (3, 2)).copy()
        affine[2] -= self.area[:2]
        scaled: Floats = affine * self.scale
        return scaled


@dataclass(frozen=True, eq=False)
class PreparedLayer:
    """Everything of a picture but the painting."""

    rows: Ints
    """Shape (m,). That can be seen."""
    nearness: Floats | None
    """Shape (m,)."""
    points: DrawnPoints
    """In device pixels of the picture."""
    pictures: list[Bytes] | None
    """Density, to be painted over each other; None where points are few enough."""


def prepare(request: LayerRequest) -> PreparedLayer:
    """Place, choose and count the points of a picture; on any thread."""
    # Points reach into the picture from outside.
    margin = request.state.size * request.scale * request.state.steps.scales.max()
    low, high = np.full(2, -margin), np.array([request.width, request.height]) + margin
    rows, nearness, points = request.state.drawn(
        request.affine(), low, high, request.limit
    )
    pictures = None
    if len(rows) > request.limit:
        side = request.cell * request.scale
        pictures = density_pictures(points, request.width, request.height, side)
    return PreparedLayer(rows, nearness, points, pictures)
