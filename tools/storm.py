#!/usr/bin/env python3
"""Let thousands of random actions loose on the real program, and watch its window.

usage: tools/storm.py [ACTIONS] [SEED]   (1,000 actions and seed 1 by default)

Run it with the Python of the virtual environment. Every exception, warning of Qt and
broken rule is printed as it comes. At the end: how many actions there were, and the
worst gaps of a 5-ms timer, each with the processor time that the thread of the window
has used in it, with what was done last and where the thread was; those in which the
window was given other colours or type are counted, but not listed. What else the
machine does is no fault of the program: work is counted at the pace that the same
processor has when it is left alone, which a small sum measures after every gap.
"""

import argparse
import faulthandler
import os
import sys
import tempfile
import threading
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import clock_gettime, perf_counter, pthread_getcpuclockid, sleep, thread_time
from types import FrameType, TracebackType

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QEventLoop,
    QObject,
    QSettings,
    Qt,
    QTimer,
    QtMsgType,
    Slot,
    qInstallMessageHandler,
)

from kpca_viewer.engine.runner import leave
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.window.app import Viewer
from kpca_viewer.window.application import application
from kpca_viewer.window.start import spare_memory
from tests.storm import Storm
from tests.storm_rules import broken, restless

EACH = 500
"""Actions of one start of the program."""

REST_EVERY = 12
"""Actions between two looks at the rules, on average."""

LONG = 0.1
"""Seconds of own work in one gap that are too long."""

DRESSING = "_dress"
"""The function that gives the window other colours or type; it may take longer."""

EXCUSED = ("propagateSizeHints", "does not support raise", "grabbing the keyboard")
"""Warnings of the offscreen platform, which has no window manager."""


@dataclass
class Gap:
    """A time in which the window did not answer."""

    wall: float
    work: float
    action: str
    where: list[str] = field(default_factory=list)

    @property
    def is_excused(self) -> bool:
        """Whether the window was being dressed."""
        return any(DRESSING in place for place in self.where)


class Watch(QObject):
    """Ticks every 5 ms; a second thread looks where the first one is if it cannot."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[Gap] = []
        self.action = ""
        self._thread = threading.get_ident()
        self._clock = pthread_getcpuclockid(self._thread)
        self._last = perf_counter(), thread_time()
        # Appended to by another thread; that is safe while it is read here.
        self._where: list[str] = []
        self._ended = False
        self._fastest = min(_seconds_of_a_sum() for _ in range(100))
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.tick)
        self._timer.start(5)
        threading.Thread(target=self._look, daemon=True).start()

    @Slot()
    def tick(self) -> None:
        """Note that the window answers."""
        wall, work = perf_counter(), thread_time()
        gap = Gap(wall - self._last[0], work - self._last[1], self.action, self._where)
        if gap.work > LONG / 2:
            gap.work *= self._pace()
            self.gaps.append(gap)
            if gap.work > LONG:
                print(_told(gap), flush=True)  # noqa: T201
        self.restart()

    def restart(self) -> None:
        """Forget what was since the last tick."""
        self._where = []
        self._last = perf_counter(), thread_time()

    def _pace(self) -> float:
        """Return how fast this thread is now, as a part of the fastest it ever was."""
        taken = min(_seconds_of_a_sum() for _ in range(3))
        self._fastest = min(self._fastest, taken)
        return self._fastest / taken

    def end(self) -> None:
        """Look no more."""
        self._ended = True
        self._timer.stop()

    def _look(self) -> None:
        while not self._ended:
            sleep(0.01)
            if clock_gettime(self._clock) - self._last[1] > 0.03:
                frame = sys._current_frames().get(self._thread)
                self._where.append(_place(frame))


def _seconds_of_a_sum() -> float:
    start = thread_time()
    sum(i * i for i in range(20_000))
    return thread_time() - start


def _place(frame: FrameType | None) -> str:
    """Return the innermost functions of the program, from the outside."""
    places: list[str] = []
    while frame is not None:
        file = frame.f_code.co_filename
        if "kpca_viewer/" in file or file.endswith("garbage.py"):
            name = file.split("kpca_viewer/")[-1]
            places.append(f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    dressing = DRESSING if any(DRESSING in place for place in places[7:]) else ""
    return " < ".join(filter(None, [*places[:7], dressing])) or "Qt"


def _told(gap: Gap) -> str:
    found = Counter(gap.where).most_common(3)
    where = "".join(f"\n      {n}× {at}" for at, n in found)
    return (
        f"  {1000 * gap.work:6.0f} ms of work in {1000 * gap.wall:6.0f} ms: "
        f"{gap.action}{where}"
    )


class Trouble:
    """Collects whatever goes wrong."""

    def __init__(self) -> None:
        self.count = 0
        self.action = ""
        sys.excepthook = self._on_exception
        threading.excepthook = lambda a: self.tell(f"{a.exc_type}: {a.exc_value}")
        qInstallMessageHandler(self._on_message)
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = self._on_warning

    def tell(self, words: str) -> None:
        """Print it with what was done."""
        self.count += 1
        print(f"TROUBLE after {self.action}: {words}", flush=True)  # noqa: T201

    def failed(self, error: Exception) -> None:
        """Tell of a failure that is no sentence for the person."""
        if not isinstance(error, KpcaError | MemoryError):
            self.tell("".join(traceback.format_exception(error)))

    def _on_exception(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        self.tell("".join(traceback.format_exception(kind, error, trace)))

    def _on_warning(
        self, text: object, kind: type[Warning], file: str, line: int, *_: object
    ) -> None:
        # What a solver has not reached is said in the window.
        if issubclass(kind, RuntimeWarning):
            self.tell(f"{kind.__name__}: {text} in {file}:{line}")

    def _on_message(self, kind: QtMsgType, _context: object, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not any(e in text for e in EXCUSED):
            stack = "".join(traceback.format_stack(limit=8))
            self.tell(f"{text}\n{stack}")


def _breathe(watch: Watch, milliseconds: int = 0) -> None:
    """Let Qt work for a moment, as it does between two events of a hand."""
    watch.tick()
    until = perf_counter() + milliseconds / 1000
    flag = QEventLoop.ProcessEventsFlag.AllEvents
    QCoreApplication.processEvents(flag)
    while perf_counter() < until:
        QCoreApplication.processEvents(
            flag | QEventLoop.ProcessEventsFlag.WaitForMoreEvents
        )
    watch.tick()


def _rest(viewer: Viewer, watch: Watch, trouble: Trouble) -> None:
    """Wait until nothing moves, and look at the rules."""
    until = perf_counter() + 20
    while restless(viewer) and perf_counter() < until:
        _breathe(watch, 5)
    found = restless(viewer)
    if found:
        # A long sweep, a film that is played; nothing to be judged yet.
        print(f"no rest after {trouble.action}: {', '.join(found)}", flush=True)  # noqa: T201
    for words in [] if found else broken(viewer):
        trouble.tell(words)


def storm(
    actions: int, seed: int, folder: Path, watch: Watch, trouble: Trouble, most: int
) -> None:
    """Start the program, let some actions loose and close it."""
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder)
    )
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    watch.action = trouble.action = f"{seed}: start"
    viewer = Viewer()
    viewer.show()
    for runner in (viewer.runner, viewer.controllers["import_sheet"].runner):
        runner.failed.connect(trouble.failed)
    # Before there is a window, nobody waits for it to answer.
    watch.restart()
    _rest(viewer, watch, trouble)
    spare_memory()
    watch.restart()
    made = Storm(viewer, folder, seed, most)
    with made.dialogs():
        for number in range(actions):
            if not viewer.window.isVisible():
                trouble.tell("the window is closed")
                break

            def breathe(number: int = number) -> None:
                watch.action = trouble.action = f"{seed}/{number}: {made.told}"
                _breathe(watch, made.random.choice([0, 0, 0, 5, 30]))

            made.act(breathe)
            if made.random.random() < 1 / REST_EVERY:
                _rest(viewer, watch, trouble)
        watch.action = trouble.action = f"{seed}: close"
        for window in made.windows():
            window.close()
    watch.restart()
    viewer.window.close()
    viewer.window.deleteLater()
    viewer.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    watch.restart()


def main() -> int:
    """Let the storm loose and print what it has found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("actions", type=int, nargs="?", default=1000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--most", type=int, default=2000, help="rows of data")
    wanted = parser.parse_args()
    faulthandler.enable()
    application()
    trouble, watch, done, started = Trouble(), Watch(), 0, perf_counter()
    while done < wanted.actions:
        count = min(EACH, wanted.actions - done)
        with tempfile.TemporaryDirectory() as folder:
            seed = wanted.seed + done // EACH
            storm(count, seed, Path(folder), watch, trouble, wanted.most)
        done += count
    watch.end()
    long = [gap for gap in watch.gaps if gap.work > LONG]
    dressed = sum(gap.is_excused for gap in long)
    print(  # noqa: T201
        f"{done:,} actions in {perf_counter() - started:.0f} s: {trouble.count} times "
        f"trouble, {len(long)} gaps with over {1000 * LONG:.0f} ms of work, {dressed} "
        f"of them to dress the window; the worst of the others:"
    )
    others = [gap for gap in watch.gaps if not gap.is_excused]
    for gap in sorted(others, key=lambda gap: -gap.work)[:10]:
        print(_told(gap))  # noqa: T201
    return int(trouble.count > 0)


if __name__ == "__main__":
    code = main()
    # As the program does: work of a closed window may still run.
    leave(code)
    sys.exit(code)
