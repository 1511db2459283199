"""DerivationView: the page of the derivation, on the screen and on paper."""

from collections.abc import Collection, Container, Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QStackedLayout,
    QTextEdit,
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
from kpca_viewer.features.derivation.grid_content import Cell, ExplainedGrid
from kpca_viewer.features.derivation.notes import about_kernel
from kpca_viewer.features.derivation.paper import SheetLine, paint_sheet
from kpca_viewer.features.derivation.step_line import StepLine, check_lines
from kpca_viewer.features.derivation.steps_column import StepsColumn
from kpca_viewer.widgets.controls import IconButton
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

_WAYS = {"latex": "LaTeX", "numpy": "NumPy"}

WIDE = 700
"""Pixels from which the explanation stands beside the steps, else below."""

_BESIDE = (290, 0.24, 440)
_BELOW = (3.4, 0.16, 5.5)
"""Of the explanation: the least, a share of the view, and the most. In width beside the
steps, in pixels; in height below them, in lines."""

_MARGINS = 48
"""Left and right of the numbers of a line, together."""

_GAP = 4
"""Pixels between a step that is scrolled to and the edge of the view."""

_WITH_PAGES = (
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
)
"""What takes PgUp and PgDn itself while it has the focus."""

_ANY = 16_777_215
"""The largest size that Qt knows."""


class CopyButton(IconButton):
    """Puts all steps onto the clipboard, as LaTeX or as code."""

    copied = Signal(str)
    """What is on the clipboard, in words."""

    def __init__(self) -> None:
        super().__init__("copy", text.COPY_TIP, 18)
        self.derivation: Derivation | None = None
        self.setObjectName("derivation_copy_button")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setProperty("arrow", False)
        menu = QMenu(self)
        for way, language in _WAYS.items():
            action = menu.addAction(text.COPY_ALL.format(language=language))
            action.setObjectName(f"derivation_copy_{way}")
            action.setData(way)
            action.triggered.connect(self._on_triggered)
        self.setMenu(menu)

    def copy(self, way: str) -> None:
        if self.derivation is None:
            return
        # Imported on first use: a start does not wait for it.
        from kpca_viewer.features.derivation import code

        write = code.as_latex if way == "latex" else code.as_numpy
        QGuiApplication.clipboard().setText(write(self.derivation))
        self.copied.emit(text.COPIED_ALL.format(language=_WAYS[way]))

    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.copy(action.data())


class DerivationView(QWidget):
    """Steps to scroll through, and where the number comes from that is pointed at.

    Its widgets are made when there is something to show. Setters never emit.

    Steps, matrices, numbers and the explanation have keys, by which they can be
    covered and highlighted: ``step:kernel``, ``grid:means``, ``entry:kernel:2:3`` (line
    and column from 1), ``panel:explanation``. A step has the key of its `LineFacts`, a
    matrix that of `StepsColumn.grids`.
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
    folded_changed = Signal()
    """Another step is folded or unfolded."""

    steps: StepsColumn
    explanation: ExplanationArea
    explainer: Explainer

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("derivation_view")
        self.setAccessibleName(text.PAGE_NAME)
        self._theme = LIGHT
        self._folded: tuple[str, ...] = ()
        self._marked: tuple[int | None, int | None] = (None, None)
        self.shown: PageContent | None = None
        self.covered: set[str] = set()
        self._has_page_keys = True
        self.highlighted = ""
        self.copy_button = CopyButton()
        empty = QLabel(text.NOTHING_YET)
        empty.setObjectName("derivation_empty")
        empty.setProperty("role", "muted")
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(empty)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        # A click on a button of the page must not take these keys away from it.
        self.keys = {
            key: QShortcut(QKeySequence(key), self)
            for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
        }
        self.keys[Qt.Key.Key_PageDown].activated.connect(self._on_next_key)
        self.keys[Qt.Key.Key_PageUp].activated.connect(self._on_back_key)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)

    def _make(self) -> None:
        self.steps = StepsColumn()
        self.explanation = ExplanationArea()
        self.explainer = Explainer(self.explanation, self.steps.grids, self)
        self.scrolled = QScrollArea()
        self.scrolled.setObjectName("derivation_scroll")
        self.scrolled.setFrameShape(QFrame.Shape.NoFrame)
        self.scrolled.setWidgetResizable(True)
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.scrolled.setWidget(self.steps)
        see_through(self.scrolled)
        self._divider = QFrame()
        self._divider.setObjectName("derivation_divider")
        self._frame = QFrame(self.steps)
        self._frame.setObjectName("derivation_highlight")
        self._frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._frame.hide()
        body = QWidget()
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, body)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._body.addWidget(self.scrolled, 1)
        self._body.addWidget(self._divider)
        self._body.addWidget(self.explanation)
        self._stack.addWidget(body)
        self._stack.setCurrentWidget(body)
        self.setFocusProxy(self.scrolled)
        self.explainer.rows_pointed.connect(self.rows_pointed)
        self.steps.pitfall_requested.connect(self.pitfall_requested)
        self.steps.folded_changed.connect(self._on_folded_changed)
        new_points = self.steps.new_points
        new_points.points_requested.connect(self.points_requested)
        new_points.point_requested.connect(self.point_requested)
        new_points.refused.connect(self.refused)

    def grid(self, key: str) -> MatrixGrid:
        """Return a grid by its key: "kernel", "scores", "new:0"."""
        return self.steps.grids[key]

    def show_derivation(self, shown: PageContent) -> None:
        made, self.shown = self.shown is not None, shown
        if not made:
            self._make()
            self.steps.set_folded(self._folded)
            self.set_theme(self._theme)
        derivation = shown.content.derivation
        self.copy_button.derivation = derivation
        self.steps.lines["points"].setVisible(derivation.points is not None)
        self.steps.lines["kernel"].show_more(about_kernel(derivation))
        for line in self.steps.lines.values():
            line.set_centred(derivation.center)
            if line.pitfall is not None:
                line.pitfall.show_state(shown.pitfalls[line.pitfall.key])
        self.steps.new_points.show_positions(
            shown.positions,
            derivation.result.dataset.feature_names,
            possible=shown.can_drop,
        )
        self._show_numbers()

    def _show_numbers(self) -> None:
        """Write the numbers of all lines that are open."""
        if self.shown is None:
            return
        grids: dict[str, ExplainedGrid] = {}
        for line in self._open_lines():
            covered = f"step:{line.facts.key}" in self.covered
            line.show_note("" if covered else self.shown.words_of(line.facts.key))
            line.show_checks(() if covered else self.shown.checks_of(line.facts.key))
            for key, grid in line.grids.items():
                made = self._made(line, key)
                grid.setVisible(made is not None)
                if made is not None:
                    grids[key] = made
                    grid.show_content(made.content)
                    grid.mark_rows(*self._marked)
        self.explainer.set_grids(grids)
        self.explanation.set_covered("panel:explanation" in self.covered)
        self.copy_button.setEnabled(not self.covered)
        self._place_words()
        self._show_highlight()

    def _open_lines(self) -> Iterator[StepLine]:
        for line in self.steps.lines.values():
            if not (line.collapsed() or line.isHidden()):
                yield line

    def _made(self, line: StepLine, key: str) -> ExplainedGrid | None:
        """Return a grid without the numbers that are covered; None if there is none."""
        assert self.shown is not None
        made = self.shown.content.grid(key)
        if made is None or not self.covered:
            return made
        content = made.content
        every = [(i, j) for i in range(content.lines) for j in range(content.columns)]
        if not self.covered.isdisjoint((f"step:{line.facts.key}", f"grid:{key}")):
            return made.covered(every)
        return made.covered(
            [c for c in every if f"entry:{key}:{c[0] + 1}:{c[1] + 1}" in self.covered]
        )

    def mark_rows(self, row: int | None, partner: int | None) -> None:
        self._marked = row, partner
        if self.shown is not None and self.isVisible():
            for grid in self.steps.grids.values():
                grid.mark_rows(row, partner)

    def let_go(self) -> bool:
        """Forget what is kept until Escape; returns whether there was anything."""
        return self.shown is not None and self.explainer.let_go()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()
        if self.shown is not None:
            self.steps.set_theme(theme)
            self.explanation.set_theme(theme)
            self._divider.setStyleSheet(f"background: {theme.border}; border: none;")
            self._frame.setStyleSheet(
                f"#derivation_highlight {{ border: 2px solid {theme.accent};"
                " border-radius: 6px; background: transparent; }"
            )
            self._place()

    # Steps one by one

    def folded(self) -> tuple[str, ...]:
        return self._folded if self.shown is None else self.steps.folded()

    def set_folded(self, keys: Collection[str]) -> None:
        self._folded = tuple(keys)
        if self.shown is not None:
            self.steps.set_folded(keys)
            self._on_folded_changed()

    def show_next(self) -> bool:
        """Unfold the next step and scroll to it; returns whether there was one."""
        folded = self.folded()
        if not folded or self.shown is None:
            return False
        self.set_folded(folded[1:])
        self._scroll_to(self.steps.lines[folded[0]])
        return True

    def reveal(self, key: str) -> None:
        """Unfold a step by its key, and scroll to it."""
        line = None if self.shown is None else self._line_of(key)
        if line is None:
            return
        self.set_folded([each for each in self.folded() if each != line.facts.key])
        self._scroll_to(line)

    def _line_of(self, key: str) -> StepLine | None:
        return self.steps.lines.get(key.removeprefix("step:"))

    def _scroll_to(self, line: StepLine) -> None:
        # Until then the area does not know how far it can be scrolled.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        bar = self.scrolled.verticalScrollBar()
        top, bottom = line.y() - _GAP, line.geometry().bottom() + _GAP
        # All of it; of a step that is larger than the view, its heading.
        lowest = bottom - self.scrolled.viewport().height()
        bar.setValue(min(max(bar.value(), lowest), top))

    def _scroll(self, way: QAbstractSlider.SliderAction) -> None:
        if self.shown is not None:
            self.scrolled.verticalScrollBar().triggerAction(way)

    def _on_next_key(self) -> None:
        if not self.show_next():
            self._scroll(QAbstractSlider.SliderAction.SliderPageStepAdd)

    def _on_back_key(self) -> None:
        self._scroll(QAbstractSlider.SliderAction.SliderPageStepSub)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        for key in self.keys.values():
            key.setEnabled(self._has_page_keys and not isinstance(now, _WITH_PAGES))

    def set_page_keys(self, on: bool) -> None:
        """Take PgUp and PgDn, or leave them to others."""
        self._has_page_keys = on
        self._on_focus_changed(None, QApplication.focusWidget())

    def _on_folded_changed(self) -> None:
        self._show_numbers()
        self.folded_changed.emit()

    # Covers and highlights

    def set_covered(self, key: str, covered: bool) -> None:
        """Hide what has a key, or show it again; its place stays."""
        _check_key(key)
        (self.covered.add if covered else self.covered.discard)(key)
        self._show_numbers()

    def set_highlighted(self, key: str) -> None:
        """Draw a frame around what has a key; an empty one takes the frame away."""
        if key:
            _check_key(key)
        self.highlighted = key
        self._show_highlight()

    def _show_highlight(self) -> None:
        if self.shown is None:
            return
        layout = self.steps.layout()
        assert layout is not None
        layout.activate()
        target, rect = self._place_of(self.highlighted)
        self._frame.setVisible(target is not None)
        if target is not None:
            target.installEventFilter(self)
            self._frame.setParent(target)
            self._frame.setGeometry(rect)
            self._frame.show()
            self._frame.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the frame around what grows when it is unfolded or filled."""
        if event.type() == QEvent.Type.Resize and watched is self._frame.parent():
            target, rect = self._place_of(self.highlighted)
            if target is watched:
                self._frame.setGeometry(rect)
        return super().eventFilter(watched, event)

    def _place_of(self, key: str) -> tuple[QWidget | None, QRect]:
        """Return the widget that a key belongs to, and which part of it."""
        kind, _, name = key.partition(":")
        if kind == "panel":
            return self.explanation, self.explanation.rect()
        if kind == "step":
            line = self.steps.lines[name]
            return line, line.rect()
        if not kind:
            return None, QRect()
        cell: Cell | None = None
        if kind == "entry":
            name, i, j = name.rsplit(":", 2)
            cell = int(i) - 1, int(j) - 1
        grid = self.grid(name)
        if cell is None or cell not in grid:
            return grid, grid.rect()
        return grid, grid.layout_of_cells.rect(cell).toRect()

    # On paper

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
        texts: list[tuple[str, bool]] = []
        if f"step:{facts.key}" not in self.covered:
            note = shown.note_of(facts.key)
            texts += [(note, False)] if note else []
            texts += check_lines(shown.checks_of(facts.key))
        if line.pitfall is not None:
            state = shown.pitfalls[line.pitfall.key]
            texts += [] if state.done or not state.words else [(state.words, True)]
        grids = [
            tuple(made.content for key in keys if (made := self._made(line, key)))
            for keys in line.rows_of_grids
        ]
        return SheetLine(
            title, facts.formula, facts.plain, tuple(texts), tuple(filter(None, grids))
        )

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        painter.save()
        painter.setClipRect(rect)
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        paint_sheet(painter, rect, self._theme, self.printed())
        painter.restore()

    # Layout

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
        else:
            lowest, share, highest = _BELOW
            line = self.fontMetrics().height()
            height = min(max(lowest * line, share * self.height()), highest * line)
            self.explanation.setFixedHeight(round(height))
            self.explanation.setMinimumWidth(0)
            self.explanation.setMaximumWidth(_ANY)
        self._divider.setMaximumSize(1 if wide else _ANY, _ANY if wide else 1)
        self._divider.setMinimumSize(1 if wide else 0, 0 if wide else 1)
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

    def _on_menu_requested(self, position: QPoint) -> None:
        menu, grid = QMenu(self), self.childAt(position)
        menu.setObjectName("derivation_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if isinstance(grid, MatrixGrid):
            whole = grid.selection is None
            numbers = menu.addAction(text.COPY_NUMBERS if whole else text.COPY_SELECTED)
            numbers.setObjectName("derivation_copy_numbers")
            numbers.triggered.connect(grid.copy)
            menu.addSeparator()
        if not self.covered:
            menu.addActions(self.copy_button.menu().actions())
        menu.popup(self.mapToGlobal(position))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.card))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.shown is not None:
            self._place()


def _check_key(key: str) -> None:
    """Raise a `KeyError` if nothing can ever have a key."""
    kind, _, name = key.partition(":")
    if kind == "entry":
        name, *cell = name.rsplit(":", 2)
        if len(cell) != 2 or not all(number.isdecimal() for number in cell):
            raise KeyError(key)
    known: dict[str, Container[str]] = {
        "step": text.LINES,
        "grid": text.GRIDS,
        "entry": text.GRIDS,
        "panel": ("explanation",),
    }
    if name.partition(":")[0] not in known.get(kind, ()):
        raise KeyError(key)
