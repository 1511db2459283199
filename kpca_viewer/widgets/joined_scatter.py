"""A scatter that is joined to all other plots by the rows it shows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from kpca_viewer.engine.row_pictures import row_pictures
from kpca_viewer.engine.stages import SameArray
from kpca_viewer.engine.text.describe import describe_row
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.plots.coloring import Coloring
from kpca_viewer.widgets.plots.linking import Linking, mode_of
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.pixels import row_image
from kpca_viewer.widgets.plots.row_labels import RowLabels, row_labels
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.plots.space3d import Space
from kpca_viewer.widgets.scene import Scene

ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_ZOOMS = {Qt.Key.Key_Plus: 1.25, Qt.Key.Key_Equal: 1.25, Qt.Key.Key_Minus: 0.8}
_PAN_PIXELS = 40.0
_NUDGE = 1 / 60
"""How far a key moves a point, as a share of what the plot shows."""
_TURN_DEGREES = 6.0


class JoinedScatter(ScatterView):
    """Shares hover and selection by the linking; labels describe rows."""

    shows_pictures = True

    nudged = Signal(object)
    """(dx, dy) in the units of the axes: Ctrl and an arrow key."""

    deleted = Signal()
    """Delete or Backspace was pressed."""
    inserted = Signal()
    """Insert was pressed."""

    def __init__(self, name: str, title: str, linking: Linking) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.canvas.setObjectName(f"{name}_canvas")
        self.canvas.setAccessibleName(title)
        self.canvas.setAccessibleDescription(
            "Arrow keys walk from point to point, Enter selects, Shift adds. Shift and "
            "arrow keys move or turn the plot, plus and minus zoom."
        )
        self.set_empty_text("Nothing computed yet")
        self._scene = Scene()
        self._linking = linking
        self._axes: tuple[object, ...] = ()
        self._names: list[str] = []
        self._extra = 0
        self._taken: tuple[Array, tuple[int, ...], int] | None = None
        self._columns: tuple[Array, list[int]] = np.empty((0, 2)), []
        self.hovered.connect(self._on_hovered)
        self.selected.connect(self._on_selected)
        linking.hovered_changed.connect(self.set_hovered)
        linking.partner_changed.connect(self.area.cloud.set_partner)
        linking.selection_changed.connect(self.set_selected)
        linking.names_changed.connect(self._show_labels)
        linking.selection_changed.connect(self._show_labels)
        self.set_hover_texts(self.describe)

    def show_rows(
        self,
        scene: Scene,
        coordinates: Array,
        axes: Sequence[object],
        names: list[str],
        *,
        animate: bool = False,
        diameter: float | None = None,
    ) -> None:
        """Show the rows of a scene at these coordinates (n, 2 or 3).

        Axes are known by their numbers: names tell shares, which change with γ.
        Coordinates and colours beyond the rows of the data belong to new rows.
        """
        result, colors, view = scene.result, scene.colors, scene.settings.view
        assert result is not None
        assert colors is not None
        self._scene = scene
        self._extra = max(len(coordinates) - result.dataset.n, 0)
        # A drawn point is the same one at another place.
        rows = "drawn" if result.is_drawn else SameArray(result.dataset.points)
        shown = (rows, *axes)
        # Points glide along the same axes only; between others the way has no meaning.
        same = shown == self._axes
        self._axes = shown
        # The raw data and linear PCA stay where they are while γ moves: they need not
        # be drawn again, and a part of them that was zoomed into stays in view.
        if not same or names != self._names or not self._shows(coordinates):
            self._names = names
            self.set_points(coordinates, names, animate=animate and same)
        self._dress(colors)
        self.area.cloud.set_point_size(diameter or view.point_size)
        self.area.cloud.set_opacity(view.opacity)
        self._show_labels()
        self.set_selected(self._linking.selection)

    def set_space(self, space: Space | None) -> None:
        """Show a curved plane and arrows among points that are set next, in 3-D."""
        if space is not self.space:
            # The points may be where they were, but not what is drawn among them.
            self._names = []
        self.space = space

    def show_film(
        self,
        coordinates: Array,
        names: list[str],
        colors: Coloring,
        *,
        animate: bool = False,
    ) -> None:
        """Show the rows of the data at other places for a moment, without new ones."""
        self._extra = 0
        self.set_points(coordinates, names, animate=animate)
        self._dress(colors)
        self.set_selected(self._linking.selection)

    def _dress(self, colors: Coloring) -> None:
        self.set_colors(
            colors.codes, colors.kind, colors.names, colors.shapes, colors.others
        )
        self.area.cloud.set_sizes(None if colors.sizes is None else colors.sizes.shares)

    def _show_labels(self) -> None:
        result, view = self._scene.result, self._scene.settings.view
        dataset = None if result is None else result.dataset
        # While plots change by turns, this one may still have no points.
        if dataset is None or dataset.n > self.point_count:
            return
        linking = self._linking
        labels = row_labels(dataset, view, linking.names, linking.selection)
        self.area.cloud.set_labels(self.labelled(labels))

    def labelled(self, labels: RowLabels) -> RowLabels:
        return labels

    def columns_of(
        self, table: Array, chosen: tuple[int, ...], count: int
    ) -> tuple[Array, list[int]]:
        last = self._taken
        if last is None or last[0] is not table or last[1:] != (chosen, count):
            self._taken = (table, chosen, count)
            self._columns = columns(table, chosen, count)
        return self._columns

    def _shows(self, coordinates: Array) -> bool:
        shown = self._coordinates
        if shown is coordinates:
            return True
        return shown.shape == coordinates.shape and bool((shown == coordinates).all())

    def set_hovered(self, row: int | None) -> None:
        known = row is None or row < self.point_count
        super().set_hovered(row if known else None)

    def set_selected(self, mask: ArrayLike | None) -> None:
        """Select rows of the data; new rows fade with what is not selected."""
        self.area.cloud.set_selected(self._padded(mask))

    def set_lifted(self, mask: ArrayLike | None) -> None:
        """Lift rows of the data for a moment; the mask may contain new rows too."""
        self.area.cloud.set_lifted(self._padded(mask))

    def set_hidden(self, mask: ArrayLike | None) -> None:
        """Hide rows of the data; the mask may contain new rows too."""
        super().set_hidden(self._padded(mask))
        self._linking.set_hidden(None if mask is None else np.asarray(mask))

    def _padded(self, mask: ArrayLike | None) -> ArrayLike | None:
        known = None if mask is None else np.asarray(mask)
        if known is None or len(known) == self.point_count:
            return known
        if len(known) != self.point_count - self._extra:
            # Of other data: a plot behind another page still has those before.
            return None
        return np.append(known, np.zeros(self._extra, dtype=bool))

    def _on_hovered(self, row: int | None) -> None:
        self._linking.set_hovered(row)

    def _on_selected(self, mask: Array, mode: Any) -> None:
        if not self.is_partial:
            self._linking.apply_selection(mask[: len(mask) - self._extra], mode)

    def set_probes(self, probes: Sequence[Marker]) -> None:
        """Show places under the pointer for a moment; on a lift, raised."""
        if self.surface is not None:
            probes = [self.surface.raised(probe) for probe in probes]
        self.area.set_probes(probes)

    def show_nothing(self, why: str, axes: tuple[str, str] = ("", "")) -> None:
        """Show an empty plot that says why it is empty, without axes or with."""
        self._extra = 0
        self.area.shows_plane = any(axes)
        self.set_empty_text(why)
        self.set_points(np.empty((0, 2)), axes)

    def move_row(self, row: int, place: tuple[float, float]) -> None:
        """Show a row at another place at once, until it is shown anew."""
        placed = self.area.placed
        if self.is_flat and row < len(placed):
            moved = placed.copy()
            moved[row] = place
            self.area.set_placed(moved)

    def put_rows_back(self) -> None:
        self.glide.finish()
        self.area.set_placed(self.area.projection.place(self._coordinates))

    def describe(self, row: int) -> str:
        result, view = self._scene.result, self._scene.settings.view
        if result is None:
            return ""
        pictured = row_pictures(result.dataset, view) is not None
        return describe_row(result, row, self._linking.names, view, pictured=pictured)

    def _update_label(self) -> None:
        super()._update_label()
        if not self.shows_pictures:
            return
        overlay, row = self.area.overlay, self.interaction.hovered
        result = self._scene.result
        if row is not None and overlay.label_lines and result is not None:
            pictures = row_pictures(result.dataset, self._scene.settings.view)
            points = result.all_rows.dataset.points
            if pictures is not None and row < len(points):
                overlay.set_picture(row_image(pictures.shades(points[row])))

    def _walk(self, step: tuple[int, int]) -> None:
        """Put the pointer that keys move onto the next point in a direction."""
        pixels, shown = self.pixels(), self.area.cloud.shown
        now = self._linking.hovered
        if now is None or not shown[now]:
            away = np.hypot(*(pixels - (self.width() / 2, self.height() / 2)).T)
        else:
            way = pixels - pixels[now]
            along, aside = way @ (step[0], -step[1]), way @ (step[1], step[0])
            # Ahead rather than beside, and what is beside counts twice.
            ahead = along > np.maximum(0.5, 0.5 * np.abs(aside))
            away = np.where(ahead, along + 2 * np.abs(aside), np.inf)
        away = np.where(shown & np.isfinite(away), away, np.inf)
        if away.size and np.isfinite(away.min()):
            self.canvas.moved.emit(QPointF(*pixels[int(np.argmin(away))]))

    def _move(self, step: tuple[int, int]) -> None:
        """Turn what has depth; shift what is flat, as the keys of a map do."""
        if self.is_flat:
            self.pan(QPointF(-step[0], step[1]) * _PAN_PIXELS)
        else:
            self.set_camera(
                self.camera.orbit(_TURN_DEGREES * step[0], _TURN_DEGREES * step[1])
            )

    def _select_hovered(self, modifiers: Qt.KeyboardModifier) -> None:
        row = self._linking.hovered
        if row is not None:
            mask = np.zeros(self.point_count, dtype=bool)
            mask[row] = True
            self.selected.emit(mask, mode_of(modifiers))

    def middle(self) -> tuple[float, float]:
        (x0, x1), (y0, y1) = self.view_range()
        return (x0 + x1) / 2, (y0 + y1) / 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do with keys what the mouse does: point, select, move, zoom, drag."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        step = ARROWS.get(key)
        if step is not None and modifiers & Qt.KeyboardModifier.ControlModifier:
            shift = (
                _NUDGE * way * (high - low)
                for way, (low, high) in zip(step, self.view_range(), strict=True)
            )
            self.nudged.emit(tuple(shift))
        elif step is not None and modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._move(step)
        elif step is not None:
            self._walk(step)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.deleted.emit()
        elif key == Qt.Key.Key_Insert:
            self.inserted.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._select_hovered(modifiers)
        elif key in _ZOOMS and not modifiers & Qt.KeyboardModifier.ControlModifier:
            middle = QPointF(self.width() / 2, self.height() / 2)
            self.zoom(_ZOOMS[key], middle)
        else:
            event.ignore()
            return
        self.canvas.focus_mark.show(self.canvas.hasFocus())


def columns(
    table: Array, chosen: tuple[int, ...], count: int
) -> tuple[Array, list[int]]:
    """Return ``count`` columns of a table; one that it lacks is zeros, and −1."""
    picked = [j if j < table.shape[1] else -1 for j in chosen[:count]]
    result = np.zeros((len(table), count))
    for position, j in enumerate(picked):
        if j >= 0:
            result[:, position] = table[:, j]
    # It is not written to, so that plots need no copy of their own.
    result.flags.writeable = False
    return result, picked
