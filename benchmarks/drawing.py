"""Our point cloud against pyqtgraph's scatter item: new data, then one repaint.

And frames a second of the data panel while lifted data are turned by hand.

Run with ``python -m benchmarks.drawing``.
"""

import os
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from benchmarks.spread import paired_ratio, spread, written
from kpca_viewer.engine.analysis import run as analysed
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.widgets.plots.point_cloud import PointCloudItem
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.theme import CLASS_COLORS
from kpca_viewer.window.board import Board

SIZE = (800, 600)
BOARD = (1600, 1000)
REPEATS = 7


FRAMES = 120
"""Of a lift that turns; the first ones are not counted."""

WARM_UP = 20


def run(
    quick: bool = False,
    counts: tuple[int, ...] = (1_000, 10_000, 100_000),
    lifted: int = 2_000,
    frames: int = FRAMES,
) -> list[dict[str, object]]:
    """Measure both items in this process, in turn.

    Returns
    -------
    list of dict
        One per number of points: the spreads ``ours_s`` and ``reference_s``, and their
        ``ratio`` round by round. Then one for the lift of so many points: the spread
        ``frame_s`` of a turn and its repaint, the processor time ``processor_s`` of a
        frame, and ``frames_per_second``.
    """
    print("\nDrawing: new data and repaint, against pyqtgraph's ScatterPlotItem; ms")
    if quick:
        print("left out: 100,000 points")
    application = QApplication.instance() or QApplication([])
    rows: list[dict[str, object]] = []
    for count in counts[:2] if quick else counts:
        random = np.random.default_rng(0)
        clouds = [random.normal(size=(count, 2)) for _ in range(2)]
        codes = random.integers(0, len(CLASS_COLORS), count)
        times = _in_turn([_ours(clouds, codes), _reference(clouds, codes)])
        ours, reference = times
        row = {
            "case": f"draw {count:,} points",
            "ours_s": spread(ours),
            "reference_s": spread(reference),
            "ratio": paired_ratio(reference, ours),
        }
        rows.append(row)
        print(
            f"{row['case']:>20}  {written(spread(ours), 1e3):20}"
            f"{written(spread(reference), 1e3):20}{written(row['ratio'])} ×",
            flush=True,
        )
    rows.append(_turning(lifted, frames))
    del application
    return rows


def _turning(count: int, frames: int) -> dict[str, object]:
    """Turn the lifted circles in the data panel, frame by frame."""
    settings = SessionSettings(
        data=DataSettings("circles", as_values({"samples": count})),
        kernel=KernelSettings("paraboloid"),
        view=ViewSettings(lift="paraboloid", motion=False),
    )
    board = Board()
    board.resize(*BOARD)
    result = analysed(AnalysisRequest(settings), StageCache())
    board.show_scene(Scene().changed(settings=settings, result=result))
    board.settle()
    board.show()
    QApplication.processEvents()
    view = board.data.view
    size, canvas = view.size(), view.canvas.viewport()
    times, used = [], 0.0
    for index in range(frames + WARM_UP):
        start, busy = time.perf_counter(), time.process_time()
        view.set_camera(view.camera.orbit(1.5, 0.0))
        canvas.repaint()
        if index >= WARM_UP:
            times.append(time.perf_counter() - start)
            used += time.process_time() - busy
    board.close()
    told = spread(times)
    row: dict[str, object] = {
        "case": f"turn the lift of {count:,} points",
        "size": [size.width(), size.height()],
        "frame_s": told,
        "processor_s": used / frames,
        "frames_per_second": 1 / float(np.median(times)),
    }
    print(
        f"\nThe lift of {count:,} points, {size.width()} × {size.height()}: "
        f"{row['frames_per_second']:.0f} frames a second, {written(told, 1e3)} ms "
        f"each, {1e3 * used / frames:.1f} ms of processor time",
        flush=True,
    )
    return row


Step = Callable[[int], None]


def _ours(clouds: list[np.ndarray], codes: np.ndarray) -> tuple[pg.PlotWidget, Step]:
    item = PointCloudItem()
    item.set_point_size(5.0)

    def step(index: int) -> None:
        item.set_places(clouds[index % 2])
        item.set_colors(codes, "class")

    return _plot(item), step


def _reference(
    clouds: list[np.ndarray], codes: np.ndarray
) -> tuple[pg.PlotWidget, Step]:
    brushes = [pg.mkBrush(QColor(color)) for color in CLASS_COLORS]
    item = pg.ScatterPlotItem(size=5, pen=None)

    def step(index: int) -> None:
        points = clouds[index % 2]
        item.setData(
            x=points[:, 0], y=points[:, 1], brush=[brushes[code] for code in codes]
        )

    return _plot(item), step


def _plot(item: pg.GraphicsObject) -> pg.PlotWidget:
    plot = pg.PlotWidget()
    plot.resize(*SIZE)
    plot.addItem(item)
    plot.setRange(xRange=(-4, 4), yRange=(-4, 4))
    return plot


def _in_turn(drawn: list[tuple[pg.PlotWidget, Step]]) -> list[list[float]]:
    """Return the seconds of new data plus repaint, for each in turn."""
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    times: list[list[float]] = [[] for _ in drawn]
    for index in range(REPEATS + 1):
        for (plot, step), told in zip(drawn, times, strict=True):
            start = time.perf_counter()
            step(index)
            painter = QPainter(image)
            plot.render(painter)
            painter.end()
            told.append(time.perf_counter() - start)
    for plot, _ in drawn:
        plot.close()
    # The first round pays for imports, fonts and sprites.
    return [told[1:] for told in times]


if __name__ == "__main__":
    run()
