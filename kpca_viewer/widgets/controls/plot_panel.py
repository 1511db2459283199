"""PlotPanel: the frame around a plot."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QActionGroup,
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.widgets.controls.behaviour import DIM, plain_tip
from kpca_viewer.widgets.controls.buttons import IconButton, Segmented
from kpca_viewer.widgets.controls.combos import text_room
from kpca_viewer.widgets.controls.labels import Caption, ElidedLabel
from kpca_viewer.widgets.controls.shrinking_row import ShrinkingRow
from kpca_viewer.widgets.plots.axes import color_of
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
        color = color_of(theme, "card", DIM)
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
    """A title, room for small controls, the plot, and a line below it."""

    stage_requested = Signal()
    """The panel is to change places with the one on the stage, or back."""

    def __init__(self, title: str, body: QWidget) -> None:
        super().__init__()
        self.body = body
        self._dimmed = False
        self._about = ""
        self._printed_caption = ""
        self._header = PanelHeader()
        self._header.double_clicked.connect(self.stage_requested)
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self._header)
        layout.addWidget(self._strip)
        layout.addWidget(body, 1)
        layout.addLayout(below)
        self._veil = _Veil(self)
        self.swap = IconButton("maximize", "", 16)
        self.swap.setObjectName("stage_button")
        self.swap.clicked.connect(self.stage_requested)
        self._header.add_end(self.swap)
        self.set_on_stage(False, can_swap=False)
        self.set_title(title)
        body.installEventFilter(self)
        self._place_veil()

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
        lines = [plain, self._about]
        self._header.setToolTip("\n".join(line for line in lines if line))

    def set_on_stage(self, on: bool, *, can_swap: bool) -> None:
        """Offer to change places with the stage, or to go back from it."""
        where = "Put it back beside the stage" if on else "Show it on the stage"
        self.swap.setToolTip(f"{where}  (double-click the title)")
        self.swap.setAccessibleName(f"{self.title()}: {where.lower()}")
        self.swap.setVisible(can_swap)
        self._header.refit()

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

    def add_tool(self, widget: QWidget, importance: int = 0) -> None:
        """Put a small control at the right end of the title.

        Where room is short, the title of the plot is more important than a tool that
        is not essential (0): that one is found in a menu then.
        """
        self._header.add_tool(widget, importance)

    def remove_tool(self, widget: QWidget) -> None:
        """Take a control out of the title; it has no place then."""
        self._header.remove(widget)

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
        self._caption.least = kept
        self._printed_caption = text
        whole = f"{text} {gesture}".strip()
        if whole != self._caption.text():
            self._caption.setText(whole)
        self._caption.tip = tip
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
        self._veil.setVisible(dimmed)
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
        self._veil.setGeometry(self.body.geometry())
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


LINES = 7
"""Of a long title, as many heights of its type in width are shown at least."""

SHORT = 0.8
"""Of the width that a name may have, so much is never taken from it."""

_SHAPES = (False, False), (True, False), (True, True)
"""Of choices side by side, from wide to narrow: short texts or not, folded or not."""

LEAST = 99
"""Importance of what goes before anything else does."""


class PanelHeader(ShrinkingRow):
    """One line above a plot; double-clicking it is a request.

    ``more`` opens the tools that have no room; it is hidden while there are none.
    """

    double_clicked = Signal()

    # Under a style sheet Qt asks for hints while the header is still being made.
    _short = _narrow = _folded = False
    _end: QWidget | None = None

    def __init__(self) -> None:
        super().__init__(4)
        self.setObjectName("panel_header")
        self._row.setContentsMargins(12, 0, 8, 0)
        self.setMinimumHeight(34)
        self.title = ElidedLabel()
        self.title.setObjectName("panel_title")
        self.title.setProperty("role", "title")
        self.note = ElidedLabel()
        self.note.setObjectName("panel_note")
        self.note.setProperty("role", "live")
        self.more = IconButton("more", "More tools of this plot", 18)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setProperty("arrow", False)
        menu = QMenu(self.more)
        menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(menu)
        self._menu = menu
        self.add(self.title, 0, 0, lambda: _text_room(self.title))
        # Tools do not come and go with a note.
        self.add(self.note, LEAST, 100, lambda: _text_room(self.note) + 8)
        self.set_wanted(self.note, False)
        self.add_gap()
        # At the right end, behind all tools that are added later.
        self._row.addWidget(self.more)
        self.more.hide()

    def add_tool(self, widget: QWidget, importance: int = 0) -> None:
        """Put a tool behind the others; see `add` for its importance."""
        # Names get room before a title does, up to the width they may have.
        self.add(widget, importance, 300 if isinstance(widget, QComboBox) else 0)
        for last in filter(None, (self.more, self._end)):
            self._row.removeWidget(last)
            self._row.addWidget(last)

    def add_end(self, widget: QWidget) -> None:
        """Put a button at the right end that stands there whatever the room is."""
        self._end = widget
        self._row.addWidget(widget)

    def _needed(self, widgets: Sequence[QWidget]) -> int:
        end = self._end
        room = 0
        if end is not None and not end.isHidden():
            room = end.sizeHint().width() + self._row.spacing()
        return super()._needed(widgets) + room

    def hidden_tools(self) -> list[Segmented]:
        """Return the tools for which there is no room now."""
        shown = self._fitting()
        return [
            tool
            for tool, wanted in self._wanted.items()
            if isinstance(tool, Segmented) and wanted and tool not in shown
        ]

    def _least(self, widget: QWidget) -> int:
        if isinstance(widget, QComboBox):
            # A short name is never cut; for a long one, no panel is made wider. Its
            # own hint is of no use: it is never less than the width it had to have.
            most = round(widget.maximumWidth() * (SHORT if self._narrow else 1.0))
            return min(text_room(widget), most)
        if isinstance(widget, Segmented):
            # As if it were long, short or folded, whatever it is now.
            return widget.room(self._short, self._folded)
        return super()._least(widget)

    def _fitting(self) -> list[QWidget]:
        texts = (self.title, self.note)
        tools = [w for w, on in self._wanted.items() if on and w not in texts]
        for self._short, self._folded in _SHAPES:
            shown = super()._fitting()
            # What is essential is there even where texts would be cut.
            fits = self._folded or self._needed(shown) <= self.width()
            if fits and all(tool in shown for tool in tools):
                return shown
        if not any(isinstance(t, Segmented) and t not in shown for t in tools):
            # What is missing has a key of its own, and no place in the menu.
            return shown
        # Not all: what is left shares the line with the button that opens the rest.
        self._wanted[self.more], self._importance[self.more] = True, 0
        shown = super()._fitting()
        del self._wanted[self.more], self._importance[self.more]
        return shown

    def refit(self) -> None:
        super().refit()
        # Names in full where there is room for all of them, else in part.
        spare = self.width() - self._needed(self._fitting())
        self._narrow = spare < 0
        for tool in self._wanted:
            if isinstance(tool, Segmented):
                tool.set_short(self._short, self._folded, max(spare, 0))
            elif isinstance(tool, QComboBox):
                tool.setMinimumWidth(self._least(tool))
        self._narrow = False
        hidden = bool(self.hidden_tools())
        if self.more.isVisibleTo(self) != hidden:
            self.more.setVisible(hidden)

    def minimumSizeHint(self) -> QSize:
        """Return room for what is essential, in short texts or folded."""
        before = self._short, self._folded
        self._short = self._folded = self._narrow = True
        hint = super().minimumSizeHint()
        (self._short, self._folded), self._narrow = before, False
        return hint

    def _fill_menu(self) -> None:
        self._menu.clear()
        for tool in self.hidden_tools():
            self._menu.addSection(tool.accessibleName())
            group = QActionGroup(self._menu)
            for key, text, tip in tool.options():
                action = self._menu.addAction(tip or text)
                action.setCheckable(True)
                action.setChecked(key == tool.value())
                action.setEnabled(tool.button(key).isEnabled())
                action.triggered.connect(tool.button(key).click)
                group.addAction(action)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Tell that the line was double-clicked."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.double_clicked.emit()
        event.accept()


def _text_room(label: ElidedLabel) -> int:
    metrics = label.fontMetrics()
    text = metrics.horizontalAdvance(label.text()) + 2
    return int(min(text, LINES * metrics.height()))
