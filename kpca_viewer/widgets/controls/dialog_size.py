"""Dialogs that grow with the size of the type, as far as the screen lets them."""

from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QWidget

USUAL = 13
"""Pixels of the type for which sizes are chosen."""

MARGIN = 64
"""Pixels of the screen that stay free around a dialog."""


def type_factor(widget: QWidget) -> float:
    """Return how much larger than usual the type of a widget is, at least 1."""
    return max(1.0, QFontInfo(widget.font()).pixelSize() / USUAL)


def resize_for_type(dialog: QWidget, width: int, height: int) -> None:
    """Give a dialog a size that was chosen for the usual type."""
    factor, screen = type_factor(dialog), dialog.screen().availableSize()
    dialog.resize(
        max(width, min(round(width * factor), screen.width() - MARGIN)),
        max(height, min(round(height * factor), screen.height() - MARGIN)),
    )
