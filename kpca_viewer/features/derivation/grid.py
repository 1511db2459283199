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
from kpca_viewer.widgets.plots.focus_mark import FocusMark
from kpca_viewer.widgets.theme import LIGHT, Theme

_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}

_NOTHING = GridContent("", "", np.empty((0, 0)), ())


class MatrixGrid(QWidget):
    """One matrix or vector.

    Mouse or arrow keys point at a number, a click or Enter keeps it. A drag selects
    numbers; a click on a name selects its line or column, and one beside them all.
    Ctrl+C copies what is selected for a table. Setters never emit. There is no tip: it
    would lie over the numbers; the explanation beside them says how to ask.

    Parameters
    ----------
    name : str
        The object name.
    """

    cell_pointed = Signal(object)
    """(line, column) under mouse or keyboard, or None."""
    cell_chosen = Signal(object)
    """(line, column) that was clicked, or chosen with Enter."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.focus_mark = FocusMark(self)
        self._theme = LIGHT
        self._content = _NOTHING
        self._layout = GridLayout.of(_NOTHING)
        self._pointed: Cell | None = None
        self._pinned: Cell | None = None
        self._selection: tuple[Cell, Cell] | None = None
        self._pressed: Cell | None = None
        self._marked: tuple[list[int], list[int]] = ([], [])
        self._sources: tuple[Cell, ...] = ()

    @property
    def content(self) -> GridContent:
        return self._content

    @property
    def layout_of_cells(self) -> GridLayout:
        return self._layout

    @property
    def pointed(self) -> Cell | None:
        return self._pointed

    @property
    def pinned(self) -> Cell | None:
        return self._pinned

    @property
    def selection(self) -> tuple[Cell, Cell] | None:
        return self._selection

    @property
    def marked(self) -> tuple[list[int], list[int]]:
        """Lines and columns that are lit up from elsewhere."""
        return self._marked

    def text(self, line: int, column: int) -> str:
        return self._content.texts[line][column]

    def show_content(self, content: GridContent) -> None:
        """Show other numbers; what is pointed at stays if it is still there."""
        before = self._content
        self._content = content
        if (before.lines, before.columns) != (content.lines, content.columns):
            self._selection = self._pressed = None
            self._pointed = self._known(self._pointed)
            self._pinned = self._known(self._pinned)
            self._marked, self._sources = ([], []), ()
        self.setAccessibleName(
            f"{content.title}, {content.shape_text}" if content.lines else content.title
        )
        self._describe()
        self._lay_out()

    def _known(self, cell: Cell | None) -> Cell | None:
        if cell is None:
            return None
        line, column = cell
        known = line < self._content.lines and column < self._content.columns
        return cell if known else None

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of now."""
        self._theme = theme
        self._lay_out()

    def set_pinned(self, cell: Cell | None) -> None:
        """Show that the explanation of a cell is kept."""
        if cell != self._pinned:
            self._pinned = cell
            self.update()

    def mark_rows(self, row: int | None, partner: int | None) -> None:
        """Mark a row of the data, or the lines and columns of a pair of them."""
        content = self._content
        marked = (
            content.lines_of(row),
            content.columns_of(row if partner is None else partner),
        )
        if marked != self._marked:
            self._marked = marked
            self.update()

    def mark_sources(self, cells: Iterable[Cell]) -> None:
        """Mark the numbers from which the one that is explained was computed."""
        sources = tuple(cell for cell in cells if self._known(cell) is not None)
        if sources != self._sources:
            self._sources = sources
            self.update()

    @property
    def sources(self) -> tuple[Cell, ...]:
        """The cells from which the number that is explained was computed."""
        return self._sources

    def copy(self) -> None:
        """Put what is selected, or the whole matrix, onto the clipboard."""
        QGuiApplication.clipboard().setText(self.copied_text())

    def copied_text(self) -> str:
        """Return what Ctrl+C copies: the selection, or the whole matrix."""
        content = self._content
        if not content.lines:
            return ""
        first, last = self._selection or ((0, 0), self._last())
        return content.copied(first, last)

    def _last(self) -> Cell:
        return self._content.lines - 1, self._content.columns - 1

    def _lay_out(self) -> None:
        before = self._layout.size
        self._layout = GridLayout.of(self._content)
        if self._layout.size != before:
            self.updateGeometry()
        self.update()

    def _describe(self) -> None:
        """Say to assistive technology which number is pointed at."""
        cell, content = self._pointed, self._content
        words = ""
        if cell is not None:
            names = content.line_name(cell[0]), content.column_name(cell[1])
            place = ", ".join(name for name in names if name)
            words = f"{place}: {self.text(*cell)}" if place else self.text(*cell)
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def _point_at(self, cell: Cell | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self._describe()
            self.update()
            self.cell_pointed.emit(cell)

    def _select(self, first: Cell | None, last: Cell | None = None) -> None:
        self._selection = None if first is None else (first, last or first)
        self.update()

    def _select_beside(self, at: QPointF) -> None:
        """Select the line or the column whose name was clicked, or everything."""
        cells, (line, column) = self._layout.numbers, self._layout.nearest_cell(at)
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
        size = self._layout.size
        return QSize(int(np.ceil(size.width())), int(np.ceil(size.height())))

    def minimumSizeHint(self) -> QSize:
        """Return the same: no number is ever cut."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the numbers, and what mouse and keys mark."""
        if not self._content.lines:
            return
        with QPainter(self) as painter:
            layout, theme = self._layout, self._theme
            drawing.draw_grid(painter, layout, self._content, theme)
            drawing.draw_marks(painter, layout, theme, *self._marked)
            drawing.draw_sources(painter, layout, theme, self._sources)
            if self._selection is not None:
                drawing.draw_selection(painter, theme, layout.rect(*self._selection))
            for cell, pinned in ((self._pointed, False), (self._pinned, True)):
                if cell is not None:
                    drawing.draw_outline(
                        painter, theme, layout.rect(cell), pinned=pinned
                    )
            self.focus_mark.draw(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection."""
        if event.button() != Qt.MouseButton.LeftButton or not self._content.lines:
            event.ignore()
            return
        self._pressed = self._layout.cell_at(event.position())
        if self._pressed is None:
            self._select_beside(event.position())
        else:
            self._select(self._pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at a number; with the button down, select up to it."""
        if not self._content.lines:
            return
        if self._pressed is not None:
            self._select(self._pressed, self._layout.nearest_cell(event.position()))
        self._point_at(self._layout.cell_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep the explanation of a cell that was clicked."""
        pressed, self._pressed = self._pressed, None
        if pressed is not None and pressed == self._layout.cell_at(event.position()):
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
        """Walk through the numbers, keep one, or copy."""
        key, keys, content = event.key(), QKeySequence.StandardKey, self._content
        if not content.lines:
            event.ignore()
        elif event.matches(keys.Copy):
            self.copy()
        elif event.matches(keys.SelectAll):
            self._select((0, 0), self._last())
        elif key in _ARROWS:
            start, (down, across) = self._pointed, _ARROWS[Qt.Key(key)]
            moved = (0, 0) if start is None else (start[0] + down, start[1] + across)
            line, column = (
                min(max(place, 0), end)
                for place, end in zip(moved, self._last(), strict=True)
            )
            self._point_at((line, column))
            self._select((line, column))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed is not None:
            self.cell_chosen.emit(self._pointed)
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
