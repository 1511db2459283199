"""The page Rebuild: a matrix from its parts, or three ways to the same picture."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Signal, Slot
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.methods.matrix_parts import MatrixParts
from kpca_viewer.engine.event_loop import GeneratorSteps
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.rebuild.compute import Rebuilding
from kpca_viewer.features.rebuild.rebuilt_view import RebuiltView
from kpca_viewer.features.rebuild.text import (
    IN_ONE_PLACE,
    NO_WAYS,
    WAYS,
    WAYS_FOLLOW,
    norm_lines,
)
from kpca_viewer.widgets.controls import NumberRow
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.painted import as_large_as
from kpca_viewer.widgets.scene import Scene
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


class WaysView(QWidget):
    """Classical MDS, PCA and the linear kernel beside each other, linked by rows."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("ways_view")
        self.setAccessibleName(", ".join(WAYS))
        self.plots: tuple[JoinedScatter, ...] = ()
        """Made when they are first shown: a window opens without them."""
        self._linking = linking
        self._theme = LIGHT
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def _make(self) -> None:
        self.plots = tuple(
            JoinedScatter(f"ways_{index}", way, self._linking)
            for index, way in enumerate(WAYS)
        )
        for plot in self.plots:
            plot.set_aspect_locked(True)
            plot.set_theme(self._theme)
            self._layout.addWidget(plot)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for plot in self.plots:
            plot.set_theme(theme)

    def show_words(self, words: str) -> None:
        for plot in self.plots:
            plot.show_nothing(words)

    def show_ways(self, scene: Scene, found: Rebuilding) -> None:
        """Show where each way puts the rows, on the axes of the embedding."""
        ways, view, result = found.ways, scene.settings.view, scene.result
        assert result is not None
        if not self.plots:
            self._make()
        if ways is None or not ways.count:
            words = WAYS_FOLLOW if found.ways_follow else NO_WAYS
            self.show_words(words if ways is None else IN_ONE_PLACE)
            return
        axes = plane_of(view, ways.count)
        signs = np.where(np.isin(axes, view.linear_flipped), -1.0, 1.0)
        for plot, way, scores in zip(
            self.plots, WAYS, (ways.mds, ways.pca, ways.linear), strict=True
        ):
            # Rows that are not in the sample are nowhere; one component is a line.
            places = np.full((result.all_rows.dataset.n, 2), np.nan)
            places[found.rows] = 0.0
            places[found.rows, : len(axes)] = scores[:, axes] * signs
            names = [f"PC {axis + 1}" for axis in axes] + [""]
            names = [f"{names[0]}, {way}", names[1]]
            plot.show_rows(scene, places, axes, names)

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        wide = QSizeF(rect.width() / 3, rect.height())
        for index, plot in enumerate(self.plots):
            corner = rect.topLeft() + QPointF(index * wide.width(), 0)
            with as_large_as(plot, (QSizeF(self.width() / 3, self.height())).toSize()):
                plot.render_to(painter, QRectF(corner, wide), background=background)


class RebuildView(QWidget):
    """Shows one of the two; under the matrix a slider chooses the number of parts."""

    parts_edited = Signal(object)
    """Another number of parts, while a gesture lasts and at its end."""
    parts_committed = Signal()
    refused = Signal(str)
    """Why what was typed is not taken."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("rebuild_view")
        self.setAccessibleName("Rebuild")
        self.matrices = RebuiltView()
        self.ways = WaysView(linking)
        self.row = NumberRow(PARTS)
        self.row.value_edited.connect(self.parts_edited)
        self.row.value_committed.connect(self._on_row_committed)
        self.row.refused.connect(self.refused)
        self._theme = LIGHT
        self._found: Rebuilding | None = None
        self._key: tuple[MatrixParts, int] | None = None
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
        self._found = self._key = None
        self._stop_measuring()
        self.row.set_limits(0, 0, "the matrix is not decomposed yet")
        self.matrices.show_words(words)
        self.ways.show_words(words)

    def show_rebuilding(self, scene: Scene, found: Rebuilding) -> None:
        """Show the numbers of a scene, as its view settings want them."""
        self._found, view, result = found, scene.settings.view, scene.result
        assert result is not None
        self._stack.setCurrentIndex(1 if view.rebuild == "ways" else 0)
        rank = found.parts.rank
        self.row.set_limits(0, rank, f"the matrix has rank {rank:,}")
        self.row.set_value(min(view.rebuilt_from, rank))
        if view.rebuild == "ways":
            self.ways.show_ways(scene, found)
            return
        p = self.parts
        self.matrices.show_parts(result.dataset, found, p)
        if self._key is None or self._key[0] is not found.parts or self._key[1] != p:
            self._key = found.parts, p
            self._measure()
        self._show_lines()

    def _show_lines(self) -> None:
        if self._found is not None:
            lines = norm_lines(self._found, self.parts, self._residual)
            self.matrices.norms.show_lines(lines)

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

    def set_highlight(self, row: int | None) -> None:
        """Light up a row of the data where it is shown; nothing while it is hidden."""
        if self.isVisible():
            self.matrices.set_highlight([] if row is None else [row])

    @Slot(object)
    def _on_row_committed(self, _value: object) -> None:
        self.parts_committed.emit()

    def plot(self) -> WaysView | RebuiltView:
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
