"""Which points are drawn and where, and pictures of them that are kept."""

import math
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QObject,
    QPointF,
    QRectF,
    QRunnable,
    Qt,
    QThreadPool,
    Signal,
    Slot,
)
from PySide6.QtGui import QPainter, QPixmap, QTransform

from kpca_viewer.widgets.plots.cloud_drawing import (
    Bytes,
    DrawnPoints,
    density_pictures,
    draw_density,
    draw_sprites,
    mark_look,
)
from kpca_viewer.widgets.plots.frame import Floats, Picker, Projection
from kpca_viewer.widgets.plots.linking import Mask, points_in_rectangle
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
    SpriteAtlas,
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
    """Diameter in logical pixels that is set; see `mark_look`."""
    opacity: float | None = None
    """None lets the number of points decide."""
    faint: Mask | None = None
    """Shape (n,). Points that mean little; a selection says more than that."""
    sizes: Ints | None = None
    """Shape (n,). Levels of `SIZES`, where sizes mean something; nearer points are not
    larger then."""

    @property
    def steps(self) -> Levels:
        if self.sizes is not None:
            return SIZES
        return ONE_LEVEL if self.projection.flat else DEPTHS

    def levels(self, rows: Ints, depth: Floats | None) -> Ints | None:
        """Return the levels of rows (m,) with their nearness; None for none."""
        if self.sizes is not None:
            return self.sizes[rows]
        return None if depth is None else DEPTHS.of(depth)

    def drawn(
        self, affine: Floats, low: Floats, high: Floats, area: float, limit: int
    ) -> tuple[Ints, Floats | None, DrawnPoints]:
        """Return rows between corners (2,) in pixels, their nearness, what is drawn.

        The last one is on top. The affine map (3, 2) leads from the plane to pixels;
        the area is in logical ones. More points than the limit become a density
        picture, which has no order.
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
        look = mark_look(self.size, len(rows), area, self.opacity)
        points = DrawnPoints(
            pixels=pixels,
            columns=self.columns[rows],
            states=states,
            levels=self.levels(rows, depth),
            steps=self.steps,
            palette=self.palette,
            size=look.size,
            rim=look.rim,
            opacity=look.opacity,
        )
        return rows, depth, points

    def _inside(
        self, affine: Floats, low: Floats, high: Floats
    ) -> tuple[Ints, Floats, Floats | None]:
        rows, places, depths = [], [], []
        every = np.flatnonzero(self.finite)
        for start in range(0, max(len(every), 1), _BLOCK):
            part = every[start : start + _BLOCK]
            plane, depth = self.projection.project(self.places[part])
            pixels = plane @ affine[:2] + affine[2]
            seen = points_in_rectangle(pixels, low, high)
            if self.hidden is not None:
                seen &= ~self.hidden[part]
            rows.append(part[seen])
            places.append(pixels[seen])
            if depth is not None:
                depths.append(depth[seen])
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
        return self.version, self.to_scene, self.area, self.scale, self.cell

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
    largest = 1.6 * request.state.size * request.state.steps.scales.max()
    margin = request.scale * largest
    low, high = np.full(2, -margin), np.array([request.width, request.height]) + margin
    rows, nearness, points = request.state.drawn(
        request.affine(), low, high, request.area[2] * request.area[3], request.limit
    )
    pictures = None
    if len(rows) > request.limit:
        side = request.cell * request.scale
        opacity = request.state.opacity or 1.0
        size = request.width, request.height
        pictures = density_pictures(points, *size, side, opacity)
    return PreparedLayer(rows, nearness, points, pictures)


class _Delivery(QObject):
    done = Signal(object, object, object)


class _Job(QRunnable):
    def __init__(self, request: LayerRequest, delivery: _Delivery) -> None:
        super().__init__()
        self._request = request
        self._delivery = delivery

    def run(self) -> None:
        layer = prepare(self._request)
        # In the coordinates of the mouse, and ready when it comes.
        pixels = layer.points.pixels / self._request.scale + self._request.area[:2]
        picker = Picker(layer.rows, pixels, layer.nearness)
        # At the end of the program the window, and whom to tell, may be gone already.
        with suppress(RuntimeError):
            self._delivery.done.emit(self._request, layer, picker)


Rows = NDArray[np.intp]

AT_ONCE = 100_000
"""Up to so many points a picture is there within the time of a frame or two."""


class LayerCache(QObject):
    """Keeps the last picture; prepares one of very many points on another thread.

    ``count``: points there are now; a late picture of another number is dropped;
    ``density_count``: points behind the density picture last painted, or 0.
    """

    changed = Signal()
    """A picture that was waited for is there."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.density_count = 0
        self.count = 0
        self._layer = QPixmap()
        self._painted: LayerRequest | None = None
        self._drawn: PreparedLayer | None = None
        self._picker: Picker | None = None
        self._running: LayerRequest | None = None
        self._waiting: LayerRequest | None = None
        # Without a parent: a job that ends after this object still has one to tell.
        self._delivery = _Delivery()
        self._delivery.done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)
        self._atlas: tuple[tuple[object, ...], SpriteAtlas, Palette] | None = None

    @property
    def busy(self) -> bool:
        return self._running is not None

    def picker(self, version: int, to_scene: tuple[float, ...]) -> Picker | None:
        """Return what finds points, where it belongs to these; see `LayerRequest`."""
        shown = self._painted
        if shown is None or (shown.version, shown.to_scene) != (version, to_scene):
            return None
        return self._picker

    @property
    def look(self) -> DrawnPoints | None:
        """The points of the picture last painted, unless it is one of density."""
        return None if self._drawn is None else self._drawn.points

    def seen(self, request: LayerRequest) -> tuple[Rows, Floats] | None:
        """Return rows and places in the scene (m, 2); None on their way, or a crowd."""
        shown, drawn = self._painted, self._drawn
        if shown is None or drawn is None or not self._has(request):
            return None
        corner = np.array(request.area[:2])
        return drawn.rows, drawn.points.pixels / request.scale + corner

    def picture(self, request: LayerRequest) -> QPixmap:
        if not self._has(request):
            self._paint(request, prepare(request))
        return self._layer

    def draw(self, painter: QPainter, request: LayerRequest, *, at_once: bool) -> None:
        """Paint the picture, or while a large one is prepared the one before."""
        few = np.count_nonzero(request.state.finite) <= AT_ONCE
        if at_once or few or self._has(request):
            painter.drawPixmap(QPointF(*request.area[:2]), self.picture(request))
            return
        self._submit(request)
        before = self._painted
        if before is None or len(before.state.places) != self.count:
            return
        painter.save()
        # The frame may be smaller than it was; axes stand around it.
        painter.setClipRect(QRectF(*request.area))
        if before.version == request.version:
            # The same points: the old picture is stretched to where they are now.
            back, invertible = QTransform(*before.to_scene).inverted()
            if invertible:
                moved = back * QTransform(*request.to_scene)
                painter.setTransform(moved * painter.transform())
        painter.setClipRect(QRectF(*before.area), Qt.ClipOperation.IntersectClip)
        painter.drawPixmap(QPointF(*before.area[:2]), self._layer)
        painter.restore()

    def _has(self, request: LayerRequest) -> bool:
        return self._painted is not None and self._painted.key == request.key

    def _paint(self, request: LayerRequest, prepared: PreparedLayer) -> None:
        layer = QPixmap(request.width, request.height)
        layer.fill(Qt.GlobalColor.transparent)
        with QPainter(layer) as painter:
            if prepared.pictures is not None:
                draw_density(painter, prepared.pictures, request.cell * request.scale)
            else:
                sprites = self._sprites(prepared.points, request.scale)
                draw_sprites(painter, prepared.points, sprites)
        layer.setDevicePixelRatio(request.scale)
        dense = prepared.pictures is not None
        self.density_count = len(prepared.rows) if dense else 0
        self._drawn = None if dense else prepared
        self._layer, self._painted, self._picker = layer, request, None

    def _sprites(self, points: DrawnPoints, scale: float) -> SpriteAtlas:
        # A palette is replaced, never changed.
        look = points.size, points.rim, points.opacity
        key = (id(points.palette), scale, look, id(points.steps))
        if self._atlas is None or self._atlas[0] != key:
            atlas = SpriteAtlas(
                points.palette,
                points.size * scale,
                points.rim * scale,
                points.steps,
                points.opacity,
            )
            # Kept with its palette: no later one can have the same identity.
            self._atlas = key, atlas, points.palette
        return self._atlas[1]

    def _submit(self, request: LayerRequest) -> None:
        """Prepare one picture at a time; of those that wait, the latest."""
        newest = self._waiting or self._running
        if newest is not None and newest.key == request.key:
            return
        if self._running is None:
            self._start(request)
        else:
            self._waiting = request

    def _start(self, request: LayerRequest) -> None:
        self._running = request
        QThreadPool.globalInstance().start(_Job(request, self._delivery))

    @Slot(object, object, object)
    def _on_done(
        self, request: LayerRequest, prepared: PreparedLayer, picker: Picker
    ) -> None:
        self._running, waiting = None, self._waiting
        self._waiting = None
        if waiting is not None:
            self._start(waiting)
        # Perhaps older than what is wanted now, but newer than what is shown.
        if len(request.state.places) == self.count:
            self._paint(request, prepared)
            self._picker = picker
            self.changed.emit()
