"""Sessions: saved where the person says, and continuously where nobody looks."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QFileDialog

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
from kpca_viewer.session.document_data import OpenedData, open_data
from kpca_viewer.session.document_model import Json
from kpca_viewer.session.notes import SweepNote, plain
from kpca_viewer.session.recovery import Orphan, Swap, orphans
from kpca_viewer.ui.board.poses import poses
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.presenter import Presenter

SWAP_AFTER = 2000
"""Milliseconds after a change until the hidden copy is written."""

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
    parent : QObject
    """

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        store: SessionStore,
        folder: Path | None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self._store = store
        self._path: Path | None = None
        self._swap = None if folder is None else Swap(folder)
        self._later = QTimer(self, singleShot=True, interval=SWAP_AFTER)
        self._later.timeout.connect(self._write_swap)
        store.changed.connect(self._on_store_changed)
        store.notes_changed.connect(self._on_store_changed)
        actions = window.actions_table
        actions["save"].triggered.connect(self.save)
        actions["save_as"].triggered.connect(self.save_as)
        actions["save_preset"].triggered.connect(self.save_preset)
        if folder is not None:
            self._offer(orphans(folder))

    def close(self) -> None:
        """Leave in order: the hidden copy is not needed any more."""
        self._later.stop()
        if self._swap is not None:
            self._swap.discard()

    def document(self) -> Document:
        """Return the session as it is now."""
        settings = self._store.settings
        source = self._presenter.opened.get(settings.data.source)
        file, embedded = None, None
        if isinstance(source, Table) and source.path is not None:
            reading = source.options or ReadOptions()
            file = FileReference(source.path, source.content_hash, reading)
        elif isinstance(source, Dataset):
            embedded = source
        elif settings.data.source not in GENERATORS and self._presenter.result:
            embedded = self._presenter.result.dataset
        selection = self._window.board.linking.selection
        result, views = self._presenter.result, None
        if result is not None:
            # The picture comes back the same way round.
            signs = orientation(result.decomposition.eigenvectors)
            views = {"signs": list(signs), **poses(self._window.board)}
        notes = self._store.notes
        return Document(
            settings,
            file,
            embedded,
            selection,
            dict(notes.row_names),
            [plain(pin) for pin in notes.pins] or None,
            self._sweep(notes.sweep),
            views,
        )

    def _sweep(self, note: SweepNote | None) -> Json:
        if note is None:
            return None
        measure = self._window.sweep_strip.measure()
        return plain(replace(note, sweep=replace(note.sweep, measure=measure)))

    def show(self, path: Path | None, document: Document, data: OpenedData) -> None:
        """Show a document that was read."""
        self._path = None if document.preset else path
        self._presenter.open_document(document, data.sources)
        if data.note:
            self._presenter.say("warning", data.note)

    @Slot()
    def save(self) -> None:
        """Save where the session came from, or ask."""
        if self._path is None:
            self.save_as()
        else:
            self._save(self.document(), self._path)

    @Slot()
    def save_as(self) -> None:
        """Ask for a name and save the session."""
        path = self._ask("Save session", "session.kpca")
        if path is not None and self._save(self.document(), path):
            self._path = path

    @Slot()
    def save_preset(self) -> None:
        """Ask for a name and save kernel and looks without the data."""
        path = self._ask("Save preset", "preset.kpca")
        if path is not None:
            self._save(preset(self.document()), path)

    def _ask(self, title: str, name: str) -> Path | None:
        chosen, _ = QFileDialog.getSaveFileName(self._window, title, name, FILTER)
        return Path(chosen).with_suffix(".kpca") if chosen else None

    def _save(self, document: Document, path: Path) -> bool:
        try:
            save(document, path)
        except KpcaError as error:
            self._presenter.say("error", str(error))
            return False
        self._presenter.say("info", f"Saved {path.name}.")
        return True

    @Slot(object, object)
    def _on_store_changed(self, _old: object, _new: object) -> None:
        if self._swap is not None:
            self._later.start()

    @Slot()
    def _write_swap(self) -> None:
        if self._swap is not None:
            try:
                self._swap.write(self.document(), self._path)
            except KpcaError as error:
                # Said once: a full disk would fill the window with the same words.
                self._swap = None
                self._presenter.say("warning", f"No copy against a crash: {error}")

    def _offer(self, found: list[Orphan]) -> None:
        """Offer what a program that is gone has left behind."""
        if not found:
            return
        newest = max(found, key=lambda orphan: orphan.saved)

        def restore() -> None:
            try:
                document = newest.restore()
                self.show(newest.path, document, open_data(document))
            except KpcaError as error:
                self._presenter.say("error", str(error))
                return
            self._write_swap()
            forget()

        def forget() -> None:
            for orphan in found:
                orphan.discard()

        self._presenter.ask(
            "The last session ended without being closed.",
            [("Restore", restore), ("Forget it", forget)],
        )
