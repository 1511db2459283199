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
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsView

from kpca_viewer.ui.look.theme import CLASS_COLORS
from kpca_viewer.ui.plots.canvas import PlotCanvas
from kpca_viewer.ui.plots.cloud.point_cloud import PointCloudItem
from kpca_viewer.ui.plots.data_box import DataBox

SIZE = (800, 600)
REPEATS = 5
RANGE = (-4.0, 4.0)


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


def _ours(clouds: list[np.ndarray], codes: np.ndarray) -> tuple[QGraphicsView, Step]:
    item = PointCloudItem()
    item.set_point_size(5.0)
    view, box = PlotCanvas(), DataBox()
    view.resize(*SIZE)
    view.scene().addItem(box)
    box.set_rect(QRectF(view.rect()))
    box.set_range(RANGE, RANGE)
    box.add_item(item)

    def step(index: int) -> None:
        item.set_places(clouds[index % 2])
        item.set_colors(codes, "class")

    return view, step


def _reference(
    clouds: list[np.ndarray], codes: np.ndarray
) -> tuple[QGraphicsView, Step]:
    brushes = [pg.mkBrush(QColor(color)) for color in CLASS_COLORS]
    item = pg.ScatterPlotItem(size=5, pen=None)
    view, box = pg.GraphicsView(), pg.ViewBox(enableMenu=False)
    view.resize(*SIZE)
    view.setCentralItem(box)
    box.setRange(xRange=RANGE, yRange=RANGE, padding=0)
    box.addItem(item)

    def step(index: int) -> None:
        points = clouds[index % 2]
        item.setData(
            x=points[:, 0], y=points[:, 1], brush=[brushes[code] for code in codes]
        )

    return view, step


def _median(view: QGraphicsView, step: Step) -> float:
    """Return the median of new data plus repaint, in milliseconds."""
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    times = []
    for index in range(REPEATS + 1):
        start = time.perf_counter()
        step(index)
        painter = QPainter(image)
        view.render(painter)
        painter.end()
        times.append(1e3 * (time.perf_counter() - start))
    view.close()
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
