"""FittingCombo: a combo box that never cuts the text it shows."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QComboBox

ARROW = 44
"""Pixels of a combo box beside its text."""


class FittingCombo(QComboBox):
    """As wide as its widest line where there is room, else as the chosen one."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.currentTextChanged.connect(self.updateGeometry)

    def setCurrentIndex(self, index: int) -> None:
        """Choose a line; its width counts even where signals are blocked."""
        super().setCurrentIndex(index)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return room for the line that is chosen."""
        hint = super().minimumSizeHint()
        return QSize(min(text_room(self), hint.width()), hint.height())


def text_room(combo: QComboBox) -> int:
    """Return the width at which a combo box shows its text in full."""
    return combo.fontMetrics().horizontalAdvance(combo.currentText()) + ARROW
