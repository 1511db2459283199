"""Sessions: saved to a chosen file, and continuously to a hidden copy."""

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.table import Table
from kpca_viewer.engine.document.arrays import packed_size
from kpca_viewer.engine.document.files import (
    SUFFIX,
    ChangedFileError,
    DataToShow,
    SessionFile,
    Stamp,
)
from kpca_viewer.engine.document.model import (
    Document,
    DocumentData,
    FileReference,
    Json,
)
from kpca_viewer.engine.document.recovery import remember
from kpca_viewer.engine.messages import failure, trouble
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.views import Views
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.numerals import byte_size
from kpca_viewer.support.paths import unasked, with_ending
from kpca_viewer.widgets.workbench import Workbench
from kpca_viewer.window import messages
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.opened_data import LeftSession
from kpca_viewer.window.poses import views_of
from kpca_viewer.window.presenter import Presenter
from kpca_viewer.window.session_saver import (
    SLOW,
    HiddenCopy,
    Order,
    Saver,
    offer_abandoned,
)

MOST_REMEMBERED = 64 << 20
"""Bytes of numbers from no file beyond which quitting does not wait for them."""

FILTER = "Sessions (*.kpca)"


@dataclass(frozen=True)
class _Own:
    """The person's file of a session."""

    path: Path | None = None
    with_data: bool = False
    """Whether the data are inside."""
    unknown: Mapping[str, Json] = field(default_factory=dict)
    """What a later version wrote into it."""


@dataclass(frozen=True)
class _Aside:
    """The person's session while something else is shown instead."""

    left: LeftSession
    document: Document
    own: _Own
    touched: bool


class Sessions(QObject):
    """Saves and opens `.kpca` files, and keeps a hidden copy against a crash.

    Parameters
    ----------
    folder : Path or None
        Of the hidden copies; None keeps none.
    """

    def __init__(self, workbench: Workbench, folder: Path | None) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._window = window = workbench.window
        self._presenter = presenter = workbench.presenter
        self._preferences = workbench.preferences
        self._store = store = workbench.store
        self._owns: dict[int, _Own] = {}
        self._aside: _Aside | None = None
        self._then: Callable[[], object] | None = None
        self._shown = False
        self._keeps_copy = False
        self._folder = folder
        self._snapshot = Snapshot(window, presenter, store)
        self.saver = Saver(self)
        self.saver.saved.connect(self._on_saved)
        self.saver.failed.connect(self._on_failed)
        self.saver.busy_changed.connect(self._on_busy_changed)
        self.hidden_copy = HiddenCopy(folder, self._hidden, self)
        self.hidden_copy.failed.connect(self._on_copy_failed)
        self.hidden_copy.recovered.connect(self._on_copy_recovered)
        store.changed.connect(self.hidden_copy.want)
        store.notes_changed.connect(self.hidden_copy.want)
        workbench.document = self.document
        workbench.session_read.connect(self.show)
        if folder is not None:
            offer_abandoned(
                folder, presenter.messages, self._restore, self.hidden_copy.write
            )

    # Showing

    def reopen(self, origin: SessionFile | None, document: Document) -> None:
        """Show the session of the last time as soon as its data are read."""
        self._workbench.document_requested.emit(origin, document)

    @Slot(object, object, object)
    def show(
        self, origin: SessionFile | None, document: Document, data: DataToShow
    ) -> None:
        """Show a document whose data were read."""
        title = self._title(origin, document)
        self._shown = True
        own = self._own
        self._presenter.data.open_document(document, data.sources, title)
        brought = document.data
        if brought.file is not None:
            self._snapshot.files[self._store.settings.data.source] = brought.file
        if not document.preset:
            # A session that was saved with its data is saved so again.
            inside = brought.file is not None and brought.embedded is not None
            path = None if origin is None else origin.path
            own = _Own(path, inside, document.unknown)
        self._own = own
        if origin is not None and not document.preset:
            self.saver.know(origin.path, origin.stamp)
        if data.note:
            self._presenter.messages.show(messages.data_changed(data.note))
        then, self._then = self._then, None
        if then is not None:
            then()

    def _title(self, origin: SessionFile | None, document: Document) -> str:
        """Return how a session is called that can be undone; else nothing."""
        if not self._touched():
            return ""
        if origin is not None:
            return f"“{origin.path.name}”"
        return "a preset" if document.preset else "a session"

    def _restore(
        self, origin: SessionFile | None, document: Document, then: Callable[[], object]
    ) -> None:
        self._then = then
        self._workbench.document_requested.emit(origin, document)

    @property
    def _own(self) -> _Own:
        return self._owns.get(self._store.session, _Own())

    @_own.setter
    def _own(self, own: _Own) -> None:
        self._owns[self._store.session] = own

    # Leaving for a while

    def set_aside(self) -> None:
        """Keep the session as it is: what is shown from now on is not the person's."""
        if self._aside is None:
            left = self._presenter.data.leave(self._snapshot.document().views)
            self._aside = _Aside(left, self._whole(), self._own, self._touched())

    def bring_back(self) -> None:
        """Show the session that was set aside, with its history."""
        aside, self._aside = self._aside, None
        if aside is not None:
            self._presenter.data.bring_back(aside.left)

    # Keeping

    def document(self) -> Document:
        """Return the session as it is now, its data by reference where they have one.

        Data that came from no file are inside.
        """
        return replace(self._snapshot.document(), unknown=self._own.unknown)

    def document_with_data(self) -> Document:
        """Return the session as it is now with its data inside."""
        return self._snapshot.with_data(self.document())

    def remember(self, *, chosen: bool) -> None:
        """Keep the session for the next start, unless it is untouched.

        Parameters
        ----------
        chosen : bool
            Whether this start was told what to show.
        """
        nothing = self._presenter.result is None or not (chosen or self._touched())
        if self._folder is None or nothing:
            return
        document, path = self._kept()
        document = _without_data(document, MOST_REMEMBERED)
        # No message can be shown any more when a disk is full.
        with contextlib.suppress(KpcaError):
            remember(self._folder, document, path, self.saver.stamp(path))

    def _touched(self) -> bool:
        """Whether the person has done anything that could be lost."""
        if self._aside is not None:
            return self._aside.touched
        return (
            self._shown
            or self._store.undo_text is not None
            or self._store.redo_text is not None
            or self._window.board.linking.selection is not None
        )

    def close(self) -> None:
        """Leave in order: what is being saved is saved, and no copy is needed then."""
        if self.saver.busy:
            # The person has gone; only the disk is waited for.
            self._window.hide()
        saved = self.saver.finish()
        kept = not saved and self.hidden_copy.write()
        self.hidden_copy.close(keep=kept or self._keeps_copy)

    def keep_copy(self, *, chosen: bool) -> None:
        """Let the hidden copy outlive the program, which is about to be ended.

        Parameters
        ----------
        chosen : bool
            Whether this start was told what to show.
        """
        self.saver.finish()
        if chosen or self._touched():
            self._keeps_copy = self.hidden_copy.write()

    def _hidden(self) -> tuple[Document, Path | None, Stamp | None]:
        """Return what can be written in passing, without much data."""
        document, path = self._kept(whole=False)
        return _without_data(document, SLOW), path, self.saver.stamp(path)

    def _kept(self, *, whole: bool = True) -> tuple[Document, Path | None]:
        """Return the person's own session, and its file."""
        if self._aside is not None:
            return self._aside.document, self._aside.own.path
        return self._whole() if whole else self.document(), self._own.path

    def _whole(self) -> Document:
        """Return the session with its data if it was saved so."""
        document = self.document()
        return self._snapshot.with_data(document) if self._own.with_data else document

    # Saving

    @Slot()
    def save(self) -> None:
        """Save where the session came from, or ask."""
        path = self._own.path
        if path is None:
            self.save_as()
        else:
            self.saver.write(Order(self._whole(), path))

    @Slot()
    def save_as(self) -> None:
        """Ask for a name and save the session, its data by reference."""
        path = self._ask("Save session", "session.kpca")
        if path is not None:
            self._save_to(path, self.document())

    @Slot()
    def save_with_data(self) -> None:
        """Ask for a name and save the session with its data inside."""
        document = self.document_with_data()
        if document.data.embedded is None:
            self._presenter.messages.show(messages.NO_DATA_YET)
            return
        size = byte_size(packed_size(document.data.embedded))
        path = self._ask(f"Save session with data (about {size})", "session.kpca")
        if path is not None:
            self._save_to(path, document, with_data=True)

    @Slot()
    def save_preset(self) -> None:
        """Ask for a name and save kernel and looks without the data."""
        path = self._ask("Save preset", "preset.kpca")
        if path is not None:
            self.saver.write(Order(self.document().as_preset(), path, replaces=True))

    def _save_to(
        self, path: Path, document: Document, *, with_data: bool = False
    ) -> None:
        """Save under a name that the person has just chosen."""
        if self.saver.write(Order(document, path, replaces=True)):
            self._own = replace(self._own, path=path, with_data=with_data)

    def _ask(self, title: str, name: str) -> Path | None:
        start = str(self._preferences.folder("save") / name)
        chosen, _ = QFileDialog.getSaveFileName(self._window, title, start, FILTER)
        if not chosen:
            return None
        self._preferences.keep_folder("save", Path(chosen))
        path = with_ending(chosen, SUFFIX)
        taken = unasked(path, chosen)
        if taken:
            self._presenter.messages.show(trouble(taken))
            return None
        return path

    @Slot(object)
    def _on_saved(self, order: Order) -> None:
        path = order.path
        size = byte_size(path.stat().st_size) if os.path.exists(path) else ""
        self._presenter.messages.show(messages.session_saved(path, size))

    @Slot(object, object)
    def _on_failed(self, order: Order, error: Exception) -> None:
        if not isinstance(error, ChangedFileError):
            self._presenter.messages.show(failure(error))
            return

        def replace_it() -> None:
            self.saver.write(replace(order, replaces=True))

        def reload() -> None:
            self._workbench.file_requested.emit(order.path)

        message = messages.file_has_changed(error)
        self._presenter.messages.show(message, replace_it, self.save_as, reload)

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        if busy:
            self._window.progress.begin("Saving")
        else:
            self._window.progress.end()

    @Slot(object)
    def _on_copy_failed(self, text: str) -> None:
        self._presenter.messages.show(messages.no_copy(text))

    @Slot()
    def _on_copy_recovered(self) -> None:
        self._presenter.messages.withdraw(messages.no_copy(""))


def _without_data(document: Document, most: int) -> Document:
    """Return a session without more numbers than so many bytes."""
    if document.data.size <= most:
        return document
    return replace(document, data=replace(document.data, embedded=None))


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
        """Return the present session with its data inside."""
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
