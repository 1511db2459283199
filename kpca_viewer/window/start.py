"""Start the program: open the window and stay until it is closed."""

import gc
import os
import sys
from collections.abc import Mapping, Sequence
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
from kpca_viewer.engine.document.recovery import state_folder
from kpca_viewer.engine.event_loop import Interruptions
from kpca_viewer.engine.initial_session import begun_with
from kpca_viewer.engine.runner import leave
from kpca_viewer.engine.settings import (
    DataSettings,
    SessionSettings,
)
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.interrupts import interrupts_held
from kpca_viewer.support.screen import has_screen
from kpca_viewer.widgets.theme import THEMES
from kpca_viewer.window.app import Viewer
from kpca_viewer.window.application import application
from kpca_viewer.window.handle import ViewerHandle
from kpca_viewer.window.trouble import FaultDialog

SINGLE_SHOT = Qt.ConnectionType.SingleShotConnection


def run_viewer(
    settings: SessionSettings | None = None,
    opened: Mapping[str, Dataset | Table] | None = None,
    *,
    file: Path | None = None,
    reading: ReadOptions | None = None,
    scaling: Scaling | None = None,
    theme: str | None = None,
    lesson: str | None = None,
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
    lesson : str, optional
        The name of a lesson to begin, or its file or folder.
    started : float, optional
        ``perf_counter()`` at the start; given, two timings are printed.
    """
    app = application()
    faults = FaultDialog(state_folder())
    faults.install()
    try:
        viewer = Viewer(
            settings, opened, THEMES.get(theme or ""), restores=file is None
        )
        faults.window = viewer.window
        viewer.show()
        if file is not None:
            viewer.controllers["import_sheet"].open_named(
                file, settings, scaling, reading or ReadOptions()
            )
        if lesson is not None:
            viewer.controllers["lessons"].open_named(lesson)
        if started is not None:
            _print_timings(viewer, started)
        # Without a search, which the first picture would wait for.
        gc.freeze()
        viewer.window.board.shown.connect(spare_memory, SINGLE_SHOT)
        return _wait_for(viewer, app)
    except (KpcaError, MemoryError, OSError):
        raise  # One line on stderr.
    except Exception as error:  # noqa: BLE001 — said in a dialog
        # Who has started it by a double click sees no stderr.
        faults.take(type(error), error, error.__traceback__)
        return 1
    finally:
        faults.remove()


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
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def show(
    X: Any,
    y: Any = None,
    *,
    name: str = "data",
    names: Sequence[str] | None = None,
    metadata: Any = None,
    model: Any = None,
    kernel: Any = None,
    missing: Missing | None = None,
    block: bool = True,
) -> ViewerHandle:
    """Open points in the window.

    Parameters
    ----------
    X : data frame, array-like or sparse matrix of shape (n, d), or Dataset
        The columns of a data frame mean what they would mean in a file.
    y : array-like of shape (n,), optional
        Classes of any kind, or a quantity.
    name : str
        Shown above the plot.
    names : sequence of str of shape (n,), optional
        Of the rows; a data frame has them in its index.
    metadata : mapping of str to array-like of shape (n,), or data frame, optional
        What else is known of the rows: for colour, shape, hover, table and export.
    model : KernelPCA or Pipeline that ends with one, optional
        Whose kernel, components and centring to begin with.
    kernel : str, Kernel or dict, optional
        A kernel to begin with: ``"poly"``, ``rbf(2) + linear()`` or
        ``{"kernel": "rbf", "gamma": 2}``.
    missing : {"drop", "columns", "median", "nearest"}, optional
        What becomes of gaps; by default as in a file, which a warning says.
    block : bool
        Whether to wait until the window is closed. Without, an event loop of Qt has to
        run, as in IPython and Jupyter after ``%gui qt``.

    Returns
    -------
    ViewerHandle
        Selection, groups, kernel, model and embedding, as they are in the window.

    Raises
    ------
    RuntimeError
        If there is no screen.

    See Also
    --------
    plot : a figure by matplotlib.

    Examples
    --------
    ::

        viewer = kpca_viewer.show(X, y)
        viewer.selection, viewer.kernel
    """
    if QApplication.instance() is None and not has_screen():
        # Qt would abort the whole process.
        raise RuntimeError(
            "There is no screen here to open a window on; save the points to a file "
            "and use “kpca-viewer render FILE --out picture.png”."
        )
    from kpca_viewer.data.frames import described, of_arrays, scaling_of

    dataset = described(of_arrays(X, y, name, missing), names, metadata)
    data = DataSettings(source=dataset.name, scaling=scaling_of(X, dataset))
    settings = begun_with(SessionSettings(data=data), model, kernel)
    try:
        with interrupts_held():
            app = application()
            viewer = Viewer(settings, {dataset.name: dataset}, restores=False)
            viewer.show()
            handle = ViewerHandle(viewer, dataset.n + dataset.left_out)
    except KeyboardInterrupt:
        viewer.window.close()
        raise
    if block:
        _wait_for(viewer, app)
    return handle


def _print_timings(viewer: Viewer, started: float) -> None:
    """Print when the window was there, and when the first picture."""
    sys.stdout.write(f"window after {perf_counter() - started:.2f} s\n")

    def on_first_result(_result: object) -> None:
        viewer.runner.result_ready.disconnect(on_first_result)
        sys.stdout.write(f"first picture after {perf_counter() - started:.2f} s\n")
        sys.stdout.flush()

    viewer.runner.result_ready.connect(on_first_result)
