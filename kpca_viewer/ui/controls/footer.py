"""Footer: the last line of a dialog, with its message beside its buttons."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kpca_viewer.ui.controls.message_bar import MessageBar

LINES = 2
"""Lines of a message for which there is always room, so that nothing jumps."""


class Footer(QWidget):
    """Buttons on the right and, where the eye is then, what came of pressing them."""

    def __init__(
        self, *buttons: QPushButton | QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.message_bar = MessageBar()
        self.message_bar.setProperty("place", "footer")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.message_bar, 1)
        # The buttons stay on the right while there is nothing to say.
        layout.addStretch(0)
        for button in buttons:
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setMinimumHeight(LINES * self.fontMetrics().lineSpacing() + 16)
