"""The parts of legends: entries, a scale of colours, sizes."""

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
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
    SHAPE_COUNT,
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
_MOST_LISTED = 30
"""Lines of a tooltip."""


def line_height() -> int:
    return round(24 * type_scale())


def scale_height() -> int:
    return 16 + round(24 * type_scale())


class LegendEntry(QWidget):
    """One class: its swatch and its name."""

    clicked = Signal(object)
    double_clicked = Signal(object)
    key_pressed = Signal(object, object)
    hovered = Signal(object)
    """Its code, or None when the pointer leaves."""

    def __init__(self, code: int, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.code, self.name = code, " ".join(name.split())
        self.text = self.name
        self.shown = True
        self._theme = LIGHT
        self._palette: Palette | None = None
        self._column = 0
        self._double = False
        self._about: Sequence[str] = ()
        self.setObjectName(f"legend_entry_{code}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_shown(True)

    def dress(self, theme: Theme, palette: Palette, member: int) -> None:
        """Take the colours of a theme, and of one of the classes it stands for."""
        self._theme, self._palette = theme, palette
        self._column = int(palette.columns(np.array([member]))[0])
        self.update()

    def set_about(self, lines: Sequence[str]) -> None:
        """List in the tooltip what it stands for."""
        self._about = lines
        self.set_shown(self.shown)

    def set_shown(self, shown: bool) -> None:
        self.shown = shown
        self.setAccessibleName(f"{self.name}, {'shown' if shown else 'hidden'}")
        verb = "hides" if shown else "shows"
        listed = [*self._about[:_MOST_LISTED]]
        if len(self._about) > _MOST_LISTED:
            listed.append(f"… and {len(self._about) - _MOST_LISTED} more")
        text = "\n".join((self.name, *listed))
        self.setToolTip(
            f"{plain_tip(text)}\nA click {verb} it, a double-click isolates it"
        )
        self.update()

    def sizeHint(self) -> QSize:
        width = math.ceil(text_width(self.name, plot_font())) + 3 * _PAD + int(_SWATCH)
        return QSize(width, line_height())

    @staticmethod
    def text_room(width: int) -> float:
        """Return what an entry of a width leaves to its name."""
        return width - 3 * _PAD - _SWATCH + 2

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._double = False
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        # The release that ends a double-click is not another click.
        if self._double:
            self._double = False
        elif self.rect().contains(event.position().toPoint()):
            self.clicked.emit(self.code)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._double = True
            self.double_clicked.emit(self.code)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.hovered.emit(self.code)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None)

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
            draw_text(painter, QPointF(left, middle), self.text, 0.0, 0.5)
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

    def show_scale(self, name: str, ends: tuple[str, str], theme: Theme) -> None:
        self.name, self._theme, self.ends = " ".join(name.split()), theme, ends
        self.setAccessibleName(f"{self.name} from {self.ends[0]} to {self.ends[1]}")
        self.setToolTip(plain_tip(self.name))
        self.update()

    def needed_height(self, width: int) -> int:
        """Return the height for a width: a long name has a line above the ends."""
        line = 0 if self._has_room(width) else round(20 * type_scale())
        return scale_height() + line

    def _has_room(self, width: int) -> bool:
        font = plot_font()
        needed = 2 * max(text_width(end, font) for end in self.ends) + 16
        return text_width(self.name, font) + needed <= width - 2 * _PAD

    def bar_rect(self) -> QRect:
        bottom = self.needed_height(self.width())
        return QRect(_PAD, bottom - 16, max(self.width() - 2 * _PAD, 1), 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, bar = self._theme, self.bar_rect()
        with QPainter(self) as painter:
            table = np.ascontiguousarray(sequential())
            strip = QImage(table.data, len(table), 1, QImage.Format.Format_RGB888)
            painter.drawImage(bar, strip)
            painter.setPen(hairline(theme.outline))
            painter.drawRect(bar.adjusted(-1, -1, 0, 0))
            font = plot_font()
            low, high = self.ends
            room = bar.width() - 8
            small = text_width(low, font) + text_width(high, font) > room
            painter.setFont(plot_font(pixels=10) if small else font)
            painter.setPen(QColor(theme.muted))
            y = bar.top() - 1 - (scale_height() - 17) / 2
            draw_text(painter, QPointF(bar.left(), y), low, 0.0, 0.5)
            draw_text(painter, QPointF(bar.right() + 1, y), high, 1.0, 0.5)
            painter.setFont(font)
            painter.setPen(QColor(theme.text))
            if self._has_room(self.width()):
                place = QPointF(bar.center().x(), y)
                draw_text(painter, place, self.name, 0.5, 0.5)
            else:
                place = QPointF(bar.left(), y - round(20 * type_scale()))
                name = elided(self.name, font, bar.width())
                draw_text(painter, place, name, 0.0, 0.5)


_USUAL = 7.0
"""Diameter of a point of the usual size."""


class MarkLegend(QWidget):
    """A line with marks and what they mean; hidden where they mean nothing."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.title = ""
        self._theme = LIGHT
        self._marks: Sequence[tuple[int, float, str]] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    def _show(
        self, title: str, marks: Sequence[tuple[int, float, str]], theme: Theme
    ) -> None:
        """Show marks, each a shape, a diameter and what it means."""
        self.title, self._marks, self._theme = title, marks, theme
        self.setToolTip(plain_tip(self.accessibleName()))
        self.setVisible(bool(marks))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, line_height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, font = self._theme, plot_font()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            middle, x = self.height() / 2, float(_PAD)
            room = max(self.width() - 2 * _PAD, 0.0)
            title = elided(f"{self.title}:", font, min(room / 3, 140 * type_scale()))
            painter.setPen(QColor(theme.muted))
            draw_text(painter, QPointF(x, middle), title, 0.0, 0.5)
            x += text_width(title, font) + _PAD
            for shape, diameter, name in self._marks:
                left = self.width() - _PAD - x - diameter - _PAD / 2
                if left < _SWATCH:
                    break
                path = shape_path(shape, diameter / 2)
                painter.fillPath(
                    path.translated(x + diameter / 2, middle), QColor(theme.muted)
                )
                x += diameter + _PAD / 2
                text = elided(name, font, min(left, 120 * type_scale()))
                painter.setPen(QColor(theme.text))
                draw_text(painter, QPointF(x, middle), text, 0.0, 0.5)
                x += math.ceil(text_width(text, font)) + 2 * _PAD


class ShapeLegend(MarkLegend):
    """Names the shapes of the points."""

    def __init__(self) -> None:
        super().__init__("shape_legend")
        self.names: tuple[str, ...] = ()

    def show_shapes(self, title: str, names: tuple[str, ...], theme: Theme) -> None:
        """Say what each shape stands for, "" for those left out; nothing for none."""
        self.names = names
        # More categories share the shapes.
        shared = (names[k::SHAPE_COUNT] for k in range(min(len(names), SHAPE_COUNT)))
        texts = [", ".join(" ".join(n.split()) for n in each if n) for each in shared]
        self.setAccessibleName(f"Shape by {title}: {', '.join(filter(None, texts))}")
        marks = [(k, _SWATCH, text) for k, text in enumerate(texts) if text]
        self._show(title, marks, theme)


class SizeLegend(MarkLegend):
    """Says which number is how large."""

    def __init__(self) -> None:
        super().__init__("size_legend")
        self.ends = ("", "")

    def show_sizes(self, sizes: Sizes | None, theme: Theme) -> None:
        if sizes is None:
            self._show(self.title, (), theme)
            return
        self.ends = low, high = ungrouped(sizes.low), ungrouped(sizes.high)
        self.setAccessibleName(f"Size by {sizes.title}, from {low} to {high}")
        diameters = (_USUAL * type_scale() * SIZES.scales[[0, -1]]).tolist()
        marks = [(0, d, end) for d, end in zip(diameters, self.ends, strict=True)]
        self._show(sizes.title, marks, theme)
