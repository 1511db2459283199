"""Show points twice, and once more inside a loop that runs already, as in Jupyter.

Last a window is left open and at work, as who leaves IPython leaves it.

Run as a program by `test_process`; whatever it writes to stderr is a failure.
"""

import sys

import numpy as np
import pandas as pd
from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QLabel

import kpca_viewer
from kpca_viewer.window.main_window import MainWindow

X = np.random.default_rng(0).normal(size=(30, 3))
FRAME = pd.DataFrame(X, columns=[*"abc"], index=[f"s{row}" for row in range(30)])
FRAME = FRAME.assign(kind=["u", "v"] * 15, grade=pd.Categorical([1, 2, 3] * 10))
FRAME.iloc[3, 1] = np.nan


def close_soon(titles: list[str]) -> None:
    """Close the window as soon as its picture is there."""

    def look() -> None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, MainWindow) and window.isVisible():
                titles.append(window.windowTitle())
                if "–" in titles[-1]:
                    timer.stop()
                    window.close()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(10)
    close_soon.timer = timer


def main(folder: str) -> None:
    """Show, show again, and show while a loop runs."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
    app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    theirs = QLabel("a window of somebody else")
    theirs.show()
    seen = []
    for name, data in (("first", X), ("second", FRAME)):
        close_soon(seen)
        kpca_viewer.show(data, name=name, missing="drop")
        sys.stdout.write(f"{seen[-1]}\n")

    def cell() -> None:
        close_soon(seen)
        kpca_viewer.show(X, name="cell")
        sys.stdout.write(f"{seen[-1]}\n")
        QTimer.singleShot(0, loop.quit)

    loop = QEventLoop()
    QTimer.singleShot(0, cell)
    loop.exec()
    sys.stdout.write(f"theirs is {'open' if theirs.isVisible() else 'closed'}\n")
    kpca_viewer.show(np.random.default_rng(0).normal(size=(3000, 3)), block=False)
    app.processEvents()


if __name__ == "__main__":
    main(sys.argv[1])
