"""A folder of pictures: a row each, a column for every pixel, folders as classes."""

import hashlib
from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.arrays import FEWER, array_column
from kpca_viewer.data.files.cells import block_columns, object_array
from kpca_viewer.data.files.source import Reading, foreign
from kpca_viewer.data.table import Column
from kpca_viewer.support.errors import DataError

ENDINGS = (".png", ".jpg", ".jpeg")
MOST_PIXELS = 4096
"""Of a row; larger pictures are made smaller, for as many columns."""

LARGEST = 100_000_000
"""Pixels of a file that is opened at all."""

Size = tuple[int, int]


def pictures_in(folder: Path) -> tuple[list[Path], int]:
    """Return the pictures of a folder, or of the folders in it, and a count of others.

    There are none where it is no folder, or one that may not be looked into.
    """
    try:
        inside = sorted(folder.iterdir())
        if not any(path.suffix.lower() in ENDINGS for path in inside):
            inside = [p for each in inside if each.is_dir() for p in each.iterdir()]
        files = [p for p in inside if p.name[0] not in "._" and p.is_file()]
    except OSError:
        return [], 0
    pictures = [path for path in files if path.suffix.lower() in ENDINGS]
    return sorted(pictures), len(files) - len(pictures)


def is_image_folder(folder: Path) -> bool:
    """Whether most files of a folder are pictures."""
    pictures, others = pictures_in(folder)
    return len(pictures) > others


def read_images(reading: Reading) -> list[Column]:
    """Return names, folders and shades of grey of all pictures."""
    pictures, others = pictures_in(reading.path)
    rows = reading.chosen_rows(len(pictures))
    if rows is not None:
        pictures = [pictures[row] for row in rows]
    sizes = Counter(_size(reading, path) for path in pictures)
    (width, height), most = sizes.most_common(1)[0]
    shrink = min(1.0, sqrt(MOST_PIXELS / (width * height)))
    size = max(int(width * shrink), 1), max(int(height * shrink), 1)
    reading.require_table(len(pictures), size[0] * size[1], FEWER)
    matrix = np.empty((len(pictures), size[0] * size[1]))
    for row, path in enumerate(pictures):
        matrix[row] = _shades(reading, path, size).ravel()
        reading.step((row + 1) / len(pictures))
    _say(reading, size, (width, height), len(pictures) - most, others)
    names = [f"pixel_{i}_{j}" for i in range(size[1]) for j in range(size[0])]
    beside = {"picture": [path.stem for path in pictures]}
    folders = [path.parent.name for path in pictures]
    if len(set(folders)) > 1:
        beside["folder"] = folders
    reading.described = tuple(beside)
    told = [array_column(name, object_array(words)) for name, words in beside.items()]
    return [*told, *block_columns(names, matrix)]


def digest_of(columns: list[Column]) -> str:
    """Return the SHA-256 of what was read: a folder has no bytes of its own."""
    digest = hashlib.sha256()
    for column in columns:
        values = column.values
        text = "\0".join(map(str, values)).encode("utf-8", "surrogateescape")
        digest.update(values.tobytes() if values.dtype.kind == "f" else text)
    return digest.hexdigest()


def _say(reading: Reading, size: Size, file: Size, odd: int, others: int) -> None:
    reading.note(f"pictures of {size[0]} × {size[1]} pixels, in grey")
    if size != file:
        reading.note(f"made smaller from {file[0]} × {file[1]}")
    if odd:
        reading.note(f"{odd:,} of another size stretched to it")
    if others:
        reading.note(f"{others:,} other {'file' if others == 1 else 'files'} left out")


def _size(reading: Reading, path: Path) -> Size:
    """Return the size of a picture without its pixels."""
    from PIL import Image

    reading.tick()
    with _guarded(reading, path), Image.open(path) as picture:
        width, height = picture.size
    if width * height > LARGEST:
        raise DataError(
            f"“{path.name}” has {width:,} × {height:,} pixels, more than "
            f"{LARGEST:,}; make it smaller."
        )
    return width, height


def _shades(reading: Reading, path: Path, size: Size) -> NDArray[Any]:
    from PIL import Image

    with _guarded(reading, path), Image.open(path) as picture:
        if picture.mode.startswith("I"):
            # 16 bits a pixel, which Pillow would cut off at 255.
            wide = np.asarray(picture, dtype=np.float64) / 257
            return np.asarray(Image.fromarray(wide.astype(np.uint8)).resize(size))
        grey = picture.convert("L")
        return np.asarray(grey if grey.size == size else grey.resize(size))


def _guarded(reading: Reading, path: Path) -> Any:
    picture = Reading(path, should_stop=reading.should_stop)
    return foreign(picture, "picture", "take it out of the folder")
