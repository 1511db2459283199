"""LiftBar: into what the plane is raised, how far, and what computes."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.settings import Axes
from kpca_viewer.features.lift.maps import LIFTS, Lift
from kpca_viewer.widgets.controls import NumberRow
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.controls.plain_tip import plain_tip

HEIGHT = Parameter(
    "raised",
    "",
    "Height",
    0.0,
    1.0,
    1.0,
    help="How far the plane is raised: 0 is flat, 1 is the map φ.",
)


class LiftBar(QWidget):
    """The controls above a lifted plot. Setters emit nothing."""

    map_chosen = Signal(str)
    """Key of a lift."""
    axis_chosen = Signal(int, int)
    """Position of an axis, and the coordinate that is wanted there."""
    kernel_requested = Signal()
    """The kernel of the map is to compute."""
    both_sides_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lift_bar")
        self.map = named_combo(
            "lift_combo",
            "Map that raises the plane",
            "Into what the plane of the data is raised.",
        )
        self.map.currentIndexChanged.connect(self._on_map_changed)
        self.height_row = NumberRow(HEIGHT, limits=(0.0, 1.0))
        # The caption tells the number; the bar of a small panel has no room for it.
        self.height_row.label.hide()
        assert self.height_row.field is not None
        self.height_row.field.hide()
        self.height_row.setMinimumWidth(72)
        self.use_kernel = _link("lift_kernel_button", "Use kernel")
        self.use_kernel.clicked.connect(self.kernel_requested)
        self.both_sides = _link("both_sides_button", "Both sides")
        self.both_sides.setToolTip(
            "Compute the kernel of two points by φ and by its formula, side by side."
        )
        self.both_sides.clicked.connect(self.both_sides_requested)
        self._axes = []
        for position, axis in enumerate("xyz"):
            combo = named_combo(
                f"lift_{axis}_combo",
                f"Coordinate of φ on the {axis} axis",
                f"Which coordinate of φ is drawn on the {axis} axis.",
            )
            combo.setMinimumContentsLength(3)
            combo.setProperty("position", position)
            combo.currentIndexChanged.connect(self._on_axis_changed)
            self._axes.append(combo)
        self._coordinates = _row(*self._axes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 0, 8, 2)
        layout.setSpacing(4)
        layout.addWidget(
            _row(self.map, self.height_row, self.use_kernel, self.both_sides, wide=2)
        )
        layout.addWidget(self._coordinates)
        self.hide()

    def show_lift(
        self,
        lift: Lift,
        variables: Sequence[str],
        axes: Axes,
        height: float,
        computes: bool,
    ) -> None:
        """Show what is drawn.

        Parameters
        ----------
        variables : sequence of str
            What the two features are called.
        computes : bool
            Whether the kernel that computes is the one of the map.
        """
        titles: list[tuple[str, object]] = [
            (row.title(variables), row.key) for row in LIFTS.values()
        ]
        fill_combo(self.map, titles, lift.key)
        self.map.setToolTip(plain_tip(lift.about))
        names = [] if lift.features is None else lift.features.plain(variables)
        choosable = len(names) > 3
        self._coordinates.setVisible(choosable)
        if choosable:
            items: list[tuple[str, object]] = [(n, j) for j, n in enumerate(names)]
            for combo, axis in zip(self._axes, axes, strict=True):
                fill_combo(combo, items, axis)
        self.height_row.set_value(height)
        self.use_kernel.setVisible(not computes)
        kernel = lift.kernel
        if kernel is not None:
            self.use_kernel.setToolTip(
                plain_tip(f"Let the whole window compute with {kernel.plain_formula()}")
            )

    def _on_map_changed(self, index: int) -> None:
        if index >= 0:
            self.map_chosen.emit(self.map.itemData(index))

    def _on_axis_changed(self, index: int) -> None:
        combo = self.sender()
        if index >= 0 and combo in self._axes:
            position = self._axes.index(combo)
            self.axis_chosen.emit(position, combo.itemData(index))


def _link(name: str, text: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(text.rstrip("…"))
    button.setProperty("role", "link")
    return button


def _row(first: QWidget, *others: QWidget, wide: int = 1) -> QWidget:
    """Put controls on one line, of which the first is so many times as wide."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    layout.addWidget(first, wide)
    for widget in others:
        layout.addWidget(widget, 0 if isinstance(widget, QPushButton) else 1)
    return row
