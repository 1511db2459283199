"""Selection, names and new points: between the plots, which make them, and the store.

They are steps of the history like settings, so the store has the last word.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Slot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.notes import Notes, Place, Selected, follow, rows_of
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.window import messages
from kpca_viewer.window.board import Board
from kpca_viewer.window.message_queue import Messages


class RowNotes(QObject):
    """Keeps what is noted about rows on the board and in the store alike."""

    def __init__(
        self,
        board: Board,
        store: SessionStore,
        messages: Messages,
        opened: Mapping[str, Dataset | Table],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._messages = messages
        self._opened = opened
        self._dataset: Dataset | None = None
        self._table: Dataset | Table | None = None
        self._rows_of: tuple[object, ...] = ()
        self._anchor: RowAnchor | None = None
        self._linking = board.linking
        self._store = store
        self._rows = 0
        self._showing = False
        board.linking.selection_changed.connect(self._on_selection_changed)
        board.changes.name_requested.connect(self._on_name_requested)
        board.new_points.requested.connect(self._on_new_points_requested)
        store.notes_changed.connect(self._on_notes_changed)

    @contextmanager
    def shown(self, dataset: Dataset) -> Iterator[None]:
        """Surround the showing of other data.

        Other data forget their selection, which the person has not asked for; what the
        store knows of these rows is selected afterwards.
        """
        self._showing = True
        try:
            yield
        finally:
            self._showing = False
        data = self._store.settings.data
        self._rows = dataset.n
        self._dataset, self._anchor = dataset, None
        self._table, self._rows_of = self._opened.get(data.source), rows_of(data)
        self._follow()
        if dataset.lost:
            lost = messages.rows_of_groups_lost(dataset.name, dataset.lost)
            self._messages.show(lost)
        self._linking.set_names(dict(self._store.notes.row_names))
        selected = self._store.notes.selected
        # While points are drawn, what is shown may be a point or two behind.
        awaited = data.drawn is not None and len(data.drawn) != dataset.n
        if selected is not None and selected.rows != dataset.n and not awaited:
            # Of data that are made in another way by now.
            self._store.amend(replace(self._store.notes, selected=None))
        self._show_selection()

    def _follow(self) -> None:
        """Let notes be about the rows that they were made for.

        A file may have changed since: with the session, or with a step of the history.
        """
        notes, data = self._store.notes, self._store.settings.data
        table, dataset = self._opened.get(data.source), self._dataset
        shown = table is self._table and rows_of(data) == self._rows_of
        if dataset is None or not isinstance(table, Table) or not shown:
            return
        if not (notes.row_names or notes.selected) or not table.content_hash:
            return
        if self._anchor is None:
            self._anchor = RowAnchor.of(dataset, table.content_hash)
        if notes.anchor is None or notes.anchor.stamp == table.content_hash:
            self._store.anchor(self._anchor)
            return
        now, before = self._anchor, notes.anchor.stamp

        def move(notes: Notes) -> Notes:
            known = notes.anchor is not None and notes.anchor.stamp == before
            return follow(notes, dataset, now)[0] if known else notes

        lost = follow(notes, dataset, now)[1]
        self._store.move_notes(move)
        self._store.anchor(now)
        if lost:
            self._messages.show(messages.noted_rows_lost(lost.text(table.name)))

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
    def _on_name_requested(self, row: int, name: str) -> None:
        self._store.note(self._store.notes.with_name(row, name))

    @Slot(object, object)
    def _on_new_points_requested(
        self, positions: tuple[Place, ...], gesture: str | None
    ) -> None:
        self._store.note(replace(self._store.notes, new_points=positions), gesture)

    @Slot(object, object)
    def _on_notes_changed(self, old: Notes, new: Notes) -> None:
        self._follow()
        new = self._store.notes
        if rows_of(self._store.settings.data) != self._rows_of:
            # About rows that are not shown yet.
            return
        self._linking.set_names(dict(new.row_names))
        if new.selected != old.selected:
            self._show_selection()
