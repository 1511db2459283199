"""What is done with selected rows: they leave the analysis, or the others do."""

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPoint, Slot

from kpca_viewer.data.table import Table
from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.notes import rows_of
from kpca_viewer.session.row_moves import places_in, renumbered
from kpca_viewer.session.row_set import Excluded, Mask, RowSet
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.presenter import Presenter
from kpca_viewer.ui.selection_rows import SELECTION

NEEDED = ("exclude_rows", "only_rows", "export_selection")
"""Actions that need a selection."""


class Selecting(QObject):
    """Opens the menu of the selection, and does what it says.

    Everything is one step of the history.
    """

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        store: SessionStore,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self._store = store
        self._linking = window.board.linking
        actions = window.actions_table
        actions["exclude_rows"].triggered.connect(self.exclude)
        actions["only_rows"].triggered.connect(self.keep_only)
        actions["all_rows"].triggered.connect(self.take_back)
        window.sidebar.all_rows_requested.connect(self.take_back)
        window.board.menu_wished.connect(self._on_menu_wished)
        self._linking.selection_changed.connect(self._show_possible)
        store.changed.connect(self._show_possible)
        self._show_possible()

    @Slot()
    def exclude(self) -> None:
        """Leave the selected rows out."""
        excluded = self._store.settings.data.excluded
        selection = self._selection()
        if selection is not None:
            # Of some rows that are kept, fewer are kept; new ones are still not.
            only = excluded is not None and excluded.only
            self._leave(~selection, only=only)

    @Slot()
    def keep_only(self) -> None:
        """Leave all other rows out."""
        selection = self._selection()
        if selection is not None:
            self._leave(selection, only=True)

    @Slot()
    def take_back(self) -> None:
        """Analyse all rows again."""
        settings, result = self._store.settings, self._presenter.result
        back = replace(settings, data=replace(settings.data, excluded=None))
        notes = None
        if result is not None and result.whole is not None and self._is_shown():
            places = places_in(result.whole, result.dataset)
            notes = renumbered(self._store.notes, places, result.whole.n)
            known = dict(self._store.notes_before(back).row_names)
            gone = np.setdiff1d(np.arange(result.whole.n), places).tolist()
            names = {row: known[row] for row in gone if row in known}
            names |= dict(notes.row_names)
            notes = replace(notes, row_names=tuple(sorted(names.items())))
        self._store.update(back, notes=notes)

    def _leave(self, kept: Mask, *, only: bool) -> None:
        result, settings = self._presenter.result, self._store.settings
        assert result is not None
        count = int(kept.sum())
        if count < 2:
            left = "Only one row" if count else "No row"
            self._presenter.messages.say(
                "warning",
                f"{left} would be left, and kernel PCA compares rows; leave at least "
                "two.",
            )
            return
        whole = result.whole or result.dataset
        there = np.zeros(whole.n, dtype=bool)
        there[places_in(whole, result.dataset)[kept]] = True
        source = self._presenter.opened.get(settings.data.source)
        stamp = source.content_hash if isinstance(source, Table) else ""
        rows = RowSet.of(there if only else ~there, whole, stamp)
        data = replace(settings.data, excluded=Excluded(rows, only))
        places = np.where(kept, np.cumsum(kept) - 1, -1)
        notes = renumbered(self._store.notes, places, count)
        # What is left is all there is: to select it would say nothing.
        notes = replace(notes, selected=None)
        self._store.update(replace(settings, data=data), notes=notes)

    def _selection(self) -> Mask | None:
        """Return the selected rows of the picture; None while others are on the way."""
        if not self._is_shown():
            return None
        return self._linking.selection

    def _is_shown(self) -> bool:
        result, data = self._presenter.result, self._store.settings.data
        return result is not None and rows_of(result.settings.data) == rows_of(data)

    @Slot()
    def _show_possible(self, *_changed: Any) -> None:
        actions = self._window.actions_table
        for key in NEEDED:
            actions[key].setEnabled(self._linking.selection is not None)
        left_out = self._store.settings.data.excluded is not None
        actions["all_rows"].setEnabled(left_out)

    @Slot(object)
    def _on_menu_wished(self, position: QPoint) -> None:
        if self._presenter.result is not None:
            self._window.actions_table.menu(SELECTION).popup(position)
