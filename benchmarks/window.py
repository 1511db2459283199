"""The real window, offscreen, opened and at rest."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

# Before the first import of Qt.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

from PySide6.QtCore import QEventLoop, QSettings

from kpca_viewer.engine.settings import DataSettings, SessionSettings, as_values
from kpca_viewer.widgets.controls import FormulaLabel
from kpca_viewer.window.app import Viewer
from kpca_viewer.window.application import application
from kpca_viewer.window.start import spare_memory


@contextmanager
def opened(samples: int) -> Iterator[Viewer]:
    """Show so many circles and wait until nothing is left to do.

    The start is not what is measured, nor that formulas are loaded once.
    """
    with tempfile.TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        application()
        data = DataSettings("circles", as_values({"samples": samples}))
        viewer = Viewer(SessionSettings(data=data), remembers=False)
        viewer.show()
        settle(viewer)
        formula = viewer.window.findChild(FormulaLabel, "kernel_formula")
        while formula.latex() == "" or not formula.is_settled():
            QEventLoop().processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        spare_memory()
        try:
            yield viewer
        finally:
            viewer.window.close()
            viewer.window.deleteLater()


def settle(viewer: Viewer) -> None:
    """Handle events until the newest result is painted and nothing moves any more."""
    board, loop = viewer.window.board, QEventLoop()
    views = (board.data.view, board.embedding.view, board.compare.pca)
    while (
        viewer.runner.busy
        or not board.is_settled()
        or any(view.glide.running for view in views)
    ):
        loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    loop.processEvents()
