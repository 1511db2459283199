"""The kernel matrix beside what some of its parts make of it."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.rebuild.compute import Rebuilding
from kpca_viewer.features.rebuild.text import (
    Line,
    matrix_titles,
    pair_text,
    symbol_of,
)
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.matrix import MatrixColors
from kpca_viewer.widgets.plots.matrix_view import Matrix, MatrixView
from kpca_viewer.widgets.plots.painted import PaintedPlot, as_large_as
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

_GAP = 10.0


class PartsMatrix(MatrixView):
    """One of the two matrices, in colours that both share."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.title = ""
        self.found: Rebuilding | None = None
        self.rebuilt: Floats = np.empty((0, 0))

    def show_parts(self, shown: Matrix, found: Rebuilding, rebuilt: Floats) -> None:
        """Show one of the true matrix and the rebuilt one (m, m)."""
        self.found, self.rebuilt = found, rebuilt
        self.setAccessibleName(self.title)
        self.show_matrix(shown)

    def mark_pair(self, pair: tuple[int, int] | None) -> None:
        """Mark a cell that is pointed at in the other matrix. Emits nothing."""
        self._pair = pair
        self.update()

    @property
    def cell(self) -> tuple[int, int] | None:
        return self._pair

    def caption(self) -> str:
        return self.title

    def _make_image(self) -> None:
        super()._make_image()
        if self._shown is not None and self.found is not None:
            # Zero has the colour of the card, so that it is seen where parts are too
            # much.
            true = self.found.shown_matrix
            self._colors = MatrixColors.of(true, self.theme, signed=True)
            self._image = self._colors.image(self._shown.values)

    def minimumSizeHint(self) -> QSize:
        # The slider below it needs some of the height that a plot may have.
        return QSize(60, 56)

    def pair_text(self, pair: tuple[int, int], _value: float) -> str:
        assert self._shown is not None
        assert self.found is not None
        assert self._pair is not None
        return pair_text(
            symbol_of(self.found),
            [self._shown.dataset.row_text(row) for row in pair],
            float(self.found.shown_matrix[self._pair]),
            float(self.rebuilt[self._pair]),
        )


class NormLines(PaintedPlot):
    """Quantities and their values, one a line."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rebuilt_norms")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.lines: Sequence[Line] = ()

    def show_lines(self, lines: Sequence[Line]) -> None:
        if lines != self.lines:
            self.lines = tuple(lines)
            spoken = "; ".join(f"{line.what} {line.value}" for line in lines)
            self.setAccessibleName(spoken)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        height = QFontMetricsF(plot_font()).height()
        return QSize(120, round(len(self.lines) * height) + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        font = plot_font()
        painter.setFont(font)
        height = QFontMetricsF(font).height()
        names = max((text_width(line.what, font) for line in self.lines), default=0.0)
        for index, line in enumerate(self.lines):
            at = QPointF(_GAP, 4 + index * height)
            painter.setPen(QColor(self.theme.muted))
            draw_text(painter, at, line.what, 0.0, 0.0)
            painter.setPen(QColor(self.theme.text))
            draw_text(painter, at + QPointF(names + _GAP, 0), line.value, 0.0, 0.0)


class RebuiltView(QWidget):
    """K̃ on the left, K̃ₚ on the right, and what is left of their difference below."""

    pair_hovered = Signal(object)
    """(row, row) of the data, or None."""
    selected = Signal(object, object)
    """Mask of shape (n,), and "replace", "add" or "remove"."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rebuilt_view")
        self.setAccessibleName("Kernel matrix and what it is rebuilt from")
        self.true, self.right = PartsMatrix("true_matrix"), PartsMatrix("rebuilt")
        self.norms = NormLines()
        self._shown: tuple[object, ...] = ()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.true, 0, 0)
        layout.addWidget(self.right, 0, 1)
        layout.addWidget(self.norms, 1, 0, 1, 2)
        layout.setRowStretch(0, 1)
        for matrix in self.matrices:
            matrix.pair_hovered.connect(self._on_pair_hovered)
            matrix.selected.connect(self.selected)

    @property
    def matrices(self) -> tuple[PartsMatrix, PartsMatrix]:
        return self.true, self.right

    @property
    def lines(self) -> Sequence[Line]:
        return self.norms.lines

    def set_theme(self, theme: Theme) -> None:
        for plot in (*self.matrices, self.norms):
            plot.set_theme(theme)

    def show_parts(self, dataset: Dataset, found: Rebuilding, p: int) -> None:
        """Show the matrix of a data set, and what p of its parts make of it."""
        # The same parts come again once the three ways have been compared.
        if self._shown == (found.parts, p):
            return
        self._shown = found.parts, p
        rebuilt = found.parts.rebuilt(p, found.shown)
        self.true.title, self.right.title = matrix_titles(found, p)
        for matrix, values in ((self.true, found.shown_matrix), (self.right, rebuilt)):
            shown = Matrix(values, found.shown_rows, dataset, True)
            matrix.show_parts(shown, found, rebuilt)

    def show_words(self, words: str) -> None:
        self._shown = ()
        self.true.show_words(words)
        self.right.show_words("")
        self.norms.show_lines(())

    def set_highlight(self, rows: Sequence[int]) -> None:
        for matrix in self.matrices:
            matrix.set_highlight(rows)

    def set_selected(self, mask: Mask | None) -> None:
        for matrix in self.matrices:
            matrix.set_selected(mask)

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        scale = min(rect.width() / self.width(), rect.height() / self.height())
        high = self.norms.sizeHint().height() * scale
        half = QSizeF(rect.width() / 2, rect.height() - high)
        beside, below = QPointF(half.width(), 0), QPointF(0, half.height())
        rooms = {
            self.true: QRectF(rect.topLeft(), half),
            self.right: QRectF(rect.topLeft() + beside, half),
            self.norms: QRectF(rect.topLeft() + below, QSizeF(rect.width(), high)),
        }
        for plot, room in rooms.items():
            with as_large_as(plot, (room.size() / scale).toSize()):
                plot.render_to(painter, room, background=background)

    def _on_pair_hovered(self, pair: tuple[int, int] | None) -> None:
        one, other = self.matrices
        if self.sender() is self.right:
            one, other = other, one
        other.mark_pair(one.cell)
        self.pair_hovered.emit(pair)
