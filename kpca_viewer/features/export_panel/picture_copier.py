"""PictureCopier: a picture onto the clipboard, packed beside the window."""

import atexit
from functools import partial
from typing import cast

from PySide6.QtCore import QByteArray, QMimeData, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication, QImage

from kpca_viewer.engine.runner import Task
from kpca_viewer.export.image import png_bytes


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
        """Put a picture onto the clipboard soon."""
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
