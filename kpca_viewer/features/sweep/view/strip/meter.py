"""Meter: from almost linear to every point for itself, as a bar and in words."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.engine.sweep.scoring import WORDS
from kpca_viewer.widgets.theme import LIGHT, Theme

BAR = 54
GAP = 6


class Meter(QWidget):
    """A small scale with a knob, and what its place means."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sweep_meter")
        self.setToolTip(
            "From linear PCA (left) to a kernel in which every point is alone (right); "
            "structure is in between"
        )
        self._theme = LIGHT
        self._value: tuple[float, str] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_value(self, value: tuple[float, str] | None) -> None:
        """Show a place from 0 to 1 and its words; None shows nothing."""
        if value != self._value:
            self._value = value
            self.setAccessibleName("" if value is None else value[1])
            self.update()

    def text(self) -> str:
        return "" if self._value is None else self._value[1]

    def sizeHint(self) -> QSize:
        """Return room for the longest words, so that nothing moves."""
        widest = max(self.fontMetrics().horizontalAdvance(word) for word in WORDS)
        return QSize(BAR + GAP + widest + 10, 24)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the scale, the knob and the words."""
        if self._value is None:
            return
        position, words = self._value
        theme = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            track = QRectF(4, self.height() / 2 - 2, BAR, 4)
            shades = QLinearGradient(track.topLeft(), track.topRight())
            # Both ends are grey: what is worth looking at lies in the middle.
            shades.setColorAt(0.0, QColor(theme.groove))
            shades.setColorAt(0.5, QColor(theme.accent))
            shades.setColorAt(1.0, QColor(theme.groove))
            painter.setBrush(shades)
            painter.drawRoundedRect(track, 2, 2)
            painter.setBrush(QColor(theme.text))
            x = track.left() + position * track.width()
            painter.drawRoundedRect(QRectF(x - 2, track.center().y() - 6, 4, 12), 2, 2)
            painter.setPen(QColor(theme.text))
            room = self.rect().adjusted(4 + BAR + GAP, 0, 0, 0)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), words)
