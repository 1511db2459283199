"""TermBars: the terms of a sum as signed bars, the largest first."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.features.derivation.explanations import Term
from kpca_viewer.support.numerals import as_it_is
from kpca_viewer.widgets.plots.color_scales import STEPS, diverging
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font
from kpca_viewer.widgets.theme import LIGHT, Theme

_GAP = 8.0
_LEAST_BAR = 48.0


class TermBars(QWidget):
    """What a sum is made of: a label, a bar from zero and the value of every term."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("derivation_terms")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = LIGHT
        self._terms: tuple[Term, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        return self._terms

    def show_terms(self, terms: Sequence[Term]) -> None:
        """Show the terms of a sum; none hides the bars."""
        self._terms = tuple(terms)
        said = "; ".join(f"{term.label}: {term_value(term)}" for term in terms)
        self.setAccessibleName(f"Terms of the sum: {said}" if said else "")
        self.setToolTip("The terms of the sum, the largest first." if said else "")
        self.setVisible(bool(terms))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of now."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def _line(self) -> float:
        return round(QFontMetricsF(plot_font()).height() * 1.3)

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._line() * len(self._terms)) + 4)

    def minimumSizeHint(self) -> QSize:
        """Return the same height, and a width at which labels are shortened."""
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the terms below each other."""
        if not self._terms:
            return
        with QPainter(self) as painter:
            painter.setFont(plot_font())
            metrics, line = QFontMetricsF(painter.font()), self._line()
            values = [term_value(term) for term in self._terms]
            right = max(map(metrics.horizontalAdvance, values))
            labels = max(metrics.horizontalAdvance(term.label) for term in self._terms)
            room = self.width() - right - 2 * _GAP - _LEAST_BAR
            left = min(labels, max(room, 30.0))
            bars = QRectF(
                left + _GAP, 0, self.width() - left - right - 2 * _GAP, self.height()
            )
            for index, (term, value) in enumerate(
                zip(self._terms, values, strict=True)
            ):
                y = (index + 0.5) * line + 2
                painter.setPen(QColor(self._theme.muted))
                text = elided(term.label, painter.font(), left)
                draw_text(painter, QPointF(left, y), text, 1.0, 0.5)
                painter.setPen(QColor(self._theme.text))
                draw_text(painter, QPointF(self.width(), y), value, 1.0, 0.5)
                self._draw_bar(painter, bars, y, line, term.value)

    def _draw_bar(
        self, painter: QPainter, bars: QRectF, y: float, line: float, value: float
    ) -> None:
        lowest = min(0.0, *(term.value for term in self._terms))
        highest = max(0.0, *(term.value for term in self._terms))
        extent = (highest - lowest) or 1.0
        zero = bars.left() - lowest / extent * bars.width()
        length = value / extent * bars.width()
        bar = QRectF(zero, y - 0.3 * line, length, 0.6 * line).normalized()
        table = diverging(self._theme)
        color = table[STEPS - 1 + (110 if value > 0 else -110)]
        painter.fillRect(bar, QColor(*map(int, color)))
        painter.setPen(QColor(self._theme.muted))
        painter.drawLine(QPointF(zero, y - line / 2), QPointF(zero, y + line / 2))


def term_value(term: Term) -> str:
    """Return the value of a term as it is written behind its bar."""
    return as_it_is(term.value)
