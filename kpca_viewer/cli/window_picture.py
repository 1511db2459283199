"""The window where there is no screen: started, settled, and as a picture."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop

from kpca_viewer.app import Viewer
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.export.images.image import png_bytes
from kpca_viewer.session.beginning import first_session
from kpca_viewer.session.document.model import Document
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, KpcaError
from kpca_viewer.ui.look.theme import LIGHT, THEMES
from kpca_viewer.ui.window.application import application
from kpca_viewer.ui.window.settling import settle

Opened = Mapping[str, Dataset | Table]


@contextmanager
def settled_viewer(
    settings: SessionSettings | None = None,
    opened: Opened | None = None,
    theme: str | None = None,
    size: tuple[int, int] | None = None,
    document: Document | None = None,
) -> Iterator[Viewer]:
    """Start the program and wait until everything is computed.

    Parameters
    ----------
    settings, opened
        As for `Viewer`.
    theme : {"light", "dark"}, optional
    size : tuple of int, optional
        Show the window in this size; without one it stays hidden.
    document : Document, optional
        The session of which ``settings`` and ``opened`` are a part: its selection,
        names, cameras and sweep are shown too.

    Raises
    ------
    KpcaError
        If the computation fails.
    """
    application()
    viewer = Viewer(
        settings or first_session(),
        opened,
        THEMES.get(theme or "", LIGHT),
        remembers=False,
    )
    loop = QEventLoop()
    failures: list[Exception] = []

    def on_failed(error: Exception) -> None:
        failures.append(error)

    def on_busy_changed(busy: bool) -> None:
        if not busy:
            loop.quit()

    viewer.runner.failed.connect(on_failed)
    viewer.runner.busy_changed.connect(on_busy_changed)
    try:
        if size is not None:
            viewer.window.resize(*size)
            viewer.window.show()
        if document is not None:
            viewer.presenter.data.open_document(document, opened or {})
        if viewer.runner.busy:
            loop.exec()
        settle(viewer.window)
        if size is not None and not failures:
            _wait_for_sweep(viewer, loop)
            settle(viewer.window)
        if failures:
            error = failures[0]
            raise error if isinstance(error, KpcaError) else DataError(str(error))
        yield viewer
    finally:
        viewer.window.close()
        # Now, not some day: a program that draws many pictures keeps none of them.
        for item in (viewer.window, viewer):
            item.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def save_window_picture(
    path: Path,
    settings: SessionSettings | None = None,
    theme: str | None = None,
    size: tuple[int, int] = (1366, 768),
    opened: Opened | None = None,
    document: Document | None = None,
) -> None:
    """Compute a session and save what the window would show as a PNG.

    Raises
    ------
    KpcaError
        If the session cannot be computed or the file not be written.
    """
    with settled_viewer(settings, opened, theme, size, document) as viewer:
        picture = viewer.window.grab().toImage()
    write_atomically(path, png_bytes(picture))


def _wait_for_sweep(viewer: Viewer, loop: QEventLoop) -> None:
    """Let the sweep of a session be computed; its pictures are part of the window."""
    sweeps = viewer.sweeping
    if sweeps is not None and sweeps.runner.busy:
        for ended in (sweeps.runner.finished, sweeps.runner.failed):
            ended.connect(loop.quit)
        loop.exec()
