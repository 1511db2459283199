"""What the size of a point means: one line with the smallest and the largest."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.plots.coloring import Sizes
from kpca_viewer.widgets.plots.scatter.legend_parts import line_height
from kpca_viewer.widgets.plots.sprites import SIZES
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width, type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

_PAD = 8.0
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
            middle, x, title = self.height() / 2, _PAD, f"{self.title}:"
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
