"""The looks of points: shapes, colours, states, and an atlas of their sprites."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)

from kpca_viewer.widgets.theme import Theme

SHAPE_COUNT = 8
"""Circle, square, triangle, diamond, plus, cross, star, hexagon."""

FURTHER_SHAPES = (5, 2, 1, 6, 3, 4, 7)
"""Beside the circle; first those that look least like it when they are small."""


def shape_path(shape: int, radius: float) -> QPainterPath:
    """Return the outline of a shape around the origin.

    The shapes differ in reach so that they look equally large.
    """
    return QTransform.fromScale(radius, radius).map(_unit_path(shape % SHAPE_COUNT))


@lru_cache(maxsize=SHAPE_COUNT)
def _unit_path(shape: int) -> QPainterPath:
    path = QPainterPath()
    if shape == 0:
        path.addEllipse(QRectF(-1, -1, 2, 2))
    elif shape == 1:
        path.addRect(QRectF(-0.85, -0.85, 1.7, 1.7))
    elif shape == 2:
        path.addPolygon(_regular(3, 1.15))
    elif shape == 3:
        path.addPolygon(_regular(4, 1.1))
    elif shape in (4, 5):
        path.addRect(QRectF(-1.1, -0.36, 2.2, 0.72))
        path.addRect(QRectF(-0.36, -1.1, 0.72, 2.2))
        # Where the bars meet, there is no hole.
        path.setFillRule(Qt.FillRule.WindingFill)
        path = path.simplified()
        if shape == 5:
            path = QTransform().rotate(45).map(path)
    elif shape == 6:
        path.addPolygon(_regular(10, 1.2, 0.5))
    else:
        path.addPolygon(_regular(6, 1.05))
    path.closeSubpath()
    return path


def _regular(corners: int, reach: float, inner: float = 1.0) -> QPolygonF:
    """Return a regular polygon; every second corner may lie further inside."""
    angles = -math.pi / 2 + 2 * math.pi * np.arange(corners) / corners
    radii = np.where(np.arange(corners) % 2, reach * inner, reach)
    pairs = zip(radii * np.cos(angles), radii * np.sin(angles), strict=True)
    return QPolygonF([QPointF(x, y) for x, y in pairs])


ColorKind = Literal["class", "continuous", "single"]

CONTINUOUS_COLUMNS = 256
FORMED_COLUMNS = 32
"""Steps of a scale, and of one whose colours come in all shapes."""

DEEP_STEP = 4
"""Of how many steps of a scale one sprite is made where there are several levels."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Sizes of points, as factors of the usual one, and how opaque each is."""

    scales: NDArray[np.float64]
    opacities: NDArray[np.float64]
    """Both of shape (l,)."""

    def of(self, shares: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the level of each share from 0 to 1; what is not finite is 0."""
        known = np.where(np.isfinite(shares), shares, 0.0)
        last = len(self.scales) - 1
        return np.rint(np.clip(known, 0.0, 1.0) * last).astype(np.int64)


ONE_LEVEL = Levels(np.ones(1), np.ones(1))

DEPTHS = Levels(np.linspace(0.62, 1.25, 8), np.linspace(0.4, 1.0, 8))
"""Of a 3-D cloud, farthest first."""

SIZES = Levels(np.sqrt(np.linspace(0.3, 5.0, 12)), np.ones(12))
"""Of points whose size means something: their areas are evenly apart."""


@dataclass(frozen=True)
class PointState:
    """How visible a point is."""

    body: float
    rim: float
    """Opacities of the point and of its edge."""
    hue: float = 1.0
    """Share of the point's own colour; the rest is that of the card. A crowd of pale
    points stays pale, where one of transparent points would become opaque."""
    outside: bool = False
    """Whether the edge stands around the point rather than eating into it."""


NORMAL = PointState(0.85, 0.9)
FADED = PointState(0.7, 0.0, hue=0.45)
SELECTED = PointState(1.0, 1.0, outside=True)
STATES = (NORMAL, FADED, SELECTED)


def point_state(index: int, opacity: float) -> PointState:
    state = STATES[index]
    if state is NORMAL:
        state = PointState(opacity, min(opacity + 0.05, 1.0))
    return state


@dataclass(frozen=True, eq=False)
class Palette:
    """Colour and shape of every code; the last column is for codes without meaning."""

    colors: NDArray[np.uint8]
    """Shape (c, 3). RGB bytes."""
    shapes: NDArray[np.int64]
    """Shape (c,)."""
    rim: tuple[int, int, int]
    """RGB of the thin edge that keeps neighbouring points apart."""
    ordered: bool
    """Whether the columns are a scale."""
    each: int = 1
    """Columns of every colour, one for each shape it comes in."""
    lookup: NDArray[np.int64] | None = None
    """Shape (classes,). The hue of each class, where there are more than hues."""

    @classmethod
    def of(
        cls,
        kind: ColorKind,
        count: int,
        theme: Theme,
        shapes: int = 0,
        others: Collection[int] = (),
    ) -> "Palette":
        """Return the palette of a kind of colouring.

        Of more classes than there are hues, the rest share a grey, or have the hues
        again in other shapes where the theme is shaped. Of ``shapes`` that mean
        something there are so many: every colour comes in all of them. Classes among
        the ``others`` share the grey; see `coloring.rare_classes`.
        """
        lookup, forms = None, np.empty(0, np.int64)
        if kind == "class":
            hues = [*theme.class_colors[: max(count, 1)]]
            if others or count > len(hues):
                known = (code for code in range(count) if code not in others)
                own = list(islice(known, len(theme.class_colors)))
                hues = [*theme.class_colors[: len(own)], theme.other]
                lookup = np.full(count, len(own))
                lookup[own] = np.arange(len(own))
                if theme.shaped and not shapes:
                    again = len(FURTHER_SHAPES) * theme.class_colors
                    rest = sorted(set(range(count)) - set(own))[: len(again)]
                    places = np.arange(len(rest))
                    lookup[rest] = len(hues) + places
                    forms = np.array(FURTHER_SHAPES)[places // len(theme.class_colors)]
                    hues += again[: len(rest)]
            colors = np.array([_rgb(color) for color in hues], np.uint8)
        elif kind == "continuous":
            steps = FORMED_COLUMNS if shapes else CONTINUOUS_COLUMNS
            colors = pg.colormap.get("viridis").getLookupTable(nPts=steps)
        else:
            colors = np.array([_rgb(theme.muted)], np.uint8)
        neutral = np.array([_rgb(theme.muted)], np.uint8)
        colors = np.concatenate([colors[:, :3].astype(np.uint8), neutral])
        each = min(max(shapes, 1), SHAPE_COUNT)
        return cls(
            colors=np.repeat(colors, each, axis=0),
            shapes=(
                np.r_[np.zeros(len(colors) - 1 - len(forms), np.int64), forms, 0]
                if len(forms)
                else np.resize(np.arange(each), each * len(colors))
            ),
            rim=_rgb(theme.card),
            ordered=kind == "continuous",
            each=each,
            lookup=lookup,
        )

    def columns(
        self,
        codes: NDArray[np.int64] | NDArray[np.float64],
        shapes: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:
        """Return the column of each code: scales are rounded.

        Negative classes and values that are not finite get the neutral last column.
        Of a palette with shapes, each code has one; a negative one is the first.
        """
        if self.each > 1 and shapes is not None:
            forms = np.maximum(shapes, 0) % self.each
            return self.each * self._hues(codes) + forms
        return self.each * self._hues(codes)

    def _hues(
        self, codes: NDArray[np.int64] | NDArray[np.float64]
    ) -> NDArray[np.int64]:
        last = len(self.colors) // self.each - 1
        if self.ordered:
            valid = np.isfinite(codes)
            share = np.clip(np.where(valid, codes, 0.0), 0.0, 1.0)
            columns = np.rint(share * (last - 1)).astype(np.int64)
            return np.where(valid, columns, last)
        if codes.dtype.kind != "i":
            codes = np.where(np.isfinite(codes), codes, -1).astype(np.int64)
        classes = last if self.lookup is None else len(self.lookup)
        # By far the most frequent case, and a million codes are soon a pause.
        if codes.size and codes.min() >= 0 and codes.max() < classes:
            known = codes.astype(np.int64, copy=False)
            return known if self.lookup is None else self.lookup[known]
        valid = (codes >= 0) & (codes < classes)
        known = np.where(valid, codes, 0)
        return np.where(
            valid, known if self.lookup is None else self.lookup[known], last
        )


class SpriteAtlas:
    """All sprites of a palette in one pixmap, with sizes in device pixels.

    A column is a colour with its shape; the rows are the states, each with its levels.
    ``places`` (c,) tells in which column of sprites each column of the palette is.
    """

    def __init__(
        self,
        palette: Palette,
        diameter: float,
        rim: float,
        levels: Levels = ONE_LEVEL,
        opacity: float = NORMAL.body,
    ) -> None:
        # Neighbours on a scale cannot be told apart where there are many of each.
        many = levels is not ONE_LEVEL and palette.ordered and palette.each == 1
        step = DEEP_STEP if many else 1
        last = len(palette.colors) - 1
        columns = np.append(np.arange(step // 2, last, step), last)
        self.places = np.append(np.arange(last) // step, len(columns) - 1)
        self._palette = replace(
            palette, colors=palette.colors[columns], shapes=palette.shapes[columns]
        )
        self._diameter, self._rim, self._opacity = diameter, rim, opacity
        self._scales, self._opacities = levels.scales, levels.opacities
        self.levels = len(self._scales)
        # Even sizes keep the centre of every sprite on a corner of four pixels.
        around = np.array([[rim if state.outside else 0.0] for state in STATES])
        reach = diameter * self._scales / 2 + around + 1
        self.extents = 2 * np.ceil(reach).astype(np.int64)
        self.cell = int(self.extents.max())
        self._bgra = np.zeros(
            (len(STATES), self.levels, self.cell, len(columns), self.cell, 4),
            dtype=np.uint8,
        )
        self._made: set[int] = set()
        self._pixmap = QPixmap()

    def pixmap_of(self, states: NDArray[Any]) -> QPixmap:
        """Return a picture with the sprites of these states (m,), made on first use."""
        wanted = np.flatnonzero(np.bincount(states, minlength=len(STATES))).tolist()
        if not self._made.issuperset(wanted):
            for index in set(wanted) - self._made:
                self._make(index)
            self._pixmap = QPixmap.fromImage(self._as_image())
        return self._pixmap

    @property
    def image(self) -> QImage:
        self.pixmap_of(np.arange(len(STATES)))
        return self._as_image()

    def _make(self, index: int) -> None:
        state, palette = point_state(index, self._opacity), self._palette
        for level, scale in enumerate(self._scales):
            inner, outer = edges(self._diameter * scale / 2, self._rim, state)
            # Not np.unique, which loads masked arrays in the middle of a first picture.
            for shape in sorted(set(palette.shapes.tolist())):
                of_shape = np.flatnonzero(palette.shapes == shape)
                self._bgra[index, level][:, of_shape] = _composed(
                    self._coverage(shape, outer),
                    self._coverage(shape, inner),
                    palette.colors[of_shape],
                    palette.rim,
                    state,
                    self._opacities[level],
                )
        self._made.add(index)

    def _as_image(self) -> QImage:
        width = self._bgra.shape[3] * self.cell
        bgra = self._bgra.reshape(-1, width, 4)
        return QImage(
            bgra.data,
            width,
            len(bgra),
            bgra.strides[0],
            QImage.Format.Format_ARGB32_Premultiplied,
        ).copy()

    def _coverage(self, shape: int, radius: float) -> NDArray[np.float32]:
        """Return how much of each pixel of a cell a shape covers, (cell, cell)."""
        image = QImage(self.cell, self.cell, QImage.Format.Format_Grayscale8)
        image.fill(0)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Qt.GlobalColor.white)
        painter.translate(self.cell / 2, self.cell / 2)
        painter.drawPath(shape_path(shape, radius))
        painter.end()
        rows = np.frombuffer(image.constBits(), np.uint8)
        rows = rows.reshape(self.cell, image.bytesPerLine())[:, : self.cell]
        return rows.astype(np.float32) / np.float32(255)


def edges(radius: float, rim: float, state: PointState) -> tuple[float, float]:
    if state.rim == 0:
        return radius, radius
    if state.outside:
        return radius, radius + rim
    return max(radius - rim, 0.55 * radius), radius


def pale(
    colors: NDArray[np.uint8], card: tuple[int, int, int], hue: float
) -> NDArray[np.float32]:
    mixed: NDArray[np.float32] = hue * colors.astype(np.float32) + (1 - hue) * np.array(
        card, np.float32
    )
    return mixed


def _composed(
    whole: NDArray[np.float32],
    body: NDArray[np.float32],
    colors: NDArray[np.uint8],
    rim: tuple[int, int, int],
    state: PointState,
    opacity: float,
) -> NDArray[np.uint8]:
    """Return premultiplied BGRA sprites of one shape, (cell, colours, cell, 4)."""
    inner = (body * np.float32(state.body * opacity))[:, None, :, None]
    outer = ((whole - body) * np.float32(state.rim * opacity))[:, None, :, None]
    fill = np.full((len(colors), 4), 255, np.float32)
    fill[:, :3] = pale(colors, rim, state.hue)[:, ::-1]
    edge = np.array([*rim[::-1], 255], np.float32)
    sprites = inner * fill[None, :, None]
    # In place: a scale in 3-D has a few million values here.
    sprites += outer * edge + np.float32(0.5)
    return sprites.astype(np.uint8)


def point_brush(
    palette: Palette, column: int, opacity: float, hue: float = 1.0
) -> QBrush:
    rgb = pale(palette.colors[[column]], palette.rim, hue)[0]
    color = QColor(*(round(float(value)) for value in rgb))
    color.setAlphaF(opacity)
    return QBrush(color)


def swatch(palette: Palette, column: int, diameter: float, ratio: float) -> QPixmap:
    """Return one point as a picture two pixels wider, as legends show it."""
    side = math.ceil((diameter + 2) * ratio)
    pixmap = QPixmap(side, side)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(Qt.PenStyle.NoPen))
    painter.setBrush(point_brush(palette, column, 1.0))
    painter.translate(side / ratio / 2, side / ratio / 2)
    painter.drawPath(shape_path(int(palette.shapes[column]), diameter / 2))
    painter.end()
    return pixmap


def _rgb(color: str) -> tuple[int, int, int]:
    parsed = QColor(color)
    return parsed.red(), parsed.green(), parsed.blue()
