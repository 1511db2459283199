"""ElidedLabel: one line of plain text that shortens itself."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from kpca_viewer.ui.controls.plain_tip import plain_tip


class ElidedLabel(QLabel):
    """Shows as much as there is room for, and the rest in a tooltip.

    ``text()`` stays the full text. Nothing in it is taken for markup.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show another text, its line breaks as spaces."""
        self.setText(" ".join(text.split()))
        self.setAccessibleName(self.text())
        self._update_tooltip()

    def set_about(self, text: str) -> None:
        """Explain the words in the tooltip, whether or not they are all shown."""
        self._about = text
        self._update_tooltip()

    def shown_text(self) -> str:
        """Return what there is room for."""
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def _update_tooltip(self) -> None:
        full = self.text()
        tips = [full] if self.shown_text() != full else []
        tip = "\n".join([*tips, self._about] if self._about else tips)
        self.setToolTip(plain_tip(tip))

    def sizeHint(self) -> QSize:
        """Return room for the text, but not for any length of it."""
        # Qt would hint at no less than a minimum that was set, perhaps for larger type.
        metrics = self.fontMetrics()
        text = min(metrics.size(0, self.text()).width(), 24 * metrics.height())
        around = self.width() - self.contentsRect().width()
        return QSize(text + around, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return room for a few letters."""
        width = self.fontMetrics().horizontalAdvance("mmm…")
        return QSize(min(width, self.sizeHint().width()), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Decide whether the tooltip is needed."""
        super().resizeEvent(event)
        self._update_tooltip()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the shortened text in the colour of the style sheet."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(
            self.contentsRect(),
            int(self.alignment() | Qt.AlignmentFlag.AlignVCenter),
            self.shown_text(),
        )
        painter.end()
