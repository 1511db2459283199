"""What every view shares: the hovered row, the selected rows and their names."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.widgets.plots.selection import Mask, Mode, combined


class Linking(QObject):
    """The hovered row and the selection, by row of the data.

    Views report gestures here and listen to the signals; none knows another.
    """

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
        self._count = 0
        self._new = 0
        self._hovered: int | None = None
        self._partner: int | None = None
        self._selection: Mask | None = None
        self._hidden: Mask | None = None
        self._names: Mapping[int, str] = MappingProxyType({})

    @property
    def names(self) -> Mapping[int, str]:
        """Names that the person gave to rows, by row."""
        return self._names

    def set_names(self, names: Mapping[int, str]) -> None:
        """Call rows by these names in every view."""
        if dict(names) != dict(self._names):
            self._names = MappingProxyType(dict(names))
            self.names_changed.emit(self._names)

    @property
    def count(self) -> int:
        """Rows of the data that all views show."""
        return self._count

    def set_new(self, count: int) -> None:
        """Let so many new rows be hovered, behind those of the data."""
        self._new = count
        self.set_hovered(self._hovered, self._partner)

    @property
    def hovered(self) -> int | None:
        return self._hovered

    @property
    def selection(self) -> Mask | None:
        """The selection mask of shape (n,), read-only; None for no selection."""
        return self._selection

    @property
    def hidden(self) -> Mask | None:
        """The mask of shape (n,) of hidden rows, read-only; None for none."""
        return self._hidden

    @property
    def partner(self) -> int | None:
        return self._partner

    @Slot(object)
    def set_hovered(self, row: int | None, partner: int | None = None) -> None:
        """Light up one row in every view, or a pair of them, or none."""
        row, partner = self._known(row), self._known(partner)
        if row != self._hovered:
            self._hovered = row
            self.hovered_changed.emit(row)
        if partner != self._partner:
            self._partner = partner
            self.partner_changed.emit(partner)

    @Slot(object, object)
    def apply_selection(self, mask: Mask, mode: Mode = "replace") -> None:
        """Combine the rows of a gesture with the selection.

        A mask of another length belongs to data that are gone and is dropped.
        """
        mask = np.asarray(mask, dtype=bool)
        if mask.shape == (self._count,):
            self._set_selection(combined(self._selection, mask, mode))

    def set_hidden(self, mask: Mask | None) -> None:
        """Tell every view which rows (n,) the legend hides.

        A mask may go on with rows that are not among the data; a shorter one belongs to
        data that are gone and is dropped.
        """
        hidden = None
        if mask is not None:
            if len(mask) < self._count:
                return
            hidden = np.array(mask[: self._count], dtype=bool)
            hidden.setflags(write=False)
        if hidden is None or self._hidden is None:
            same = hidden is self._hidden
        else:
            same = np.array_equal(hidden, self._hidden)
        if not same:
            self._hidden = hidden
            self.hidden_changed.emit(hidden)

    @Slot()
    def clear(self) -> None:
        self._set_selection(None)

    def reset(self, count: int) -> None:
        """Forget everything: the data now have ``count`` rows."""
        self.set_hovered(None)
        self.clear()
        self.set_hidden(None)
        self._count = count

    def _known(self, row: int | None) -> int | None:
        return row if row is not None and 0 <= row < self._count + self._new else None

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
