"""Keys and gestures, beside the plots rather than over them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QGridLayout,
    QLabel,
    QMainWindow,
    QScrollArea,
    QWidget,
)

from kpca_viewer.ui.actions import ROWS

GESTURES = (
    ("Drag in a plot", "select by lasso or box; Shift adds, Alt removes"),
    ("Drag in 3-D", "turn; with Ctrl select"),
    ("Click table rows", "select them; Ctrl and Shift add"),
    ("Drag in the kernel matrix", "select its rows and columns; Shift adds"),
    ("Right-drag, wheel", "move and zoom; double-click shows all"),
    ("Click the data", "drop a new point; drag it, right-click removes it"),
    ("Click a class", "hide it; double-click shows it alone"),
    ("Click a bar", "put that component on the x axis"),
    ("Drag the cut", "keep more or fewer components"),
    ("Double-click a title", "fill the board with that plot"),
    ("Double-click a slider", "return to the suggested value"),
    ("Double-click in “name”", "give a row of the table a name; or F2, or just type"),
    ("Arrows in a plot", "walk from point to point; Enter selects, Shift adds"),
    ("Shift+arrows, + and −", "move or turn a plot, and zoom"),
    ("Ctrl+arrows in the data", "move the newest of the new points"),
)


class HelpPanel(QDockWidget):
    """A list of gestures, and of every shortcut in the table of actions."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__("Keys and gestures", window)
        self.setObjectName("help_panel")
        # It stays in its place: a window of its own would get lost behind this one.
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(12, 8, 12, 12)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        rows = list(GESTURES)
        for row in ROWS:
            if row.shortcut:
                keys = QKeySequence(row.shortcut).toString(
                    QKeySequence.SequenceFormat.NativeText
                )
                rows.append((keys, row.text.replace("&", "").rstrip("…")))
        for number, (left, right) in enumerate(rows):
            for column, (text, role) in enumerate(((left, "title"), (right, "muted"))):
                label = QLabel(text)
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setProperty("role", role)
                label.setWordWrap(True)
                grid.addWidget(label, number, column, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(len(rows), 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(page)
        self.setWidget(area)
        self.setMinimumWidth(300)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self)

    def open_beside(self) -> None:
        """Open, or close again, beside the plots."""
        self.setVisible(not self.isVisible() or self.visibleRegion().isEmpty())
