"""What is drawn among the points of a 3-D view: surfaces and arrows."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from kpca_viewer.widgets.plots.axes import FramedItem, color_of
from kpca_viewer.widgets.plots.frame import Floats, Frame, Projection
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.moves import (
    Word,
    draw_arrow,
    write_words,
)
from kpca_viewer.widgets.plots.text import plot_font, type_scale

_SHADES = (0.22, 0.38, 0.6)
"""Opacity of the lines of the mesh, from far to near."""

_LOW = 240.0  # pixels of a plot below which marks have no words
_APART = 6.0  # pixels between two marks that are not one


@dataclass(frozen=True, eq=False)
class SpaceDrawing:
    """Lines, a patch, arrows and marks; all their places are in one array."""

    vertices: Floats
    """Shape (v, 3). In data coordinates: the lines, the corners of the patch, the foot
    of the arrows, their heads, and the marks."""
    lines: tuple[int, int] = (0, 0)
    """How many lines, and places on each."""
    corners: int = 0
    arrows: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """What is written beside arrows and marks."""

    @classmethod
    def of(
        cls,
        mesh: Floats,
        patch: Floats,
        foot: Floats,
        arrows: tuple[str, Floats],
        marks: Sequence[tuple[str, Floats]] = (),
    ) -> "SpaceDrawing":
        """Put a drawing together.

        A mesh (l, m, 3), a patch (c, 3), arrows from a foot (3,) to heads (a, 3) with
        the word before their numbers, and marks (3,) with their texts.
        """
        word, heads = arrows
        places = [place.reshape(1, 3) for _, place in marks]
        vertices = np.concatenate(
            [mesh.reshape(-1, 3), patch, foot.reshape(1, 3), heads, *places]
        )
        return cls(
            vertices,
            (mesh.shape[0], mesh.shape[1]),
            len(patch),
            tuple(f"{word} {j + 1}" for j in range(len(heads))),
            tuple(text for text, _ in marks),
        )

    @property
    def shape(self) -> tuple[object, ...]:
        """What two drawings share between which places can glide."""
        return self.lines, self.corners, self.arrows, self.marks

    def parts(self, places: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Cut places (v, …) of the vertices into those of the five kinds."""
        sizes = (self.lines[0] * self.lines[1], self.corners, 1, len(self.arrows))
        mesh, patch, foot, heads, marks = np.split(places, np.cumsum(sizes))
        return mesh, patch, foot, heads, marks


class SpaceItem(FramedItem):
    """One layer of a drawing, seen through a projection."""

    def __init__(self) -> None:
        super().__init__()
        self._drawing: SpaceDrawing | None = None
        self._placed: Floats = np.empty((0, 3))
        self._projection = Projection()

    def set_drawing(self, drawing: SpaceDrawing | None, placed: Floats) -> None:
        self._drawing, self._placed = drawing, placed
        self.update()

    def set_projection(self, projection: Projection) -> None:
        self._projection = projection
        self.update()

    def paint(self, painter: QPainter, *args: object) -> None:
        if self._drawing is None or self._frame is None:
            return
        plane, depth = self._projection.project(self._placed)
        if depth is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw(painter, self._drawing, self._frame.to_pixels(plane), depth)

    def _draw(
        self, painter: QPainter, drawing: SpaceDrawing, pixels: Floats, depth: Floats
    ) -> None:
        raise NotImplementedError


class SurfaceItem(SpaceItem):
    """The mesh and the patch, below the points."""

    def _draw(
        self, painter: QPainter, drawing: SpaceDrawing, pixels: Floats, depth: Floats
    ) -> None:
        mesh, patch, *_ = drawing.parts(pixels)
        if len(patch):
            painter.setBrush(color_of(self._theme, "accent", 0.16))
            painter.setPen(QPen(color_of(self._theme, "accent", 0.7), 1.0))
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in patch]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        color = QColor(self._theme.muted)
        for shade, path in zip(
            _SHADES, _shaded(mesh, drawing.parts(depth)[0], drawing.lines), strict=True
        ):
            color.setAlphaF(shade)
            painter.setPen(QPen(color, 1.0))
            painter.drawPath(path)


class ArrowsItem(SpaceItem):
    """Arrows and marks, above the points."""

    def _draw(
        self, painter: QPainter, drawing: SpaceDrawing, pixels: Floats, depth: Floats
    ) -> None:
        _, _, foot, heads, marks = drawing.parts(pixels)
        painter.setFont(plot_font())
        named = zip(drawing.arrows, heads, strict=True)
        shafts = [(text, head - foot[0]) for text, head in named]
        for _, way in shafts:
            draw_arrow(painter, self._theme, foot[0], way)
        words = [Word.beyond(foot[0], way, text) for text, way in shafts]
        seen: list[Floats] = []
        for text, mark in zip(drawing.marks, marks, strict=True):
            # The mean of centred points is the origin: one mark says enough.
            if all(math.dist(mark, other) > _APART for other in seen):
                word = self._draw_mark(painter, mark, text)
                seen.append(mark)
                # A small plot has no room for what is known without it.
                if self.boundingRect().height() >= _LOW * type_scale():
                    words.append(word)
        write_words(painter, self._theme, words, self.boundingRect())

    def _draw_mark(self, painter: QPainter, at: Floats, text: str) -> Word:
        radius = 4.0 * type_scale()
        painter.setBrush(QColor(self._theme.card))
        painter.setPen(QPen(QColor(self._theme.text), 1.8))
        painter.drawEllipse(QPointF(*at), radius, radius)
        return Word(text, at + np.array([0.0, radius + 3]), 0.5, 0.0)


def _shaded(
    pixels: Floats, depth: Floats, lines: tuple[int, int]
) -> list[QPainterPath]:
    """Return the lines of a mesh as one path for each shade, far ones first."""
    if not len(pixels):
        return [QPainterPath() for _ in _SHADES]
    there: Mask = np.isfinite(pixels[:, 0] + pixels[:, 1])
    # The nearness of a piece is that of the place where it begins.
    depth = np.where(there, depth, 0.0)
    near = depth[there]
    low, high = (float(near.min()), float(near.max())) if near.size else (0.0, 0.0)
    share = (depth - low) / (high - low) if high > low else np.zeros_like(depth)
    shade = np.clip((share * len(_SHADES)).astype(int), 0, len(_SHADES) - 1)
    goes_on = np.ones(lines, dtype=bool)
    goes_on[:, -1] = False
    joins = goes_on.ravel() & there & np.append(there[1:], False)
    x, y = np.where(there[:, None], pixels, 0.0).T
    paths: list[QPainterPath] = []
    for number in range(len(_SHADES)):
        joined = (joins & (shade == number)).astype(np.int32)
        paths.append(pg.arrayToQPath(x, y, joined))
    return paths


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
        """Follow the slope from a place to a pixel; returns where, and the miss."""
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
