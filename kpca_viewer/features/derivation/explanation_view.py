"""Where the number comes from that is pointed at: text, and terms as bars."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.grid import MatrixGrid
from kpca_viewer.features.derivation.grid_content import (
    Cell,
    ExplainedGrid,
    Explanation,
    Term,
)
from kpca_viewer.features.derivation.step_line import line_text, show_text
from kpca_viewer.support.numerals import as_it_is
from kpca_viewer.widgets.plots.coloring import STEPS, diverging
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font
from kpca_viewer.widgets.theme import LIGHT, Theme

_GAP = 8.0
_LEAST_BAR = 48.0


class TermBars(QWidget):
    """What a sum is made of: a label, a bar from zero and the value of every term."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("derivation_terms")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = LIGHT
        self.terms: tuple[Term, ...] = ()

    def show_terms(self, terms: Sequence[Term]) -> None:
        """Show the terms of a sum; none hides the bars."""
        self.terms = tuple(terms)
        spoken = "; ".join(f"{term.label}: {as_it_is(term.value)}" for term in terms)
        self.setAccessibleName(text.TERMS.format(terms=spoken) if terms else "")
        self.setToolTip(text.TERMS_TIP if terms else "")
        self.setVisible(bool(terms))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def _line(self) -> float:
        return round(QFontMetricsF(plot_font()).height() * 1.3)

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._line() * len(self.terms)) + 4)

    def minimumSizeHint(self) -> QSize:
        """Return the same height, and a width at which labels are shortened."""
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.terms:
            return
        with QPainter(self) as painter:
            painter.setFont(plot_font())
            metrics, line = QFontMetricsF(painter.font()), self._line()
            values = [as_it_is(term.value) for term in self.terms]
            right = max(map(metrics.horizontalAdvance, values))
            labels = max(metrics.horizontalAdvance(term.label) for term in self.terms)
            room = self.width() - right - 2 * _GAP - _LEAST_BAR
            left = min(labels, max(room, 30.0))
            bars = QRectF(
                left + _GAP, 0, self.width() - left - right - 2 * _GAP, self.height()
            )
            for index, (term, value) in enumerate(zip(self.terms, values, strict=True)):
                y = (index + 0.5) * line + 2
                painter.setPen(QColor(self._theme.muted))
                label = elided(term.label, painter.font(), left)
                draw_text(painter, QPointF(left, y), label, 1.0, 0.5)
                painter.setPen(QColor(self._theme.text))
                draw_text(painter, QPointF(self.width(), y), value, 1.0, 0.5)
                self._draw_bar(painter, bars, y, line, term.value)

    def _draw_bar(
        self, painter: QPainter, bars: QRectF, y: float, line: float, value: float
    ) -> None:
        lowest = min(0.0, *(term.value for term in self.terms))
        highest = max(0.0, *(term.value for term in self.terms))
        extent = (highest - lowest) or 1.0
        zero = bars.left() - lowest / extent * bars.width()
        length = value / extent * bars.width()
        bar = QRectF(zero, y - 0.3 * line, length, 0.6 * line).normalized()
        table = diverging(self._theme)
        color = table[STEPS - 1 + (110 if value > 0 else -110)]
        painter.fillRect(bar, QColor(*map(int, color)))
        painter.setPen(QColor(self._theme.muted))
        painter.drawLine(QPointF(zero, y - line / 2), QPointF(zero, y + line / 2))


class ExplanationArea(QScrollArea):
    """Title, lines and terms; it stays in its place whatever it says."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("derivation_explanation")
        self.setAccessibleName(text.EXPLANATION_NAME)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._title = line_text("derivation_explanation_title", "title")
        self._lines = line_text("derivation_explanation_text", "")
        self._note = line_text("derivation_explanation_note")
        self.bars = TermBars()
        self._inside = QWidget()
        self._inside.setObjectName("derivation_explanation_body")
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        for part in (self._title, self._lines, self.bars, self._note):
            column.addWidget(part)
        column.addStretch(1)
        self.setWidget(self._inside)
        see_through(self)
        self.show_explanation(None)

    def show_explanation(
        self, explanation: Explanation | None, *, pinned: bool = False
    ) -> None:
        """Say where a number comes from; None says how to see one."""
        if explanation is None:
            title, lines, note = "", "", text.POINT_AT_NUMBER
        else:
            title, lines = explanation.title, "\n".join(explanation.lines)
            note = text.KEPT if pinned else ""
        for label, words in (
            (self._title, title),
            (self._lines, lines),
            (self._note, note),
        ):
            show_text(label, words)
        self.bars.show_terms(() if explanation is None else explanation.terms)

    def set_covered(self, covered: bool) -> None:
        self._inside.setVisible(not covered)

    def title(self) -> str:
        return self._title.text()

    def text(self) -> str:
        return self._lines.text()

    def note(self) -> str:
        return self._note.text()

    def set_theme(self, theme: Theme) -> None:
        self.bars.set_theme(theme)


def see_through(area: QScrollArea) -> None:
    for part in (area.viewport(), area.widget()):
        if part is not None:
            part.setAutoFillBackground(False)


Place = tuple[str, Cell]
"""Key of a grid, and the cell in it."""


class Explainer(QObject):
    """Joins all grids to one explanation."""

    rows_pointed = Signal(object, object)
    """Rows of the data that the line and the column under the mouse stand for."""

    def __init__(
        self, area: ExplanationArea, grids: dict[str, MatrixGrid], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._area = area
        self._grids = grids
        self._contents: dict[str, ExplainedGrid] = {}
        self._last: Place | None = None
        self.kept: Place | None = None
        for grid in grids.values():
            grid.cell_pointed.connect(self._on_cell_pointed)
            grid.cell_chosen.connect(self._on_cell_chosen)

    def set_grids(self, contents: dict[str, ExplainedGrid]) -> None:
        self._contents = contents
        self._show()

    def let_go(self) -> bool:
        """Explain what is pointed at again; returns whether anything was kept."""
        if self.kept is None:
            return False
        self.kept = None
        self._show()
        return True

    def _on_cell_pointed(self, cell: Cell | None) -> None:
        key = self._sender()
        if cell is None:
            self.rows_pointed.emit(None, None)
            return
        self._last = key, cell
        line, column = self._contents[key].content.rows_of(cell)
        if line is None or line == column:
            line, column = (column if line is None else line), None
        self.rows_pointed.emit(line, column)
        self._show()

    def _on_cell_chosen(self, cell: Cell) -> None:
        chosen = self._sender(), cell
        self.kept = None if chosen == self.kept else chosen
        self._last = chosen
        self._show()

    def _sender(self) -> str:
        sender = self.sender()
        return next(key for key, grid in self._grids.items() if grid is sender)

    def _show(self) -> None:
        # A grid that is folded away, or smaller now, takes its explanation with it.
        self.kept, self._last = self._known(self.kept), self._known(self._last)
        place = self.kept or self._last
        explanation = None
        if place is not None:
            key, cell = place
            explanation = self._contents[key].explained(cell)
        self._area.show_explanation(explanation, pinned=self.kept is not None)
        for key, grid in self._grids.items():
            here = self.kept is not None and self.kept[0] == key
            grid.set_pinned(self.kept[1] if here and self.kept else None)
            grid.mark_sources(_sources(explanation, key))

    def _known(self, place: Place | None) -> Place | None:
        if place is None or place[0] not in self._contents:
            return None
        content, (line, column) = self._contents[place[0]].content, place[1]
        known = line < content.lines and column < content.columns
        return place if known else None


def _sources(explanation: Explanation | None, key: str) -> Iterable[Cell]:
    """Return the cells of a grid that an explanation takes its numbers from."""
    if explanation is None:
        return ()
    # Means and eigenvalues lie in a line here, below the rows that they belong to.
    lying = key in ("means", "eigenvalues")
    return tuple(
        (0, line) if lying else (line, column)
        for step, line, column in explanation.cells
        if step == key
    )
