"""FindField: where a name is typed to find it in a long list."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class FindField(QLineEdit):
    """One line that is emptied by Escape and handed on by the arrow keys.

    Attributes
    ----------
    left_by : Qt.Key
        Which of these keys it was.
    """

    left = Signal()
    """The person goes on to what was found: an arrow key down, or Enter."""

    def __init__(self, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(hint)
        self.setPlaceholderText(hint)
        self.setClearButtonEnabled(True)
        self.left_by = Qt.Key.Key_Return

    def sizeHint(self) -> QSize:
        """Leave room for the hint, beside margins and the button that clears."""
        usual = super().sizeHint()
        text = self.fontMetrics().horizontalAdvance(self.placeholderText())
        return usual.expandedTo(QSize(text + 2 * usual.height(), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Empty the field with Escape; leave it downwards, or with Enter."""
        key = event.key()
        if key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Accepted here: Enter would press the default button of a dialog.
            self.left_by = Qt.Key(key)
            self.left.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()


def found(text: str, names: list[str]) -> list[int]:
    """Return the places of the names that hold all words of a text, in any case."""
    words = text.casefold().split()
    if not words:
        return list(range(len(names)))
    return [
        place for place, name in enumerate(names) if all(word in name for word in words)
    ]
