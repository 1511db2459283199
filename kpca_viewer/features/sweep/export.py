"""A sweep into files: a film or the table of numbers, and the folder of a command."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Signal, Slot
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine import messages
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.sweep.jobs import Sweep
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.export.film import save_animation
from kpca_viewer.export.image import png_bytes
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.curve import Curve, draw_curve
from kpca_viewer.features.sweep.files import save_measures
from kpca_viewer.features.sweep.sheet import ShownSweep, save_sheet
from kpca_viewer.features.sweep.text import (
    frame_title,
    sweep_being_written,
    sweep_not_written,
    sweep_still_written,
    sweep_written,
)
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.widgets.plots.coloring import rare_classes
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, printed_type
from kpca_viewer.widgets.theme import LIGHT, THEMES, Theme
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails

ENDINGS = (
    (".gif", ".apng", ".png"),
    (".csv", ".parquet", ".xlsx", ".npz"),
)
"""Of a film, and of the table of measures."""

SIDE = QSize(640, 640)
MOST_FRAMES = 180
"""Of a film, in one direction: about 15 seconds and 10 MB."""

BETWEEN = (2, 5)
"""Frames from one value to the next, at least and at most."""

FILM_SPEED = 4.0
"""Values a second."""

PERCENT_STEP = 10
"""Of the progress that is reported."""


@printed_type()
def save_sweep(
    path: Path,
    shown: ShownSweep,
    theme: Theme = LIGHT,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> None:
    """Write a film or a table, by the ending; a failure leaves the old file alone."""
    films, tables = ENDINGS
    ending, result = path.suffix.lower(), shown.result
    if ending in tables:
        save_measures(path, [result])
        return
    if ending not in films:
        raise ExportError(
            f"“{ending or path}” is neither a film nor a table; choose one of "
            f"{', '.join(films + tables)}."
        )
    steps = max(result.sweep.shape[0] - 1, 1)
    between = int(np.clip(MOST_FRAMES // steps, *BETWEEN))
    save_animation(
        path,
        FilmImages(shown, SIDE, theme, between),
        round(1000 / (FILM_SPEED * between)),
        forth_and_back=True,
        should_stop=should_stop,
        progress=progress,
    )


class SweepExporter(QObject):
    """Writes one file at a time on a thread of its own."""

    reported = Signal(object)
    """A `Message`: how far it is, that it is done, or what is wrong."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner: Runner | None = None
        self._path = Path()
        self._percent = 0

    @property
    def busy(self) -> bool:
        return self._runner is not None and self._runner.busy

    def save(self, path: Path, shown: ShownSweep, theme: Theme) -> None:
        """Write a file; `reported` says what becomes of it."""
        if self.busy:
            self.reported.emit(sweep_still_written(self._path))
            return
        if self._runner is None:
            # Made on first use: most sweeps are only looked at.
            self._runner = Runner(_write, self)
            self._runner.result_ready.connect(self._on_written)
            self._runner.failed.connect(self._on_failed)
            self._runner.progressed.connect(self._on_progressed)
            self._runner.cancelled.connect(self._on_cancelled)
        self._path, self._percent = path, 0
        self.reported.emit(sweep_being_written(path))
        self._runner.submit((path, shown, theme))

    @Slot()
    def cancel(self) -> None:
        """Give up; a file that was there stays as it was."""
        if self._runner is not None:
            self._runner.cancel()

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    @Slot(object)
    def _on_written(self, path: Path) -> None:
        self.reported.emit(sweep_written(path))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.reported.emit(messages.failure(error))

    @Slot(object, object)
    def _on_progressed(self, _stage: str, share: float | None) -> None:
        percent = int(100 * (share or 0)) // PERCENT_STEP * PERCENT_STEP
        if percent > self._percent:
            self._percent = percent
            self.reported.emit(sweep_being_written(self._path, percent))

    @Slot()
    def _on_cancelled(self) -> None:
        self.reported.emit(sweep_not_written(self._path))


def _write(
    order: tuple[Path, ShownSweep, Theme],
    should_stop: ShouldStop,
    progress: Progress,
    _publish: Callable[[Any], None],
) -> Path:
    save_sweep(*order, should_stop, progress)
    return order[0]


HEADER = 30
CURVE = 70


class FilmImages(Sequence[QImage]):
    """The frames of a film, ``between`` from one value to the next, drawn when read."""

    def __init__(
        self, shown: ShownSweep, size: QSize, theme: Theme = LIGHT, between: int = 3
    ) -> None:
        result, self._size, self._theme = shown.result, size, theme
        self._points = SweepPoints.of(result)
        self._points.row = shown.row
        self._result = result
        self._measure = MEASURES[shown.measure or result.sweep.measure]
        self._thumbnails = Thumbnails(theme, shown.shades)
        self._curve = Curve.of(
            self._points.shown(),
            self._measure,
            best=self._points.best(self._measure.key),
            joined=not result.sweep.axes[0].is_of_kernels,
        )
        steps = range(max(self._points.count - 1, 0) * between + 1)
        # Without a single picture there is nothing to show between.
        there = self._points.nearest(0) is not None
        self._positions = [step / between for step in steps] if there else []

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, number: int) -> QImage: ...

    @overload
    def __getitem__(self, number: slice) -> list[QImage]: ...

    def __getitem__(self, number: int | slice) -> QImage | list[QImage]:
        if isinstance(number, slice):
            return [self._drawn(place) for place in self._positions[number]]
        return self._drawn(self._positions[number])

    @printed_type()
    def _drawn(self, position: float) -> QImage:
        size, theme, measure = self._size, self._theme, self._measure
        point = self._points.between(position)
        assert point is not None
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.card))
        painter = QPainter(image)
        room = QSize(size.width(), size.height() - HEADER - CURVE)
        painter.drawImage(QPointF(0, HEADER), self._thumbnails.image(point, room))
        font = plot_font(bold=True, pixels=14)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        title = frame_title(self._result, point, measure)
        title = elided(title, font, size.width() - 24)
        draw_text(painter, QPointF(12, HEADER / 2), title, 0.0)
        area = QRectF(0, size.height() - CURVE, size.width(), CURVE - 6)
        draw_curve(painter, area, replace(self._curve, current=position), theme)
        painter.end()
        return image


FOLDER = "thumbnails"
THUMBNAIL_SIDE = 240


def picture_name(sweep: Sweep, point: SweepPoint) -> str:
    """Return a name for the picture of a point that every file system takes."""
    parts = [sweep.settings.apply(sweep.request.settings, point.index).kernel.family]
    parts.append(f"{point.index:04d}")
    for axis, value in zip(sweep.settings.axes, point.values, strict=True):
        if not axis.is_of_kernels:
            parts.append(f"{axis.parameter}_{value:.6g}")
    return "_".join(parts) + ".png"


def draw_folder(
    folder: Path,
    dataset: Dataset,
    sweeps: Sequence[Sweep],
    results: Sequence[SweepResult],
    theme_name: str,
) -> None:
    """Write ``strip_KERNEL.png``, ``grid_KERNEL.png`` and a picture of every point."""
    application = QApplication.instance() or QApplication(["kpca-viewer"])
    theme = THEMES[theme_name]
    # All sweeps of one command have the same view.
    shades = Shades(fills=results[0].base.view.fills if results else False)
    if dataset.labels is not None:
        names, others = dataset.label_names, tuple(rare_classes(dataset.labels))
        shades = Shades("class", dataset.labels, names, others, fills=shades.fills)
    thumbnails = Thumbnails(theme, shades)
    pictures = folder / FOLDER
    pictures.mkdir(exist_ok=True)
    for sweep, result in zip(sweeps, results, strict=True):
        family, shown = result.base.kernel.family, ShownSweep(result, shades=shades)
        shown = replace(shown, name=dataset.name)
        save_sheet(folder / f"grid_{family}.png", "grid", shown, theme)
        if sweep.settings.second is None:
            # A line through a grid would mean nothing.
            save_sheet(folder / f"strip_{family}.png", "strip", shown, theme)
        for point in result.points:
            if point.error:
                continue
            image: QImage = thumbnails.image(
                point, QSize(THUMBNAIL_SIDE, THUMBNAIL_SIDE), background=theme.card
            )
            write_atomically(pictures / picture_name(sweep, point), png_bytes(image))
    del application
