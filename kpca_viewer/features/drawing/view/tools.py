"""The pencil of the data panel: on or off, with which tool and which class."""

from PySide6.QtCore import QObject, Qt, Signal, Slot

from kpca_viewer.data.drawn import Drawn
from kpca_viewer.features.data_plot.panel import DataPanel
from kpca_viewer.features.drawing.view.bar import DrawingBar
from kpca_viewer.features.drawing.view.cursors import cursor_of
from kpca_viewer.features.drawing.view.pencil import Pencil
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.theme import LIGHT, Theme

WORDS = {
    "pencil": "Click adds, drag moves, Delete removes, 1–9 class.",
    "brush": "Drag to spray points, 1–9 class.",
    "eraser": "Drag over points to take them away.",
}
"""What can be done with each tool, said below the plot."""


class DrawingTools(QObject):
    """Shows in the data panel that somebody draws, and how.

    Attributes
    ----------
    pencil : Pencil
    bar : DrawingBar
    """

    requested = Signal(bool)
    """The person wants the pencil, or not any more."""

    def __init__(self, panel: DataPanel, linking: Linking) -> None:
        super().__init__(panel)
        self._panel = panel
        self._theme = LIGHT
        self.on = False
        self.bar: DrawingBar = panel.drawing_bar
        self.pencil = Pencil(panel.view, linking)
        self.bar.tool_changed.connect(self._on_tool_changed)
        self.bar.class_chosen.connect(self.pencil.set_class)
        panel.pencil_button.clicked.connect(self.requested)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.bar.set_theme(theme)
        self._show()

    def set_on(self, on: bool) -> None:
        """Take the pencil, or put it away. Emits nothing."""
        if on != self.on:
            self.on = on
            view = self._panel.view
            view.canvas.cancel_drag()
            # Whoever draws wants the paper to stay where it is.
            view.range_held = on
            if on:
                view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()

    def show_drawn(self, drawn: Drawn | None) -> None:
        """Draw on top of these points."""
        self.pencil.drawn = drawn
        if drawn is not None:
            self.bar.show_drawn(drawn)

    def choose_class(self, code: int) -> None:
        self.bar.set_code(code)
        self.pencil.set_class(code)

    def draw_in(self, code: int) -> None:
        """Draw in a class from now on; nothing that is there changes."""
        self.bar.set_code(code)
        self.pencil.code = code

    def _show(self) -> None:
        panel, tool = self._panel, self.pencil.tool
        panel.pencil_button.setChecked(self.on)
        self.bar.setVisible(self.on)
        ratio = panel.devicePixelRatioF()
        panel.view.canvas.lend_left_button(
            cursor_of(tool, self._theme, ratio) if self.on else None
        )
        panel.set_gesture_words(WORDS[tool] if self.on else "")

    @Slot(object)
    def _on_tool_changed(self, tool: str) -> None:
        self.pencil.tool = tool
        self._show()
        self._panel.view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
