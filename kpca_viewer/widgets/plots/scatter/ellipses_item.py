"""Ellipses around points of a flat plot: how far they would move."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from kpca_viewer.widgets.plots.axes import FramedItem
from kpca_viewer.widgets.plots.cloud.point_cloud import Ints, PointCloudItem
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.selection import Mask
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font

_CORNERS = 24
_ANGLES = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_LINE, _AREA, _FAINT = 0.55, 0.06, 0.2
"""Opacities of the line around an ellipse, of what is inside, and of a faint line."""


_ROOMY = 100
"""Ellipses whose lines have all of their opacity."""

Look = tuple[int, int, int, bool]
"""Red, green, blue, and whether it is faint."""


@dataclass(frozen=True, eq=False)
class Ellipses:
    """Ellipses in data coordinates.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Whose.
    centres : ndarray of shape (m, 2)
    roots : ndarray of shape (m, 2, 2)
        Matrices that turn the unit circle into each of them.
    words : str
        What they are, in a corner.
    """

    rows: Ints
    centres: Floats
    roots: Floats
    words: str


class EllipsesItem(FramedItem):
    """Draws ellipses in the colours of a cloud, but for points that it hides."""

    def __init__(self, cloud: PointCloudItem) -> None:
        super().__init__()
        self._cloud = cloud
        self._ellipses: Ellipses | None = None
        self._drawn: tuple[object, ...] = ()
        self._paths: dict[Look, QPainterPath] = {}

    @property
    def ellipses(self) -> Ellipses | None:
        return self._ellipses

    def set_ellipses(self, ellipses: Ellipses | None) -> None:
        if ellipses is not self._ellipses:
            self._ellipses = ellipses
            self.update()

    def outlines(self) -> tuple[Ints, Floats]:
        """Return the rows whose ellipses are drawn, and their corners (r, c, 2)."""
        shown, frame = self._ellipses, self._frame
        if shown is None or frame is None or not len(shown.rows):
            return np.empty(0, np.int64), np.empty((0, _CORNERS, 2))
        if shown.rows[-1] >= len(self._cloud.shown):
            return np.empty(0, np.int64), np.empty((0, _CORNERS, 2))
        seen: Mask = self._cloud.shown[shown.rows]
        corners = shown.centres[seen, None] + _CIRCLE @ shown.roots[seen].transpose(
            0, 2, 1
        )
        pixels = frame.to_pixels(corners.reshape(-1, 2)).reshape(-1, _CORNERS, 2)
        return shown.rows[seen], pixels

    def _paths_of(self, rows: Ints, outlines: Floats) -> dict[Look, QPainterPath]:
        """Return one path for all ellipses that look alike, made once for a frame."""
        colors, faint = self._cloud.colors_of(rows), self._cloud.faint
        pale = np.zeros(len(rows), dtype=bool) if faint is None else faint[rows]
        drawn = (
            self._ellipses,
            self._frame,
            *(array.tobytes() for array in (rows, colors, pale)),
        )
        if drawn != self._drawn:
            self._drawn, self._paths = drawn, {}
            for rgb, is_pale, corners in zip(
                colors.tolist(), pale.tolist(), outlines.tolist(), strict=True
            ):
                path = self._paths.setdefault((*rgb, is_pale), QPainterPath())
                path.setFillRule(Qt.FillRule.WindingFill)
                path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
                path.closeSubpath()
        return self._paths

    def boundingRect(self) -> QRectF:
        frame = self._frame
        if frame is None:
            return QRectF()
        return QRectF(frame.left, frame.top, frame.width, frame.height)

    def paint(self, painter: QPainter, *args: object) -> None:
        shown, room = self._ellipses, self.boundingRect()
        rows, outlines = self.outlines()
        if shown is None or not len(rows):
            return
        painter.save()
        painter.setClipRect(room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Where there are many, lines must not become an area.
        light = min(1.0, (_ROOMY / len(rows)) ** 0.5)
        for (*rgb, is_faint), path in self._paths_of(rows, outlines).items():
            color = QColor(*rgb)
            color.setAlphaF(light * (_FAINT if is_faint else _LINE))
            painter.setPen(QPen(color, 1.0))
            # Many large ones would cover everything.
            color.setAlphaF(0.0 if is_faint else _AREA)
            painter.setBrush(color)
            painter.drawPath(path)
        painter.setFont(plot_font(pixels=11))
        painter.setPen(QColor(self._theme.muted))
        text = elided(shown.words, painter.font(), room.width() - 12)
        corner = QPointF(room.left() + 6, room.bottom() - 4)
        draw_text(painter, corner, text, 0.0, 1.0, ground=self._theme.card)
        painter.restore()
