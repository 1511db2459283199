"""The pencil of the data plot: on or off, with which tool and which class."""

from PySide6.QtCore import QPointF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QColor, QCursor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kpca_viewer.data.dataset import UNLABELLED
from kpca_viewer.data.drawn import Drawn
from kpca_viewer.features.drawing import text
from kpca_viewer.features.drawing.pencil import BRUSH, ERASER, Pencil
from kpca_viewer.widgets.contributions import PlotContribution
from kpca_viewer.widgets.controls import IconButton, Segmented
from kpca_viewer.widgets.controls.combos import FittingCombo
from kpca_viewer.widgets.icons import pixmap
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.sprites import Palette, swatch
from kpca_viewer.widgets.scatter_panel import ScatterPanel
from kpca_viewer.widgets.theme import LIGHT, Theme

_SIZE = 22
_TIP = (4, 18)
"""Where the point of the pencil is in its picture."""


def cursor_of(tool: str, theme: Theme, ratio: float = 1.0) -> QCursor:
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
            [(key, *words) for key, words in text.TOOLS.items()], text.TOOLS_NAME
        )
        self.tools.setObjectName("drawing_tool")
        self.tools.value_changed.connect(self.tool_changed)
        self.classes = FittingCombo("draw_class_combo", text.CLASS_NAME, text.CLASS_TIP)
        self.classes.currentIndexChanged.connect(self._on_class_changed)
        label = QLabel(text.CLASS)
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
        if self._names(drawn) != self._names(self._drawn):
            self._drawn = drawn
            self._fill()

    def code(self) -> int:
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
            self.classes.addItem(text.NO_CLASS, UNLABELLED)
            for code, name in enumerate(self._names(self._drawn)):
                title = name
                if name != str(code + 1):
                    title = text.NUMBERED_CLASS.format(number=code + 1, name=name)
                picture = QIcon(swatch(palette, code, _SWATCH, ratio))
                self.classes.addItem(picture, title, code)
        self.set_code(before)

    def _on_class_changed(self, _index: int) -> None:
        self.class_chosen.emit(self.code())


class DrawingTools(PlotContribution):
    """The pencil of the data plot: a button, a bar above it, what the mouse does."""

    requested = Signal(bool)
    """The pencil is to be taken, or put away."""
    turned = Signal()
    """It has been taken, or put away."""

    pencil: Pencil

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self._linking = linking
        self._theme = LIGHT
        self.on = False
        self.bar: DrawingBar = DrawingBar()
        self.button: IconButton = IconButton("pencil", text.BUTTON_TIP, 18)
        self.button.setObjectName("draw_button")
        self.button.setCheckable(True)
        self.button.clicked.connect(self.requested)

    def attach(self, panel: ScatterPanel) -> None:
        self._panel = panel
        self.pencil = Pencil(panel.view, self._linking)
        self.bar.tool_changed.connect(self._on_tool_changed)
        self.bar.class_chosen.connect(self.pencil.set_class)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.bar.set_theme(theme)
        self._show()

    def set_on(self, on: bool) -> None:
        """Take the pencil, or put it away; requests nothing."""
        turned = on != self.on
        if turned:
            self.on = on
            view = self._panel.view
            view.canvas.cancel_drag()
            # Who draws wants the paper to stay where it is.
            view.range_held = on
            if on:
                view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()
        if turned:
            self.turned.emit()

    def show_drawn(self, drawn: Drawn | None) -> None:
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
        self.button.setChecked(self.on)
        self.bar.setVisible(self.on)
        ratio = panel.devicePixelRatioF()
        panel.view.canvas.set_pointer_tool(
            cursor_of(tool, self._theme, ratio) if self.on else None
        )
        if self.on:
            panel.set_gesture_words(text.GESTURES[tool], text.EMPTY_WITH_PENCIL)
        else:
            panel.set_gesture_words("", text.EMPTY_WITHOUT_PENCIL)

    @Slot(object)
    def _on_tool_changed(self, tool: str) -> None:
        self.pencil.tool = tool
        self._show()
        self._panel.view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
