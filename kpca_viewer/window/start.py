"""Start the program: open the window and stay until it is closed."""

import gc
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from PySide6.QtCore import QEventLoop, Qt, QThread
from PySide6.QtWidgets import QApplication

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing import Missing
from kpca_viewer.data.preparation import Scaling
from kpca_viewer.data.table import Table
from kpca_viewer.engine.event_loop import Interruptions
from kpca_viewer.engine.runner import leave
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.support.screen import has_screen
from kpca_viewer.widgets.theme import THEMES
from kpca_viewer.window.app import Viewer
from kpca_viewer.window.application import application

SINGLE_SHOT = Qt.ConnectionType.SingleShotConnection


def run_viewer(
    settings: SessionSettings | None = None,
    opened: Mapping[str, Dataset | Table] | None = None,
    *,
    file: Path | None = None,
    reading: ReadOptions | None = None,
    scaling: Scaling | None = None,
    theme: str | None = None,
    started: float | None = None,
) -> int:
    """Open the window and stay until it is closed.

    Parameters
    ----------
    settings, opened
        As for `Viewer`.
    file : Path, optional
        Data or a session to open in the window; a table begins with the kernel of
        ``settings``, if they are given.
    reading : ReadOptions, optional
        How ``file`` is read; by default as is detected.
    scaling : str, optional
        Of the columns of ``file``; by default what suits them.
    theme : str, optional
        "light" or "dark", for this start only.
    started : float, optional
        ``perf_counter()`` at the start; given, two timings are printed.
    """
    app = application()
    viewer = Viewer(settings, opened, THEMES.get(theme or ""), restores=file is None)
    viewer.show()
    if file is not None:
        viewer.controllers["import_sheet"].open_named(
            file, settings, scaling, reading or ReadOptions()
        )
    if started is not None:
        _print_timings(viewer, started)
    viewer.runner.result_ready.connect(spare_memory, SINGLE_SHOT)
    return _wait_for(viewer, app)


def _wait_for(viewer: Viewer, app: QApplication) -> int:
    """Stay until this window is closed, whatever else the application shows.

    In a notebook the loop runs already, and must go on afterwards.

    Returns
    -------
    int
        The exit code: 0, or 128 and the number of the signal that has ended it.
    """
    quits = app.quitOnLastWindowClosed()
    app.setQuitOnLastWindowClosed(False)
    try:
        if QThread.currentThread().loopLevel() > 0:
            nested = QEventLoop()
            viewer.window.closing.connect(nested.quit)
            nested.exec()
            return 0
        # Not `quit`, which closes every other window as well.
        viewer.window.closing.connect(app.exit)
        return _until_closed(viewer, app)
    finally:
        app.setQuitOnLastWindowClosed(quits)


def _until_closed(viewer: Viewer, app: QApplication) -> int:
    """Run the loop; a signal ends it with a copy of the work, whatever is computed."""
    if current_thread() is not main_thread():
        return app.exec()
    code = 0

    def end(number: int) -> None:
        nonlocal code
        first, code = code == 0, 128 + number
        if not first:
            # A second signal; the copy is there since the first time.
            os._exit(code)
        viewer.interrupt(code)

    interruptions = Interruptions()
    interruptions.received.connect(end)
    try:
        app.exec()
    finally:
        interruptions.close()
    if code:
        leave(code)
    return code


def spare_memory() -> None:
    """Spare what the start has made from the search for garbage.

    It stays as long as the program; looking through it takes a tenth of a second, in
    which the window stands still.
    """
    gc.collect()
    gc.freeze()


def show(
    X: Any, y: Any = None, *, name: str = "data", missing: Missing | None = None
) -> int:
    """Open points in the window and wait until it is closed.

    Parameters
    ----------
    X : data frame, array-like or sparse matrix of shape (n, d), or Dataset
        The columns of a data frame mean what they would mean in a file.
    y : array-like of shape (n,), optional
        Classes of any kind, or a quantity.
    name : str
        Shown above the plot.
    missing : {"drop", "columns", "median", "nearest"}, optional
        What becomes of gaps; by default as in a file, which a warning says.

    Raises
    ------
    RuntimeError
        If there is no screen.
    """
    if QApplication.instance() is None and not has_screen():
        # Qt would abort the whole process.
        raise RuntimeError(
            "There is no screen here to open a window on; save the points to a file "
            "and use “kpca-viewer render FILE --out picture.png”."
        )
    from kpca_viewer.data.frames import of_arrays, scaling_of

    dataset = of_arrays(X, y, name, missing)
    data = DataSettings(source=dataset.name, scaling=scaling_of(X, dataset))
    settings = SessionSettings(data=data)
    return run_viewer(settings, {dataset.name: dataset})


def _print_timings(viewer: Viewer, started: float) -> None:
    """Print when the window was there, and when the first picture."""
    sys.stdout.write(f"window after {perf_counter() - started:.2f} s\n")

    def on_first_result(_result: object) -> None:
        viewer.runner.result_ready.disconnect(on_first_result)
        sys.stdout.write(f"first picture after {perf_counter() - started:.2f} s\n")
        sys.stdout.flush()

    viewer.runner.result_ready.connect(on_first_result)
