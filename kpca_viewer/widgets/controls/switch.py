"""Switch: a check box that looks like a switch."""

from math import ceil

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from kpca_viewer.widgets.icons import INK
from kpca_viewer.widgets.theme import theme_of

TRACK = QSize(30, 16)
GAP = 8
EDGE = 3
"""Room around the track for the focus ring."""


class Switch(QCheckBox):
    """On or off, with effect at once.

    Signals and methods are those of QCheckBox; the text is plain.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """Return room for the track and the text."""
        # Rounded down, the last letter would make way for three dots.
        metrics = QFontMetricsF(self.font())
        text = ceil(metrics.horizontalAdvance(self.text())) + GAP if self.text() else 0
        height = max(TRACK.height() + 2 * EDGE, ceil(metrics.height()), 24)
        return QSize(TRACK.width() + 2 * EDGE + text, height)

    def minimumSizeHint(self) -> QSize:
        """Return room for the track alone; the text is shortened."""
        return QSize(TRACK.width() + 2 * EDGE, self.sizeHint().height())

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the track, the knob and the text."""
        theme = theme_of(self.palette())
        on, enabled = self.isChecked(), self.isEnabled()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            top = (self.height() - TRACK.height()) / 2
            track = QRectF(EDGE, top, TRACK.width(), TRACK.height())
            radius = track.height() / 2
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme.accent), 1.6))
                ring = track.adjusted(-2.2, -2.2, 2.2, 2.2)
                painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)

            painter.setPen(Qt.PenStyle.NoPen)
            if not enabled:
                painter.setBrush(QColor(theme.border))
            elif on:
                painter.setBrush(QColor(theme.accent))
            else:
                painter.setBrush(QColor(INK))
            painter.drawRoundedRect(track, radius, radius)
            knob = track.right() - radius if on else track.left() + radius
            painter.setBrush(QColor(theme.card if enabled else theme.disabled))
            painter.drawEllipse(
                QPointF(knob, track.center().y()), radius - 3, radius - 3
            )

            painter.setPen(QColor(theme.text if enabled else theme.disabled))
            left = TRACK.width() + 2 * EDGE + GAP
            room = self.rect().adjusted(left, 0, 0, 0)
            text = self.fontMetrics().elidedText(
                self.text(), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), text)
