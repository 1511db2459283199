"""The frame around a plot that the keyboard is at."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from kpca_viewer.widgets.theme import theme_of

_BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class FocusMark:
    """Shown while the keyboard is used; with the mouse, the pointer shows the place.

    Parameters
    ----------
    surface : QWidget
        What the frame is drawn on.
    """

    def __init__(self, surface: QWidget) -> None:
        self._surface = surface
        self._shown = False

    @property
    def shown(self) -> bool:
        return self._shown

    def focus_came(self, reason: Qt.FocusReason) -> None:
        """Show the frame if a key brought the focus."""
        self.show(reason in _BY_KEYS)

    def show(self, shown: bool) -> None:
        """Show or hide the frame."""
        if shown != self._shown:
            self._shown = shown
            self._surface.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the frame just inside the surface, if it is shown."""
        if not self._shown:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme_of(self._surface.palette()).accent), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        frame = QRectF(self._surface.rect()).adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(frame, 4, 4)
        painter.restore()
