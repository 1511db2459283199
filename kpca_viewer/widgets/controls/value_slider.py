"""ValueSlider, the bare slider of a NumberRow, and the scale of its values."""

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSlider

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.widgets.controls.behaviour import WheelGuard
from kpca_viewer.widgets.theme import theme_of

STEPS = 1000
SINGLE_STEP = 0.02
PAGE_STEP = 0.1
FINE = 0.1
"""What a gesture with Shift moves, of what it moves without."""


def rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}") if math.isfinite(value) else value


class SliderScale:
    """Maps positions ``0 … last`` to the values of a parameter.

    Values come out round (three significant digits on a logarithmic scale, a thousandth
    of the range on a linear one), with a digit more for fine gestures: a slider is for
    finding a place, the field beside it for naming an exact number.
    """

    def __init__(self, parameter: Parameter) -> None:
        self.low, self.high = float(parameter.low), float(parameter.high)
        self.integer = parameter.scale == "integer"
        # Over such a span of whole numbers a linear slider would leave the lower
        # hundreds to its first few pixels.
        wide = self.integer and self.low > 0 and self.high / self.low >= 100
        self.logarithmic = parameter.scale == "log" or wide
        span = self.high - self.low
        small = self.integer and not wide and span <= STEPS
        self.last = int(span) if small else STEPS
        self._digits = max(0, 3 - math.floor(math.log10(span))) if span > 0 else 0

    @property
    def single_step(self) -> int:
        return max(1, round(SINGLE_STEP * self.last))

    @property
    def page_step(self) -> int:
        return max(1, round(PAGE_STEP * self.last))

    def position(self, value: float) -> int:
        """Return the nearest position; the ends for values outside the range."""
        if self.last == 0:
            return 0
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(share * self.last)

    def value(self, position: int) -> float:
        # The ends exactly, whatever rounding would make of them.
        if position <= 0:
            return self.low
        if position >= self.last:
            return self.high
        share = position / self.last
        if self.logarithmic:
            return self.tidy(self.low * (self.high / self.low) ** share)
        return self.tidy(self.low + (self.high - self.low) * share)

    def stepped(self, value: float, steps: int, *, fine: bool = False) -> float:
        """Return the value so many arrow keys away, also outside the range."""
        step = SINGLE_STEP * FINE if fine else SINGLE_STEP
        there = self.tidy(self.moved(value, step * steps), fine=fine)
        if self.integer and there == value:
            return value + math.copysign(1, steps)
        return there

    def moved(self, value: float, share: float) -> float:
        """Return what lies a share of the range away, with all digits."""
        if self.logarithmic and value > 0:
            return value * (self.high / self.low) ** share
        return value + share * (self.high - self.low)

    def tidy(self, value: float, *, fine: bool = False) -> float:
        if self.logarithmic:
            value = rounded(value, 4 if fine else 3)
            return float(round(value)) if self.integer else value
        if self.integer:
            return float(round(value))
        return round(value, self._digits + fine)


MARGIN = 10.0
RADIUS = 6.5
GROOVE = 4.0
ARROWS: dict[int, int] = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
}


class ValueSlider(QSlider):
    """A horizontal slider that jumps to the pointer and shows a suggested place."""

    reset_requested = Signal()
    """The slider was double-clicked."""
    fine_stepped = Signal(int)
    """Fine steps by keys or wheel, with Shift."""
    fine_dragged = Signal(float)
    """By which share of the range a drag with Shift moves the value."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._mark: int | None = None
        self._origin = 0
        self._turned = 0
        self.was_dragged = False
        self._pointer = 0.0
        self._slip = 0.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        WheelGuard(self)

    def set_mark(self, position: int | None) -> None:
        self._mark = position
        self.update()

    def set_origin(self, position: int) -> None:
        """Let the filled part of the groove begin at a position, such as zero."""
        self._origin = position
        self.update()

    def mark(self) -> int | None:
        return self._mark

    def x_of(self, position: int) -> float:
        share = (position - self.minimum()) / max(1, self.maximum() - self.minimum())
        return MARGIN + share * (self.width() - 2 * MARGIN)

    def _position_at(self, x: float) -> int:
        share = (x - MARGIN) / max(1.0, self.width() - 2 * MARGIN)
        share = min(max(share, 0.0), 1.0)
        return self.minimum() + round(share * (self.maximum() - self.minimum()))

    def sizeHint(self) -> QSize:
        return QSize(120, 24)

    def minimumSizeHint(self) -> QSize:
        return QSize(44, 24)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.was_dragged = False
        self.setSliderDown(True)
        x = self._pointer = event.position().x()
        self._slip = 0.0
        # Taking hold of the handle must not move it by a pixel.
        if abs(x - self.x_of(self.sliderPosition())) > RADIUS:
            self.setSliderPosition(self._position_at(x))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.was_dragged = True
            x = event.position().x()
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                room = max(1.0, self.width() - 2 * MARGIN)
                self.fine_dragged.emit(FINE * (x - self._pointer) / room)
                # Without Shift, the drag goes on from where the handle is by then.
                self._slip = x - self.x_of(self.sliderPosition())
            else:
                self.setSliderPosition(self._position_at(x - self._slip))
            self._pointer = x
            event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderDown(False)
            self.update()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.reset_requested.emit()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Take one step a notch; collect the crumbs that touch pads send."""
        delta = event.angleDelta()
        self._turned += delta.y() or delta.x()
        notches = int(self._turned / 120)
        self._turned -= notches * 120
        if notches and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.fine_stepped.emit(notches)
        elif notches:
            self.setValue(self.value() + notches * self.singleStep())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(event.key(), 0)
        if step and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.fine_stepped.emit(step)
            event.accept()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._turned = 0
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        enabled = self.isEnabled()
        accent = QColor(theme.accent if enabled else theme.disabled)
        middle = self.height() / 2
        handle = QPointF(self.x_of(self.sliderPosition()), middle)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)

            painter.setBrush(QColor(theme.groove))
            top = middle - GROOVE / 2
            groove = QRectF(MARGIN, top, self.width() - 2 * MARGIN, GROOVE)
            painter.drawRoundedRect(groove, GROOVE / 2, GROOVE / 2)
            if enabled:
                start = self.x_of(self._origin)
                painter.setBrush(accent)
                filled = QRectF(start, top, handle.x() - start, GROOVE).normalized()
                painter.drawRoundedRect(filled, GROOVE / 2, GROOVE / 2)
            if self._mark is not None:
                painter.setBrush(QColor(theme.muted if enabled else theme.disabled))
                tick = QRectF(self.x_of(self._mark) - 1, middle - 7, 2, 14)
                painter.drawRoundedRect(tick, 1, 1)

            if self.hasFocus():
                painter.setPen(QPen(accent, 2))
                painter.setBrush(QColor(theme.card))
                painter.drawEllipse(handle, RADIUS + 2.5, RADIUS + 2.5)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(accent)
                painter.drawEllipse(handle, RADIUS - 1, RADIUS - 1)
            else:
                live = enabled and (self.underMouse() or self.isSliderDown())
                painter.setPen(QPen(accent, 2))
                painter.setBrush(accent if live else QColor(theme.card))
                painter.drawEllipse(handle, RADIUS - 1, RADIUS - 1)
