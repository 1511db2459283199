"""AxisRow: the controls that describe one parameter of a sweep."""

from dataclasses import replace

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QLabel

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.sweep.parameters import parameter_named, title_of
from kpca_viewer.engine.sweep.settings import STEPS, SweepAxis
from kpca_viewer.widgets.controls import (
    FittingCombo,
    NumberField,
    Segmented,
    ShrinkingRow,
    WheelGuard,
)

_END = Parameter("end", "", "End", -1e9, 1e9, 1.0, "linear")
_STEPS = Parameter("steps", "", "Steps", 1, 500, STEPS, "integer")


class CountField(NumberField):
    """A number of steps: never more than a few digits."""

    def sizeHint(self) -> QSize:
        digits = self.fontMetrics().horizontalAdvance("000")
        return QSize(digits + 32, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the same: a number cut off is a wrong number."""
        return self.sizeHint()


class AxisRow(QObject):
    """The controls of one parameter: which, and its ends, steps and scale.

    Parameters
    ----------
    name : str
        Begins the object names of its controls.

    Attributes
    ----------
    words : dict of str to QLabel
        Beside the fields.
    """

    parameter_chosen = Signal(object)
    """The person chose another parameter: its name, or None."""

    def __init__(self, name: str, label: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.parameter = FittingCombo()
        self.parameter.setObjectName(f"{name}_parameter_combo")
        self.parameter.setAccessibleName(f"{label} parameter")
        self.parameter.setToolTip("What changes from picture to picture")
        WheelGuard(self.parameter)
        self.low, self.high = NumberField(_END), NumberField(_END)
        self.steps = CountField(_STEPS)
        for field, key, tip in (
            (self.low, "from", "The first value"),
            (self.high, "to", "The last value"),
            (self.steps, "steps", "How many pictures"),
        ):
            field.setObjectName(f"{name}_{key}_field")
            field.setAccessibleName(f"{label} {key}")
            field.setToolTip(tip)
        self.scale = Segmented(
            [
                ("log", "log", "Equal ratios from step to step"),
                ("linear", "lin", "Equal differences from step to step"),
            ],
            f"{label} scale",
        )
        self.scale.setObjectName(f"{name}_scale")
        self.words = {key: QLabel(key) for key in ("from", "to", "steps")}
        for word in self.words.values():
            word.setProperty("role", "muted")
        self._axis: SweepAxis | None = None
        self._row: ShrinkingRow | None = None
        self.parameter.activated.connect(self._on_activated)

    def add_range_to(self, row: ShrinkingRow) -> None:
        """Put everything about the values into a line."""
        self._row = row
        # As a sentence is read; its words go first where room is short, and of them
        # the one that parts two numbers last.
        row.add(self.words["from"], 9)
        row.add(self.low)
        row.add(self.words["to"], 2)
        row.add(self.high)
        row.add(self.steps)
        row.add(self.words["steps"], 4)
        row.add(self.scale)

    @property
    def ranged(self) -> bool:
        """Whether there is a range to choose."""
        axis = self._axis
        if axis is None or axis.is_of_kernels:
            return False
        return not parameter_named(axis.parameter).choices

    def set_choices(self, names: tuple[str, ...], nothing: str = "") -> None:
        """Offer these parameters, and perhaps none. Emits nothing."""
        with QSignalBlocker(self.parameter):
            self.parameter.clear()
            if nothing:
                self.parameter.addItem(nothing, None)
            for name in names:
                self.parameter.addItem(title_of(name), name)

    def set_axis(self, axis: SweepAxis | None) -> None:
        """Show an axis; None hides the range. Emits nothing."""
        self._axis = axis
        with QSignalBlocker(self.parameter):
            name = None if axis is None else axis.parameter
            self.parameter.setCurrentIndex(max(self.parameter.findData(name), 0))
        if self._row is not None:
            fields = (self.low, self.high, self.steps, self.scale)
            for widget in (*self.words.values(), *fields):
                self._row.set_wanted(widget, self.ranged)
        if axis is None or not self.ranged:
            return
        for field, value in (
            (self.low, axis.low),
            (self.high, axis.high),
            (self.steps, float(axis.steps)),
        ):
            with QSignalBlocker(field):
                field.setValue(value)
        self.scale.set_value(axis.scale)

    def choose(self, name: str) -> None:
        """Show a parameter and leave its range alone. Emits nothing."""
        with QSignalBlocker(self.parameter):
            self.parameter.setCurrentIndex(max(self.parameter.findData(name), 0))

    def shown_axis(self) -> SweepAxis | None:
        """Return the axis that was shown last, whatever was typed since."""
        return self._axis

    def axis(self) -> SweepAxis | None:
        """Return what the controls say.

        Raises
        ------
        DataError
            If it makes no sense, with what to do.
        """
        axis = self._axis
        if axis is None or not self.ranged:
            return axis
        for field in (self.low, self.high, self.steps):
            field.interpretText()  # what is typed and not entered yet counts too
        return replace(
            axis,
            low=self.low.value(),
            high=self.high.value(),
            steps=int(self.steps.value()),
            scale="log" if self.scale.value() == "log" else "linear",
        )

    def _on_activated(self, index: int) -> None:
        self.parameter_chosen.emit(self.parameter.itemData(index))
