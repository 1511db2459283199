"""Pictures of rows, and the devices that plots are painted on."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPaintEngine, QPainter, QPixmap, QTransform

from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.plots.frame import Floats


def row_image(shades: Array) -> QImage:
    """Return shades (height, width) from 0 to 255 as a grey picture of its own."""
    return picture_of(shades[..., None], QImage.Format.Format_Grayscale8)


def picture_of(cells: Array, form: QImage.Format) -> QImage:
    """Return cells (height, width, bytes) as a picture of its own."""
    cells = np.ascontiguousarray(cells, dtype=np.uint8)
    height, width, size = cells.shape
    # A copy, since a QImage does not keep the array alive.
    return QImage(cells.data, width, height, size * width, form).copy()


def fitted(image: QImage, room: QRectF) -> QRectF:
    """Return where a picture lies in a room: as large as can be, in the middle."""
    scale = min(room.width() / image.width(), room.height() / image.height())
    width, height = image.width() * scale, image.height() * scale
    left = room.left() + (room.width() - width) / 2
    return QRectF(left, room.top() + (room.height() - height) / 2, width, height)


def thumbnail(shades: Array, side: int, ratio: float = 1.0) -> QPixmap:
    """Return shades (height, width) as a picture in a square of logical pixels."""
    image = row_image(shades)
    room = round(side * ratio)
    scaled = image.scaled(
        room,
        room,
        Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.FastTransformation
        if max(image.width(), image.height()) <= room
        else Qt.TransformationMode.SmoothTransformation,
    )
    result = QPixmap.fromImage(scaled)
    result.setDevicePixelRatio(ratio)
    return result


def affine(transform: QTransform) -> Floats:
    """Return a transform as (3, 2): the linear part and the shift of row vectors."""
    return np.array(
        [
            [transform.m11(), transform.m12()],
            [transform.m21(), transform.m22()],
            [transform.dx(), transform.dy()],
        ]
    )


def numbers(transform: QTransform) -> tuple[float, ...]:
    """Return the six numbers of `affine`, row by row."""
    return tuple(affine(transform).ravel().tolist())


_VECTOR_ENGINES = (
    QPaintEngine.Type.SVG,
    QPaintEngine.Type.Pdf,
    QPaintEngine.Type.Picture,
)


def is_vector(painter: QPainter) -> bool:
    """Whether what is painted can be enlarged without becoming coarse."""
    return painter.paintEngine().type() in _VECTOR_ENGINES
