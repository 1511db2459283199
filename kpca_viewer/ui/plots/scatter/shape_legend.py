"""Which shape means what, in one line."""

import math

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.ui.controls.plain_tip import plain_tip
from kpca_viewer.ui.look.theme import LIGHT, Theme
from kpca_viewer.ui.plots.scatter.legend_parts import line_height
from kpca_viewer.ui.plots.shapes import SHAPE_COUNT, shape_path
from kpca_viewer.ui.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)

_PAD, _SWATCH = 8.0, 9.0


class ShapeLegend(QWidget):
    """Names the shapes of the points; hidden where they mean nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shape_legend")
        self._title = ""
        self._names: tuple[str, ...] = ()
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def names(self) -> tuple[str, ...]:
        """What the shapes stand for, the first one first; "" for those left out."""
        return self._names

    def show_shapes(self, title: str, names: tuple[str, ...], theme: Theme) -> None:
        """Say what the shapes mean; nothing for no names."""
        self._title, self._names, self._theme = title, names, theme
        text = f"Shape by {title}: {', '.join(filter(None, self._entries()))}"
        self.setAccessibleName(text)
        self.setToolTip(plain_tip(text))
        self.setVisible(bool(names))
        self.updateGeometry()
        self.update()

    def _entries(self) -> list[str]:
        """Return what stands at each shape; more categories share the shapes."""
        return [
            ", ".join(
                " ".join(name.split()) for name in self._names[k::SHAPE_COUNT] if name
            )
            for k in range(min(len(self._names), SHAPE_COUNT))
        ]

    def sizeHint(self) -> QSize:
        """Return one line."""
        return QSize(80, line_height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw title, shapes and names, as many as there is room for."""
        painter, theme, font = QPainter(self), self._theme, plot_font()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        middle, x = self.height() / 2, _PAD
        room = max(self.width() - 2 * _PAD, 0.0)
        title = elided(f"{self._title}:", font, min(room / 3, 140 * type_scale()))
        painter.setPen(QColor(theme.muted))
        draw_text(painter, QPointF(x, middle), title, 0.0, 0.5)
        x += text_width(title, font) + _PAD
        for shape, name in enumerate(self._entries()):
            if not name:
                continue
            left = self.width() - _PAD - x - _SWATCH - _PAD / 2
            if left < _SWATCH:
                break
            text = elided(name, font, min(left, 120 * type_scale()))
            path = shape_path(shape, _SWATCH / 2).translated(x + _SWATCH / 2, middle)
            painter.fillPath(path, QColor(theme.muted))
            painter.setPen(QColor(theme.text))
            x += _SWATCH + _PAD / 2
            draw_text(painter, QPointF(x, middle), text, 0.0, 0.5)
            x += math.ceil(text_width(text, font)) + 2 * _PAD
        painter.end()
