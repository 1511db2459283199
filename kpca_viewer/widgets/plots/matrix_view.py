"""A square matrix of rows against rows, with hands on it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.plots import matrix as drawing
from kpca_viewer.widgets.plots.coloring import rare_classes
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.linking import Mask, mode_of
from kpca_viewer.widgets.plots.matrix import WRITTEN_ROWS, MatrixColors, MatrixLayout
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font
from kpca_viewer.widgets.theme import Theme

ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


@dataclass(frozen=True, eq=False)
class Matrix:
    """What is shown."""

    values: Floats
    """Shape (m, m)."""
    rows: np.ndarray
    """Shape (m,). Rows of the data that it is of, in the order of the picture."""
    dataset: Dataset
    signed: bool
    """Whether colours diverge from zero."""


class MatrixView(PaintedPlot):
    """A matrix in colours.

    Mouse or arrow keys point at a pair of rows. A click or Enter selects the two, a
    drag the rows and columns it passes; Shift adds, Alt removes. Subclasses say what
    it is (`caption`) and what a pair has (`pair_text`).
    """

    pair_hovered = Signal(object)
    """(row, row) of the data, or None."""
    selected = Signal(object, object)
    """Mask of shape (n,), and "replace", "add" or "remove"."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._shown: Matrix | None = None
        self._colors: MatrixColors | None = None
        self._image = QImage()
        self._words = ""
        self._others: tuple[int, ...] = ()
        # Cell under mouse or keyboard, and rows lit up by other plots: positions in
        # the picture, not rows of the data.
        self._pair: tuple[int, int] | None = None
        self.highlight: tuple[int, ...] = ()
        self.chosen: tuple[int, ...] = ()
        self._drag_start: tuple[int, int] | None = None
        self._drag_end: tuple[int, int] | None = None

    def caption(self) -> str:
        return ""

    def pair_text(self, pair: tuple[int, int], value: float) -> str:
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._make_image()

    def show_matrix(self, shown: Matrix) -> None:
        before, self._shown, self._words = self._shown, shown, ""
        self._make_image()
        if before is None or before.dataset is not shown.dataset:
            self._forget_marks()
            labels = shown.dataset.labels
            self._others = () if labels is None else tuple(rare_classes(labels))
        self.setAccessibleDescription(self.caption())
        self._show_pair_label()
        self.update()

    def show_words(self, why: str) -> None:
        self._shown, self._words = None, why
        self._forget_marks()
        self.setAccessibleDescription("")
        self._show_pair_label()
        self.update()

    def _forget_marks(self) -> None:
        self.highlight = self.chosen = ()
        self._pair = self._drag_start = None

    def set_highlight(self, rows: Sequence[int]) -> None:
        self.highlight = ()
        if self._shown is not None and len(rows):
            found = np.flatnonzero(np.isin(self._shown.rows, rows))
            self.highlight = tuple(found.tolist())
        self.update()

    def set_selected(self, mask: Mask | None) -> None:
        """Mark the selected rows (n,) along the edges, as far as they are shown."""
        self.chosen, shown = (), self._shown
        if mask is not None and shown is not None and len(mask) == shown.dataset.n:
            self.chosen = tuple(np.flatnonzero(mask[shown.rows]).tolist())
        self.update()

    @property
    def pair(self) -> tuple[int, int] | None:
        if self._pair is None or self._shown is None:
            return None
        first, second = self._shown.rows[list(self._pair)]
        return int(first), int(second)

    def matrix(self) -> Floats:
        assert self._shown is not None
        return self._shown.values

    def names(self) -> list[str]:
        """Return the names of the rows of a matrix that is small enough to be read."""
        shown = self._shown
        if shown is None or len(shown.rows) > WRITTEN_ROWS:
            return []
        return [shown.dataset.row_text(int(row)) for row in shown.rows]

    def plan(self, size: QSizeF | None = None) -> MatrixLayout | None:
        if self._shown is None or self._colors is None:
            return None
        return MatrixLayout.of(
            QSizeF(self.size()) if size is None else size,
            len(self._shown.rows),
            [ungrouped(value, 3) for value in self._colors.ticks()],
            strips=self._shown.dataset.labels is not None,
            names=self.names(),
            caption=self.caption(),
        )

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        layout = self.plan(size)
        if layout is None or self._colors is None:
            self._draw_words(painter, size)
            return
        self._draw_matrix(painter, layout, self._image, self.matrix(), live=live)
        drawing.draw_scale(painter, layout, self.theme, self._colors)
        drawing.draw_caption(painter, layout, self.theme, self.caption())

    def _draw_words(self, painter: QPainter, size: QSizeF) -> None:
        painter.setFont(plot_font())
        painter.setPen(QColor(self.theme.muted))
        words = elided(self._words, painter.font(), size.width() - 16)
        draw_text(painter, QPointF(size.width() / 2, size.height() / 2), words)

    def _draw_matrix(
        self,
        painter: QPainter,
        layout: MatrixLayout,
        image: QImage,
        matrix: Floats,
        *,
        live: bool,
    ) -> None:
        """Paint a matrix of the rows with all that belongs to them, and the marks."""
        assert self._shown is not None
        theme, labels = self.theme, self._shown.dataset.labels
        drawing.draw_image(painter, layout, image)
        breaks: list[int] = []
        if layout.strips and labels is not None:
            runs = drawing.class_runs(labels[self._shown.rows])
            if layout.square.width() >= 6 * len(runs):
                breaks = [first for first, _, _ in runs[1:]]
            drawing.draw_strips(painter, layout, self._colored(runs))
        drawing.draw_frame(painter, layout, theme, breaks)
        if (names := self.names()) and self._colors is not None:
            drawing.draw_names(painter, layout, theme, names)
            drawing.draw_values(painter, layout, matrix, self._colors)
        if live:
            drawing.draw_chosen(painter, layout, theme, self.chosen)
            drawing.draw_highlight(painter, layout, theme, self.highlight)
            if self._drag_start is not None and self._drag_end is not None:
                ends = self._drag_start, self._drag_end
                drawing.draw_range(painter, layout, theme, *ends)
            if self._pair is not None:
                drawing.draw_pair(painter, layout, theme, *self._pair)

    def _make_image(self) -> None:
        if self._shown is not None:
            matrix = np.asarray(self._shown.values, dtype=np.float64)
            signed = self._shown.signed
            self._colors = MatrixColors.of(matrix, self.theme, signed=signed)
            self._image = self._colors.image(matrix)

    def _colored(
        self, runs: list[tuple[int, int, int]]
    ) -> list[tuple[int, int, QColor]]:
        assert self._shown is not None
        names = self._shown.dataset.label_names
        palette = Palette.of("class", len(names), self.theme, 0, self._others)
        columns = palette.columns(np.array([code for _, _, code in runs]))
        return [
            (first, end, QColor(*palette.colors[column].tolist()))
            for (first, end, _), column in zip(runs, columns, strict=True)
        ]

    def _point_at(self, pair: tuple[int, int] | None) -> None:
        if pair != self._pair:
            self._pair = pair
            self._show_pair_label()
            self.pair_hovered.emit(self.pair)

    def _label_layout(self) -> MatrixLayout | None:
        """Return the layout of the matrix that the label of a pair stands beside."""
        return self.plan()

    def _show_pair_label(self) -> None:
        layout, pair = self._label_layout(), self.pair
        if layout is None or pair is None or self._pair is None:
            self.show_label(None)
            return
        at = layout.cell_rect(*self._pair).center()
        self.show_label(at, self.pair_text(pair, float(self.matrix()[self._pair])))

    def _select(
        self,
        one: tuple[int, int],
        other: tuple[int, int],
        modifiers: Qt.KeyboardModifier,
    ) -> None:
        assert self._shown is not None
        mask = np.zeros(self._shown.dataset.n, dtype=bool)
        for start, end in zip(one, other, strict=True):
            mask[self._shown.rows[min(start, end) : max(start, end) + 1]] = True
        self.selected.emit(mask, mode_of(modifiers))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        layout = self.plan()
        if layout is not None and event.button() == Qt.MouseButton.LeftButton:
            self._drag_start = self._drag_end = layout.cell_at(event.position())
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout = self.plan()
        if layout is None:
            return
        if self._drag_start is not None:
            self._drag_end = layout.nearest_cell(event.position())
            self.update()
        self._point_at(layout.cell_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        start, end = self._drag_start, self._drag_end
        self._drag_start = self._drag_end = None
        self.update()
        if start is not None and end is not None:
            self._select(start, end, event.modifiers())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self._shown is not None and key in ARROWS:
            last = len(self._shown.rows) - 1
            start, step = self._pair, ARROWS[Qt.Key(key)]
            moved = (0, 0)
            if start is not None:
                moved = (start[0] + step[0], start[1] + step[1])
            self._point_at((min(max(moved[0], 0), last), min(max(moved[1], 0), last)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pair is not None:
            self._select(self._pair, self._pair, event.modifiers())
        elif key == Qt.Key.Key_Escape and self._pair is not None:
            self._drag_start = None
            self._point_at(None)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point_at(None)
