"""The page Rebuild: a matrix from its parts, or three ways to the same picture."""

import numpy as np
from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.event_loop import GeneratorSteps
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.text.describe import row_name
from kpca_viewer.features.rebuild.compute import Rebuilding
from kpca_viewer.features.rebuild.rebuilt_view import RebuiltView
from kpca_viewer.features.rebuild.text import IN_ONE_PLACE, NO_WAYS, norm_lines
from kpca_viewer.features.rebuild.ways_plot import WaysPlot
from kpca_viewer.widgets.controls import NumberRow
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.painted import PaintedPlot, as_large_as
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.theme import LIGHT, Theme

PARTS = Parameter(
    "rebuilt",
    "p",
    "Parts",
    0,
    2,
    2,
    "integer",
    help="How many of its parts the matrix on the right is the sum of.",
)
AT_ONCE = 500
"""Rows up to which the residual is measured while the slider moves; of more it is
measured in portions, between which the window answers."""


class RebuildView(QWidget):
    """Shows one of the two; under the matrix a slider chooses the number of parts."""

    parts_edited = Signal(object)
    """Another number of parts, while a gesture lasts and at its end."""
    parts_committed = Signal()
    refused = Signal(str)
    """Why what was typed is not taken."""
    row_hovered = Signal(object)
    """A row of the data, or None."""
    row_selected = Signal(int, str)
    """A row of the data, and "replace", "add" or "remove"."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rebuild_view")
        self.setAccessibleName("Rebuild")
        self.matrices = RebuiltView()
        self.ways = WaysPlot()
        self.row = NumberRow(PARTS)
        self.row.value_edited.connect(self.parts_edited)
        self.row.value_committed.connect(self._on_row_committed)
        self.row.refused.connect(self.refused)
        self._theme = LIGHT
        self._found: Rebuilding | None = None
        self._key: tuple[Rebuilding, int] | None = None
        self._residual: float | None = None
        self._measuring: GeneratorSteps | None = None
        below = QWidget()
        layout = QVBoxLayout(below)
        layout.setContentsMargins(12, 0, 12, 4)
        layout.addWidget(self.row)
        matrix = QWidget()
        column = QVBoxLayout(matrix)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.matrices, 1)
        column.addWidget(below)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(matrix)
        self._stack.addWidget(self.ways)
        self.ways.row_hovered.connect(self._on_way_hovered)
        self.ways.row_selected.connect(self._on_way_selected)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.matrices.set_theme(theme)
        self.ways.set_theme(theme)

    @property
    def found(self) -> Rebuilding | None:
        return self._found

    @property
    def parts(self) -> int:
        return int(self.row.value())

    def wait(self, words: str) -> None:
        """Say that the numbers are on their way."""
        self._found = self._key = None
        self._stop_measuring()
        self.row.set_limits(0, 0, "the matrix is not decomposed yet")
        self.matrices.show_words(words)
        self.ways.show_nothing(words)

    def show_rebuilding(
        self, result: AnalysisResult, found: Rebuilding, view: ViewSettings
    ) -> None:
        """Show the numbers of a result, as the view settings want them."""
        self._found = found
        self._stack.setCurrentIndex(1 if view.rebuild == "ways" else 0)
        rank = found.parts.rank
        self.row.set_limits(0, rank, f"the matrix has rank {rank:,}")
        self.row.set_value(min(view.rebuilt_from, rank))
        if view.rebuild == "ways":
            self._show_ways(result, found, view)
            return
        p = self.parts
        self.matrices.show_parts(result.dataset, found, p)
        if self._key is None or self._key[0] is not found or self._key[1] != p:
            self._key = found, p
            self._measure()
        self._show_lines()

    def _show_lines(self) -> None:
        if self._found is not None:
            lines = norm_lines(self._found, self.parts, self._residual)
            self.matrices.set_lines(lines)

    def _measure(self) -> None:
        assert self._found is not None
        self._stop_measuring()
        parts = self._found.parts
        if parts.n <= AT_ONCE:
            self._residual = parts.residual(self.parts)
            return
        self._measuring = GeneratorSteps(parts.measuring(self.parts), self)
        self._measuring.ended.connect(self._on_measured)
        self._measuring.begin()

    def _stop_measuring(self) -> None:
        self._residual = None
        if self._measuring is not None:
            self._measuring.stop()
            self._measuring.deleteLater()
            self._measuring = None

    @Slot(object)
    def _on_measured(self, error: Exception | None) -> None:
        if self._measuring is None:
            return
        found = self._measuring.result
        self._measuring.deleteLater()
        self._measuring = None
        if error is None and isinstance(found, float):
            self._residual = found
        self._show_lines()

    def settle(self) -> None:
        """Measure to the end what would come in portions."""
        if self._measuring is not None:
            self._measuring.take_all()

    def _show_ways(
        self, result: AnalysisResult, found: Rebuilding, view: ViewSettings
    ) -> None:
        ways = found.ways
        if ways is None or not ways.count:
            self.ways.show_nothing(NO_WAYS if ways is None else IN_ONE_PLACE)
            return
        axes = plane_of(view, ways.count)
        signs = np.where(np.isin(axes, view.linear_flipped), -1.0, 1.0)
        scores = np.stack(
            [w[:, axes] * signs for w in (ways.mds, ways.pca, ways.linear)]
        )
        names = [f"PC {axis + 1}" for axis in axes]
        if len(axes) == 1:
            # One component is a line; it is drawn along the first axis.
            scores = np.concatenate((scores, np.zeros_like(scores)), axis=2)
            names.append("")
        rows = found.rows
        self.ways.show_ways(
            scores,
            (names[0], names[1]),
            self._row_colors(result, rows),
            lambda at: row_name(result, int(rows[at])),
        )

    def _row_colors(self, result: AnalysisResult, rows: np.ndarray) -> list[QColor]:
        labels, names = result.dataset.labels, result.dataset.label_names
        if labels is None:
            return [QColor(self._theme.accent)] * len(rows)
        palette = Palette.of("class", len(names), self._theme)
        known = [QColor(*color) for color in palette.colors.tolist()]
        return [known[column] for column in palette.columns(labels[rows])]

    def set_highlight(self, row: int | None) -> None:
        """Light up a row of the data where it is shown; nothing while it is hidden."""
        if not self.isVisible():
            return
        self.matrices.set_highlight([] if row is None else [row])
        at = None if row is None else self._position(row)
        self.ways.set_hovered(at)

    def set_selected(self, mask: Mask | None) -> None:
        """Mark the selected rows (n,) of the data."""
        self.matrices.set_selected(mask)
        found = self._found
        chosen = None
        if mask is not None and found is not None and len(mask) == found.total:
            chosen = mask[found.rows]
        self.ways.set_selected(chosen)

    def _position(self, row: int) -> int | None:
        if self._found is None:
            return None
        at = int(np.searchsorted(self._found.rows, row))
        rows = self._found.rows
        return at if at < len(rows) and rows[at] == row else None

    @Slot(object)
    def _on_way_hovered(self, at: int | None) -> None:
        if self._found is not None:
            row = None if at is None else int(self._found.rows[at])
            self.row_hovered.emit(row)

    @Slot(int, str)
    def _on_way_selected(self, at: int, mode: str) -> None:
        if self._found is not None:
            self.row_selected.emit(int(self._found.rows[at]), mode)

    @Slot(object)
    def _on_row_committed(self, _value: object) -> None:
        self.parts_committed.emit()

    def plot(self) -> PaintedPlot:
        return self.ways if self._stack.currentIndex() else self.matrices

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint the plot in front into a rectangle; paper has no slider."""
        self.settle()
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        plot = self.plot()
        with as_large_as(plot, self.size()):
            plot.render_to(painter, rect, background=background)


def plane_of(view: ViewSettings, count: int) -> list[int]:
    """Return the components on the two axes, of so many: those of the embedding."""
    wanted = [axis for axis in view.axes[:2] if axis < count]
    others = [axis for axis in range(count) if axis not in wanted]
    return (wanted + others)[:2]
