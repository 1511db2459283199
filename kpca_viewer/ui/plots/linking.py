"""What every view shares: the hovered row and the selected rows."""

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.ui.plots.selection import Mask, Mode, combined


class Linking(QObject):
    """The hovered row and the selection, by row of the data.

    Views report gestures here and listen to the signals; none knows another.
    """

    hovered_changed = Signal(object)
    """The hovered row, or None."""
    selection_changed = Signal(object)
    """The read-only selection mask of shape (n,), or None for no selection."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._hovered: int | None = None
        self._selection: Mask | None = None

    @property
    def hovered(self) -> int | None:
        """The hovered row."""
        return self._hovered

    @property
    def selection(self) -> Mask | None:
        """The selection mask of shape (n,), read-only; None for no selection."""
        return self._selection

    @Slot(object)
    def set_hovered(self, row: int | None) -> None:
        """Light up one row in every view, or none."""
        if row is not None and not 0 <= row < self._count:
            row = None
        if row != self._hovered:
            self._hovered = row
            self.hovered_changed.emit(row)

    @Slot(object, object)
    def apply_selection(self, mask: Mask, mode: Mode = "replace") -> None:
        """Combine the rows of a gesture with the selection.

        A mask of another length belongs to data that are gone and is dropped.
        """
        mask = np.asarray(mask, dtype=bool)
        if mask.shape == (self._count,):
            self._set_selection(combined(self._selection, mask, mode))

    @Slot()
    def clear(self) -> None:
        """Select nothing."""
        self._set_selection(None)

    def reset(self, count: int) -> None:
        """Forget everything: the data now have ``count`` rows."""
        self.set_hovered(None)
        self.clear()
        self._count = count

    def _set_selection(self, selection: Mask | None) -> None:
        old = self._selection
        if selection is None and old is None:
            return
        if selection is not None:
            if old is not None and np.array_equal(selection, old):
                return
            selection.setflags(write=False)
        self._selection = selection
        self.selection_changed.emit(selection)
