"""The pictures of the page *Is it real?*, and the controls above them."""

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.features.random_baseline.pictures_plot import PicturesPlot
from kpca_viewer.widgets.controls import ElidedLabel, Segmented
from kpca_viewer.widgets.theme import Theme

MOST_BESIDE = 4
"""Pictures beside each other, the first of which is the data."""


class RealityView(QWidget):
    """Shows both; on paper there are the pictures alone."""

    draw_requested = Signal()
    """Another draw of random data, or another round of nine."""
    resized = Signal()
    """There is room for more pictures, or for fewer."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("reality_page")
        self.plot = PicturesPlot()
        self.what = Segmented(
            [
                ("beside", "Beside", "The same kernel on random data, beside yours"),
                (
                    "nine",
                    "Find yours",
                    "Nine pictures, of which one is the data: a click says whether "
                    "you have found it",
                ),
            ],
            "What the page shows",
        )
        self.what.setObjectName("reality_what")
        self.again = QPushButton()
        self.again.setObjectName("reality_again")
        self.again.setToolTip("Other random data of the same kind")
        self.again.clicked.connect(self.draw_requested)
        self.words = ElidedLabel()
        self.words.setObjectName("reality_words")
        self.words.setProperty("role", "caption")
        self.words.hide()
        line = QHBoxLayout()
        line.setContentsMargins(8, 2, 8, 2)
        line.setSpacing(10)
        line.addWidget(self.what)
        line.addWidget(self.words, 1)
        line.addStretch()
        line.addWidget(self.again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(line)
        layout.addWidget(self.plot, 1)
        self.show_what("beside")

    def show_what(self, key: str) -> None:
        """Show which of the two is on, "beside" or "nine"."""
        self.what.set_value(key)
        self.again.setText("Another round" if key == "nine" else "Another draw")

    def set_theme(self, theme: Theme) -> None:
        self.plot.set_theme(theme)

    def beside(self) -> int:
        """Return how many pictures have room beside each other, two at least."""
        size = self.plot.size()
        fits = size.width() // max(size.height(), 1)
        return max(2, min(int(fits), MOST_BESIDE))

    def say(self, words: str) -> None:
        self.words.set_text(words)
        self.words.setVisible(bool(words))

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        self.plot.render_to(painter, rect, background=background)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
