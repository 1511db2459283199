"""Rows of the data in a small picture: where one is, and which ones are somewhere."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF

from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.widgets.plots.cloud.picking import Picker
from kpca_viewer.widgets.plots.selection import points_in_polygon
from kpca_viewer.widgets.thumbnails import Thumbnails

Array = NDArray[Any]
Mask = NDArray[np.bool_]


def pixels_of(
    thumbnails: Thumbnails, point: SweepPoint, rect: QRectF
) -> tuple[Array, Array]:
    """Return pixels (m, 2) and rows (m,) of a picture: of all data, if it has them."""
    coordinates, rows = _all_rows(point)
    frame = thumbnails.frame(point, rect)
    return frame.to_pixels(coordinates.astype(np.float64)), rows


def rows_inside(
    thumbnails: Thumbnails, point: SweepPoint, rect: QRectF, polygon: list[QPointF]
) -> Mask:
    """Return which rows (n,) a polygon of pixels holds."""
    pixels, rows = pixels_of(thumbnails, point, rect)
    corners = np.array([[p.x(), p.y()] for p in polygon])
    mask = np.zeros(point.n, dtype=bool)
    mask[rows[points_in_polygon(pixels, corners)]] = True
    return mask


def place_of_row(
    thumbnails: Thumbnails, point: SweepPoint, rect: QRectF, row: int
) -> QPointF | None:
    """Return where a row is; None if the picture does not show it."""
    coordinates, rows = _all_rows(point)
    place = int(np.searchsorted(rows, row))
    if place >= len(rows) or rows[place] != row:
        return None
    frame = thumbnails.frame(point, rect)
    x, y = frame.to_pixels(coordinates[place : place + 1].astype(np.float64))[0]
    return QPointF(float(x), float(y))


class RowFinder:
    """Finds the row nearest to a pixel, and remembers the last picture for that."""

    def __init__(self) -> None:
        self._known: tuple[SweepPoint, QRectF, Picker] | None = None

    def row_under(
        self, thumbnails: Thumbnails, point: SweepPoint, rect: QRectF, at: QPointF
    ) -> int | None:
        """Return the row at a pixel, or None where there is none near."""
        known = self._known
        if known is None or known[0] is not point or known[1] != rect:
            pixels, rows = pixels_of(thumbnails, point, rect)
            finite = np.isfinite(pixels).all(axis=1)
            known = (point, rect, Picker(rows[finite], pixels[finite], None))
            self._known = known
        return known[2].nearest(at.x(), at.y())


def _all_rows(point: SweepPoint) -> tuple[Array, Array]:
    if point.film is not None:
        return point.film[:, :2], np.arange(point.n)
    return point.thumbnail, point.rows
