"""DenoiseView: rows from the first components, beside the data."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.features.preimage.view.paper import draw_words
from kpca_viewer.features.preimage.view.picture_pairs import PicturePairs
from kpca_viewer.features.preimage.view.place_view import control_line
from kpca_viewer.widgets.controls import NumberRow, type_factor
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.painted import as_large_as
from kpca_viewer.widgets.theme import Theme

COMPONENTS = Parameter(
    "denoised_from",
    "k",
    "",
    1,
    10,
    4,
    "integer",
    help="Rows are rebuilt from so many components, the first ones; what the others "
    "hold is taken for noise.",
)

FIELD = 52
"""Pixels of a field for the number of components."""


class DenoiseView(QWidget):
    """The number of components above what they make of the rows.

    Setters emit nothing.

    Attributes
    ----------
    controls : QWidget
        What is chosen, on a line that stands elsewhere.
    """

    components_edited = Signal(object)
    """Another number of components, while a gesture lasts and at its end."""
    components_committed = Signal()
    refused = Signal(str)
    """Why what was typed is not taken."""
    data_requested = Signal()
    """All rows are wanted as a new data set."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("denoise_view")
        self.row = NumberRow(COMPONENTS)
        assert self.row.field is not None
        # Two digits do; the slider gets the room.
        self.row.field.setMaximumWidth(round(FIELD * type_factor(self)))
        self.row.value_edited.connect(self.components_edited)
        self.row.value_committed.connect(self._on_committed)
        self.row.refused.connect(self.refused)
        self.adopt = QPushButton("As new data")
        self.adopt.setObjectName("denoise_adopt_button")
        self.adopt.setProperty("role", "link")
        self.adopt.setAccessibleName("Denoised rows as new data")
        self.adopt.setToolTip(
            "Rebuild all rows and open them as a data set of their own; undo brings "
            "these back."
        )
        self.adopt.clicked.connect(self.data_requested)
        self.controls = control_line(self.row, self.adopt)
        self.scatter = JoinedScatter("denoised_scatter", "Denoised rows", linking)
        self.pictures = PicturePairs("denoised_pictures", ("Data", "Denoised"))
        self.words = QLabel()
        self.words.setObjectName("denoise_words")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setProperty("role", "caption")
        self.words.setWordWrap(True)
        self._nothing = QWidget()
        self._stack = QStackedWidget()
        for body in (self._nothing, self.scatter, self.pictures):
            self._stack.addWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.words)
        self.say("")

    def show_components(self, chosen: int, most: int) -> None:
        """Show from how many components rows are rebuilt, of how many."""
        self.row.set_limits(1, most, f"There are {most} components.")
        self.row.set_value(min(chosen, most))

    def say(self, text: str) -> None:
        """Say why nothing is denoised, or what is on its way."""
        self._stack.setCurrentWidget(self._nothing)
        self.words.setText(text)
        self.controls.setEnabled(False)

    def show_found(self, body: QWidget, words: str) -> None:
        """Bring the scatter or the pictures to the front, with words below."""
        self._stack.setCurrentWidget(body)
        self.words.setText(words)
        self.controls.setEnabled(True)

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw the rows into a rectangle, or what is said instead of them."""
        left = draw_words(painter, rect, self.words.text(), theme.muted)
        body = self._stack.currentWidget()
        if body is self.scatter:
            with as_large_as(self.scatter, left.size().toSize()):
                self.scatter.render_to(painter, left, background=False)
        elif body is self.pictures:
            self.pictures.draw(painter, left, theme)

    @property
    def found_in_front(self) -> bool:
        """Whether rows are shown, and not words alone."""
        return self._stack.currentWidget() is not self._nothing

    def _on_committed(self, _value: object) -> None:
        self.components_committed.emit()
