"""The strip of a walk, with a mark at the place of now."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.features.preimage.view.walk_drawing import ShownWalk, draw_walk
from kpca_viewer.widgets.theme import theme_of


class WalkStrip(QWidget):
    """Shows a walk, and where it is."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("walk_strip")
        self.setAccessibleName("What lies along the component")
        self.shown: ShownWalk | None = None
        self.value = 0.0
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)

    def show_walk(self, shown: ShownWalk | None) -> None:
        """Draw another walk; None draws none."""
        self.shown = shown
        self.setToolTip("" if shown is None else shown.walk.words)
        self.update()

    def set_value(self, value: float) -> None:
        self.value = value
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 64)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the walk."""
        if self.shown is None:
            return
        with QPainter(self) as painter:
            theme = theme_of(self.palette())
            draw_walk(painter, QRectF(self.rect()), self.shown, theme, self.value)
