"""The kernel matrix as a picture, sorted by class."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.kernel_matrix import drawing, marks
from kpca_viewer.features.kernel_matrix.drawing import (
    WRITTEN_ROWS,
    GramLayout,
    MatrixColors,
)
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.selection import Mask, mode_of
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.plots.text import draw_text, plot_font
from kpca_viewer.widgets.theme import Theme

_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class GramView(PaintedPlot):
    """The raw or the centred kernel matrix.

    Mouse or arrow keys point at a pair of rows. A click or Enter selects the two, a
    drag the rows and columns it passes; Shift adds, Alt removes.
    """

    pair_hovered = Signal(object)
    """(row, row) of the data, or None."""
    selected = Signal(object, object)
    """Mask of shape (n,), and "replace", "add" or "remove"."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gram_view")
        self.setAccessibleName("Kernel matrix")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._result: AnalysisResult | None = None
        self._centred = True
        self._colors: MatrixColors | None = None
        self._image = QImage()
        # Cell under mouse or keyboard, and rows lit up from elsewhere: positions in
        # the picture, not rows of the data.
        self._pair: tuple[int, int] | None = None
        self._highlight: tuple[int, ...] = ()
        self._chosen: tuple[int, ...] = ()
        self._drag_start: tuple[int, int] | None = None
        self._drag_end: tuple[int, int] | None = None

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._make_image()

    def show_result(self, result: AnalysisResult, view: ViewSettings) -> None:
        """Show the kernel matrix of a result."""
        before = self._result
        same = (
            before is not None
            and before.picture is result.picture
            and self._centred == view.gram_centred
        )
        self._result, self._centred = result, view.gram_centred
        if not same:
            self._make_image()
        if before is None or before.dataset is not result.dataset:
            self._highlight = self._chosen = ()
            self._pair = self._drag_start = None
        if not same:
            self.setAccessibleDescription(self.caption())
            self._show_pair_label()
            self.update()

    def show_nothing(self) -> None:
        """Show that there is no matrix."""
        self._result = self._colors = None
        self._image = QImage()
        self._highlight = self._chosen = ()
        self._pair = self._drag_start = None
        self.setAccessibleDescription("")
        self._show_pair_label()
        self.update()

    def set_highlight(self, rows: Sequence[int]) -> None:
        """Mark these rows of the data, as far as they are shown."""
        self._highlight = ()
        if self._result is not None and len(rows):
            found = np.flatnonzero(np.isin(self._result.picture.rows, rows))
            self._highlight = tuple(found.tolist())
        self.update()

    def set_selected(self, mask: Mask | None) -> None:
        """Mark the selected rows (n,) along the edges, as far as they are shown."""
        self._chosen = ()
        if mask is not None and self._result is not None:
            rows = self._result.picture.rows
            if len(mask) == self._result.dataset.n:
                self._chosen = tuple(np.flatnonzero(mask[rows]).tolist())
        self.update()

    @property
    def chosen(self) -> tuple[int, ...]:
        return self._chosen

    @property
    def highlight(self) -> tuple[int, ...]:
        return self._highlight

    @property
    def pair(self) -> tuple[int, int] | None:
        """The pair of data rows under mouse or keyboard."""
        if self._pair is None or self._result is None:
            return None
        first, second = self._result.picture.rows[list(self._pair)]
        return int(first), int(second)

    def caption(self) -> str:
        """Say what is shown: "centred kernel matrix · 400 of 20,000 points"."""
        if self._result is None:
            return ""
        result = self._result
        distances = result.dataset.kind == "distances" and not self._centred
        what = "distances" if distances else "kernel matrix"
        text = f"centred {what}" if self._centred else what
        if result.picture.sampled:
            return (
                f"{text} · {len(result.picture.rows):,} of {result.dataset.n:,} points"
            )
        return text

    @property
    def result(self) -> AnalysisResult | None:
        return self._result

    def matrix(self) -> Floats:
        """Return the numbers that are shown, (m, m)."""
        assert self._result is not None
        picture = self._result.picture
        matrix: Floats = picture.centred if self._centred else picture.raw
        return matrix

    def names(self) -> list[str]:
        """Return the names of the rows of a matrix that is small enough to be read."""
        if self._result is None or len(self._result.picture.rows) > WRITTEN_ROWS:
            return []
        dataset = self._result.dataset
        return [dataset.row_text(int(row)) for row in self._result.picture.rows]

    def plan(self, size: QSizeF | None = None) -> GramLayout | None:
        """Return where everything stands; None without a result."""
        if self._result is None or self._colors is None:
            return None
        texts = [ungrouped(value, 3) for value in self._colors.ticks()]
        return GramLayout.of(
            QSizeF(self.size()) if size is None else size,
            len(self._result.picture.rows),
            texts,
            strips=self._result.dataset.labels is not None,
            names=self.names(),
            caption=self.caption(),
        )

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint the matrix into an area from the origin."""
        layout, theme, result = self.plan(size), self.theme, self._result
        if layout is None or result is None or self._colors is None:
            painter.setFont(plot_font())
            painter.setPen(theme.muted)
            middle = QPointF(size.width() / 2, size.height() / 2)
            draw_text(painter, middle, "No kernel matrix yet")
            return
        drawing.draw_image(painter, layout, self._image)
        breaks: list[int] = []
        if layout.strips and result.dataset.labels is not None:
            runs = drawing.class_runs(result.dataset.labels[result.picture.rows])
            if layout.square.width() >= 6 * len(runs):
                breaks = [first for first, _, _ in runs[1:]]
            drawing.draw_strips(painter, layout, self._colored(runs))
        drawing.draw_frame(painter, layout, theme, breaks)
        if names := self.names():
            drawing.draw_names(painter, layout, theme, names)
            drawing.draw_values(painter, layout, self.matrix(), self._colors)
        drawing.draw_scale(painter, layout, theme, self._colors)
        drawing.draw_caption(painter, layout, theme, self.caption())
        if live:
            marks.draw_chosen(painter, layout, theme, self._chosen)
            marks.draw_highlight(painter, layout, theme, self._highlight)
            if self._drag_start is not None and self._drag_end is not None:
                marks.draw_range(
                    painter, layout, theme, self._drag_start, self._drag_end
                )
            if self._pair is not None:
                marks.draw_pair(painter, layout, theme, *self._pair)

    def _make_image(self) -> None:
        if self._result is not None:
            matrix = np.asarray(self.matrix(), dtype=np.float64)
            self._colors = MatrixColors.of(matrix, self.theme, signed=self._centred)
            self._image = self._colors.image(matrix)

    def _colored(
        self, runs: list[tuple[int, int, int]]
    ) -> list[tuple[int, int, QColor]]:
        assert self._result is not None
        names = self._result.dataset.label_names
        palette = Palette.of("class", len(names), self.theme)
        columns = palette.columns(np.array([code for _, _, code in runs]))
        colors = [QColor(*palette.colors[column].tolist()) for column in columns]
        return [
            (first, end, color)
            for (first, end, _), color in zip(runs, colors, strict=True)
        ]

    def _point_at(self, pair: tuple[int, int] | None) -> None:
        if pair != self._pair:
            self._pair = pair
            self._show_pair_label()
            self.pair_hovered.emit(self.pair)

    def _show_pair_label(self) -> None:
        layout, pair = self.plan(), self.pair
        if layout is None or pair is None or self._pair is None:
            self.show_label(None)
            return
        at = layout.cell_rect(*self._pair).center()
        self.show_label(at, self._pair_text(pair, float(self.matrix()[self._pair])))

    def _pair_text(self, pair: tuple[int, int], value: float) -> str:
        assert self._result is not None
        dataset = self._result.dataset
        symbol = "d" if dataset.kind == "distances" else "k"
        if self._centred:
            symbol = "centred k"
        first, second = (dataset.row_text(row) for row in pair)
        text = f"{symbol}({first}, {second}) = {ungrouped(value, 4)}"
        if dataset.labels is None:
            return text
        classes = [dataset.class_text(row) for row in pair]
        return f"{text}\n{', '.join(classes)}"

    def _select(
        self,
        one: tuple[int, int],
        other: tuple[int, int],
        modifiers: Qt.KeyboardModifier,
    ) -> None:
        """Select the rows and columns from one cell to another."""
        assert self._result is not None
        rows = self._result.picture.rows
        mask = np.zeros(self._result.dataset.n, dtype=bool)
        for start, end in zip(one, other, strict=True):
            mask[rows[min(start, end) : max(start, end) + 1]] = True
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
        if self._result is not None and key in _ARROWS:
            last = len(self._result.picture.rows) - 1
            start, step = self._pair, _ARROWS[Qt.Key(key)]
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
