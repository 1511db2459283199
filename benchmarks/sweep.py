"""Sweeps: 50 values of γ with the strip drawn, and frames a second of the film.

Run with ``python -m benchmarks.sweep``. scikit-learn's loop only fits; ours fits,
scores ten measures of every picture, aligns the pictures and paints the strip, on one
BLAS thread as in the window.
"""

import os
import time
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")

import numpy as np
from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QApplication

from kpca_viewer.data.generators import generate
from kpca_viewer.session.analysis import run as analyse
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.settings import DataSettings, SessionSettings
from kpca_viewer.session.sweep.point import SweepPoint
from kpca_viewer.session.sweep.run import run_sweep
from kpca_viewer.session.sweep.settings import SweepSettings, default_axis
from kpca_viewer.support.threads import one_blas_thread
from kpca_viewer.ui.board.board import Board
from kpca_viewer.ui.sweep.point_preview import Preview
from kpca_viewer.ui.sweep.strip.reel import Reel
from kpca_viewer.ui.sweep.strip.strip import SweepStrip
from kpca_viewer.ui.sweep.thumbnails import Thumbnails

VALUES = 50
COMPONENTS = 10
TARGET, TARGET_FRAMES = 8.0, 30.0


def run(repeats: int = 3) -> dict[str, object]:
    """Measure everything in this process.

    Returns
    -------
    dict
        ``cases``: one row for each range of γ, with ``ours_ms``, the scikit-learn times
        and the ``ratio`` to its fastest solver, with as many BLAS threads as it takes
        and with one; ``film``: frames a second of playing.
    """
    application = QApplication.instance() or QApplication([])
    settings = _settings(2000)
    first = analyse(AnalysisRequest(settings), StageCache())
    suggested = SweepSettings.along(default_axis(settings, "gamma", first.suggested))
    cases = [
        ("two decades around the suggestion", suggested.low, suggested.high),
        ("γ = 1 … 100", 1.0, 100.0),
    ]
    rows = [_compare(name, low, high, repeats) for name, low, high in cases]
    film = _film()
    del application
    return {
        "cases": rows,
        "film": film,
        "target": TARGET,
        "target_frames": TARGET_FRAMES,
    }


def _settings(n: int) -> SessionSettings:
    return SessionSettings(data=DataSettings("circles", (("samples", float(n)),)))


def _compare(name: str, low: float, high: float, repeats: int) -> dict[str, object]:
    sweep = SweepSettings("gamma", low, high, VALUES)
    strip = SweepStrip()
    strip.resize(1600, 170)
    _sweep_and_paint(SweepSettings("gamma", low, high, 3), strip)
    _scikit_learn(SweepSettings("gamma", low, high, 2), 0.0)
    ours = [_timed(lambda: _sweep_and_paint(sweep, strip)) for _ in range(repeats)]
    default, single = {}, {}
    for solver, tol in (("arpack", 0.0), ("arpack tol=1e-3", 1e-3)):
        default[solver] = _timed(lambda tol=tol: _scikit_learn(sweep, tol))
        with one_blas_thread():
            single[solver] = _timed(lambda tol=tol: _scikit_learn(sweep, tol))
    # Once more at the end: a busy moment of the machine should hit both.
    ours.append(_timed(lambda: _sweep_and_paint(sweep, strip)))
    strip.deleteLater()
    mine = median(ours)
    return {
        "case": f"{VALUES} γ, n = 2,000, {name} ({low:g} … {high:g})",
        "ours_ms": round(1e3 * mine, 1),
        "scikit_learn_ms": {k: round(1e3 * v, 1) for k, v in default.items()},
        "scikit_learn_one_thread_ms": {k: round(1e3 * v, 1) for k, v in single.items()},
        "ratio": round(min(default.values()) / mine, 1),
        "ratio_one_thread": round(min(single.values()) / mine, 1),
    }


def _sweep_and_paint(sweep: SweepSettings, strip: SweepStrip) -> None:
    """Compute a sweep, paint the strip as it is at the end, and every thumbnail."""
    strip.show_sweep(sweep)

    def show(point: SweepPoint) -> None:
        strip.show_points([point])

    request = AnalysisRequest(_settings(2000))
    with one_blas_thread():
        result = run_sweep(request, sweep, StageCache(), publish=show)
    strip.show_result(result)
    strip.grab()
    thumbnails = Thumbnails()
    for point in result.points:
        thumbnails.image(point, QSize(96, 64))


def _scikit_learn(sweep: SweepSettings, tol: float) -> None:
    from sklearn.decomposition import KernelPCA

    X = generate("circles", samples=2000).points
    for gamma in sweep.values():
        KernelPCA(
            COMPONENTS,
            kernel="rbf",
            gamma=float(gamma),
            eigen_solver="arpack",
            tol=tol,
            random_state=0,
        ).fit_transform(X)


def _film(n: int = 5000, frames: int = 120) -> dict[str, object]:
    """Frames a second of playing: the large embedding and the strip, both painted."""
    settings = _settings(n)
    result = analyse(AnalysisRequest(settings), StageCache())
    sweep = SweepSettings.along(default_axis(settings, "gamma", result.suggested))
    film = run_sweep(AnalysisRequest(settings), sweep, StageCache())
    board, strip = Board(), SweepStrip()
    board.resize(1050, 560)
    strip.resize(1050, 170)
    board.show_result(result, settings)
    strip.show_context(result, settings)
    strip.show_result(film)
    preview = Preview(board.embedding)
    preview.set_context(result, settings)
    reel = Reel.of(film)
    board.show()
    strip.show()
    QCoreApplication.processEvents()
    times = []
    for position in np.linspace(0, reel.count - 1, frames):
        started = time.perf_counter()
        point = reel.between(float(position))
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


def _timed(work: object) -> float:
    assert callable(work)
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    results = run()
    for row in results["cases"]:  # type: ignore[attr-defined]
        print(f"{row['case']}\n  ours {row['ours_ms']:,.0f} ms")
        for threads, key, ratio in (
            ("as it comes", "scikit_learn_ms", "ratio"),
            ("one BLAS thread", "scikit_learn_one_thread_ms", "ratio_one_thread"),
        ):
            times = ", ".join(f"{k} {v:,.0f} ms" for k, v in row[key].items())
            print(f"  scikit-learn, {threads}: {times}; {row[ratio]}×")
    film = results["film"]
    print(
        f"{film['case']}: {film['frames_per_second']} frames a second "  # type: ignore[index]
        f"(target {TARGET_FRAMES:g}), slowest frame {film['slowest_ms']} ms"  # type: ignore[index]
    )


if __name__ == "__main__":
    main()
