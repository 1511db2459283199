#!/usr/bin/env python3
"""Count the files of the program that a person's action passes through.

usage: tools/files-passed.py [-v]

Run it with the Python of the virtual environment, in the folder whose program is meant.
It starts the program offscreen, waits until everything rests, does each action once,
and does it again while all function calls of all threads are watched: the first time
loads and makes what is there afterwards. Printed is how many files run at all, from the
mathematics to the painting, and how many of them are handed the state on its way:
settings, request, result or scene is an argument of one of their functions. With ``-v``
those have a star in the list of all.
"""

import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import FrameType

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, os.getcwd())

import numpy as np
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider

import kpca_viewer
from kpca_viewer import KernelPCA
from kpca_viewer.engine import runner
from kpca_viewer.window.app import Viewer, application

HERE = str(Path(kpca_viewer.__file__).parent) + os.sep
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
PATIENCE = 60.0
STATE = ("SessionSettings", "AnalysisRequest", "AnalysisResult", "Scene")


class Watch:
    """Notes the files of the program whose functions are called, on any thread."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.handed: set[str] = set()
        self.on = False
        threading.setprofile(self.see)
        sys.setprofile(self.see)
        # Threads of Qt do not ask `threading`: a worker begins by taking its work.
        take = runner._Mailbox.take

        def watched(mailbox: runner._Mailbox) -> object:
            sys.setprofile(self.see)
            return take(mailbox)

        runner._Mailbox.take = watched  # type: ignore[method-assign,assignment]

    def begin(self) -> None:
        """Forget what was seen, and look."""
        self.files, self.handed, self.on = set(), set(), True

    def see(self, frame: FrameType, event: str, _what: object) -> None:
        """Take note of a call; what is only loaded on the way is not passed."""
        code = frame.f_code
        ours = code.co_filename.startswith(HERE) and code.co_name != "<module>"
        if self.on and event == "call" and ours:
            name = code.co_filename.removeprefix(HERE)
            self.files.add(name)
            if name not in self.handed and _is_handed_state(frame):
                self.handed.add(name)


def _is_handed_state(frame: FrameType) -> bool:
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    values = (frame.f_locals.get(name) for name in code.co_varnames[:count])
    return any(type(value).__name__ in STATE for value in values)


class Person:
    """Does what is to be watched."""

    def __init__(self, folder: Path) -> None:
        QSettings.setPath(
            QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder)
        )
        os.environ["XDG_STATE_HOME"] = str(folder / "state")
        self._folder = folder
        self.viewer = Viewer(remembers=False)
        self.viewer.show()
        self.rest()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a state."""
        end = monotonic() + PATIENCE
        while not condition():
            assert monotonic() < end, "It does not come to rest."
            QTest.qWait(5)

    def rest(self) -> None:
        """Wait until nothing is computed, drawn or moved any more."""
        viewer, board = self.viewer, self.viewer.window.board
        strip = viewer.window.sweep_strip
        self.until(lambda: viewer.presenter.result is not None)
        self.until(lambda: not viewer.runner.busy and board.is_settled())
        self.until(lambda: strip.state() != "running")
        QTest.qWait(500)

    def drag_gamma(self) -> None:
        """Move the slider of γ, held down, by one step, and let it go."""
        slider = self.viewer.window.findChild(QSlider, "gamma_slider")
        at = QPoint(slider.width() // 2, slider.height() // 2)
        aside = at + QPoint(20, 0)
        QTest.mousePress(slider, LEFT, NO_KEY, at)
        self.rest()
        QTest.mouseMove(slider, aside)
        self.rest()
        QTest.mouseRelease(slider, LEFT, NO_KEY, aside)
        self.rest()

    def drop_csv(self) -> None:
        """Drop a small table with a class onto the window."""
        path = self._folder / "measured.csv"
        rows = [f"{i % 7},{i % 11},{i % 5},{'ab'[i % 2]}" for i in range(80)]
        path.write_text("\n".join(["height,width,depth,kind", *rows]))
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        window = self.viewer.window
        event = QDropEvent(
            QPointF(window.rect().center()),
            Qt.DropAction.CopyAction,
            data,
            LEFT,
            NO_KEY,
        )
        window.dropEvent(event)
        self.until(lambda: self._source().endswith("measured.csv") or self._asked())
        if self._asked():
            sheet = QApplication.activeModalWidget()
            assert sheet is not None
            QTest.keyClick(sheet, Qt.Key.Key_Return)
        self.until(lambda: self._source().endswith("measured.csv"))
        self.rest()

    def sweep(self) -> None:
        """Compute a film of γ."""
        self.viewer.window.sweep_strip.start()
        self.until(lambda: self.viewer.window.sweep_strip.state() == "running")
        self.rest()

    def back_to_circles(self) -> None:
        """Undo until the first data are there again."""
        while self._source() != "circles":
            self.viewer.store.undo()
        self.rest()

    def _source(self) -> str:
        return self.viewer.store.settings.data.source

    def _asked(self) -> bool:
        return QApplication.activeModalWidget() is not None


def main() -> int:
    """Watch each action the second time that it is done."""
    application()
    names = "-v" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        watch, person = Watch(), Person(Path(folder))
        for title, act in (
            ("a drag of γ", person.drag_gamma),
            ("a dropped CSV", person.drop_csv),
            ("a sweep", person.sweep),
        ):
            person.back_to_circles()
            act()
            person.back_to_circles()
            watch.begin()
            act()
            watch.on = False
            _print(title, watch, names=names)
        person.viewer.window.close()
        rows = np.random.default_rng(0).normal(size=(400, 4))
        for watch.on in (False, True):
            watch.files, watch.handed = set(), set()
            KernelPCA(10, kernel="rbf").fit(rows)
        watch.on = False
        _print("a fit of 400 rows", watch, names=names)
    return 0


def _print(title: str, watch: Watch, *, names: bool) -> None:
    print(  # noqa: T201
        f"{title}: {len(watch.files)} files run ({_by_room(watch.files)}); "
        f"the state is handed to {len(watch.handed)} ({_by_room(watch.handed)})"
    )
    for file in sorted(watch.files) if names else ():
        print(f"  {'*' if file in watch.handed else ' '} {file}")  # noqa: T201


def _by_room(files: set[str]) -> str:
    rooms = Counter(file.split(os.sep)[0] for file in files)
    return ", ".join(f"{room} {count}" for room, count in sorted(rooms.items()))


if __name__ == "__main__":
    sys.exit(main())
