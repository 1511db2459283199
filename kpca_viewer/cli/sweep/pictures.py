"""Pictures of a sweep where there is no screen."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from kpca_viewer.cli.sweep.files import picture_name
from kpca_viewer.cli.sweep.workers import Sweep
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.export.images.image import png_bytes, save_image
from kpca_viewer.export.images.spec import ImageSpec
from kpca_viewer.session.sweep.point import SweepResult
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.ui.look.theme import THEMES
from kpca_viewer.ui.sweep.paper.sheet import Sheet, sheet_title
from kpca_viewer.ui.sweep.thumbnails import Shades, Thumbnails

FOLDER = "thumbnails"
SIDE = 240
LARGEST = 18_000
"""Pixels of a strip; beyond, its pictures become narrower."""


def draw(
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
                point, QSize(SIDE, SIDE), background=theme.card
            )
            write_atomically(pictures / picture_name(sweep, point), png_bytes(image))
    del application
