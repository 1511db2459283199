"""Rows as pictures, and below each the same row after something was done to it."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.theme import Theme, theme_of

MOST = 10
"""Pairs that are shown."""


class PicturePairs(QWidget):
    """Two lines of pictures, with the names of the lines before them."""

    def __init__(self, name: str, titles: tuple[str, str]) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(" and ".join(titles))
        self._titles = titles
        self.pairs: Sequence[tuple[QImage, QImage]] = ()
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)

    def show_pairs(self, pairs: Sequence[tuple[QImage, QImage]]) -> None:
        self.pairs = pairs
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 72)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.draw(painter, QRectF(self.rect()), theme_of(self.palette()))

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw as many pairs as are there into a rectangle."""
        if not self.pairs:
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        metrics = painter.fontMetrics()
        aside = max(map(metrics.horizontalAdvance, self._titles)) + 8
        width = (rect.width() - aside) / len(self.pairs)
        height = rect.height() / 2
        for line, title in enumerate(self._titles):
            top = rect.top() + line * height
            painter.setPen(QColor(theme.muted))
            where = QRectF(rect.left(), top, aside, height)
            painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, title)
            for index, pair in enumerate(self.pairs):
                left = rect.left() + aside + index * width
                room = QRectF(left, top, width, height)
                picture = fitted(pair[line], room.adjusted(2, 2, -2, -2))
                painter.drawImage(picture, pair[line])
                painter.setPen(QColor(theme.border))
                painter.drawRect(picture)
