"""NumberField: an exact number, typed in whatever way people type numbers."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from kpca_viewer.core.parameters import Parameter
from kpca_viewer.ui.controls.numbers import format_number, parse_number
from kpca_viewer.ui.controls.scale import SliderScale
from kpca_viewer.ui.controls.wheel import WheelGuard

_LETTERS = set("0123456789.,+-−eE'’ \u00a0\u2009\u202f")


def default_limits(parameter: Parameter) -> tuple[float, float]:
    """Return what may be typed where nobody says otherwise."""
    more = 1e6 if parameter.scale == "log" else 1.0
    return parameter.low / more, parameter.high * more


class NumberField(QDoubleSpinBox):
    """A spin box without arrows that accepts ``1e-3``, ``0.5`` and ``0,5``.

    It shows four significant digits but keeps the exact value: leaving the field
    without typing changes nothing. A number outside the limits becomes the nearest
    limit.

    Parameters
    ----------
    parameter : Parameter
        Its scale says how far an arrow key goes and whether numbers are whole.
    limits : tuple of float, optional
        What may be typed. By default the range of the parameter, and six decades more
        in each direction on a logarithmic scale.
    """

    # Qt asks for texts while the base class is still being built.
    _integer = False

    def __init__(
        self,
        parameter: Parameter,
        limits: tuple[float, float] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._scale = SliderScale(parameter)
        self._integer = self._scale.integer
        self.setObjectName(f"{parameter.name}_field")
        self.setAccessibleName(f"{parameter.title} {parameter.symbol}".strip())
        self.setToolTip(parameter.help)
        # The base class rounds to its decimals; nothing that a double holds is lost.
        self.setDecimals(0 if self._integer else 30)
        self.setRange(*(limits or default_limits(parameter)))
        self.setValue(parameter.default)
        # The style sheet makes the buttons vanish. Asking for NoButtons would make
        # the text vanish instead: under a sheet, Qt 6.11 then leaves it one pixel.
        self.lineEdit().setTextMargins(6, 0, 6, 0)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().textChanged.connect(self._mark)
        # Qt puts a valid text back without telling the line edit's listeners.
        self.editingFinished.connect(self._on_editing_finished)
        WheelGuard(self)

    def _on_editing_finished(self) -> None:
        self._mark(self.text())

    def _mark(self, text: str) -> None:
        invalid = parse_number(text, self._integer) is None
        if bool(self.property("invalid")) != invalid:
            self.setProperty("invalid", invalid)
            self.style().unpolish(self)
            self.style().polish(self)

    def textFromValue(self, value: float) -> str:
        """Return the short text of a value."""
        return str(round(value)) if self._integer else format_number(value)

    def valueFromText(self, text: str) -> float:
        """Return the value meant by a text, inside the limits."""
        # What was shown and left alone is the exact value, not its short text.
        if text == self.textFromValue(self.value()):
            return self.value()
        value = parse_number(text, self._integer)
        if value is None:
            return self.value()
        value = min(max(value, self.minimum()), self.maximum())
        return float(round(value)) if self._integer else value

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Accept every spelling; refuse letters that no number has."""
        if not set(text) <= _LETTERS:
            return QValidator.State.Invalid, text, position
        if parse_number(text, self._integer) is None:
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    def stepBy(self, steps: int) -> None:
        """Go so many arrow keys further, along the scale of the slider."""
        self.interpretText()
        self.setValue(self._scale.stepped(self.value(), steps))
        self.selectAll()

    def sizeHint(self) -> QSize:
        """Return room for four digits in every notation."""
        return self._room()

    def minimumSizeHint(self) -> QSize:
        """Return the same: a number cut off is a wrong number."""
        return self._room()

    def _room(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance("-0.001234") + 20
        return QSize(width, max(self.fontMetrics().height() + 10, 26))
