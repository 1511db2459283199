"""Gallery: the pictures of a sweep full-size, sorted, with a heat map beside them."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.session.sweep_measures import MEASURES
from kpca_viewer.session.sweep_parameters import title_of
from kpca_viewer.session.sweep_point import SweepPoint, SweepResult
from kpca_viewer.ui.controls import ElidedLabel, IconButton, Segmented, Switch
from kpca_viewer.ui.plots.linking import Linking
from kpca_viewer.ui.sweep.heat_map import HeatMap
from kpca_viewer.ui.sweep.multiples import Multiples
from kpca_viewer.ui.sweep.thumbnails import Shades
from kpca_viewer.ui.theme import Theme

SIDES = {"small": 120, "medium": 170, "large": 260}


class Gallery(QWidget):
    """A window or a page with all pictures of a sweep.

    Attributes
    ----------
    adopted : Signal(object)
        The `SweepPoint` whose value is wanted.
    pin_requested : Signal(object)
        The `SweepPoint` to remember for a comparison.
    export_requested : Signal
    """

    adopted = Signal(object)
    pin_requested = Signal(object)
    export_requested = Signal()

    def __init__(self, linking: Linking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweep_gallery")
        self.setWindowTitle("Gallery – kpca_viewer")
        self.resize(1000, 680)
        self._marked: SweepPoint | None = None
        self.multiples = Multiples(linking)
        self.heat_map = HeatMap()
        self._make_controls()
        self._lay_out()
        self.multiples.adopted.connect(self.adopted)
        self.multiples.marked.connect(self._on_marked)
        self.heat_map.adopted.connect(self.adopted)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.multiples.set_theme(theme)
        self.heat_map.set_theme(theme)

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows."""
        self.multiples.set_shades(shades)

    def show_result(self, result: SweepResult, measure: str = "") -> None:
        """Show a sweep, whole or as far as it is there. Emits nothing."""
        if measure:
            with QSignalBlocker(self._measure):
                self._measure.setCurrentIndex(self._measure.findData(measure))
        grid = len(result.sweep.axes) > 1
        self.heat_map.setVisible(grid)
        self.heat_map.show_result(result)
        self.multiples.show_result(result)
        names = " × ".join(title_of(axis.parameter) for axis in result.sweep.axes)
        self._title.set_text(f"{names}: {len(result.points)} pictures")
        self._show_measure()

    def set_current(self, index: int | None) -> None:
        """Mark the point that is shown on the board."""
        self.multiples.set_current(index)
        self.heat_map.set_current(index)

    def _make_controls(self) -> None:
        self._title = ElidedLabel()
        self._title.setProperty("role", "title")
        self._measure = QComboBox()
        self._measure.setObjectName("gallery_measure_combo")
        self._measure.setAccessibleName("Measure")
        self._measure.setToolTip("What is said under every picture")
        for key, measure in MEASURES.items():
            self._measure.addItem(measure.title, key)
        self._sorted = Switch("best first")
        self._sorted.setObjectName("gallery_sorted_switch")
        self._sorted.setToolTip("Sort the pictures by the measure")
        self._size = Segmented(
            [
                ("small", "S", "Small pictures"),
                ("medium", "M", "Pictures of middle size"),
                ("large", "L", "Large pictures"),
            ],
            "Size of the pictures",
        )
        self._size.setObjectName("gallery_size")
        self._size.set_value("medium")
        self._pin = IconButton("pin", "Pin the marked picture for a comparison", 18)
        self._pin.setObjectName("gallery_pin_button")
        self._pin.setEnabled(False)
        self._export = IconButton("export", "Export the sweep", 18)
        self._export.setObjectName("gallery_export_button")
        self._measure.activated.connect(self._show_measure)
        self._sorted.toggled.connect(self.multiples.set_sorted)
        self._size.value_changed.connect(self._on_size_changed)
        self._pin.clicked.connect(self._on_pin_clicked)
        self._export.clicked.connect(self.export_requested)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 8, 8, 4)
        bar.setSpacing(8)
        bar.addWidget(self._title, 1)
        bar.addWidget(self._measure)
        bar.addWidget(self._sorted)
        bar.addWidget(self._size)
        bar.addWidget(self._pin)
        bar.addWidget(self._export)
        hint = QLabel(
            "Drag around points to select them in all pictures; double-click takes a "
            "value."
        )
        hint.setProperty("role", "caption")
        hint.setContentsMargins(12, 4, 12, 6)
        hint.setWordWrap(True)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.multiples)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self._scroll)
        split.addWidget(self.heat_map)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(bar)
        rows.addWidget(split, 1)
        rows.addWidget(hint)

    def _show_measure(self) -> None:
        key = str(self._measure.currentData())
        self.multiples.set_measure(key)
        self.multiples.set_sorted(self._sorted.isChecked())
        self.heat_map.set_measure(key)

    def _on_size_changed(self, key: str) -> None:
        self.multiples.set_side(SIDES[key])

    def _on_marked(self, point: SweepPoint) -> None:
        self._marked = point
        self._pin.setEnabled(True)
        self.set_current(point.index)

    def _on_pin_clicked(self) -> None:
        if self._marked is not None:
            self.pin_requested.emit(self._marked)
