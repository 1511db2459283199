"""What lies under the points of a flat plot: a picture and the lines of equal value."""

from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QTransform

from kpca_viewer.widgets.plots.devices import is_vector
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.theme import LIGHT, Theme

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
        self._image: QImage | None = None
        self._rect = QRectF()
        self._make_bands: MakeBands | None = None
        self._bands: list[tuple[QColor, QPainterPath]] | None = None
        self._lines: list[tuple[float, QPainterPath]] = []

    @property
    def image(self) -> QImage | None:
        return self._image

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_unit(self, unit: float) -> None:
        """Say how many units of the data are one of the item."""
        self._unit = unit
        self.update()

    def set_image(
        self, image: QImage | None, rect: QRectF | None, bands: MakeBands | None = None
    ) -> None:
        """Show a picture whose first row is the top, the largest y of the rectangle.

        Parameters
        ----------
        bands : callable, optional
            Makes the shapes that are painted instead on a vector device.
        """
        self._image = image
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
        if not invertible:
            return
        to_unit = QTransform.fromScale(1 / self._unit, 1 / self._unit)
        to_scene = to_unit * self.sceneTransform()
        vector = is_vector(painter) and self._make_bands is not None
        if self._image is not None and not vector:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            # Data grow upwards, pictures downwards.
            painter.scale(1 / self._unit, -1 / self._unit)
            rect = self._rect
            target = QRectF(rect.x(), -rect.bottom(), rect.width(), rect.height())
            painter.drawImage(target, self._image)
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
            color.setAlphaF(0.9 if level == 0 else 0.55)
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
