"""Open the window, close it in the middle of the work, again and again.

Run as a program by `test_process`; whatever it writes to stderr is a failure.
"""

import sys

from PySide6.QtCore import QCoreApplication, QEvent, QSettings

from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.window.app import Viewer
from kpca_viewer.window.application import application

SLOW = SessionSettings(
    data=DataSettings("circles", as_values({"samples": 3000})),
    analysis=AnalysisSettings(solver="dense"),
)

MOMENTS = 7
"""The window is closed after none, one or more turns of the event loop, up to six."""


def main(times: int, folder: str) -> None:
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
    app = application()
    busy = 0
    for number in range(times):
        viewer = Viewer(SLOW)
        viewer.show()
        for _ in range(number % MOMENTS):
            app.processEvents()
        busy += viewer.runner.busy
        viewer.window.close()
        viewer.window.deleteLater()
        viewer.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    sys.stdout.write(f"closed {times} times, {busy} times during work\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
