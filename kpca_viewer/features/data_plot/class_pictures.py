"""Rows that are pictures: the mean picture of every class, beside each other."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from kpca_viewer.features.data_plot import text
from kpca_viewer.features.data_plot.compute import ClassMean
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.plots.pixels import fitted, row_image
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, type_scale
from kpca_viewer.widgets.theme import theme_of

LARGEST, GAP = 64, 4
"""Sides of a picture on a line in pixels at most, and pixels between pictures."""


class ClassPictures(QWidget):
    """A line of pictures, or all of a panel; the pointer on one lifts its class."""

    classes_hovered = Signal(object)
    """A set of the code of a class, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("class_pictures")
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.means: tuple[ClassMean, ...] = ()
        self._images: list[QImage] = []
        self._fills = False
        self.hide()

    def show_means(self, means: Sequence[ClassMean]) -> None:
        """Show pictures; without any, the line is hidden."""
        self.means = tuple(means)
        self._images = [row_image(mean.shades) for mean in self.means]
        names = ", ".join(mean.name for mean in self.means)
        self.setAccessibleName(text.CLASS_MEANS.format(classes=names))
        self.setVisible(bool(self.means))
        self.updateGeometry()
        self.update()

    def set_filling(self, on: bool) -> None:
        """Take all of the room, in as many lines as make the pictures largest."""
        if on != self._fills:
            self._fills = on
            policy = QSizePolicy.Policy
            self.setSizePolicy(policy.Preferred, policy.Ignored if on else policy.Fixed)
            self.updateGeometry()
            self.update()

    def picture_at(self, place: QPointF) -> int | None:
        boxes = (self._box(index) for index in range(len(self.means)))
        found = (index for index, box in enumerate(boxes) if box.contains(place))
        return next(found, None)

    def _grid(self) -> tuple[float, int]:
        """Return the side of a picture, and how many stand on a line."""
        count, width = max(len(self.means), 1), self.width() - 2 * GAP
        if not self._fills:
            return max(min(width / count - GAP, LARGEST * type_scale()), 1.0), count
        around = self.fontMetrics().height() + 2 * GAP
        found = []
        for lines in range(1, count + 1):
            columns = math.ceil(count / lines)
            side = min(width / columns - GAP, self.height() / lines - around)
            found.append((max(side, 1.0), columns))
        return max(found)

    def _box(self, index: int) -> QRectF:
        side, columns = self._grid()
        line, column = divmod(index, columns)
        left = (self.width() - columns * (side + GAP) + GAP) / 2 if self._fills else 8
        down = side + self.fontMetrics().height() + 2 * GAP
        return QRectF(left + column * (side + GAP), GAP + line * down, side, side)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(160, round(self._grid()[0] + line + 2 * GAP))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 0 if self._fills else self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, font = theme_of(self.palette()), plot_font(pixels=11)
        with QPainter(self) as painter:
            painter.setFont(font)
            for index, mean in enumerate(self.means):
                box = self._box(index)
                where = fitted(self._images[index], box)
                painter.drawImage(where, self._images[index])
                painter.setPen(QColor(theme.outline))
                painter.drawRect(where)
                name = elided(mean.name, font, box.width())
                below = QPointF(box.center().x(), box.bottom() + 2)
                painter.setPen(QColor(theme.text))
                draw_text(painter, below, name, 0.5, 0.0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.picture_at(event.position())
        code = None if index is None else self.means[index].code
        self.classes_hovered.emit(None if code is None else frozenset({code}))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.classes_hovered.emit(None)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.picture_at(QPointF(event.pos()))
            if index is not None:
                words = text.class_mean(self.means[index])
                QToolTip.showText(event.globalPos(), plain_tip(words), self)
                return True
        return super().event(event)
