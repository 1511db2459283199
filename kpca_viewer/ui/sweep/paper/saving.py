"""A sweep into a file: grid or strip for paper, a film, or the table of numbers."""

from pathlib import Path
from typing import Literal

import numpy as np
from PySide6.QtCore import QSize

from kpca_viewer.export.film import save_animation
from kpca_viewer.export.images.image import save_image
from kpca_viewer.export.images.spec import ImageSpec
from kpca_viewer.export.tables.sweeps import save_measures
from kpca_viewer.session.sweep.point import SweepResult
from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.picture_formats import picture_endings, picture_format
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.ui.look.theme import LIGHT, Theme
from kpca_viewer.ui.plots.text import printed_type
from kpca_viewer.ui.sweep.paper.frames import FilmFrames
from kpca_viewer.ui.sweep.paper.sheet import Sheet, sheet_title
from kpca_viewer.ui.sweep.thumbnails import Shades

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


def kind_of(path: str | Path, wanted: Kind) -> Kind:
    """Return what an ending means: what is wanted, or else the first that has it.

    Raises
    ------
    ExportError
        If nothing has this ending.
    """
    ending = Path(path).suffix.lower()
    for kind in (wanted, *ENDINGS):
        if ending in ENDINGS[kind]:
            return kind
    known = dict.fromkeys(end for endings in ENDINGS.values() for end in endings)
    raise ExportError(
        f"“{ending or path}” is not a format for a sweep; choose one of "
        f"{', '.join(known)}."
    )


@printed_type()
def save_sweep(
    path: str | Path,
    kind: Kind,
    result: SweepResult,
    *,
    measure: str = "",
    name: str = "",
    theme: Theme = LIGHT,
    shades: Shades | None = None,
    row: int = 0,
    speed: float = 4.0,
    metadata: str = "",
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> None:
    """Write a sweep; the ending chooses the format.

    Parameters
    ----------
    kind : {"grid", "strip", "film", "table"}
    measure : str
        Key of the measure that is shown; by default that of the sweep.
    name : str
        Of the data.
    shades : Shades, optional
        What the colours mean in the window.
    row : int
        Of a grid, for a strip or a film.
    speed : float
        Of a film, in values a second.
    metadata : str
        Kept inside a picture; see `kpca_viewer.export.images.image.save_image`.

    Raises
    ------
    ExportError
        In one sentence; the old file is as it was.
    Cancelled
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS[kind]:
        raise ExportError(
            f"“{Path(path).name}” is not a {TITLES[kind].lower()}; choose one of "
            f"{', '.join(ENDINGS[kind])}."
        )
    if kind == "table":
        save_measures(path, [result])
        return
    if kind == "film":
        steps = max(result.sweep.shape[0] - 1, 1)
        between = int(np.clip(MOST_FRAMES // steps, *BETWEEN))
        frames = FilmFrames(result, measure, SIDE, theme, shades, between, row)
        save_animation(
            path,
            frames,
            round(1000 / (speed * between)),
            forth_and_back=True,
            should_stop=should_stop,
            progress=progress,
        )
        return
    if kind == "strip":
        result = result.row(row)
    sheet = Sheet(result, measure, theme, shades, sheet_title(result, name or "data"))
    width, height = sheet.grid_size() if kind == "grid" else sheet.strip_size()
    paint = sheet.paint_grid if kind == "grid" else sheet.paint_strip
    chosen = picture_format(path)
    assert chosen is not None
    # Twice the layout in pixels, for print.
    times = 1 if chosen.vector else 2
    spec = ImageSpec(
        chosen.key, times * width, times * height, "px", times * 96, "theme"
    )
    save_image(path, spec, paint, metadata)
