"""What mouse and keys do while points are drawn: every gesture becomes an edit."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, Qt, Signal, Slot

from kpca_viewer.data.drawn import Drawn, places_without
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.canvas import Drag
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.linking import Linking, Mask, mode_of

REACH = 9.0
"""Pixels from a point within which the pencil takes it."""

BRUSH = 26.0
"""Pixels from its middle that the brush sprays."""

ERASER = 14.0
"""Pixels from its middle that the eraser takes."""

BURST = 6
"""Points of a brush that does not move."""

SPACING = 4.0
"""Pixels of a stroke for each point that is sprayed."""


def nearest(pixels: Floats, at: Floats, shown: Mask | None = None) -> int | None:
    """Return which of (n, 2) pixels the pencil would take at a place (2,), or None."""
    if not len(pixels):
        return None
    away = np.hypot(*(pixels - at).T)
    if shown is not None and len(shown) == len(away):
        away = np.where(shown, away, np.inf)
    row = int(np.argmin(away))
    return row if away[row] <= REACH else None


def within(pixels: Floats, begin: Floats, end: Floats, radius: float = ERASER) -> Mask:
    """Return which of (n, 2) pixels a round tool passes from one place to another."""
    way = end - begin
    length = float(way @ way)
    along = np.zeros(len(pixels))
    if length > 0:
        along = np.clip((pixels - begin) @ way / length, 0.0, 1.0)
    feet = begin + along[:, None] * way
    near: Mask = np.hypot(*(pixels - feet).T) <= radius
    return near


def sprayed(random: np.random.Generator, begin: Floats, end: Floats) -> Floats:
    """Return pixels (m, 2) that a stroke from one place to another hits."""
    length = float(np.hypot(*(end - begin)))
    count = BURST if length == 0 else int(random.poisson(length / SPACING))
    middles = begin + random.uniform(size=(count, 1)) * (end - begin)
    angle = random.uniform(0, 2 * np.pi, count)
    # The root makes the spray even over the disc.
    radius = BRUSH * np.sqrt(random.uniform(size=count))
    return np.asarray(
        middles + np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    )


def places(frame: Frame, pixels: Floats) -> list[tuple[float, float]]:
    """Return data coordinates of pixels, with no more digits than can be seen."""
    low = np.array([frame.left, frame.top])
    inside: NDArray[np.float64] = np.clip(
        pixels, low, low + np.array([frame.width, frame.height])
    )
    digits = [
        _digits((high - low) / size)
        for (low, high), size in (
            (frame.x_range, frame.width),
            (frame.y_range, frame.height),
        )
    ]
    return [
        (round(x, digits[0]) + 0.0, round(y, digits[1]) + 0.0)
        for x, y in frame.to_data(inside).tolist()
    ]


def _digits(pixel: float) -> int:
    """Return decimals that are finer than a pixel of so many units."""
    return math.ceil(-math.log10(pixel / 2)) if 0 < pixel < math.inf else 0


GESTURE = "drawing"


class Pencil(QObject):
    """Draws into the data view while it is on."""

    edited = Signal(object, object, object)
    """The drawing that is requested, where every row of before is in it (or None for
    where it was), and the gesture while one lasts, else None."""
    ended = Signal()
    """A gesture has ended."""
    given_up = Signal()
    """A gesture was cancelled: all that it has changed is to be as it was."""
    refused = Signal(object)
    """Why something cannot be drawn."""

    def __init__(self, view: JoinedScatter, linking: Linking) -> None:
        super().__init__(view)
        self.drawn: Drawn | None = None
        self.tool = "pencil"
        self.code = 0
        self._view = view
        self._linking = linking
        self._random = np.random.default_rng()
        self._at: QPointF | None = None
        self._row = 0
        self._drawing = self._changed = False
        canvas = view.canvas
        canvas.moved.connect(self._on_moved)
        canvas.clicked.connect(self._on_clicked)
        canvas.double_clicked.connect(self._on_double_clicked)
        canvas.drag_started.connect(self._on_drag_started)
        canvas.drag_moved.connect(self._on_drag_moved)
        canvas.drag_finished.connect(self._on_drag_finished)
        canvas.drag_cancelled.connect(self._on_drag_cancelled)
        view.deleted.connect(self._on_deleted)
        view.inserted.connect(self._on_inserted)
        view.nudged.connect(self._on_nudged)

    def set_class(self, code: int) -> None:
        """Draw in a class from now on; what is pointed at or selected joins it."""
        self.code = code
        targets = self.targets()
        if self.drawn is not None and targets is not None:
            self._edit(self.drawn.classed(targets, code))

    def targets(self) -> Mask | None:
        """Return the points (n,) that a key is meant for: pointed at, or selected."""
        if self.drawn is None:
            return None
        mask = np.zeros(len(self.drawn), dtype=bool)
        row = None if self._at is None else self._row_at(self._at)
        selected = self._linking.selection
        if selected is not None and len(selected) != len(mask):
            selected = None
        if row is not None and (selected is None or not selected[row]):
            mask[row] = True
            return mask
        return selected

    @property
    def _on(self) -> bool:
        return (
            self._view.canvas.has_pointer_tool
            and self._view.is_flat
            and self.drawn is not None
        )

    def _pixels(self) -> Floats:
        assert self.drawn is not None
        return self._view.area.frame.to_pixels(self.drawn.array())

    def _row_at(self, at: QPointF) -> int | None:
        return nearest(self._pixels(), _array(at), self._view.area.cloud.shown)

    def _place(self, at: QPointF) -> tuple[float, float]:
        return places(self._view.area.frame, _array(at)[None])[0]

    def _edit(self, drawn: Drawn, gone: Mask | None = None) -> None:
        """Request another drawing, without some rows (n,) of this one."""
        if drawn == self.drawn:
            return
        self._changed = True
        rows = None if gone is None else places_without(gone)
        self.edited.emit(drawn, rows, GESTURE if self._drawing else None)

    def _add(self, pixels: Floats) -> bool:
        """Add points at pixels (m, 2); returns whether there was room for them."""
        assert self.drawn is not None
        found = places(self._view.area.frame, pixels)
        try:
            self._edit(self.drawn.added(found, self.code))
        except DataError as error:
            self.refused.emit(str(error))
            return False
        return True

    def _erase(self, begin: QPointF, end: QPointF) -> None:
        assert self.drawn is not None
        gone = within(self._pixels(), _array(begin), _array(end))
        if gone.any():
            self._edit(self.drawn.without(gone), gone)

    def _spray(self, begin: QPointF, end: QPointF) -> None:
        frame = self._view.area.frame
        pixels = sprayed(self._random, _array(begin), _array(end))
        inside = [pixel for pixel in pixels if frame.contains(*pixel)]
        if inside:
            self._add(np.array(inside))

    # The mouse

    @Slot(object)
    def _on_moved(self, position: QPointF | None) -> None:
        self._at = position

    @Slot(object, object, object)
    def _on_clicked(
        self, position: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier
    ) -> None:
        if button != Qt.MouseButton.LeftButton or not self._begins_at(position):
            return
        self._at = position
        row = self._row_at(position)
        if self.tool == "pencil" and row is not None:
            if row < self._view.point_count:
                mask = np.zeros(self._view.point_count, dtype=bool)
                mask[row] = True
                self._view.selected.emit(mask, mode_of(modifiers))
        else:
            self._dab(position)

    @Slot(object, object)
    def _on_double_clicked(self, position: QPointF, button: Qt.MouseButton) -> None:
        # Two quick clicks are two; the second at the same place is a slip.
        free = button == Qt.MouseButton.LeftButton and self._begins_at(position)
        if free and (self.tool != "pencil" or self._row_at(position) is None):
            self._dab(position)

    def _begins_at(self, position: QPointF) -> bool:
        inside = self._view.area.frame.contains(position.x(), position.y())
        return self._on and inside

    def _dab(self, position: QPointF) -> None:
        if self.tool == "pencil":
            self._add(_array(position)[None])
        elif self.tool == "brush":
            self._spray(position, position)
        else:
            self._erase(position, position)

    @Slot(object)
    def _on_drag_started(self, drag: Drag) -> None:
        left = drag.button == Qt.MouseButton.LeftButton
        self._drawing = left and self._begins_at(drag.start)
        self._changed = False
        if not self._drawing:
            return
        if self.tool == "pencil":
            row = self._row_at(drag.start)
            assert self.drawn is not None
            # From an empty place, a new point is taken along.
            self._row = len(self.drawn) if row is None else row
            if row is None and not self._add(_array(drag.start)[None]):
                self._drawing = False
        else:
            self._stroke(drag)

    @Slot(object)
    def _on_drag_moved(self, drag: Drag) -> None:
        if self._drawing and self._on:
            self._stroke(drag)

    def _stroke(self, drag: Drag) -> None:
        if self.tool == "brush":
            self._spray(drag.previous, drag.now)
        elif self.tool == "eraser":
            self._erase(drag.previous, drag.now)
        elif self.drawn is not None and self._row < len(self.drawn):
            place = self._place(drag.now)
            # The hand sees it at once, however long the rest takes.
            self._view.move_row(self._row, place)
            self._edit(self.drawn.moved(self._row, place))

    @Slot(object)
    def _on_drag_finished(self, drag: Drag) -> None:
        if self._drawing:
            if self._on:
                self._stroke(drag)
            self._at = drag.now
            self._drawing = False
            self.ended.emit()

    @Slot()
    def _on_drag_cancelled(self) -> None:
        if self._drawing:
            self._drawing = False
            self._view.put_rows_back()
            if self._changed:
                self.given_up.emit()
            else:
                self.ended.emit()

    # The keys

    @Slot()
    def _on_deleted(self) -> None:
        targets = self.targets() if self._on else None
        if self.drawn is not None and targets is not None:
            self._edit(self.drawn.without(targets), targets)

    @Slot()
    def _on_inserted(self) -> None:
        """Put a point into the middle; keys that follow are for that one."""
        if self._on:
            frame = self._view.area.frame
            middle = frame.left + frame.width / 2, frame.top + frame.height / 2
            self._at = QPointF(*middle)
            self._add(np.array([middle]))

    @Slot(object)
    def _on_nudged(self, shift: tuple[float, float]) -> None:
        targets = self.targets() if self._on else None
        if self.drawn is None or targets is None:
            return
        moved = self.drawn.shifted(targets, shift)
        if self._at is not None and targets.sum() == 1:
            # The pointer of the keys goes along.
            at = self._view.area.frame.to_pixels(moved.array()[targets])[0]
            self._at = QPointF(*at)
        self._edit(moved)


def _array(point: QPointF) -> Any:
    return np.array([point.x(), point.y()])
