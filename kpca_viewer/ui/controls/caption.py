"""Caption: the words below a plot, which take less room where the plot is low."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from kpca_viewer.ui.plain_tip import plain_tip

LOW, LOWEST = 14, 12
"""Lines of type in height below which a panel has one line of caption, or none."""

_ANY = 16_777_215
"""The largest height that Qt knows."""


class Caption(QLabel):
    """Wrapped lines, or one line of whole sentences with the rest in the tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel_caption")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "caption")
        self.setWordWrap(True)
        self.hide()
        self._tip = ""
        self._one_line = False

    def set_tip(self, tip: str) -> None:
        """Explain the words by a tooltip."""
        self._tip = tip
        self._show_tip()

    def fit(self, height: int) -> None:
        """Take as much room as a panel of this height can spare."""
        line = self.fontMetrics().height()
        self._one_line = height < LOW * line
        self.setVisible(bool(self.text()) and height >= LOWEST * line)
        self.setMaximumHeight(line if self._one_line else _ANY)
        self._show_tip()

    def shown_text(self) -> str:
        """Return the words there is room for: whole sentences, if one fits."""
        text, metrics = self.text(), self.fontMetrics()
        width = self.contentsRect().width()
        if not self._one_line or metrics.horizontalAdvance(text) <= width:
            return text
        kept = text
        while ". " in kept:
            kept = kept.rpartition(". ")[0]
            if metrics.horizontalAdvance(f"{kept}.") <= width:
                return f"{kept}."
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def _show_tip(self) -> None:
        tips = [self.text(), self._tip] if self._one_line else [self._tip]
        self.setToolTip(plain_tip("\n".join(tip for tip in tips if tip)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw one line by hand; Qt would cut it anywhere."""
        if not self._one_line:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        top = int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(self.contentsRect(), top, self.shown_text())
        painter.end()
