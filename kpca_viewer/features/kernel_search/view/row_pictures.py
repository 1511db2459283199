"""RowPictures: what kernels of a choice look like, as far as that is drawn."""

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter

from kpca_viewer.core.methods.kernel_ranking import Line, Row, Values
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.kernel_search.note import kernel_of
from kpca_viewer.features.sweep.view.picture_store import PictureStore
from kpca_viewer.features.sweep.view.thumbnails import Shades, draw_failure
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

SIDES = QSize(84, 58)
"""Of a picture, in pixels at the usual size of type."""

LARGEST = 1.4
"""Times as large beside large type: numbers need the room more."""


def picture_size() -> QSize:
    """Return the size of a picture beside the type of now."""
    return SIDES * min(type_scale(), LARGEST)


class RowPictures:
    """Keeps a picture for every kernel with its values."""

    def __init__(self) -> None:
        self._theme = LIGHT
        self._store = PictureStore()
        self._known: dict[tuple[str, Values], SweepPoint] = {}
        self._latest: dict[Line, SweepPoint] = {}

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._store.set_theme(theme)

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows of the data."""
        self._store.set_shades(shades)

    def of(self, row: Row) -> SweepPoint | None:
        """Return the picture of a row, if it is there."""
        return self._known.get(kernel_of(row))

    def add(self, point: SweepPoint, rows: Iterable[Row]) -> list[int]:
        """Keep a picture; returns the places of those rows that it is one of."""
        kernel = point.settings.kernel.family, point.settings.kernel.values
        # Places of the store belong to kernels, whatever order was asked for.
        known = self._known.get(kernel)
        index = len(self._known) if known is None else known.index
        self._known[kernel] = point = replace(point, index=index)
        places = []
        for place, row in enumerate(rows):
            if kernel_of(row) == kernel:
                self._latest[row.line] = point
                places.append(place)
        return places

    def forget(self) -> None:
        """Drop all pictures: the data are others."""
        self._known.clear()
        self._latest.clear()
        self._store.forget()

    def paint(self, painter: QPainter, room: QRectF, row: Row, ratio: float) -> None:
        """Paint the picture of a row into the middle of a cell."""
        # Until the picture of another value is there, that of the value before stays.
        point = self.of(row) or self._latest.get(row.line)
        size = picture_size()
        box = QRectF(0, 0, size.width(), size.height())
        box.moveCenter(room.center())
        painter.fillRect(box, QColor(self._theme.card))
        if point is None:
            return
        if point.error:
            draw_failure(painter, box, self._theme)
        else:
            painter.drawPixmap(box.topLeft(), self._store.pixmap(point, size, ratio))
