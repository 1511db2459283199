"""What lies over the points: the lasso, the hover label, the caption, empty text."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from kpca_viewer.widgets.plots.axes import FramedItem, hairline
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)

_PAD = 8.0
_AWAY = 14.0  # pixels between a point and its label
_WIDEST, _MOST_LINES = 280.0, 12
_PICTURE = 64.0  # side of the square that a picture beside the words lies in
_BETWEEN = " · "  # parts of a line


class OverlayItem(FramedItem):
    """Short-lived drawings in pixels of the scene.

    Parameters
    ----------
    caption : callable
        Returns the small text in the corner; asked after the points are drawn, since
        only then it is known how.
    """

    def __init__(self, caption: Callable[[], str]) -> None:
        super().__init__()
        self._caption = caption
        self._outline = QPainterPath()
        self._label: tuple[QPointF, list[str]] | None = None
        self.picture: QImage | None = None
        self._empty_text = ""
        self._transient = True

    @property
    def outline(self) -> QPainterPath:
        return self._outline

    @property
    def label_lines(self) -> list[str]:
        """The lines of the hover label; empty when there is none."""
        return self._label[1] if self._label else []

    def set_outline(self, corners: Sequence[QPointF]) -> None:
        """Show the polygon of a running selection; no corners, no polygon."""
        self._outline = QPainterPath()
        if corners:
            self._outline.addPolygon(QPolygonF(list(corners)))
            self._outline.closeSubpath()
        self.update()

    def set_label(self, at: QPointF | None, text: str = "") -> None:
        """Show plain text beside a place; None hides it."""
        if self._label is None and (at is None or not text):
            return
        font, widest = plot_font(), _WIDEST * type_scale()
        if self._frame is not None:
            widest = min(widest, self._frame.width - 2 * _PAD)
        lines = [part for line in text.splitlines() for part in _broken(line, widest)]
        lines = [elided(line, font, widest) for line in lines[:_MOST_LINES]]
        self._label = (at, lines) if at is not None and lines else None
        self.picture = None
        self.update()

    def set_picture(self, picture: QImage | None) -> None:
        """Show a picture beside the words of the label, until it says something else.

        Parameters
        ----------
        picture : QImage or None
            Its pixels stay pixels, however few there are.
        """
        self.picture = picture
        self.update()

    @property
    def _picture_side(self) -> float:
        return 0.0 if self.picture is None else _PICTURE * type_scale()

    @property
    def empty_text(self) -> str:
        return self._empty_text

    def set_empty_text(self, text: str) -> None:
        """Say in the middle why there is nothing to see."""
        self._empty_text = text
        self.update()

    def set_transient(self, shown: bool) -> None:
        """Show or leave out what belongs to the mouse, as exports do."""
        self._transient = shown

    def label_box(self) -> QRectF:
        """Return the place of the label: right above the point, or where it fits."""
        if self._label is None or self._frame is None:
            return QRectF()
        at, lines = self._label
        frame, metrics = self._frame, QFontMetricsF(plot_font())
        width = max(metrics.horizontalAdvance(line) for line in lines)
        height = len(lines) * metrics.height() + 1.5 * _PAD
        if self.picture is not None:
            width += self._picture_side + _PAD
            height = max(height, self._picture_side + 2 * _PAD)
        size = QSizeF(width + 2 * _PAD, height)
        left, top = at.x() + _AWAY, at.y() - _AWAY - size.height()
        right = frame.left + frame.width
        if left + size.width() > right:
            left = at.x() - _AWAY - size.width()
        if top < frame.top:
            top = at.y() + _AWAY
        left = max(min(left, right - size.width()), frame.left)
        top = max(min(top, frame.top + frame.height - size.height()), frame.top)
        return QRectF(QPointF(left, top), size)

    def _draw_label(self, painter: QPainter, lines: list[str]) -> None:
        box = self.label_box()
        painter.setPen(hairline(self._theme.border))
        card = QColor(self._theme.card)
        card.setAlphaF(0.95)
        painter.setBrush(card)
        painter.drawRoundedRect(box, 6, 6)
        if self.picture is not None:
            corner = box.topLeft() + QPointF(_PAD, _PAD)
            side = self._picture_side
            where = fitted(self.picture, QRectF(corner, QSizeF(side, side)))
            painter.drawImage(where, self.picture)
            box.setLeft(box.left() + side + _PAD)
        painter.setFont(plot_font())
        height = QFontMetricsF(painter.font()).height()
        for index, line in enumerate(lines):
            # The first line names the row; the others are its values.
            painter.setPen(QColor(self._theme.muted if index else self._theme.text))
            top = box.top() + 0.75 * _PAD + index * height
            draw_text(painter, QPointF(box.left() + _PAD, top), line, 0.0, 0.0)

    def _draw_outline(self, painter: QPainter) -> None:
        accent = QColor(self._theme.accent)
        painter.setPen(QPen(accent, 1.4, Qt.PenStyle.SolidLine))
        accent.setAlphaF(0.12)
        painter.setBrush(accent)
        painter.drawPath(self._outline)

    def boundingRect(self) -> QRectF:
        frame = self._frame
        if frame is None:
            return QRectF()
        # A lasso may leave the frame; the margin covers everything beside it.
        rect = QRectF(frame.left, frame.top, frame.width, frame.height)
        return rect.adjusted(-400, -400, 400, 400)

    def paint(self, painter: QPainter, *args: object) -> None:
        frame = self._frame
        if frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(plot_font())
        painter.setPen(QColor(self._theme.muted))
        if self._empty_text:
            middle = QPointF(frame.left + frame.width / 2, frame.top + frame.height / 2)
            text = elided(self._empty_text, painter.font(), frame.width - 2 * _PAD)
            draw_text(painter, middle, text)
        caption = self._caption()
        if caption:
            painter.setFont(plot_font(pixels=11))
            corner = QPointF(frame.left + frame.width - 6, frame.top + 4)
            draw_text(painter, corner, caption, 1.0, 0.0, ground=self._theme.card)
        if self._transient and not self._outline.isEmpty():
            self._draw_outline(painter)
        if self._transient and self._label is not None:
            self._draw_label(painter, self.label_lines)


def _broken(line: str, widest: float) -> list[str]:
    """Return a line, or several where it is too wide, so that no number is cut."""
    font, lines = plot_font(), [""]
    for part in line.split(_BETWEEN):
        whole = f"{lines[-1]}{_BETWEEN}{part}" if lines[-1] else part
        if lines[-1] and text_width(whole, font) > widest:
            lines.append(part)
        else:
            lines[-1] = whole
    return lines
