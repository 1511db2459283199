"""ExplanationArea: where the number comes from that is pointed at."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from kpca_viewer.features.derivation.explanations import Explanation
from kpca_viewer.features.derivation.view.line_text import line_text
from kpca_viewer.features.derivation.view.term_bars import TermBars
from kpca_viewer.widgets.theme import Theme

HINT = (
    "Point at a number to see where it comes from. "
    "A click keeps the explanation, Escape lets it go; Ctrl+C copies the numbers."
)
PINNED = "Kept until Escape, or a click on another number."


class ExplanationArea(QScrollArea):
    """Title, lines and terms; it stays in its place whatever it says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("derivation_explanation")
        self.setAccessibleName("Where the number comes from")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._title = line_text("derivation_explanation_title", "title")
        self._lines = line_text("derivation_explanation_text", "")
        self._note = line_text("derivation_explanation_note")
        self.bars = TermBars()
        inside = QWidget()
        inside.setObjectName("derivation_explanation_body")
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        for part in (self._title, self._lines, self.bars, self._note):
            column.addWidget(part)
        column.addStretch(1)
        self.setWidget(inside)
        see_through(self)
        self.show_explanation(None)

    def show_explanation(
        self, explanation: Explanation | None, *, pinned: bool = False
    ) -> None:
        """Say where a number comes from; None says how to ask."""
        if explanation is None:
            title, lines, note = "", "", HINT
        else:
            title, lines = explanation.title, "\n".join(explanation.lines)
            note = PINNED if pinned else ""
        for label, text in (
            (self._title, title),
            (self._lines, lines),
            (self._note, note),
        ):
            # Setting the same text again would take a selection away.
            if label.text() != text:
                label.setText(text)
            label.setVisible(bool(text))
        self.bars.show_terms(() if explanation is None else explanation.terms)

    def title(self) -> str:
        return self._title.text()

    def text(self) -> str:
        return self._lines.text()

    def note(self) -> str:
        """Return what is said about the explanation itself."""
        return self._note.text()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of now."""
        self.bars.set_theme(theme)


def see_through(area: QScrollArea) -> None:
    """Let the panel be seen behind what scrolls."""
    for part in (area.viewport(), area.widget()):
        if part is not None:
            part.setAutoFillBackground(False)
