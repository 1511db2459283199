"""NumberField: an exact number, typed in whatever way people type numbers."""

import math
import re

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QValidator,
    QWheelEvent,
)
from PySide6.QtWidgets import QDialog, QDoubleSpinBox

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.support.numerals import counted, editable, with_minus
from kpca_viewer.widgets.controls.behaviour import WheelGuard
from kpca_viewer.widgets.controls.value_slider import SliderScale

_HISTORY = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_UP_DOWN: dict[int, int] = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_LONGEST_QUOTE = 24


def default_limits(parameter: Parameter) -> tuple[float, float]:
    more = 1e6 if parameter.scale == "log" else 1.0
    return parameter.low / more, parameter.high * more


class NumberField(QDoubleSpinBox):
    """A spin box without arrows that accepts ``1e-3``, ``0.5`` and ``0,5``.

    It shows four significant digits but keeps the exact value: leaving the field
    without typing changes nothing. What is no number, or none inside the limits, is
    marked while it is typed; entered, it is refused in a sentence and the value stays.
    Undo and redo belong to the window unless something is half typed. Enter and Escape
    end the typing: the keys are the window's again, and a digit is one of its
    shortcuts. In a dialog, which has no such keys, they only end what is half typed.
    By default the limits are the range of the parameter, and six decades more in each
    direction on a logarithmic scale.
    """

    refused = Signal(str)
    """Why a text was not taken, and what holds instead."""

    # Qt asks for texts while the base class is still being built.
    _integer = False

    def __init__(
        self, parameter: Parameter, limits: tuple[float, float] | None = None
    ) -> None:
        super().__init__()
        self._scale = SliderScale(parameter)
        self._integer = self._scale.integer
        self._was_refused = False
        self._why = ""
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

    def set_limits(self, parameter: Parameter, why: str = "") -> None:
        """Accept the range of a parameter and no more; ``why`` ends the refusal.

        For example "12 rows have no more".
        """
        self._scale, self._why = SliderScale(parameter), why
        self.setRange(parameter.low, parameter.high)

    def widen(self, parameter: Parameter) -> None:
        """Step along the range of a parameter; more may be typed than before."""
        self._scale = SliderScale(parameter)
        low, high = default_limits(parameter)
        self.setRange(min(low, self.minimum()), max(high, self.maximum()))

    def _on_editing_finished(self) -> None:
        self._mark(self.text())

    def _mark(self, text: str) -> None:
        invalid = bool(self._objection(text))
        if bool(self.property("invalid")) != invalid:
            self.setProperty("invalid", invalid)
            self.style().unpolish(self)
            self.style().polish(self)

    def textFromValue(self, value: float) -> str:
        return str(round(value)) if self._integer else editable(value)

    def valueFromText(self, text: str) -> float:
        # What was shown and left alone is the exact value, not its short text.
        value = parse_number(text, self._integer)
        if value is None or not self._is_typed(text):
            return self.value()
        return value

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Let everything be typed; accept what can be taken."""
        if self._objection(text):
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    def fixup(self, text: str) -> str:
        """Say why a text that was entered is not taken."""
        if objection := self._objection(text):
            self._was_refused = True
            self.refused.emit(f"{objection} stays {self.textFromValue(self.value())}.")
        return text

    def _is_typed(self, text: str) -> bool:
        return text != self.textFromValue(self.value())

    def _objection(self, text: str) -> str:
        """Return the beginning of a sentence against a text, or nothing."""
        if not self._is_typed(text):
            return ""
        name, value = self.accessibleName(), parse_number(text, self._integer)
        if value is None:
            quote = text.strip()
            if len(quote) > _LONGEST_QUOTE:
                quote = f"{quote[:_LONGEST_QUOTE]}…"
            return f"“{quote}” is not a number; {name}" if quote else name
        low, high = self.minimum(), self.maximum()
        if not low <= value <= high:
            ends = f"{_limit_text(low)} and {_limit_text(high)}"
            because = f" ({self._why})" if self._why else ""
            if low == high:
                return f"{name} cannot be anything else{because}; it"
            return f"{name} must be between {ends}{because}; it"
        if self._integer and value != round(value):
            return f"{name} must be a whole number; it"
        return ""

    def stepBy(self, steps: int, *, fine: bool = False) -> None:
        self.interpretText()
        self.setValue(self._scale.stepped(self.value(), steps, fine=fine))
        self.selectAll()

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() // 120
        if notches and event.modifiers() & _SHIFT:
            self.stepBy(notches, fine=True)
            event.accept()
        else:
            super().wheelEvent(event)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window, and take Escape before it does."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(
            event, QKeyEvent
        ):
            if self._is_history(event):
                event.ignore()
                return False
            if event.key() == Qt.Key.Key_Escape and self._ends_typing():
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_history(event):
            event.ignore()
        elif event.key() in _ENTER and self._ends_typing():
            self._was_refused = False
            super().keyPressEvent(event)
            # Dialogs would take it for their button as well.
            event.accept()
            if not self._was_refused:
                self._let_go()
        elif event.key() == Qt.Key.Key_Escape and self._ends_typing():
            self._forget_typed()
            event.accept()
            self._let_go()
        elif event.key() in _UP_DOWN and event.modifiers() & _SHIFT:
            self.stepBy(_UP_DOWN[event.key()], fine=True)
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take what was typed, unless the field lost the keys by being switched off."""
        if not self.isEnabled():
            self._forget_typed()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget what is half typed: Qt would take it for whatever comes instead."""
        if not event.spontaneous():
            self._forget_typed()
        super().hideEvent(event)

    def _forget_typed(self) -> None:
        self.lineEdit().setText(self.textFromValue(self.value()))

    def _ends_typing(self) -> bool:
        """Whether Enter and Escape are for this field."""
        return not self._in_dialog() or self._is_typed(self.lineEdit().text())

    def _let_go(self) -> None:
        if self._in_dialog():
            self.selectAll()
        else:
            self.clearFocus()

    def _in_dialog(self) -> bool:
        return isinstance(self.window(), QDialog)

    def _is_history(self, event: QKeyEvent) -> bool:
        undoes = any(event.matches(key) for key in _HISTORY)
        return undoes and not self._is_typed(self.lineEdit().text())

    def minimumSizeHint(self) -> QSize:
        """Return the same as the usual: a number cut off is a wrong number."""
        return self.sizeHint()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance("-0.001234") + 20
        return QSize(width, max(self.fontMetrics().height() + 10, 26))


def _limit_text(value: float) -> str:
    whole = value == round(value) and abs(value) < 1e7
    return counted(value) if whole else editable(value)


_THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,]\d{3})+")


def parse_number(text: str, integer: bool = False) -> float | None:
    """Return what a person meant, or None.

    Accepts ``1e-3``, ``0.5``, ``0,5``, ``1.234,5``, ``1,234.5`` and spaces between
    digits. A single comma or point divides decimals, except where whole numbers are
    expected: there ``2,000`` is two thousand.
    """
    text = with_minus(re.sub(r"[\s'’]", "", text))
    last = max(text.rfind(","), text.rfind("."))
    mark = text[last] if last >= 0 else ""
    other = "." if mark == "," else ","
    grouped = integer or text.count(mark) > 1
    if mark and other not in text and grouped and _THOUSANDS.fullmatch(text):
        text = text.replace(mark, "")
    text = text.replace(other, "").replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
