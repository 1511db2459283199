"""Rows that are selected or pointed at, in all plots at once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal, Slot

from kpca_viewer.widgets.plots.frame import Floats

Mask = NDArray[np.bool_]
Mode = Literal["replace", "add", "remove"]


def points_in_polygon(points: Floats, polygon: Floats) -> Mask:
    """Tell which points (n, 2) lie inside a closed polygon (m, 2).

    A lasso may cross itself; every point it winds around counts as inside.
    """
    inside = np.zeros(len(points), dtype=bool)
    if len(polygon) < 3:
        return inside
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    with np.errstate(invalid="ignore"):
        near = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
    # Sorted by height, an edge concerns one run of points instead of all of them:
    # the cost is n log n plus the crossings, not n times the length of the lasso.
    near = near[np.argsort(points[near, 1], kind="stable")]
    x, y = points[near, 0], points[near, 1]
    winding = np.zeros(len(near), dtype=np.int64)
    ends = np.roll(polygon, -1, axis=0)
    for (x0, y0), (x1, y1) in zip(polygon, ends, strict=True):
        first, last = np.searchsorted(y, (min(y0, y1), max(y0, y1)))
        if first == last:
            continue
        run = slice(first, last)
        crossing = x0 + (y[run] - y0) * ((x1 - x0) / (y1 - y0))
        winding[run] += np.where(x[run] < crossing, 1 if y1 > y0 else -1, 0)
    inside[near] = winding != 0
    return inside


def points_in_rectangle(points: Floats, corner: Floats, opposite: Floats) -> Mask:
    """Tell which points (n, 2) lie between two opposite corners, (2,) each."""
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    with np.errstate(invalid="ignore"):
        inside = (points >= low) & (points <= high)
    return inside[:, 0] & inside[:, 1]


def combined(current: Mask | None, mask: Mask, mode: Mode) -> Mask | None:
    """Return the selection after a gesture that held a mask; None is no selection."""
    if mode == "replace" or current is None:
        # With nothing selected there is nothing to take away from.
        result = np.zeros_like(mask) if mode == "remove" else mask.copy()
    else:
        result = current | mask if mode == "add" else current & ~mask
    return result if result.any() else None


def mode_of(modifiers: Qt.KeyboardModifier) -> Mode:
    """Return what the held keys make of a gesture: Shift adds, Alt removes."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return "add"
    if modifiers & Qt.KeyboardModifier.AltModifier:
        return "remove"
    return "replace"


class Linking(QObject):
    """The hovered row and the selection, by row of the data; views meet here only."""

    hovered_changed = Signal(object)
    """The hovered row, or None."""
    partner_changed = Signal(object)
    """The other row of a hovered pair, or None."""
    selection_changed = Signal(object)
    """The read-only selection mask of shape (n,), or None for no selection."""
    hidden_changed = Signal(object)
    """The read-only mask of shape (n,) of rows the legend hides, or None for none."""
    names_changed = Signal(object)
    """Names that the person gave to rows, a mapping by row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count = 0
        self._new = 0
        self.hovered: int | None = None
        self.partner: int | None = None
        self.selection: Mask | None = None
        self.hidden: Mask | None = None
        self.names: Mapping[int, str] = MappingProxyType({})

    def set_names(self, names: Mapping[int, str]) -> None:
        if dict(names) != dict(self.names):
            self.names = MappingProxyType(dict(names))
            self.names_changed.emit(self.names)

    def set_new(self, count: int) -> None:
        """Let so many new rows be hovered, behind those of the data."""
        self._new = count
        self.set_hovered(self.hovered, self.partner)

    @Slot(object)
    def set_hovered(self, row: int | None, partner: int | None = None) -> None:
        """Light up one row in every view, or a pair of them, or none."""
        row, partner = self._known(row), self._known(partner)
        if row != self.hovered:
            self.hovered = row
            self.hovered_changed.emit(row)
        if partner != self.partner:
            self.partner = partner
            self.partner_changed.emit(partner)

    @Slot(object, object)
    def apply_selection(self, mask: Mask, mode: Mode = "replace") -> None:
        """Combine the rows of a gesture with the selection; drop those of old data."""
        mask = np.asarray(mask, dtype=bool)
        if mask.shape == (self.count,):
            self._set_selection(combined(self.selection, mask, mode))

    def set_hidden(self, mask: Mask | None) -> None:
        """Tell every view which rows (n,) the legend hides.

        A mask may go on with rows that are not among the data; a shorter one belongs to
        data that are gone and is dropped.
        """
        hidden = None
        if mask is not None:
            if len(mask) < self.count:
                return
            hidden = np.array(mask[: self.count], dtype=bool)
            hidden.setflags(write=False)
        if hidden is None or self.hidden is None:
            same = hidden is self.hidden
        else:
            same = np.array_equal(hidden, self.hidden)
        if not same:
            self.hidden = hidden
            self.hidden_changed.emit(hidden)

    @Slot()
    def clear(self) -> None:
        self._set_selection(None)

    def reset(self, count: int) -> None:
        """Forget everything: the data now have ``count`` rows."""
        self.set_hovered(None)
        self.clear()
        self.set_hidden(None)
        self.count = count

    def _known(self, row: int | None) -> int | None:
        return row if row is not None and 0 <= row < self.count + self._new else None

    def _set_selection(self, selection: Mask | None) -> None:
        old = self.selection
        if selection is None and old is None:
            return
        if selection is not None:
            if old is not None and np.array_equal(selection, old):
                return
            selection.setflags(write=False)
        self.selection = selection
        self.selection_changed.emit(selection)
