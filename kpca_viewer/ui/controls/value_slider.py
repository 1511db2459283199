"""ValueSlider: the bare slider of a NumberRow, painted here, not by the style."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSlider, QWidget

from kpca_viewer.ui.controls.wheel import WheelGuard
from kpca_viewer.ui.look.theme import theme_of

MARGIN = 10.0
RADIUS = 6.5
GROOVE = 4.0


class ValueSlider(QSlider):
    """A horizontal slider that jumps to the pointer and shows a suggested place."""

    reset_requested = Signal()
    """The slider was double-clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._mark: int | None = None
        self._origin = 0
        self._turned = 0
        self._dragged = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        WheelGuard(self)

    def set_mark(self, position: int | None) -> None:
        """Show a small tick at a position, or none."""
        self._mark = position
        self.update()

    def set_origin(self, position: int) -> None:
        """Let the filled part of the groove begin at a position, such as zero."""
        self._origin = position
        self.update()

    def mark(self) -> int | None:
        """Return the position of the tick."""
        return self._mark

    def was_dragged(self) -> bool:
        """Return whether the pointer has moved since the button went down."""
        return self._dragged

    def x_of(self, position: int) -> float:
        """Return where a position lies, in pixels from the left."""
        share = (position - self.minimum()) / max(1, self.maximum() - self.minimum())
        return MARGIN + share * (self.width() - 2 * MARGIN)

    def _position_at(self, x: float) -> int:
        share = (x - MARGIN) / max(1.0, self.width() - 2 * MARGIN)
        share = min(max(share, 0.0), 1.0)
        return self.minimum() + round(share * (self.maximum() - self.minimum()))

    def sizeHint(self) -> QSize:
        """Return a comfortable length."""
        return QSize(120, 24)

    def minimumSizeHint(self) -> QSize:
        """Return the length below which aiming is no use."""
        return QSize(44, 24)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the pointer and begin a drag."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._dragged = False
        self.setSliderDown(True)
        # Taking hold of the handle must not move it by a pixel.
        x = event.position().x()
        if abs(x - self.x_of(self.sliderPosition())) > RADIUS:
            self.setSliderPosition(self._position_at(x))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        if self.isSliderDown():
            self._dragged = True
            self.setSliderPosition(self._position_at(event.position().x()))
            event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        if self.isSliderDown():
            self.setSliderDown(False)
            self.update()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for the suggested value."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.reset_requested.emit()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Take one step a notch; collect the crumbs that touch pads send."""
        delta = event.angleDelta()
        self._turned += delta.y() or delta.x()
        notches = int(self._turned / 120)
        self._turned -= notches * 120
        if notches:
            self.setValue(self.value() + notches * self.singleStep())
        event.accept()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Let the handle answer to the pointer."""
        self._turned = 0
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Let the handle go back."""
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the groove, its filled part, the tick and the handle."""
        theme = theme_of(self.palette())
        enabled = self.isEnabled()
        accent = QColor(theme.accent if enabled else theme.disabled)
        middle = self.height() / 2
        handle = QPointF(self.x_of(self.sliderPosition()), middle)
        painter = QPainter(self)
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
        painter.end()
