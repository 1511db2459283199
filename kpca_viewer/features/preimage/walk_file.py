"""A walk along a component as a file: its strip as a picture, or as a film."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.engine.row_pictures import RowPictures
from kpca_viewer.export.file_saver import Painting
from kpca_viewer.export.image import saving_of
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import Walk, WalkRequest, find_walk
from kpca_viewer.features.preimage.walk import WalkPicture, draw_walk
from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.numerals import fixed
from kpca_viewer.support.picture_formats import picture_endings, picture_format
from kpca_viewer.widgets.plots.pixels import fitted, row_image
from kpca_viewer.widgets.plots.text import draw_text, plot_font
from kpca_viewer.widgets.theme import LIGHT

FILM_STOPS, FRAME_MS = 41, 80
"""Places of a film in one direction, and milliseconds of each."""

FILMS = (".gif", ".apng", ".mp4")
"""Endings of a film; a PNG is a strip."""

SIDE, LINE = 320, 28
"""Pixels of a frame, and of the line below its picture."""

PLOT = (720, 320)
"""Pixels of a frame where rows are no pictures."""

STRIP = (1800, 300)
"""Pixels of a strip."""


def walk_kinds() -> str:
    # Imported on first use: it brings the writers of films along.
    from kpca_viewer.export.film import dialog_entry

    films, pictures = dialog_entry(), " ".join(f"*{e}" for e in picture_endings())
    patterns = films.rpartition("(")[2].removesuffix(")")
    return text.WALK_FILES.format(pictures=pictures, films=patterns, entry=films)


def is_film(path: Path) -> bool:
    """Return whether a name is that of a film.

    Raises
    ------
    ExportError
        If nothing has this ending.
    """
    if path.suffix.lower() in FILMS:
        return True
    if picture_format(path) is None:
        known = (*picture_endings(), *FILMS)
        ending = path.suffix or path.name
        raise ExportError(
            text.NO_WALK_FORMAT.format(ending=ending, known=", ".join(known))
        )
    return False


def strip_painting(path: Path, shown: WalkPicture) -> Painting:
    kind = picture_format(path)
    assert kind is not None
    spec = ImageSpec(kind.key, *STRIP)

    def paint(painter: QPainter, rect: QRectF) -> None:
        draw_walk(painter, rect.adjusted(8, 8, -8, -8), shown, LIGHT)

    return saving_of(path, spec, paint)


def save_film(path: Path, request: WalkRequest, pictures: RowPictures | None) -> None:
    """Write a walk as a film, forth and back; on any thread.

    Parameters
    ----------
    pictures : RowPictures or None
        How rows are seen; where they are no pictures, a mark moves along the ways of
        the columns.

    Raises
    ------
    ExportError
        In one sentence; the old file is as it was.
    """
    # Imported on first use: it brings the writers of films along.
    from kpca_viewer.export.film import save_animation

    walk = find_walk(replace(request, stops=FILM_STOPS))
    if pictures is None:
        shown = WalkPicture(walk, lines=walk.moving_columns(request.finder))
        frames = [_plot_frame(shown, float(value)) for value in walk.values]
    else:
        frames = _picture_frames(walk, pictures)
    save_animation(path, frames, FRAME_MS, forth_and_back=True)


def _picture_frames(walk: Walk, pictures: RowPictures) -> list[QImage]:
    return [
        _picture_frame(
            row_image(pictures.shades(place.values)),
            text.COMPONENT_VALUE.format(
                number=walk.component + 1, value=fixed(float(value), 3)
            ),
        )
        for value, place in zip(walk.values, walk.places, strict=True)
    ]


def _picture_frame(image: QImage, title: str) -> QImage:
    frame = _empty(SIDE, SIDE + LINE)
    painter = QPainter(frame)
    painter.drawImage(fitted(image, QRectF(0, 0, SIDE, SIDE)), image)
    painter.setFont(plot_font(pixels=16))
    painter.setPen(QColor(LIGHT.text))
    draw_text(painter, QPointF(SIDE / 2, SIDE + LINE / 2), title)
    painter.end()
    return frame


def _plot_frame(shown: WalkPicture, value: float) -> QImage:
    frame = _empty(*PLOT)
    painter = QPainter(frame)
    draw_walk(painter, QRectF(frame.rect()).adjusted(8, 8, -8, -8), shown, LIGHT, value)
    painter.end()
    return frame


def _empty(width: int, height: int) -> QImage:
    frame = QImage(width, height, QImage.Format.Format_RGB32)
    frame.fill(QColor(LIGHT.card))
    return frame
