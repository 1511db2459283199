"""MatrixGrid: the numbers of a matrix, each of which can be explained and copied."""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.features.derivation import grid_painter as drawing
from kpca_viewer.features.derivation.grid_content import Cell, GridContent
from kpca_viewer.features.derivation.grid_painter import GridLayout
from kpca_viewer.widgets.plots.matrix_view import ARROWS
from kpca_viewer.widgets.plots.painted import FocusMark
from kpca_viewer.widgets.theme import LIGHT, Theme

_NOTHING = GridContent("", "", np.empty((0, 0)), ())


class MatrixGrid(QWidget):
    """One matrix or vector."""

    cell_pointed = Signal(object)
    """(line, column) under mouse or keyboard, or None."""
    cell_chosen = Signal(object)
    """(line, column) that was clicked, or chosen with Enter."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.focus_mark = FocusMark(self)
        self._theme = LIGHT
        self.content = _NOTHING
        self.layout_of_cells = GridLayout.of(_NOTHING)
        self.pointed: Cell | None = None
        """Under the mouse, or where the keys are."""
        self.pinned: Cell | None = None
        """Whose explanation is kept."""
        self.selection: tuple[Cell, Cell] | None = None
        self._pressed: Cell | None = None
        self.marked: tuple[list[int], list[int]] = ([], [])
        """Lines and columns of the rows that are pointed at in any plot."""
        self.sources: tuple[Cell, ...] = ()
        """From which the number that is explained was computed."""

    def text(self, line: int, column: int) -> str:
        return self.content.texts[line][column]

    def show_content(self, content: GridContent) -> None:
        """Show other numbers; what is pointed at stays if it is still there."""
        before = self.content
        self.content = content
        if (before.lines, before.columns) != (content.lines, content.columns):
            self.selection = self._pressed = None
            self.pointed = self._known(self.pointed)
            self.pinned = self._known(self.pinned)
            self.marked, self.sources = ([], []), ()
        self.setAccessibleName(
            f"{content.title}, {content.shape_text}" if content.lines else content.title
        )
        self._describe()
        self._lay_out()

    def _known(self, cell: Cell | None) -> Cell | None:
        if cell is None:
            return None
        line, column = cell
        known = line < self.content.lines and column < self.content.columns
        return cell if known else None

    def __contains__(self, cell: Cell) -> bool:
        return self._known(cell) is not None

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._lay_out()

    def set_pinned(self, cell: Cell | None) -> None:
        if cell != self.pinned:
            self.pinned = cell
            self.update()

    def mark_rows(self, row: int | None, partner: int | None) -> None:
        """Mark a row of the data, or the lines and columns of a pair of them."""
        content = self.content
        marked = (
            content.lines_of(row),
            content.columns_of(row if partner is None else partner),
        )
        if marked != self.marked:
            self.marked = marked
            self.update()

    def mark_sources(self, cells: Iterable[Cell]) -> None:
        sources = tuple(cell for cell in cells if self._known(cell) is not None)
        if sources != self.sources:
            self.sources = sources
            self.update()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.copied_text())

    def copied_text(self) -> str:
        content = self.content
        if not content.lines:
            return ""
        first, last = self.selection or ((0, 0), self._last())
        return content.copied(first, last)

    def _last(self) -> Cell:
        return self.content.lines - 1, self.content.columns - 1

    def _lay_out(self) -> None:
        before = self.layout_of_cells.size
        self.layout_of_cells = GridLayout.of(self.content)
        if self.layout_of_cells.size != before:
            self.updateGeometry()
        self.update()

    def _describe(self) -> None:
        """Say to assistive technology which number is pointed at."""
        cell, content = self.pointed, self.content
        words = ""
        if cell is not None:
            names = content.line_name(cell[0]), content.column_name(cell[1])
            place = ", ".join(name for name in names if name)
            words = f"{place}: {self.text(*cell)}" if place else self.text(*cell)
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def _point_at(self, cell: Cell | None) -> None:
        if cell != self.pointed:
            self.pointed = cell
            self._describe()
            self.update()
            self.cell_pointed.emit(cell)

    def _select(self, first: Cell | None, last: Cell | None = None) -> None:
        self.selection = None if first is None else (first, last or first)
        self.update()

    def _select_beside(self, at: QPointF) -> None:
        """Select the line or the column whose name was clicked, or everything."""
        cells, (line, column) = (
            self.layout_of_cells.numbers,
            self.layout_of_cells.nearest_cell(at),
        )
        last = self._last()
        beside = at.x() < cells.left()
        above = at.y() < cells.top()
        if beside == above:
            self._select((0, 0), last)
        elif beside:
            self._select((line, 0), (line, last[1]))
        else:
            self._select((0, column), (last[0], column))

    def sizeHint(self) -> QSize:
        size = self.layout_of_cells.size
        return QSize(int(np.ceil(size.width())), int(np.ceil(size.height())))

    def minimumSizeHint(self) -> QSize:
        """Return the same: no number is ever cut."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.content.lines:
            return
        with QPainter(self) as painter:
            layout, theme = self.layout_of_cells, self._theme
            drawing.draw_grid(painter, layout, self.content, theme)
            drawing.draw_marks(painter, layout, theme, *self.marked)
            drawing.draw_sources(painter, layout, theme, self.sources)
            if self.selection is not None:
                drawing.draw_selection(painter, theme, layout.rect(*self.selection))
            for cell, pinned in ((self.pointed, False), (self.pinned, True)):
                if cell is not None:
                    drawing.draw_outline(
                        painter, theme, layout.rect(cell), pinned=pinned
                    )
            self.focus_mark.draw(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self.content.lines:
            event.ignore()
            return
        self._pressed = self.layout_of_cells.cell_at(event.position())
        if self._pressed is None:
            self._select_beside(event.position())
        else:
            self._select(self._pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.content.lines:
            return
        if self._pressed is not None:
            self._select(
                self._pressed, self.layout_of_cells.nearest_cell(event.position())
            )
        self._point_at(self.layout_of_cells.cell_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None and pressed == self.layout_of_cells.cell_at(
            event.position()
        ):
            self.cell_chosen.emit(pressed)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Take the keys for copying and selecting all before the window does."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(
            event, QKeyEvent
        ):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Copy) or event.matches(keys.SelectAll):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys, content = event.key(), QKeySequence.StandardKey, self.content
        if not content.lines:
            event.ignore()
        elif event.matches(keys.Copy):
            self.copy()
        elif event.matches(keys.SelectAll):
            self._select((0, 0), self._last())
        elif key in ARROWS:
            start, (down, across) = self.pointed, ARROWS[Qt.Key(key)]
            moved = (0, 0) if start is None else (start[0] + down, start[1] + across)
            line, column = (
                min(max(place, 0), end)
                for place, end in zip(moved, self._last(), strict=True)
            )
            self._point_at((line, column))
            self._select((line, column))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.pointed is not None:
            self.cell_chosen.emit(self.pointed)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_mark.focus_came(event.reason())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Forget what the keys pointed at; the mouse may still be there."""
        super().focusOutEvent(event)
        self.focus_mark.show(False)
        self._select(None)
        if not self.underMouse():
            self._point_at(None)
