"""NumberRow: label, slider and exact field of one parameter, on one line."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.controls.behaviour import WheelGuard
from kpca_viewer.widgets.controls.number_field import NumberField
from kpca_viewer.widgets.controls.value_slider import SliderScale, ValueSlider, rounded

Number = int | float

BEYOND = 10**0.5
"""How far a slider reaches beyond a value that was typed outside its range."""

PAUSE = 300
"""Milliseconds of rest after which a series of key presses counts as one change."""


class NumberRow(QWidget):
    """One parameter: label, slider and number field.

    Its parts are called ``<name>_slider`` and ``<name>_field``, or ``<name>_combo``
    where the parameter has choices. The limits are those of the field.
    """

    value_edited = Signal(object)
    """A new value, while a gesture lasts and at its end."""
    value_committed = Signal(object)
    """The value in which a gesture ended: the button released, Enter pressed, the focus
    moved on, or the keys and the wheel at rest."""
    refused = Signal(str)
    """Why what was typed is not taken."""

    def __init__(
        self, parameter: Parameter, *, limits: tuple[float, float] | None = None
    ) -> None:
        super().__init__()
        self.parameter = parameter
        self._name = f"{parameter.title} {parameter.symbol}".strip()
        self._value: Number = self._typed(parameter.default)
        self._exact = float(self._value)
        self._suggestion: Number | None = None
        self._limits: tuple[float, float, str] | None = None
        self._offered: tuple[float, float] | None = None
        self._reach = (float(parameter.low), float(parameter.high))
        self._rest = QTimer(self, singleShot=True, interval=PAUSE)
        self._rest.timeout.connect(self._commit)
        self._uncommitted = False

        self.setObjectName(f"{parameter.name}_row")
        self.label = QLabel(self._name)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        # The slider brings its own margins, with room for the focus ring.
        layout.setSpacing(0)
        layout.addWidget(self.label)

        self.combo: QComboBox | None = None
        self.slider: ValueSlider | None = None
        self.field: NumberField | None = None
        if parameter.scale == "choice":
            self.combo = self._make_combo()
            layout.addSpacing(8)
            layout.addWidget(self.combo, 1)
            self.label.setBuddy(self.combo)
        else:
            self._scale = SliderScale(parameter)
            self.slider = self._make_slider()
            self.field = self._make_field(limits)
            layout.addWidget(self.slider, 1)
            layout.addWidget(self.field)
            self.label.setBuddy(self.field)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._show_value()
        self._describe()

    def value(self) -> Number:
        """Return the exact value; an int where the parameter is whole."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a value. Emits nothing."""
        typed = self._typed(value)
        if typed == self._value:
            return
        # Someone else decided: what was half done here is void.
        self._rest.stop()
        self._uncommitted = False
        self._value = typed
        self._show_value()

    def set_suggestion(self, value: float | None) -> None:
        """Mark a value as suggested; a double click on the slider returns to it."""
        self._suggestion = None if value is None else self._typed(value)
        if self.slider is not None:
            self.slider.set_mark(
                None if value is None else self._scale.position(float(value))
            )
        self._describe()

    def set_limits(self, low: float, high: float, why: str = "") -> None:
        """Offer another range; ``why`` is said where a number is refused."""
        if (low, high, why) == self._limits or self.slider is None:
            return
        assert self.field is not None
        self._limits = (low, high, why)
        with QSignalBlocker(self.field):
            self.field.set_limits(replace(self.parameter, low=low, high=high), why)
        self._stretch(low, high)
        self.slider.setEnabled(low < high)
        self._value = self._typed(min(max(self._value, low), high))
        self._show_value()
        self._describe()

    def set_reach(self, low: float, high: float) -> None:
        """Let the slider reach from low to high, and the field further. Emits nothing.

        A value beyond stretches the slider, which stays so until a gesture has ended
        inside: it must not shrink while a drag goes back.
        """
        if self.slider is None or self.field is None or self.slider.isSliderDown():
            return
        if (low, high) != self._offered or not self._uncommitted:
            self._offered = (low, high)
            # As the ends of the slider are: they must not lie outside.
            self._reach = rounded(low, 3), rounded(high, 3)
        first, last = self._reach
        if self._value < first:
            first = self._value / BEYOND
        if self._value > last:
            last = self._value * BEYOND
        reach = rounded(first, 3), rounded(last, 3)
        if reach == (self._scale.low, self._scale.high):
            return
        self._reach = reach
        with QSignalBlocker(self.field):
            self.field.widen(replace(self.parameter, low=reach[0], high=reach[1]))
        self._stretch(*reach)
        self._show_value()

    def _stretch(self, low: float, high: float) -> None:
        """Give the slider another range; the mark stays at its value."""
        assert self.slider is not None
        self._scale = SliderScale(replace(self.parameter, low=low, high=high))
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, self._scale.last)
            self.slider.setSingleStep(self._scale.single_step)
            self.slider.setPageStep(self._scale.page_step)
        if self._suggestion is not None:
            self.slider.set_mark(self._scale.position(float(self._suggestion)))

    def suggestion(self) -> Number | None:
        return self._suggestion

    def _typed(self, value: float) -> Number:
        return round(value) if self.parameter.scale == "integer" else float(value)

    def _make_combo(self) -> QComboBox:
        combo = QComboBox()
        combo.setObjectName(f"{self.parameter.name}_combo")
        combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for choice in self.parameter.choices:
            combo.addItem(_choice_text(choice), choice)
        combo.currentIndexChanged.connect(self._on_combo_changed)
        WheelGuard(combo)
        return combo

    def _make_slider(self) -> ValueSlider:
        slider = ValueSlider()
        slider.setObjectName(f"{self.parameter.name}_slider")
        slider.setRange(0, self._scale.last)
        slider.setSingleStep(self._scale.single_step)
        slider.setPageStep(self._scale.page_step)
        if not self._scale.logarithmic and self._scale.low < 0 < self._scale.high:
            slider.set_origin(self._scale.position(0))
        slider.valueChanged.connect(self._on_slider_moved)
        slider.sliderPressed.connect(self._rest.stop)
        slider.sliderReleased.connect(self._on_slider_released)
        slider.reset_requested.connect(self._on_reset_requested)
        slider.fine_stepped.connect(self._on_fine_stepped)
        slider.fine_dragged.connect(self._on_fine_dragged)
        return slider

    def _make_field(self, limits: tuple[float, float] | None) -> NumberField:
        field = NumberField(self.parameter, limits)
        field.valueChanged.connect(self._on_field_changed)
        field.editingFinished.connect(self._commit)
        field.refused.connect(self.refused)
        return field

    def _show_value(self) -> None:
        """Let the parts show the value without a word."""
        if self.combo is not None:
            with QSignalBlocker(self.combo):
                self.combo.setCurrentIndex(self._nearest_choice())
        if self.slider is not None and self.field is not None:
            with QSignalBlocker(self.slider), QSignalBlocker(self.field):
                if not self.slider.isSliderDown():
                    self.slider.setValue(self._scale.position(self._value))
                self.field.setValue(self._value)
            self.slider.setAccessibleDescription(self.field.text())

    def _nearest_choice(self) -> int:
        distances = [abs(choice - self._value) for choice in self.parameter.choices]
        return distances.index(min(distances))

    def _describe(self) -> None:
        lines = [self.parameter.help] if self.parameter.help else []
        if self._limits is not None and self._limits[2]:
            _, high, why = self._limits
            lines.append(f"At most {readable(high)}: {why}.")
        if self._suggestion is not None:
            text = readable(self._suggestion)
            lines.append(f"Suggested: {text}. Double-click the slider to return to it.")
        elif self.slider is not None:
            text = readable(self.parameter.default)
            lines.append(f"Double-click the slider to return to {text}.")
        if self.slider is not None:
            lines.append("Arrows and wheel step; with Shift they and a drag are finer.")
        tip = "\n".join(lines)
        self.setToolTip(tip)
        self.setAccessibleName(self._name)
        for part in (self.slider, self.field, self.combo):
            if part is not None:
                part.setAccessibleName(self._name)
                part.setToolTip(tip)

    def _edit(self, value: float) -> None:
        typed = self._typed(value)
        if typed == self._value:
            return
        self._value = typed
        self._uncommitted = True
        self._show_value()
        self.value_edited.emit(typed)

    def _commit(self) -> None:
        self._rest.stop()
        if self._uncommitted:
            self._uncommitted = False
            self.value_committed.emit(self._value)
            if self._offered is not None:
                self.set_reach(*self._offered)

    def _on_slider_moved(self, position: int) -> None:
        assert self.slider is not None
        self._edit(self._scale.value(position))
        if not self.slider.isSliderDown():
            self._rest.start()

    def _on_fine_stepped(self, steps: int) -> None:
        self._edit(self._scale.stepped(self._value, steps, fine=True))
        self._rest.start()

    def _on_fine_dragged(self, share: float) -> None:
        """Move by less than a digit that is shown: what is left over adds up."""
        assert self.slider is not None
        if self._scale.tidy(self._exact, fine=True) != self._value:
            self._exact = float(self._value)
        low, high = self._scale.low, self._scale.high
        self._exact = min(max(self._scale.moved(self._exact, share), low), high)
        self._edit(self._scale.tidy(self._exact, fine=True))
        with QSignalBlocker(self.slider):
            self.slider.setSliderPosition(self._scale.position(self._value))

    def _on_slider_released(self) -> None:
        assert self.slider is not None
        if self.slider.was_dragged:
            self._commit()
        else:
            # Perhaps the first half of a double click, which means something else.
            self._rest.start()

    def _on_reset_requested(self) -> None:
        target = self._suggestion
        self._edit(self.parameter.default if target is None else target)
        self._commit()

    def _on_field_changed(self, value: float) -> None:
        self._edit(value)
        self._rest.start()

    def _on_combo_changed(self, index: int) -> None:
        self._edit(self.parameter.choices[index])
        self._commit()


class _LabelColumn(QObject):
    """Labels of one width, whatever the size of the type becomes."""

    def __init__(self, labels: list[QLabel]) -> None:
        super().__init__(labels[0])
        self._labels = labels
        for label in labels:
            label.installEventFilter(self)
        self.align()

    def align(self) -> None:
        # Not their hints: those are no less than the minimum they were given before,
        # perhaps for larger type.
        width = max(
            label.fontMetrics().size(0, label.text()).width() for label in self._labels
        )
        for label in self._labels:
            label.setMinimumWidth(width)
            # Qt remembers a hint that was no less than the minimum of before.
            label.setIndent(label.indent())

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.Show):
            self.align()
        return False


def align_labels(*rows: NumberRow | QLabel) -> None:
    """Give the labels of rows that stand below each other one width."""
    labels = [row.label if isinstance(row, NumberRow) else row for row in rows]
    if labels:
        _LabelColumn(labels)


def _choice_text(value: float) -> str:
    """Return 3/2 rather than 1.5: that is how smoothness is written."""
    if 2 * value == round(2 * value) and value != round(value):
        return f"{round(2 * value)}/2"
    return readable(value)
