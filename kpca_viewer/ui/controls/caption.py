"""Caption: the words below a plot, which take less room where the plot is low."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from kpca_viewer.ui.controls.plain_tip import plain_tip

LOW, LOWEST = 14, 12
"""Lines of type in height below which a panel has few lines of caption, or none."""

_ANY = 16_777_215
"""The largest height that Qt knows."""

_WRAPPED = int(
    Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
)


class Caption(QLabel):
    """Wrapped lines, or few of whole sentences with the rest in the tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel_caption")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "caption")
        self.setWordWrap(True)
        self.hide()
        self._tip = ""
        self._most_lines = 0

    def set_tip(self, tip: str) -> None:
        """Explain the words by a tooltip."""
        self._tip = tip
        self._show_tip()

    def fit(self, height: int) -> None:
        """Take as much room as a panel of this height can spare."""
        line = self.fontMetrics().height()
        low = height < LOW * line
        # One line in a panel of the lowest height, and one more for each that it has.
        self._most_lines = max(1, height // line - LOWEST + 1) if low else 0
        self.setVisible(bool(self.text()) and height >= LOWEST * line)
        self.setMaximumHeight(self._most_lines * line if low else _ANY)
        self._show_tip()

    def shown_text(self) -> str:
        """Return the words there is room for: whole sentences, if one fits."""
        text = self.text()
        if not self._most_lines or self._fits(text):
            return text
        kept = text
        while ". " in kept:
            kept = kept.rpartition(". ")[0]
            if self._fits(f"{kept}."):
                return f"{kept}."
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)

    def _fits(self, text: str) -> bool:
        metrics, room = self.fontMetrics(), self.contentsRect()
        room.setHeight(self._most_lines * metrics.height())
        return room.contains(metrics.boundingRect(room, _WRAPPED, text))

    def _show_tip(self) -> None:
        tips = [self.text(), self._tip] if self._most_lines else [self._tip]
        self.setToolTip(plain_tip("\n".join(tip for tip in tips if tip)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shortened text here; Qt would cut it anywhere."""
        if not self._most_lines:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), _WRAPPED, self.shown_text())
        painter.end()
