"""Snapshot: the window as a document, at any moment."""

from dataclasses import replace

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.table import Table
from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.document.files import Document, FileReference
from kpca_viewer.session.document.model import Json
from kpca_viewer.session.notes import Notes, SweepNote, plain
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.rows.anchor import MOST_SAVED, pack_anchor
from kpca_viewer.ui.board.poses import poses
from kpca_viewer.ui.presenter import Presenter
from kpca_viewer.ui.window.main_window import MainWindow


class Snapshot:
    """Takes the session from store and window.

    Attributes
    ----------
    files : dict of str to FileReference
        Where data that came with their session were read from, by their source.
    """

    def __init__(
        self, window: MainWindow, presenter: Presenter, store: SessionStore
    ) -> None:
        self._window = window
        self._presenter = presenter
        self._store = store
        self.files: dict[str, FileReference] = {}

    def document(self) -> Document:
        """Return the session as it is now, its data by reference where they have one.

        Data that came from no file are inside.
        """
        settings = self._store.settings
        key = settings.data.source
        source = self._presenter.opened.get(key)
        file, embedded = self.files.get(key), None
        if isinstance(source, Table) and source.path is not None:
            reading = source.options or ReadOptions()
            file = FileReference(source.path, source.content_hash, reading)
        elif isinstance(source, Dataset):
            embedded = source
        elif key not in GENERATORS and self._presenter.result:
            embedded = _whole(self._presenter.result)
        notes = self._store.notes
        return Document(
            settings,
            file,
            embedded,
            self._window.board.linking.selection,
            dict(notes.row_names),
            notes.new_points,
            [plain(pin) for pin in notes.pins] or None,
            self._sweep(notes.sweep),
            self._views(),
            self._row_keys(notes),
        )

    def document_with_data(self) -> Document:
        """Return the session as it is now, with its data inside."""
        document, result = self.document(), self._presenter.result
        if document.embedded is not None or result is None:
            return document
        return replace(document, embedded=_whole(result))

    def _views(self) -> Json:
        if self._presenter.result is None:
            return None
        return poses(self._window.board)

    def _row_keys(self, notes: Notes) -> Json:
        rows = notes.noted_rows
        if notes.anchor is None or not len(rows):
            return None
        if len(rows) > MOST_SAVED:
            rows = replace(notes, selected=None).noted_rows
        return pack_anchor(notes.anchor, rows)

    def _sweep(self, note: SweepNote | None) -> Json:
        if note is None:
            return None
        measure = self._window.sweep_strip.measure()
        return plain(replace(note, sweep=replace(note.sweep, measure=measure)))


def _whole(result: AnalysisResult) -> Dataset:
    """Return the data with the rows that are left out: they may be taken back."""
    return result.whole or result.dataset
