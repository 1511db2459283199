"""A picture of how densely rows lie, to stand behind points."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from kpca_viewer.widgets.theme import Theme

if TYPE_CHECKING:
    from kpca_viewer.core.methods.density import Density

LEAST, MOST = 0.12, 0.95
"""Opacities of a cell with one row, and of the fullest; empty ones are clear."""


def density_image(density: "Density", theme: Theme) -> tuple[QImage, QRectF]:
    """Return a picture whose opacity grows with the cube root of the counts.

    Returns
    -------
    image : QImage
        Its first row is the top.
    rect : QRectF
        In data coordinates: smallest x and y, width and height.
    """
    share = np.cbrt(density.counts / max(density.counts.max(), 1))
    opacity = np.where(density.counts > 0, LEAST + (MOST - LEAST) * share, 0.0)
    color = QColor(theme.muted)
    cells = np.empty((*opacity.shape, 4), dtype=np.uint8)
    cells[..., :3] = color.red(), color.green(), color.blue()
    cells[..., 3] = np.rint(255 * opacity)
    upright = np.ascontiguousarray(cells[::-1])
    height, width = opacity.shape
    form = QImage.Format.Format_RGBA8888
    # A copy: the picture must not point to memory that Python takes back.
    image = QImage(upright.data, width, height, 4 * width, form).copy()
    x, y = density.x, density.y
    rect = QRectF(x[0], y[0], x[-1] - x[0], y[-1] - y[0])
    return image, rect
