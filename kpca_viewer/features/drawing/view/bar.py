"""The line above the data while somebody draws: which tool, and which class."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kpca_viewer.data.dataset import UNLABELLED
from kpca_viewer.data.drawn import Drawn
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.controls.combos import FittingCombo
from kpca_viewer.widgets.controls.wheel import WheelGuard
from kpca_viewer.widgets.plots.sprites import Palette, swatch
from kpca_viewer.widgets.theme import LIGHT, Theme

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
