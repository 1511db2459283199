"""Where the time between "γ released" and the last pixel goes, in the real window.

Functions of the program are timed from outside: what the worker does, every panel that
shows a scene, and every paint of a widget inside of a panel. Run with
``python -m benchmarks.trace``.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from time import perf_counter, thread_time
from typing import Any, NamedTuple

import numpy as np

from benchmarks.spread import spread, written
from benchmarks.window import opened, settle

# Behind `benchmarks.window`, which prepares Qt.
from PySide6.QtWidgets import QWidget  # isort: skip

from kpca_viewer.widgets.plots.motion import GLIDE_MS
from kpca_viewer.window.app import Viewer

SIZES = (400, 4000, 10_000)
GAMMAS = np.geomspace(2, 20, 9)
PANELS = ("embedding", "data", "spectrum", "compare")
STEPS = (
    "until the worker begins",
    "compute what can be drawn",
    "hand over to the window",
    *(f"show {panel}" for panel in PANELS),
    "show sidebar",
    "longest show, by the clock",
    "first pixel of the embedding",
    "compute the measures",
    *(f"paint {panel}" for panel in PANELS),
    "longest paint, by the clock",
    "all panels shown",
    "last pixel",
)
MOMENTS = ("first pixel of the embedding", "all panels shown", "last pixel")
"""Counted from the release; everything else is how long it takes."""


class Span(NamedTuple):
    """When something ran."""

    name: str
    start: float
    end: float
    work: float = 0.0
    """Processor time of its thread, which does not grow with what else runs."""


class Tracer:
    """Notes when the parts of a window run."""

    def __init__(self, viewer: Viewer) -> None:
        self.spans: list[Span] = []
        board, worker = viewer.window.board, viewer.runner._worker
        worker._work = self._timed_work(worker._work)
        self._time(viewer.window, "show_scene", "window")
        self._time(viewer.window.sidebar, "show_scene", "show sidebar")
        board.shown.connect(lambda _scene: self.mark("shown"))
        for name in PANELS:
            panel = getattr(board, name)
            self._time(panel, "show_scene", f"show {name}")
            for widget in panel.findChildren(QWidget):
                if _paints_itself(widget):
                    self._time(widget, "paintEvent", f"paint {name}")

    def mark(self, name: str) -> None:
        """Note a moment."""
        now = perf_counter()
        self.spans.append(Span(name, now, now))

    def _time(self, owner: Any, method: str, name: str) -> None:
        original = getattr(owner, method)

        def timed(*args: Any) -> Any:
            started, worked = perf_counter(), thread_time()
            result = original(*args)
            worked = thread_time() - worked
            self.spans.append(Span(name, started, perf_counter(), worked))
            return result

        setattr(owner, method, timed)

    def _timed_work(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(request: Any, stop: Any, progress: Any, publish: Any) -> Any:
            self.mark("begun")

            def told(result: Any) -> None:
                self.mark("published")
                publish(result)

            result = work(request, stop, progress, told)
            self.mark("ended")
            return result

        return timed


def _paints_itself(widget: QWidget) -> bool:
    return any("paintEvent" in vars(kind) for kind in _python_classes(widget))


def _python_classes(widget: QWidget) -> list[type]:
    return [k for k in type(widget).__mro__ if not k.__module__.startswith("PySide6")]


def run(
    quick: bool = False, sizes: tuple[int, ...] = SIZES, repeats: int = 8
) -> dict[str, Any]:
    """Release γ at several values, for every number of points.

    Returns
    -------
    dict
        For each n the spread of every step, in seconds.
    """
    repeats = 4 if quick else repeats
    print(
        f"\nFrom “γ released” to the last pixel; ms, median (quartiles) of {repeats} "
        "releases\nshow and paint: processor time of the window, all calls together; "
        f"the last pixel is the end of the glide ({GLIDE_MS} ms)"
    )
    found = {n: _measure(opened(n), repeats) for n in sizes}
    print(f"{'':32}" + "".join(f"{f'n = {n:,}':>24}" for n in sizes))
    for step in STEPS:
        cells = "".join(f"{written(found[n][step], 1e3):>24}" for n in sizes)
        print(f"{'→ ' if step in MOMENTS else '  '}{step:30}{cells}")
    return {f"n = {n:,}": steps for n, steps in found.items()}


def _measure(
    window: AbstractContextManager[Viewer], repeats: int
) -> dict[str, dict[str, Any]]:
    rows = []
    with window as viewer:
        tracer = Tracer(viewer)
        for number in range(repeats + 1):
            tracer.spans.clear()
            released = _release(viewer, float(GAMMAS[number % len(GAMMAS)]))
            settle(viewer)
            rows.append(_steps(list(tracer.spans), released))
    # The first release pays for what is made on first use.
    return {step: spread([row[step] for row in rows[1:]]) for step in STEPS}


def _release(viewer: Viewer, gamma: float) -> float:
    settings = viewer.store.settings
    kernel = settings.kernel.with_value("gamma", gamma)
    released = perf_counter()
    viewer.window.changes.request(replace(settings, kernel=kernel))
    return released


def _steps(spans: list[Span], released: float) -> dict[str, float]:
    """Return what every step took, and when every moment was, in seconds."""

    def first(name: str, after: float = released) -> Span:
        none = Span(name, np.nan, np.nan)
        return next((s for s in spans if s.name == name and s.start >= after), none)

    begun, ended = first("begun").start, first("ended").start
    published = first("published").start
    if np.isnan(published):
        published = ended
    came = first("window", published).start
    painted = [span for span in spans if span.name.startswith("paint ")]
    steps = {
        "until the worker begins": begun - released,
        "compute what can be drawn": published - begun,
        "hand over to the window": came - published,
        "compute the measures": ended - published,
        "first pixel of the embedding": first("paint embedding", came).end - released,
        "all panels shown": first("shown", came).start - released,
        "last pixel": max(span.end for span in painted) - released,
    }
    for name in (*(f"show {p}" for p in PANELS), "show sidebar"):
        steps[name] = _work(spans, name)
    for name in (f"paint {p}" for p in PANELS):
        steps[name] = _work(spans, name)
    for kind in ("show", "paint"):
        lasted = [s.end - s.start for s in spans if s.name.startswith(f"{kind} ")]
        steps[f"longest {kind}, by the clock"] = max(lasted)
    return steps


def _work(spans: list[Span], name: str) -> float:
    return sum(span.work for span in spans if span.name == name)


if __name__ == "__main__":
    run()
