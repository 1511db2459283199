"""MessageBar: what went wrong or what is worth knowing, in one place, never modal."""

import re
from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from kpca_viewer.engine.messages import Message, Severity
from kpca_viewer.widgets.controls.buttons import IconButton
from kpca_viewer.widgets.icons import pixmap
from kpca_viewer.widgets.theme import theme_of

Action = tuple[str, Callable[[], object]]

_LONG_WORD = re.compile(r"\S{24,}")
_BREAK = "\u200b"


class MessageText(QLabel):
    """Wrapped words; where there is room for one line only, its beginning."""

    @property
    def is_cut(self) -> bool:
        return self.heightForWidth(self.width()) > self.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_cut:
            super().paintEvent(event)
            return
        metrics, room = self.fontMetrics(), self.contentsRect()
        words = self.text().replace(_BREAK, "")
        line = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), line)


class MessageBar(QFrame):
    """One message with its severity, what can be done about it, and a way to close it.

    Hidden while there is nothing to say. The text is plain and wraps. Where the bar has
    one line only, a click shows all of it, and another one that line again.
    """

    dismissed = Signal(str)
    """The person closed the message with this text."""
    next_requested = Signal()
    """The person wants to read one of those that wait."""

    def __init__(
        self, parent: QWidget | None = None, *, one_line: bool = False
    ) -> None:
        super().__init__(parent)
        self.setObjectName("message_bar")
        self.setAccessibleName("Message")
        self._one_line = one_line
        self._is_open = False
        self._text = ""
        self._severity: Severity = "info"
        self._buttons: list[QPushButton] = []
        self._icon = QLabel()
        self._icon.setObjectName("message_icon")
        self._icon.setFixedSize(QSize(20, 20))
        self._label = MessageText()
        self._label.setObjectName("message_text")
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        if not one_line:
            self._label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
            )
        self._label.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum
        )
        self._next = QPushButton()
        self._next.setObjectName("message_next")
        self._next.setAccessibleName("Show the next message")
        self._next.setProperty("role", "link")
        self._next.setAutoDefault(False)
        self._next.clicked.connect(self.next_requested)
        self._next.hide()
        self._close = IconButton("close", "Close the message", 16)
        self._close.setObjectName("message_close")
        self._close.clicked.connect(self._on_close_clicked)
        self._layout = QHBoxLayout(self)
        around = 0 if one_line else 4
        self._layout.setContentsMargins(8, around, 4, around)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._icon)
        self._layout.addWidget(self._label, 1)
        self._layout.addWidget(self._next, 0, Qt.AlignmentFlag.AlignVCenter)
        self._layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.hide()

    def show_declared(self, message: Message, *answers: Callable[[], object]) -> None:
        """Show a message with what its buttons do, instead of what was there."""
        self.show_message(message.kind, message.text, message.buttons(answers))

    def show_message(
        self, severity: Severity, text: str, actions: Sequence[Action] = ()
    ) -> None:
        """Replace whatever was shown; an empty text clears the bar.

        An action is (label, callback): its button clears the bar and then calls back.
        """
        self.clear()
        if not text:
            return
        self._is_open = False
        self._text, self._severity = text, severity
        self._label.setText(_LONG_WORD.sub(_breakable, text))
        self._label.setAccessibleName(text)
        self.setAccessibleDescription(f"{severity}: {text}")
        self._buttons = [self._make_button(*action) for action in actions]
        for offset, button in enumerate(self._buttons):
            self._layout.insertWidget(
                2 + offset, button, 0, Qt.AlignmentFlag.AlignVCenter
            )
        self.setProperty("severity", severity)
        # A property that the style sheet asks for is only read again on request.
        self.style().unpolish(self)
        self.style().polish(self)
        self._refresh()
        self.show()

    def set_waiting(self, texts: Sequence[str]) -> None:
        """Show how many other messages there are; the first one is in the tooltip."""
        count = len(texts)
        self._next.setText(f"{count} more")
        # Plain, whatever names a message holds.
        self._next.setToolTip(f"<qt>Next: {escape(texts[0])}</qt>" if texts else "")
        self._next.setVisible(count > 0)

    def clear(self) -> None:
        self.hide()
        self._next.hide()
        self._text = ""
        self._label.clear()
        for button in self._buttons:
            self._layout.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = []

    def text(self) -> str:
        """Return the message as it was given; empty while hidden."""
        return self._text

    def severity(self) -> Severity:
        return self._severity

    def _make_button(self, label: str, callback: Callable[[], object]) -> QPushButton:
        button = QPushButton(label.replace("&", "&&"))
        button.setObjectName("message_action")
        button.setAccessibleName(label)
        button.setProperty("role", "link")
        button.setAutoDefault(False)

        def act() -> None:
            self.clear()
            callback()

        button.clicked.connect(act)
        return button

    def _refresh(self) -> None:
        color = getattr(theme_of(self.palette()), self._severity)
        self._icon.setPixmap(pixmap(self._severity, color, 20, self.devicePixelRatio()))

    def _on_close_clicked(self) -> None:
        text = self._text
        self.clear()
        self.dismissed.emit(text)

    def heightForWidth(self, width: int) -> int:
        """Return the height for all words, or that of one line where it has to do."""
        if self._one_line and not self._is_open:
            return max(24, self.fontMetrics().height() + 6)
        return super().heightForWidth(width)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self._one_line and (self._is_open or self._label.is_cut):
            self._is_open = not self._is_open
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say where a click shows more."""
        super().resizeEvent(event)
        more = self._one_line and self._label.is_cut
        self._label.setToolTip("A click shows all of it." if more else "")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._text:
            self._refresh()


def _breakable(word: re.Match[str]) -> str:
    """Let a path or a column name without spaces wrap, which a label would cut."""
    text = word.group()
    return _BREAK.join(text[i : i + 12] for i in range(0, len(text), 12))


LINES = 2
"""Lines of a message for which there is always room, so that nothing jumps."""


class Footer(QWidget):
    """Buttons on the right and, where the eye is then, what came of pressing them."""

    def __init__(self, *buttons: QPushButton | QWidget) -> None:
        super().__init__()
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
