"""LayerCache: the points as one picture, painted again only when that changes."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPixmap, QTransform

from kpca_viewer.ui.plots.cloud.drawing import DrawnPoints, draw_density, draw_sprites
from kpca_viewer.ui.plots.cloud.layer import LayerRequest, PreparedLayer, prepare
from kpca_viewer.ui.plots.cloud.layer_worker import LayerWorker
from kpca_viewer.ui.plots.cloud.picking import Picker
from kpca_viewer.ui.plots.frame import Floats
from kpca_viewer.ui.plots.sprites import SpriteAtlas

Rows = NDArray[np.intp]

AT_ONCE = 100_000
"""Up to so many points a picture is there within the time of a frame or two."""


class LayerCache(QObject):
    """Keeps the last picture; prepares one of very many points on another thread.

    Attributes
    ----------
    count : int
        Points there are now; a late picture of another number is nobody's.
    density_count : int
        Points behind the density picture last painted; 0 for single points.
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
        self._worker: LayerWorker | None = None
        self._atlas: tuple[tuple[object, ...], SpriteAtlas] | None = None

    @property
    def busy(self) -> bool:
        """Whether a picture is on its way."""
        return self._worker is not None and self._worker.busy

    def picker(self, version: int, to_scene: tuple[float, ...]) -> Picker | None:
        """Return what finds points, where it belongs to these; see `LayerRequest`."""
        shown = self._painted
        if shown is None or (shown.version, shown.to_scene) != (version, to_scene):
            return None
        return self._picker

    def seen(self, request: LayerRequest) -> tuple[Rows, Floats] | None:
        """Return the rows in a picture and their places in the scene (m, 2).

        None while it is on its way, and for the crowd of a density picture.
        """
        shown, drawn = self._painted, self._drawn
        if shown is None or drawn is None or not self._has(request):
            return None
        corner = np.array(request.area[:2])
        return drawn.rows, drawn.points.pixels / request.scale + corner

    def picture(self, request: LayerRequest) -> QPixmap:
        """Return a picture, painted now if it is not the last one."""
        if not self._has(request):
            self._paint(request, prepare(request))
        return self._layer

    def draw(self, painter: QPainter, request: LayerRequest, *, at_once: bool) -> None:
        """Paint the picture, or while a large one is prepared the one before."""
        if at_once or self.count <= AT_ONCE or self._has(request):
            painter.drawPixmap(QPointF(*request.area[:2]), self.picture(request))
            return
        if self._worker is None:
            self._worker = LayerWorker(self)
            self._worker.prepared.connect(self._on_prepared)
        self._worker.submit(request)
        before = self._painted
        if before is None or len(before.state.places) != self.count:
            return
        painter.save()
        if before.version == request.version:
            # The same points: the old picture is stretched to where they are now.
            back, invertible = QTransform(*before.to_scene).inverted()
            if invertible:
                moved = back * QTransform(*request.to_scene)
                painter.setTransform(moved * painter.transform())
        painter.setClipRect(QRectF(*before.area))
        painter.drawPixmap(QPointF(*before.area[:2]), self._layer)
        painter.restore()

    def _has(self, request: LayerRequest) -> bool:
        return self._painted is not None and self._painted.key == request.key

    def _paint(self, request: LayerRequest, prepared: PreparedLayer) -> None:
        layer = QPixmap(request.width, request.height)
        layer.fill(Qt.GlobalColor.transparent)
        painter = QPainter(layer)
        if prepared.pictures is not None:
            draw_density(painter, prepared.pictures, request.cell * request.scale)
        else:
            sprites = self._sprites(prepared.points, request.scale)
            draw_sprites(painter, prepared.points, sprites)
        painter.end()
        layer.setDevicePixelRatio(request.scale)
        dense = prepared.pictures is not None
        self.density_count = len(prepared.rows) if dense else 0
        self._drawn = None if dense else prepared
        self._layer, self._painted, self._picker = layer, request, None

    def _sprites(self, points: DrawnPoints, scale: float) -> SpriteAtlas:
        deep = points.levels is not None
        # A palette is replaced, never changed.
        key = (id(points.palette), scale, points.size, deep)
        if self._atlas is None or self._atlas[0] != key:
            atlas = SpriteAtlas(
                points.palette, points.size * scale, points.rim * scale, deep=deep
            )
            self._atlas = key, atlas
        return self._atlas[1]

    @Slot(object, object, object)
    def _on_prepared(
        self, request: LayerRequest, prepared: PreparedLayer, picker: Picker
    ) -> None:
        if len(request.state.places) == self.count:
            self._paint(request, prepared)
            self._picker = picker
            self.changed.emit()
