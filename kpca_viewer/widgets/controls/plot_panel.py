"""PlotPanel: the frame around a plot."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from kpca_viewer.widgets.controls.dimming import DIM
from kpca_viewer.widgets.controls.labels import Caption, ElidedLabel
from kpca_viewer.widgets.controls.panel_header import PanelHeader
from kpca_viewer.widgets.controls.plain_tip import plain_tip
from kpca_viewer.widgets.theme import Theme, theme_of

WORDS_ROOM = (22, 14, -22, -14)
"""What the words in a picture leave free on each side."""

WORDS_FLAGS = (
    Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
)


class _Veil(QWidget):
    """A sheet of the card's colour over a picture that is no longer true."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("panel_veil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.words = ""
        self.hide()

    def set_words(self, words: str) -> None:
        """Say in the picture what it still shows; no words, and it is only dimmed."""
        if words != self.words:
            self.words = words
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        color = QColor(theme.card)
        color.setAlphaF(DIM)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), color)
            if self.words:
                self._draw_words(painter, theme)

    def _draw_words(self, painter: QPainter, theme: Theme) -> None:
        """Write on a card of their own, which covers what is below."""
        room = self.rect().adjusted(*WORDS_ROOM)
        box = painter.boundingRect(room, WORDS_FLAGS, self.words)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.border))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(box.adjusted(-10, -5, 10, 5), 6, 6)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, WORDS_FLAGS, self.words)


class PlotPanel(QFrame):
    """A title, room for small controls, the plot, and a line below it.

    Parameters
    ----------
    title : str
        Plain; shortened where there is no room, with the full text in a tooltip.
    """

    maximise_requested = Signal()
    """The title was double-clicked."""

    def __init__(
        self,
        title: str = "",
        body: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._body: QWidget | None = None
        self._dimmed = False
        self._about = ""
        self._printed_caption = ""
        self._header = PanelHeader()
        self._header.double_clicked.connect(self.maximise_requested)
        self._strip = ElidedLabel()
        self._strip.setObjectName("panel_strip")
        self._strip.setProperty("role", "warning")
        self._strip.setContentsMargins(12, 0, 12, 2)
        self._strip.hide()
        self._caption = Caption()
        # Margins of the label itself would be lost when a style sheet is set anew;
        # those of a layout stay, and go where there is nothing to show.
        below = QVBoxLayout()
        below.setContentsMargins(12, 2, 12, 6)
        below.addWidget(self._caption)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.setSpacing(0)
        self._layout.addWidget(self._header)
        self._layout.addWidget(self._strip)
        self._layout.addLayout(below)
        self._veil = _Veil(self)
        self.set_title(title)
        if body is not None:
            self.set_body(body)

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._header.title.set_text(title)
        self._header.refit()
        self.setAccessibleName(self._header.title.text())
        self._show_tip()

    def set_about(self, text: str) -> None:
        """Explain in the tooltip of the title what the plot shows; plain text."""
        self._about = text
        self._show_tip()

    def _show_tip(self) -> None:
        # The title may have given way to tools.
        plain = plain_tip(self.title())
        lines = [plain, self._about, "Double-click to maximise"]
        self._header.setToolTip("\n".join(line for line in lines if line))

    def title(self) -> str:
        return self._header.title.text()

    def set_note(self, text: str) -> None:
        """Say beside the title what is shown for a moment; no text takes it away."""
        # A film says the same thirty times a second.
        if text != self.note():
            self._header.note.set_text(text)
            self._header.set_wanted(self._header.note, bool(text))

    def note(self) -> str:
        return self._header.note.text()

    def set_strip(self, text: str, tip: str = "") -> None:
        """Warn above the plot for as long as it is true; no text takes it away."""
        if text != self._strip.text():
            self._strip.set_text(text)
            self._strip.setVisible(bool(text))
        self._strip.set_about(tip)

    def strip(self) -> str:
        """Return what the plot is not to be taken for."""
        return self._strip.text()

    def set_body(self, body: QWidget) -> None:
        """Put the plot in; the one before is removed, not destroyed."""
        if self._body is not None:
            self._body.removeEventFilter(self)
            self._layout.removeWidget(self._body)
            self._body.setParent(None)
        self._body = body
        self._layout.insertWidget(2, body, 1)
        body.installEventFilter(self)
        self._place_veil()

    def body(self) -> QWidget | None:
        return self._body

    def add_tool(self, widget: QWidget, importance: int = 0) -> None:
        """Put a small control at the right end of the title.

        Where room is short, the title of the plot is more important than a tool that
        is not essential (0): that one is found in a menu then.
        """
        self._header.add_tool(widget, importance)

    def set_tool_wanted(self, widget: QWidget, wanted: bool) -> None:
        """Show a tool where there is room for it, or not at all."""
        self._header.set_wanted(widget, wanted)

    def set_title_optional(self) -> None:
        """Hide the title where room is short: the tools say the same."""
        self._header.set_importance(self._header.title, 9)

    def set_caption(
        self, text: str, *, tip: str = "", gesture: str = "", more_follows: bool = False
    ) -> None:
        """Show a line below the plot, explained by a tip; no text takes it away.

        What can be done there by mouse is said behind it, but not on paper.
        Where more follows in a moment, the line keeps its height: a plot that shrinks
        and grows with every step of a slider would flicker.
        """
        kept = self._caption.height() if more_follows and self._caption.text() else 0
        self._caption.setMinimumHeight(kept)
        self._printed_caption = text
        whole = f"{text} {gesture}".strip()
        if whole != self._caption.text():
            self._caption.setText(whole)
        self._caption.set_tip(tip)
        self._caption.fit(self.height())

    def caption(self) -> str:
        return self._caption.text()

    def printed_caption(self) -> str:
        """Return the part of it that is of use on paper."""
        return self._printed_caption

    def set_dimmed(self, dimmed: bool) -> None:
        """Show that the picture is stale; it can still be used."""
        self._dimmed = dimmed
        self.set_caption_dimmed(dimmed)
        if not dimmed:
            self.set_stale_words("")
        self._veil.setVisible(dimmed and self._body is not None)
        self._place_veil()

    def set_stale_words(self, words: str) -> None:
        """Say in a dimmed picture what it still shows, until it is fresh again."""
        self._veil.set_words(words)
        self.setAccessibleDescription(words)

    def stale_words(self) -> str:
        """Return what is said in a dimmed picture."""
        return self._veil.words

    def set_caption_dimmed(self, dimmed: bool) -> None:
        """Show that the line below the plot is stale."""
        self._caption.setEnabled(not dimmed)

    def is_dimmed(self) -> bool:
        return self._dimmed

    def _place_veil(self) -> None:
        if self._body is not None:
            self._veil.setGeometry(self._body.geometry())
            self._veil.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give a caption the room that there is for it."""
        super().resizeEvent(event)
        self._caption.fit(self.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the veil follow the plot."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place_veil()
        return super().eventFilter(watched, event)
