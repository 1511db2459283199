"""Workbench: what the window hands to the controllers of features."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from kpca_viewer.engine.document.model import Document

if TYPE_CHECKING:
    from kpca_viewer.engine.executors.backend import ComputeBackend
    from kpca_viewer.engine.runner import Runner
    from kpca_viewer.engine.store import SessionStore
    from kpca_viewer.window.main_window import MainWindow
    from kpca_viewer.window.message_queue import Messages
    from kpca_viewer.window.preferences import Preferences
    from kpca_viewer.window.presenter import Presenter


Entry = tuple[str, str, str, Callable[[], object]]


def is_lesson(path: Path) -> bool:
    """Return whether a file or folder is a lesson, by its name."""
    return path.suffix.lower() == ".lesson" or (path / "lesson.toml").is_file()


class Workbench(QObject):
    """The parts of the program that features work with, and where they meet.

    Attributes
    ----------
    runner : Runner
        That of the picture.
    backend : ComputeBackend
        Where large data and sweeps are computed.
    controllers : dict of str to QObject
        By the keys of their features.
    document : callable
        Returns the session as it is now.
    more_sources : list of callable
        Each returns what can be exported beside the plots of the board.
    more_entries : list of callable
        Each yields what the palette finds beside actions: title, kind, other words, and
        what is called.
    preloads : list of str
        Modules that the export panel needs for them.
    """

    session_read = Signal(object, object, object)
    """The file of a session, its document and opened data."""
    document_requested = Signal(object, object)
    """The file of a session, or None, and the document whose data are to be read."""
    file_requested = Signal(object)
    """The path of a file that is to be read."""
    lesson_requested = Signal(object)
    """The path of a lesson that is to begin."""
    picture_requested = Signal(str)
    """The key of a plot of which a picture of a chosen size is requested."""

    def __init__(
        self,
        window: "MainWindow",
        presenter: "Presenter",
        store: "SessionStore",
        runner: "Runner",
        preferences: "Preferences",
        backend: "ComputeBackend",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.window = window
        self.presenter = presenter
        self.store = store
        self.runner = runner
        self.preferences = preferences
        self.backend = backend
        self.controllers: dict[str, Any] = {}
        self.document: Callable[[], Document] = lambda: Document(store.settings)
        self.more_sources: list[Callable[[], Mapping[str, Any]]] = []
        self.more_entries: list[Callable[[], Iterable[Entry]]] = []
        self.preloads: list[str] = []

    @property
    def messages(self) -> "Messages":
        return self.presenter.messages
