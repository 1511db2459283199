"""How points are drawn: sprites on a screen, shapes on paper, density for crowds."""

import math
from dataclasses import dataclass
from functools import cache, partial
from itertools import repeat
from typing import cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen

from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.linking import points_in_rectangle
from kpca_viewer.widgets.plots.sprites import (
    FADED,
    NORMAL,
    ONE_LEVEL,
    STATES,
    Levels,
    Palette,
    SpriteAtlas,
    edges,
    point_brush,
    point_state,
    shape_path,
)

USUAL_SIZE = 7.0
"""Diameter in pixels that is set where nothing else is."""

OUTLINED = 2_000
"""Fewer points than these have an edge that keeps neighbours apart."""

_INK = 0.25  # share of the plot that points of the usual size cover at most
_SMALLEST = 2.0  # pixels; less is no mark
_CROWDS, _OPACITIES = (0.002, 0.05), (0.85, 0.5)  # points per pixel


@dataclass(frozen=True)
class MarkLook:
    """How single points are drawn, in logical pixels."""

    size: float
    opacity: float
    rim: float


def mark_look(
    size: float, count: int, area: float, opacity: float | None = None
) -> MarkLook:
    """Return the look of so many points in an area of logical pixels.

    A handful of points is larger than they are set, since three dots alone look small;
    a crowd is smaller and more transparent, so that it does not become a wall. Steps
    are coarse: a sprite is made for each.
    """
    count, area = max(count, 1), max(area, 1.0)
    larger = float(np.interp(math.log10(count), (1.0, 2.3), (1.6, 1.0)))
    fitting = math.sqrt(_INK * area / count * 4 / math.pi) * size / USUAL_SIZE
    drawn = max(round(2 * min(size * larger, fitting)) / 2, min(_SMALLEST, size))
    if opacity is None:
        crowd = np.interp(math.log10(count / area), np.log10(_CROWDS), _OPACITIES)
        opacity = round(20 * float(crowd)) / 20
    # Tiny points have no edge, it would eat them.
    return MarkLook(drawn, opacity, 0.8 if drawn >= 4.5 and count < OUTLINED else 0.0)


Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Fragment = QPainter.PixmapFragment

# A single point in the emptiest cell must still be seen on the card; its
# colour too, where it means something and a pale one would look like another.
_FAINTEST, _FAINTEST_COLOR = 0.22, 0.5


def density_image(
    cells: Ints,
    shape: tuple[int, int],
    columns: Ints,
    palette: Bytes,
    *,
    ordered: bool,
    opacity: float = 1.0,
) -> Bytes:
    """Return points, counted per cell, as RGBA (rows, columns, 4), not premultiplied.

    The opacity grows with the logarithm of the count, so that single points and crowds
    are both visible; ``opacity`` is that of the fullest cell. ``cells`` (n,) are
    counted row by row, ``columns`` (n,) are rows of the palette (c, 3). Where it is
    ``ordered``, a cell shows the mean, otherwise the most frequent colour.
    """
    size = shape[0] * shape[1]
    image = np.zeros((size, 4), dtype=np.uint8)
    if not cells.size:
        return image.reshape(*shape, 4)
    if ordered:
        counts = np.bincount(cells, minlength=size)
        sums = np.bincount(cells, weights=columns, minlength=size)
        winners = np.rint(sums / np.maximum(counts, 1)).astype(np.int64)
    else:
        # Only colours in use get a table; np.unique would sort a million numbers.
        present = np.flatnonzero(np.bincount(columns))
        place = np.zeros(present[-1] + 1, dtype=np.int64)
        place[present] = np.arange(len(present))
        pairs = cells * len(present) + place[columns]
        table = np.bincount(pairs, minlength=size * len(present))
        table = table.reshape(size, len(present))
        counts, winners = table.sum(axis=1), present[table.argmax(axis=1)]
    image[:, :3] = palette[winners]
    several = ordered or len(present) > 1
    least = _FAINTEST_COLOR if several else _FAINTEST
    image[:, 3] = np.rint(255 * opacity * _log_shares(counts, least))
    return image.reshape(*shape, 4)


def _log_shares(counts: Ints, least: float) -> Floats:
    """Return the opacity (size,) of cells with these counts."""
    shares = np.log1p(counts) / np.log1p(counts.max())
    visible: Floats = np.where(counts > 0, least + (1 - least) * shares, 0.0)
    return visible


@dataclass(frozen=True, eq=False)
class DrawnPoints:
    """Points ready to be drawn, the last one on top."""

    pixels: Floats
    """Shape (m, 2)."""
    columns: Ints
    """Shape (m,). Column of the palette."""
    states: Ints
    """Shape (m,). Index into ``STATES``."""
    levels: Ints | None
    """Shape (m,). Index into ``steps``; None where all points are alike."""
    palette: Palette
    size: float
    """Diameter, before any level."""
    rim: float
    """Width of the edge."""
    steps: Levels = ONE_LEVEL
    """What the levels are."""
    opacity: float = NORMAL.body
    """Of points that are neither selected nor faded."""


def draw_sprites(painter: QPainter, points: DrawnPoints, atlas: SpriteAtlas) -> None:
    """Draw all points with one call; the painter must count device pixels."""
    count = len(points.pixels)
    if not count:
        return
    levels = np.zeros(count, np.int64) if points.levels is None else points.levels
    extents = atlas.extents[points.states, levels]
    inset = (atlas.cell - extents) // 2
    # The ten numbers of a QPainter.PixmapFragment: centre, source rectangle, scale in
    # x and y, rotation, opacity. Qt reads them right from the memory of the array.
    fragments = np.empty((count, 10))
    # Whole pixels: sprites stay crisp, and Qt copies them instead of resampling.
    fragments[:, :2] = np.rint(points.pixels)
    fragments[:, 2] = atlas.places[points.columns] * atlas.cell + inset
    fragments[:, 3] = (points.states * atlas.levels + levels) * atlas.cell + inset
    fragments[:, 4] = fragments[:, 5] = extents
    fragments[:, 6:] = (1.0, 1.0, 0.0, 1.0)
    address = fragments.ctypes.data
    first = cast("Fragment", shiboken6.wrapInstance(address, Fragment))
    painter.drawPixmapFragments(first, count, atlas.pixmap_of(points.states))


def density_pictures(
    points: DrawnPoints, width: int, height: int, side: float, opacity: float = 1.0
) -> list[Bytes]:
    """Count points in cells of a side in pixels, the faded ones apart.

    Returns pictures (rows, columns, 4), RGBA, the first one lowest.
    """
    each = points.palette.each
    across, down = math.ceil(width / side), math.ceil(height / side)
    cells = np.floor(points.pixels / side)
    inside = points_in_rectangle(cells, np.zeros(2), np.array([across, down]) - 1)
    faded = inside & (points.states == STATES.index(FADED))
    return [
        density_image(
            (cells[part, 1] * across + cells[part, 0]).astype(np.int64),
            (down, across),
            # One colour in several shapes is one meaning.
            points.columns[part] // each,
            points.palette.colors[::each],
            ordered=points.palette.ordered,
            opacity=share * opacity,
        )
        for part, share in (
            (faded, 2 * FADED.body * FADED.hue),
            (inside & ~faded, 1.0),
        )
        if part.any()
    ]


def draw_density(painter: QPainter, pictures: list[Bytes], side: float) -> None:
    """Paint counts in cells of a given side; the painter must count device pixels."""
    for rgba in pictures:
        height, width = rgba.shape[:2]
        image = QImage(rgba.data, width, height, QImage.Format.Format_RGBA8888)
        painter.drawImage(QRectF(0, 0, width * side, height * side), image)


def draw_shapes(painter: QPainter, points: DrawnPoints) -> None:
    look_of = cache(partial(_look, points))
    rim_pen = QPen(QColor(*points.palette.rim), points.rim)
    levels = repeat(None) if points.levels is None else points.levels.tolist()
    kinds = zip(points.columns.tolist(), points.states.tolist(), levels, strict=False)
    for (x, y), kind in zip(points.pixels.tolist(), kinds, strict=True):
        look = look_of(*kind)
        painter.setBrush(QBrush(look.fill))
        if look.rimmed:
            painter.setPen(rim_pen)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        if look.outline is None:
            painter.drawEllipse(QPointF(x, y), look.radius, look.radius)
        else:
            painter.drawPath(look.outline.translated(x, y))


@dataclass(frozen=True, eq=False)
class _Look:
    """How the points of one column, state and level are drawn as shapes."""

    fill: QColor
    rimmed: bool
    radius: float
    outline: QPainterPath | None
    """Around the origin; None is a circle."""


def _look(points: DrawnPoints, column: int, index: int, level: int | None) -> _Look:
    state, radius = point_state(index, points.opacity), points.size / 2
    opacity = state.body
    if level is not None:
        radius *= float(points.steps.scales[level])
        opacity *= float(points.steps.opacities[level])
    rimmed = bool(points.rim and state.rim)
    if rimmed:
        # A pen is drawn half outside the shape.
        radius = sum(edges(radius, points.rim, state)) / 2
    shape = points.palette.shapes[column]
    return _Look(
        point_brush(points.palette, column, opacity, state.hue).color(),
        rimmed,
        radius,
        shape_path(shape, radius) if shape else None,
    )
