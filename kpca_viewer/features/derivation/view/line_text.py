"""Labels for the sentences of the derivation."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def line_text(name: str, role: str = "caption") -> QLabel:
    """Return a label for plain sentences that wrap and can be selected."""
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def show_text(label: QLabel, text: str) -> None:
    """Show a sentence, or hide the label; the same text keeps its selection."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))
