"""Snapshot: the window as a document, at any moment."""

from dataclasses import replace

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.table import Table
from kpca_viewer.engine.document.model import Document, DocumentData, FileReference
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.views import Views
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.poses import views_of
from kpca_viewer.window.presenter import Presenter


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
        # What was drawn is part of the settings.
        drawn = settings.data.drawn is not None
        data = DocumentData() if drawn else self._data(settings.data.source)
        return Document(settings, self._notes(), data, self._views())

    def with_data(self, document: Document) -> Document:
        """Return the session of now with its data inside."""
        result = self._presenter.result
        inside = document.data.embedded is not None
        if inside or result is None or document.settings.data.drawn is not None:
            return document
        return replace(document, data=replace(document.data, embedded=_whole(result)))

    def _data(self, key: str) -> DocumentData:
        source, result = self._presenter.data.sources.get(key), self._presenter.result
        file = self.files.get(key)
        if isinstance(source, Table) and source.path is not None:
            reading = source.options or ReadOptions()
            return DocumentData(
                FileReference(source.path, source.content_hash, reading)
            )
        if isinstance(source, Dataset):
            return DocumentData(file, source)
        if key not in GENERATORS and result is not None:
            return DocumentData(file, _whole(result))
        return DocumentData(file)

    def _notes(self) -> Notes:
        """Return the notes; the measure of the curve is known by the strip only."""
        notes = self._store.notes
        if notes.sweep is None:
            return notes
        measure = self._window.sweep_strip.measure()
        sweep = replace(notes.sweep.sweep, measure=measure)
        return replace(notes, sweep=replace(notes.sweep, sweep=sweep))

    def _views(self) -> Views:
        if self._presenter.result is None:
            return Views()
        return views_of(self._window.board)


def _whole(result: AnalysisResult) -> Dataset:
    """Return the data with the rows that are left out: they may be taken back."""
    return result.before_exclusion or result.dataset
