"""PlaceView: what lies at a place, in pictures, values and words."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.preimage.titles import (
    HELD_TITLES,
    METHOD_HELP,
    METHOD_TITLES,
)
from kpca_viewer.features.preimage.view.paper import draw_place, draw_words
from kpca_viewer.features.preimage.view.row_picture import RowPicture
from kpca_viewer.features.preimage.view.shown_place import ShownPlace
from kpca_viewer.features.preimage.view.values_table import ValuesTable
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.controls.plain_tip import plain_tip
from kpca_viewer.widgets.theme import Theme

HELD_TIP = (
    "Where the place lies along components that are not on the axes: as the row that "
    "is nearest in the picture, or at their mean."
)


def control_line(*controls: QWidget) -> QWidget:
    """Return controls on one line, the first of which takes the room that is left."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for control in controls:
        fixed = isinstance(control, QAbstractButton)
        layout.addWidget(control, 0 if fixed else 1)
    return line


class PlaceView(QWidget):
    """Pictures and values of a place beside those of a row. Setters emit nothing.

    Attributes
    ----------
    controls : QWidget
        What is chosen, on a line that stands elsewhere.
    """

    method_chosen = Signal(str)
    held_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("place_view")
        self.method = named_combo(
            "preimage_method_combo",
            "Method of the pre-image",
            "How values of the columns are found for a place.",
        )
        self.method.currentIndexChanged.connect(self._on_method_changed)
        self.held = named_combo(
            "preimage_held_combo", "Other components", plain_tip(HELD_TIP)
        )
        self.held.currentIndexChanged.connect(self._on_held_changed)
        self.controls = control_line(self.method, self.held)
        self.here = RowPicture("preimage_picture", "Picture of the place")
        self.row = RowPicture("preimage_row_picture", "Picture of the nearest row")
        self.values = ValuesTable()
        self.words = QLabel()
        self.words.setObjectName("preimage_words")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._said = QLabel()
        self._said.setObjectName("preimage_said")
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        self._said.setProperty("role", "muted")
        self._said.setWordWrap(True)
        self._said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._place: ShownPlace | None = None
        self._stack = QStackedWidget()
        self._stack.addWidget(self._said)
        self._stack.addWidget(self._lay_out_found())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.say("")

    def _lay_out_found(self) -> QWidget:
        found = QWidget()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.here, 2)
        line.addWidget(self.row, 2)
        line.addWidget(self.values, 5)
        layout = QVBoxLayout(found)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line, 1)
        layout.addWidget(self.words)
        return found

    def show_choices(self, view: ViewSettings) -> None:
        fill_combo(
            self.method, [(t, key) for key, t in METHOD_TITLES.items()], view.preimage
        )
        self.method.setToolTip(plain_tip(METHOD_HELP[view.preimage]))
        fill_combo(self.held, [(t, key) for key, t in HELD_TITLES.items()], view.held)

    def say(self, text: str) -> None:
        """Say why there is nothing to see, or what to do."""
        self._said.setText(text)
        self._said.setAccessibleName(text)
        self._stack.setCurrentIndex(0)

    def said(self) -> str:
        """Return what is said instead of a place; empty where one is shown."""
        return "" if self._stack.currentIndex() else self._said.text()

    def show_place(self, place: ShownPlace) -> None:
        """Show what lies at a place."""
        self._place = place
        for picture, image, title in (
            (self.here, place.image, "Here"),
            (self.row, place.row_image, place.row_name),
        ):
            picture.setVisible(image is not None)
            picture.show_row(image, title)
        pictured = place.image is not None
        self.values.show_columns(place.columns, place.row_name, pictured=pictured)
        if self.words.text() != place.words:
            self.words.setText(place.words)
        role = "warning" if place.warns else "caption"
        if self.words.property("role") != role:
            self.words.setProperty("role", role)
            self.words.style().polish(self.words)
        # Lines that came and went would move everything above them.
        self.words.setMinimumHeight(2 * self.words.fontMetrics().height())
        self._stack.setCurrentIndex(1)

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw the place into a rectangle, or what is said instead of one."""
        if self.said() or self._place is None:
            draw_words(painter, rect, self.said(), theme.muted)
        else:
            draw_place(painter, rect, self._place, theme)

    def _on_method_changed(self, index: int) -> None:
        if index >= 0:
            self.method_chosen.emit(self.method.itemData(index))

    def _on_held_changed(self, index: int) -> None:
        if index >= 0:
            self.held_chosen.emit(self.held.itemData(index))
