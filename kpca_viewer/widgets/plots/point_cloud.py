"""The item that draws every scatter, flat or projected, at any number of points."""

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QPointF, QRectF, Signal, Slot
from PySide6.QtGui import QPainter, QTransform

from kpca_viewer.widgets.plots.cloud_drawing import USUAL_SIZE, draw_shapes, mark_look
from kpca_viewer.widgets.plots.cloud_layer import CloudState, LayerCache, LayerRequest
from kpca_viewer.widgets.plots.frame import FLAT, Floats, Picker, Projection
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.markers import Marker, draw_lit, draw_markers
from kpca_viewer.widgets.plots.pixels import affine, is_vector, numbers
from kpca_viewer.widgets.plots.row_labels import (
    LabelLayer,
    RowLabels,
    draw_labels,
    place_labels,
)
from kpca_viewer.widgets.plots.sprites import SIZES, ColorKind, Palette
from kpca_viewer.widgets.plots.text import is_printing
from kpca_viewer.widgets.theme import LIGHT, Theme

Ints = NDArray[np.int64]

DENSITY_LIMIT = 20_000
"""More points in view than this are drawn as a density picture."""

_CELL = 2.0  # side of a density cell, in logical pixels
_SMALLEST_CELL = 0.5
_PER_CELL = 4.0
_FINE = 4.0
"""On paper, where a cell can be smaller: points of an even cloud in each, and device
pixels of a vector file per logical one."""


class PointCloudItem(pg.GraphicsObject):
    """Points as sprites on screens and bitmaps, as real shapes on vector devices.

    The points are drawn into a layer of the size of the view that is kept until they,
    their style or the view change; hovering or drawing a lasso over a large cloud
    costs one copy of that layer. A layer of very many points is prepared by another
    thread; until it is there, the one before is shown where its points are now.
    """

    layer_changed = Signal()
    """A picture that was waited for is there."""

    def __init__(self, theme: Theme = LIGHT) -> None:
        super().__init__()
        self._theme = theme
        self._places: Floats = np.empty((0, 2))
        self._projection = FLAT
        self._finite: Mask = np.empty(0, dtype=bool)
        self._codes: Ints | Floats = np.empty(0, dtype=np.int64)
        self._kind: ColorKind = "single"
        self._shapes: Ints | None = None
        self._others: frozenset[int] = frozenset()
        self.palette = Palette.of("single", 1, theme)
        self._columns: Ints = np.empty(0, dtype=np.int64)
        self._size: float | None = None
        self._opacity: float | None = None
        self._sizes: Ints | None = None
        self._magnification = 1.0
        self.selected: Mask | None = None
        self.faint: Mask | None = None
        self._lifted: Mask | None = None
        self._hidden: Mask | None = None
        self.hovered: int | None = None
        self.partner: int | None = None
        self.labels = RowLabels()
        self._label_layer = LabelLayer()
        self._markers: list[tuple[QPointF, Marker]] = []
        self._version = 0
        self._layers = LayerCache(self)
        self._layers.changed.connect(self._on_layer_changed)

    # What is shown

    @property
    def density_count(self) -> int:
        """Points behind the density picture last drawn; 0 for single points."""
        return self._layers.density_count

    @property
    def point_size(self) -> float:
        """Diameter of a point in logical pixels, before any depth cue."""
        look = self._layers.look
        if look is not None:
            return look.size
        box = self.getViewBox()
        area = 0.0 if box is None else box.width() * box.height()
        return mark_look(self._set_size, int(self.shown.sum()), area).size

    @property
    def _set_size(self) -> float:
        return (self._size or USUAL_SIZE) * self._magnification

    @property
    def colors(self) -> NDArray[np.uint8]:
        return self.palette.colors[self._columns]

    def colors_of(self, rows: Ints) -> NDArray[np.uint8]:
        return self.palette.colors[self._columns[rows]]

    @property
    def shapes(self) -> Ints:
        return self.palette.shapes[self._columns]

    @property
    def markers(self) -> tuple[Marker, ...]:
        return tuple(marker for _, marker in self._markers)

    @property
    def busy(self) -> bool:
        return self._layers.busy

    @property
    def shown(self) -> Mask:
        return self._finite if self._hidden is None else self._finite & ~self._hidden

    def picker(self) -> Picker | None:
        """Return what finds the points of a large cloud, once its picture is there."""
        return self._layers.picker(self._version, numbers(self.sceneTransform()))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._recolor()

    def set_places(self, places: ArrayLike, projection: Projection = FLAT) -> None:
        """Place the points (n, 2) or (n, 3); rows that are not finite are not drawn.

        A new number of points drops colours, masks and hover: they belonged to others.
        With a depth in the projection, nearer points are larger, more opaque and on
        top.
        """
        before, self._projection = self._places, projection
        self._places = np.asarray(places, dtype=np.float64)
        self._layers.count = len(self._places)
        if self._places is not before:
            finite = np.isfinite(self._places)
            # The last column is the second or the third.
            self._finite = finite[:, 0] & finite[:, 1] & finite[:, -1]
        if len(self._codes) != len(self._places):
            self.selected = self._hidden = self.hovered = self.partner = None
            self.faint = self._lifted = None
            self.labels = RowLabels()
            self._codes, self._kind = np.zeros(len(self._places), np.int64), "single"
            self._shapes = self._sizes = None
            self.palette = Palette.of("single", 1, self._theme)
            # One colour: the codes are its columns.
            self._columns = self._codes
        self.informViewBoundsChanged()
        self._changed()

    def set_colors(
        self,
        codes: ArrayLike,
        kind: ColorKind = "class",
        shapes: ArrayLike | None = None,
        others: Collection[int] = (),
    ) -> None:
        """Colour the points by codes (n,): class numbers, or from 0 to 1 if continuous.

        Negative classes and values that are not finite are drawn in grey, classes among
        the ``others`` in another one. Shapes (n,) are numbers too.
        """
        checked = self._checked(codes)
        forms = None if shapes is None else self._checked(shapes).astype(np.int64)
        looks = kind, frozenset(others)
        same = looks == (self._kind, self._others) and _same(checked, self._codes)
        if not same or not _same(forms, self._shapes):
            self._codes, self._shapes, self._lifted = checked, forms, None
            self._kind, self._others = looks
            self._recolor()

    def set_point_size(self, diameter: float | None) -> None:
        """Set the diameter in logical pixels; None is the usual one (`mark_look`)."""
        self._set("_size", diameter)

    def set_opacity(self, opacity: float | None) -> None:
        """Set the opacity of points; None lets the number of points in view decide."""
        self._set("_opacity", opacity)

    def set_sizes(self, shares: ArrayLike | None) -> None:
        """Let sizes tell shares (n,) from 0 to 1; None makes all points alike."""
        levels = None
        if shares is not None:
            levels = SIZES.of(self._checked(shares).astype(np.float64))
        self._set("_sizes", levels)

    @property
    def diameters(self) -> Floats:
        """Of every point, in logical pixels and before any depth cue, (n,)."""
        if self._sizes is None:
            return np.full(len(self._places), self.point_size)
        return self.point_size * SIZES.scales[self._sizes]

    def set_magnification(self, factor: float) -> None:
        """Draw points larger than they are set, for those who sit far away."""
        self._set("_magnification", factor)

    def set_selected(self, mask: ArrayLike | None) -> None:
        """Fade all points but these (n,); None brings every point back."""
        self._set("selected", self._mask(mask))

    def set_faint(self, mask: ArrayLike | None) -> None:
        """Draw these points (n,) faintly while none are selected."""
        self._set("faint", self._mask(mask))

    def set_lifted(self, mask: ArrayLike | None) -> None:
        """Fade all points but these (n,) for a moment, whatever is selected."""
        self._set("_lifted", self._mask(mask))

    def set_hidden(self, mask: ArrayLike | None) -> None:
        self._set("_hidden", self._mask(mask))

    def set_hovered(self, row: int | None) -> None:
        self.hovered = row
        self.update()

    def set_partner(self, row: int | None) -> None:
        self.partner = row
        self.update()

    @property
    def lit(self) -> tuple[int, ...]:
        """The rows drawn large: the hovered one on top of its partner."""
        rows = (self.partner, self.hovered)
        count, shown = len(self._places), self.shown
        return tuple(r for r in rows if r is not None and r < count and shown[r])

    def set_labels(self, labels: RowLabels) -> None:
        if labels or self.labels:
            self.labels = labels
            self.update()

    @property
    def label_texts(self) -> list[str]:
        return [text for _, text in self._label_layer.placed]

    @property
    def label_places(self) -> list[QRectF]:
        return [box for box, _ in self._label_layer.placed]

    def set_markers(self, markers: Sequence[tuple[QPointF, Marker]]) -> None:
        """Show new points at positions in the coordinates of the item."""
        before, self._markers = self._markers, list(markers)
        if before or self._markers:
            self.update()

    def _set(self, name: str, value: NDArray[Any] | float | None) -> None:
        if not _same(value, getattr(self, name)):
            setattr(self, name, value)
            self._changed()

    def _mask(self, mask: ArrayLike | None) -> Mask | None:
        return None if mask is None else self._checked(mask).astype(bool)

    def _checked(self, values: ArrayLike) -> NDArray[Any]:
        array = np.asarray(values)
        if array.shape != (len(self._places),):
            raise ValueError(
                f"{len(self._places)} points, but values of shape {array.shape}"
            )
        return array

    def _recolor(self) -> None:
        count = int(self._codes.max(initial=0)) + 1 if self._kind == "class" else 1
        forms = 0 if self._shapes is None else int(self._shapes.max(initial=0)) + 1
        self.palette = Palette.of(self._kind, count, self._theme, forms, self._others)
        self._columns = self.palette.columns(self._codes, self._shapes)
        self._changed()

    @Slot()
    def _on_layer_changed(self) -> None:
        self.layer_changed.emit()
        self.update()

    def _changed(self) -> None:
        self._version += 1
        self.update()

    # Drawing

    def _state(self) -> CloudState:
        """Return the points as they are now; setters replace arrays, never write."""
        return CloudState(
            self._places,
            self._projection,
            self._finite,
            self._hidden,
            self.selected if self._lifted is None else self._lifted,
            self._columns,
            self.palette,
            self._set_size,
            self._opacity,
            self.faint,
            self._sizes,
        )

    @property
    def _limit(self) -> int:
        """More points in view become density, later where it would hide their sizes."""
        return DENSITY_LIMIT if self._sizes is None else 5 * DENSITY_LIMIT

    def _request(
        self, to_scene: QTransform, area: QRectF, scale: float
    ) -> LayerRequest:
        rect, cell = (area.x(), area.y(), area.width(), area.height()), _CELL
        if is_printing():
            even = math.sqrt(_PER_CELL * rect[2] * rect[3] / max(len(self._places), 1))
            cell = min(max(even, _SMALLEST_CELL), _CELL)
        return LayerRequest(
            self._version,
            numbers(to_scene),
            rect,
            scale,
            self._state(),
            cell,
            self._limit,
        )

    def _paint_vector(
        self, painter: QPainter, to_scene: QTransform, area: QRectF
    ) -> None:
        # Vector devices do not all clip: what is outside must not be drawn at all.
        rows, _, points = self._state().drawn(
            affine(to_scene),
            np.array([area.left(), area.top()]),
            np.array([area.right(), area.bottom()]),
            area.width() * area.height(),
            self._limit,
        )
        if len(rows) > self._limit:
            # Too many shapes for any reader of the file.
            layer = self._layers.picture(self._request(to_scene, area, _FINE))
            painter.drawPixmap(area.topLeft(), layer)
        else:
            draw_shapes(painter, points)
            seen = rows, points.pixels
            placed = place_labels(self.labels, *seen, points.size, area)
            draw_labels(painter, placed, self._theme)

    def _paint_lit(self, painter: QPainter, row: int, to_scene: QTransform) -> None:
        plane, depth = self._projection.project(self._places[[row]])
        radius = 0.8 * self.point_size
        state = self._state()
        levels = state.levels(np.array([row]), depth)
        if levels is not None:
            radius *= float(state.steps.scales[levels[0]])
        at = to_scene.map(QPointF(*plane[0]))
        draw_lit(painter, at, self.palette, self._columns[row], radius, self._theme)

    # Overrides of pyqtgraph and Qt

    def dataBounds(
        self, axis: int, frac: float = 1.0, orthoRange: object = None
    ) -> tuple[float, float] | tuple[None, None]:
        values = self._projection.project(self._places[self.shown])[0][:, axis]
        return (values.min(), values.max()) if values.size else (None, None)

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def boundingRect(self) -> QRectF:
        rect = self.viewRect()
        return QRectF() if rect is None else QRectF(rect)

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        to_scene = self.sceneTransform()
        from_scene, invertible = to_scene.inverted()
        box = self.getViewBox()
        if not invertible or box is None:
            return
        device = from_scene * painter.deviceTransform()
        scale = math.hypot(device.m11(), device.m12())
        area = box.mapRectToScene(box.boundingRect())
        painter.save()
        painter.setTransform(from_scene * painter.transform())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_vector(painter):
            self._paint_vector(painter, to_scene, area)
        else:
            request = self._request(to_scene, area, scale)
            # Without a widget this is for a file, which does not wait.
            self._layers.draw(painter, request, at_once=widget is None)
            seen = self._layers.seen(request)
            self._label_layer.draw(
                painter, self.labels, request, seen, self.point_size, self._theme
            )
        if self._markers:
            placed = [(to_scene.map(at), marker) for at, marker in self._markers]
            painter.save()
            draw_markers(painter, placed, self._theme, area)
            painter.restore()
        for row in self.lit:
            painter.save()
            self._paint_lit(painter, row, to_scene)
            painter.restore()
        painter.restore()


def _same(one: NDArray[Any] | float | None, other: NDArray[Any] | float | None) -> bool:
    """Return whether nothing would change: the layer of points can then be kept."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one is other or bool(one.dtype == other.dtype and (one == other).all())
    arrays = isinstance(one, np.ndarray) or isinstance(other, np.ndarray)
    return not arrays and one == other
