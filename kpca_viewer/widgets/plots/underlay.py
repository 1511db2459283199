"""What lies under the points: density and isolines."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
import pyqtgraph as pg
from contourpy import LineType, contour_generator
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QTransform

from kpca_viewer.widgets.plots.coloring import STEPS, sequential, sequential_index
from kpca_viewer.widgets.plots.frame import Floats, nice_ticks
from kpca_viewer.widgets.plots.pixels import is_vector, picture_of
from kpca_viewer.widgets.theme import LIGHT, Theme

if TYPE_CHECKING:
    from kpca_viewer.core.methods.density import Density

LEAST, MOST = 0.12, 0.95
"""Opacities of a cell with one row, and of the fullest; empty ones are clear."""


def density_image(density: "Density", theme: Theme) -> tuple[QImage, QRectF]:
    """Return a picture, its first row the top, and its rectangle in data coordinates.

    The opacity grows with the cube root of the counts.
    """
    share = np.cbrt(density.counts / max(density.counts.max(), 1))
    opacity = np.where(density.counts > 0, LEAST + (MOST - LEAST) * share, 0.0)
    color = QColor(theme.muted)
    cells = np.empty((*opacity.shape, 4), dtype=np.uint8)
    cells[..., :3] = color.red(), color.green(), color.blue()
    cells[..., 3] = np.rint(255 * opacity)
    x, y = density.x, density.y
    rect = QRectF(x[0], y[0], x[-1] - x[0], y[-1] - y[0])
    return picture_of(cells[::-1], QImage.Format.Format_RGBA8888), rect


Isoline = tuple[float, Sequence[Floats]]
"""A level and its polylines of shape (m, 2), in data coordinates."""

Band = tuple[QColor, Sequence[Floats]]
"""A colour and the closed polylines (m, 2) of what it fills, each in turn a hole."""

MakeBands = Callable[[], Sequence[Band]]


class UnderlayItem(pg.GraphicsObject):
    """A picture stretched over a data rectangle, and isolines above it."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._unit = 1.0
        self.image: QImage | None = None
        self._rect = QRectF()
        self._make_bands: MakeBands | None = None
        self._bands: list[tuple[QColor, QPainterPath]] | None = None
        self._lines: list[tuple[float, QPainterPath]] = []

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_unit(self, unit: float) -> None:
        """Say how many units of the data are one of the item."""
        self._unit = unit
        self.update()

    def set_image(
        self,
        image: QImage | None,
        rect: QRectF | None = None,
        bands: MakeBands | None = None,
    ) -> None:
        """Show a picture, its first row the largest y; ``bands`` on vector devices."""
        self.image = image
        self._make_bands, self._bands = bands, None
        self._rect = QRectF() if rect is None else rect.normalized()
        self.update()

    def set_isolines(self, isolines: Sequence[Isoline]) -> None:
        """Show lines of equal value; those below zero dashed, zero itself stronger."""
        self._lines = []
        for level, polylines in isolines:
            self._lines.append((level, _path(polylines)))
        self.update()

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def boundingRect(self) -> QRectF:
        rect = self.viewRect()
        return QRectF() if rect is None else QRectF(rect)

    def paint(self, painter: QPainter, *args: object) -> None:
        from_scene, invertible = self.sceneTransform().inverted()
        if not invertible or (self.image is None and not self._lines):
            return
        to_unit = QTransform.fromScale(1 / self._unit, 1 / self._unit)
        to_scene = to_unit * self.sceneTransform()
        vector = is_vector(painter) and self._make_bands is not None
        if self.image is not None and not vector:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            # Data grow upwards, pictures downwards.
            painter.scale(1 / self._unit, -1 / self._unit)
            rect = self._rect
            target = QRectF(rect.x(), -rect.bottom(), rect.width(), rect.height())
            painter.drawImage(target, self.image)
            painter.restore()
        painter.save()
        # In units of the scene, where the width of a line is that on any paper.
        painter.setTransform(from_scene * painter.transform())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if vector:
            for color, path in self._filled():
                painter.fillPath(to_scene.map(path), color)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        color = QColor(self._theme.muted)
        for level, path in self._lines:
            color.setAlphaF(0.45 if level == 0 else 0.28)
            pen = QPen(color, 1.6 if level == 0 else 1.0)
            if level < 0:
                pen.setDashPattern([4.0, 3.0])
            painter.setPen(pen)
            painter.drawPath(to_scene.map(path))
        painter.restore()

    def _filled(self) -> list[tuple[QColor, QPainterPath]]:
        if self._bands is None:
            made = [] if self._make_bands is None else self._make_bands()
            self._bands = [(color, _path(polylines)) for color, polylines in made]
        return self._bands


def _path(polylines: Sequence[Floats]) -> QPainterPath:
    """Return polylines (m, 2) as one path, without a Python object per corner."""
    if not polylines:
        return QPainterPath()
    corners = np.concatenate([np.asarray(p, dtype=np.float64) for p in polylines])
    joined = np.ones(len(corners), dtype=np.int32)
    joined[np.cumsum([len(polyline) for polyline in polylines]) - 1] = 0
    path: QPainterPath = pg.arrayToQPath(corners[:, 0], corners[:, 1], joined)
    return path


Ints = NDArray[np.intp]

# Neither colour is one of the first classes: a point must not look as if it belonged
# to the field below it.
_FILL = {"light": ("#7B4FA3", "#1E8A78"), "dark": ("#B48BE0", "#4FC7B0")}
# The same opacity hides more of a dark point on a dark card.
_STRONGEST = {"light": 0.17, "dark": 0.11}
_OF_SCALE = 0.1, 0.7
_BANDS = 9  # of each sign; more would add so little that programs round it away

PARTS = 3
"""Pieces that a side of a line becomes where the field is smooth."""

_STEPS = 2  # of Newton's method: each doubles the digits, and the start is close
# Of a cell: near tops and saddles longer steps lead anywhere, and are shortened.
_TRUSTED = 0.3


def contours(
    grid: ArrayLike,
    x_coords: ArrayLike,
    y_coords: ArrayLike,
    levels: Sequence[float],
    *,
    curved: bool = False,
) -> list[Isoline]:
    """Return for every level the polylines (m, 2) on which a field (gy, gx) takes it.

    Cells with a corner that is not finite are left out; the first point of a closed
    polyline is repeated at its end. Lines of a field that is smooth between its nodes
    are ``curved``.
    """
    values = np.asarray(grid, dtype=np.float64)
    x, y = (np.asarray(c, dtype=np.float64) for c in (x_coords, y_coords))
    if values.shape != (len(y), len(x)):
        raise ValueError(f"grid {values.shape}, but {len(y)} y and {len(x)} x values")
    if not len(levels) or min(values.shape) < 2:
        return [(float(level), []) for level in levels]
    generator = contour_generator(
        x,
        y,
        # Masked arrays take long to load, and hardly a field needs them.
        values if np.isfinite(values).all() else np.ma.masked_invalid(values),
        line_type=LineType.Separate,
        corner_mask=False,
    )
    found = [cast("Sequence[Floats]", generator.lines(level)) for level in levels]
    if curved:
        found = _on_surface(found, levels, values, x, y)
    return [(float(level), lines) for level, lines in zip(levels, found, strict=True)]


def nice_levels(values: ArrayLike, count: int = 9) -> list[float]:
    """Return about ``count`` round levels in a range, zero among them if inside."""
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
    """Return a field (gy, gx) as a picture: clear at zero, faint at its extremes.

    The first row is the smallest y, at the bottom of the picture.
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
    return picture_of(pixels, QImage.Format.Format_ARGB32_Premultiplied)


def scale_image(grid: ArrayLike, low: float, high: float) -> QImage:
    """Return a field (gy, gx) in the colours that points have between two values."""
    values = np.asarray(grid, dtype=np.float64)[::-1]
    place = sequential_index(values, low, high)
    cells = np.empty((*values.shape, 4), dtype=np.uint8)
    cells[..., :3] = sequential()[place]
    # Small values are faint: rows are seen on them in either theme.
    faint, strong = _OF_SCALE
    cells[..., 3] = np.rint(255 * (faint + (strong - faint) * place / (STEPS - 1)))
    cells[~np.isfinite(values)] = 0
    return picture_of(cells, QImage.Format.Format_RGBA8888)


def fill_bands(
    grid: ArrayLike, x_coords: ArrayLike, y_coords: ArrayLike, theme: Theme
) -> list[Band]:
    """Return the same field as shapes, for devices that know no bitmaps.

    Every band lies inside the one before and adds a little colour to it, so that no
    gap can be seen between two.
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


def _on_surface(
    found: Sequence[Sequence[Floats]],
    levels: Sequence[float],
    values: Floats,
    x: Floats,
    y: Floats,
) -> list[Sequence[Floats]]:
    """Bend lines so that a smooth surface through the nodes has their level on them.

    All points of all lines move at once, by Newton's method along the gradient of the
    piecewise bicubic surface; where a node is missing they stay. Values (gy, gx) are at
    equally spaced x and y.
    """
    lines = [line for of_level in found for line in of_level]
    if not lines:
        return list(found)
    points, counts = _divided(lines)
    wanted = np.repeat(np.repeat(levels, [len(each) for each in found]), counts)
    origin = np.array([x[0], y[0]])
    cell = np.array([x[-1] - x[0], y[-1] - y[0]]) / [len(x) - 1, len(y) - 1]
    last = np.array([len(x) - 1, len(y) - 1])
    start = ((points - origin) / cell).T
    corner = np.clip(start.astype(np.intp), 0, last[:, None] - 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        around, at = _neighbourhoods(values, corner), start
        for _ in range(_STEPS):
            height, slope = _bicubic(around, at - corner)
            step = (height - wanted) / np.square(slope).sum(axis=0) * slope
            at = at - step / (1 + np.square(step).sum(axis=0) / _TRUSTED**2)
    at = np.clip(np.where(np.isfinite(at), at, start).T, 0, last)
    bent = np.split(origin + cell * at, np.cumsum(counts)[:-1])
    ends = np.cumsum([len(each) for each in found])
    return [bent[end - len(each) : end] for end, each in zip(ends, found, strict=True)]


def _divided(lines: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Return all points of lines whose sides are cut into parts, and their counts."""
    counts = np.array([len(line) for line in lines])
    points, last = np.concatenate(lines), np.cumsum(counts) - 1
    sides = np.diff(points, axis=0, append=points[-1:])
    shares = np.arange(PARTS)[:, None] / PARTS
    cut = (points[:, None] + shares * sides[:, None]).reshape(-1, 2)
    # No side begins at the last point of a line.
    beyond = (PARTS * last[:, None] + np.arange(1, PARTS)).ravel()
    return np.delete(cut, beyond, axis=0), PARTS * (counts - 1) + 1


def _neighbourhoods(values: Floats, corner: Ints) -> Floats:
    """Return the 4 × 4 nodes around cells, (4, 4, m), by the columns and rows (2, m).

    Beyond its edge the field goes on as it points there.
    """
    padded = np.pad(values, 1, mode="reflect", reflect_type="odd")
    width = padded.shape[1]
    first = corner[1] * width + corner[0]
    four = np.arange(4)
    return padded.ravel()[first + (four[:, None] * width + four)[..., None]]


def _bicubic(nodes: Floats, at: Floats) -> tuple[Floats, Floats]:
    """Return heights (m,) and gradients (2, m) at places (2, m) from 0 to 1 in cells.

    Nodes are the rows and columns around every cell, (4, 4, m).
    """
    (across, across_slope), (up, up_slope) = map(_cubic_weights, at)
    rows = np.einsum("yxm,xm->ym", nodes, across)
    row_slopes = np.einsum("yxm,xm->ym", nodes, across_slope)
    slope = np.stack([(row_slopes * up).sum(axis=0), (rows * up_slope).sum(axis=0)])
    return (rows * up).sum(axis=0), slope


def _cubic_weights(t: Floats) -> tuple[Floats, Floats]:
    """Return what four nodes weigh between the middle two, and the derivatives.

    The cubic has the slope of the chord through its neighbours at every node, so that
    pieces meet without a corner (Catmull and Rom).
    """
    weights = (
        ((2 - t) * t - 1) * t,
        (3 * t - 5) * t * t + 2,
        ((4 - 3 * t) * t + 1) * t,
        (t - 1) * t * t,
    )
    slopes = (
        (4 - 3 * t) * t - 1,
        (9 * t - 10) * t,
        (8 - 9 * t) * t + 1,
        (3 * t - 2) * t,
    )
    return np.stack(weights) / 2, np.stack(slopes) / 2
