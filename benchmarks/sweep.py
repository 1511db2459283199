"""Sweeps against a loop over scikit-learn, and frames a second of the film.

Run with ``python -m benchmarks.sweep``, or with the names of some cases. scikit-learn's
loop only fits. Ours fits and orients every picture (*pictures*), then scores ten
measures of each (*measures*), and the strip is drawn meanwhile or not. One after
another in turns, so that a busy moment of the machine hits all; the fastest turn
counts, by the clock and by processor time.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from statistics import median
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")

import numpy as np
from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QApplication

from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.data.generators import generate
from kpca_viewer.engine.analysis import run as analyse
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepSettings, default_axis
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.support.threads import cores, one_blas_thread
from kpca_viewer.widgets.point_preview import PointPreview
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.thumbnails import Thumbnails
from kpca_viewer.window.board import Board

SAMPLES = 2000
COMPONENTS = 10
TARGET, TARGET_FRAMES = 8.0, 30.0

CASES = {
    "gamma": ("rbf", SweepSettings("gamma", 1, 100, 50)),
    "matern": ("matern", SweepSettings("length_scale", 0.05, 5, 50)),
    "rational quadratic": (
        "rational_quadratic",
        SweepSettings("length_scale", 0.05, 5, 50),
    ),
    "degree": ("poly", SweepSettings("degree", 1, 10, 10, "linear")),
}
THEIRS = {"arpack": 0.0, "arpack tol=1e-3": 1e-3}
"""scikit-learn's fastest solver here, to all digits and to fewer, by its tolerance."""


@dataclass
class Times:
    """The fastest of several turns, in seconds."""

    wall: float = np.inf
    processor: float = np.inf

    def add(self, wall: float, processor: float) -> None:
        """Take another turn into account."""
        self.wall = min(self.wall, wall)
        self.processor = min(self.processor, processor)

    def told(self) -> dict[str, float]:
        """Return both in milliseconds."""
        return {
            "wall_ms": round(1e3 * self.wall, 1),
            "processor_ms": round(1e3 * self.processor, 1),
        }


@dataclass
class Clock:
    """The time since it was made, by the clock and of all processors."""

    started: tuple[float, float] = field(
        default_factory=lambda: (time.perf_counter(), time.process_time())
    )

    def read(self) -> tuple[float, float]:
        """Return both in seconds."""
        now = time.perf_counter(), time.process_time()
        return now[0] - self.started[0], now[1] - self.started[1]


def run(turns: int = 3, names: Sequence[str] = ()) -> dict[str, object]:
    """Measure everything in this process.

    Parameters
    ----------
    names : sequence of str
        Of cases; all of them and the film if there are none.

    Returns
    -------
    dict
        ``cases``: for each parameter the times of ``ours`` and of ``scikit_learn``,
        their errors, and ratios to its fastest loop that is as accurate;
        ``film``: frames a second of playing.
    """
    application = QApplication.instance() or QApplication([])
    results: dict[str, object] = {
        "cases": [_compare(name, turns) for name in names or CASES],
        "cores": cores(),
        "target": TARGET,
        "target_frames": TARGET_FRAMES,
    }
    if not names:
        results["film"] = _film()
    del application
    return results


def _compare(name: str, turns: int) -> dict[str, object]:
    """Measure one case: everything once in every turn."""
    family, sweep = CASES[name]
    strip = SweepStrip()
    strip.resize(1600, 170)
    ours: dict[str, Times] = {}
    theirs: dict[str, Times] = {}
    errors: dict[str, Any] = {}
    _warm_up(family, sweep, strip)
    for _ in range(turns):
        for threads, word in ((None, "as it comes"), (1, "one thread")):
            for shown in (strip, None):
                key = f"{word}, {'strip drawn' if shown else 'no strip'}"
                times, found = _ours(family, sweep, threads, shown)
                for phase, spent in times.items():
                    ours.setdefault(f"{key}, {phase}", Times()).add(*spent)
                errors["ours"] = [p.eigenvalues[:COMPONENTS] for p in found.points]
        for limit, word in ((nullcontext, "as it comes"), (one_blas_thread, "one")):
            for solver, tol in THEIRS.items():
                spent, errors[solver] = _scikit_learn(family, sweep, tol, limit)
                theirs.setdefault(f"{solver}, {word} BLAS", Times()).add(*spent)
    strip.deleteLater()
    reference = errors["arpack"]
    off = {key: _error(values, reference) for key, values in errors.items()}
    return {
        "case": f"{len(sweep.values())} values of {sweep.parameter} ({family}), "
        f"n = {SAMPLES:,}, {sweep.low:g} … {sweep.high:g}",
        "ours": {key: times.told() for key, times in ours.items()},
        "scikit_learn": {key: times.told() for key, times in theirs.items()},
        "errors": off,
        "ratios": _ratios(ours, theirs, off),
    }


def _ratios(
    ours: dict[str, Times], theirs: dict[str, Times], off: dict[str, float]
) -> dict[str, float]:
    """Return how many times our time the fastest loop takes that is as accurate."""
    ratios = {}
    for key, times in ours.items():
        for word in ("as it comes", "one"):
            fastest = min(
                theirs[f"{solver}, {word} BLAS"].wall
                for solver in THEIRS
                if solver == "arpack" or off[solver] <= off["ours"]
            )
            ratios[f"{key}; {word} BLAS"] = round(fastest / times.wall, 1)
    return ratios


def _error(values: Sequence[Any], reference: Sequence[Any]) -> float:
    """Largest error of an eigenvalue relative to the largest, of the worst value."""
    return max(
        float(np.abs(mine - true).max() / true.max())
        for mine, true in zip(values, reference, strict=True)
    )


def _settings(n: int, family: str = "rbf") -> SessionSettings:
    data = DataSettings("circles", (("samples", float(n)),))
    return SessionSettings(data=data, kernel=KernelSettings(family))


def _warm_up(family: str, sweep: SweepSettings, strip: SweepStrip) -> None:
    """Import and start what is not to be measured."""
    few = SweepSettings(sweep.parameter, sweep.low, sweep.high, 2)
    _ours(family, few, None, strip)
    _scikit_learn(family, few, 0.0, nullcontext)


def _ours(
    family: str, sweep: SweepSettings, threads: int | None, strip: SweepStrip | None
) -> tuple[dict[str, tuple[float, float]], SweepResult]:
    """Compute a sweep; returns the times until its pictures and all measures."""
    clock = Clock()
    reached: dict[str, tuple[float, float]] = {}

    def show(point: SweepPoint) -> None:
        if strip is not None:
            strip.show_points([point])
        if not point.is_measured:
            reached["pictures"] = clock.read()
        elif "drawn" not in reached:
            # All pictures are there, in their final orientation: drawn once.
            reached["drawn"] = _drawn(strip)

    if strip is not None:
        strip.show_sweep(sweep)
    request = AnalysisRequest(_settings(SAMPLES, family))
    with one_blas_thread():
        result = run_sweep(request, sweep, StageCache(), publish=show, threads=threads)
    if strip is not None:
        strip.show_result(result)
        strip.grab()
        thumbnails = Thumbnails()
        for point in result.points:
            thumbnails.image(point, QSize(96, 64))
    reached["measures"] = clock.read()
    pictures, drawn = reached["pictures"], reached.pop("drawn")
    reached["pictures"] = pictures[0] + drawn[0], pictures[1] + drawn[1]
    return reached, result


def _drawn(strip: SweepStrip | None) -> tuple[float, float]:
    """Draw the strip as it is; returns the time that takes."""
    clock = Clock()
    if strip is not None:
        strip.grab()
    return clock.read()


def _scikit_learn(
    family: str,
    sweep: SweepSettings,
    tol: float,
    limit: Callable[[], AbstractContextManager[None]],
) -> tuple[tuple[float, float], list[Any]]:
    """Fit in a loop; returns the time and the eigenvalues for every value."""
    from sklearn.decomposition import KernelPCA

    X = generate("circles", samples=SAMPLES).points
    clock, found = Clock(), []
    with limit():
        for value in sweep.values():
            kernel, K = _their_kernel(family, sweep.parameter, float(value), X)
            model = KernelPCA(
                COMPONENTS, eigen_solver="arpack", tol=tol, random_state=0, **kernel
            )
            model.fit_transform(K)
            found.append(model.eigenvalues_)
    return clock.read(), found


def _their_kernel(
    family: str, parameter: str, value: float, X: Any
) -> tuple[dict[str, Any], Any]:
    """Return arguments of scikit-learn's KernelPCA, and what it is fitted to."""
    from sklearn.gaussian_process import kernels

    known = FAMILIES[family].sklearn
    assert known is not None
    values = {p.name: p.default for p in FAMILIES[family].parameters}
    values |= dict(_suggested(family)) | {parameter: value}
    if known.estimator:
        whole = {key: int(v) if key == "degree" else v for key, v in values.items()}
        return {"kernel": family, **whole}, X
    renamed = {known.renamed.get(key, key): v for key, v in values.items()}
    return {"kernel": "precomputed"}, getattr(kernels, known.name)(**renamed)(X)


def _suggested(family: str) -> dict[str, float]:
    from kpca_viewer.core.kernels.kernel import suggested_values

    return suggested_values(family, generate("circles", samples=SAMPLES).points)


def _film(n: int = 5000, frames: int = 120) -> dict[str, object]:
    """Frames a second of playing: the large embedding and the strip, both painted."""
    settings = _settings(n)
    result = analyse(AnalysisRequest(settings), StageCache())
    sweep = SweepSettings.along(default_axis(settings, "gamma", result.suggested))
    film = run_sweep(AnalysisRequest(settings), sweep, StageCache())
    board, strip = Board(), SweepStrip()
    board.resize(1050, 560)
    strip.resize(1050, 170)
    scene = Scene().changed(result=result, settings=settings, stale="")
    board.show_scene(scene)
    strip.show_scene(scene)
    strip.show_result(film)
    preview = PointPreview(board.embedding)
    points = SweepPoints.of(film)
    board.show()
    strip.show()
    QCoreApplication.processEvents()
    times = []
    for position in np.linspace(0, points.count - 1, frames):
        started = time.perf_counter()
        point = points.between(float(position))
        assert point is not None
        preview.show(point, "", animate=False)
        strip.film.set_playhead(float(position))
        # Whatever was asked to be repainted is painted now, as between two frames.
        QCoreApplication.processEvents()
        times.append(time.perf_counter() - started)
    board.close()
    strip.close()
    board.deleteLater()
    strip.deleteLater()
    return {
        "case": f"playing a sweep, n = {n:,}",
        "frame_ms": round(1e3 * median(times), 1),
        "frames_per_second": round(1 / median(times), 1),
        "slowest_ms": round(1e3 * max(times), 1),
    }


def main() -> None:
    """Print a table for every case."""
    results: Any = run(names=sys.argv[1:])
    for row in results["cases"]:
        print(f"\n{row['case']}")
        for who in ("ours", "scikit_learn"):
            for key, times in row[who].items():
                print(
                    f"  {who:13}{key:40}{times['wall_ms']:10,.0f} ms"
                    f"{times['processor_ms']:10,.0f} ms of processors"
                )
        errors = ", ".join(f"{key} {value:.0e}" for key, value in row["errors"].items())
        print(f"  largest error of an eigenvalue: {errors}")
        for key, ratio in row["ratios"].items():
            print(f"  {key:60}{ratio:6.1f} × (target {TARGET:g})")
    if "film" in results:
        film = results["film"]
        print(
            f"{film['case']}: {film['frames_per_second']} frames a second "
            f"(target {TARGET_FRAMES:g}), slowest frame {film['slowest_ms']} ms"
        )


if __name__ == "__main__":
    main()
