"""Where data are on the screen: frames, ranges, ticks, a camera, the nearest point."""

import math
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpca_viewer.engine.views import Camera

Floats = NDArray[np.float64]
Numbers = TypeVar("Numbers", float, Floats)
Range = tuple[float, float]

LEAST_SPAN = 1e-290
"""Of what an axis shows: pixels per unit would overflow for less."""

_RING_ROOM = 0.08  # share of the axes that is kept around a marker at their edge


@dataclass(frozen=True)
class Frame:
    """A rectangle of the scene and the data range it shows; y grows upwards in data."""

    left: float
    top: float
    width: float
    height: float
    """The rectangle in pixels of the scene."""
    x_range: Range
    y_range: Range
    """The data at its edges, low first."""

    @property
    def rect(self) -> tuple[float, float, float, float]:
        return self.left, self.top, self.width, self.height

    def to_pixels(self, points: Floats) -> Floats:
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        scale = np.array([self.width / (x1 - x0), -self.height / (y1 - y0)])
        offset = np.array([self.left, self.top + self.height]) - scale * (x0, y0)
        pixels: Floats = points * scale + offset
        return pixels

    def to_data(self, pixels: Floats) -> Floats:
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        scale = np.array([(x1 - x0) / self.width, (y0 - y1) / self.height])
        offset = np.array([x0, y0]) - scale * (self.left, self.top + self.height)
        points: Floats = pixels * scale + offset
        return points

    def x_pixel(self, value: Numbers) -> Numbers:
        low, high = self.x_range
        return self.left + self.width * ((value - low) / (high - low))

    def y_pixel(self, value: Numbers) -> Numbers:
        low, high = self.y_range
        return self.top + self.height * ((high - value) / (high - low))

    def contains(self, x: float, y: float) -> bool:
        return (
            self.left <= x <= self.left + self.width
            and self.top <= y <= self.top + self.height
        )


def checked_points(coordinates: ArrayLike, axes: int) -> Floats:
    """Return points (n, 2) or (n, 3) for so many axes, in an array that stays so."""
    points = np.asarray(coordinates, dtype=np.float64)
    if points.flags.writeable:
        points = points.copy()
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise ValueError(f"points must have 2 or 3 columns, not {points.shape}")
    if axes != points.shape[1]:
        raise ValueError(f"{points.shape[1]} axes, but {axes} names")
    return points


def fitted_range(values: Floats, padding: float = 0.06) -> Range:
    """Return a range that shows every finite value with some air around."""
    return _range_around(_finite_ends(values), padding)


def _range_around(ends: Range | None, padding: float) -> Range:
    if ends is None:
        return (-1.0, 1.0)
    low, high = ends
    extent = high - low
    # One value, or values equal up to rounding, still get a readable axis.
    if _is_one(low, high):
        half = 0.5 * abs(low) if abs(low) > LEAST_SPAN else 0.5
        return (low - half, high + half)
    return (low - padding * extent, high + padding * extent)


def _is_one(low: float, high: float) -> bool:
    return high - low <= max(1e-12 * max(abs(low), abs(high)), LEAST_SPAN)


def fitted_ranges(points: Floats, padding: float = 0.06) -> tuple[Range, Range]:
    """Return ranges that show points (m, 2), for axes that share their unit.

    Where all have one value on an axis, it needs no room: half a unit might be a
    thousand times what the other axis shows.
    """
    ends = [_finite_ends(column) for column in points.T]
    ranges = [_range_around(found, padding) for found in ends]
    flat = [found is None or _is_one(*found) for found in ends]
    for axis, other in ((0, 1), (1, 0)):
        if flat[axis] and not flat[other]:
            middle, half = sum(ranges[axis]) / 2, np.ptp(ranges[other]) / 2
            ranges[axis] = (middle - half, middle + half)
    return ranges[0], ranges[1]


def equal_ranges(
    x: Range, y: Range, width: float, height: float
) -> tuple[Range, Range]:
    """Return ranges around two others in which a unit is equally long both ways."""
    unit = max((x[1] - x[0]) / width, (y[1] - y[0]) / height)
    a, b = (
        (sum(ends) / 2 - unit * pixels / 2, sum(ends) / 2 + unit * pixels / 2)
        for ends, pixels in ((x, width), (y, height))
    )
    return a, b


def unit_of(values: Floats) -> float:
    """Return a power of ten in which to draw values: 1 unless they are extreme.

    Qt takes a scale below 1e-12 for none at all, but the scores of a steep polynomial
    kernel reach 1e30.
    """
    ends = _finite_ends(values)
    largest = 0.0 if ends is None else max(abs(ends[0]), abs(ends[1]))
    # Below the least span, too, an axis is as long as `fitted_range` makes it.
    if largest <= LEAST_SPAN or 1e-6 < largest < 1e6:
        return 1.0
    return 10.0 ** math.floor(math.log10(largest))


def _finite_ends(values: Floats) -> Range | None:
    if not values.size:
        return None
    low, high = float(values.min()), float(values.max())
    # Nearly always all are finite; a million need not be looked at one by one.
    if not (math.isfinite(low) and math.isfinite(high)):
        finite = values[np.isfinite(values)]
        if not finite.size:
            return None
        low, high = float(finite.min()), float(finite.max())
    return low, high


def reach_beyond(points: Floats, places: Floats) -> bool:
    """Whether some places (m, d) would be cut off where points (n, d) are fitted."""
    if not len(places) or places.shape[1] != points.shape[1]:
        return False
    low, high = np.array([fitted_range(column, 0.0) for column in points.T]).T
    return bool(((places < low) | (places > high)).any())


def with_markers(points: Floats, places: Floats) -> Floats:
    """Return what a view has to fit, so that markers at these places are seen too."""
    if not reach_beyond(points, places):
        return points
    both = np.vstack((points, places))
    # The ring of a marker is wider than a point.
    room = _RING_ROOM * np.ptp(both[np.isfinite(both).all(axis=1)], axis=0)
    return np.vstack((both, places - room, places + room))


def nice_ticks(low: float, high: float, count: int) -> Floats:
    """Return about ``count`` round values in a range: 1, 2 or 5 times 10ⁿ."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return np.empty(0)
    raw = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    steps = [power * m for m in (0.5, 1, 2, 5, 10)]
    # Nearest on a logarithmic scale, so that small plots still get two numbers.
    nearest = min(range(1, 5), key=lambda i: abs(math.log(steps[i] / raw)))
    ticks = _multiples(steps[nearest], low, high)
    if ticks.size < 2 <= count:
        # One number alone gives no scale.
        ticks = _multiples(steps[nearest - 1], low, high)
    return ticks


def _multiples(step: float, low: float, high: float) -> Floats:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return np.arange(first, last + 1, dtype=np.float64) * step


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
        return points if self.flat else self.bounds.to_box(points)

    def project(self, placed: Floats) -> tuple[Floats, Floats | None]:
        """Return places in the plane (n, 2), and in 3-D their nearness from 0 to 1."""
        if self.flat:
            return placed, None
        plane, depth = self.camera.project(placed)
        return plane, 0.5 + depth / (2 * _HALF_DIAGONAL)


FLAT = Projection()


Ints = NDArray[np.int64]

REACH = 12.0
"""How far, in pixels, the mouse may be from a point."""

# A tree of more points costs a noticeable pause; in such a crowd every k-th point is
# as good an answer as the nearest one.
_LARGEST_TREE = 100_000
# Points nearly as close as the nearest: among them the one drawn on top is meant.
_SLACK = 2.0


class Picker:
    """Finds the point nearest to a pixel among rows (m,) at pixels (m, 2).

    The depth (m,) is nearness to the eye; without it, later rows lie on top.
    """

    def __init__(self, rows: Ints, pixels: Floats, depth: Floats | None) -> None:
        from scipy.spatial import cKDTree

        step = max(1, -(-len(rows) // _LARGEST_TREE))
        self._rows = rows[::step]
        self._depth = None if depth is None else depth[::step]
        # Unbalanced trees build twice as fast, and a tree serves only a few queries.
        self._tree = cKDTree(pixels[::step], balanced_tree=False, compact_nodes=False)

    def nearest(self, x: float, y: float) -> int | None:
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
