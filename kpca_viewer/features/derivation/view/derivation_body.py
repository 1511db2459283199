"""DerivationBody: the steps of kernel PCA, and where their numbers come from."""

from collections.abc import Collection

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QScrollArea,
    QWidget,
)

from kpca_viewer.features.derivation.view.asked_grid import AskedGrid
from kpca_viewer.features.derivation.view.asking import Asking
from kpca_viewer.features.derivation.view.check_marks import check_lines
from kpca_viewer.features.derivation.view.explanation_area import (
    ExplanationArea,
    see_through,
)
from kpca_viewer.features.derivation.view.grid import MatrixGrid
from kpca_viewer.features.derivation.view.sheet import SheetLine
from kpca_viewer.features.derivation.view.shown import ShownDerivation
from kpca_viewer.features.derivation.view.step_line import StepLine
from kpca_viewer.features.derivation.view.steps_column import StepsColumn
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

WIDE = 700
"""Pixels from which the explanation stands beside the steps, else below."""

_BESIDE = (290, 0.24, 440)
_BELOW = (3.4, 0.3, 9.0)
"""Of the explanation: the least, a share of the view, and the most. In width beside the
steps, in pixels; in height below them, in lines."""


_MARGINS = 48
"""Left and right of the numbers of a line, together."""


class DerivationBody(QWidget):
    """Steps to scroll through, and where the number comes from that is pointed at.

    Setters never emit.
    """

    rows_pointed = Signal(object, object)
    """Rows of the data under the mouse: one, a pair, or twice None."""
    points_requested = Signal(object, object)
    """Where the person wants all new points, and the gesture or None."""
    point_requested = Signal()
    """One more new point."""
    pitfall_requested = Signal(str, bool)
    """A field of `AnalysisSettings`, and its value."""
    refused = Signal(str)
    """Why a text that was typed is not taken."""
    menu_requested = Signal(object, object, object)
    """Where on the screen (QPoint) a menu is to open; the key of the line and the grid
    there, or None."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("derivation_body")
        self._theme = LIGHT
        self._shown: ShownDerivation | None = None
        self._marked: tuple[int | None, int | None] = (None, None)
        self.steps = StepsColumn()
        self.explanation = ExplanationArea()
        self.asking = Asking(self.explanation, self)
        self._lay_out()
        for key, grid in self.steps.grids().items():
            self.asking.join(key, grid)
        self.asking.rows_pointed.connect(self.rows_pointed)
        self.steps.grid_added.connect(self._on_grid_added)
        self.steps.folded_changed.connect(self._show_numbers)
        self.steps.pitfall_requested.connect(self.pitfall_requested)
        self.steps.new_points.points_requested.connect(self.points_requested)
        self.steps.new_points.point_requested.connect(self.point_requested)
        self.steps.new_points.refused.connect(self.refused)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)

    def _lay_out(self) -> None:
        self.scrolled = QScrollArea()
        self.scrolled.setObjectName("derivation_scroll")
        self.scrolled.setFrameShape(QFrame.Shape.NoFrame)
        self.scrolled.setWidgetResizable(True)
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.scrolled.setWidget(self.steps)
        see_through(self.scrolled)
        self._divider = QFrame()
        self._divider.setObjectName("derivation_divider")
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._body.addWidget(self.scrolled, 1)
        self._body.addWidget(self._divider)
        self._body.addWidget(self.explanation)

    @property
    def shown(self) -> ShownDerivation | None:
        """What is shown; None before there is anything."""
        return self._shown

    def grid(self, key: str) -> MatrixGrid:
        """Return a grid by its key: "kernel", "scores", "new:0"."""
        return self.steps.grids()[key]

    def show_derivation(self, shown: ShownDerivation) -> None:
        """Show other numbers, with what is said about them."""
        self._shown = shown
        self.steps.show_words(shown)
        self._show_numbers()

    def _show_numbers(self) -> None:
        """Write the numbers of all lines that are open."""
        if self._shown is None:
            return
        asked: dict[str, AskedGrid] = {}
        for line in self.steps.lines.values():
            if line.collapsed() or line.isHidden():
                continue
            line.set_note(self._shown.words_of(line.facts.key))
            for key, grid in line.grids.items():
                made = self._shown.content.grid(key)
                grid.setVisible(made is not None)
                if made is not None:
                    asked[key] = made
                    grid.show_content(made.content)
                    grid.mark_rows(*self._marked)
        self.asking.answer(asked)
        self._place_words()

    def mark_rows(self, row: int | None, partner: int | None) -> None:
        """Mark rows of the data, which are pointed at anywhere."""
        self._marked = row, partner
        if self.isVisible():
            for grid in self.steps.grids().values():
                grid.mark_rows(row, partner)

    def set_folded(self, keys: Collection[str]) -> None:
        """Fold these lines away and open the others."""
        self.steps.set_folded(keys)
        self._show_numbers()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of now."""
        self._theme = theme
        self.steps.set_theme(theme)
        self.explanation.set_theme(theme)
        self._divider.setStyleSheet(f"background: {theme.border}; border: none;")
        self._place()

    def printed(self) -> list[SheetLine]:
        """Return the steps as they are printed; none before there is anything."""
        if self._shown is None:
            return []
        lines = [line for line in self.steps.lines.values() if not line.isHidden()]
        if self._shown.can_drop and not self._shown.positions:
            lines.remove(self.steps.new_points)
        return [self._printed(line, self._shown) for line in lines]

    def _printed(self, line: StepLine, shown: ShownDerivation) -> SheetLine:
        facts, title = line.facts, line.accessibleName()
        if line.collapsed():
            return SheetLine(title, facts.formula, facts.plain)
        note = shown.note_of(facts.key)
        texts = [(note, False)] if note else []
        texts += check_lines(shown.checks_of(facts.key))
        if line.pitfall is not None:
            state = shown.pitfalls[line.pitfall.key]
            texts += [] if state.done or not state.words else [(state.words, True)]
        grids = [
            [made.content for key in keys if (made := shown.content.grid(key))]
            for keys in line.rows_of_grids
        ]
        return SheetLine(
            title,
            facts.formula,
            facts.plain,
            tuple(texts),
            tuple(tuple(row) for row in grids if row),
        )

    def _place(self) -> None:
        """Put the explanation beside the steps where there is room, else below."""
        scale = type_scale()
        wide = self.width() >= WIDE * scale
        way = QBoxLayout.Direction
        self._body.setDirection(way.LeftToRight if wide else way.TopToBottom)
        if wide:
            least, share, most = _BESIDE
            width = min(max(least * scale, share * self.width()), most * scale)
            self.explanation.setFixedWidth(round(width))
            self.explanation.setMinimumHeight(0)
            self.explanation.setMaximumHeight(_ANY)
            self._divider.setMinimumSize(1, 0)
            self._divider.setMaximumSize(1, _ANY)
        else:
            self.explanation.setMinimumWidth(0)
            self.explanation.setMaximumWidth(_ANY)
            lowest, share, highest = _BELOW
            line = self.fontMetrics().height()
            height = min(max(lowest * line, share * self.height()), highest * line)
            self.explanation.setFixedHeight(round(height))
            self._divider.setMinimumSize(0, 1)
            self._divider.setMaximumSize(_ANY, 1)
        self._place_words()

    def _place_words(self) -> None:
        """Let the words of every line stand where there is room for them."""
        # As if the scroll bar were there, which comes and goes with the words.
        bar = self.scrolled.verticalScrollBar().sizeHint().width()
        room = self.width() - bar - _MARGINS
        if self._body.direction() == QBoxLayout.Direction.LeftToRight:
            room -= self.explanation.maximumWidth()
        for line in self.steps.lines.values():
            line.place_words(room)

    def _on_grid_added(self, key: str) -> None:
        grid = self.grid(key)
        grid.set_theme(self._theme)
        self.asking.join(key, grid)

    def _on_menu_requested(self, position: QPoint) -> None:
        widget = self.childAt(position)
        grid = widget if isinstance(widget, MatrixGrid) else None
        while widget is not None and not isinstance(widget, StepLine):
            widget = widget.parentWidget()
        line = widget.facts.key if isinstance(widget, StepLine) else None
        self.menu_requested.emit(self.mapToGlobal(position), line, grid)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()


_ANY = 16_777_215
"""The largest size that Qt knows."""
