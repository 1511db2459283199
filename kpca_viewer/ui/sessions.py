"""Sessions: saved where the person says, and continuously where nobody looks."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from kpca_viewer.core import memory
from kpca_viewer.core.alignment import orientation
from kpca_viewer.core.errors import KpcaError
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.table import Table
from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.document import (
    Document,
    FileReference,
    preset,
    save,
)
from kpca_viewer.session.document_arrays import packed_size
from kpca_viewer.session.document_data import OpenedData
from kpca_viewer.session.document_model import Json
from kpca_viewer.session.notes import SweepNote, plain
from kpca_viewer.session.recovery import Orphan, Swap, orphans, remember
from kpca_viewer.ui.board.poses import poses
from kpca_viewer.ui.export_task import Task
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.preferences import Preferences
from kpca_viewer.ui.presenter import Presenter

SWAP_AFTER = 2000
"""Milliseconds after a change until the hidden copy is written."""

SLOW = 4 << 20
"""Bytes of numbers beyond which writing them would be felt as a pause."""

MOST_REMEMBERED = 64 << 20
"""Bytes of numbers from no file beyond which quitting does not wait for them."""

FILTER = "Sessions (*.kpca)"


class Sessions(QObject):
    """Saves and opens `.kpca` files, and keeps a hidden copy against a crash.

    Parameters
    ----------
    window : MainWindow
    presenter : Presenter
    store : SessionStore
    folder : Path or None
        Of the hidden copies; None keeps none.
    preferences : Preferences
    parent : QObject

    Attributes
    ----------
    document_wished : Signal(object, object)
        The path of a session, or None, and the document whose data are to be read;
        `show` is what to do then.
    """

    document_wished = Signal(object, object)

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        store: SessionStore,
        folder: Path | None,
        preferences: Preferences,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self._preferences = preferences
        self._store = store
        self._path: Path | None = None
        self._with_data = False
        self._signs: tuple[object, list[int]] | None = None
        self._beside: list[Path] = []
        self._files: dict[str, FileReference] = {}
        self._then: Callable[[], None] | None = None
        self._shown = False
        self._folder = folder
        self._swap = None if folder is None else Swap(folder)
        self._later = QTimer(self, singleShot=True, interval=SWAP_AFTER)
        self._later.timeout.connect(self._write_swap)
        store.changed.connect(self._on_store_changed)
        store.notes_changed.connect(self._on_store_changed)
        actions = window.actions_table
        actions["save"].triggered.connect(self.save)
        actions["save_as"].triggered.connect(self.save_as)
        actions["save_with_data"].triggered.connect(self.save_with_data)
        actions["save_preset"].triggered.connect(self.save_preset)
        self._left = [] if folder is None else orphans(folder)
        self._offer(self._left)

    def reopen(self, path: Path | None, document: Document) -> None:
        """Show the session of the last time; what a crash has left is offered then."""

        def offer() -> None:
            self._offer(self._left)

        self._then = offer
        self.document_wished.emit(path, document)

    def remember(self, *, chosen: bool) -> None:
        """Keep the session for the next start, unless nobody has touched it.

        Parameters
        ----------
        chosen : bool
            Whether this start was told what to show.
        """
        store, result = self._store, self._presenter.result
        touched = (
            chosen
            or self._shown
            or store.undo_text is not None
            or store.redo_text is not None
            or self._window.board.linking.selection is not None
        )
        if self._folder is None or result is None or not touched:
            return
        document = self.document_with_data() if self._with_data else self.document()
        embedded = document.embedded
        if embedded is not None and embedded.points.nbytes > MOST_REMEMBERED:
            document = replace(document, embedded=None)
        # Nobody is there any more who could be told that a disk is full.
        with contextlib.suppress(KpcaError):
            remember(self._folder, document, self._path)

    def close(self) -> None:
        """Leave in order: the hidden copy is not needed any more."""
        self._later.stop()
        if self._swap is not None:
            self._swap.discard()

    def document(self) -> Document:
        """Return the session as it is now, its data by reference where they have one.

        Data that came from no file are inside.
        """
        settings = self._store.settings
        key = settings.data.source
        source = self._presenter.opened.get(key)
        file, embedded = self._files.get(key), None
        if isinstance(source, Table) and source.path is not None:
            reading = source.options or ReadOptions()
            file = FileReference(source.path, source.content_hash, reading)
        elif isinstance(source, Dataset):
            embedded = source
        elif key not in GENERATORS and self._presenter.result:
            embedded = self._presenter.result.dataset
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
        )

    def document_with_data(self) -> Document:
        """Return the session as it is now, with its data inside."""
        document, result = self.document(), self._presenter.result
        if document.embedded is not None or result is None:
            return document
        return replace(document, embedded=result.dataset)

    def _views(self) -> Json:
        result = self._presenter.result
        if result is None:
            return None
        # The picture comes back the same way round. Looked up once for each: of a
        # million rows it takes a tenth of a second.
        found = result.decomposition
        if self._signs is None or self._signs[0] is not found:
            self._signs = found, list(orientation(found.eigenvectors))
        views = {"signs": self._signs[1], **poses(self._window.board)}
        if result.linear is not None:
            views["linear_signs"] = list(orientation(result.linear.directions))
        return views

    def _sweep(self, note: SweepNote | None) -> Json:
        if note is None:
            return None
        measure = self._window.sweep_strip.measure()
        return plain(replace(note, sweep=replace(note.sweep, measure=measure)))

    @Slot(object, object, object)
    def show(self, path: Path | None, document: Document, data: OpenedData) -> None:
        """Show a document whose data were read."""
        self._shown = True
        self._path = None if document.preset else path
        if document.file is not None:
            self._files[document.settings.data.source] = document.file
        # A session that was saved with its data is saved so again.
        self._with_data = document.file is not None and document.embedded is not None
        self._presenter.open_document(document, data.sources, data.expected_hash)
        if data.note:
            self._presenter.messages.tell("warning", data.note)
        then, self._then = self._then, None
        if then is not None:
            then()

    @Slot()
    def save(self) -> None:
        """Save where the session came from, or ask."""
        if self._path is None:
            self.save_as()
        elif self._with_data:
            self._save(self.document_with_data(), self._path)
        else:
            self._save(self.document(), self._path)

    @Slot()
    def save_as(self) -> None:
        """Ask for a name and save the session, its data by reference."""
        path = self._ask("Save session", "session.kpca")
        if path is not None and self._save(self.document(), path):
            self._path, self._with_data = path, False

    @Slot()
    def save_with_data(self) -> None:
        """Ask for a name and save the session with its data inside."""
        document = self.document_with_data()
        if document.embedded is None:
            self._presenter.messages.say(
                "warning", "There are no data yet to be saved."
            )
            return
        size = memory.readable(packed_size(document.embedded))
        path = self._ask(f"Save session with data (about {size})", "session.kpca")
        if path is not None and self._save(document, path):
            self._path, self._with_data = path, True

    @Slot()
    def save_preset(self) -> None:
        """Ask for a name and save kernel and looks without the data."""
        path = self._ask("Save preset", "preset.kpca")
        if path is not None:
            self._save(preset(self.document()), path)

    def _ask(self, title: str, name: str) -> Path | None:
        start = str(self._preferences.folder("save") / name)
        chosen, _ = QFileDialog.getSaveFileName(self._window, title, start, FILTER)
        if not chosen:
            return None
        self._preferences.keep_folder("save", Path(chosen))
        return Path(chosen).with_suffix(".kpca")

    def _save(self, document: Document, path: Path) -> bool:
        """Write a session; returns whether it is there, or on its way."""
        embedded = document.embedded
        if embedded is not None and embedded.points.nbytes > SLOW:
            self._save_beside(document, path)
            return True
        try:
            save(document, path)
        except KpcaError as error:
            self._presenter.messages.say("error", str(error))
            return False
        self._say_saved(path)
        return True

    def _save_beside(self, document: Document, path: Path) -> None:
        """Write a large session on a thread of its own; the window goes on."""
        self._beside.append(path)
        task = Task(lambda: save(document, path))
        task.ended.connect(self._on_task_ended)
        self._window.progress.begin("Saving")
        task.begin()

    @Slot(object)
    def _on_task_ended(self, error: Exception | None) -> None:
        path = self._beside.pop(0)
        self._window.progress.end()
        if error is None:
            self._say_saved(path)
        else:
            self._presenter.messages.say("error", str(error))

    def _say_saved(self, path: Path) -> None:
        size = memory.readable(path.stat().st_size) if path.exists() else ""
        self._presenter.messages.say("info", f"Saved {path.name} ({size}).")

    @Slot(object, object)
    def _on_store_changed(self, _old: object, _new: object) -> None:
        if self._swap is not None:
            self._later.start()

    @Slot()
    def _write_swap(self) -> None:
        if self._swap is not None:
            try:
                self._swap.write(self._small(self.document()), self._path)
            except KpcaError as error:
                # Said once: a full disk would fill the window with the same words.
                self._swap = None
                self._presenter.messages.say(
                    "warning", f"No copy against a crash: {error}"
                )

    def _small(self, document: Document) -> Document:
        """Return a session that can be written in passing, without much data."""
        embedded = document.embedded
        if embedded is None or embedded.points.nbytes <= SLOW:
            return document
        return replace(document, embedded=None)

    def _offer(self, found: list[Orphan]) -> None:
        """Offer what a program that is gone has left behind."""
        if not found:
            return
        newest = max(found, key=lambda orphan: orphan.saved)

        def restore() -> None:
            try:
                document = newest.restore()
            except KpcaError as error:
                self._presenter.messages.say("error", str(error))
                return
            self._then = restored
            self.document_wished.emit(newest.path, document)

        def restored() -> None:
            self._write_swap()
            forget()

        def forget() -> None:
            for orphan in found:
                orphan.discard()

        self._presenter.messages.say(
            "info",
            "The last session ended without being closed.",
            [("Restore", restore), ("Forget it", forget)],
        )
