"""From a file, the clipboard or a drop to data in the window."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from kpca_viewer.core.errors import DataError
from kpca_viewer.core.progress import Progress, ShouldStop
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.table import Table
from kpca_viewer.resources import asset
from kpca_viewer.runtime.runner import Runner
from kpca_viewer.session.document import Document, load
from kpca_viewer.session.document_data import OpenedData, open_data
from kpca_viewer.ui.importing.import_sheet import ImportSheet
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.preferences import Preferences
from kpca_viewer.ui.presenter import Presenter

PICTURES = (".png", ".svg", ".pdf")
"""Pictures that may carry the session they show."""


@dataclass(frozen=True)
class Reading:
    """What is to be read, and what for.

    Attributes
    ----------
    path : Path or None
        None reads ``text``.
    text : str
        From the clipboard.
    as_new_rows : bool
        Whether the rows are projected onto the present model.
    """

    path: Path | None = None
    text: str = ""
    as_new_rows: bool = False


@dataclass(frozen=True, eq=False)
class ReadTable:
    """A table with everything that the sheet shows about it."""

    reading: Reading
    table: Table
    guess: ImportSettings
    scaling: str
    matrix_words: str


@dataclass(frozen=True, eq=False)
class ReadSession:
    """A session file, or a picture that carries its session."""

    path: Path | None
    document: Document
    data: OpenedData


class Opening(QObject):
    """Reads on a worker of its own, asks on the import sheet, hands over.

    Attributes
    ----------
    opened : Signal(object)
        The path of a file that was opened.
    """

    opened = Signal(object)
    session_read = Signal(object, object, object)
    """Path, document and opened data of a session file."""

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        preferences: Preferences,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self._preferences = preferences
        self.runner = Runner(_read, self)
        self.runner.result_ready.connect(self._on_table_read)
        self.runner.failed.connect(self._on_reading_failed)
        self.runner.busy_changed.connect(self._on_busy_changed)
        self.runner.progressed.connect(window.progress.report)
        window.progress.cancel_requested.connect(self.runner.cancel)
        window.files_dropped.connect(self._on_files_dropped)
        window.sidebar.columns_requested.connect(self.edit_columns)
        actions = window.actions_table
        actions["open"].triggered.connect(self.choose)
        actions["paste"].triggered.connect(self.paste)
        actions["project_new"].triggered.connect(self.choose_new_rows)
        actions["remove_new_rows"].triggered.connect(self._on_remove_new_rows)
        self._recent = QMenu("Open &recent", window)
        self._recent.aboutToShow.connect(self._fill_recent)
        self._examples = QMenu("E&xamples", window)
        self._fill_examples()
        actions.insert_menus("open", self._recent, self._examples)

    def close(self) -> None:
        """Stop reading and end the thread."""
        self.runner.close()

    @Slot()
    def choose(self) -> None:
        """Ask for a file and read it."""
        self._choose("Open data", self.open_path)

    @Slot()
    def choose_new_rows(self) -> None:
        """Ask for a file whose rows are projected onto the present model."""
        self._choose("Project new data", self.open_new_rows)

    def open_path(self, path: Path) -> None:
        """Read a file; the import sheet follows."""
        self.runner.submit(Reading(path))

    def open_new_rows(self, path: Path) -> None:
        """Read a file with the same columns and project its rows."""
        self.runner.submit(Reading(path, as_new_rows=True))

    @Slot()
    def paste(self) -> None:
        """Read the clipboard as a table."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._say("error", "The clipboard holds no text; copy a table first.")
            return
        self.runner.submit(Reading(text=text))

    @Slot()
    def edit_columns(self) -> None:
        """Show the sheet of the present file again; it is not read anew."""
        found = self._presenter.present_table()
        if found is not None:
            table, importing, scaling = found
            self._show_sheet(table, importing, scaling, _matrix_words(table))

    def _choose(self, title: str, then: Callable[[Path], None]) -> None:
        folder = str(self._preferences.store.value("folder", ""))
        name, _ = QFileDialog.getOpenFileName(self._window, title, folder, _filters())
        if name:
            self._preferences.store.setValue("folder", str(Path(name).parent))
            then(Path(name))

    @Slot(object)
    def _on_table_read(self, read: "ReadTable | ReadSession") -> None:
        if isinstance(read, ReadSession):
            self.session_read.emit(read.path, read.document, read.data)
            return
        if read.reading.as_new_rows:
            self._presenter.project_table(read.table)
            return
        self._show_sheet(read.table, read.guess, read.scaling, read.matrix_words)

    def _show_sheet(
        self, table: Table, guess: ImportSettings, scaling: Any, words: str
    ) -> None:
        sheet = ImportSheet(table, guess, scaling, words, self._window)
        sheet.import_wished.connect(self._on_import_wished)
        sheet.open()

    @Slot(object, object, object)
    def _on_import_wished(
        self, table: Table, importing: ImportSettings, scaling: Any
    ) -> None:
        self._presenter.open_table(table, importing, scaling)
        if table.path is not None:
            self._preferences.add_recent(table.path)
            self.opened.emit(table.path)

    @Slot(object)
    def _on_reading_failed(self, error: Exception) -> None:
        self._say("error", str(error))

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        if busy:
            self._window.progress.begin("Reading")
        else:
            self._window.progress.end()

    @Slot(object)
    def _on_files_dropped(self, paths: list[Path]) -> None:
        if len(paths) > 1:
            self._say(
                "warning",
                f"{len(paths)} files were dropped; {paths[0].name} is opened.",
            )
        self.open_path(paths[0])

    @Slot()
    def _on_remove_new_rows(self) -> None:
        self._presenter.set_new_rows(None)

    @Slot()
    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._preferences.recent():
            self._add_file(self._recent, path)
        if self._recent.isEmpty():
            self._recent.addAction("Nothing yet").setEnabled(False)

    def _fill_examples(self) -> None:
        for path in sorted(asset("data").iterdir()):
            if path.suffix != ".md":
                self._add_file(self._examples, path)

    def _add_file(self, menu: QMenu, path: Path) -> None:
        # A name from a file is literal: its & is no mnemonic.
        action = QAction(path.name.replace("&", "&&"), menu)
        action.setToolTip(str(path))
        action.setData(str(path))
        action.triggered.connect(self._on_file_chosen)
        menu.addAction(action)

    @Slot()
    def _on_file_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.open_path(Path(action.data()))

    def _say(self, severity: Any, text: str) -> None:
        self._window.message_bar.show_message(severity, text)


def _read(
    reading: Reading,
    should_stop: ShouldStop,
    progress: Progress,
    publish: Callable[[Any], None],
) -> ReadTable | ReadSession:
    """Read and look at a table or a session; on the worker thread."""
    path = reading.path
    if path is not None and path.suffix.lower() in (".kpca", *PICTURES):
        document = load(path) if path.suffix.lower() == ".kpca" else _carried(path)
        data = open_data(document, should_stop, progress)
        kept = path if path.suffix.lower() == ".kpca" else None
        return ReadSession(kept, document, data)
    from kpca_viewer.data.files import read_table, read_text
    from kpca_viewer.data.importing import guess_import, to_dataset
    from kpca_viewer.data.preparation import suggested_scaling

    if reading.path is None:
        table = read_text(reading.text)
    else:
        table = read_table(reading.path, should_stop=should_stop, progress=progress)
    guess = guess_import(table)
    scaling = "none"
    if guess.matrix == "points":
        try:
            scaling = suggested_scaling(to_dataset(table, guess).points)
        except DataError:
            # What is wrong with the columns is said when they are taken as they are.
            scaling = "none"
    return ReadTable(reading, table, guess, scaling, _matrix_words(table))


def _carried(path: Path) -> Document:
    """Return the session that a picture of ours carries."""
    from kpca_viewer.export.images import read_metadata
    from kpca_viewer.export.metadata import document_of

    text = read_metadata(path)
    if not text:
        raise DataError(
            f"The picture “{path.name}” carries no session; open the data, or a "
            "picture that was exported here."
        )
    document, _ = document_of(text, path.parent, path.name)
    return document


def _matrix_words(table: Table) -> str:
    from kpca_viewer.data.importing import matrix_report, recognised_matrix

    return "" if recognised_matrix(table) is None else matrix_report(table)


def _filters() -> str:
    from kpca_viewer.data.files import FORMATS

    patterns = {
        form.title: " ".join(f"*.{ending}" for ending in form.extensions)
        for form in FORMATS
    }
    single = [f"{title} ({endings})" for title, endings in patterns.items()]
    every = " ".join(["*.kpca", *patterns.values()])
    return ";;".join(
        [f"Data and sessions ({every})", *single, "Sessions (*.kpca)", "All files (*)"]
    )
