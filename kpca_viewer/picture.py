"""The window where there is no screen: started, settled, and as a picture."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer

from kpca_viewer.app import Viewer, application
from kpca_viewer.core.errors import DataError, KpcaError
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.controls import FormulaLabel
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.theme import LIGHT, THEMES

LONGEST_WAIT = 5000
"""Milliseconds for which a formula is worth waiting."""

Opened = Mapping[str, Dataset | Table]


@contextmanager
def settled_viewer(
    settings: SessionSettings | None = None,
    opened: Opened | None = None,
    theme: str | None = None,
    size: tuple[int, int] | None = None,
) -> Iterator[Viewer]:
    """Start the program and wait until everything is computed.

    Parameters
    ----------
    settings, opened
        As for `Viewer`.
    theme : {"light", "dark"}, optional
    size : tuple of int, optional
        Show the window in this size; without one it stays hidden.

    Raises
    ------
    KpcaError
        If the computation fails.
    """
    app = application()
    viewer = Viewer(
        settings or SessionSettings(),
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
        if viewer.runner.busy:
            loop.exec()
        if size is not None:
            _wait_for_formulas(viewer.window, loop)
        app.processEvents()
        if failures:
            error = failures[0]
            raise error if isinstance(error, KpcaError) else DataError(str(error))
        yield viewer
    finally:
        viewer.window.close()


def save_window_picture(
    path: Path,
    settings: SessionSettings | None = None,
    theme: str | None = None,
    size: tuple[int, int] = (1366, 768),
    opened: Opened | None = None,
) -> None:
    """Compute a session and save what the window would show as a PNG.

    Raises
    ------
    KpcaError
        If the session cannot be computed or the file not be written.
    """
    with settled_viewer(settings, opened, theme, size) as viewer:
        picture = viewer.window.grab()
    if not picture.save(str(path), "PNG"):
        raise DataError(
            f"{path} could not be written; choose a folder in which you may write."
        )


def _wait_for_formulas(window: MainWindow, loop: QEventLoop) -> None:
    """Let the formula be typeset; a window can wait for that, a picture cannot."""
    for label in window.findChildren(FormulaLabel):
        label.settled.connect(loop.quit)
        if not label.is_settled():
            # Where formulas cannot be set, their plain text has to do.
            QTimer.singleShot(LONGEST_WAIT, loop, loop.quit)
            loop.exec()
        label.settled.disconnect(loop.quit)
