"""DerivationView: the page of the derivation, on the screen and on paper."""

from collections.abc import Collection

from PySide6.QtCore import QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QMenu,
    QScrollArea,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.compute import Derivation
from kpca_viewer.features.derivation.content import PageContent
from kpca_viewer.features.derivation.explanation_view import (
    Explainer,
    ExplanationArea,
    see_through,
)
from kpca_viewer.features.derivation.grid import MatrixGrid
from kpca_viewer.features.derivation.grid_content import ExplainedGrid
from kpca_viewer.features.derivation.paper import SheetLine, paint_sheet
from kpca_viewer.features.derivation.step_line import (
    StepLine,
    check_lines,
)
from kpca_viewer.features.derivation.steps_column import StepsColumn
from kpca_viewer.widgets.controls import IconButton
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

_WAYS = {"latex": "LaTeX", "numpy": "NumPy"}
_STEPS = {"eigen": ("eigenvalues", "vectors")}
"""Steps that share a line."""
_ONLY_WHOLE = ("primal",)
"""Lines that are no step of their own."""


class CopyMenu(QObject):
    """Puts texts onto the clipboard.

    Attributes
    ----------
    derivation : Derivation or None
        What is copied; None before there is anything.
    tool : IconButton
        A button with a menu for the whole derivation.
    """

    copied = Signal(str)
    """What is on the clipboard, in words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.derivation: Derivation | None = None
        self.tool = IconButton("copy", text.COPY_TIP, 18)
        self.tool.setObjectName("derivation_copy_button")
        self.tool.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.tool.setProperty("arrow", False)
        self._whole = QMenu(self.tool)
        self._fill(self._whole, None)
        self.tool.setMenu(self._whole)
        self._of_line = QMenu(parent)
        self._of_line.setObjectName("derivation_menu")

    def menu(self, line: str | None, grid: MatrixGrid | None = None) -> QMenu:
        """Return a menu for a grid, for its line, by its key, and for all of them."""
        self._of_line.clear()
        if grid is not None:
            whole = grid.selection is None
            title = text.COPY_NUMBERS if whole else text.COPY_SELECTED
            numbers = self._of_line.addAction(title)
            numbers.setObjectName("derivation_copy_numbers")
            numbers.triggered.connect(grid.copy)
            self._of_line.addSeparator()
        if line is not None and line not in _ONLY_WHOLE:
            self._fill(self._of_line, line)
            self._of_line.addSeparator()
        self._fill(self._of_line, None)
        return self._of_line

    def _fill(self, menu: QMenu, line: str | None) -> None:
        for way, language in _WAYS.items():
            title = text.COPY_ALL.format(language=language)
            if line is not None:
                title = text.COPY_LINE.format(
                    line=text.LINES[line].title, language=language
                )
            action = menu.addAction(title)
            action.setObjectName(f"derivation_copy_{way}_{line or 'all'}")
            action.setData((way, line))
            action.triggered.connect(self._on_triggered)

    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.copy(*action.data())

    def copy(self, way: str, line: str | None = None) -> None:
        """Put all steps, or one line of them, onto the clipboard."""
        if self.derivation is None:
            return
        # Imported on first use: a start does not wait for it.
        from kpca_viewer.features.derivation import code

        write = code.as_latex if way == "latex" else code.as_numpy
        steps = [None] if line is None else _STEPS.get(line, (line,))
        written = [write(self.derivation, step) for step in steps]
        QGuiApplication.clipboard().setText("\n".join(written))
        words = text.COPIED_ALL.format(language=_WAYS[way])
        if line is not None:
            name = text.LINES[line].title.lower()
            words = text.COPIED_LINE.format(line=name, language=_WAYS[way])
        self.copied.emit(words)


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

    menu_requested = Signal(object, object, object)
    """Where on the screen (QPoint) a menu is to open; the key of the line and the grid
    there, or None."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("derivation_body")
        self._theme = LIGHT
        self.shown: PageContent | None = None
        self._marked: tuple[int | None, int | None] = (None, None)
        self.steps = StepsColumn()
        self.explanation = ExplanationArea()
        self.explainer = Explainer(self.explanation, self)
        self._lay_out()
        for key, grid in self.steps.grids().items():
            self.explainer.add_grid(key, grid)
        self.steps.grid_added.connect(self._on_grid_added)
        self.steps.folded_changed.connect(self._show_numbers)
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

    def grid(self, key: str) -> MatrixGrid:
        """Return a grid by its key: "kernel", "scores", "new:0"."""
        return self.steps.grids()[key]

    def show_derivation(self, shown: PageContent) -> None:
        self.shown = shown
        self.steps.show_words(shown)
        self._show_numbers()

    def _show_numbers(self) -> None:
        """Write the numbers of all lines that are open."""
        if self.shown is None:
            return
        grids: dict[str, ExplainedGrid] = {}
        for line in self.steps.lines.values():
            if line.collapsed() or line.isHidden():
                continue
            line.set_note(self.shown.words_of(line.facts.key))
            for key, grid in line.grids.items():
                made = self.shown.content.grid(key)
                grid.setVisible(made is not None)
                if made is not None:
                    grids[key] = made
                    grid.show_content(made.content)
                    grid.mark_rows(*self._marked)
        self.explainer.set_grids(grids)
        self._place_words()

    def mark_rows(self, row: int | None, partner: int | None) -> None:
        self._marked = row, partner
        if self.isVisible():
            for grid in self.steps.grids().values():
                grid.mark_rows(row, partner)

    def set_folded(self, keys: Collection[str]) -> None:
        self.steps.set_folded(keys)
        self._show_numbers()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.steps.set_theme(theme)
        self.explanation.set_theme(theme)
        self._divider.setStyleSheet(f"background: {theme.border}; border: none;")
        self._place()

    def printed(self) -> list[SheetLine]:
        if self.shown is None:
            return []
        lines = [line for line in self.steps.lines.values() if not line.isHidden()]
        if self.shown.can_drop and not self.shown.positions:
            lines.remove(self.steps.new_points)
        return [self._printed(line, self.shown) for line in lines]

    def _printed(self, line: StepLine, shown: PageContent) -> SheetLine:
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
        self.explainer.add_grid(key, grid)

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


class DerivationView(QWidget):
    """Every step of kernel PCA; its widgets are made when it is turned to.

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
    text_copied = Signal(str)
    """What is on the clipboard now, in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("derivation_view")
        self.setAccessibleName(text.PAGE_NAME)
        self._theme = LIGHT
        self._folded: tuple[str, ...] = ()
        self.body: DerivationBody | None = None
        self.copy_menu = CopyMenu(self)
        self.copy_menu.copied.connect(self.text_copied)
        self._empty = QLabel(text.NOTHING_YET)
        self._empty.setObjectName("derivation_empty")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)

    @property
    def shown(self) -> PageContent | None:
        return None if self.body is None else self.body.shown

    def show_derivation(self, shown: PageContent) -> None:
        if self.body is None:
            self.body = self._new_body()
        self.copy_menu.derivation = shown.content.derivation
        self.body.show_derivation(shown)

    def _new_body(self) -> DerivationBody:
        body = DerivationBody()
        body.set_folded(self._folded)
        body.set_theme(self._theme)
        body.explainer.rows_pointed.connect(self.rows_pointed)
        body.steps.pitfall_requested.connect(self.pitfall_requested)
        new_points = body.steps.new_points
        new_points.points_requested.connect(self.points_requested)
        new_points.point_requested.connect(self.point_requested)
        new_points.refused.connect(self.refused)
        body.menu_requested.connect(self._on_menu_requested)
        self._stack.addWidget(body)
        self._stack.setCurrentWidget(body)
        self.setFocusProxy(body.scrolled)
        return body

    def mark_rows(self, row: int | None, partner: int | None) -> None:
        if self.body is not None:
            self.body.mark_rows(row, partner)

    def let_go(self) -> bool:
        """Forget what is kept until Escape; returns whether there was anything."""
        return self.body is not None and self.body.explainer.let_go()

    def folded(self) -> tuple[str, ...]:
        return self._folded if self.body is None else self.body.steps.folded()

    def set_folded(self, keys: Collection[str]) -> None:
        self._folded = tuple(keys)
        if self.body is not None:
            self.body.set_folded(keys)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()
        if self.body is not None:
            self.body.set_theme(theme)

    def printed(self) -> list[SheetLine]:
        return [] if self.body is None else self.body.printed()

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint all steps, as they are folded, into a rectangle of any device."""
        painter.save()
        painter.setClipRect(rect)
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        paint_sheet(painter, rect, self._theme, self.printed())
        painter.restore()

    def _on_menu_requested(
        self, position: QPoint, line: str | None, grid: MatrixGrid | None
    ) -> None:
        self.copy_menu.menu(line, grid).popup(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.card))
