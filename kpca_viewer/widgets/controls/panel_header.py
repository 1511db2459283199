"""PanelHeader: the title of a plot and its tools; what has no room is in a menu."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QMouseEvent
from PySide6.QtWidgets import QComboBox, QMenu, QToolButton, QWidget

from kpca_viewer.widgets.controls.combos import text_room
from kpca_viewer.widgets.controls.icon_button import IconButton
from kpca_viewer.widgets.controls.labels import ElidedLabel
from kpca_viewer.widgets.controls.segmented import Segmented
from kpca_viewer.widgets.controls.shrinking_row import ShrinkingRow

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

    Attributes
    ----------
    more : IconButton
        Opens the tools that have no room; hidden while there are none.
    """

    double_clicked = Signal()

    # Under a style sheet Qt asks for hints while the header is still being made.
    _short = _narrow = _folded = False

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
        self._row.removeWidget(self.more)
        self._row.addWidget(self.more)

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

    def _fit(self) -> None:
        super()._fit()
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
