"""The preview: the picture as it will be, on a background around it."""

import atexit
from functools import partial
from typing import cast

from PySide6.QtCore import (
    QByteArray,
    QMimeData,
    QObject,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QGuiApplication,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.engine.runner import Task
from kpca_viewer.export.image import png_bytes
from kpca_viewer.widgets.theme import theme_of

MARGIN = 16
_TILE = 8


class ExportPreview(QWidget):
    """Shows a picture, fitted; squares shine through where it is transparent."""

    room_changed = Signal()
    """There is more or less room; a sharp picture has another number of pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("export_preview")
        self.setAccessibleName("Preview of the picture")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._image = QImage()

    def set_image(self, image: QImage) -> None:
        self._image = image
        self.update()

    def image(self) -> QImage:
        return self._image

    def room(self) -> QSizeF:
        """Return the room for a picture, in device pixels."""
        ratio = self.devicePixelRatioF()
        return QSizeF(
            max(self.width() - 2 * MARGIN, 32) * ratio,
            max(self.height() - 2 * MARGIN, 32) * ratio,
        )

    def _place(self) -> QRectF:
        size = QSizeF(self._image.size())
        room = self.room()
        size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        size /= self.devicePixelRatioF()
        return QRectF(
            round((self.width() - size.width()) / 2),
            round((self.height() - size.height()) / 2),
            round(size.width()),
            round(size.height()),
        )

    def sizeHint(self) -> QSize:
        return QSize(520, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 200)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.room_changed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
            if not self._image.isNull():
                place = self._place()
                if self._image.hasAlphaChannel():
                    painter.fillRect(place, _checkered(theme.card, theme.border))
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(place, self._image)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(theme.outline), 1))
                painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))


def _checkered(first: str, second: str) -> QBrush:
    tile = QPixmap(2 * _TILE, 2 * _TILE)
    tile.fill(QColor(first))
    with QPainter(tile) as painter:
        painter.fillRect(0, 0, _TILE, _TILE, QColor(second))
        painter.fillRect(_TILE, _TILE, _TILE, _TILE, QColor(second))
    return QBrush(tile)


class PictureCopier(QObject):
    """Packs a picture and puts it onto the clipboard; the latest one counts.

    Packed already, it costs no time when another program asks for it.
    """

    ended = Signal(object)
    """The error, or None if the picture is on the clipboard."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._image = QImage()
        self._task: Task | None = None

    @property
    def busy(self) -> bool:
        return self._task is not None

    def copy(self, image: QImage) -> None:
        self._image = image
        self._task = Task(partial(png_bytes, image))
        self._task.ended.connect(self._on_packed)
        self._task.begin()

    def forget(self) -> None:
        """Leave the clipboard alone: something else was put there."""
        self._image, self._task = QImage(), None

    @Slot(object)
    def _on_packed(self, error: Exception | None) -> None:
        task = self._task
        if task is None or self.sender() is not task:
            return
        if error is None:
            content = QMimeData()
            content.setImageData(self._image)
            content.setData("image/png", QByteArray(cast("bytes", task.result)))
            QGuiApplication.clipboard().setMimeData(content)
            atexit.unregister(_leave_picture)
            atexit.register(_leave_picture, content)
        self.forget()
        self.ended.emit(error)


def _leave_picture(content: QMimeData) -> None:
    """Make a picture that is still on the clipboard one that Qt holds alone.

    Content made in Python ends a process with a crash: Qt deletes it when there is no
    Python any more.
    """
    if QGuiApplication.instance() is not None:
        clipboard = QGuiApplication.clipboard()
        if clipboard.mimeData() is content:
            clipboard.setImage(clipboard.image())
