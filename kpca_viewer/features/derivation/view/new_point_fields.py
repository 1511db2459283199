"""NewPointFields: where a new point is, in numbers that can be typed."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.notes import Place
from kpca_viewer.widgets.controls import IconButton, NumberField
from kpca_viewer.widgets.controls.plain_tip import plain_tip

MOST = 1e9
"""The largest coordinate that can be typed; beyond, kernels have no digits left."""


class NewPointFields(QWidget):
    """One line: a name, a field for each of two features, a button that removes."""

    moved = Signal(object)
    """Where the person wants the point: a pair."""
    removed = Signal()
    refused = Signal(str)
    """Why a text is not taken."""

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self._place: Place = (0.0, 0.0)
        self._name = QLabel()
        self._titles = [QLabel(), QLabel()]
        for label in (self._name, *self._titles):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.fields = [self._new_field(axis) for axis in "xy"]
        self._remove = IconButton("close", "Take this new point away", 14)
        self._remove.setObjectName(f"derivation_new_{number}_remove_button")
        self._remove.clicked.connect(self.removed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._name)
        for title, field in zip(self._titles, self.fields, strict=True):
            row.addSpacing(4)
            row.addWidget(title)
            row.addWidget(field)
        row.addWidget(self._remove)
        row.addStretch(1)

    def _new_field(self, axis: str) -> NumberField:
        name = f"derivation_new_{self._number}_{axis}"
        parameter = Parameter(name, "", axis, -1.0, 1.0, 0.0)
        field = NumberField(parameter, (-MOST, MOST))
        field.setFixedWidth(field.fontMetrics().horizontalAdvance("0" * 12) + 16)
        field.valueChanged.connect(self._on_value_changed)
        field.refused.connect(self.refused)
        return field

    def show_point(self, name: str, place: Place, features: Sequence[str]) -> None:
        """Show where a point is. Emits nothing."""
        self._place = place
        self._name.setText(name)
        for axis, value in enumerate(place):
            field, feature = self.fields[axis], " ".join(features[axis].split())
            self._titles[axis].setText(f"{feature} =")
            field.setAccessibleName(f"{feature} of {name}")
            about = f"Move {name} to this {feature}, in the units of the data"
            field.setToolTip(plain_tip(about))
            blocked = field.blockSignals(True)
            field.setValue(value)
            field.blockSignals(blocked)

    def _on_value_changed(self, value: float) -> None:
        axis = next(i for i, own in enumerate(self.fields) if own is self.sender())
        place = list(self._place)
        place[axis] = value
        self.moved.emit((place[0], place[1]))
