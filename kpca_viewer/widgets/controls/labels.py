"""Labels for text that may not fit: captions below plots, and one cut line."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from kpca_viewer.widgets.controls.behaviour import plain_tip


def plain_label(
    name: str, role: str = "", title: str = "", *, selectable: bool = False
) -> QLabel:
    """Return a label for sentences that wrap, none of which is taken for markup."""
    label = QLabel()
    label.setObjectName(name)
    label.setAccessibleName(title)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


class ElidedLabel(QLabel):
    """Shows as much as there is room for, and the rest in a tooltip.

    ``text()`` stays the full text. Nothing in it is taken for markup.
    """

    def __init__(
        self, text: str = "", cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__()
        self._about = ""
        self._cut = cut
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        words = " ".join(text.split())
        if words != self.text():
            self.setText(words)
            self.setAccessibleName(words)
            self._update_tooltip()

    def set_about(self, text: str) -> None:
        """Explain the words in the tooltip, whether or not they are all shown."""
        if text != self._about:
            self._about = text
            self._update_tooltip()

    def shown_text(self) -> str:
        return self.fontMetrics().elidedText(
            self.text(), self._cut, self.contentsRect().width()
        )

    def _update_tooltip(self) -> None:
        full = self.text()
        tips = [full] if self.shown_text() != full else []
        tip = "\n".join([*tips, self._about] if self._about else tips)
        self.setToolTip(plain_tip(tip))

    def sizeHint(self) -> QSize:
        # Qt would hint at no less than a minimum that was set, perhaps for larger type.
        metrics = self.fontMetrics()
        text = min(metrics.size(0, self.text()).width(), 24 * metrics.height())
        around = self.width() - self.contentsRect().width()
        return QSize(text + around, self._line_height())

    def minimumSizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance("mmm…")
        return QSize(min(width, self.sizeHint().width()), self._line_height())

    def _line_height(self) -> int:
        """Return the height of one line; without words it is that of any."""
        # Qt gives an empty label the line spacing, which a line of words may exceed.
        around = self.height() - self.contentsRect().height()
        return max(super().sizeHint().height(), one_line(self.fontMetrics()) + around)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._update_tooltip()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(
                self.contentsRect(),
                int(self.alignment() | Qt.AlignmentFlag.AlignVCenter),
                self.shown_text(),
            )


def one_line(metrics: QFontMetrics) -> int:
    """Return the height of a line of words, in pixels."""
    # With the symbols that may come from another font, which has higher lines.
    return metrics.boundingRect(0, 0, 999, 99, 0, "xγμλΣ√₁²ᵀ·−×⁻").height()


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
        self.tip = ""
        self._most_lines = 0
        self.least = 0
        """Pixels in height that it keeps while more words follow."""

    def fit(self, height: int) -> None:
        """Take as much room as a panel of this height can spare."""
        line = self.fontMetrics().height()
        low = height < LOW * line
        # One line in a panel of the lowest height, and one more for each that it has.
        self._most_lines = max(1, height // line - LOWEST + 1) if low else 0
        self.setVisible(bool(self.text()) and height >= LOWEST * line)
        # At least a line of any words: a plot must not move when they change.
        self.setMinimumHeight(max(self.least, one_line(self.fontMetrics())))
        self.setMaximumHeight(self._most_lines * line if low else _ANY)
        self._show_tip()

    def shown_text(self) -> str:
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
        tips = [self.text(), self.tip] if self._most_lines else [self.tip]
        self.setToolTip(plain_tip("\n".join(tip for tip in tips if tip)))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._most_lines:
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(self.contentsRect(), _WRAPPED, self.shown_text())
