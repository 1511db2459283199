"""Films: GIF and APNG by Pillow."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from PySide6.QtGui import QImage

from kpca_viewer.support import memory
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent

AnimationFormat = Literal["gif", "png"]
FORMATS: dict[str, AnimationFormat] = {
    ".gif": "gif",
    ".png": "png",
    ".apng": "png",
}

SHORTEST = 20
"""Milliseconds of a frame of a GIF; viewers slow down what is faster."""


@dataclass(frozen=True, eq=False)
class Film:
    """Images of the same size, and how they follow each other."""

    frames: Sequence[QImage]
    """Each is asked for once or twice, so that a sequence may draw them as they are
    wanted."""
    frame_ms: int
    """Milliseconds of a frame."""
    order: Sequence[int]
    """Which frame comes when."""
    should_stop: ShouldStop = never
    progress: Progress = silent


def save_animation(
    path: str | Path,
    frames: Sequence[QImage],
    frame_ms: int = 100,
    *,
    forth_and_back: bool = False,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> None:
    """Write images as a film that repeats for ever, as gif, png or apng by the ending.

    ``forth_and_back``: whether it runs backwards at its end instead of jumping.
    """
    kind = FORMATS.get(Path(path).suffix.lower())
    if kind is None:
        raise ExportError(
            f"“{Path(path).name}” is no film; choose one of {', '.join(FORMATS)}."
        )
    if not len(frames):
        raise ExportError("A film needs at least one picture; compute the sweep first.")
    order = list(range(len(frames)))
    if forth_and_back:
        order += order[-2:0:-1]
    make = {"gif": gif_bytes, "png": apng_bytes}[kind]
    content = make(Film(frames, frame_ms, order, should_stop, progress))
    check(should_stop)
    write_atomically(path, content)


def gif_bytes(film: Film) -> bytes:
    """Return a GIF; all frames share their colours, which would flicker otherwise."""
    from PIL import Image

    frames = film.frames
    spread = {round(s) for s in np.linspace(0, len(frames) - 1, 8)}
    palette = _common_palette(Image, [_rgb(Image, frames[i]) for i in sorted(spread)])
    indexed = [
        _indexed(Image, _rgb(Image, frame), palette) for frame in _watched(film, 1)
    ]
    return _encoded(
        indexed,
        film.order,
        "GIF",
        duration=max(round(film.frame_ms / 10) * 10, SHORTEST),
        optimize=False,
        # Each frame as it is: Pillow would merge equal ones and change their count.
        disposal=1,
    )


def apng_bytes(film: Film) -> bytes:
    """Return an animated PNG in full colours; what cannot play it shows the first."""
    from PIL import Image

    copies = 1 + len(film.order) / len(film.frames)  # Pillow keeps one of each
    pictures = [_rgb(Image, frame) for frame in _watched(film, round(3 * copies))]
    return _encoded(pictures, film.order, "PNG", duration=film.frame_ms)


def _encoded(pictures: list[Any], order: Sequence[int], kind: str, **how: Any) -> bytes:
    buffer = io.BytesIO()
    film = [pictures[i] for i in order]
    film[0].save(buffer, kind, save_all=True, append_images=film[1:], loop=0, **how)
    return buffer.getvalue()


def _watched(film: Film, bytes_each: int) -> Iterator[QImage]:
    """Go through the frames; refuse what cannot be one film, or fits no memory."""
    frames = film.frames
    size = frames[0].size()
    width, height = size.width(), size.height()
    memory.require(
        bytes_each * width * height * len(frames),
        f"A film of {len(frames):,} pictures of {width:,} × {height:,} pixels",
        "choose fewer or smaller pictures",
    )
    for number, frame in enumerate(frames):
        check(film.should_stop)
        film.progress("film", number / len(frames))
        if frame.size() != size:
            raise ExportError(
                "The pictures of a film must have one size; draw them anew."
            )
        yield frame


def pixels_of(frame: QImage) -> Any:
    """Return the pixels of an image as (height, width, 3) bytes."""
    image = frame.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())
    # A copy: the memory goes with the converted image.
    whole = rows[:, : 3 * image.width()].copy()
    return whole.reshape(image.height(), image.width(), 3)


def _rgb(Image: Any, frame: QImage) -> Any:
    return Image.fromarray(pixels_of(frame))


def _common_palette(Image: Any, chosen: Sequence[Any]) -> Any:
    """Return 256 colours that suit a few frames from all over the film."""
    width, height = chosen[0].size
    sheet = Image.new("RGB", (width, height * len(chosen)))
    for row, picture in enumerate(chosen):
        sheet.paste(picture, (0, row * height))
    # One colour is left for the background, which must stay what it is.
    colors = sheet.quantize(colors=255, method=Image.Quantize.MEDIANCUT).getpalette()
    corner = chosen[0].getpixel((0, 0))
    palette = Image.new("P", (1, 1))
    palette.putpalette([*colors[: 3 * 255], *corner])
    return palette


def _indexed(Image: Any, picture: Any, palette: Any) -> Any:
    """Return a picture in the colours of a palette, its background exactly."""
    # Without dithering: its noise would crawl over the background.
    found = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    codes = np.array(found)
    colors = palette.getpalette()
    last = len(colors) // 3 - 1
    # Pillow looks colours up in steps of four, in which white is one of many.
    red, green, blue = np.moveaxis(np.asarray(picture), 2, 0)
    background = (red == colors[-3]) & (green == colors[-2]) & (blue == colors[-1])
    codes[background] = last
    result = Image.fromarray(codes)
    result.putpalette(colors)
    return result
