"""From a file, the clipboard or a drop to data in the window."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.source import Fingerprint, fingerprint
from kpca_viewer.data.importing import (
    ImportSettings,
    OddCellError,
    filled_text,
    filling_text,
)
from kpca_viewer.data.preparation import Scaling
from kpca_viewer.data.reading import located, read_like
from kpca_viewer.data.table import Table
from kpca_viewer.engine import messages
from kpca_viewer.engine.document.files import (
    MissingDataError,
    OutsideDataError,
    SessionFile,
)
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.features.import_sheet.content import ImportRequest, SheetContent
from kpca_viewer.features.import_sheet.file_work import (
    Answer,
    FileToRead,
    Imported,
    Projected,
    ReadSession,
    RowsToProject,
    SessionToReopen,
    SheetLook,
    TableToImport,
    work,
)
from kpca_viewer.features.import_sheet.text import (
    EMPTY_CLIPBOARD,
    NO_MODEL,
    data_gone,
    data_outside,
    doubtful_numbers,
    expected_time,
    file_changed,
    gaps_filled,
    gaps_left_out,
    left_out_text,
    new_rows_filled,
    new_rows_left_out,
    one_of_many_opened,
)
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.workbench import Workbench, is_lesson


@dataclass(frozen=True)
class _Named:
    """What a start says about the file that it names."""

    path: Path | None = None
    settings: SessionSettings | None = None
    scaling: Scaling | None = None


QUIET = 300
"""Milliseconds without a change after which a file is taken for written."""


def _state(path: Path | None) -> Fingerprint | None:
    try:
        return None if path is None else fingerprint(path)
    except (OSError, DataError):
        return None


class Opening(QObject):
    """Reads on a worker of its own, asks on the import sheet, hands over."""

    opened = Signal(object)
    """The path of a file that was opened."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window, presenter = workbench.window, workbench.presenter
        self._workbench = workbench
        self._window = window
        self._presenter = presenter
        self._messages = presenter.messages
        self._preferences = workbench.preferences
        self._named = _Named()
        self.runner = Runner(work, self)
        self.runner.result_ready.connect(self._on_answered)
        self.runner.failed.connect(self._on_reading_failed)
        self.runner.cancelled.connect(presenter.show_anything)
        self.runner.busy_changed.connect(self._on_busy_changed)
        self.runner.progressed.connect(window.progress.report)
        window.progress.cancel_requested.connect(self.runner.cancel)
        window.files_dropped.connect(self._on_files_dropped)
        window.sidebar.columns_requested.connect(self.edit_columns)
        workbench.document_requested.connect(self.open_document)
        workbench.file_requested.connect(self.open_path)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_disk_changed)
        self._watcher.directoryChanged.connect(self._on_disk_changed)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET)
        self._quiet.timeout.connect(self._offer_reload)
        self._watched: tuple[Table, Fingerprint] | None = None
        self._recent = QMenu("Open &recent", window)
        self._recent.aboutToShow.connect(self._fill_recent)
        window.actions_table.insert_menus("open_folder", self._recent)
        workbench.more_entries.append(self._examples)

    def close(self) -> None:
        self.runner.close()

    @Slot()
    def choose(self) -> None:
        if (path := self._ask("Open data")) is not None:
            self.open_path(path)

    @Slot()
    def choose_folder(self) -> None:
        """Ask for a folder whose files are one table, and read some of its rows."""
        if (path := self._ask("Open folder", folder=True)) is not None:
            self.open_path(path)

    @Slot()
    def choose_new_rows(self) -> None:
        """Ask for a file whose rows are projected onto the present model."""
        if (path := self._ask("Project new data")) is not None:
            self.open_new_rows(path)

    def open_path(self, path: Path) -> None:
        """Read a file, a folder or a pattern; the import sheet follows."""
        if is_lesson(path):
            self._workbench.lesson_requested.emit(path)
        else:
            self._read(path)

    def open_named(
        self,
        path: Path,
        settings: SessionSettings | None,
        scaling: Scaling | None,
        options: ReadOptions = ReadOptions(),  # noqa: B008 — frozen
    ) -> None:
        """Read the file that a start names, with what the start says about it.

        Parameters
        ----------
        path : Path
            A file, or the folder of a table in parts, which ``options`` name.
        settings : SessionSettings, optional
            With which the program starts; their kernel is meant for the file.
        scaling : str, optional
            Of its columns; by default what suits them.
        """
        path, options = located(path, options)
        self._named = _Named(path.absolute(), settings, scaling)
        self._read(path, options=options)

    def open_new_rows(self, path: Path) -> None:
        """Read a file with the same columns and project its rows."""
        model = self._model()
        if model is None:
            self._messages.show(NO_MODEL)
            return
        self.runner.submit(RowsToProject(path, *model, self._as_before()))

    def _model(self) -> tuple[ImportSettings, Dataset] | None:
        """Return what new rows need of the present model; None where it takes none."""
        scene = self._presenter.scene
        result, importing = scene.result, scene.settings.data.importing
        if result is None or result.kernel is None:
            return None
        if importing is None:
            names = result.dataset.feature_names
            importing = ImportSettings(roles=tuple((name, "feature") for name in names))
        return importing, result.dataset

    def _as_before(self) -> ReadOptions:
        """Return how the present file is read: new rows come alike."""
        found = self._presenter.data.present_table()
        return ReadOptions() if found is None else read_like(found[0])

    @Slot(object, object)
    def open_document(self, origin: SessionFile | None, document: Document) -> None:
        """Read the data of a session; its file is ``origin``, if it has one."""
        self.runner.submit(SessionToReopen(origin, document))

    @Slot()
    def paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._messages.show(EMPTY_CLIPBOARD)
            return
        self._read(None, text=text)

    @Slot()
    def edit_columns(self) -> None:
        """Show the sheet of the present file again; it is not read anew."""
        found = self._presenter.data.present_table()
        if found is not None:
            self.runner.submit(SheetLook(*found, self._presenter.settings))

    def _read(self, path: Path | None, **how: Any) -> None:
        scaling = self._named.scaling if self._is_named(path) else None
        session, recent = self._presenter.settings, tuple(self._preferences.recent())
        how |= {"answers": self._preferences.answers(), "recent": recent}
        self.runner.submit(FileToRead(path, session=session, scaling=scaling, **how))

    def _is_named(self, path: Path | None) -> bool:
        """Whether the start has spoken of a file, and nothing has been said since."""
        first, now = self._named.settings, self._presenter.settings
        if path is None or first is None or path.absolute() != self._named.path:
            return False
        return (first.data, first.kernel) == (now.data, now.kernel)

    def _ask(self, title: str, name: str = "", folder: bool = False) -> Path | None:
        start, ask = str(self._preferences.folder("open") / name), QFileDialog
        if folder:
            chosen = ask.getExistingDirectory(self._window, title, start)
        else:
            chosen = ask.getOpenFileName(self._window, title, start, _filters())[0]
        if not chosen:
            return None
        self._preferences.keep_folder("open", Path(chosen))
        return Path(chosen)

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        match answer:
            case ReadSession(origin, document, data, forecast):
                self._workbench.session_read.emit(origin, document, data)
                if forecast and self._messages.shown is None:
                    self._messages.show(expected_time(forecast))
            case Imported(table, importing, scaling):
                for key, text in answer.answers.items():
                    self._preferences.keep_answers(key, text)
                said = self._is_named(table.path)
                self._presenter.data.open_table(
                    table, importing, scaling, keeps_kernel=said
                )
                if answer.left_out or answer.filled[0]:
                    self._say_gaps(answer)
                if table.path is not None:
                    self._remember(table)
                    self._watch(table)
                    self.opened.emit(table.path)
            case Projected():
                self._show_projected(answer)
            case SheetContent():
                self._show_sheet(answer)

    def _watch(self, table: Table) -> None:
        """Watch a file, and its folder: editors put another file in its place."""
        if known := self._watcher.files() + self._watcher.directories():
            self._watcher.removePaths(known)
        self._watched = None
        state = _state(table.path)
        if table.path is not None and state is not None:
            self._watched = table, state
            self._watcher.addPaths([str(table.path), str(table.path.parent)])

    @Slot()
    def _on_disk_changed(self) -> None:
        # Programs write in several steps: the last one counts.
        self._quiet.start()

    @Slot()
    def _offer_reload(self) -> None:
        if self._watched is None:
            return
        table, before = self._watched
        path, now = table.path, _state(table.path)
        if path is None or now is None or now == before:
            return
        self._watched = table, now
        if str(path) not in self._watcher.files():
            self._watcher.addPath(str(path))
        options = table.options or ReadOptions()

        def reload() -> None:
            self._read(path, options=options)

        shown = self._presenter.data.present_table()
        if shown is not None and shown[0].path == path:
            self._messages.show(file_changed(path), reload)

    def _remember(self, table: Table) -> None:
        """Add a source to the recent ones, unless it takes more than a name to open."""
        assert table.path is not None
        parts = (None if table.options is None else table.options.parts) or ()
        if len(parts) < 2:
            self._preferences.add_recent(table.path.joinpath(*parts))

    def _say_gaps(self, imported: Imported) -> None:
        """Say what became of rows with gaps, with the other way as a button."""
        table, scaling = imported.table, imported.scaling
        missing = imported.importing.missing
        drops = missing == "drop"
        other = replace(imported.importing, missing="median" if drops else "drop")
        if drops:
            rows = "rows" if table.sampled_from is None else "rows drawn"
            total = table.n - len(imported.importing.left_out)
            text = left_out_text(imported.left_out, total, imported.rows, rows)
            message = gaps_left_out(text)
        else:
            text = f"{filled_text(*imported.filled)} {filling_text(missing)}"
            message = gaps_filled(text)

        def take_other() -> None:
            # Checked by the worker as before: it may leave no row at all.
            request = ImportRequest(SheetContent(table, other, scaling), other, scaling)
            self._on_import_requested(request)

        self._messages.show(message, take_other)

    def _show_sheet(self, content: SheetContent) -> None:
        from kpca_viewer.features.import_sheet.sheet import ImportSheet

        sheet = ImportSheet(content, self._window)
        sheet.import_requested.connect(self._on_import_requested)
        sheet.part_requested.connect(self._on_part_requested)
        sheet.open()

    def _show_projected(self, projected: Projected) -> None:
        error, asked = projected.error, projected.asked
        if error is None:
            rows = projected.rows
            self._presenter.data.set_new_rows(rows)
            if isinstance(asked.source, Table):
                self._say_doubts(asked, asked.source)
            if rows is not None and rows.filled[0]:
                text = filled_text(*rows.filled)
                self._messages.show(new_rows_filled(text))
            if rows is not None and rows.left_out:
                total = rows.n + rows.left_out
                text = left_out_text(rows.left_out, total, rows.n, "new rows")
                self._messages.show(new_rows_left_out(text))
        elif isinstance(error, OddCellError):
            lenient = replace(asked.importing, treat_text_as_missing=True)

            def again() -> None:
                self.runner.submit(replace(asked, importing=lenient))

            message = messages.failure(error, messages.TREAT_AS_MISSING)
            self._messages.show(message, again)
        else:
            self._messages.show(messages.failure(error))

    def _say_doubts(self, asked: RowsToProject, table: Table) -> None:
        """Say how numbers of new rows were read, with the other way as a button."""
        question = next((q for q in table.questions if not q.answered), None)
        if question is None:
            return

        def other() -> None:
            answer = table.answered(question.mark, thousands=not question.thousands)
            self.runner.submit(replace(asked, source=answer))

        read = question.value(not question.thousands)
        self._messages.show(doubtful_numbers(str(question), read), other)

    @Slot(object)
    def _on_import_requested(self, request: ImportRequest) -> None:
        self.runner.submit(TableToImport(request, self._presenter.settings))

    @Slot(object)
    def _on_part_requested(self, options: ReadOptions) -> None:
        from kpca_viewer.features.import_sheet.sheet import ImportSheet

        sheet = self.sender()
        if isinstance(sheet, ImportSheet):
            content = sheet.content
            self._read(
                content.table.path, text=content.text, options=options, before=content
            )

    @Slot(object)
    def _on_reading_failed(self, error: Exception) -> None:
        self._presenter.show_anything()
        if isinstance(error, MissingDataError):
            self._offer_to_locate(error.origin, error.document)
        elif isinstance(error, OutsideDataError):
            self._ask_about_outside(error.origin, error.document)
        else:
            self._messages.show(messages.failure(error))

    def _ask_about_outside(
        self, origin: SessionFile | None, document: Document
    ) -> None:
        """Read a file that a session names anywhere on the disk only when told to."""
        file = document.data.file
        assert file is not None

        def read() -> None:
            self._preferences.add_recent(file.path)
            self.open_document(origin, document)

        self._messages.show(data_outside(file.path), read)

    def _offer_to_locate(self, origin: SessionFile | None, document: Document) -> None:
        """Say where the data of a session were, and let the person show where."""
        file = document.data.file
        assert file is not None
        title = f"Where is {file.path.name}?"

        def locate() -> None:
            name = "" if file.is_folder else file.path.name
            path = self._ask(title, name, file.is_folder)
            if path is not None:
                data = replace(document.data, file=replace(file, path=path))
                self.open_document(origin, replace(document, data=data))

        self._messages.show(data_gone(file.path), locate)

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        if busy:
            self._window.progress.begin("Reading")
        else:
            self._window.progress.end()

    @Slot(object)
    def _on_files_dropped(self, paths: list[Path]) -> None:
        if len(paths) > 1:
            message = one_of_many_opened(len(paths), paths[0])
            self._messages.show(message)
        self._preferences.keep_folder("open", paths[0])
        self.open_path(paths[0])

    @Slot()
    def remove_new_rows(self) -> None:
        self._presenter.data.set_new_rows(None)

    @Slot()
    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._preferences.recent():
            # A name from a file is literal: its & is no mnemonic.
            action = QAction(path.name.replace("&", "&&"), self._recent)
            action.setToolTip(plain_tip(str(path)))
            action.setData(str(path))
            action.triggered.connect(self._on_file_chosen)
            self._recent.addAction(action)
        if self._recent.isEmpty():
            self._recent.addAction("Nothing yet").setEnabled(False)

    def _examples(self) -> Iterator[tuple[str, str, str, Callable[[], object]]]:
        """Yield what the palette finds: title, kind, more words, and what it does."""
        for path in sorted(asset("data").iterdir()):
            # Lists of names belong to the matrix beside them.
            named = "_barcodes." in path.name or "_features." in path.name
            if path.suffix != ".md" and not named:
                yield (
                    path.name,
                    "Example",
                    "sample file data",
                    partial(self.open_path, path),
                )

    @Slot()
    def _on_file_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.open_path(Path(action.data()))


def _filters() -> str:
    from kpca_viewer.data.files import FORMATS
    from kpca_viewer.data.files.packing import ENDINGS

    patterns = {
        form.title: " ".join(f"*.{ending}" for ending in form.extensions)
        for form in FORMATS
    }
    patterns["Feather"] = "*.feather *.arrow"
    patterns["Compressed"] = " ".join(f"*.{ending}" for ending in ENDINGS)
    single = [f"{title} ({endings})" for title, endings in patterns.items()]
    every = " ".join(["*.kpca", *patterns.values()])
    return ";;".join(
        [f"Data and sessions ({every})", *single, "Sessions (*.kpca)", "All files (*)"]
    )
