"""A row as a picture: of pixels that stay pixels, with a line below."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.widgets.controls.plain_tip import plain_tip
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.theme import theme_of

SIDE = 96
"""Pixels that a picture takes at least, in its longer direction."""


class RowPicture(QWidget):
    """One picture with its name below it."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.image: QImage | None = None
        self.title = ""
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)

    def show_row(self, image: QImage | None, title: str) -> None:
        """Show another picture; None leaves its place empty."""
        self.image, self.title = image, title
        self.setToolTip(plain_tip(title))
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for a square and a line."""
        return QSize(SIDE, SIDE + self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        """Return room for a small square and a line."""
        return QSize(56, 56 + self.fontMetrics().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the picture as large as there is room for."""
        theme = theme_of(self.palette())
        with QPainter(self) as painter:
            line = self.fontMetrics().height() + 2
            room = QRectF(self.rect()).adjusted(1, 1, -1, -1 - line)
            bottom = room.bottom()
            if self.image is not None and room.height() > 4:
                where = fitted(self.image, room)
                where.moveTop(room.top())
                painter.drawImage(where, self.image)
                painter.setPen(QColor(theme.border))
                painter.drawRect(where)
                bottom = where.bottom()
            painter.setPen(QColor(theme.muted))
            below = QRectF(0, bottom + 1, self.width(), line)
            text = self.fontMetrics().elidedText(
                self.title, Qt.TextElideMode.ElideMiddle, self.width()
            )
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, text)
