"""The card of the first minute: three things to try, until it is put away."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from kpca_viewer.widgets.controls import IconButton

PLAY = "Drag γ above: the rings come apart, and mix again."
LESSON = "First lesson"
LESSON_TIP = "Why PCA fails on rings, step by step; your session comes back afterwards"


class FirstCard(QFrame):
    """Stands beside the stage."""

    closed = Signal()

    def __init__(
        self, open_data: Callable[[], object], take_lesson: Callable[[], object]
    ) -> None:
        super().__init__()
        self.setObjectName("first_card")
        self._is_closed = False
        self.setProperty("role", "note")
        self.setAccessibleName("First steps")
        title = QLabel("Try it")
        title.setProperty("role", "title")
        close = IconButton("close", "Put these first steps away", 14)
        close.setObjectName("first_card_close")
        close.clicked.connect(self._on_close_clicked)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 4, 6)
        layout.setSpacing(4)
        layout.addLayout(head)
        data = _link(
            "open",
            "Open data…",
            "Show a table of your own instead: CSV, Excel, Parquet, NumPy",
            open_data,
        )
        lesson = _link("lesson", LESSON, LESSON_TIP, take_lesson)
        for widget in (_line(PLAY), data, lesson):
            layout.addWidget(widget)

    def follow(self, source: str) -> None:
        """Be there for the rings alone."""
        if not self._is_closed:
            self.setVisible(source == "circles")

    def put_away(self) -> None:
        self._is_closed = True
        self.hide()

    def _on_close_clicked(self) -> None:
        self.put_away()
        self.closed.emit()


def _link(key: str, title: str, tip: str, clicked: Callable[[], object]) -> QPushButton:
    button = QPushButton(title)
    button.setObjectName(f"first_card_{key}")
    button.setProperty("role", "link")
    button.setToolTip(tip)
    button.clicked.connect(clicked)
    return button


def _line(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "caption")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
