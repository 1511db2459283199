"""A sweep into a file: grid or strip for paper, a film, or the table of numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, overload

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
from kpca_viewer.export.image import png_bytes, save_image
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.curve import Curve, CurveContext, draw_curve
from kpca_viewer.features.sweep.files import save_measures
from kpca_viewer.features.sweep.sheet import Sheet, ShownSweep
from kpca_viewer.features.sweep.text import (
    frame_title,
    sheet_title,
    sweep_being_written,
    sweep_not_written,
    sweep_still_written,
    sweep_written,
)
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import ExportError, KpcaError
from kpca_viewer.support.picture_formats import picture_endings, picture_format
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, printed_type
from kpca_viewer.widgets.theme import LIGHT, THEMES, Theme
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails

Kind = Literal["grid", "strip", "film", "table"]
ENDINGS: dict[Kind, tuple[str, ...]] = {
    "grid": picture_endings(),
    "strip": picture_endings(),
    "film": (".gif", ".apng", ".mp4", ".png"),
    "table": (".csv", ".parquet", ".xlsx", ".npz"),
}
TITLES: dict[Kind, str] = {
    "grid": "Grid of all pictures",
    "strip": "Strip with the curve",
    "film": "Film",
    "table": "Table of measures",
}

SIDE = QSize(640, 640)
MOST_FRAMES = 180
"""Of a film, in one direction: about 15 seconds and 10 MB."""

BETWEEN = (2, 5)
"""Frames from one value to the next, at least and at most."""

FILM_SPEED = 4.0
"""Values a second."""

PERCENT_STEP = 10
"""Of the progress that is reported."""


def kind_of(path: Path, wanted: Kind) -> Kind:
    """Return what an ending means: what is wanted, or else the first that has it."""
    ending = path.suffix.lower()
    for kind in (wanted, *ENDINGS):
        if ending in ENDINGS[kind]:
            return kind
    known = dict.fromkeys(end for endings in ENDINGS.values() for end in endings)
    raise ExportError(
        f"“{ending or path}” is not a format for a sweep; choose one of "
        f"{', '.join(known)}."
    )


@dataclass(frozen=True, eq=False)
class SweepFile:
    """What is to be written where; the ending chooses the format."""

    path: Path
    kind: Kind
    shown: ShownSweep
    theme: Theme = LIGHT


@printed_type()
def save_sweep(
    file: SweepFile, should_stop: ShouldStop = never, progress: Progress = silent
) -> None:
    """Write a sweep; where that fails, the old file is as it was."""
    path, kind, shown, theme = file.path, file.kind, file.shown, file.theme
    result = shown.result
    if path.suffix.lower() not in ENDINGS[kind]:
        raise ExportError(
            f"“{path.name}” is not a {TITLES[kind].lower()}; choose one of "
            f"{', '.join(ENDINGS[kind])}."
        )
    if kind == "table":
        save_measures(path, [result])
        return
    if kind == "film":
        steps = max(result.sweep.shape[0] - 1, 1)
        between = int(np.clip(MOST_FRAMES // steps, *BETWEEN))
        look = theme, shown.shades
        frames = FilmImages(result, shown.measure, SIDE, *look, between, shown.row)
        save_animation(
            path,
            frames,
            round(1000 / (FILM_SPEED * between)),
            forth_and_back=True,
            should_stop=should_stop,
            progress=progress,
        )
        return
    if kind == "strip":
        result = result.row(shown.row)
    title = sheet_title(result, shown.name)
    sheet = Sheet(result, shown.measure, theme, shown.shades, title)
    width, height = sheet.grid_size() if kind == "grid" else sheet.strip_size()
    paint = sheet.paint_grid if kind == "grid" else sheet.paint_strip
    chosen = picture_format(path)
    assert chosen is not None
    # Twice the layout in pixels, for print.
    times = 1 if chosen.vector else 2
    spec = ImageSpec(
        chosen.key, times * width, times * height, "px", times * 96, "theme"
    )
    save_image(path, spec, paint)


class SweepExporter(QObject):
    """Writes one file at a time on a thread of its own."""

    reported = Signal(object)
    """A `Message`: how far it is, that it is done, or what is wrong."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner: Runner | None = None
        self._file: SweepFile | None = None
        self._percent = 0

    @property
    def busy(self) -> bool:
        return self._runner is not None and self._runner.busy

    @property
    def kind(self) -> "Kind | None":
        return None if self._file is None else self._file.kind

    def save(self, file: SweepFile) -> None:
        """Write a file; `reported` says what becomes of it."""
        if self.busy and self._file is not None:
            self.reported.emit(sweep_still_written(self._file.path))
            return
        try:
            file = replace(file, kind=kind_of(file.path, file.kind))
        except KpcaError as error:
            self.reported.emit(messages.failure(error))
            return
        if self._runner is None:
            # Made on first use: most sweeps are only looked at.
            self._runner = Runner(_write, self)
            self._runner.result_ready.connect(self._on_written)
            self._runner.failed.connect(self._on_failed)
            self._runner.progressed.connect(self._on_progressed)
            self._runner.cancelled.connect(self._on_cancelled)
        self._file, self._percent = file, 0
        self.reported.emit(sweep_being_written(file.path))
        self._runner.submit(file)

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
        has_size = self.kind in ("grid", "strip")
        self.reported.emit(sweep_written(path, has_size=has_size))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.reported.emit(messages.failure(error))

    @Slot(object, object)
    def _on_progressed(self, _stage: str, share: float | None) -> None:
        percent = int(100 * (share or 0)) // PERCENT_STEP * PERCENT_STEP
        if self._file is not None and percent > self._percent:
            self._percent = percent
            self.reported.emit(sweep_being_written(self._file.path, percent))

    @Slot()
    def _on_cancelled(self) -> None:
        if self._file is not None:
            self.reported.emit(sweep_not_written(self._file.path))


def _write(
    file: SweepFile,
    should_stop: ShouldStop,
    progress: Progress,
    _publish: Callable[[Any], None],
) -> Path:
    save_sweep(file, should_stop, progress)
    return file.path


HEADER = 30
CURVE = 70


class FilmImages(Sequence[QImage]):
    """The frames of a film, ``between`` from one value to the next, drawn when read."""

    def __init__(
        self,
        result: SweepResult,
        measure: str = "",
        size: QSize | None = None,
        theme: Theme = LIGHT,
        shades: Shades | None = None,
        between: int = 3,
        row: int = 0,
    ) -> None:
        self._size = size or QSize(480, 480)
        self._theme = theme
        self._points = SweepPoints.of(result)
        self._points.row = row
        self._result = result
        self._measure = MEASURES[measure or result.sweep.measure]
        self._thumbnails = Thumbnails(theme, shades)
        self._values = self._points.curve(self._measure.key)
        self._best = self._points.best(self._measure.key)
        self._context = CurveContext.of(self._points.shown(), self._measure)
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
        curve = Curve(
            measure,
            self._values,
            position,
            best=self._best,
            joined=not self._points.sweep.axes[0].is_of_kernels,
            context=self._context,
        )
        draw_curve(painter, area, curve, theme)
        painter.end()
        return image


FOLDER = "thumbnails"
THUMBNAIL_SIDE = 240
LARGEST = 18_000
"""Pixels of a strip; beyond, its pictures become narrower."""


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
        names = dataset.label_names
        shades = replace(shades, kind="class", codes=dataset.labels, names=names)
    thumbnails = Thumbnails(theme, shades)
    pictures = folder / FOLDER
    pictures.mkdir(exist_ok=True)
    for sweep, result in zip(sweeps, results, strict=True):
        family = result.base.kernel.family
        title = sheet_title(result, dataset.name)
        sheet = Sheet(result, theme=theme, shades=shades, title=title)
        for name, (width, height), paint in (
            ("strip", sheet.strip_size(), sheet.paint_strip),
            ("grid", sheet.grid_size(), sheet.paint_grid),
        ):
            if name == "strip" and sweep.settings.second is not None:
                continue  # a line through a grid would mean nothing
            spec = ImageSpec("png", min(width, LARGEST), height, "px", 96, "theme")
            save_image(folder / f"{name}_{family}.png", spec, paint)
        for point in result.points:
            if point.error:
                continue
            image: QImage = thumbnails.image(
                point, QSize(THUMBNAIL_SIDE, THUMBNAIL_SIDE), background=theme.card
            )
            write_atomically(pictures / picture_name(sweep, point), png_bytes(image))
    del application
