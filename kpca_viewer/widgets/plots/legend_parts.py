"""The parts of legends: entries, a scale of colours, sizes."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.plots.axes import hairline
from kpca_viewer.widgets.plots.coloring import Sizes, sequential
from kpca_viewer.widgets.plots.sprites import (
    NORMAL,
    SIZES,
    Palette,
    point_brush,
    shape_path,
)
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import LIGHT, Theme

_PAD, _SWATCH = 8, 9.0


def line_height() -> int:
    return round(24 * type_scale())


def scale_height() -> int:
    """Return the height of a scale of numbers with its texts."""
    return 16 + round(24 * type_scale())


class LegendEntry(QWidget):
    """One class: its swatch and its name."""

    clicked = Signal(object)
    double_clicked = Signal(object)
    key_pressed = Signal(object, object)

    def __init__(self, code: int, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.code, self.name = code, " ".join(name.split())
        self.shown = True
        self._theme = LIGHT
        self._palette: Palette | None = None
        self._column = 0
        self._double = False
        self.setObjectName(f"legend_entry_{code}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_shown(True)

    def dress(self, theme: Theme, palette: Palette) -> None:
        """Take the colours of a theme and of the classes."""
        self._theme, self._palette = theme, palette
        self._column = int(palette.columns(np.array([self.code]))[0])
        self.update()

    def set_shown(self, shown: bool) -> None:
        """Say whether the class is shown or hidden."""
        self.shown = shown
        self.setAccessibleName(f"{self.name}, {'shown' if shown else 'hidden'}")
        verb = "hides" if shown else "shows"
        self.setToolTip(
            f"{plain_tip(self.name)}\nA click {verb} it, a double-click isolates it"
        )
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for the swatch and the name."""
        width = math.ceil(text_width(self.name, plot_font())) + 3 * _PAD + int(_SWATCH)
        return QSize(min(width, round(180 * type_scale())), line_height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Wait for the release."""
        self._double = False
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of a click."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        # The release that ends a double-click is not another click.
        if self._double:
            self._double = False
        elif self.rect().contains(event.position().toPoint()):
            self.clicked.emit(self.code)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Tell of a double-click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._double = True
            self.double_clicked.emit(self.code)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Not left to the parents: a scroll area would take the arrow keys.
        event.ignore()
        self.key_pressed.emit(self.code, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the swatch and the name."""
        palette, theme = self._palette, self._theme
        if palette is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = self.height() / 2
            painter.save()
            painter.translate(_PAD + _SWATCH / 2, middle)
            brush = point_brush(palette, self._column, NORMAL.body)
            shape = shape_path(int(palette.shapes[self._column]), _SWATCH / 2)
            if self.shown:
                painter.fillPath(shape, brush)
            else:
                painter.strokePath(shape, QPen(QColor(theme.disabled), 1.2))
            painter.restore()
            font = plot_font()
            font.setStrikeOut(not self.shown)
            painter.setFont(font)
            painter.setPen(QColor(theme.text if self.shown else theme.muted))
            left = 2 * _PAD + _SWATCH
            room = self.width() - left - _PAD + 2
            draw_text(
                painter, QPointF(left, middle), elided(self.name, font, room), 0.0, 0.5
            )
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(
                    QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6
                )


class LegendScale(QWidget):
    """A colour scale from the lowest to the highest value."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self.name, self.ends = "", ("", "")

    def show_scale(self, name: str, low: float, high: float, theme: Theme) -> None:
        """Show what the colours mean, from ``low`` to ``high``."""
        self.name, self._theme = " ".join(name.split()), theme
        self.ends = (ungrouped(low), ungrouped(high))
        self.setAccessibleName(f"{self.name} from {self.ends[0]} to {self.ends[1]}")
        self.setToolTip(plain_tip(self.name))
        self.update()

    def bar_rect(self) -> QRect:
        return QRect(_PAD, scale_height() - 16, max(self.width() - 2 * _PAD, 1), 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the colours and their ends."""
        theme, bar = self._theme, self.bar_rect()
        with QPainter(self) as painter:
            table = np.ascontiguousarray(sequential())
            strip = QImage(table.data, len(table), 1, QImage.Format.Format_RGB888)
            painter.drawImage(bar, strip)
            painter.setPen(hairline(theme.outline))
            painter.drawRect(bar.adjusted(-1, -1, 0, 0))
            font = plot_font()
            painter.setFont(font)
            painter.setPen(QColor(theme.muted))
            y = (bar.top() - 1) / 2
            low, high = self.ends
            draw_text(painter, QPointF(bar.left(), y), low, 0.0, 0.5)
            draw_text(painter, QPointF(bar.right() + 1, y), high, 1.0, 0.5)
            painter.setPen(QColor(theme.text))
            taken = 2 * max(text_width(low, font), text_width(high, font)) + 16
            name = elided(self.name, font, bar.width() - taken)
            draw_text(painter, QPointF(bar.center().x(), y), name, 0.5, 0.5)


_USUAL = 7.0
"""Diameter of a point of the usual size."""


class SizeLegend(QWidget):
    """Says which number is how large; hidden where sizes mean nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("size_legend")
        self._theme = LIGHT
        self.title, self.ends = "", ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_sizes(self, sizes: Sizes | None, theme: Theme) -> None:
        """Say what the sizes mean; None for nothing."""
        self._theme = theme
        if sizes is not None:
            self.title = sizes.title
            self.ends = ungrouped(sizes.low), ungrouped(sizes.high)
            text = f"Size by {self.title}, from {self.ends[0]} to {self.ends[1]}"
            self.setAccessibleName(text)
            self.setToolTip(plain_tip(text))
        self.setVisible(sizes is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, line_height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the title, and both ends as points with their numbers."""
        theme, font = self._theme, plot_font()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            middle, x, title = self.height() / 2, float(_PAD), f"{self.title}:"
            painter.setPen(QColor(theme.muted))
            draw_text(painter, QPointF(x, middle), title, 0.0, 0.5)
            x += text_width(title, font) + _PAD
            for text, scale in zip(self.ends, SIZES.scales[[0, -1]], strict=True):
                radius = _USUAL * type_scale() * float(scale) / 2
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.muted))
                painter.drawEllipse(QPointF(x + radius, middle), radius, radius)
                x += 2 * radius + _PAD / 2
                painter.setPen(QColor(theme.text))
                draw_text(painter, QPointF(x, middle), text, 0.0, 0.5)
                x += text_width(text, font) + 2 * _PAD
