"""How long a person waits for the window: its start, steps of γ, events of the mouse.

Run with ``python -m benchmarks waits``, on one core by ``taskset -c 1``.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from time import monotonic, perf_counter, thread_time
from typing import Any

import numpy as np

from benchmarks.rounds import ROOT
from benchmarks.spread import spread, written
from benchmarks.window import opened, settle

# Behind `benchmarks.window`, which prepares Qt.
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer  # isort: skip
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpca_viewer.engine.settings import as_values
from kpca_viewer.window.app import Viewer

START = """
import os, sys, time
import kpca_viewer.__main__, kpca_viewer.cli.main
from kpca_viewer.window import app, start
show = app.Viewer.show

def tell(_scene):
    print(time.monotonic(), flush=True)
    os._exit(0)

def shown(viewer):
    show(viewer)
    viewer.window.board.shown.connect(tell)

app.Viewer.show = shown
start.run_viewer()
"""
GAMMAS = np.geomspace(3, 8, 5)
NO_KEY, RIGHT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.RightButton


def run(
    quick: bool = False, sizes: tuple[int, int, int] = (2000, 100_000, 1_000_000)
) -> dict[str, Any]:
    """Measure with few, many and very many circles; seconds by the clock.

    Returns
    -------
    dict
        The spread of every wait, in seconds.
    """
    few, many, most = sizes
    if quick:
        most = many
    repeats = 4 if quick else 12
    found = {
        "start, to the last panel": [_start() for _ in range(1 + repeats // 2)][1:]
    }
    with opened(few) as viewer:
        steps = [_own_work(viewer, number) for number in range(repeats + 2)][2:]
        found[f"own work of a step of γ, n = {few:,}: first picture"] = [
            s[0] for s in steps
        ]
        found[f"the same to the end of the glide, n = {few:,}"] = [s[1] for s in steps]
    for n in dict.fromkeys((many, most)):
        with opened(400) as viewer:
            asked = perf_counter()
            data = viewer.store.settings.data
            data = replace(data, values=as_values({"samples": n}))
            times = _until(viewer, replace(viewer.store.settings, data=data))
            found[f"made and shown, n = {n:,}"] = [times["picture"] - asked]
            drafts = []
            for gamma in np.resize(GAMMAS, repeats // 2 + 1):
                asked = perf_counter()
                times = _until(viewer, _with_gamma(viewer, float(gamma)))
                first = min(times.get("draft", np.inf), times["picture"])
                drafts.append(first - asked)
            found[f"first picture after a step of γ, n = {n:,}"] = drafts[1:]
            found[f"an event while panning, n = {n:,}"] = _moves(viewer, RIGHT)
            found[f"an event while hovering, n = {n:,}"] = _moves(viewer)
    told = {name: spread(values) for name, values in found.items()}
    print("\nWaits, in ms: median (quartiles); own work is processor time")
    for name, one in told.items():
        print(f"{name:62}{written(one, 1e3):>26}", flush=True)
    return told


def _start() -> float:
    with tempfile.TemporaryDirectory() as folder:
        started = monotonic()
        command = ["env", f"XDG_STATE_HOME={folder}", f"XDG_CONFIG_HOME={folder}"]
        command += [sys.executable, "-c", START]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    return float(done.stdout.split()[-1]) - started


def _with_gamma(viewer: Viewer, gamma: float) -> Any:
    settings = viewer.store.settings
    return replace(settings, kernel=settings.kernel.with_value("gamma", gamma))


def _own_work(viewer: Viewer, number: int) -> tuple[float, float]:
    """Return the work of the window's thread until the first picture, and in all."""
    marks: list[float] = []
    note = viewer.window.board.shown.connect(lambda _: marks.append(thread_time()))
    started = thread_time()
    gamma = float(GAMMAS[number % len(GAMMAS)])
    viewer.window.changes.request(_with_gamma(viewer, gamma))
    settle(viewer)
    viewer.window.board.shown.disconnect(note)
    return marks[0] - started, thread_time() - started


def _until(viewer: Viewer, settings: Any) -> dict[str, float]:
    """Ask for settings; return when a draft and the first picture were painted."""
    times: dict[str, float] = {}
    cloud = viewer.window.board.embedding.view.area.cloud
    told: list[str] = []

    def painted() -> None:
        if told:
            times.setdefault(told[-1], perf_counter())

    def drafted(_: object) -> None:
        told.append("draft")
        # Few points are painted at once, by the events that are waiting now.
        QTimer.singleShot(0, painted)

    notes: list[tuple[Any, Callable[..., Any]]] = [
        (viewer.runner.sketched, drafted),
        (viewer.runner.result_ready, lambda _: told.append("picture")),
        (cloud.layer_changed, painted),
        # Up to 100,000 points, nothing is waited for.
        (viewer.window.board.shown, lambda _: None if cloud.busy else painted()),
    ]
    for signal, slot in notes:
        signal.connect(slot)
    viewer.window.changes.request(settings)
    settle(viewer)
    while cloud.busy:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    times.setdefault("picture", perf_counter())
    for signal, slot in notes:
        signal.disconnect(slot)
    return times


def _moves(viewer: Viewer, button: Qt.MouseButton | None = None) -> list[float]:
    """Return how long each move of the mouse takes, painting included."""
    place = viewer.window.board.embedding.view.canvas.viewport()
    at, took = place.rect().center(), []
    if button is not None:
        QTest.mousePress(place, button, NO_KEY, at)
    for step in range(40):
        started = perf_counter()
        QTest.mouseMove(place, at + QPoint(3 * step, step % 7))
        QApplication.processEvents()
        took.append(perf_counter() - started)
    if button is not None:
        QTest.mouseRelease(place, button, NO_KEY, at)
    settle(viewer)
    return took


if __name__ == "__main__":
    run()
