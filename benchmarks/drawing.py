"""Our point cloud against pyqtgraph's scatter item: new data, then one repaint.

Run with ``python -m benchmarks.drawing``.
"""

import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from kpca_viewer.ui.look.theme import CLASS_COLORS
from kpca_viewer.ui.plots.cloud.point_cloud import PointCloudItem

SIZE = (800, 600)
REPEATS = 5


def run(counts: tuple[int, ...] = (1_000, 10_000, 100_000)) -> list[dict[str, object]]:
    """Measure both items in this process.

    Returns
    -------
    list of dict
        One per number of points: ``case``, the medians ``ours_ms`` and
        ``reference_ms``, and their ``ratio``.
    """
    application = QApplication.instance() or QApplication([])
    rows: list[dict[str, object]] = []
    for count in counts:
        random = np.random.default_rng(0)
        clouds = [random.normal(size=(count, 2)) for _ in range(2)]
        codes = random.integers(0, len(CLASS_COLORS), count)
        ours = _median(*_ours(clouds, codes))
        reference = _median(*_reference(clouds, codes))
        rows.append(
            {
                "case": f"draw {count:,} points",
                "ours_ms": round(ours, 2),
                "reference_ms": round(reference, 2),
                "ratio": round(reference / ours, 1),
            }
        )
    del application
    return rows


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


def _median(plot: pg.PlotWidget, step: Step) -> float:
    """Return the median of new data plus repaint, in milliseconds."""
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    times = []
    for index in range(REPEATS + 1):
        start = time.perf_counter()
        step(index)
        painter = QPainter(image)
        plot.render(painter)
        painter.end()
        times.append(1e3 * (time.perf_counter() - start))
    plot.close()
    # The first round pays for imports, fonts and sprites.
    return statistics.median(times[1:])


def main() -> None:
    print(f"{'case':<24}{'ours':>12}{'pyqtgraph':>12}{'ratio':>9}")
    for row in run():
        print(
            f"{row['case']:<24}{row['ours_ms']:>9} ms{row['reference_ms']:>9} ms"
            f"{row['ratio']:>8}×"
        )


if __name__ == "__main__":
    main()
