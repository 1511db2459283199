"""Lines of equal value over a grid, and the grid as a faint picture."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.frame import Floats, nice_ticks
from kpca_viewer.ui.plots.scatter.smoothing import smoothed
from kpca_viewer.ui.plots.scatter.underlay import Band, Isoline

Ints = NDArray[np.intp]

# Neither colour is one of the first classes: a point must not look as if it belonged
# to the field below it.
_FILL = {"light": ("#7B4FA3", "#1E8A78"), "dark": ("#B48BE0", "#4FC7B0")}
# The same opacity hides more of a dark point on a dark card.
_STRONGEST = {"light": 0.34, "dark": 0.22}
_HALVINGS = 9  # of the side of a cell, until nobody sees the difference
_BANDS = 9  # of each sign; more would add so little that programs round it away

# The edges that a line enters and leaves a cell by, for each of the 16 ways in which
# its corners can lie above the level (1 bottom left, 2 bottom right, 4 top right,
# 8 top left). Edges: 0 bottom, 1 right, 2 top, 3 left. The two saddles are separate.
_NONE = (-1, -1)
_ENTRY_EXIT = np.array(
    [
        *(_NONE, (3, 0), (0, 1), (3, 1), (1, 2), _NONE, (0, 2), (3, 2)),
        *((2, 3), (2, 0), _NONE, (2, 1), (1, 3), (1, 0), (0, 3), _NONE),
    ]
)
# Saddles: two lines, which keep the centre above or below apart.
_SADDLES = {
    (5, True): ((3, 2), (1, 0)),
    (5, False): ((3, 0), (1, 2)),
    (10, True): ((0, 3), (2, 1)),
    (10, False): ((0, 1), (2, 3)),
}


def contours(
    grid: ArrayLike,
    x_coords: ArrayLike,
    y_coords: ArrayLike,
    levels: Sequence[float],
    *,
    curved: bool = False,
) -> list[Isoline]:
    """Return the lines on which a field takes given values.

    Parameters
    ----------
    grid : array of shape (gy, gx)
        Cells with a corner that is not finite are left out.
    x_coords : array of shape (gx,)
    y_coords : array of shape (gy,)
        Ascending, like ``x_coords``.
    levels : sequence of float
    curved : bool
        Whether the field is smooth between its nodes, and so are its lines.

    Returns
    -------
    list of (level, polylines)
        As many as levels. Polylines of shape (m, 2); the first point of a closed one is
        repeated at its end.
    """
    values = np.asarray(grid, dtype=np.float64)
    x, y = (np.asarray(c, dtype=np.float64) for c in (x_coords, y_coords))
    if values.shape != (len(y), len(x)):
        raise ValueError(f"grid {values.shape}, but {len(y)} y and {len(x)} x values")
    heights = np.asarray(levels, dtype=np.float64)
    if not len(heights) or min(values.shape) < 2:
        return [(float(level), []) for level in heights]
    segments = _segments(values, heights)
    # Every crossed edge of every level is one point, however many segments end there.
    edges, ends = np.unique(segments, return_inverse=True)
    points = _crossings(values, x, y, heights, edges, curved=curved)
    level_of = edges // _edge_count(values)
    found: list[list[Floats]] = [[] for _ in heights]
    lines: list[Floats] = []
    owners: list[int] = []
    for chain in _chains(ends.reshape(-1, 2), len(edges)):
        lines.append(points[chain])
        owners.append(level_of[chain[0]])
    for owner, line in zip(owners, smoothed(lines) if curved else lines, strict=True):
        found[owner].append(line)
    return [(float(level), lines) for level, lines in zip(heights, found, strict=True)]


def nice_levels(values: ArrayLike, count: int = 9) -> list[float]:
    """Return about ``count`` round levels inside the range of values.

    Zero is among them whenever it lies inside.
    """
    numbers = np.asarray(values, dtype=np.float64)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return []
    low, high = float(finite.min()), float(finite.max())
    # A field that is constant up to rounding has no lines worth drawing.
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        return []
    ticks = nice_ticks(low, high, count)
    return [float(tick) + 0.0 for tick in ticks if low < tick < high]


def fill_image(grid: ArrayLike, theme: Theme) -> QImage:
    """Return a field as a picture: clear at zero, faint at its extremes.

    Parameters
    ----------
    grid : array of shape (gy, gx)
        The first row is the smallest y; the picture has it at its bottom.
    theme : Theme
    """
    values = np.nan_to_num(np.asarray(grid, dtype=np.float64)[::-1], posinf=0, neginf=0)
    largest = float(np.abs(values).max(initial=0.0))
    share = values / largest if largest > 0 else np.zeros_like(values)
    # The root lifts the middle, so that the sign can be seen near the zero line too.
    alpha = _STRONGEST[theme.name] * np.sqrt(np.abs(share))[..., None]
    below, above = (
        np.array([QColor(c).blue(), QColor(c).green(), QColor(c).red(), 255])
        for c in _FILL[theme.name]
    )
    pixels = np.rint(np.where(share[..., None] < 0, below, above) * alpha)
    bgra = np.ascontiguousarray(pixels, dtype=np.uint8)
    height, width = values.shape
    premultiplied = QImage.Format.Format_ARGB32_Premultiplied
    # A copy, since a QImage does not keep the array alive.
    return QImage(bgra.data, width, height, 4 * width, premultiplied).copy()


def fill_bands(
    grid: ArrayLike, x_coords: ArrayLike, y_coords: ArrayLike, theme: Theme
) -> list[Band]:
    """Return the same field as shapes, for devices that know no bitmaps.

    Every band lies inside the one before and adds a little colour to it, so that no
    gap can be seen between two.

    Parameters
    ----------
    grid : array of shape (gy, gx)
    x_coords : array of shape (gx,)
    y_coords : array of shape (gy,)
    theme : Theme
    """
    values = np.nan_to_num(np.asarray(grid, dtype=np.float64), posinf=0, neginf=0)
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0:
        return []
    x, y = (_with_rim(np.asarray(c, dtype=np.float64)) for c in (x_coords, y_coords))
    steps = np.arange(1, _BANDS + 1)
    # Half a step below its colour; opaque as the root of the value, as in the picture.
    levels = largest * ((steps - 0.5) / _BANDS) ** 2
    opacity = _STRONGEST[theme.name] * np.append(0, steps) / _BANDS
    added = 1 - (1 - opacity[1:]) / (1 - opacity[:-1])
    bands: list[Band] = []
    for side, name in zip((-1, 1), _FILL[theme.name], strict=True):
        # Outside everything is low: lines that reach the edge go on along it.
        padded = np.pad(side * values, 1, constant_values=-largest)
        for alpha, (_, lines) in zip(
            added, contours(padded, x, y, levels.tolist()), strict=True
        ):
            color = QColor(name)
            color.setAlphaF(float(alpha))
            if lines:
                bands.append((color, lines))
    return bands


def _with_rim(coords: Floats) -> Floats:
    """Return coordinates with one more at each end, hardly further out."""
    step = 1e-6 * (coords[-1] - coords[0])
    return np.concatenate(([coords[0] - step], coords, [coords[-1] + step]))


def image_rect(x_coords: ArrayLike, y_coords: ArrayLike) -> QRectF:
    """Return the data rectangle of `fill_image`, whose pixels lie around the nodes."""
    x, y = (np.asarray(c, dtype=np.float64) for c in (x_coords, y_coords))
    dx, dy = ((c[-1] - c[0]) / max(len(c) - 1, 1) for c in (x, y))
    return QRectF(x[0] - dx / 2, y[0] - dy / 2, x[-1] - x[0] + dx, y[-1] - y[0] + dy)


def _edge_count(values: Floats) -> int:
    # Twice the nodes: edge 2i goes right from node i, edge 2i + 1 goes up.
    return 2 * values.size


def _segments(values: Floats, levels: Floats) -> Ints:
    """Return the edges that each piece of a line joins, (s, 2)."""
    gx = values.shape[1]
    above = values[None] > levels[:, None, None]
    corners = (
        above[:, :-1, :-1],
        above[:, :-1, 1:],
        above[:, 1:, 1:],
        above[:, 1:, :-1],
    )
    case = np.zeros(corners[0].shape, dtype=np.int8)
    for weight, corner in zip((1, 2, 4, 8), corners, strict=True):
        case += weight * corner.astype(np.int8)
    quads = (values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1])
    centre = np.add.reduce(quads) / 4
    case[:, ~np.isfinite(centre)] = 0
    level, row, column = np.nonzero((case > 0) & (case < 15))
    kind = case[level, row, column]
    pairs, cells = [_ENTRY_EXIT[kind]], [np.arange(len(kind))]
    saddle = np.flatnonzero((kind == 5) | (kind == 10))
    if saddle.size:
        high = centre[row[saddle], column[saddle]] > levels[level[saddle]]
        both = np.array(
            [_SADDLES[int(k), bool(h)] for k, h in zip(kind[saddle], high, strict=True)]
        )
        pairs += [both[:, 0], both[:, 1]]
        cells += [saddle, saddle]
    pair, cell = np.concatenate(pairs), np.concatenate(cells)
    cell, pair = cell[pair[:, 0] >= 0], pair[pair[:, 0] >= 0]
    node = row[cell] * gx + column[cell]
    # Of the cell: bottom, right, top, left.
    edge_of = np.stack([2 * node, 2 * (node + 1) + 1, 2 * (node + gx), 2 * node + 1])
    offset = level[cell] * _edge_count(values)
    chosen = edge_of[pair.T, np.arange(len(cell))] + offset
    return chosen.T.astype(np.intp)


def _crossings(
    values: Floats, x: Floats, y: Floats, levels: Floats, edges: Ints, *, curved: bool
) -> Floats:
    """Return where the level lies on each edge, (p, 2)."""
    level, edge = np.divmod(edges, _edge_count(values))
    row, column = np.divmod(edge // 2, values.shape[1])
    upward = edge % 2
    far_row, far_column = row + upward, column + 1 - upward
    near, far = values[row, column], values[far_row, far_column]
    share = (levels[level] - near) / (far - near)
    if curved:
        last_row, last_column = values.shape[0] - 1, values.shape[1] - 1
        behind = values[np.maximum(row - upward, 0), np.maximum(column + upward - 1, 0)]
        beyond = values[
            np.minimum(far_row + upward, last_row),
            np.minimum(far_column + 1 - upward, last_column),
        ]
        share = _on_cubic(levels[level], behind, near, far, beyond, share)
    return np.column_stack(
        [
            x[column] + share * (x[far_column] - x[column]),
            y[row] + share * (y[far_row] - y[row]),
        ]
    )


def _on_cubic(
    level: Floats,
    behind: Floats,
    near: Floats,
    far: Floats,
    beyond: Floats,
    line: Floats,
) -> Floats:
    """Return where cubics through four nodes take a level, from 0 (near) to 1 (far).

    Where a node is missing, the straight ``line`` has to do.
    """
    leaving, arriving = (far - behind) / 2, (beyond - near) / 2
    # A node at the level itself counts as below it, as it does for the cells.
    below, low, high = near <= level, np.zeros_like(line), np.ones_like(line)
    t = line
    for _ in range(_HALVINGS):
        s = t - 1
        value = near * (1 + 2 * t) * s * s + leaving * t * s * s
        value += far * t * t * (3 - 2 * t) + arriving * t * t * s
        before = (value <= level) == below
        low, high = np.where(before, t, low), np.where(before, high, t)
        t = (low + high) / 2
    return np.where(np.isfinite(leaving + arriving), t, line)


def _chains(segments: Ints, count: int) -> list[list[int]]:
    """Join segments (s, 2) over ``count`` points into open and closed chains."""
    if not len(segments):
        return []
    # Every point has one neighbour, or two.
    here, there = segments.ravel(), segments[:, ::-1].ravel()
    order = np.argsort(here, kind="stable")
    partners, degree = there[order], np.bincount(here, minlength=count)
    start_of = np.cumsum(degree) - degree
    one = partners[start_of].tolist()
    two = np.where(degree > 1, partners[start_of + (degree > 1)], -1).tolist()
    used = bytearray(count)
    chains = []
    # Open lines first, from their ends; what is left then is closed.
    for start in (*np.flatnonzero(degree == 1).tolist(), *range(count)):
        if used[start]:
            continue
        chain, point = [], start
        while point >= 0 and not used[point]:
            used[point] = 1
            chain.append(point)
            onward = one[point]
            point = two[point] if used[onward] else onward
        if len(chain) > 2 and start in (one[chain[-1]], two[chain[-1]]):
            chain.append(start)
        chains.append(chain)
    return chains
