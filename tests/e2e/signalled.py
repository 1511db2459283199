"""Work in the real program until somebody ends it from outside.

Run as a program by `test_process`. It prints “working” once the last change is made,
during a long computation if there is one, and “kept” as soon as there is a hidden copy
of work that goes on.
"""

import sys
from dataclasses import replace

from PySide6.QtCore import QSettings, QTimer

from kpca_viewer.engine.document.recovery import state_folder
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.window import session_saver, start

LONG = SessionSettings(
    data=DataSettings("circles", as_values({"samples": 4000})),
    analysis=AnalysisSettings(solver="dense"),
)
"""A computation of many seconds in one call that nothing can stop."""

SMALL = SessionSettings(data=DataSettings("circles", as_values({"samples": 60})))


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


class Worker(start.Viewer):
    """The program with somebody in front of it."""

    def show(self) -> None:
        super().show()
        self.timer = QTimer(self, interval=10)
        self.timer.timeout.connect(self.change)
        if HOW == "killed":
            self.timer.start()
        else:
            QTimer.singleShot(0, self.change)

    def change(self) -> None:
        """Change something, and do not wait for the picture."""
        settings = self.store.settings
        gamma = dict(settings.kernel.values).get("gamma", 1.0) * 1.01
        kernel = KernelSettings("laplacian").with_value("gamma", gamma)
        self.store.update(replace(settings, kernel=kernel), "drag")
        if HOW == "killed" and list(state_folder().glob("*swap")):
            say("kept")
        elif HOW == "busy":
            self.runner.progressed.connect(lambda *_: say("working"))
        elif HOW == "idle":
            say("working")


def main(folder: str) -> int:
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
    start.Viewer = Worker
    session_saver.SWAP_AFTER = 50 if HOW == "killed" else 60_000
    return start.run_viewer(LONG if HOW == "busy" else SMALL)


if __name__ == "__main__":
    HOW = sys.argv[2]
    sys.exit(main(sys.argv[1]))
