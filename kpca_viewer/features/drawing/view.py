"""The pencil of the data plot: on or off, with which tool and which class."""

from PySide6.QtCore import QObject, QPointF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QColor, QCursor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kpca_viewer.data.dataset import UNLABELLED
from kpca_viewer.data.drawn import Drawn
from kpca_viewer.features.data_plot.panel import DataPanel
from kpca_viewer.features.drawing.pencil import BRUSH, ERASER, Pencil
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.controls.combos import FittingCombo
from kpca_viewer.widgets.controls.wheel import WheelGuard
from kpca_viewer.widgets.icons import pixmap
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.sprites import Palette, swatch
from kpca_viewer.widgets.theme import LIGHT, Theme

_SIZE = 22
_TIP = (4, 18)
"""Where the point of the pencil is in its picture."""


def cursor_of(tool: str, theme: Theme, ratio: float = 1.0) -> QCursor:
    """Return the cursor of "pencil", "brush" or "eraser"."""
    if tool == "pencil":
        return QCursor(pixmap("pencil", theme.text, _SIZE, ratio), *_TIP)
    radius = BRUSH if tool == "brush" else ERASER
    side = round(2 * radius) + 4
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    dashed = Qt.PenStyle.DotLine if tool == "brush" else Qt.PenStyle.SolidLine
    middle = QPointF(side / 2, side / 2)
    for color, width in ((theme.card, 3.0), (theme.text, 1.4)):
        # A rim of the other brightness is seen on any point.
        painter.setPen(QPen(QColor(color), width, dashed))
        painter.drawEllipse(middle, radius, radius)
    painter.end()
    return QCursor(picture, side // 2, side // 2)


CLASSES = 9
"""As many as there are keys for them."""

_SWATCH = 9.0


class DrawingBar(QWidget):
    """Pencil, brush or eraser, and the class of what is drawn next."""

    tool_changed = Signal(object)
    class_chosen = Signal(object)
    """A code from 0, −1 for none."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("drawing_bar")
        self._theme = LIGHT
        self._drawn = Drawn()
        self.tools = Segmented(
            [
                (
                    "pencil",
                    "Pencil",
                    "Click adds a point, a drag moves it; so do Insert and Ctrl with "
                    "arrows",
                ),
                ("brush", "Brush", "Drag to spray points"),
                ("eraser", "Eraser", "Drag to take points away"),
            ],
            "Drawing tool",
        )
        self.tools.setObjectName("drawing_tool")
        self.tools.value_changed.connect(self.tool_changed)
        self.classes = FittingCombo()
        WheelGuard(self.classes)
        self.classes.setObjectName("draw_class_combo")
        self.classes.setAccessibleName("Class of what is drawn")
        self.classes.setToolTip(
            "The class of points that are drawn next, and of those under the mouse or "
            "selected; keys 1–9, and 0 for none"
        )
        self.classes.currentIndexChanged.connect(self._on_class_changed)
        label = QLabel("Class")
        label.setProperty("role", "muted")
        label.setBuddy(self.classes)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 8, 4)
        line.setSpacing(8)
        line.addWidget(self.tools)
        line.addStretch(1)
        line.addWidget(label)
        line.addWidget(self.classes)
        self._fill()
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fill()

    def show_drawn(self, drawn: Drawn) -> None:
        """Call the classes as the drawing does. Emits nothing."""
        if self._names(drawn) != self._names(self._drawn):
            self._drawn = drawn
            self._fill()

    def code(self) -> int:
        """Return the class of what is drawn next."""
        code = self.classes.currentData()
        return UNLABELLED if code is None else int(code)

    def set_code(self, code: int) -> None:
        with QSignalBlocker(self.classes):
            self.classes.setCurrentIndex(max(self.classes.findData(code), 0))

    def _names(self, drawn: Drawn) -> list[str]:
        return [drawn.class_name(code) for code in range(CLASSES)]

    def _fill(self) -> None:
        before = self.code() if self.classes.count() else 0
        palette = Palette.of("class", CLASSES, self._theme)
        ratio = self.devicePixelRatioF()
        with QSignalBlocker(self.classes):
            self.classes.clear()
            self.classes.addItem("none", UNLABELLED)
            for code, name in enumerate(self._names(self._drawn)):
                text = name if name == str(code + 1) else f"{code + 1}: {name}"
                picture = QIcon(swatch(palette, code, _SWATCH, ratio))
                self.classes.addItem(picture, text, code)
        self.set_code(before)

    def _on_class_changed(self, _index: int) -> None:
        self.class_chosen.emit(self.code())


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
