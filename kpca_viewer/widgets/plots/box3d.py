"""The light box around a 3-D cloud: far walls, ticks and the names of the axes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPolygonF

from kpca_viewer.engine.views import Camera
from kpca_viewer.support.numerals import tick_labels
from kpca_viewer.widgets.plots.axes import FramedItem, color_of, hairline
from kpca_viewer.widgets.plots.frame import Bounds, Floats, Range, nice_ticks
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    is_printing,
    plot_font,
    shorter_names,
    text_box,
    text_width,
    type_scale,
)

_ANGLES = np.linspace(0.0, 2 * np.pi, 72, endpoint=False)
_LEAST = 0.3
"""Of the panel, the box has at least this share, however long the labels are."""


@dataclass(frozen=True)
class BoxExtent:
    """How far a box reaches from its middle while it turns around the upright axis.

    Turned, it keeps its size; seen from higher up, it changes it smoothly.
    """

    beside: float
    above: float
    below: float
    """In the picture plane, of its corners."""
    middle: float
    """Below, of the middles of its lower edges, where the names of axes stand."""

    @classmethod
    def of(cls, half_sides: Floats, camera: Camera) -> "BoxExtent":
        """Return the extent of a box (3,) at the height of a camera."""
        still = replace(camera, zoom=1.0, pan=(0.0, 0.0))
        ground, height = half_sides[:2], float(half_sides[2])
        corners = still.project(_rings(float(np.hypot(*ground)), height))[0]
        edges = still.project(_rings(float(ground.max()), height))[0]
        x, y = corners.T
        return cls(
            float(np.abs(x).max()), float(y.max()), -float(y.min()), -edges[:, 1].min()
        )


def plane_around(
    extent: BoxExtent, size: QSizeF, margins: QMarginsF, line: float
) -> tuple[Range, Range]:
    """Return the ranges of a plane that show a box as large as there is room.

    Margins of the panel are what labels need: at the bottom below the middle of an
    edge, and ``line`` less below a corner.
    """
    left, right, top = margins.left(), margins.right(), margins.top()
    wide, high = size.width(), size.height()
    lower = ((extent.below, margins.bottom() - line), (extent.middle, margins.bottom()))
    scale = max(wide - left - right, _LEAST * wide) / (2 * extent.beside)
    for reach, labels in lower:
        room = max(high - top - labels, _LEAST * high)
        scale = min(scale, room / (extent.above + reach))
    used = max(scale * reach + labels for reach, labels in lower)
    spare = high - top - scale * extent.above - used
    x = -left / scale - (wide - left - right) / (2 * scale)
    y = -(used + spare / 2) / scale
    return (x, x + wide / scale), (y, y + high / scale)


def _rings(radius: float, height: float) -> Floats:
    """Return places (m, 3) around the upright axis, low and high."""
    x, y = radius * np.cos(_ANGLES), radius * np.sin(_ANGLES)
    return np.vstack(
        [np.column_stack([x, y, np.full(len(x), z)]) for z in (-height, height)]
    )


_TICKS = 4
_OFFSET = 7.0  # pixels between an edge, its numbers and its name
_WIDEST_NAME = 160.0
_MOST_BESIDE = 0.25  # of the width of a panel, for the words at one side of the box
_NARROW = 400.0  # pixels of a picture on paper with no room beside a box
_SHORTEST_EDGE = 72.0  # an axis seen end-on is left without a name ...
_SHORTEST_SHARE = 0.2  # ... but not every axis of a small figure


def far_faces(camera: Camera, half_sides: Floats) -> Mask:
    """Tell which faces are seen from inside, (3, 2): by axis, low and high end."""
    eye = camera.distance * camera.rotation()[2]
    return np.column_stack([eye > -half_sides, eye < half_sides])


_Edge = tuple[Floats, Floats, Floats, float]
"""Ends of an edge, its way outwards, (2,) each, and the distance of its name."""

_FACES = ("0132", "4576", "0154", "2376", "0264", "1375")
"""Corners of a box, in the order of `product`."""


class Box3DItem(FramedItem):
    """Draws the box; the cloud is drawn over it, so only far walls are shown."""

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ("", "", "")
        self._bounds = Bounds()
        self._camera = Camera()

    def set_names(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self.update()

    def set_view(self, bounds: Bounds, camera: Camera) -> None:
        self._bounds, self._camera = bounds, camera
        self.update()

    def margins(self, size: QSizeF) -> tuple[QMarginsF, float]:
        """Return the room in pixels for numbers and names, and the height of a line.

        Those of the ground stand below the box or at a side, those of the upright axis
        at its left.
        """
        font = plot_font()
        line = QFontMetricsF(font).height()
        reach = []
        for axis, name in enumerate(self._names):
            widest = max((text_width(t, font) for t in self._ticks(axis)[1]), default=0)
            words = min(text_width(name, font), _WIDEST_NAME * type_scale())
            if is_printing() and size.width() < _NARROW:
                # No turning moves it: a name finds its place at the box.
                words = 0.0
            reach.append(widest + words + 3 * _OFFSET)
        # A name that is too long for a narrow panel is moved inwards.
        most = _MOST_BESIDE * size.width()
        right = min(max(reach[:2]), most)
        left = min(max(reach), most)
        return QMarginsF(left, line / 2, right, 2 * line + 2 * _OFFSET), line

    def _pixels(self, corners: Floats) -> Floats:
        assert self._frame is not None
        return self._frame.to_pixels(self._camera.project(corners)[0])

    def _ticks(self, axis: int) -> tuple[Floats, list[str]]:
        """Return places of the ticks in the box along an axis, and their texts."""
        (low, high), side = self._bounds.ranges[axis], self._bounds.half_sides()[axis]
        ticks = nice_ticks(low, high, max(2, round(_TICKS * side)))
        return (2 * (ticks - low) / (high - low) - 1) * side, tick_labels(ticks)

    def _wall_lines(self, far: Mask) -> tuple[Floats, Floats]:
        """Return borders and grid lines of the far walls, (m, 2, 3) each."""
        sides = self._bounds.half_sides()
        borders, grid = [], []
        for axis, end in product(range(3), range(2)):
            if not far[axis, end]:
                continue
            for along, across in ((1, 2), (2, 1)):
                a, b = (axis + along) % 3, (axis + across) % 3
                places = np.concatenate([[-sides[b], sides[b]], self._ticks(b)[0]])
                lines = np.empty((len(places), 2, 3))
                lines[:, :, axis] = (-sides[axis], sides[axis])[end]
                lines[:, :, b] = places[:, None]
                lines[:, :, a] = (-sides[a], sides[a])
                borders.append(lines[:2])
                grid.append(lines[2:])
        return np.concatenate(borders), np.concatenate(grid)

    def _label_edge(self, axis: int, far: Mask) -> Floats:
        """Return the ends (2, 3) of the edge that carries the numbers of an axis.

        Edges between a near and a far face form the outline of the box: numbers there
        never lie over the cloud. Of the two or so, the lower one serves the axes of
        the ground, the left one the upright axis.
        """
        sides = self._bounds.half_sides()
        others = [other for other in range(3) if other != axis]
        edges = []
        for ends in product(range(2), repeat=2):
            edge = np.empty((2, 3))
            edge[:, axis] = -sides[axis], sides[axis]
            for other, end in zip(others, ends, strict=True):
                edge[:, other] = (-sides[other], sides[other])[end]
            outline = far[others[0], ends[0]] != far[others[1], ends[1]]
            middle = self._pixels(edge).mean(axis=0)
            edges.append((not outline, middle[0] if axis == 2 else -middle[1], edge))
        best: Floats = min(edges, key=lambda candidate: candidate[:2])[2]
        return best

    def _draw_numbers(
        self, painter: QPainter, axis: int, far: Mask, taken: list[QRectF]
    ) -> _Edge | None:
        """Draw the numbers of an axis; return where its name goes, if it has one."""
        edge = self._label_edge(axis, far)
        start, end = self._pixels(edge)
        direction = end - start
        length = float(np.hypot(*direction))
        assert self._frame is not None
        small = _SHORTEST_SHARE * min(self._frame.width, self._frame.height)
        if length < min(_SHORTEST_EDGE, small):
            return None
        normal = np.array([direction[1], -direction[0]]) / length
        center = self._pixels(np.zeros((1, 3)))[0]
        if normal @ ((start + end) / 2 - center) < 0:
            normal = -normal
        places, texts = self._ticks(axis)
        spots = np.repeat(edge[:1], len(places), axis=0)
        spots[:, axis] = places
        # Anchored at the side that faces the box, so that long numbers grow away.
        across, down = (1 - normal[0]) / 2, (1 - normal[1]) / 2
        beyond = _OFFSET
        marks = self._pixels(spots)
        step = _step(painter, texts, (marks[-1] - marks[0]) / max(len(marks) - 1, 1))
        # An edge seen nearly end-on has no room for its numbers.
        if len(texts[::step]) > 1 or len(texts) == 1:
            beyond += _reach(painter, texts, normal)
            for spot, text in zip(marks[::step], texts[::step], strict=True):
                at = QPointF(*(spot + _OFFSET * normal))
                taken.append(draw_text(painter, at, text, across, down))
        return start, end, normal, beyond + _OFFSET

    def _draw_name(
        self, painter: QPainter, axis: int, edge: _Edge, taken: list[QRectF]
    ) -> None:
        """Draw the name of an axis over nothing that is taken, nor over the box.

        Beside the middle of its edge if it can be; else along it, beyond its upper end,
        or with less words.
        """
        font, (start, end, normal, beyond) = painter.font(), edge
        inside = self.boundingRect().adjusted(6, 6, -6, -6)
        line, box = QFontMetricsF(font).height(), self._outline()
        down = (1 - normal[1]) / 2
        # Farther outwards than numbers: it is long, and they go on along the edge.
        across = min(max(0.5 - 1.2 * normal[0], 0.0), 1.0)
        anchors = [
            (start + share * (end - start) + far * normal, across, down)
            for far in beyond + line * np.arange(3)
            for share in (0.5, 0.35, 0.65, 0.2, 0.8)
        ]
        upper = min(start, end, key=lambda place: float(place[1]))
        anchors.append((upper - (0, line), 0.5, 1.0))
        for name in shorter_names(self._names[axis]):
            text = elided(name, font, _WIDEST_NAME * type_scale())
            for at, right, up in anchors:
                place = text_box(font, QPointF(*at), text, right, up, inside)
                apart = place.adjusted(-2, -1, 2, 1)
                if not any(map(apart.intersects, taken)) and not box.intersects(place):
                    taken.append(draw_text(painter, place.center(), text))
                    return

    def _outline(self) -> QPainterPath:
        """Return all that the box covers."""
        path, signs = QPainterPath(), np.array(list(product((-1, 1), repeat=3)))
        path.setFillRule(Qt.FillRule.WindingFill)
        corners = self._pixels(signs * self._bounds.half_sides())
        for face in _FACES:
            path.addPolygon(QPolygonF([QPointF(*corners[int(k)]) for k in face]))
        return path

    def paint(self, painter: QPainter, *args: object) -> None:
        if self._frame is None:
            return
        far = far_faces(self._camera, self._bounds.half_sides())
        borders, grid = self._wall_lines(far)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        faint = color_of(self._theme, "border", 0.8)
        strong = color_of(self._theme, "muted", 0.4)
        for lines, color in ((grid, faint), (borders, strong)):
            ends = self._pixels(lines.reshape(-1, 3)).reshape(-1, 4)
            pen = hairline(self._theme.border)
            pen.setColor(color)
            painter.setPen(pen)
            painter.drawLines([QLineF(*line) for line in ends])
        painter.setFont(plot_font())
        painter.setPen(QColor(self._theme.muted))
        taken: list[QRectF] = []
        edges = [self._draw_numbers(painter, axis, far, taken) for axis in range(3)]
        painter.setPen(QColor(self._theme.text))
        for axis, edge in enumerate(edges):
            if edge is not None:
                self._draw_name(painter, axis, edge, taken)


def _step(painter: QPainter, texts: list[str], way: Floats) -> int:
    """Return how many numbers on, along a way (2,) in pixels, one does not touch."""
    metrics = QFontMetricsF(painter.font())
    widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
    right, down = np.maximum(np.abs(way), 1e-3)
    return max(1, math.ceil(min((widest + 4) / right, metrics.height() / down)))


def _reach(painter: QPainter, texts: list[str], normal: Floats) -> float:
    """Return how far numbers extend along the normal (2,) of their edge."""
    metrics = QFontMetricsF(painter.font())
    widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
    share = np.abs(normal) * (1 + np.abs(normal)) / 2
    return float(share @ np.array([widest, metrics.height()]))
