"""A row as a picture: of pixels that stay pixels, with a line below."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.ui.look.theme import theme_of

Array = NDArray[Any]

SIDE = 96
"""Pixels that a picture takes at least, in its longer direction."""


def row_image(shades: Array) -> QImage:
    """Return shades (height, width) from 0 to 255 as a grey picture of its own."""
    shades = np.ascontiguousarray(shades, dtype=np.uint8)
    height, width = shades.shape
    image = QImage(
        shades.tobytes(), width, height, width, QImage.Format.Format_Grayscale8
    )
    # The bytes are gone with this function.
    return image.copy()


def fitted(image: QImage, room: QRectF) -> QRectF:
    """Return where a picture lies in a room: as large as can be, in the middle."""
    scale = min(room.width() / image.width(), room.height() / image.height())
    width, height = image.width() * scale, image.height() * scale
    left = room.left() + (room.width() - width) / 2
    return QRectF(left, room.top() + (room.height() - height) / 2, width, height)


class RowPicture(QWidget):
    """One picture with its name below it."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.image: QImage | None = None
        self.title = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    def show_row(self, image: QImage | None, title: str) -> None:
        """Show another picture; None leaves its place empty."""
        self.image, self.title = image, title
        self.setToolTip(title)
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for a square and a line."""
        return QSize(SIDE + 24, SIDE + self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        """Return room for a small square and a line."""
        return QSize(56, 56 + self.fontMetrics().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the picture as large as there is room for."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        line = self.fontMetrics().height() + 2
        room = QRectF(self.rect()).adjusted(1, 1, -1, -1 - line)
        if self.image is not None and room.height() > 4:
            where = fitted(self.image, room)
            painter.drawImage(where, self.image)
            painter.setPen(QColor(theme.border))
            painter.drawRect(where)
        painter.setPen(QColor(theme.muted))
        below = self.rect().adjusted(0, self.height() - line, 0, 0)
        text = self.fontMetrics().elidedText(
            self.title, Qt.TextElideMode.ElideRight, below.width()
        )
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()
