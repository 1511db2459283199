"""SweepSetup: the line that describes a sweep before it is started."""

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.data.drawn import NOTHING_YET
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.parameters import parameter_named, sweepable, title_of
from kpca_viewer.engine.sweep.settings import (
    STEPS,
    SweepAxis,
    SweepSettings,
    default_axis,
    film_subject,
    propose_second_axis,
)
from kpca_viewer.features.sweep.text import SECOND_TIP
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.controls import (
    FittingCombo,
    NumberField,
    Segmented,
    ShrinkingRow,
)
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.scene import ShowsScene

_END = Parameter("end", "", "End", -1e9, 1e9, 1.0, "linear")
_STEPS = Parameter("steps", "", "Steps", 1, 500, STEPS, "integer")


class ShortField(NumberField):
    """A number that never has more than a few digits."""

    def __init__(self, parameter: Parameter, widest: str) -> None:
        super().__init__(parameter)
        self._widest = widest

    def sizeHint(self) -> QSize:
        digits = self.fontMetrics().horizontalAdvance(self._widest)
        return QSize(digits + 22, super().sizeHint().height())


class AxisRow(QObject):
    """The controls of one parameter: which, and its ends, steps and scale."""

    parameter_chosen = Signal(object)
    """The person chose another parameter: its name, or None."""

    def __init__(self, name: str, label: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.parameter = FittingCombo(
            f"{name}_parameter_combo",
            f"{label} parameter",
            "What changes from picture to picture",
        )
        self.low, self.high = ShortField(_END, "0.0000"), ShortField(_END, "0.0000")
        self.steps = ShortField(_STEPS, "000")
        for field, key, tip in (
            (self.low, "from", "The first value"),
            (self.high, "to", "The last value"),
            (self.steps, "steps", "How many pictures"),
        ):
            field.setObjectName(f"{name}_{key}_field")
            field.setAccessibleName(f"{label} {key}")
            field.setToolTip(tip)
        self.to, self.within, self.pictures = map(QLabel, ("to", "in", "steps"))
        for words in (self.to, self.within, self.pictures):
            words.setProperty("role", "muted")
        self.scale = Segmented(
            [
                ("log", "log", "Equal ratios from step to step"),
                ("linear", "lin", "Equal differences from step to step"),
            ],
            f"{label} scale",
        )
        self.scale.setObjectName(f"{name}_scale")
        self.shown: SweepAxis | None = None
        self._offered: tuple[tuple[str, ...], str] = (), ""
        self._row: ShrinkingRow | None = None
        self.parameter.activated.connect(self._on_activated)

    def add_range_to(self, row: ShrinkingRow) -> None:
        self._row = row
        for widget, importance in (
            (self.low, 0),
            (self.to, 3),
            (self.high, 0),
            (self.within, 3),
            (self.steps, 0),
            (self.pictures, 4),
            (self.scale, 2),
        ):
            row.add(widget, importance)

    @property
    def ranged(self) -> bool:
        axis = self.shown
        if axis is None or axis.is_of_kernels:
            return False
        return not parameter_named(axis.parameter).choices

    def set_choices(self, names: tuple[str, ...], nothing: str = "") -> None:
        """Offer these parameters, and perhaps none. Emits nothing."""
        if (names, nothing) == self._offered:
            return
        self._offered = names, nothing
        with QSignalBlocker(self.parameter):
            self.parameter.clear()
            if nothing:
                self.parameter.addItem(nothing, None)
            for name in names:
                self.parameter.addItem(title_of(name), name)

    def set_axis(self, axis: SweepAxis | None) -> None:
        """Show an axis; None hides the range. Emits nothing."""
        self.shown = axis
        self.choose(None if axis is None else axis.parameter)
        if self._row is not None:
            fields = (self.low, self.high, self.steps)
            words = (self.to, self.within, self.pictures)
            for widget in (*fields, *words, self.scale):
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

    def choose(self, name: str | None) -> None:
        """Show a parameter and leave its range alone. Emits nothing."""
        with QSignalBlocker(self.parameter):
            self.parameter.setCurrentIndex(max(self.parameter.findData(name), 0))

    def axis(self) -> SweepAxis | None:
        """Return what the controls say; `DataError` where that makes no sense."""
        axis = self.shown
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


class SweepSetup(ShowsScene, QWidget):
    """Parameter, range and Start in one line; a second parameter has a second line."""

    start_requested = Signal()
    part = attrgetter(
        "settings.data", "settings.kernel", "settings.analysis", "dataset", "suggested"
    )

    def __init__(self) -> None:
        super().__init__()
        self._subject: tuple[object, ...] = ()
        self._touched = self._picked = False
        self.first = AxisRow("sweep", "Sweep", self)
        self.second = AxisRow("sweep_second", "Second", self)
        self.second.parameter.setToolTip(SECOND_TIP)
        self.start = QPushButton("Start")
        self.start.setObjectName("sweep_start_button")
        self.start.setToolTip("Compute all values in the background  (Ctrl+Enter)")
        self._trouble = plain_label("sweep_trouble_label", "error")
        line = ShrinkingRow(spacing=4)
        line.add(self.first.parameter)
        self.first.add_range_to(line)
        line.add(self.second.parameter, 1)
        line.add(self.start)
        line.add_gap()
        self._second_line = ShrinkingRow()
        self._second_title = QLabel()
        self._second_title.setProperty("role", "muted")
        self._second_line.add(self._second_title, 1)
        self.second.add_range_to(self._second_line)
        self._second_line.add_gap()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(line)
        rows.addWidget(self._second_line)
        # A line of its own: beside the controls there is no room for a sentence.
        rows.addWidget(self._trouble)
        self._trouble.hide()
        self.first.parameter_chosen.connect(self._on_first_chosen)
        self.second.parameter_chosen.connect(self._on_second_chosen)
        self.start.clicked.connect(self.begin)
        for row in (self.first, self.second):
            row.scale.value_changed.connect(self._on_value_changed)
            for field in (row.low, row.high, row.steps):
                field.valueChanged.connect(self._on_value_changed)
                field.refused.connect(self.set_trouble)
        self.show_newest()

    def is_put_away(self) -> bool:
        return not self.isVisibleTo(self.window())

    def refresh(self) -> None:
        """Offer what can be swept now. Emits nothing.

        A range that was typed stays until data or kernel are others: then it would be
        about nothing. A parameter that was picked stays as long as there is one.
        """
        if self.trouble() == NOTHING_YET and not self.scene.is_empty:
            self.set_trouble("")
        settings, suggested = self.context
        subject = (*film_subject(settings), settings.kernel.family, self._kind)
        fresh, self._subject = subject != self._subject, subject
        names = sweepable(settings, self._kind)
        chosen = self.first.parameter.currentData()
        second = self.second.parameter.currentData()
        self.first.set_choices(names)
        self._picked = self._picked and chosen in names
        self._touched = self._touched and chosen in names and not fresh
        if self._touched:
            # What was typed is no axis perhaps, but it stays in its fields.
            self.first.choose(chosen)
        else:
            name = chosen if self._picked else names[0]
            self.first.set_axis(default_axis(settings, name, suggested))
        self._offer_second(second, fresh=fresh)

    @property
    def is_typed(self) -> bool:
        return self._touched

    @property
    def context(self) -> tuple[SessionSettings, Mapping[str, float]]:
        """Settings and suggested values that the range was proposed for."""
        result = self.scene.result
        return self.scene.settings, {} if result is None else result.suggested

    @property
    def _kind(self) -> str:
        return "points" if self.scene.dataset is None else self.scene.dataset.kind

    def describe(self, sweep: SweepSettings) -> None:
        """Show a sweep as if it had been typed. Emits nothing."""
        self.show_newest()
        first, *rest = sweep.axes
        self.first.set_axis(first)
        self._touched = self._picked = True
        self._offer_second(rest[0].parameter if rest else None)
        self._show_second(rest[0] if rest else None)

    @Slot(str)
    def set_trouble(self, text: str) -> None:
        """Say below the line what is wrong; empty takes it away."""
        self._trouble.setText(text)
        self._trouble.setVisible(bool(text))

    def trouble(self) -> str:
        return self._trouble.text()

    def sweep(self) -> SweepSettings:
        """Return what the controls describe; `DataError` where it makes no sense."""
        self.show_newest()
        axis = self.first.axis()
        assert axis is not None
        return SweepSettings.along(axis, self.second.axis())

    @Slot()
    def begin(self) -> bool:
        """Ask for the sweep that is described; returns whether it makes sense."""
        if self.scene.is_empty:
            self.set_trouble(NOTHING_YET)
            return False
        try:
            self.sweep()
        except DataError as error:
            self.set_trouble(str(error))
            return False
        self.set_trouble("")
        self.start_requested.emit()
        return True

    def _offer_second(self, chosen: str | None, *, fresh: bool = False) -> None:
        first = self.first.parameter.currentData()
        names = tuple(
            name for name in sweepable(self.scene.settings, self._kind) if name != first
        )
        self.second.set_choices(names, "no grid")
        if chosen not in names:
            self._show_second(None)
        elif fresh:
            self._on_second_chosen(chosen)
        else:
            self._show_second(self.second.shown)

    def _show_second(self, axis: SweepAxis | None) -> None:
        self.second.set_axis(axis)
        self._second_line.setVisible(self.second.ranged)
        if axis is not None:
            self._second_title.setText(f"rows of the grid: {title_of(axis.parameter)}")

    def _on_first_chosen(self, name: str) -> None:
        self._touched, self._picked = False, True
        settings, suggested = self.context
        self.first.set_axis(default_axis(settings, name, suggested))
        self._offer_second(self.second.parameter.currentData())
        self.set_trouble("")

    def _on_second_chosen(self, name: str | None) -> None:
        axis = None
        if name is not None:
            settings, suggested = self.context
            axis = propose_second_axis(settings, name, suggested)
        self._show_second(axis)

    def _on_value_changed(self) -> None:
        first = self.first
        if self.sender() in (first.low, first.high, first.steps):
            self._touched = True
        self.set_trouble("")

    def showEvent(self, event: QShowEvent) -> None:
        self.show_newest()
        super().showEvent(event)
