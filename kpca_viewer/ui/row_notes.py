"""Selection, names and new points: between the plots, which make them, and the store.

They are steps of the history like settings, so the store has the last word.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Slot

from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.notes import Notes, Place, Selected
from kpca_viewer.ui.board.board import Board


class RowNotes(QObject):
    """Keeps what is noted about rows on the board and in the store alike."""

    def __init__(self, board: Board, store: SessionStore, parent: QObject) -> None:
        super().__init__(parent)
        self._linking = board.linking
        self._new_points = board.new_points
        self._store = store
        self._rows = 0
        self._showing = False
        board.linking.selection_changed.connect(self._on_selection_changed)
        board.compare.name_wished.connect(self._on_name_wished)
        board.new_points.wished.connect(self._on_new_points_wished)
        store.notes_changed.connect(self._on_notes_changed)

    @contextmanager
    def shown(self, rows: int) -> Iterator[None]:
        """Surround the showing of a result with so many rows.

        Other data forget their selection, which the person has not asked for; what the
        store knows of these rows is selected afterwards.
        """
        self._showing = True
        try:
            yield
        finally:
            self._showing = False
        self._rows = rows
        selected = self._store.notes.selected
        if selected is not None and selected.rows != rows:
            # Of a file that has other rows by now.
            self._store.amend(replace(self._store.notes, selected=None))
        self._show_selection()

    def _show_selection(self) -> None:
        selected = self._store.notes.selected
        self._showing = True
        try:
            if selected is None:
                self._linking.clear()
            elif selected.rows == self._rows:
                self._linking.apply_selection(selected.mask(), "replace")
        finally:
            self._showing = False

    @Slot(object)
    def _on_selection_changed(self, mask: Any) -> None:
        if not self._showing:
            selected = Selected.of(mask)
            self._store.note(replace(self._store.notes, selected=selected))

    @Slot(object, object)
    def _on_name_wished(self, row: int, name: str) -> None:
        self._store.note(self._store.notes.with_name(row, name))

    @Slot(object, object)
    def _on_new_points_wished(
        self, positions: tuple[Place, ...], gesture: str | None
    ) -> None:
        self._store.note(replace(self._store.notes, new_points=positions), gesture)

    @Slot(object, object)
    def _on_notes_changed(self, old: Notes, new: Notes) -> None:
        if new.new_points != old.new_points:
            self._new_points.set_positions(new.new_points)
        self._linking.set_names(dict(new.row_names))
        if new.selected != old.selected:
            self._show_selection()
