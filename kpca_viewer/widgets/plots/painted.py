"""A plot that paints itself: the same picture on the screen and on paper."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from kpca_viewer.widgets.plots.frame import Frame
from kpca_viewer.widgets.plots.overlay import OverlayItem
from kpca_viewer.widgets.plots.text import printed_type
from kpca_viewer.widgets.theme import LIGHT, Theme, theme_of

_BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class FocusMark:
    """A frame on a surface while the keyboard is used; a mouse has its pointer."""

    def __init__(self, surface: QWidget) -> None:
        self._surface = surface
        self.shown = False

    def focus_came(self, reason: Qt.FocusReason) -> None:
        self.show(reason in _BY_KEYS)

    def show(self, shown: bool) -> None:
        if shown != self.shown:
            self.shown = shown
            self._surface.update()

    def draw(self, painter: QPainter) -> None:
        if not self.shown:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme_of(self._surface.palette()).accent), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        frame = QRectF(self._surface.rect()).adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(frame, 4, 4)
        painter.restore()


class PaintedPlot(QWidget):
    """The base of plots that are not scatters.

    Subclasses paint in `draw` and show what the mouse points at with `show_label`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT
        # Outside of any scene: it draws for this plot, so that labels look like those
        # of the scatters.
        self._overlay = OverlayItem(lambda: "")
        self.focus_mark = FocusMark(self)
        self.setMouseTracking(True)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._overlay.set_theme(theme)
        self.update()

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint everything into an area from the origin.

        Only ``live`` with what belongs to mouse and keyboard, which paper does not
        have.
        """
        raise NotImplementedError

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint the plot into a rectangle of any device, without a screen.

        The plot is laid out anew for the shape of the rectangle; texts keep their size
        relative to the view.
        """
        scale = min(rect.width() / self.width(), rect.height() / self.height())
        painter.save()
        painter.setClipRect(rect)
        if background:
            painter.fillRect(rect, QColor(self.theme.card))
        painter.translate(rect.topLeft())
        painter.scale(scale, scale)
        with printed_type():
            self.draw(painter, rect.size() / scale, live=False)
        painter.restore()

    def show_label(self, at: QPointF | None, text: str = "") -> None:
        # All of the view, margins too: small plots have no room to spare.
        self._overlay.set_frame(
            Frame(2, 2, self.width() - 4, self.height() - 4, (0.0, 1.0), (0.0, 1.0))
        )
        self._overlay.set_label(at, text)
        self.update()

    def label_lines(self) -> list[str]:
        return self._overlay.label_lines

    def label_box(self) -> QRectF:
        return self._overlay.label_box()

    def draw_label(self, painter: QPainter) -> None:
        self._overlay.paint(painter)

    def sizeHint(self) -> QSize:
        return QSize(420, 260)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 96)

    def leaveEvent(self, event: QEvent) -> None:
        self.show_label(None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_mark.focus_came(event.reason())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_mark.show(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.card))
            self.draw(painter, QSizeF(self.size()), live=True)
            self.focus_mark.draw(painter)
            self.draw_label(painter)


@contextmanager
def as_large_as(plot: QWidget, size: QSize) -> Iterator[None]:
    """Give a plot another size, for as long as it is painted on paper."""
    before = plot.geometry()
    plot.resize(size)
    try:
        yield
    finally:
        plot.setGeometry(before)
