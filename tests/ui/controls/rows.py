"""Parameters of every kind, and the hands that work their rows."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from kpca_viewer.core.kernels.family import Parameter

GAMMA = Parameter("gamma", "γ", "Gamma", 1e-4, 1e4, 1.0, "log", help="More detail.")
SAMPLES = Parameter("samples", "n", "Samples", 3, 20_000, 400, "integer")
OFFSET = Parameter("coef0", "c", "Offset", -5, 5, 0.0)
NU = Parameter("nu", "ν", "Smoothness", 0.5, 2.5, 1.5, "choice", (0.5, 1.5, 2.5))
NO_KEYS = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


class Log:
    """What a row has said."""

    def __init__(self, row):
        self.edited, self.committed = [], []
        row.value_edited.connect(self.edited.append)
        row.value_committed.connect(self.committed.append)


def turn_wheel(widget, notches=1, modifiers=NO_KEYS):
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle,
        widget.mapToGlobal(middle),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def give_focus(widget, qtbot):
    widget.window().activateWindow()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
