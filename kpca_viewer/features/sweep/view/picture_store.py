"""PictureStore: pictures of a sweep, drawn again only for another size."""

from typing import Any

from numpy.typing import NDArray
from PySide6.QtCore import QSize
from PySide6.QtGui import QPixmap

from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails

Array = NDArray[Any]


class PictureStore:
    """Draws the points of a sweep and keeps the last picture of each.

    Attributes
    ----------
    thumbnails : Thumbnails
        Which draw them, and know where a row is.
    """

    def __init__(self) -> None:
        self.thumbnails = Thumbnails()
        self._theme = LIGHT
        self._shades = Shades()
        self._selected: Array | None = None
        self._known: dict[int, tuple[SweepPoint, QSize, QPixmap]] = {}

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._renew()

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows; the same change nothing."""
        if not shades.is_like(self._shades):
            self._shades = shades
            self._renew()

    def set_selected(self, mask: Array | None) -> None:
        """Fade all rows but these (n,)."""
        self._selected = mask
        self.forget()

    def forget(self) -> None:
        self._known.clear()

    def pixmap(self, point: SweepPoint, size: QSize, ratio: float) -> QPixmap:
        """Return the picture of a point in logical pixels, for a screen's ratio."""
        known = self._known.get(point.index)
        pixels = size * ratio
        # A point of another orientation is another object.
        if known is not None and known[0] is point and known[1] == pixels:
            return known[2]
        image = self.thumbnails.image(point, size, ratio, selected=self._selected)
        pixmap = QPixmap.fromImage(image)
        self._known[point.index] = (point, pixels, pixmap)
        return pixmap

    def _renew(self) -> None:
        self.thumbnails = Thumbnails(self._theme, self._shades)
        self.forget()
