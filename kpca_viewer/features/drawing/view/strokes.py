"""What a hand does on the screen, as numbers: near points, sprayed ones, places."""

import math

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.selection import Mask

REACH = 9.0
"""Pixels from a point within which the pencil takes it."""

BRUSH = 26.0
"""Pixels from its middle that the brush sprays."""

ERASER = 14.0
"""Pixels from its middle that the eraser takes."""

BURST = 6
"""Points of a brush that does not move."""

SPACING = 4.0
"""Pixels of a stroke for each point that is sprayed."""


def nearest(pixels: Floats, at: Floats, shown: Mask | None = None) -> int | None:
    """Return which of (n, 2) pixels the pencil would take at a place (2,), or None."""
    if not len(pixels):
        return None
    away = np.hypot(*(pixels - at).T)
    if shown is not None and len(shown) == len(away):
        away = np.where(shown, away, np.inf)
    row = int(np.argmin(away))
    return row if away[row] <= REACH else None


def within(pixels: Floats, begin: Floats, end: Floats, radius: float = ERASER) -> Mask:
    """Return which of (n, 2) pixels a round tool passes from one place to another."""
    way = end - begin
    length = float(way @ way)
    along = np.zeros(len(pixels))
    if length > 0:
        along = np.clip((pixels - begin) @ way / length, 0.0, 1.0)
    feet = begin + along[:, None] * way
    near: Mask = np.hypot(*(pixels - feet).T) <= radius
    return near


def sprayed(random: np.random.Generator, begin: Floats, end: Floats) -> Floats:
    """Return pixels (m, 2) that a stroke from one place to another hits."""
    length = float(np.hypot(*(end - begin)))
    count = BURST if length == 0 else int(random.poisson(length / SPACING))
    middles = begin + random.uniform(size=(count, 1)) * (end - begin)
    angle = random.uniform(0, 2 * np.pi, count)
    # The root makes the spray even over the disc.
    radius = BRUSH * np.sqrt(random.uniform(size=count))
    return np.asarray(
        middles + np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    )


def places(frame: Frame, pixels: Floats) -> list[tuple[float, float]]:
    """Return data coordinates of pixels, with no more digits than can be seen.

    What lies outside of the plot is put at its edge.
    """
    low = np.array([frame.left, frame.top])
    inside: NDArray[np.float64] = np.clip(
        pixels, low, low + np.array([frame.width, frame.height])
    )
    digits = [
        _digits((high - low) / size)
        for (low, high), size in (
            (frame.x_range, frame.width),
            (frame.y_range, frame.height),
        )
    ]
    return [
        (round(x, digits[0]) + 0.0, round(y, digits[1]) + 0.0)
        for x, y in frame.to_data(inside).tolist()
    ]


def _digits(pixel: float) -> int:
    """Return decimals that are finer than a pixel of so many units."""
    return math.ceil(-math.log10(pixel / 2)) if 0 < pixel < math.inf else 0
